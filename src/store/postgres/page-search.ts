import type { Hit, PageSearch, SearchTerm, Value } from '../engine.ts';
import { tokensOf } from './tokens.ts';

/** An index entry holds 1 MB; each word takes its bytes and a few more. */
const maxPartBytes = 500_000;

/** An index entry has no longer words. Their rest is compared in the text of the page. */
const maxWordLength = 200;

/**
 * The words of SQLite's index, with an index of PostgreSQL: `words` finds pages, and in what it finds the columns with the
 * words in their order tell where a word is and which words follow each other.
 */
export const pages: PageSearch = {
  async put(session, { seq, title, headings, text }) {
    const columns = tokensOf([title, headings, text]);
    await session.run('delete from page_search where seq = $1', [seq]);
    const insert = `insert into page_search (seq, part, words, title, headings, body)
      values ($1, $2, array_to_tsvector($3::text[]), $4, $5, $6)`;
    const texts = columns.map((tokens) => ` ${tokens.join(' ')} `);
    for (const [part, words] of partsOf(columns.flat()).entries()) {
      const whole = part === 0 ? texts : [null, null, null];
      await session.run(insert, [seq, part, arrayText(words), ...whole]);
    }
  },

  async find(session, terms, scope) {
    const searched = terms.map(patternsOf).filter((term) => term !== undefined);
    if (searched.length === 0) return [];
    return session.all<Hit>('organization' in scope ? inOrganization : inSpace, [
      arrayText(searched.map(({ query }) => query)),
      arrayText(searched.map(({ pattern }) => pattern)),
      'organization' in scope ? scope.organization : scope.space,
    ]);
  },
};

const search = (scope: string) => `
  select p.seq, p.space, p.page, sum(found.score) as score
  from (
    select term.number, whole.seq, max(
      case when whole.title like term.pattern then 3 when whole.headings like term.pattern then 2 else 1 end) as score
    from unnest($1::text[], $2::text[]) with ordinality as term(query, pattern, number)
      join page_search part on part.words @@ term.query::tsquery
      join page_search whole on whole.seq = part.seq and whole.part = 0
    where whole.title like term.pattern or whole.headings like term.pattern or whole.body like term.pattern
    group by term.number, whole.seq
  ) found join searched_page p on p.seq = found.seq join space s on s.id = p.space
  where s.deleted_at is null and ${scope} = $3
  group by p.seq, p.space, p.page having count(*) = cardinality($1::text[])`;
const inOrganization = search('s.organization');
const inSpace = search('s.id');

/** All words once, in parts that fit in an entry of the index; an empty part where there are no words. */
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

/** What finds a word with the index, and what it is in the text of a page; undefined where it has no letters. */
function patternsOf({ text, prefix }: SearchTerm): { query: string; pattern: string } | undefined {
  const [tokens = []] = tokensOf([text]);
  const last = tokens.at(-1);
  if (last === undefined) return undefined;
  // Words that follow each other may be in different parts, so that only one of them is looked up.
  const longest = tokens.reduce((longest, token) => (token.length > longest.length ? token : longest));
  const word = shortened(longest);
  const isStart = (prefix && longest === last) || word !== longest;
  return { query: `'${word}'${isStart ? ':*' : ''}`, pattern: `% ${tokens.join(' ')}${prefix ? '' : ' '}%` };
}

/** An array as a value that is bound; the words have no character that would end them. */
const arrayText = (texts: readonly string[]): Value => JSON.stringify(texts).replace(/^\[/, '{').replace(/\]$/, '}');
