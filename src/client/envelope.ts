import { jsonOf, textOf } from './answer.ts';

/** Where the parts of a list answer lie in its bytes. */
export interface Envelope {
  next?: string;
  count?: number;
  /** From the first item's first byte to the last one's last byte, without the brackets; `whole` if none was left out. */
  items: { start: number; end: number; size: number; whole: boolean };
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const open = { array: 0x5b, object: 0x7b };
const close = { array: 0x5d, object: 0x7d };

/**
 * Finds the parts of a list answer without making objects of it, of `most` items at most. Undefined where it is not
 * sure, as with escaped keys: then the answer has to be parsed.
 */
export function scanEnvelope(bytes: Uint8Array, most = Infinity): Envelope | undefined {
  const found: Partial<Envelope> = {};
  let at = afterSpace(bytes, 0);
  if (bytes[at] !== open.object) return undefined;
  at = afterSpace(bytes, at + 1);
  while (bytes[at] === quote) {
    const keyEnd = valueEnd(bytes, at);
    const key = textOf(bytes.subarray(at + 1, keyEnd - 1));
    const start = afterSpace(bytes, afterSpace(bytes, keyEnd) + 1);
    const end = key === 'items' ? scanItems(bytes, start, most, found) : valueEnd(bytes, start);
    if (end <= start || key.includes('\\')) return undefined;
    if (key === 'next' || key === 'count') {
      const value = jsonOf(textOf(bytes.subarray(start, end)));
      if (key === 'count' && typeof value === 'number') found.count = value;
      else if (key === 'next' && isNext(value)) found.next = value.page;
      else return undefined;
    }
    at = afterSpace(bytes, end);
    if (bytes[at] === close.object) return afterSpace(bytes, at + 1) === bytes.length ? complete(found) : undefined;
    if (bytes[at] !== comma) return undefined;
    at = afterSpace(bytes, at + 1);
  }
  return undefined;
}

const complete = ({ items, ...rest }: Partial<Envelope>) => items && { ...rest, items };

function scanItems(bytes: Uint8Array, start: number, most: number, found: Partial<Envelope>): number {
  if (bytes[start] !== open.array) return -1;
  let at = afterSpace(bytes, start + 1);
  const items = { start: at, end: at, size: 0, whole: true };
  found.items = items;
  if (bytes[at] === close.array) return at + 1;
  for (;;) {
    const end = valueEnd(bytes, at);
    if (end <= at) return -1;
    if (items.size < most) {
      items.size++;
      items.end = end;
    } else items.whole = false;
    at = afterSpace(bytes, end);
    if (bytes[at] === close.array) return at + 1;
    if (bytes[at] !== comma) return -1;
    at = afterSpace(bytes, at + 1);
  }
}

/** Where the JSON value that begins at `start` ends; not above `start` if there is none. It is taken to be valid. */
export function valueEnd(bytes: Uint8Array, start: number): number {
  let depth = 0;
  let at = start;
  for (; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === quote) {
      at++;
      while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
      if (depth === 0) return at + 1;
    } else if (byte === open.object || byte === open.array) depth++;
    else if (byte === close.object || byte === close.array) {
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (depth === 0 && (byte === comma || byte <= 0x20)) return at;
  }
  return depth === 0 ? at : -1;
}

function afterSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || (bytes[at]! >= 0x09 && bytes[at]! <= 0x0d)) at++;
  return at;
}

const isNext = (value: unknown): value is { page: string } =>
  typeof (value as { page?: unknown } | null | undefined)?.page === 'string';
