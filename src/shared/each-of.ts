/** Does some work for each item, for several at a time. */
export async function eachOf<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  maxWorkers: number,
): Promise<void> {
  // All workers take their items from one iterator.
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(maxWorkers, items.length) }, worker));
}
