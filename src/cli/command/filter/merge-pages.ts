import type { Page } from '../../../client/pages.ts';
import { eachOf } from '../../../shared/each-of.ts';
import { valueAt } from '../../../shared/value-at.ts';

/** A list that is read page by page, as far as it is read. */
interface Reader {
  pages: AsyncIterator<Page<unknown>>;
  items: readonly unknown[];
  next: number;
  count: number | undefined;
  isDone: boolean;
}

const concurrency = 6;
/** In lists with one order, an item comes at about the same time in each. */
const remembered = 10_000;

type Remember = (id: unknown) => boolean;

/** Returns whether an ID is new, as far as the last IDs tell: memory must not grow with the list. */
function recentIds(size: number): Remember {
  const ids = new Set<unknown>();
  return (id) => {
    if (ids.has(id)) return false;
    ids.add(id);
    if (ids.size > size) ids.delete(ids.values().next().value);
    return true;
  };
}

/**
 * Several lists as one, page by page: by `compare`, in whose order each of them is, or one after the other without it. An
 * item that is in several of them is there once.
 */
export async function* mergedPages(
  lists: readonly AsyncIterable<Page<unknown>>[],
  compare?: (a: unknown, b: unknown) => number,
): AsyncGenerator<Page<unknown>, void, undefined> {
  const readers = lists.map((list): Reader => ({
    pages: list[Symbol.asyncIterator](),
    items: [],
    next: 0,
    count: undefined,
    isDone: false,
  }));
  // Without an order, the same item may come at any time.
  const isNew = recentIds(compare ? remembered : Infinity);
  try {
    await eachOf(readers, fill, concurrency);
    const counts = readers.map(({ count }) => count);
    const count = counts.every((each) => each !== undefined) ? counts.reduce((sum, each) => sum + each, 0) : undefined;
    for (let isFirst = true; ; isFirst = false) {
      const items = takeUntilEmpty(readers, isNew, compare);
      // An empty list has one page too, with its count.
      if (items.length > 0 || isFirst) yield { items, size: items.length, count, answer: undefined };
      if (readers.every(({ isDone }) => isDone)) return;
      await eachOf(
        readers.filter((reader) => reader.next >= reader.items.length),
        fill,
        concurrency,
      );
    }
  } finally {
    await Promise.all(readers.map(({ pages }) => pages.return?.()));
  }
}

/** Reads the next page that has items. */
async function fill(reader: Reader): Promise<void> {
  while (!reader.isDone && reader.next >= reader.items.length) {
    const result = await reader.pages.next();
    if (result.done) reader.isDone = true;
    else {
      reader.items = result.value.items;
      reader.next = 0;
      reader.count ??= result.value.count;
    }
  }
  if (reader.isDone) reader.count ??= 0;
}

/** The next items in order, up to the end of one of the pages: what follows it is not known yet. */
function takeUntilEmpty(
  readers: readonly Reader[],
  isNew: Remember,
  compare: ((a: unknown, b: unknown) => number) | undefined,
): unknown[] {
  const taken: unknown[] = [];
  const open = readers.filter(({ isDone }) => !isDone);
  while (open.length > 0 && open.every(({ items, next }) => next < items.length)) {
    const reader = compare
      ? open.reduce((best, each) => (compare(headOf(each), headOf(best)) < 0 ? each : best))
      : open[0];
    if (!reader) break;
    const item = headOf(reader);
    reader.next++;
    const id = valueAt(item, 'id');
    if (id === undefined || isNew(id)) taken.push(item);
  }
  return taken;
}

const headOf = ({ items, next }: Reader): unknown => items[next];
