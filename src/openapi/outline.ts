import { EVENT_ID, getScalarValue, type Event } from 'js-yaml';
import { offsetOf } from './syntax.ts';

export interface Position {
  line: number;
  column: number;
}

/** Where the keys and values of a text stand. */
export class Outline {
  readonly #text: string;
  readonly #events: Event[];
  /** For each token, the one after the value that begins with it. */
  readonly #next: Int32Array;
  readonly #anchors = new Map<string, number[]>();
  readonly #keys = new Map<number, Map<string, number>>();
  #lineStarts: number[] | undefined;

  constructor(text: string, events: Event[]) {
    this.#text = text;
    this.#events = events;
    this.#next = new Int32Array(events.length);
    const open: number[] = [];
    for (const [index, event] of events.entries()) {
      this.#next[index] = index + 1;
      if (event.type === EVENT_ID.POP) this.#next[open.pop() ?? 0] = index + 1;
      else if (event.type === EVENT_ID.ALIAS) continue;
      else {
        if (event.type !== EVENT_ID.SCALAR) open.push(index);
        if (event.type !== EVENT_ID.DOCUMENT && event.anchorStart >= 0) this.#addAnchor(event, index);
      }
    }
  }

  /** The place of the value at a path, or of its key; of the nearest value above where there is no such path. */
  find(path: readonly string[], onKey: boolean): Position {
    let [key, value] = [-1, 1];
    for (const segment of path) {
      const inner = this.#child(this.#resolve(value), segment);
      if (inner === undefined) break;
      [key, value] = inner;
    }
    const hasPlace = value < this.#events.length && !this.#isEmpty(value);
    const index = key >= 0 && (onKey || !hasPlace) ? key : value;
    return this.at(hasPlace || key >= 0 ? offsetOf(this.#events[index], this.#text) : 0);
  }

  /** Keys that stand a second time in their mapping. */
  duplicates(): { key: string; position: Position }[] {
    const found: { key: string; position: Position }[] = [];
    for (const [index, event] of this.#events.entries()) {
      if (event.type !== EVENT_ID.MAPPING) continue;
      const seen = new Set<string>();
      for (const [key] of this.#entries(index)) {
        const name = this.#scalar(key);
        if (name === undefined || name === '<<') continue;
        if (seen.has(name)) found.push({ key: name, position: this.at(offsetOf(this.#events[key], this.#text)) });
        seen.add(name);
      }
    }
    return found;
  }

  at(offset: number): Position {
    const starts = (this.#lineStarts ??= lineStarts(this.#text));
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - starts[low]! + 1 };
  }

  #child(container: number, segment: string): [key: number, value: number] | undefined {
    const event = this.#events[container];
    if (event?.type === EVENT_ID.MAPPING) return this.#entry(container, segment);
    if (event?.type !== EVENT_ID.SEQUENCE) return undefined;
    const item = this.#items(container)[Number(segment)];
    return item === undefined ? undefined : [item, item];
  }

  #entry(mapping: number, name: string): [key: number, value: number] | undefined {
    const keys = this.#keysOf(mapping);
    const key = keys.get(name);
    if (key !== undefined) return [key, this.#next[key]!];
    const merged = this.#resolve(this.#next[keys.get('<<') ?? -1] ?? -1);
    const sources = this.#events[merged]?.type === EVENT_ID.SEQUENCE ? this.#items(merged) : [merged];
    for (const source of sources) {
      const found = this.#child(this.#resolve(source), name);
      if (found) return found;
    }
    return undefined;
  }

  #keysOf(mapping: number): Map<string, number> {
    let keys = this.#keys.get(mapping);
    if (!keys) {
      keys = new Map();
      for (const [key] of this.#entries(mapping)) {
        const name = this.#scalar(key);
        // Of a key that stands twice, the last is the one that counts.
        if (name !== undefined) keys.set(name, key);
      }
      this.#keys.set(mapping, keys);
    }
    return keys;
  }

  *#entries(mapping: number): Generator<[key: number, value: number]> {
    for (let key = mapping + 1; this.#events[key] && this.#events[key]!.type !== EVENT_ID.POP;) {
      const value = this.#next[key]!;
      yield [key, value];
      key = this.#next[value]!;
    }
  }

  #items(sequence: number): number[] {
    const items: number[] = [];
    for (let item = sequence + 1; this.#events[item] && this.#events[item]!.type !== EVENT_ID.POP;) {
      items.push(item);
      item = this.#next[item]!;
    }
    return items;
  }

  #resolve(index: number): number {
    const event = this.#events[index];
    if (event?.type !== EVENT_ID.ALIAS) return index;
    const places = this.#anchors.get(this.#text.slice(event.anchorStart, event.anchorEnd)) ?? [];
    return places.findLast((place) => place < index) ?? index;
  }

  #scalar(index: number): string | undefined {
    const event = this.#events[index];
    return event?.type === EVENT_ID.SCALAR ? getScalarValue(this.#text, event) : undefined;
  }

  #isEmpty(index: number): boolean {
    const event = this.#events[index];
    return event?.type === EVENT_ID.SCALAR && event.valueStart < 0;
  }

  #addAnchor(event: { anchorStart: number; anchorEnd: number }, index: number): void {
    const name = this.#text.slice(event.anchorStart, event.anchorEnd);
    const places = this.#anchors.get(name);
    if (places) places.push(index);
    else this.#anchors.set(name, [index]);
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
