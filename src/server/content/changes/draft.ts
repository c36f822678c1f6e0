import { generateKeyBetween } from 'fractional-indexing';
import { uniqueSlug } from '../../../content/markdown/slug.ts';
import {
  compareSiblings,
  findPage,
  type PageRow,
  type PageState,
  type PageWrite,
  siblingsUnder,
  stateOf,
} from '../../../store/content.ts';
import type { Snapshot } from '../../../store/snapshots.ts';
import type { Db } from '../../../store/store.ts';

/** Pages nest at most so deep: what walks the tree of pages may recurse. */
export const maxNesting = 50;

interface Touched {
  /** What it was before; absent for a new page. */
  before: PageRow | undefined;
  /** Absent once it is deleted. */
  state: PageState | undefined;
  /** Where a slug was asked for: it is not changed to make room. */
  slugAsked?: string | undefined;
}

type Standing = Pick<PageRow, 'page' | 'position' | 'slug' | 'title'>;

const standing = (page: string, { position, slug, title }: PageState): Standing => ({ page, position, slug, title });

/** Two pages of one parent that ask for the same slug. */
export class SlugTaken extends Error {
  readonly path: string;
  readonly holder: string;

  constructor(path: string, holder: string) {
    super(`The slug is that of the page "${holder}".`);
    this.path = path;
    this.holder = holder;
  }
}

/** Pages under one parent, in their order. */
class Siblings {
  readonly #rows: Standing[];
  readonly #pages: Set<string>;

  constructor(rows: Standing[]) {
    this.#rows = rows.toSorted(compareSiblings);
    this.#pages = new Set(rows.map((row) => row.page));
  }

  get rows(): readonly Standing[] {
    return this.#rows;
  }

  has(page: string): boolean {
    return this.#pages.has(page);
  }

  add(row: Standing): void {
    this.#rows.splice(this.#placeOf(row), 0, row);
    this.#pages.add(row.page);
  }

