import type { PageRecord } from './snapshot.ts';

/** The pages depth first, with siblings in the merged order. */
export function orderPages<Page extends PageRecord>(
  kept: ReadonlyMap<string, Page>,
  base: readonly Page[],
  ours: readonly Page[],
  theirs: readonly Page[],
): Page[] {
  const keepsParent = (page: Page) => kept.get(page.id)?.parent === page.parent;
  const childrenIn = (pages: readonly Page[]) => {
    const children = Map.groupBy(pages.filter(keepsParent), ({ parent }) => parent);
    return (parent: string | null) => children.get(parent)?.map(({ id }) => id) ?? [];
  };
  const [inBase, inOurs, inTheirs] = [childrenIn(base), childrenIn(ours), childrenIn(theirs)];
  const below = (parent: string | null): Page[] => {
    const ids = mergeOrder(inBase(parent), inOurs(parent), inTheirs(parent));
    return ids.map((id) => kept.get(id)).filter((page) => page !== undefined);
  };
  const pages: Page[] = [];
  // Without recursion: pages can be nested thousands of levels deep.
  const waiting = below(null).toReversed();
  for (let page = waiting.pop(); page; page = waiting.pop()) {
    pages.push(page);
    for (const child of below(page.id).toReversed()) waiting.push(child);
  }
  return pages;
}

/**
 * Merges two orders. Two pages that are on both sides have the order of the side that changed it. A page that is only on
 * one side comes after the page that it follows there.
 */
export function mergeOrder(base: readonly string[], ours: readonly string[], theirs: readonly string[]): string[] {
  const inOurs = new Set(ours);
  const inTheirs = new Set(theirs);
  const both = {
    base: base.filter((id) => inOurs.has(id) && inTheirs.has(id)),
    ours: ours.filter((id) => inTheirs.has(id)),
    theirs: theirs.filter((id) => inOurs.has(id)),
  };
  const shared = mergeShared(both.base, both.ours, both.theirs);
  const runs = { ours: runsOf(ours, inTheirs), theirs: runsOf(theirs, inOurs) };
  return [null, ...shared].flatMap((id) => {
    const added = [runs.ours.get(id) ?? [], runs.theirs.get(id) ?? []]
      .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))
      .flat();
    return id === null ? added : [id, ...added];
  });
}

/** The pages that are only on one side, by the shared page that they follow; null at the start. */
function runsOf(list: readonly string[], shared: ReadonlySet<string>): Map<string | null, string[]> {
  const runs = new Map<string | null, string[]>();
  let after: string | null = null;
  for (const id of list) {
    if (shared.has(id)) after = id;
    else runs.set(after, [...(runs.get(after) ?? []), id]);
  }
  return runs;
}

function mergeShared(base: readonly string[], ours: readonly string[], theirs: readonly string[]): readonly string[] {
  if (base.length === ours.length && sameOrder(base, ours)) return theirs;
  if (sameOrder(ours, theirs) || (base.length === ours.length && sameOrder(base, theirs))) return ours;
  const pages = ours.map((id, our) => ({ id, our, their: theirs.indexOf(id), was: base.indexOf(id), wins: 0 }));
  type Page = (typeof pages)[number];
  const before = (one: Page, other: Page): boolean => {
    const inOurs = one.our < other.our;
    if (inOurs === one.their < other.their) return inOurs;
    if (one.was < 0 || other.was < 0) return one.id < other.id;
    return inOurs === one.was < other.was ? !inOurs : inOurs;
  };
  // The orders of pairs can contradict each other. Sorting by the number of pages that come after each page always yields
  // an order, and the right one if there is no contradiction.
  for (const one of pages) for (const other of pages) if (one !== other && before(one, other)) one.wins += 1;
  return pages.toSorted((a, b) => b.wins - a.wins || (a.id < b.id ? -1 : 1)).map(({ id }) => id);
}

function sameOrder(one: readonly string[], other: readonly string[]): boolean {
  return one.every((id, index) => id === other[index]);
}
