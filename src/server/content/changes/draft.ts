import { generateKeyBetween } from 'fractional-indexing';
import { uniqueSlug } from '../../../content/markdown/slug.ts';
import {
  type PageRow,
  type PageState,
  type PageWrite,
  compareSiblings,
  findPage,
  siblingsUnder,
  stateOf,
} from '../../../store/content.ts';
import type { Snapshot } from '../../../store/snapshots.ts';
import type { Db } from '../../../store/store.ts';
import { baseOf } from '../find-content.ts';

/** The maximum depth of pages: functions that walk the tree of pages can be recursive. */
export const maxNesting = 50;

interface PageChange {
  /** The page in the snapshot; absent for a new page. */
  before: PageRow | undefined;
  /** The page now; absent for a deleted page. */
  state: PageState | undefined;
  /** JSON Pointer of the slug in the request, if it has one. Such a slug is not changed to be unique. */
  slugPath?: string | undefined;
}

const siblingOf = (page: string, { position, slug, title }: PageState): Sibling => ({ page, position, slug, title });

/** Two pages of one parent for which the request has the same slug. */
export class SlugTaken extends Error {
  /** JSON Pointer of the slug. */
  readonly path: string;
  /** Title of the other page. */
  readonly otherPage: string;

  constructor(path: string, otherPage: string) {
    super(`The page "${otherPage}" has this slug.`);
    this.path = path;
    this.otherPage = otherPage;
  }
}

/** A content with changes that are not written yet: changed pages are kept here, others are read when needed. */
export class Draft {
  readonly #db: Db;
  readonly #snapshot: Snapshot;
  readonly #read = new Map<string, PageRow | undefined>();
  readonly #changed = new Map<string, PageChange>();
  /** Changed pages by the parent that they have now. */
  readonly #changedUnder = new Map<string | null, Map<string, PageState>>();
  readonly #siblings = new Map<string | null, Siblings>();

  constructor(db: Db, snapshot: Snapshot) {
    this.#db = db;
    this.#snapshot = snapshot;
  }

  /** Changed pages by their ids, in the order of the first change. */
  get changed(): Iterable<[page: string, change: Readonly<PageChange>]> {
    return this.#changed;
  }

  async find(page: string): Promise<PageState | undefined> {
    const change = this.#changed.get(page);
    if (change) return change.state;
    const row = await this.#original(page);
    return row && stateOf(row);
  }

  async #original(page: string): Promise<PageRow | undefined> {
    if (!this.#read.has(page)) this.#read.set(page, await findPage(this.#db, this.#snapshot, page));
    return this.#read.get(page);
  }

  /** A page that must be there: a missing one is an error in this program. */
  async get(page: string): Promise<PageState> {
    const state = await this.find(page);
    if (!state) throw new Error(`There is no page ${page}.`);
    return state;
  }

