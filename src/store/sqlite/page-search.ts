import type { Hit, PageSearch, SearchTerm, Session } from '../engine.ts';

/** A full-text index without the texts: only words and their positions. */
export const pages: PageSearch = {
  async put(session, { seq, title, headings, text }) {
    const put = 'insert or replace into page_search (rowid, title, headings, text) values (?, ?, ?, ?)';
    await session.run(put, [seq, title, headings, text]);
  },

  async find(session, terms, scope) {
    const match = terms.map(phrase).join(' AND ');
    const hits = await session.all<Omit<Hit, 'score'>>(
      `select p.seq, p.space, p.page from page_search f
        join searched_page p on p.seq = f.rowid join space s on s.id = p.space
        where page_search match ? and s.deleted_at is null and ${'organization' in scope ? 's.organization' : 's.id'} = ?${'isForAll' in scope && scope.isForAll ? ' and p.adaptive = 0' : ''}`,
      [match, 'organization' in scope ? scope.organization : scope.space],
    );
    const scored = new Map(hits.map((hit) => [hit.seq, { ...hit, score: terms.length }]));
    for (const term of terms) {
      for (const column of ['{title}', '{title headings}']) {
        for (const seq of await matches(session, `${column} : ${phrase(term)}`)) {
          const hit = scored.get(seq);
          if (hit) hit.score++;
        }
      }
    }
    return [...scored.values()];
  },
};

const phrase = ({ text, prefix }: SearchTerm) => `"${text}"${prefix ? '*' : ''}`;

async function matches(session: Session, match: string): Promise<number[]> {
  const rows = await session.all<{ seq: number }>('select rowid as seq from page_search where page_search match ?', [
    match,
  ]);
  return rows.map(({ seq }) => seq);
}
