import type { PageRecord } from './snapshot.ts';

/** The kept pages depth first, siblings in the merged order. */
export function orderPages<Page extends PageRecord>(
  kept: ReadonlyMap<string, Page>,
  base: readonly Page[],
  ours: readonly Page[],
  theirs: readonly Page[],
): Page[] {
  const keepsParent = (page: Page) => kept.get(page.id)?.parent === page.parent;
  const children = {
    base: childrenOf(base, keepsParent),
    ours: childrenOf(ours, keepsParent),
    theirs: childrenOf(theirs, keepsParent),
  };
  const below = (parent: string | null): Page[] => {
    const of = (side: Map<string | null, string[]>) => side.get(parent) ?? [];
    const ids = mergeOrder(of(children.base), of(children.ours), of(children.theirs));
    return ids.flatMap((id) => kept.get(id) ?? []);
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

function childrenOf<Page extends PageRecord>(
  pages: readonly Page[],
  keepsParent: (page: Page) => boolean,
): Map<string | null, string[]> {
  const children = new Map<string | null, string[]>();
  for (const page of pages) {
    if (!keepsParent(page)) continue;
    const siblings = children.get(page.parent);
    if (siblings) siblings.push(page.id);
    else children.set(page.parent, [page.id]);
  }
  return children;
}

/**
 * Merges two orders. Any two pages that both sides have are in the order of the side that changed it; a page that only
 * one side has comes after the page that it follows there.
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

/** The pages that only one side has, by the shared page that they follow; null for the beginning. */
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
  const [inBase, inTheirs] = [placesOf(base), placesOf(theirs)];
  const pages = ours.map((id, our) => ({ id, our, their: inTheirs.get(id) ?? -1, was: inBase.get(id) ?? -1, wins: 0 }));
  type Page = (typeof pages)[number];
  const before = (one: Page, other: Page): boolean => {
    const inOurs = one.our < other.our;
    if (inOurs === one.their < other.their) return inOurs;
    if (one.was < 0 || other.was < 0) return one.id < other.id;
    return inOurs === one.was < other.was ? !inOurs : inOurs;
  };
  // The orders of pairs can contradict each other. Sorting by how many pages each one comes before always gives an
  // order, and the right one where there is no contradiction.
  for (const one of pages) for (const other of pages) if (one !== other && before(one, other)) one.wins += 1;
  return pages.toSorted((a, b) => b.wins - a.wins || (a.id < b.id ? -1 : 1)).map(({ id }) => id);
}

function sameOrder(one: readonly string[], other: readonly string[]): boolean {
  return one.every((id, index) => id === other[index]);
}

export function placesOf(ids: readonly string[]): Map<string, number> {
  return new Map(ids.map((id, index) => [id, index]));
}
