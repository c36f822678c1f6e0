import { sql } from 'kysely';
import { isAdaptive } from '../shared/adaptive.ts';
import { markdownOf, type Section, sectionsOf } from './documents.ts';
import type { Hit, SearchScope } from './engine.ts';
import { query } from './query.ts';
import { type SearchWord, separated, termsOf } from './search-words.ts';
import type { Db } from './store.ts';

// Setting a column makes the statement return the existing row.
const rowOf = query<{ space: string; page: string; adaptive: number }, { seq: number }>((db, p) =>
  db
    .insertInto('searched_page')
    .values({ space: p.space, page: p.page, adaptive: p.adaptive })
    .onConflict((conflict) => conflict.columns(['space', 'page']).doUpdateSet({ adaptive: p.adaptive }))
    .returning('seq'),
);
const deleteRow = query<{ space: string; page: string }>((db, p) =>
  db.deleteFrom('searched_page').where('space', '=', p.space).where('page', '=', p.page),
);
/** Writes the current title and text of a page of main content to the search index. */
export async function indexPage(
  db: Db,
  { space, page, title, document }: { space: string; page: string; title: string; document: string | null },
): Promise<void> {
  const isForAll = !isAdaptive(await markdownOf(db, document));
  const { seq } = await rowOf.one(db, { space, page, adaptive: Number(!isForAll) });
  const sections: Section[] = JSON.parse(await sectionsOf(db, document));
  await db.dialect.pages.put(db.session, {
    seq,
    title: separated(title),
    headings: separated(sections.map((section) => section.title).join('\n')),
    text: separated(sections.map((section) => section.text).join('\n')),
  });
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

/** Pages of main content that contain every word, unordered. */
export async function searchPages(db: Db, words: SearchWord[], where: SearchScope): Promise<Hit[]> {
  if (words.length === 0) return [];
  return db.dialect.pages.find(db.session, termsOf(words), where);
}
