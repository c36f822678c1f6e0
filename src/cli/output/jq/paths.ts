import { hasMembers } from '../../../shared/is-object.ts';

/** The results of an expression for a value; undefined if only jq itself knows them, such as for an error. */
export type Filter = (value: unknown) => unknown[] | undefined;

/**
 * The part of jq that most expressions consist of, read here: paths, pipes, commas, `length`, `map`, `select` with a comparison,
 * and arrays. jq itself takes a tenth of a second to start, and another one for a megabyte. Undefined for any other
 * expression. What jq would do with values that are not as expected is left to jq.
 */
export function pathFilter(expression: string): Filter | undefined {
  // What is left is no part of the expressions that are known here.
  if (expression.replaceAll(token, '').trim() !== '') return undefined;
  const parser = new Parser(expression.match(token) ?? []);
  const filter = parser.pipe();
  return filter && parser.isAtEnd ? filter : undefined;
}

const token = /\.[A-Za-z_]\w*|"[^"\\]*"|-?\d+|[A-Za-z_]\w*|==|!=|[.,[\]()|]/g;

class Parser {
  readonly #tokens: readonly string[];
  #index = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  get isAtEnd(): boolean {
    return this.#index === this.#tokens.length;
  }

  pipe(): Filter | undefined {
    let filter = this.#list();
    while (filter && this.#take('|')) filter = chain(filter, this.#list());
    return filter;
  }

  #list(): Filter | undefined {
    let filter = this.#stage();
    while (filter && this.#take(',')) filter = both(filter, this.#stage());
    return filter;
  }

  #take(word: string): boolean {
    if (this.#tokens[this.#index] !== word) return false;
    this.#index++;
    return true;
  }

  #stage(): Filter | undefined {
    if (this.#take('length')) return lengthOf;
    if (this.#take('map')) return this.#map();
    if (this.#take('select')) return this.#select();
    return this.#take('[') ? collected(this.#closed(this.pipe(), ']')) : this.#path();
  }

  #closed(filter: Filter | undefined, bracket: string): Filter | undefined {
    return filter && this.#take(bracket) ? filter : undefined;
  }

  #map(): Filter | undefined {
    const each = this.#take('(') ? this.#closed(this.pipe(), ')') : undefined;
    return each && collected(chain(values, each));
  }

  #select(): Filter | undefined {
    const path = this.#take('(') ? this.#path() : undefined;
    const operator = ['==', '!='].find((word) => this.#take(word));
    const literal = operator === undefined ? undefined : this.#literal();
    if (!path || (operator !== undefined && literal === undefined) || !this.#take(')')) return undefined;
    const isTrue = (value: unknown) =>
      operator === undefined ? value !== null && value !== false : (value === literal) === (operator === '==');
    return (value) => path(value)?.flatMap((each) => (isTrue(each) ? [value] : []));
  }

  #literal(): unknown {
    const word = this.#tokens[this.#index++] ?? '';
    return /^(".*"|-?\d{1,15}|true|false|null)$/s.test(word) ? JSON.parse(word) : undefined;
  }

  #path(): Filter | undefined {
    const first = this.#tokens[this.#index] ?? '';
    if (!first.startsWith('.')) return undefined;
    let filter: Filter | undefined = this.#take('.') ? (value) => [value] : this.#step();
    for (let step = this.#step(); filter && step; step = this.#step()) filter = chain(filter, step);
    return filter;
  }

  /** `.name`, `[]` or `[0]`. */
  #step(): Filter | undefined {
    const word = this.#tokens[this.#index] ?? '';
    if (/^\.\w/.test(word)) {
      this.#index++;
      return member(word.slice(1));
    }
    const next = this.#tokens[this.#index + 1] ?? '';
    if (word !== '[' || !(next === ']' || /^-?\d{1,9}$/.test(next))) return undefined;
    this.#index += next === ']' ? 2 : 3;
    if (next === ']') return values;
    return this.#tokens[this.#index - 1] === ']' ? itemAt(Number(next)) : () => undefined;
  }
}

const chain = (first: Filter, second: Filter | undefined): Filter | undefined =>
  second &&
  ((value) => {
    const results: unknown[] = [];
    const inputs = first(value);
    if (!inputs) return undefined;
    for (const input of inputs) {
      const more = second(input);
      if (!more) return undefined;
      for (const one of more) results.push(one);
    }
    return results;
  });

const both = (first: Filter, second: Filter | undefined): Filter | undefined =>
  second &&
  ((value) => {
    const results = first(value);
    const more = results && second(value);
    return more && [...results, ...more];
  });

const collected = (filter: Filter | undefined): Filter | undefined =>
  filter &&
  ((value) => {
    const results = filter(value);
    return results && [results];
  });

const values: Filter = (value) => (Array.isArray(value) ? value : hasMembers(value) ? Object.values(value) : undefined);

const member =
  (name: string): Filter =>
  (value) => {
    if (value === null) return [null];
    if (Array.isArray(value) || !hasMembers(value)) return undefined;
    return [Object.hasOwn(value, name) ? value[name] : null];
  };

const itemAt =
  (index: number): Filter =>
  (value) => {
    if (value === null) return [null];
    return Array.isArray(value) ? [value.at(index) ?? null] : undefined;
  };

const lengthOf: Filter = (value) => {
  if (value === null) return [0];
  if (typeof value === 'string') return [[...value].length];
  if (Array.isArray(value)) return [value.length];
  return hasMembers(value) ? [Object.keys(value).length] : undefined;
};