  /** The pages under one, or on the top level, in their order. The result follows later changes. */
  async children(parent: string | null): Promise<readonly Sibling[]> {
    return (await this.#siblingsUnder(parent)).rows;
  }

  async #siblingsUnder(parent: string | null): Promise<Siblings> {
    const existing = this.#siblings.get(parent);
    if (existing) return existing;
    const rows = await siblingsUnder(this.#db, this.#snapshot, parent);
    const list: Sibling[] = rows.filter((row) => !this.#changed.has(row.page));
    for (const [page, state] of this.#changedUnder.get(parent) ?? []) list.push(siblingOf(page, state));
    const siblings = new Siblings(list);
    this.#siblings.set(parent, siblings);
    return siblings;
  }

  /** The page and its ancestors, from the page up. */
  async *#ancestors(page: string | null): AsyncGenerator<string> {
    for (let current = page; current !== null; current = (await this.find(current))?.parent ?? null) yield current;
  }

  /** On how many levels the page and its ancestors are. */
  async depth(page: string | null): Promise<number> {
    let depth = 0;
    for await (const _ of this.#ancestors(page)) depth += 1;
    return depth;
  }

  /** On how many levels the page and those under it are; counts no further than just above the allowed maximum. */
  async height(page: string): Promise<number> {
    let height = 0;
    for (let level = [page]; level.length > 0 && height <= maxNesting; height += 1) {
      const below: string[] = [];
      for (const parent of level) below.push(...(await this.children(parent)).map((child) => child.page));
      level = below;
    }
    return height;
  }

  /** Whether `page` is `ancestor` itself or anywhere below it. */
  async isWithin(page: string, ancestor: string): Promise<boolean> {
    for await (const current of this.#ancestors(page)) if (current === ancestor) return true;
    return false;
  }

  async put(page: string, state: PageState | undefined, slugPath?: string): Promise<void> {
    const earlier = this.#changed.get(page);
    const before = earlier ? earlier.before : await this.#original(page);
    const change = { before, state, slugPath: slugPath ?? earlier?.slugPath };
    this.#change(page, change, earlier ? earlier.state : before);
  }

  /** Adds a page that is certainly new. */
  add(page: string, state: PageState): void {
    this.#change(page, { before: undefined, state }, undefined);
  }

  #change(page: string, change: PageChange, from: Pick<PageState, 'parent' | 'position'> | undefined): void {
    if (from) {
      this.#siblings.get(from.parent)?.remove({ page, position: from.position });
      this.#changedUnder.get(from.parent)?.delete(page);
    }
    const { state } = change;
    if (state) {
      this.#siblings.get(state.parent)?.add(siblingOf(page, state));
      const changedSiblings = this.#changedUnder.get(state.parent);
      if (changedSiblings) changedSiblings.set(page, state);
      else this.#changedUnder.set(state.parent, new Map([[page, state]]));
    }
    this.#changed.set(page, change);
  }

  /** Deletes a page with all under it. */
  async remove(page: string): Promise<void> {
    const children = [...(await this.children(page))];
    await this.put(page, undefined);
    for (const child of children) await this.remove(child.page);
  }

  /**
   * A position for a page under `parent`, before the sibling that has this index now, or at the end. The page itself is
   * not counted as a sibling.
   */
  async positionUnder(parent: string | null, page: string, newIndex = Infinity): Promise<string> {
    const all = await this.#siblingsUnder(parent);
    const siblings = all.has(page) ? all.rows.filter((sibling) => sibling.page !== page) : all.rows;
    const index = Math.min(newIndex, siblings.length);
    const before = siblings[index - 1]?.position ?? null;
    const next = siblings[index]?.position ?? null;
    if (before === null || next === null || before < next) return generateKeyBetween(before, next);
    return this.#makeRoom(siblings, index, before);
  }

  /**
   * Siblings that two changes put at the same place have the same position, with no room between them: those after the
   * new page get later positions.
   */
  async #makeRoom(siblings: readonly Sibling[], index: number, before: string): Promise<string> {
    const firstLater = siblings.findIndex((sibling) => sibling.position > before);
    const end = siblings[firstLater]?.position ?? null;
    const position = generateKeyBetween(before, end);
    let last = position;
    for (const sibling of siblings.slice(index, firstLater < 0 ? undefined : firstLater)) {
      last = generateKeyBetween(last, end);
      await this.put(sibling.page, { ...(await this.get(sibling.page)), position: last });
    }
    return position;
  }

  /**
   * Gives every page that was added or moved a slug that no sibling has.
   *
   * @throws SlugTaken if the request has a slug that another page has
   */
  async separateSlugs(): Promise<void> {
    const parents = new Set<string | null>();
    for (const { before, state } of this.#changed.values()) {
      if (state && (before?.slug !== state.slug || before.parent !== state.parent)) parents.add(state.parent);
    }
    for (const parent of parents) await this.#separateUnder(parent);
  }

  async #separateUnder(parent: string | null): Promise<void> {
    const siblings = await this.children(parent);
    const slugs = Map.groupBy(siblings, (sibling) => sibling.slug);
    const taken = new Set(slugs.keys());
    for (const [slug, sharing] of slugs) {
      if (slug === '' || sharing.length === 1) continue;
      const [keeper, ...others] = sharing.toSorted((a, b) => this.#rank(a.page, parent) - this.#rank(b.page, parent));
      for (const { page } of others) {
        const slugPath = this.#changed.get(page)?.slugPath;
        if (slugPath !== undefined && keeper) throw new SlugTaken(slugPath, keeper.title);
        const separate = uniqueSlug(slug, taken);
        taken.add(separate);
        await this.put(page, { ...(await this.get(page)), slug: separate });
      }
    }
  }

  /** Pages that had the slug before come first, then those for which the request has it. */
  #rank(page: string, parent: string | null): number {
    const change = this.#changed.get(page);
    if (!change) return 0;
    const { before, state, slugPath } = change;
    if (before?.slug === state?.slug && before?.parent === parent) return 0;
    return slugPath === undefined ? 2 : 1;
  }

  /**
   * What to write for the changed pages. In a change request, a page that is again as in main content needs no row, and
   * a deleted page that main content has needs a row that deletes it.
   */
  async writes(now: string): Promise<PageWrite[]> {
    const writes: PageWrite[] = [];
    const base = this.#snapshot.branch === '' ? undefined : baseOf(this.#snapshot);
    for (const [page, { before, state }] of this.#changed) {
      if (!state && !before) continue;
      if (state && before && isSame(state, before)) continue;
      const inBase = base && (await findPage(this.#db, base, page));
      if (!state) writes.push({ page, ...(inBase ? { tombstone: true } : {}) });
      else if (inBase && isSame(state, inBase)) writes.push({ page });
      else writes.push({ page, state: { ...state, updated_at: now } });
    }
    return writes;
  }
}

/** Whether two states of a page differ only in their times. */
export const isSame = (a: PageState, b: PageState): boolean => hasSameValues(comparedColumns, a, b);

function hasSameValues<Columns extends object>(
  columns: Columns,
  a: Record<keyof Columns, unknown>,
  b: Record<keyof Columns, unknown>,
): boolean {
  for (const column in columns) if (a[column] !== b[column]) return false;
  return true;
}

// A record, so that a new column that is missing here does not compile.
const comparedColumns: Record<Exclude<keyof PageState, 'created_at' | 'updated_at'>, true> = {
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

type Sibling = Pick<PageRow, 'page' | 'position' | 'slug' | 'title'>;

/** Pages under one parent, in their order. */
class Siblings {
  readonly #rows: Sibling[];
  readonly #pages: Set<string>;

  constructor(rows: Sibling[]) {
    this.#rows = rows.toSorted(compareSiblings);
    this.#pages = new Set(rows.map((row) => row.page));
  }

  get rows(): readonly Sibling[] {
    return this.#rows;
  }

  has(page: string): boolean {
    return this.#pages.has(page);
  }

  add(row: Sibling): void {
    this.#rows.splice(this.#indexOf(row), 0, row);
    this.#pages.add(row.page);
  }

  remove(row: Pick<Sibling, 'page' | 'position'>): void {
    if (this.#pages.delete(row.page)) this.#rows.splice(this.#indexOf(row), 1);
  }

  /** How many are before it: by binary search, because an import adds thousands. */
  #indexOf(row: Pick<Sibling, 'page' | 'position'>): number {
    let [low, high] = [0, this.#rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const sibling = this.#rows[middle];
      if (sibling && sibling.page !== row.page && compareSiblings(sibling, row) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
