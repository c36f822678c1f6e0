import type { ItemOf } from '../../../contract/endpoint.ts';
import { search } from '../../../contract/search.ts';
import { getFrom } from '../../../shared/get-from.ts';
import type { PageRow } from '../../../store/content.ts';
import { collectionsAbove, inTreeOrder } from '../../../store/content-tree.ts';
import { sectionsOf } from '../../../store/documents.ts';
import type { Hit } from '../../../store/engine.ts';
import { searchPages } from '../../../store/search.ts';
import { type SearchWord, wordsOf } from '../../../store/search-words.ts';
import { spacesById } from '../../../store/spaces.ts';
import { snapshotOf } from '../../../store/snapshots.ts';
import type { Db } from '../../../store/store.ts';
import type { Row } from '../../../store/tables.ts';
import type { Context } from '../../engine/context.ts';
import { implement } from '../../engine/implement.ts';
import { compareKeys, type Key, pagedArray } from '../../engine/paging.ts';
import { visibleRows } from '../../organizations/levels.ts';
import { viewerIn } from '../../organizations/viewer.ts';
import { appAddress, outlineAt } from '../find-content.ts';
import type { Outline } from '../pages/outline.ts';
import { pageAddress } from '../pages/pages.ts';
import { folded, matchSections, type SectionMatch } from './search-matches.ts';

type Result = ItemOf<typeof search.space>;

/** Pages of each space in the results of an organization. */
const maxPagesOfSpace = 50;

const titleMatchScore = 1000;

interface RankedPage {
  row: PageRow;
  key: Key;
}

/** The found pages, best first, then in page order. */
function rankedPages(hits: Hit[], outline: Outline, query: string): RankedPage[] {
  const title = folded(query.trim());
  return hits
    .flatMap(({ page, score }) => {
      const row = outline.find(page);
      if (!row) return [];
      const bonus = folded(row.title) === title ? titleMatchScore : 0;
      return { row, key: [-(score + bonus), outline.orderOf(page)] };
    })
    .toSorted((a, b) => compareKeys(a.key, b.key));
}

/** Characters of sections that are searched in this thread; each takes about 50 ns. */
const maxCharactersHere = 200_000;

interface Searching extends Pick<Context, 'db' | 'texts'> {
  words: SearchWord[];
}

async function presentPages({ db, texts, words }: Searching, ranked: RankedPage[], outline: Outline, app: string) {
  const rows = ranked.map(({ row }) => row);
  const pages: string[] = [];
  for (const row of rows) pages.push(await sectionsOf(db, row.document));
  const isLong = pages.reduce((sum, sections) => sum + sections.length, 0) > maxCharactersHere;
  const label = {
    what: 'The text of the found pages',
    key: JSON.stringify([words, rows.map((row) => row.document)]),
  };
  const matches = isLong ? await texts.run('matchSections', { pages, words }, label) : matchSections({ pages, words });
  return rows.map((row, index): Result => presentPage(row, matches[index] ?? [], outline.pathOf(row.page), app));
}

function presentPage(row: PageRow, matches: SectionMatch[], path: string, app: string): Result {
  const address = pageAddress(app, path);
  const sections = matches.map(({ anchor, title, body }) => ({
    id: anchor,
    title,
    path: `${path}#${anchor}`,
    body,
    urls: { app: `${address}#${encodeURIComponent(anchor)}` },
  }));
  return { id: row.page, title: row.title, path, sections, urls: { app: address } };
}

async function outlineOf(db: Db, space: Row<'space'>): Promise<Outline> {
  return outlineAt(db, await snapshotOf(db, space.revision));
}

export const handlers = implement(search, {
  async space({ db, objects: { space }, query, page, base, texts }) {
    const words = wordsOf(query.query);
    const hits = await searchPages(db, words, { space: space.id });
    if (hits.length === 0 && page.after === undefined) return { items: [], count: 0 };
    const outline = await outlineOf(db, space);
    return pagedArray(page, rankedPages(hits, outline, query.query), {
      keyTypes: ['number', 'string'],
      key: (ranked) => ranked.key,
      present: (ranked) => presentPages({ db, texts, words }, ranked, outline, appAddress(base, space)),
    });
  },

  async organization({ db, objects: { org }, query, page, base, caller, texts }) {
    const words = wordsOf(query.query);
    const hits = Map.groupBy(await searchPages(db, words, { organization: org.id }), (hit) => hit.space);
    const matching = (await spacesById(db, [...hits.keys()])).filter((row) => row.deleted_at === null);
    const visible = await visibleRows(db, viewerIn(org, caller.id), 'space', matching);
    const parents = await collectionsAbove(
      db,
      visible.map((row) => row.parent),
    );
    const spaces = inTreeOrder(visible, parents)
      .map(({ id, key }): { id: string; key: Key } => {
        const best = Math.max(...getFrom(hits, id).map((hit) => hit.score));
        return { id, key: [-best, ...key] };
      })
      .toSorted((a, b) => compareKeys(a.key, b.key));
    return pagedArray(page, spaces, {
      keyTypes: ['number', ['number', 'string']],
      key: (space) => space.key,
      present: async (spacesOfPage) => {
        const rows = await spacesById(
          db,
          spacesOfPage.map(({ id }) => id),
        );
        const results = [];
        for (const space of rows) {
          const outline = await outlineOf(db, space);
          const best = rankedPages(getFrom(hits, space.id), outline, query.query).slice(0, maxPagesOfSpace);
          const pages = await presentPages({ db, texts, words }, best, outline, appAddress(base, space));
          results.push({ id: space.id, title: space.title, pages });
        }
        return results;
      },
    });
  },
});
