import type { Hit, PageSearch, SearchScope, SearchTerm, Value } from '../engine.ts';
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
    return session.all<Hit>(searchFor(searched.length, scope), [
      'organization' in scope ? scope.organization : scope.space,
      ...searched.flatMap(({ query, pattern }) => [query, pattern]),
    ]);
  },
};

/** Each word has its own query, because the planner cannot estimate how many pages contain a word of a table. */
function searchFor(terms: number, scope: SearchScope): string {
  const owner = 'organization' in scope ? 's.organization' : 's.id';
  const forAll =
    'isForAll' in scope && scope.isForAll ? 'join searched_page own on own.seq = part.seq and own.adaptive = 0' : '';
  const found = Array.from({ length: terms }, (_, index) => {
    const [query, pattern] = [`$${index * 2 + 2}`, `$${index * 2 + 3}`];
    return `select distinct on (whole.seq) whole.seq,
        case when whole.title like ${pattern} then 3 when whole.headings like ${pattern} then 2 else 1 end as score
      from page_search part ${forAll} join page_search whole on whole.seq = part.seq and whole.part = 0
      where part.words @@ ${query}::tsquery
        and (whole.title like ${pattern} or whole.headings like ${pattern} or whole.body like ${pattern})`;
  });
  return `select p.seq, p.space, p.page, sum(found.score) as score
    from (${found.map((term) => `(${term})`).join(' union all ')}) found
      join searched_page p on p.seq = found.seq join space s on s.id = p.space
    where s.deleted_at is null and ${owner} = $1
    group by p.seq, p.space, p.page having count(*) = ${terms}`;
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

/** The search for a word in the index, and the word in the text of a page; undefined if it has no letters. */
function patternsOf({ text, prefix }: SearchTerm): { query: string; pattern: string } | undefined {
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
