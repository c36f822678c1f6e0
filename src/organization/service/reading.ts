import type { Client } from '../../client/client.ts';
import { mapInOrder } from '../../shared/map-in-order.ts';
import type { Names } from '../names.ts';

/** What the readers of an organization share. */
export interface Reading {
  client: Client;
  orgId: string;
  names: Names;
  /** Ids of what has no name of its own, by keys such as `translation/<title>`; filled while reading. */
  otherIds: Map<string, string>;
  /** Ids of members by address; filled while reading. */
  memberIds: Map<string, string>;
  /** Called with what was left out, and why. */
  warn(message: string): void;
  /** Called when one more of something was read. */
  progress(what: string, done: number, total?: number): void;
  signal: AbortSignal;
}

/** How many requests are on their way at once. */
const maxRequests = 8;

/** What `read` gives for each item, in their order. */
export async function readEach<Item, Result>(
  reading: Reading,
  what: string,
  items: readonly Item[],
  read: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for await (const result of mapInOrder(items, maxRequests, read)) {
    reading.signal.throwIfAborted();
    results.push(result);
    reading.progress(what, results.length, items.length);
  }
  return results;
}

/** A map in the order of its names. */
export const sortedByName = <Value>(entries: Iterable<readonly [string, Value]>): Map<string, Value> =>
  new Map([...entries].toSorted(([one], [other]) => compareTexts(one, other)));

/** The same order on every machine. */
export const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