  remove(row: Pick<Standing, 'page' | 'position'>): void {
    if (this.#pages.delete(row.page)) this.#rows.splice(this.#placeOf(row), 1);
  }

  /** How many stand before it: found by halves, as an import adds thousands. */
  #placeOf(row: Pick<Standing, 'page' | 'position'>): number {
    let [low, high] = [0, this.#rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const each = this.#rows[middle]!;
      if (each.page !== row.page && compareSiblings(each, row) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** A content being changed: what is touched is here, all else is read from the snapshot when it is needed. */
export class Draft {
  readonly #db: Db;
  readonly #at: Snapshot;
  readonly #touched = new Map<string, Touched>();
  /** Touched pages by the parent that they have now. */
  readonly #touchedUnder = new Map<string | null, Set<string>>();
  readonly #lists = new Map<string | null, Siblings>();

  constructor(db: Db, at: Snapshot) {
    this.#db = db;
    this.#at = at;
  }

  /** Ids of touched pages, in the order of the first touch. */
  get touched(): Iterable<[page: string, touched: Readonly<Touched>]> {
    return this.#touched;
  }

  async find(page: string): Promise<PageState | undefined> {
    const touched = this.#touched.get(page);
    if (touched) return touched.state;
    const row = await findPage(this.#db, this.#at, page);
    return row && stateOf(row);
  }

  /** The pages under one, or on the top level, in their order, as they are now: a change shows in it. */
  async children(parent: string | null): Promise<readonly Standing[]> {
    return (await this.#siblings(parent)).rows;
  }

  async #siblings(parent: string | null): Promise<Siblings> {
    const known = this.#lists.get(parent);
    if (known) return known;
    const rows = await siblingsUnder(this.#db, this.#at, parent);
    const list: Standing[] = rows.filter((row) => !this.#touched.has(row.page));
    for (const page of this.#touchedUnder.get(parent) ?? []) list.push(standing(page, this.#touched.get(page)!.state!));
    const siblings = new Siblings(list);
    this.#lists.set(parent, siblings);
    return siblings;
  }

  /** How many pages stand above. */
  async depth(page: string | null): Promise<number> {
    let depth = 0;
    for (let at = page; at !== null; depth += 1) at = (await this.find(at))?.parent ?? null;
    return depth;
  }

  /** How many levels a page and those under it take; it may stop counting beyond the most that is allowed. */
  async height(page: string): Promise<number> {
    let height = 0;
    for (let level = [page]; level.length > 0 && height <= maxNesting; height += 1) {
      const below: string[] = [];
      for (const each of level) below.push(...(await this.children(each)).map((child) => child.page));
      level = below;
    }
    return height;
  }

  /** Whether `page` is `above` itself or lies anywhere below it. */
  async isWithin(page: string, above: string): Promise<boolean> {
    for (let at: string | null = page; at !== null; at = (await this.find(at))?.parent ?? null) {
      if (at === above) return true;
    }
    return false;
  }

  async put(page: string, state: PageState | undefined, slugAsked?: string): Promise<void> {
    const known = this.#touched.get(page);
    const before = known ? known.before : await findPage(this.#db, this.#at, page);
    this.#touch(page, { before, state, slugAsked: slugAsked ?? known?.slugAsked }, known ? known.state : before);
  }

  /** Puts a page that is not there yet, without a look whether it is. */
  add(page: string, state: PageState): void {
    this.#touch(page, { before: undefined, state }, undefined);
  }

  #touch(page: string, touched: Touched, from: Pick<PageState, 'parent' | 'position'> | undefined): void {
    if (from) {
      this.#lists.get(from.parent)?.remove({ page, position: from.position });
      this.#touchedUnder.get(from.parent)?.delete(page);
    }
    const { state } = touched;
    if (state) {
      this.#lists.get(state.parent)?.add(standing(page, state));
      const under = this.#touchedUnder.get(state.parent);
      if (under) under.add(page);
      else this.#touchedUnder.set(state.parent, new Set([page]));
    }
    this.#touched.set(page, touched);
  }

  /** Takes a page away with all under it. */
  async remove(page: string): Promise<void> {
    const children = [...(await this.children(page))];
    await this.put(page, undefined);
    for (const child of children) await this.remove(child.page);
  }

  /**
   * A position for a page under `parent`, before the one that is at `at` now, or at the end.
   * `page` itself does not count among them.
   */
  async placeUnder(parent: string | null, page: string, at?: number): Promise<string> {
    const all = await this.#siblings(parent);
    const siblings = all.has(page) ? all.rows.filter((each) => each.page !== page) : all.rows;
    const index = Math.min(at ?? siblings.length, siblings.length);
    const before = siblings[index - 1]?.position ?? null;
    const next = siblings[index]?.position ?? null;
    if (before === null || next === null || before < next) return generateKeyBetween(before, next);
    // Two that were put in the same place by different hands leave no room between them: the later ones move up.
    const free = siblings.findIndex((each) => each.position > before);
    const end = free < 0 ? null : siblings[free]!.position;
    const position = generateKeyBetween(before, end);
    let last = position;
    for (const each of siblings.slice(index, free < 0 ? undefined : free)) {
      last = generateKeyBetween(last, end);
      await this.put(each.page, { ...(await this.find(each.page))!, position: last });
    }
    return position;
  }

  /**
   * Gives every page that came or moved a slug of its own among its siblings.
   *
   * @throws SlugTaken where a slug was asked for that another page has
   */
  async separateSlugs(): Promise<void> {
    const parents = new Set<string | null>();
    for (const { before, state } of this.#touched.values()) {
      if (state && (before?.slug !== state.slug || before.parent !== state.parent)) parents.add(state.parent);
    }
    for (const parent of parents) await this.#separateUnder(parent);
  }

  async #separateUnder(parent: string | null): Promise<void> {
    const siblings = await this.children(parent);
    const slugs = Map.groupBy(siblings, (each) => each.slug);
    const taken = new Set(slugs.keys());
    for (const [slug, sharing] of slugs) {
      if (sharing.length === 1 || slug === '') continue;
      const [holder, ...others] = sharing.toSorted((a, b) => this.#rank(a.page, parent) - this.#rank(b.page, parent));
      for (const { page } of others) {
        const slugAsked = this.#touched.get(page)?.slugAsked;
        if (slugAsked !== undefined) throw new SlugTaken(slugAsked, holder!.title);
        const separate = uniqueSlug(slug, taken);
        taken.add(separate);
        await this.put(page, { ...(await this.find(page))!, slug: separate });
      }
    }
  }

  // Who has the slug keeps it; then who asked for it.
  #rank(page: string, parent: string | null): number {
    const touched = this.#touched.get(page);
    if (!touched) return 0;
    const { before, state, slugAsked } = touched;
    if (before?.slug === state?.slug && before?.parent === parent) return 0;
    return slugAsked === undefined ? 2 : 1;
  }

  /**
   * What to write for the touched pages. On a request's line a page that is again as in main content needs no row of
   * its own, and one that main content has must be taken away by a row.
   */
  async writes(now: string): Promise<PageWrite[]> {
    const writes: PageWrite[] = [];
    const main = this.#at.line === '' ? undefined : { ...this.#at, line: '', own: 0 };
    for (const [page, { before, state }] of this.#touched) {
      if (!state && !before) continue;
      if (state && before && isSame(state, before)) continue;
      const inMain = main && (await findPage(this.#db, main, page));
      if (!state) writes.push({ page, ...(inMain ? { tombstone: true } : {}) });
      else if (inMain && isSame(state, inMain)) writes.push({ page });
      else writes.push({ page, state: { ...state, updated_at: now } });
    }
    return writes;
  }
}

/** Whether two states of a page differ in nothing but their times. */
export function isSame(a: PageState, b: PageState): boolean {
  return (Object.keys(blank) as (keyof typeof blank)[]).every((member) => a[member] === b[member]);
}

const blank: Record<Exclude<keyof PageState, 'created_at' | 'updated_at'>, true> = {
  parent: true,
  position: true,
  type: true,
  title: true,
  slug: true,
  emoji: true,
  icon: true,
  description: true,
  document: true,
  hidden: true,
  no_index: true,
  no_robots_index: true,
  extra: true,
};
