import { UsageError } from '../../program/failure.ts';

/** A filter as it is combined from comparisons. */
export type Expression =
  | { kind: 'comparison'; source: string }
  | { kind: 'not'; of: Expression }
  | { kind: 'and' | 'or'; parts: Expression[] };

const connective = /\s+(and|or)\s+/iy;
/** What a comparison begins with: a value may contain the words "and" and "or", too. */
const comparisonStart = /\s*(?:not\s+|\(\s*)*[\w.]+(?:\s+[\w.]+)?\s*(?:[=!<>~])/iy;
const notWord = /not(?:\s+|(?=\())/iy;

/** Reads comparisons that are combined with `and`, `or`, `not` and parentheses. @throws UsageError */
export function parseExpression(source: string): Expression {
  const reader = new Reader(source.trim());
  const expression = reader.either();
  if (!reader.isAtEnd) throw refusal(source, `"${reader.rest}" is not expected`);
  return expression;
}

class Reader {
  #place = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get rest(): string {
    return this.#text.slice(this.#place);
  }

  get isAtEnd(): boolean {
    return this.rest.trim() === '';
  }

  either(): Expression {
    return this.#list('or', () => this.#list('and', () => this.#single()));
  }

  #list(kind: 'and' | 'or', next: () => Expression): Expression {
    const first = next();
    const parts = [first];
    while (this.#takesWord(kind)) parts.push(next());
    return parts.length === 1 ? first : { kind, parts };
  }

  #single(): Expression {
    this.#skipSpace();
    if (this.#takes(notWord)) return { kind: 'not', of: this.#single() };
    if (this.#text[this.#place] !== '(') return this.#comparison();
    this.#place++;
    const inner = this.either();
    this.#skipSpace();
    if (this.#text[this.#place] !== ')') throw refusal(this.#text, 'a closing parenthesis is missing');
    this.#place++;
    return inner;
  }

  /** A comparison ends before a connective that another one follows, or before the parenthesis that was opened. */
  #comparison(): Expression {
    const start = this.#place;
    let depth = 0;
    while (this.#place < this.#text.length) {
      const char = this.#text[this.#place];
      if (char === '"') this.#skipQuoted();
      else if (char === ')' && depth === 0 && this.#isInGroup(start)) break;
      else if (this.#isConnective()) break;
      if (char === '(') depth++;
      if (char === ')') depth--;
      this.#place++;
    }
    return { kind: 'comparison', source: this.#text.slice(start, this.#place).trim() };
  }

  /** Whether a parenthesis was opened before a place and not closed. */
  #isInGroup(start: number): boolean {
    const before = this.#text.slice(0, start);
    return before.split('(').length > before.split(')').length;
  }

  #skipQuoted(): void {
    for (this.#place++; this.#place < this.#text.length && this.#text[this.#place] !== '"'; this.#place++)
      if (this.#text[this.#place] === '\\') this.#place++;
  }

  #isConnective(): boolean {
    connective.lastIndex = this.#place;
    if (!connective.test(this.#text)) return false;
    comparisonStart.lastIndex = connective.lastIndex;
    return comparisonStart.test(this.#text);
  }

  #takesWord(kind: 'and' | 'or'): boolean {
    connective.lastIndex = this.#place;
    const match = connective.exec(this.#text);
    if (match?.[1]?.toLowerCase() !== kind) return false;
    this.#place = connective.lastIndex;
    return true;
  }

  #takes(pattern: RegExp): boolean {
    pattern.lastIndex = this.#place;
    if (!pattern.test(this.#text)) return false;
    this.#place = pattern.lastIndex;
    return true;
  }

  #skipSpace(): void {
    while (this.#text[this.#place] === ' ') this.#place++;
  }
}

const refusal = (source: string, problem: string) =>
  new UsageError(`--filter '${source}': ${problem}.`, '"docsctl help filters" has examples.');
