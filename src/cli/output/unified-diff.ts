import type { Paint } from './paint.ts';

/** The changed lines of a text with three lines around each, as `diff -u` shows them; no lines where nothing changed. */
export async function unifiedDiff(before: string, after: string): Promise<string[]> {
  const { structuredPatch } = await import('diff');
  const { hunks } = structuredPatch('', '', before, after, undefined, undefined, { context: 3 });
  return hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines,
  ]);
}

/** A line of a unified difference in the colour of its kind. */
export function paintDiffLine(line: string, paint: Paint): string {
  if (line.startsWith('@@')) return paint(line, 'dim');
  if (line.startsWith('+')) return paint(line, 'good');
  return line.startsWith('-') ? paint(line, 'bad') : line;
}
