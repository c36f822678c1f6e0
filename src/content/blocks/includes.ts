/** The paths of the texts that a text includes. */
function includesIn(markdown: string): string[] {
  return [...markdown.matchAll(/\{%\s*include\s+["']([^"'\n]+)["']/g)].map(([, path = '']) => path);
}

/** Reads the texts that a text includes, directly or through others, by path. Known texts are not read again. */
export async function readIncludes(
  markdown: string,
  read: (path: string) => string | undefined | Promise<string | undefined>,
  texts = new Map<string, string>(),
): Promise<Map<string, string>> {
  const waiting = includesIn(markdown);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const text = texts.has(path) ? undefined : await read(path);
    if (text === undefined) continue;
    texts.set(path, text);
    waiting.push(...includesIn(text));
  }
  return texts;
}
