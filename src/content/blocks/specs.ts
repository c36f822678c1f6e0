/** Per page. */
const maxSpecs = 10;

/** The specifications that the blocks of a text refer to, by slug or by the address of their source. */
export function specsIn(markdown: string): string[] {
  const names = new Set<string>();
  for (const part of markdown.split('{%').slice(1)) {
    const end = part.indexOf('%}');
    if (end === -1 || !/^-?\s*openapi/.test(part)) continue;
    for (const [, name = ''] of part.slice(0, end).matchAll(/\b(?:spec|src)="([^"]+)"/g)) names.add(name);
  }
  return [...names].slice(0, maxSpecs);
}
