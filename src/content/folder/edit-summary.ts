import { mergeLines } from '../merge/merge-lines.ts';
import { type SummaryEntry, writeSummary } from './summary.ts';

/**
 * Brings other entries into a SUMMARY.md, and leaves all other lines as they are: its title, comments, links to other
 * sites, empty lines.
 *
 * @param before the entries that the text has, of those that are pages
 * @param after the entries that it shall have
 */
export function editSummary(text: string, before: readonly SummaryEntry[], after: readonly SummaryEntry[]): string {
  const [old, list] = [before, after].map((entries) => inStyleOf(text, writeSummary(entries)));
  const merged = mergeLines(old ?? '', list ?? '', text);
  const listed = new Set(linesOf(`${old}\n${list}`).flatMap((line) => [line, addressIn(line) ?? line]));
  const left = merged.hunks.flatMap(({ theirs }) =>
    linesOf(theirs).filter((line) => line.trim() !== '' && !listed.has(addressIn(line) ?? line) && !isRule(line)),
  );
  if (left.length === 0) return merged.text;
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  return `${merged.text.trimEnd()}${end}${end}${left.join(end)}${end}`;
}

const linesOf = (text: string) => text.split(/\r?\n/);

const addressIn = (line: string) => /\]\(([^\s()]*)/.exec(line)?.[1];

/** Headings and rules only divide the list that is replaced. */
const isRule = (line: string) => /^#|^\*{3}$/.test(line);

/** The same list with the marks and line ends that a text has. */
function inStyleOf(text: string, list: string): string {
  const mark = /^([*+-]) \[/m.exec(text)?.[1] ?? '*';
  const marked = list.replaceAll(/^( *)[*-] /gm, (_, spaces: string) => `${spaces}${mark} `);
  return text.includes('\r\n') ? marked.replaceAll('\n', '\r\n') : marked;
}
