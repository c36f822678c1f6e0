import type { Paint } from '../cli/output/paint.ts';

/** Texts that differ in more places are not compared line by line: it would take minutes. */
const timeoutMs = 2000;

/** The changed lines of a text with three lines around each, as `diff -u` shows them; no lines where nothing changed. */
export async function unifiedDiff(before: string, after: string): Promise<string[]> {
  if (before === after) return [];
  const { structuredPatch } = await import('diff');
  const patch = structuredPatch('', '', before, after, undefined, undefined, { context: 3, timeout: timeoutMs });
  return patch
    ? patch.hunks.flatMap(({ lines, ...range }) => [headOf(range), ...lines])
    : replacement(linesOf(before), linesOf(after));
}

interface Range {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
}

const headOf = ({ oldStart, oldLines, newStart, newLines }: Range) =>
  `@@ -${placeOf(oldStart, oldLines)} +${placeOf(newStart, newLines)} @@`;

/** Of no lines, the place is that of the line before. */
const placeOf = (start: number, lines: number) => `${lines === 0 ? start - 1 : start},${lines}`;

/** All lines of the one text removed, and those of the other added. */
const replacement = (before: string[], after: string[]) => [
  headOf({ oldStart: 1, oldLines: before.length, newStart: 1, newLines: after.length }),
  ...before.map((line) => `-${line}`),
  ...after.map((line) => `+${line}`),
];

const linesOf = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

/** A line of a unified difference in the colour of its kind. */
export function paintDiffLine(line: string, paint: Paint): string {
  if (line.startsWith('@@')) return paint(line, 'dim');
  if (line.startsWith('+')) return paint(line, 'good');
  return line.startsWith('-') ? paint(line, 'bad') : line;
}
