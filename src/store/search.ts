import { sql } from 'kysely';
import { sectionsOf } from './documents.ts';
import { query, queryFor } from './query.ts';
import type { Db } from './store.ts';

const row = query<{ space: string; page: string }, { seq: number }>((db, p) =>
  db.selectFrom('searched_page').select('seq').where('space', '=', p.space).where('page', '=', p.page),
);
const addRow = query<{ space: string; page: string }, { seq: number }>((db, p) =>
  db.insertInto('searched_page').values({ space: p.space, page: p.page }).returning('seq'),
);
const removeRow = query<{ space: string; page: string }>((db, p) =>
  db.deleteFrom('searched_page').where('space', '=', p.space).where('page', '=', p.page),
);
const put = query<{ seq: number; title: string; headings: string; text: string }>((db, p) => ({
  compile: () =>
    sql`insert or replace into page_search (rowid, title, headings, text)
      values (${p.seq}, ${p.title}, ${p.headings}, ${p.text})`.compile(db),
}));

/** Makes a page of main content findable as it now is. */
export async function indexPage(
  db: Db,
  { space, page, title, document }: { space: string; page: string; title: string; document: string | null },
): Promise<void> {
  const [known] = await row.all(db, { space, page });
  const { seq } = known ?? (await addRow.all(db, { space, page }))[0]!;
  const sections = await sectionsOf(db, document);
  await put.run(db, {
    seq,
    title: parted(title),
    headings: parted(sections.map((section) => section.title).join('\n')),
    text: parted(sections.map((section) => section.text).join('\n')),
  });
}

export async function unindexPage(db: Db, space: string, page: string): Promise<void> {
  await removeRow.run(db, { space, page });
}

/**
 * Scripts that write without blanks, with their letters set apart: the index would take a whole clause for one word, and
 * a word of it could not be found.
 */
const parted = (text: string) =>
  text.replaceAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]/gu, ' $& ');

const word = /\p{M}*[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{M}\p{Co}]*/gu;

export interface SearchWord {
  text: string;
  /** It may go on: the last word while it is being typed. */
  prefix: boolean;
}

/** The words of a query. Whatever else is in it (quotes, operators, brackets) is only what stands between words. */
export function wordsOf(text: string): SearchWord[] {
  const found = text.match(word) ?? [];
  const typing = /[\p{L}\p{N}\p{M}\p{Co}]$/u.test(text);
  return found.map((part, at) => ({ text: part, prefix: typing && at === found.length - 1 }));
}

const term = ({ text, prefix }: SearchWord) => `"${parted(text)}"${prefix ? '*' : ''}`;

interface Scope {
  organization: boolean;
}

const matches = queryFor<Scope, { match: string; where: string }, Hit>(({ organization }, db, p) => ({
  compile: () =>
    sql<Hit>`select p.seq, p.space, p.page from page_search f
      join searched_page p on p.seq = f.rowid join space s on s.id = p.space
      where page_search match ${p.match} and s.deleted_at is null
        and ${organization ? sql`s.organization = ${p.where}` : sql`s.id = ${p.where}`}`.compile(db),
}));

const among = query<{ match: string }, { seq: number }>((db, p) => ({
  compile: () =>
    sql<{ seq: number }>`select rowid as seq from page_search where page_search match ${p.match}`.compile(db),
}));

export interface Hit {
  seq: number;
  space: string;
  page: string;
}

export interface ScoredHit extends Hit {
  /** For each word 3 in the title, 2 in a heading, 1 in the text: the same whatever else is in the index. */
  score: number;
}

/** Pages of main content that hold every word, in no order. */
export async function searchPages(
  db: Db,
  words: SearchWord[],
  where: { organization: string } | { space: string },
): Promise<ScoredHit[]> {
  if (words.length === 0) return [];
  const organization = 'organization' in where;
  const hits = await matches({ organization }).all(db, {
    match: words.map(term).join(' AND '),
    where: organization ? where.organization : where.space,
  });
  const scores = new Map(hits.map((hit) => [hit.seq, words.length]));
  for (const each of words) {
    for (const column of ['{title}', '{title headings}']) {
      for (const { seq } of await among.all(db, { match: `${column} : ${term(each)}` })) {
        const score = scores.get(seq);
        if (score !== undefined) scores.set(seq, score + 1);
      }
    }
  }
  return hits.map((hit) => ({ ...hit, score: scores.get(hit.seq)! }));
}
