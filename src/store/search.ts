import { sql } from 'kysely';
import { isAdaptive } from '../shared/adaptive.ts';
import type { SearchTerm } from '../shared/search/query.ts';
import { indexedText } from '../shared/search/words.ts';
import { type Section, type Text, textOf } from './documents.ts';
import type { Hit, SearchScope } from './engine.ts';
import { query } from './query.ts';

import { forever } from './snapshots.ts';
import { jsonList } from './sql.ts';
import type { Db } from './store.ts';
import { allTogether } from './together.ts';

const putRow = query<{ space: string; page: string; adaptive: number }>((db, p) =>
  db
    .insertInto('searched_page')
    .values({ space: p.space, page: p.page, adaptive: p.adaptive })
    .onConflict((conflict) =>
      conflict.columns(['space', 'page']).doUpdateSet({ adaptive: p.adaptive, outdated: sql.lit(0) }),
    ),
);
const deleteRow = query<{ space: string; page: string }>((db, p) =>
  db.deleteFrom('searched_page').where('space', '=', p.space).where('page', '=', p.page),
);
interface PageToIndex {
  space: string;
  page: string;
  title: string;
  document: string | null;
}

/** Writes the current title and text of a page of main content to the search index. @param known the text, if it need not be read */
export async function indexPage(db: Db, { space, page, title, document }: PageToIndex, known?: Text): Promise<void> {
  const text = known ?? (await textOf(db, document));
  const sections: Section[] = JSON.parse(text.sections);
  await allTogether([
    putRow.run(db, { space, page, adaptive: Number(isAdaptive(text.markdown)) }),
    db.dialect.pages.put(db.session, {
      space,
      page,
      title: indexedText(title),
      headings: indexedText(sections.map((section) => section.title).join('\n')),
      text: indexedText(sections.map((section) => section.text).join('\n')),
    }),
  ]);
}

const outdated = query<{ limit: number }, PageToIndex>((db, p) =>
  db
    .selectFrom('searched_page as s')
    .innerJoin('page_version as v', (join) => join.onRef('v.space', '=', 's.space').onRef('v.page', '=', 's.page'))
    .select(['s.space', 's.page', 'v.title', 'v.document'])
    .where('s.outdated', '=', sql.lit(1))
    .where('v.line', '=', '')
    .where('v.to_seq', '=', forever)
    .limit(p.limit),
);
/** Indexes some pages again that an earlier version indexed. @returns whether there may be more */
export async function indexOutdated(db: Db, limit: number): Promise<boolean> {
  const pages = await outdated.all(db, { limit });
  for (const page of pages) await indexPage(db, page);
  return pages.length === limit;
}

export async function unindexPage(db: Db, space: string, page: string): Promise<void> {
  await deleteRow.run(db, { space, page });
}

const adaptive = query<{ space: string }, { page: string }>((db, p) =>
  db.selectFrom('searched_page').select('page').where('space', '=', p.space).where('adaptive', '=', sql.lit(1)),
);
/** The pages of main content whose text may depend on the reader. The index contains all of their text. */
export const adaptivePages = async (db: Db, space: string): Promise<Set<string>> =>
  new Set((await adaptive.all(db, { space })).map(({ page }) => page));

const countInSpace = query<{ space: string }, { count: number }>((db, p) =>
  db
    .selectFrom('searched_page')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('space', '=', p.space),
);
const countInOrganization = query<{ organization: string }, { count: number }>((db, p) =>
  db
    .selectFrom('searched_page as p')
    .innerJoin('space as s', 's.id', 'p.space')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('s.organization', '=', p.organization),
);
/** The number of searched pages. */
export async function countPages(db: Db, scope: SearchScope): Promise<number> {
  const { count } =
    'organization' in scope
      ? await countInOrganization.one(db, scope)
      : await countInSpace.one(db, { space: scope.space });
  return Number(count);
}

const titles = query<{ spaces: string; pages: string }, { space: string; page: string; title: string }>((db, p) =>
  db
    .selectFrom('page_version')
    .select(['space', 'page', 'title'])
    .where('space', 'in', jsonList(db, p.spaces))
    .where('line', '=', '')
    .where('page', 'in', jsonList(db, p.pages))
    .where('to_seq', '=', forever),
);
/** The current titles of pages of main content, by the IDs of their space and their own. */
export async function titlesOf(
  db: Db,
  pages: readonly { space: string; page: string }[],
): Promise<Map<string, string>> {
  if (pages.length === 0) return new Map();
  const rows = await titles.all(db, {
    spaces: JSON.stringify([...new Set(pages.map(({ space }) => space))]),
    pages: JSON.stringify([...new Set(pages.map(({ page }) => page))]),
  });
  return new Map(rows.map(({ space, page, title }) => [`${space}/${page}`, title]));
}

/** Pages of main content that contain any of the terms, unordered. */
export const findPages = (db: Db, terms: readonly SearchTerm[], scope: SearchScope): Promise<Hit[]> =>
  db.dialect.pages.find(db.session, terms, scope);

/** Corrections of a misspelled word, also with words of pages outside of the scope. */
export const similarWords = (db: Db, word: string, scope: SearchScope): Promise<string[]> =>
  db.dialect.pages.similar(db.session, word, scope);
