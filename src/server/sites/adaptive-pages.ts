import { markdownOf } from '../../store/documents.ts';
import { DomainError } from '../engine/errors.ts';
import type { InstanceRequest } from '../engine/request.ts';
import { Prepared } from './prepared.ts';
import type { PublishedEntry, PublishedSpace } from './published-outline.ts';
import { spaceVariables, valuesFor } from './published-page.ts';
import type { SearchedTexts, VisiblePage } from './published-text.ts';
import type { SiteVisit } from './published-visit.ts';

/** By a hash of everything that the texts depend on. The size is that of the texts. */
const visiblePages = new Prepared<readonly VisiblePage[]>(32 * 1024 * 1024, (pages) =>
  pages.reduce((sum, { columns, sections }) => sum + columns[2].length + sections.length + 200, 0),
);

/** What was read for a request, because the texts of its spaces together may be too large for the cache. */
const readFor = new WeakMap<InstanceRequest, Map<string, readonly VisiblePage[]>>();

/** Concurrent requests wait for the same texts. */
const reading = new Map<string, Promise<readonly VisiblePage[]>>();

/**
 * The texts of pages as the visitor sees them. It reads all texts, so that neither the results nor their time depend on
 * what the visitor may not see.
 *
 * @throws NotPrepared
 */
export async function visiblePagesOf(
  visit: SiteVisit,
  space: PublishedSpace,
  { entries, request }: { entries: readonly PublishedEntry[]; request: InstanceRequest },
): Promise<readonly VisiblePage[]> {
  if (entries.length === 0) return [];
  const variables = await spaceVariables(visit.db, space);
  const values = valuesFor(visit, space.content.space.title);
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
  hash.update(JSON.stringify([entries.map(({ title, row }) => [title, row.document]), values, variables]));
  const key = hash.digest('base64');
  const read = readFor.get(request) ?? new Map<string, readonly VisiblePage[]>();
  readFor.set(request, read);
  const known = read.get(key) ?? visiblePages.get(key);
  if (known) return known;
  const markdowns: string[] = [];
  for (const { row } of entries) markdowns.push(await markdownOf(visit.db, row.document));
  const texts = { titles: entries.map(({ title }) => title), markdowns, values, variables };
  return visiblePages.getPrepared(key, async () => {
    const pages = reading.get(key) ?? readInParts(visit, texts).finally(() => reading.delete(key));
    reading.set(key, pages);
    read.set(key, await pages);
    return pages;
  });
}

/** How many characters one task reads. */
const maxCharacters = 64 * 1024;

async function readInParts(visit: SiteVisit, texts: SearchedTexts): Promise<VisiblePage[]> {
  const pages: VisiblePage[] = [];
  for (let start = 0; start < texts.titles.length;) {
    let end = start + 1;
    let characters = texts.markdowns[start]?.length ?? 0;
    while (end < texts.titles.length && characters < maxCharacters) characters += texts.markdowns[end++]?.length ?? 0;
    pages.push(...(await readPart(visit, part(texts, start, end))));
    start = end;
    // Small parts are read in this thread, so give way to other requests.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return pages;
}

const part = (texts: SearchedTexts, start: number, end: number): SearchedTexts => ({
  ...texts,
  titles: texts.titles.slice(start, end),
  markdowns: texts.markdowns.slice(start, end),
});

/** Skips a text that is too complex, so that its page is only found by its title. */
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
