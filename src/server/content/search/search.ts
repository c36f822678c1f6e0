import type { ItemOf } from '../../../contract/endpoint.ts';
import { search } from '../../../contract/search.ts';
import type { PageRow } from '../../../store/content.ts';
import { sectionsOf } from '../../../store/documents.ts';
import { type ScoredHit, searchPages, type SearchWord, wordsOf } from '../../../store/search.ts';
import { placedCollections, placedSpaces, spacesById } from '../../../store/spaces.ts';
import { snapshotOf } from '../../../store/snapshots.ts';
import type { Db } from '../../../store/store.ts';
import type { Row } from '../../../store/tables.ts';
import { asking } from '../spaces/placement.ts';
import type { Context } from '../../engine/context.ts';
import { implement } from '../../engine/implement.ts';
import { levelsIn } from '../../organizations/levels.ts';
import type { Outline } from '../pages/outline.ts';
import { pageAddress } from '../pages/pages.ts';
import { compareKeys, type Key, pagedArray } from '../../engine/paging.ts';
import { appOf, outlineAt } from '../find-content.ts';
import { folded, matchSections } from './search-matches.ts';
import { inTreeOrder } from '../spaces/spaces.ts';

type Result = ItemOf<typeof search.space>;

/** Pages told of each space where all spaces are searched. */
const maxPagesOfSpace = 50;

interface Found {
  row: PageRow;
  key: Key;
}

/** The pages that were hit, best first, then in page order. */
function ranked(hits: ScoredHit[], outline: Outline, query: string): Found[] {
  const whole = folded(query.trim());
  return hits
    .flatMap(({ page, score }) => {
      const row = outline.find(page);
      if (!row) return [];
      // A page that is called just so is what was meant.
      const best = folded(row.title) === whole ? 1000 : 0;
      return { row, key: [-(score + best), outline.orderOf(page)] };
    })
    .toSorted((a, b) => compareKeys(a.key, b.key));
}

/** Characters of sections that are gone through at once; it takes some 50 ns for each. */
const maxAtOnce = 200_000;

interface Searching extends Pick<Context, 'db' | 'texts'> {
  words: SearchWord[];
}

async function presentHits({ db, texts, words }: Searching, found: Found[], outline: Outline, app: string) {
  const rows = found.map(({ row }) => row);
  const pages: string[] = [];
  for (const row of rows) pages.push(await sectionsOf(db, row.document));
  const isLong = pages.reduce((sum, sections) => sum + sections.length, 0) > maxAtOnce;
  const asked = {
    what: 'The text of the pages that were found',
    key: JSON.stringify([words, rows.map((row) => row.document)]),
  };
  const matches = isLong ? await texts.run('matchSections', { pages, words }, asked) : matchSections({ pages, words });
  return rows.map((row, at): Result => {
    const path = outline.pathOf(row.page);
    const address = pageAddress(app, path);
    const sections = matches[at]!.map(({ anchor, title, body }) => ({
      id: anchor,
      title,
      path: `${path}#${anchor}`,
      body,
      urls: { app: `${address}#${encodeURIComponent(anchor)}` },
    }));
    return { id: row.page, title: row.title, path, sections, urls: { app: address } };
  });
}

async function outlineOf(db: Db, space: Row<'space'>): Promise<Outline> {
  return outlineAt(db, await snapshotOf(db, space.revision));
}

export const handlers = implement(search, {
  async space({ db, at: { space }, query, page, base, texts }) {
    const words = wordsOf(query.query);
    const hits = await searchPages(db, words, { space: space.id });
    if (hits.length === 0 && page.after === undefined) return { items: [], count: 0 };
    const outline = await outlineOf(db, space);
    return pagedArray(page, ranked(hits, outline, query.query), {
      keyTypes: ['number', 'string'],
      key: (found) => found.key,
      present: (some) => presentHits({ db, texts, words }, some, outline, appOf(base, space)),
    });
  },

  async organization({ db, at: { org }, query, page, base, caller, texts }) {
    const words = wordsOf(query.query);
    const hits = Map.groupBy(await searchPages(db, words, { organization: org.id }), (hit) => hit.space);
    const levels = await levelsIn(db, asking(org, caller.id));
    const seen = (await placedSpaces(db, org.id)).filter((row) => hits.has(row.id) && levels('space', row) !== null);
    const spaces = inTreeOrder(seen, await placedCollections(db, org.id))
      .map(({ id, key }): { id: string; key: Key } => ({
        id,
        key: [-Math.max(...hits.get(id)!.map((hit) => hit.score)), ...key],
      }))
      .toSorted((a, b) => compareKeys(a.key, b.key));
    return pagedArray(page, spaces, {
      keyTypes: ['number', ['number', 'string']],
      key: (space) => space.key,
      present: async (some) => {
        const rows = await spacesById(
          db,
          some.map(({ id }) => id),
        );
        const results = [];
        for (const space of rows) {
          const outline = await outlineOf(db, space);
          const best = ranked(hits.get(space.id)!, outline, query.query).slice(0, maxPagesOfSpace);
          const pages = await presentHits({ db, texts, words }, best, outline, appOf(base, space));
          results.push({ id: space.id, title: space.title, pages });
        }
        return results;
      },
    });
  },
});
