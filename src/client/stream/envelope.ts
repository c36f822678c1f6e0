import { isObject } from '../../shared/is-object.ts';
import { jsonOf } from '../../shared/json-of.ts';
import { textOf } from './answer.ts';

/** The positions of the parts of a list answer in its bytes. */
export interface Envelope {
  next?: string;
  count?: number;
  /** From the first byte of the first item to the last byte of the last one; `whole` if no item is skipped. */
  items: { start: number; end: number; size: number; whole: boolean };
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const open = { array: 0x5b, object: 0x7b };
const close = { array: 0x5d, object: 0x7d };

/**
 * Finds the parts of a list answer, with at most `limit` items, without parsing it. Undefined if this is not safe, as
 * with escaped keys: then the answer has to be parsed.
 */
export function scanEnvelope(bytes: Uint8Array, limit = Infinity): Envelope | undefined {
  const envelope: Partial<Envelope> = {};
  let index = afterSpace(bytes, 0);
  if (bytes[index] !== open.object) return undefined;
  index = afterSpace(bytes, index + 1);
  while (bytes[index] === quote) {
    const keyEnd = valueEnd(bytes, index);
    const key = textOf(bytes.subarray(index + 1, keyEnd - 1));
    const start = afterSpace(bytes, afterSpace(bytes, keyEnd) + 1);
    const end = key === 'items' ? scanItems(bytes, start, limit, envelope) : valueEnd(bytes, start);
    if (end <= start || key.includes('\\')) return undefined;
    if (key === 'next' || key === 'count') {
      const value = jsonOf(bytes.subarray(start, end));
      if (key === 'count' && typeof value === 'number') envelope.count = value;
      else if (key === 'next' && isNext(value)) envelope.next = value.page;
      else return undefined;
    }
    index = afterSpace(bytes, end);
    if (bytes[index] === close.object)
      return afterSpace(bytes, index + 1) === bytes.length ? complete(envelope) : undefined;
    if (bytes[index] !== comma) return undefined;
    index = afterSpace(bytes, index + 1);
  }
  return undefined;
}

const complete = ({ items, ...rest }: Partial<Envelope>) => items && { ...rest, items };

function scanItems(bytes: Uint8Array, start: number, limit: number, envelope: Partial<Envelope>): number {
  if (bytes[start] !== open.array) return -1;
  let index = afterSpace(bytes, start + 1);
  const items = { start: index, end: index, size: 0, whole: true };
  envelope.items = items;
  if (bytes[index] === close.array) return index + 1;
  for (;;) {
    const end = valueEnd(bytes, index);
    if (end <= index) return -1;
    if (items.size < limit) {
      items.size++;
      items.end = end;
    } else items.whole = false;
    index = afterSpace(bytes, end);
    if (bytes[index] === close.array) return index + 1;
    if (bytes[index] !== comma) return -1;
    index = afterSpace(bytes, index + 1);
  }
}

/** The end of the JSON value that begins at `start`; `start` or less if there is none. The JSON must be valid. */
function valueEnd(bytes: Uint8Array, start: number): number {
  let depth = 0;
  let index = start;
  for (; index < bytes.length; index++) {
    const byte = bytes[index]!;
    if (byte === quote) {
      index++;
      while (index < bytes.length && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1;
      if (depth === 0) return index + 1;
    } else if (byte === open.object || byte === open.array) depth++;
    else if (byte === close.object || byte === close.array) {
      if (depth === 0) return index;
      if (--depth === 0) return index + 1;
    } else if (depth === 0 && (byte === comma || byte <= 0x20)) return index;
  }
  return depth === 0 ? index : -1;
}

const isSpace = (byte = 0) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

function afterSpace(bytes: Uint8Array, from: number): number {
  let index = from;
  while (isSpace(bytes[index])) index++;
  return index;
}

const isNext = (value: unknown): value is { page: string } => isObject(value) && typeof value.page === 'string';
