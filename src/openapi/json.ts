import { CHOMPING_MODE, COLLECTION_STYLE, EVENT_ID, SCALAR_STYLE, type Event } from 'js-yaml';
import { maxDepth, SyntaxFault } from './fault.ts';

const blank = /[ \t\r\n]*/y;
const literal = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

type Expected = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'next';

/**
 * The tokens of a JSON text, in the form the YAML parser has for its own. `JSON.parse` tells neither where a key
 * stands nor that it stands there twice, and often not where the text is broken.
 */
export function readJsonEvents(text: string): Event[] {
  const events: Event[] = [{ type: EVENT_ID.DOCUMENT, explicitStart: false, explicitEnd: false, directives: [] }];
  const closers: string[] = [];
  let expected: Expected = 'value';
  let at = 0;

  function open(type: typeof EVENT_ID.MAPPING | typeof EVENT_ID.SEQUENCE): void {
    events.push({ ...untagged, type, start: at, style: COLLECTION_STYLE.FLOW });
    closers.push(type === EVENT_ID.MAPPING ? '}' : ']');
    if (closers.length > maxDepth) throw new SyntaxFault(`Nested deeper than ${maxDepth} levels`, at);
    expected = type === EVENT_ID.MAPPING ? 'first key' : 'first value';
    at += 1;
  }

  function close(): void {
    events.push({ type: EVENT_ID.POP });
    closers.pop();
    expected = 'next';
    at += 1;
  }

  function takeString(): void {
    const end = endOfString(text, at);
    const fast = !text.slice(at, end).includes('\\');
    events.push({ ...scalar, valueStart: at + 1, valueEnd: end, style: SCALAR_STYLE.DOUBLE_QUOTED, fast });
    at = end + 1;
  }

  function takeLiteral(): void {
    const end = matchEnd(literal, text, at);
    if (end === undefined) throw unexpected(text, at, 'a value');
    events.push({ ...scalar, valueStart: at, valueEnd: end, style: SCALAR_STYLE.PLAIN, fast: true });
    at = end;
  }

  for (;;) {
    at = matchEnd(blank, text, at) ?? at;
    const char = text[at];
    const closer = closers.at(-1);
    if (expected === 'next') {
      if (closer === undefined && char === undefined) return [...events, { type: EVENT_ID.POP }];
      if (closer === undefined) throw unexpected(text, at, 'the end of the document');
      if (char === closer) close();
      else if (char !== ',') throw unexpected(text, at, `"," or "${closer}"`);
      else {
        expected = closer === '}' ? 'key' : 'value';
        at += 1;
      }
    } else if (expected === 'colon') {
      if (char !== ':') throw unexpected(text, at, '":"');
      expected = 'value';
      at += 1;
    } else if (expected.startsWith('first') && char === closer) {
      close();
    } else if (expected.endsWith('key')) {
      if (char !== '"') throw unexpected(text, at, 'a key in double quotes');
      takeString();
      expected = 'colon';
    } else if (char === '{') {
      open(EVENT_ID.MAPPING);
    } else if (char === '[') {
      open(EVENT_ID.SEQUENCE);
    } else {
      if (char === '"') takeString();
      else takeLiteral();
      expected = 'next';
    }
  }
}

const untagged = { anchorStart: -1, anchorEnd: -1, tagStart: -1, tagEnd: -1 };
const scalar = { ...untagged, type: EVENT_ID.SCALAR, chomping: CHOMPING_MODE.CLIP, indent: -1 } as const;

function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at;
    if (code === 0x5c) {
      const end = matchEnd(escape, text, at);
      if (end === undefined) throw new SyntaxFault('Unknown escape in a string', at);
      at = end;
    } else if (code >= 0x20) {
      at += 1;
    } else if (Number.isNaN(code) || code === 0x0a || code === 0x0d) {
      throw new SyntaxFault('This string is not closed', start);
    } else {
      throw new SyntaxFault('A control character in a string must be escaped', at);
    }
  }
}

function unexpected(text: string, at: number, expected: string): SyntaxFault {
  const found = at < text.length ? JSON.stringify(String.fromCodePoint(text.codePointAt(at)!)) : 'the end of the text';
  return new SyntaxFault(`Expected ${expected}`, at, `Expected ${expected}, found ${found}`);
}

function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
