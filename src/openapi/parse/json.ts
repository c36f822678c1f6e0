import { EVENT_ID } from 'js-yaml';
import { maxDepth, SyntaxProblem } from './syntax-problem.ts';
import { JsonTokens } from './tokens.ts';

const literal = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

type Expected = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'next';

/**
 * The tokens of a JSON text. `JSON.parse` does not report the position of a key or duplicate keys, and often not where the
 * text is invalid.
 *
 * @throws SyntaxProblem
 */
export function readJsonTokens(text: string): JsonTokens {
  return new JsonReader(text).read();
}

class JsonReader {
  readonly #text: string;
  readonly #tokens: JsonTokens;
  /** What closes each object and array that is open. */
  readonly #closers: string[] = [];
  #expected: Expected = 'value';
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = new JsonTokens(text);
    this.#tokens.push(EVENT_ID.DOCUMENT);
  }

  read(): JsonTokens {
    for (;;) {
      this.#offset = blankEnd(this.#text, this.#offset);
      const char = this.#text[this.#offset];
      const closer = this.#closers.at(-1);
      switch (this.#expected) {
        case 'next':
          if (closer === undefined && char === undefined) {
            this.#tokens.push(EVENT_ID.POP);
            return this.#tokens;
          }
          this.#readNext(char, closer);
          break;
        case 'colon':
          if (char !== ':') throw this.#unexpected('":"');
          this.#step('value');
          break;
        case 'first key':
        case 'key':
          if (this.#expected === 'first key' && char === closer) this.#close();
          else this.#readKey(char);
          break;
        case 'first value':
        case 'value':
          if (this.#expected === 'first value' && char === closer) this.#close();
          else this.#readValue(char);
      }
    }
  }

  /** Reads what comes after a value: a comma, or the end of the array or object around it. */
  #readNext(char: string | undefined, closer: string | undefined): void {
    if (closer === undefined) throw this.#unexpected('the end of the document');
    if (char === closer) this.#close();
    else if (char === ',') this.#step(closer === '}' ? 'key' : 'value');
    else throw this.#unexpected(`"," or "${closer}"`);
  }

  #readKey(char: string | undefined): void {
    if (char !== '"') throw this.#unexpected('a key in double quotes');
    this.#tokens.members += 1;
    this.#readString('colon');
  }

  #readValue(char: string | undefined): void {
    if (char === '{') this.#open(EVENT_ID.MAPPING, '}', 'first key');
    else if (char === '[') this.#open(EVENT_ID.SEQUENCE, ']', 'first value');
    else if (char === '"') this.#readString('next');
    else this.#readLiteral();
  }

  #open(type: typeof EVENT_ID.MAPPING | typeof EVENT_ID.SEQUENCE, closer: string, expected: Expected): void {
    this.#tokens.push(type, this.#offset);
    this.#closers.push(closer);
    if (this.#closers.length > maxDepth) throw new SyntaxProblem(`Nested deeper than ${maxDepth} levels`, this.#offset);
    this.#step(expected);
  }

  #close(): void {
    this.#tokens.push(EVENT_ID.POP);
    this.#closers.pop();
    this.#step('next');
  }

  #readString(expected: Expected): void {
    const end = endOfString(this.#text, this.#offset);
    this.#tokens.push(EVENT_ID.SCALAR, this.#offset + 1, end);
    this.#offset = end;
    this.#step(expected);
  }

  #readLiteral(): void {
    const end = matchEnd(literal, this.#text, this.#offset);
    if (end === undefined) throw this.#unexpected('a value');
    this.#tokens.push(EVENT_ID.SCALAR, this.#offset, end);
    this.#offset = end;
    this.#expected = 'next';
  }

  /** Continues after the character that was read. */
  #step(expected: Expected): void {
    this.#expected = expected;
    this.#offset += 1;
  }

  #unexpected(expected: string): SyntaxProblem {
    const code = this.#text.codePointAt(this.#offset);
    const actual = code === undefined ? 'the end of the text' : JSON.stringify(String.fromCodePoint(code));
    return new SyntaxProblem(`Expected ${expected}`, this.#offset, `Expected ${expected}, found ${actual}`);
  }
}

function blankEnd(text: string, start: number): number {
  let offset = start;
  for (;;) {
    const code = text.charCodeAt(offset);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return offset;
    offset += 1;
  }
}

function endOfString(text: string, start: number): number {
  let offset = start + 1;
  for (;;) {
    const code = text.charCodeAt(offset);
    if (code === 0x22) return offset;
    if (code === 0x5c) {
      const end = matchEnd(escape, text, offset);
      if (end === undefined) throw new SyntaxProblem('Unknown escape in a string', offset);
      offset = end;
    } else if (code >= 0x20) {
      offset += 1;
    } else if (Number.isNaN(code) || code === 0x0a || code === 0x0d) {
      throw new SyntaxProblem('This string is not closed', start);
    } else {
      throw new SyntaxProblem('A control character in a string must be escaped', offset);
    }
  }
}

function matchEnd(pattern: RegExp, text: string, offset: number): number | undefined {
  pattern.lastIndex = offset;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
