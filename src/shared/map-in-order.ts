/**
 * What `work` gives for each item, in the order of the items. Up to `width` of them are worked on at once, and no more are
 * read ahead.
 */
export async function* mapInOrder<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  width: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  for await (const item of items) {
    const result = work(item);
    // Its failure is thrown when it is its turn, and must not count as unhandled before.
    result.catch(() => {});
    running.push(result);
    const first = running.length >= width ? running.shift() : undefined;
    if (first) yield await first;
  }
  for (const result of running) yield await result;
}
