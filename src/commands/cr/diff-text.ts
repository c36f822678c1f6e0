import { changeLines } from '../../cli/output/change-lines.ts';
import { type Terminal, visibleLines } from '../../cli/output/index.ts';
import { loadPaint } from '../../cli/output/paint.ts';
import { paintDiffLine } from '../../shared/unified-diff.ts';
import type { Difference } from './differences.ts';

/** In a pipe the text stays as it is; lines of a text hold no line breaks. */
const safeOn = (screen: Terminal) => (screen.terminal ? visibleLines : (text: string) => text);

/** What changed in one page or file, and the changed lines of its text. */
export async function differenceText(difference: Difference, screen: Terminal): Promise<string> {
  const { kind, change, id, path, oldPath, fields, lines } = difference;
  const [paint, safe] = [await loadPaint(screen.color), safeOn(screen)];
  const places = oldPath === undefined ? path : `${oldPath} -> ${path}`;
  const changed = await Promise.all(fields.map((field) => changeLines(field, paint, safe)));
  const sides =
    lines.length === 0
      ? []
      : [
          paint(`--- ${change === 'added' ? '/dev/null' : safe(`a/${oldPath ?? path}`)}`, 'head'),
          paint(`+++ ${change === 'deleted' ? '/dev/null' : safe(`b/${path}`)}`, 'head'),
        ];
  return [
    paint(`${change} ${kind} ${safe(places)} (${id})`, 'head'),
    ...changed.flat().map((line) => `  ${line}`),
    ...sides,
    ...lines.map((line) => paintDiffLine(safe(line), paint)),
    '',
  ].join('\n');
}

/** A line for each page and file, and how much changed in all. */
export async function statText(differences: readonly Difference[], screen: Terminal): Promise<string> {
  const [paint, safe] = [await loadPaint(screen.color), safeOn(screen)];
  const names = differences.map(({ path, oldPath }) => safe(oldPath === undefined ? path : `${oldPath} -> ${path}`));
  const longest = Math.max(...names.map((name) => name.length));
  const rows = differences.map(({ kind, change, insertions, deletions }, index) => {
    const counts = [
      ...(insertions > 0 ? [paint(`+${insertions}`, 'good')] : []),
      ...(deletions > 0 ? [paint(`-${deletions}`, 'bad')] : []),
    ];
    const what = kind === 'page' ? change : `${change} ${kind}`;
    return ` ${(names[index] ?? '').padEnd(longest)} | ${[what, ...counts].join(' ')}`;
  });
  return `${rows.join('\n')}\n ${summaryOf(differences)}\n`;
}

function summaryOf(differences: readonly Difference[]): string {
  const total = (member: 'insertions' | 'deletions') =>
    differences.reduce((sum, difference) => sum + difference[member], 0);
  const kinds = [...Map.groupBy(differences, ({ kind }) => kind)].map(([kind, { length }]) =>
    kind === 'reusable content' ? `${length} of reusable content` : `${length} ${kind}${length === 1 ? '' : 's'}`,
  );
  const [added, removed] = [total('insertions'), total('deletions')];
  const lines = `${added} line${added === 1 ? '' : 's'} added, ${removed} removed`;
  return `${kinds.join(', ')} changed: ${lines}`;
}
