import type { PageRow } from '../../store/content.ts';
import { markdownOf } from '../../store/documents.ts';
import { DomainError } from '../engine/errors.ts';
import type { Content } from '../content/find-content.ts';
import { Prepared } from './prepared.ts';
import type { PublishedOutline } from './published-outline.ts';
import { valuesFor } from './published-page.ts';
import { spaceVariables } from './included-texts.ts';
import type { SearchedTexts, VisiblePage } from './published-text.ts';
import type { SiteVisit } from './published-visit.ts';

/** By everything that the texts are made of; the size is that of the texts. */
const visiblePages = new Prepared<readonly VisiblePage[]>(32 * 1024 * 1024, (pages) =>
  pages.reduce((sum, { text, sections }) => sum + text.length + sections.length + 200, 0),
);

/** Those that are being read; requests at the same time wait for the same texts. */
const reading = new Map<string, Promise<readonly VisiblePage[]>>();

/**
 * The texts of pages as the visitor sees them. All are read, whatever is searched for: neither results nor the time that
 * they take depend on what the visitor may not see.
 *
 * @returns what reads them outside of the transaction
 */
export async function visiblePagesOf(
  visit: SiteVisit,
  { outline, content }: { outline: PublishedOutline; content: Content },
  rows: readonly PageRow[],
): Promise<() => Promise<readonly VisiblePage[]>> {
  if (rows.length === 0) return async () => [];
  const variables = await spaceVariables(visit.db, outline, content.snapshot);
  const values = valuesFor(visit, content.space.title);
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
  hash.update(JSON.stringify([rows.map(({ title, document }) => [title, document]), values, variables]));
  const key = hash.digest('base64');
  const known = visiblePages.find(key);
  if (known) return async () => known;
  const markdowns: string[] = [];
  for (const { document } of rows) markdowns.push(await markdownOf(visit.db, document));
  const texts = { titles: rows.map(({ title }) => title), markdowns, values, variables };
  return () => {
    const pages = reading.get(key) ?? readAndKeep(visit, key, texts);
    reading.set(key, pages);
    return pages;
  };
}

async function readAndKeep(visit: SiteVisit, key: string, texts: SearchedTexts): Promise<readonly VisiblePage[]> {
  try {
    const pages = await readInParts(visit, texts);
    visiblePages.keep(key, pages);
    return pages;
  } finally {
    reading.delete(key);
  }
}

/** Characters of the texts that one task reads. */
const maxCharacters = 64 * 1024;

async function readInParts(visit: SiteVisit, texts: SearchedTexts): Promise<VisiblePage[]> {
  const pages: VisiblePage[] = [];
  for (let start = 0; start < texts.titles.length;) {
    let end = start + 1;
    let characters = texts.markdowns[start]?.length ?? 0;
    while (end < texts.titles.length && characters < maxCharacters) characters += texts.markdowns[end++]?.length ?? 0;
    pages.push(...(await readPart(visit, part(texts, start, end))));
    start = end;
    // Small parts are read in this thread.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return pages;
}

const part = (texts: SearchedTexts, start: number, end: number): SearchedTexts => ({
  ...texts,
  titles: texts.titles.slice(start, end),
  markdowns: texts.markdowns.slice(start, end),
});

/** A text that is too complex is left out: its page is found by its title. */
async function readPart(visit: SiteVisit, texts: SearchedTexts): Promise<VisiblePage[]> {
  const { instance, site } = visit;
  const options = { caller: `site ${site.id}`, what: `The text of "${site.title}"` };
  try {
    return await instance.texts.run('visiblePages', texts, options);
  } catch (error) {
    if (!(error instanceof DomainError) || error.reason !== 'too-complex') throw error;
    const { length } = texts.titles;
    if (length === 1 && texts.markdowns[0] === '') throw error;
    if (length === 1) return readPart(visit, { ...texts, markdowns: [''] });
    const pages: VisiblePage[] = [];
    for (let index = 0; index < length; index += 1)
      pages.push(...(await readPart(visit, part(texts, index, index + 1))));
    return pages;
  }
}
