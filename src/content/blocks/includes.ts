/** The paths that a text includes. */
export function includesIn(markdown: string): string[] {
  return [...markdown.matchAll(/\{%\s*include\s+["']([^"'\n]+)["']/g)].map(([, path = '']) => path);
}
