/** The paths that a text includes. */
export function includesIn(markdown: string): string[] {
  return [...markdown.matchAll(/\{%\s*include\s+["']([^"'\n]+)["']/g)].map(([, path = '']) => path);
}

/** The texts that a text includes, and those that these include, by the paths that includes name. */
export async function readIncludes(
  markdown: string,
  read: (path: string) => Promise<string | undefined>,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const waiting = includesIn(markdown);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (texts.has(path)) continue;
    const text = await read(path);
    if (text === undefined) continue;
    texts.set(path, text);
    waiting.push(...includesIn(text));
  }
  return texts;
}
