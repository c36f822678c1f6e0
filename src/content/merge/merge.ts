import { isObject } from '../../shared/is-object.ts';
import { uniqueSlug } from '../markdown/slug.ts';
import { type Hunk, mergeLines } from './merge-lines.ts';
import { orderPages } from './merge-order.ts';
import type { FileRecord, PageRecord, Snapshot } from './snapshot.ts';

export interface Conflict {
  page: string;
  title: string;
  kind: 'content' | 'metadata' | 'deleted';
  /** For `metadata`: the members that both sides changed. */
  members?: string[];
  /** For `content`: the lines that both sides changed. */
  hunks?: Hunk[];
}

export type Merged<Page, File> =
  | {
      result: 'merged';
      /** Depth first, with siblings in order. */
      pages: Page[];
      files: File[];
      /** New texts by page ID. The `document` of such a page is still that of `ours`. */
      texts: Map<string, string>;
    }
  | { result: 'conflicts'; conflicts: Conflict[] };

/** The text of a document, as the page has it on one side. */
type TextOf = (document: string, page: string, side: 'base' | 'ours' | 'theirs') => string | Promise<string>;

/**
 * Three-way merge of two contents with a common ancestor. A change on one side is applied. Without conflicts, the result
 * does not depend on which side is which.
 */
export async function merge<Page extends PageRecord, File extends FileRecord>(
  base: Snapshot<Page, File>,
  ours: Snapshot<Page, File>,
  theirs: Snapshot<Page, File>,
  textOf: TextOf,
): Promise<Merged<Page, File>> {
  const sides = { base: indexed(base.pages), ours: indexed(ours.pages), theirs: indexed(theirs.pages) };
  const conflicts: Conflict[] = [];
  const kept = new Map<string, Page>();
  const texts = new Map<string, string>();
  for (const id of new Set([...sides.ours.keys(), ...sides.theirs.keys()])) {
    const three = { base: sides.base.get(id), ours: sides.ours.get(id), theirs: sides.theirs.get(id) };
    const page = mergePage(three, conflicts);
    if (!page) continue;
    kept.set(id, page);
    const text = await mergeText(three, textOf, conflicts);
    if (text === undefined) continue;
    if (typeof text === 'string') texts.set(id, text);
    else page.document = text.document;
  }
  reportLostParents(kept, sides, conflicts);
  reportCycles(kept, sides.base, conflicts);
  if (conflicts.length > 0) return { result: 'conflicts', conflicts: inPageOrder(conflicts, ours, theirs) };
  const pages = orderPages(kept, base.pages, ours.pages, theirs.pages);
  separateSlugs(pages, sides.base);
  return { result: 'merged', pages, files: mergeFiles(base.files ?? [], ours.files ?? [], theirs.files ?? []), texts };
}

interface Three<T> {
  base?: T;
  ours?: T;
  theirs?: T;
}

function indexed<T extends { id: string }>(items: readonly T[]): Map<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}

function mergePage<Page extends PageRecord>(three: Three<Page>, conflicts: Conflict[]): Page | undefined {
  const { base, ours, theirs } = three;
  if (!ours || !theirs) {
    const page = ours ?? theirs;
    if (!page || !base) return page && { ...page };
    if (changedMembers(base, page).length > 0 || page.document !== base.document) {
      conflicts.push({ page: page.id, title: page.title, kind: 'deleted' });
    }
    return undefined;
  }
  const page: Page = { ...ours };
  const members: PageRecord = page;
  const clashing: string[] = [];
  for (const member of membersOf(ours, theirs)) {
    const value = pick(base?.[member], ours[member], theirs[member], base !== undefined);
    if (value === clash) clashing.push(member);
    else if (value.value === undefined) delete members[member];
    else members[member] = value.value;
  }
  for (const member of ['createdAt', 'updatedAt']) {
    const later = [ours[member], theirs[member]]
      .filter((time) => typeof time === 'string')
      .toSorted()
      .at(-1);
    if (later !== undefined) members[member] = later;
  }
  if (clashing.length > 0) {
    conflicts.push({ page: page.id, title: ours.title, kind: 'metadata', members: clashing });
  }
  return page;
}

const notMetadata = new Set(['id', 'document', 'createdAt', 'updatedAt']);

function membersOf(one: PageRecord, other: PageRecord): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((member) => !notMetadata.has(member));
}

function changedMembers(base: PageRecord, page: PageRecord): string[] {
  return membersOf(base, page).filter((member) => !equal(base[member], page[member]));
}

const clash = Symbol('changed differently on both sides');

function pick<Value>(base: Value, ours: Value, theirs: Value, hasBase: boolean): { value: Value } | typeof clash {
  if (equal(ours, theirs)) return { value: ours };
  if (hasBase && equal(ours, base)) return { value: theirs };
  if (hasBase && equal(theirs, base)) return { value: ours };
  return clash;
}

