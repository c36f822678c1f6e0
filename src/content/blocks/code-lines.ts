/** Longer listings are not highlighted by line. */
const maxLine = 10_000;

/** The numbers of the lines that a fence highlights: `js {1,3-5}`, or `hl_lines="1 3-5"` in MkDocs. */
export function highlightedLines(meta: string): ReadonlySet<number> {
  const list = /(?:^|\s)\{([\d,\s-]+)\}/.exec(meta)?.[1] ?? /\bhl_lines="([\d\s-]+)"/.exec(meta)?.[1] ?? '';
  const lines = new Set<number>();
  for (const part of list.split(/[\s,]+/)) {
    const [, first = '', last = first] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
    if (first === '') continue;
    for (let line = Number(first); line <= Math.min(Number(last), maxLine); line += 1) lines.add(line);
  }
  return lines;
}
