import { type Section, sectionsOf } from './documents.ts';
import type { Hit } from './engine.ts';
import { query } from './query.ts';
import type { Db } from './store.ts';

// Setting a column makes the statement return the row that is there already.
const rowOf = query<{ space: string; page: string }, { seq: number }>((db, p) =>
  db
    .insertInto('searched_page')
    .values({ space: p.space, page: p.page })
    .onConflict((conflict) => conflict.columns(['space', 'page']).doUpdateSet({ page: p.page }))
    .returning('seq'),
);
const deleteRow = query<{ space: string; page: string }>((db, p) =>
  db.deleteFrom('searched_page').where('space', '=', p.space).where('page', '=', p.page),
);
/** Writes the present title and text of a page of main content to the search index. */
export async function indexPage(
  db: Db,
  { space, page, title, document }: { space: string; page: string; title: string; document: string | null },
): Promise<void> {
  const { seq } = await rowOf.one(db, { space, page });
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

/**
 * Puts spaces around the letters of scripts that are written without them: the index would take a whole clause for one
 * word, and a word in it could not be found.
 */
const separated = (text: string) =>
  text.replaceAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]/gu, ' $& ');

const run = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
const letter = /[\p{L}\p{N}\p{Co}]/u;

export interface SearchWord {
  text: string;
  /** Whether it matches longer words too: the last word, while it is being typed. */
  prefix: boolean;
}

/** The words of a search text. Everything else in it (quotes, operators, brackets) only separates words. */
export function wordsOf(text: string): SearchWord[] {
  // Accents alone are no word.
  const words = (text.match(run) ?? []).filter((part) => letter.test(part));
  const typing = /[\p{L}\p{N}\p{M}\p{Co}]$/u.test(text);
  return words.map((part, index) => ({ text: part, prefix: typing && index === words.length - 1 }));
}

/** Pages of main content that contain every word, in no order. */
export async function searchPages(
  db: Db,
  words: SearchWord[],
  where: { organization: string } | { space: string },
): Promise<Hit[]> {
  if (words.length === 0) return [];
  const terms = words.map(({ text, prefix }) => ({ text: separated(text), prefix }));
  return db.dialect.pages.find(db.session, terms, where);
}
