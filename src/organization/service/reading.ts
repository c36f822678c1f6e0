import { HttpError } from '../../client/errors/http-error.ts';
import type { Port, Progress } from '../../client/port.ts';
import { reasons } from '../../contract/errors.ts';
import { mapInOrder } from '../../shared/map-in-order.ts';
import type { Names } from '../names.ts';

/** What the readers of an organization share. */
export interface Reading extends Pick<Port, 'client' | 'signal' | 'progress'> {
  orgId: string;
  /** Called with what the caller may not read, which is then left out. Where absent, reading fails instead. */
  refuse?(what: string): void;
}

/** What the files of an organization are written with. */
export interface Naming {
  names: Names;
  /** IDs of what has no name of its own, by keys such as `translation/<title>`; filled while reading. */
  otherIds: Map<string, string>;
  /** IDs of members by address; filled while reading. */
  memberIds: Map<string, string>;
  /** What was left out, and why; filled while reading. */
  warnings: string[];
}

/** For what is read while the progress shows something else. */
export const noProgress: Progress = { say() {}, count() {} };

export function showProgress(
  { progress }: Pick<Reading, 'progress'>,
  what: string,
  done: number,
  total?: number,
): void {
  progress.say(`Reading ${what}`);
  progress.count(done, total);
}

/** How many requests are on their way at once. */
const maxRequests = 8;

/** What `read` gives for each item, in their order. */
export async function readEach<Item, Result>(
  reading: Pick<Reading, 'progress' | 'signal'>,
  what: string,
  items: readonly Item[],
  read: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for await (const result of mapInOrder(items, maxRequests, read)) {
    reading.signal.throwIfAborted();
    results.push(result);
    showProgress(reading, what, results.length, items.length);
  }
  return results;
}

/** What `read` gives; `otherwise` where the caller may not read it or it is gone, and the reading goes on without it. */
export async function readable<Result>(
  { refuse }: Pick<Reading, 'refuse'>,
  what: string,
  read: () => Promise<Result>,
  otherwise: Result,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    const isRefusal = error instanceof HttpError && error.status === reasons.forbidden;
    if (!refuse || !(isRefusal || isMissing(error))) throw error;
    refuse(what);
    return otherwise;
  }
}

export const isMissing = (error: unknown): boolean =>
  error instanceof HttpError && error.status === reasons['not-found'];

/** For what an object may not have: a site has no schema before the first one is set. */
export function undefinedIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

/** A map in the order of its names. */
export const sortedByName = <Value>(entries: Iterable<readonly [string, Value]>): Map<string, Value> =>
  new Map([...entries].toSorted(([one], [other]) => compareTexts(one, other)));

/** The same order on every machine. */
export const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
