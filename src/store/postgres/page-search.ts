import type { SearchTerm } from '../../shared/search/query.ts';
import type { Hit, PageSearch, SearchScope, Value } from '../engine.ts';
import { allTogether } from '../together.ts';
import { tokensOf } from '../tokens.ts';

/** An index entry holds 1 MB. Each word takes its own bytes and a few more. */
const maxPartBytes = 500_000;

/** The longest word of an index entry. The rest of longer words is compared in the text of the page. */
const maxWordLength = 200;

/**
 * The words of SQLite's index in a PostgreSQL index. `words` finds pages. In these, the columns with the words in order
 * tell where a word is and which words follow each other.
 */
export const pages: PageSearch = {
  async put(session, { space, page, title, headings, text }) {
    const columns = tokensOf([title, headings, text]);
    const seq = '(select seq from searched_page where space = $1 and page = $2)';
    const insert = `insert into page_search (seq, part, words, title, headings, body)
      values (${seq}, $3, array_to_tsvector($4::text[]), $5, $6, $7)`;
    const texts = columns.map((tokens) => ` ${tokens.join(' ')} `);
    await allTogether([
      session.run(`delete from page_search where seq = ${seq}`, [space, page]),
      ...partsOf(columns.flat()).map((words, part) =>
        session.run(insert, [space, page, part, arrayText(words), ...(part === 0 ? texts : [null, null, null])]),
      ),
    ]);
  },

  async find(session, terms, scope) {
    const lookups = terms.map(lookupOf).filter((lookup) => lookup !== undefined);
    if (lookups.length === 0) return [];
    const queries = [...new Set(lookups.map(({ query }) => query))].join(' | ');
    return session.all<Hit>(searchIn(scope), [
      ownerIn(scope),
      queries,
      arrayText(lookups.map(({ pattern }) => pattern)),
    ]);
  },

  async similar(session, word, scope) {
    const [first = ''] = word;
    const rows = await session.all<{ word: string }>(
      `select distinct w.word from page_search part
        join searched_page p on p.seq = part.seq join space s on s.id = p.space
        cross join lateral unnest(tsvector_to_array(part.words)) w (word)
        where ${ownerColumn(scope)} = $1 and left(w.word, 1) = $2 and char_length(w.word) between $3::integer and $4::integer`,
      [ownerIn(scope), first, word.length - 2, word.length + 2],
    );
    return rows.map((row) => row.word);
  },
};

const ownerColumn = (scope: SearchScope) => ('organization' in scope ? 's.organization' : 's.id');
const ownerIn = (scope: SearchScope) => ('organization' in scope ? scope.organization : scope.space);

function searchIn(scope: SearchScope): string {
  const forAll =
    'isForAll' in scope && scope.isForAll ? 'join searched_page own on own.seq = part.seq and own.adaptive = 0' : '';
  return `select p.seq, p.space, p.page, found.place from (
      select distinct on (whole.seq) whole.seq,
        case when whole.title like any ($3::text[]) then 3 when whole.headings like any ($3::text[]) then 2 else 1 end as place
      from page_search part ${forAll} join page_search whole on whole.seq = part.seq and whole.part = 0
      where part.words @@ $2::tsquery and (whole.title like any ($3::text[])
        or whole.headings like any ($3::text[]) or whole.body like any ($3::text[]))) found
      join searched_page p on p.seq = found.seq join space s on s.id = p.space
    where s.deleted_at is null and ${ownerColumn(scope)} = $1`;
}

/** Each word once, in parts that fit in an index entry; an empty part if there are no words. */
function partsOf(tokens: string[]): string[][] {
  const parts: string[][] = [[]];
  let bytes = 0;
  for (const word of new Set(tokens.map(shortened))) {
    bytes += Buffer.byteLength(word) + 8;
    if (bytes > maxPartBytes) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(word);
  }
  return parts;
}

const shortened = (word: string) => word.slice(0, maxWordLength).replace(/[\uD800-\uDBFF]$/, '');

/** The search for a term in the index, and the term in the text of a page; undefined if it has no letters. */
function lookupOf({ text, prefix }: SearchTerm): { query: string; pattern: string } | undefined {
  const [tokens = []] = tokensOf([text]);
  const last = tokens.at(-1);
  if (last === undefined) return undefined;
  // Consecutive words may be in different parts, so only one of them is looked up.
  const longest = tokens.reduce((longest, token) => (token.length > longest.length ? token : longest));
  const word = shortened(longest);
  const isStart = (prefix && longest === last) || word !== longest;
  return { query: `'${word}'${isStart ? ':*' : ''}`, pattern: `% ${tokens.join(' ')}${prefix ? '' : ' '}%` };
}

/** An array as a bound value. The words contain no character that would end them. */
const arrayText = (texts: readonly string[]): Value => JSON.stringify(texts).replace(/^\[/, '{').replace(/\]$/, '}');
