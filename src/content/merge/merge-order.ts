import type { PageRecord } from './snapshot.ts';

/** The kept pages depth first, siblings in the merged order. */
export function ordered<Page extends PageRecord>(
  kept: ReadonlyMap<string, Page>,
  base: readonly Page[],
  ours: readonly Page[],
  theirs: readonly Page[],
): Page[] {
  const here = (page: Page) => kept.get(page.id)?.parent === page.parent;
  const lists = { base: childrenOf(base, here), ours: childrenOf(ours, here), theirs: childrenOf(theirs, here) };
  const pages: Page[] = [];
  const waiting: (string | null)[] = [null];
  while (waiting.length > 0) {
    const parent = waiting.pop()!;
    if (parent !== null) pages.push(kept.get(parent)!);
    const of = (side: Map<string | null, string[]>) => side.get(parent) ?? [];
    const children = mergeOrder(of(lists.base), of(lists.ours), of(lists.theirs));
    for (const child of children.toReversed()) waiting.push(child);
  }
  return pages;
}

function childrenOf<Page extends PageRecord>(
  pages: readonly Page[],
  here: (page: Page) => boolean,
): Map<string | null, string[]> {
  const children = new Map<string | null, string[]>();
  for (const page of pages) {
    if (!here(page)) continue;
    const siblings = children.get(page.parent);
    if (siblings) siblings.push(page.id);
    else children.set(page.parent, [page.id]);
  }
  return children;
}

/**
 * One order of two: of pages that both sides have, any two stand as the side put them that changed their order; a page
 * of one side follows the page it follows there.
 */
export function mergeOrder(base: readonly string[], ours: readonly string[], theirs: readonly string[]): string[] {
  const inOurs = new Set(ours);
  const inTheirs = new Set(theirs);
  const both = {
    base: base.filter((id) => inOurs.has(id) && inTheirs.has(id)),
    ours: ours.filter((id) => inTheirs.has(id)),
    theirs: theirs.filter((id) => inOurs.has(id)),
  };
  const spine = mergeShared(both.base, both.ours, both.theirs);
  const runs = { ours: runsOf(ours, inTheirs), theirs: runsOf(theirs, inOurs) };
  return [null, ...spine].flatMap((id) => {
    const added = [runs.ours.get(id) ?? [], runs.theirs.get(id) ?? []]
      .filter((run) => run.length > 0)
      .toSorted((a, b) => (a[0]! < b[0]! ? -1 : 1))
      .flat();
    return id === null ? added : [id, ...added];
  });
}

/** What one side alone has, by the shared page it follows. */
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
  const pages = ours.map((id, our) => ({ id, our, their: inTheirs.get(id)!, was: inBase.get(id) ?? -1, wins: 0 }));
  type Page = (typeof pages)[number];
  const before = (one: Page, other: Page): boolean => {
    const inOurs = one.our < other.our;
    if (inOurs === one.their < other.their) return inOurs;
    if (one.was < 0 || other.was < 0) return one.id < other.id;
    return inOurs === one.was < other.was ? !inOurs : inOurs;
  };
  // Pairwise wishes can run in a circle; counting how many each page precedes always gives an order, and the wished
  // one where there is none.
  for (const one of pages) for (const other of pages) if (one !== other && before(one, other)) one.wins += 1;
  return pages.toSorted((a, b) => b.wins - a.wins || (a.id < b.id ? -1 : 1)).map(({ id }) => id);
}

function sameOrder(one: readonly string[], other: readonly string[]): boolean {
  return one.every((id, index) => id === other[index]);
}

export function placesOf(ids: readonly string[]): Map<string, number> {
  return new Map(ids.map((id, index) => [id, index]));
}
