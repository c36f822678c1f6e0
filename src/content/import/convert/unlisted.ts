import { isMarkdown } from '../../folder/file-names.ts';
import { nameTitle } from '../../folder/page-tree.ts';
import { relativeAddress } from '../../markdown/links.ts';
import { readSummary, type SummaryEntry } from '../../folder/summary.ts';

/** A table of contents with the pages that it does not list: the first page first, the others last. */
export function withUnlisted(summary: string, files: ReadonlyMap<string, unknown>): string {
  const listed = new Set<string | undefined>(['SUMMARY.md']);
  const visit = (entries: readonly SummaryEntry[]): void => {
    for (const { target, children } of entries) {
      listed.add(target);
      visit(children);
    }
  };
  visit(readSummary(summary));
  const missing = [...files.keys()].filter((file) => isMarkdown(file) && !listed.has(file));
  const line = (file: string) => entryOf(file === 'README.md' ? 'Home' : nameTitle(file), file);
  const [title, ...rest] = summary.split('\n');
  const first = missing.filter((file) => file === 'README.md').map(line);
  const others = missing.filter((file) => file !== 'README.md').map(line);
  const end = others.length === 0 ? [] : ['', '***', '', ...others, ''];
  return [title, '', ...first, ...rest.join('\n').trim().split('\n'), ...end].join('\n');
}

/** The line of a page in a table of contents. */
export const entryOf = (title: string, file: string): string =>
  `* [${title.replaceAll(/[\\[\]]/g, String.raw`\$&`)}](<${relativeAddress('', file)}>)`;
