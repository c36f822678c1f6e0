import { sql } from 'kysely';
import { query, queryFor } from './query.ts';
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
const putText = query<{ seq: number; title: string; headings: string; text: string }>(
  (_, p) =>
    sql`insert or replace into page_search (rowid, title, headings, text)
      values (${p.seq}, ${p.title}, ${p.headings}, ${p.text})`,
);

const words = query<{ document: string }, { headings: string | null; text: string | null }>(
  (_, p) => sql<{ headings: string | null; text: string | null }>`
      select group_concat(s.value ->> 'title', char(10)) as headings, group_concat(s.value ->> 'text', char(10)) as text
      from document d, json_each(d.sections) s where d.id = ${p.document}`,
);

/** Writes the present title and text of a page of main content to the search index. */
export async function indexPage(
  db: Db,
  { space, page, title, document }: { space: string; page: string; title: string; document: string | null },
): Promise<void> {
  const { seq } = await rowOf.one(db, { space, page });
  const text = document === null ? undefined : await words.first(db, { document });
  await putText.run(db, {
    seq,
    title: separated(title),
    headings: separated(text?.headings ?? ''),
    text: separated(text?.text ?? ''),
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

const term = ({ text, prefix }: SearchWord) => `"${separated(text)}"${prefix ? '*' : ''}`;

const pages = queryFor<{ organization: boolean }, { match: string; scope: string }, Hit>(
  ({ organization }, _, p) => sql<Hit>`select p.seq, p.space, p.page from page_search f
      join searched_page p on p.seq = f.rowid join space s on s.id = p.space
      where page_search match ${p.match} and s.deleted_at is null
        and ${organization ? sql`s.organization = ${p.scope}` : sql`s.id = ${p.scope}`}`,
);

const rowids = query<{ match: string }, { seq: number }>(
  (_, p) => sql<{ seq: number }>`select rowid as seq from page_search where page_search match ${p.match}`,
);

export interface Hit {
  seq: number;
  space: string;
  page: string;
}

export interface ScoredHit extends Hit {
  /** For each word 3 in the title, 2 in a heading, 1 in the text: independent of what else is in the index. */
  score: number;
}

/** Pages of main content that contain every word, in no order. */
export async function searchPages(
  db: Db,
  words: SearchWord[],
  where: { organization: string } | { space: string },
): Promise<ScoredHit[]> {
  if (words.length === 0) return [];
  const match = words.map(term).join(' AND ');
  const hits =
    'organization' in where
      ? await pages({ organization: true }).all(db, { match, scope: where.organization })
      : await pages({ organization: false }).all(db, { match, scope: where.space });
  const scored = new Map(hits.map((hit) => [hit.seq, { ...hit, score: words.length }]));
  for (const each of words) {
    for (const column of ['{title}', '{title headings}']) {
      for (const { seq } of await rowids.all(db, { match: `${column} : ${term(each)}` })) {
        const hit = scored.get(seq);
        if (hit) hit.score++;
      }
    }
  }
  return [...scored.values()];
}