// For members of pages, missing, null and false mean the same.
function equal(one: unknown, other: unknown): boolean {
  return one === other || canonical(one ?? false) === canonical(other ?? false);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}

/** The document of the other side, or a new text. Undefined if the document of `ours` is kept. */
async function mergeText(
  { base, ours, theirs }: Three<PageRecord>,
  textOf: TextOf,
  conflicts: Conflict[],
): Promise<{ document: string | null } | string | undefined> {
  if (!ours || !theirs || ours.document === theirs.document) return undefined;
  if (base && theirs.document === base.document) return undefined;
  if (base && ours.document === base.document) return { document: theirs.document };
  const read = async (side: keyof Three<unknown>, page?: PageRecord) =>
    page && page.document !== null ? textOf(page.document, page.id, side) : '';
  const texts = {
    base: await read('base', base),
    ours: await read('ours', ours),
    theirs: await read('theirs', theirs),
  };
  const { text, hunks } = mergeLines(texts.base, texts.ours, texts.theirs);
  if (hunks.length > 0) conflicts.push({ page: ours.id, title: ours.title, kind: 'content', hunks });
  else if (text !== texts.ours) return text === texts.theirs ? { document: theirs.document } : text;
  return undefined;
}

function reportLostParents(
  kept: ReadonlyMap<string, PageRecord>,
  sides: Required<Three<ReadonlyMap<string, PageRecord>>>,
  conflicts: Conflict[],
): void {
  const reported = new Set(conflicts.filter(({ kind }) => kind === 'deleted').map(({ page }) => page));
  for (const { parent } of kept.values()) {
    if (parent === null || kept.has(parent) || reported.has(parent)) continue;
    reported.add(parent);
    const lost = sides.ours.get(parent) ?? sides.theirs.get(parent) ?? sides.base.get(parent);
    conflicts.push({ page: parent, title: lost?.title ?? '', kind: 'deleted' });
  }
}

/** If one side moved A below B and the other moved B below A, both are reported. */
function reportCycles(
  kept: ReadonlyMap<string, PageRecord>,
  base: ReadonlyMap<string, PageRecord>,
  conflicts: Conflict[],
): void {
  const checked = new Set<string>();
  for (const start of kept.keys()) {
    const chain = new Set<PageRecord>();
    let page = kept.get(start);
    while (page && !checked.has(page.id) && !chain.has(page)) {
      chain.add(page);
      page = page.parent === null ? undefined : kept.get(page.parent);
    }
    const cycle = page && chain.has(page) ? [...chain].slice([...chain].indexOf(page)) : [];
    for (const { id, title, parent } of cycle) {
      if (base.get(id)?.parent !== parent) conflicts.push({ page: id, title, kind: 'metadata', members: ['parent'] });
    }
    for (const { id } of chain) checked.add(id);
  }
}

/**
 * Pages of both sides can have the same address. The page that had it in the base keeps it, or else the one with the
 * smallest ID.
 */
function separateSlugs(pages: PageRecord[], base: ReadonlyMap<string, PageRecord>): void {
  for (const group of Map.groupBy(pages, (page) => page.parent).values()) {
    const had = (page: PageRecord) => {
      const before = base.get(page.id);
      return before?.slug === page.slug && before?.parent === page.parent;
    };
    const taken = new Set<string>();
    for (const page of group.toSorted((a, b) => Number(had(b)) - Number(had(a)) || (a.id < b.id ? -1 : 1))) {
      if (page.slug === undefined) continue;
      page.slug = uniqueSlug(page.slug, taken);
      taken.add(page.slug);
    }
  }
}

// Files do not conflict: a file is replaced as a whole, and an edit wins over a deletion.
function mergeFiles<File extends FileRecord>(
  base: readonly File[],
  ours: readonly File[],
  theirs: readonly File[],
): File[] {
  const sides = { base: indexed(base), ours: indexed(ours), theirs: indexed(theirs) };
  const added = [...ours, ...theirs].filter((file) => !sides.base.has(file.id)).map((file) => file.id);
  const files: File[] = [];
  for (const id of [...sides.base.keys(), ...new Set(added.toSorted())]) {
    const [before, mine, other] = [sides.base.get(id), sides.ours.get(id), sides.theirs.get(id)];
    const value = pick(before, mine, other, before !== undefined);
    const file = value === clash ? (mine && other ? later(mine, other) : (mine ?? other)) : value.value;
    if (file) files.push(file);
  }
  return files;
}

function later<File extends FileRecord>(one: File, other: File): File {
  return canonical(one) > canonical(other) ? one : other;
}

function inPageOrder(conflicts: Conflict[], ours: Snapshot, theirs: Snapshot): Conflict[] {
  const ids = new Set([...ours.pages, ...theirs.pages].map((page) => page.id));
  const places = new Map([...ids].map((id, index) => [id, index]));
  // A lost parent can be on neither side.
  const placeOf = ({ page }: Conflict) => places.get(page) ?? 0;
  return conflicts.toSorted((a, b) => placeOf(a) - placeOf(b));
}
