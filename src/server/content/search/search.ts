import type { ItemOf } from '../../../contract/endpoint.ts';
import { search } from '../../../contract/search.ts';
import { getFrom } from '../../../shared/get-from.ts';
import type { SearchTerm } from '../../../shared/search/query.ts';
import { rankPages } from '../../../shared/search/rank-pages.ts';
import type { PageRow } from '../../../store/content.ts';
import { collectionsAbove, inTreeOrder } from '../../../store/content-tree.ts';
import { sectionsOf } from '../../../store/documents.ts';
import type { Hit } from '../../../store/engine.ts';
import { spacesById } from '../../../store/spaces.ts';
import { snapshotOf } from '../../../store/snapshots.ts';
import type { Db } from '../../../store/store.ts';
import type { Row } from '../../../store/tables.ts';
import type { Context } from '../../engine/context.ts';
import { implement } from '../../engine/implement.ts';
import { compareKeys, type Key, type Listed, pagedArray } from '../../engine/paging.ts';
import { type Viewer, visibleRows } from '../../organizations/levels.ts';
import { viewerIn } from '../../organizations/viewer.ts';
import { appAddress, outlineAt } from '../find-content.ts';
import type { Outline } from '../pages/outline.ts';
import { pageAddress } from '../pages/pages.ts';
import { DatabaseSource } from './database-source.ts';
import { matchSections, type SectionMatch } from './search-matches.ts';

type Result = ItemOf<typeof search.space>;

/** Pages of each space in the results of an organization. */
const maxPagesOfSpace = 50;

interface RankedRow {
  row: PageRow;
  key: Key;
}

/** The pages of a space, best first, then in page order. */
function inOrder(pages: readonly { page: string; score: number }[], outline: Outline): RankedRow[] {
  return pages
    .flatMap(({ page, score }) => {
      const row = outline.find(page);
      return row ? [{ row, key: [-score, outline.orderOf(page)] }] : [];
    })
    .toSorted((a, b) => compareKeys(a.key, b.key));
}

/** Characters of sections that are searched in this thread; each takes about 50 ns. */
const maxCharactersHere = 200_000;

interface Searching extends Pick<Context, 'db' | 'texts'> {
  words: SearchTerm[];
}

async function presentPages({ db, texts, words }: Searching, ranked: RankedRow[], outline: Outline, app: string) {
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
    const source = new DatabaseSource(db, { scope: { space: space.id } });
    const { pages, words, suggestion } = await rankPages(source, query.query);
    if (pages.length === 0 && page.after === undefined) return { items: [], count: 0 };
    const outline = await outlineOf(db, space);
    const ranked = pages.map((each) => ({ ...source.hit(each.page), score: each.score }));
    const listed = await pagedArray(page, inOrder(ranked, outline), {
      keyTypes: ['number', 'string'],
      key: (row) => row.key,
      present: (rows) => presentPages({ db, texts, words }, rows, outline, appAddress(base, space)),
    });
    return withSuggestion(listed, suggestion);
  },

  async organization({ db, objects: { org }, query, page, base, caller, texts }) {
    const spaces = new VisibleSpaces(db, viewerIn(org, caller.id));
    const source = new DatabaseSource(db, {
      scope: { organization: org.id },
      visible: (found) => spaces.only(found),
    });
    const { pages, words, suggestion } = await rankPages(source, query.query);
    const hits = Map.groupBy(
      pages.map((each) => ({ ...source.hit(each.page), score: each.score })),
      (hit) => hit.space,
    );
    const matching = spaces.rows.filter(({ id }) => hits.has(id));
    const parents = await collectionsAbove(
      db,
      matching.map((row) => row.parent),
    );
    const ordered = inTreeOrder(matching, parents)
      .map(({ id, key }): { id: string; key: Key } => {
        const best = Math.max(...getFrom(hits, id).map((hit) => hit.score));
        return { id, key: [-best, ...key] };
      })
      .toSorted((a, b) => compareKeys(a.key, b.key));
    const listed = await pagedArray(page, ordered, {
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
          const best = inOrder(getFrom(hits, space.id), outline).slice(0, maxPagesOfSpace);
          const found = await presentPages({ db, texts, words }, best, outline, appAddress(base, space));
          results.push({ id: space.id, title: space.title, pages: found });
        }
        return results;
      },
    });
    return withSuggestion(listed, suggestion);
  },
});

/** The spaces of found pages that the viewer can see. */
class VisibleSpaces {
  readonly rows: Row<'space'>[] = [];
  readonly #db: Db;
  readonly #viewer: Viewer;
  readonly #isVisible = new Map<string, boolean>();

  constructor(db: Db, viewer: Viewer) {
    this.#db = db;
    this.#viewer = viewer;
  }

  async only(hits: Hit[]): Promise<Hit[]> {
    const unknown = new Set(hits.flatMap(({ space }) => (this.#isVisible.has(space) ? [] : [space])));
    const rows = unknown.size === 0 ? [] : await spacesById(this.#db, [...unknown]);
    const visible = await visibleRows(
      this.#db,
      this.#viewer,
      'space',
      rows.filter((row) => row.deleted_at === null),
    );
    for (const id of unknown) this.#isVisible.set(id, false);
    for (const row of visible) this.#isVisible.set(row.id, true);
    this.rows.push(...visible);
    return hits.filter(({ space }) => this.#isVisible.get(space) === true);
  }
}

const withSuggestion = <Item>(listed: Listed<Item>, suggestion: string | undefined): Listed<Item> =>
  suggestion === undefined ? listed : { ...listed, envelope: { suggestion } };
