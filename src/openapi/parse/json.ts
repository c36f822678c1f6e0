import { CHOMPING_MODE, COLLECTION_STYLE, EVENT_ID, SCALAR_STYLE, type Event } from 'js-yaml';
import { maxDepth, SyntaxProblem } from './syntax-problem.ts';

const blank = /[ \t\r\n]*/y;
const literal = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

type Expected = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'next';

/**
 * The tokens of a JSON text, in the form in which the YAML parser returns them. `JSON.parse` does not report the
 * position of a key or duplicate keys, and often not where the text is invalid.
 *
 * @throws SyntaxProblem
 */
export function readJsonEvents(text: string): Event[] {
  return new JsonReader(text).read();
}

const untagged = { anchorStart: -1, anchorEnd: -1, tagStart: -1, tagEnd: -1 };
const scalar = { ...untagged, type: EVENT_ID.SCALAR, chomping: CHOMPING_MODE.CLIP, indent: -1 } as const;

class JsonReader {
  readonly #text: string;
  readonly #events: Event[] = [{ type: EVENT_ID.DOCUMENT, explicitStart: false, explicitEnd: false, directives: [] }];
  /** What closes each object and array that is open. */
  readonly #closers: string[] = [];
  #expected: Expected = 'value';
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Event[] {
    for (;;) {
      this.#offset = matchEnd(blank, this.#text, this.#offset) ?? this.#offset;
      const char = this.#text[this.#offset];
      const closer = this.#closers.at(-1);
      if (this.#expected === 'next') {
        if (closer === undefined && char === undefined) return [...this.#events, { type: EVENT_ID.POP }];
        this.#readNext(char, closer);
      } else if (this.#expected === 'colon') {
        if (char !== ':') throw this.#unexpected('":"');
        this.#step('value');
      } else if (this.#expected.startsWith('first') && char === closer) {
        this.#close();
      } else if (this.#expected.endsWith('key')) {
        if (char !== '"') throw this.#unexpected('a key in double quotes');
        this.#readString('colon');
      } else {
        this.#readValue(char);
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

  #readValue(char: string | undefined): void {
    if (char === '{') this.#open(EVENT_ID.MAPPING, '}', 'first key');
    else if (char === '[') this.#open(EVENT_ID.SEQUENCE, ']', 'first value');
    else if (char === '"') this.#readString('next');
    else this.#readLiteral();
  }

  #open(type: typeof EVENT_ID.MAPPING | typeof EVENT_ID.SEQUENCE, closer: string, expected: Expected): void {
    this.#events.push({ ...untagged, type, start: this.#offset, style: COLLECTION_STYLE.FLOW });
    this.#closers.push(closer);
    if (this.#closers.length > maxDepth) {
      throw new SyntaxProblem(`Nested deeper than ${maxDepth} levels`, this.#offset);
    }
    this.#step(expected);
  }

  #close(): void {
    this.#events.push({ type: EVENT_ID.POP });
    this.#closers.pop();
    this.#step('next');
  }

  #readString(expected: Expected): void {
    const valueStart = this.#offset + 1;
    const valueEnd = endOfString(this.#text, this.#offset);
    const fast = !this.#text.slice(valueStart, valueEnd).includes('\\');
    this.#events.push({ ...scalar, valueStart, valueEnd, style: SCALAR_STYLE.DOUBLE_QUOTED, fast });
    this.#offset = valueEnd;
    this.#step(expected);
  }

  #readLiteral(): void {
    const valueStart = this.#offset;
    const valueEnd = matchEnd(literal, this.#text, valueStart);
    if (valueEnd === undefined) throw this.#unexpected('a value');
    this.#events.push({ ...scalar, valueStart, valueEnd, style: SCALAR_STYLE.PLAIN, fast: true });
    this.#offset = valueEnd;
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
