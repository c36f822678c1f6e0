import { EVENT_ID, getScalarValue } from 'js-yaml';
import { lastNotAbove, Lines, type Position } from './lines.ts';
import { offsetOf } from './syntax.ts';
import type { Tokens } from './tokens.ts';

/** The positions of the keys and values of a text. Values and keys are named by the index of their first token. */
export class Outline {
  readonly #text: string;
  readonly #lines: Lines;
  readonly #tokens: Tokens;
  /** For each token, the one after the value that begins with it. */
  readonly #next: Int32Array;
  /** Where each anchor is set, in order. */
  readonly #anchors = new Map<string, number[]>();
  readonly #keys = new Map<number, Map<string, number>>();
  readonly #sequences = new Map<number, number[]>();

  constructor(text: string, tokens: Tokens) {
    this.#text = text;
    this.#lines = new Lines(text);
    this.#tokens = tokens;
    this.#next = new Int32Array(tokens.length);
    const open: number[] = [];
    for (let index = 0; index < tokens.length; index += 1) {
      const type = tokens.typeOf(index);
      this.#next[index] = index + 1;
      if (type === EVENT_ID.POP) this.#next[open.pop() ?? 0] = index + 1;
      else if (type === EVENT_ID.ALIAS) continue;
      else {
        if (type !== EVENT_ID.SCALAR) open.push(index);
        if (tokens.hasAnchors) this.#addAnchor(index);
      }
    }
  }

  /** The position of the value at a path, or of its key; of the nearest value above if there is no such path. */
  find(path: readonly string[], onKey: boolean): Position {
    let [key, value] = [-1, 1];
    for (const segment of path) {
      const inner = this.#child(this.#resolve(value), segment);
      if (inner === undefined) break;
      [key, value] = inner;
    }
    const hasPlace = value < this.#tokens.length && !this.#isEmpty(value);
    const index = key >= 0 && (onKey || !hasPlace) ? key : value;
    return hasPlace || key >= 0 ? this.#positionOf(index) : this.#lines.positionOf(0);
  }

  /** Keys that occur a second time in their mapping. */
  duplicates(): { key: string; position: Position }[] {
    const duplicates: { key: string; position: Position }[] = [];
    for (let index = 0; index < this.#tokens.length; index += 1) {
      if (this.#tokens.typeOf(index) !== EVENT_ID.MAPPING) continue;
      const names = new Set<string>();
      for (const [key] of this.#entries(index)) {
        const name = this.#scalar(key);
        if (name === undefined || name === '<<') continue;
        if (names.has(name)) duplicates.push({ key: name, position: this.#positionOf(key) });
        names.add(name);
      }
    }
    return duplicates;
  }

  #positionOf(index: number): Position {
    return this.#lines.positionOf(offsetOf(this.#tokens.at(index), this.#text));
  }

  #child(container: number, segment: string): [key: number, value: number] | undefined {
    const type = this.#tokens.typeOf(container);
    if (type === EVENT_ID.MAPPING) return this.#entry(container, segment);
    if (type !== EVENT_ID.SEQUENCE) return undefined;
    const item = this.#itemsOf(container)[Number(segment)];
    return item === undefined ? undefined : [item, item];
  }

  #entry(mapping: number, name: string): [key: number, value: number] | undefined {
    const keys = this.#keysOf(mapping);
    const key = keys.get(name);
    if (key !== undefined) return [key, this.#after(key)];
    const mergeKey = keys.get('<<');
    if (mergeKey === undefined) return undefined;
    const merged = this.#resolve(this.#after(mergeKey));
    const sources = this.#tokens.typeOf(merged) === EVENT_ID.SEQUENCE ? this.#itemsOf(merged) : [merged];
    for (const source of sources) {
      const entry = this.#child(this.#resolve(source), name);
      if (entry) return entry;
    }
    return undefined;
  }

  #keysOf(mapping: number): Map<string, number> {
    let keys = this.#keys.get(mapping);
    if (!keys) {
      keys = new Map();
      for (const [key] of this.#entries(mapping)) {
        const name = this.#scalar(key);
        // Of duplicate keys, the last one counts.
        if (name !== undefined) keys.set(name, key);
      }
      this.#keys.set(mapping, keys);
    }
    return keys;
  }

  *#entries(mapping: number): Generator<[key: number, value: number]> {
    for (let key = mapping + 1; this.#isInside(key);) {
      const value = this.#after(key);
      yield [key, value];
      key = this.#after(value);
    }
  }

  #itemsOf(sequence: number): number[] {
    let items = this.#sequences.get(sequence);
    if (!items) {
      items = [];
      for (let item = sequence + 1; this.#isInside(item); item = this.#after(item)) items.push(item);
      this.#sequences.set(sequence, items);
    }
    return items;
  }

  /** Whether a token is not yet the end of the mapping or sequence. */
  #isInside(index: number): boolean {
    const type = this.#tokens.typeOf(index);
    return type !== undefined && type !== EVENT_ID.POP;
  }

  #after(index: number): number {
    return this.#next[index] ?? this.#tokens.length;
  }

  /** The value of an alias: an anchor may be set several times, and the last one before it counts. */
  #resolve(index: number): number {
    const event = this.#tokens.at(index);
    if (event?.type !== EVENT_ID.ALIAS) return index;
    const anchors = this.#anchors.get(this.#text.slice(event.anchorStart, event.anchorEnd)) ?? [];
    return anchors[lastNotAbove(anchors, index)] ?? index;
  }

  #scalar(index: number): string | undefined {
    const event = this.#tokens.at(index);
    return event?.type === EVENT_ID.SCALAR ? getScalarValue(this.#text, event) : undefined;
  }

  #isEmpty(index: number): boolean {
    const event = this.#tokens.at(index);
    return event?.type === EVENT_ID.SCALAR && event.valueStart < 0;
  }

  #addAnchor(index: number): void {
    const event = this.#tokens.at(index);
    if (!event || !('anchorStart' in event) || event.anchorStart < 0) return;
    const name = this.#text.slice(event.anchorStart, event.anchorEnd);
    const indices = this.#anchors.get(name);
    if (indices) indices.push(index);
    else this.#anchors.set(name, [index]);
  }
}
