/** Like `Promise.all()`, but waits for all of them even if one fails: nothing of them may run after the transaction. */
export async function allTogether<T extends readonly unknown[] | []>(promises: T) {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

/** How many pieces of work ask the database at the same time. */
const maxTogether = 50;

/**
 * Runs `work` for every item, many at a time: PostgreSQL gets the queries of all of them together, so that no item waits for each
 * answer alone.
 *
 * @throws the first error, when all of them have ended: nothing of them may run after the transaction
 */
export async function forEachTogether<T>(items: Iterable<T>, work: (item: T) => Promise<unknown>): Promise<void> {
  const all = [...items];
  for (let start = 0; start < all.length; start += maxTogether) {
    const results = await Promise.allSettled(all.slice(start, start + maxTogether).map(async (item) => work(item)));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
}
