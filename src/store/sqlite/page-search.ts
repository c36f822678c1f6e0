import type { SearchTerm } from '../../shared/search/query.ts';
import type { Place } from '../../shared/search/source.ts';
import type { Hit, PageSearch, SearchScope, Session } from '../engine.ts';

/** A full-text index without the texts: only words and their positions. */
export const pages: PageSearch = {
  async put(session, { space, page, title, headings, text }) {
    const put = `insert or replace into page_search (rowid, title, headings, text)
      values ((select seq from searched_page where space = ? and page = ?), ?, ?, ?)`;
    await session.run(put, [space, page, title, headings, text]);
  },

  async find(session, terms, scope) {
    const match = `(${terms.map(phrase).join(' OR ')})`;
    const hits = new Map<number, Hit>();
    for (const [place, columns] of columnsByPlace) {
      for (const hit of await matches(session, columns + match, scope)) hits.set(hit.seq, { ...hit, place });
    }
    return [...hits.values()];
  },

  async similar(session, word) {
    const [first = ''] = word;
    const rows = await session.all<{ term: string }>(
      'select term from page_word where term >= ? and term < ? and length(term) between ? and ?',
      [first, nextLetter(first), word.length - 2, word.length + 2],
    );
    return rows.map(({ term }) => term);
  },
};

/** From the widest columns to the best one. */
const columnsByPlace: [Place, string][] = [
  [1, ''],
  [2, '{title headings} : '],
  [3, '{title} : '],
];

const phrase = ({ text, prefix }: SearchTerm) => `"${text}"${prefix ? '*' : ''}`;

/** Words that start with a letter are before it. */
const nextLetter = (letter: string) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 1);

async function matches(session: Session, match: string, scope: SearchScope): Promise<Omit<Hit, 'place'>[]> {
  const isOrganization = 'organization' in scope;
  const forAll = !isOrganization && scope.isForAll ? ' and p.adaptive = 0' : '';
  return session.all(
    `select p.seq, p.space, p.page from page_search f
      join searched_page p on p.seq = f.rowid join space s on s.id = p.space
      where page_search match ? and s.deleted_at is null and ${isOrganization ? 's.organization' : 's.id'} = ?${forAll}`,
    [match, isOrganization ? scope.organization : scope.space],
  );
}
