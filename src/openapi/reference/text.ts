/** A description as the text of a file. */
export async function descriptionText(document: unknown, format: 'json' | 'yaml'): Promise<string> {
  if (format === 'json') return `${JSON.stringify(document, null, 2)}\n`;
  const { dump } = await import('js-yaml');
  return dump(document, { lineWidth: 120 });
}
