import { diffArrays } from 'diff';
import { longestIncreasingSubsequence } from '../sync/longest-increasing-subsequence.ts';
import { uniqueSlug } from '../markdown/slug.ts';

/**
 * A page as merging sees it. Members not named here count as metadata, each for itself; `createdAt` and `updatedAt` are
 * carried along. The order of siblings is the order of the list.
 */
export interface PageRecord {
  id: string;
  parent: string | null;
  title: string;
  slug?: string;
  /** Names the text: equal names, equal texts. Null for an empty page. */
  document: string | null;
  [member: string]: unknown;
}

export interface FileRecord {
  id: string;
  [member: string]: unknown;
}

export interface Snapshot<Page extends PageRecord = PageRecord, File extends FileRecord = FileRecord> {
  pages: readonly Page[];
  files?: readonly File[];
}

export interface Conflict {
  page: string;
  title: string;
  kind: 'content' | 'metadata' | 'deleted';
  /** With `metadata`: which members both sides changed. */
  members?: string[];
  /** With `content`: the lines that both sides changed. */
  hunks?: Hunk[];
}

export interface Hunk {
  /** Line of the common ancestor, from 1. */
  line: number;
  base: string;
  ours: string;
  theirs: string;
}

export type Merged<Page, File> =
  | {
      result: 'merged';
      /** Depth first, siblings in their order. */
      pages: Page[];
      files: File[];
      /** Texts that neither side has, by page id; such a page's `document` is still that of `ours`. */
      texts: Map<string, string>;
    }
  | { result: 'conflicts'; conflicts: Conflict[] };

/**
 * Three-way merge of two contents with a common ancestor, as the API description has it (open parts, 7, "Change
 * request"): what one side changed is taken. Without conflicts the sides may be swapped and give the same.
 */
export async function merge<Page extends PageRecord, File extends FileRecord>(
  base: Snapshot<Page, File>,
  ours: Snapshot<Page, File>,
  theirs: Snapshot<Page, File>,
  textOf: (document: string) => string | Promise<string>,
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
  const pages = ordered(kept, base.pages, ours.pages, theirs.pages);
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
    const there = (ours ?? theirs)!;
    if (!base) return { ...there };
    if (changedMembers(base, there).length > 0 || there.document !== base.document) {
      conflicts.push({ page: there.id, title: there.title, kind: 'deleted' });
    }
    return undefined;
  }
  const page: Page = { ...ours };
  const clashing: string[] = [];
  for (const member of membersOf(ours, theirs)) {
    const value = pick(base?.[member], ours[member], theirs[member], base !== undefined);
    if (value === clash) clashing.push(member);
    else if (value.value === undefined) delete page[member];
    else (page as PageRecord)[member] = value.value;
  }
  for (const member of ['createdAt', 'updatedAt']) {
    const later = [ours[member], theirs[member]]
      .filter((time) => typeof time === 'string')
      .toSorted()
      .at(-1);
    if (later !== undefined) (page as PageRecord)[member] = later;
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

function pick(base: unknown, ours: unknown, theirs: unknown, hasBase: boolean): { value: unknown } | typeof clash {
  if (equal(ours, theirs)) return { value: ours };
  if (hasBase && equal(ours, base)) return { value: theirs };
  if (hasBase && equal(theirs, base)) return { value: ours };
  return clash;
}

// Absent, null and false say the same of a page's members.
function equal(one: unknown, other: unknown): boolean {
  return one === other || canonical(one ?? false) === canonical(other ?? false);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

// ---- texts

/** Undefined when the document of `ours` stands, the other side's document, or a text that is new. */
async function mergeText(
  { base, ours, theirs }: Three<PageRecord>,
  textOf: (document: string) => string | Promise<string>,
  conflicts: Conflict[],
): Promise<{ document: string | null } | string | undefined> {
  if (!ours || !theirs || ours.document === theirs.document) return undefined;
  if (base && theirs.document === base.document) return undefined;
  if (base && ours.document === base.document) return { document: theirs.document };
  const read = async (page?: PageRecord) => (page && page.document !== null ? textOf(page.document) : '');
  const texts = { base: await read(base), ours: await read(ours), theirs: await read(theirs) };
  const { text, hunks } = mergeLines(texts.base, texts.ours, texts.theirs);
  if (hunks.length > 0) conflicts.push({ page: ours.id, title: ours.title, kind: 'content', hunks });
  else if (text !== texts.ours) return text === texts.theirs ? { document: theirs.document } : text;
  return undefined;
}

/**
 * Three-way merge of texts by lines. Lines beside each other may be changed by different sides; `hunks` are the places
 * that both changed, there `text` keeps ours.
 */
export function mergeLines(base: string, ours: string, theirs: string): { text: string; hunks: Hunk[] } {
  if (ours === theirs || theirs === base) return { text: ours, hunks: [] };
  if (ours === base) return { text: theirs, hunks: [] };
  const lines = linesOf(base);
  const changes = [
    ...changesOf(lines, linesOf(ours)).map((change) => ({ ...change, side: 'ours' as const })),
    ...changesOf(lines, linesOf(theirs)).map((change) => ({ ...change, side: 'theirs' as const })),
  ].toSorted((a, b) => a.from - b.from || a.to - b.to);
  const hunks: Hunk[] = [];
  let text = '';
  let done = 0;
  for (let at = 0; at < changes.length;) {
    const group = [changes[at]!];
    let { to } = changes[at]!;
    for (at += 1; at < changes.length && overlaps(group, to, changes[at]!); at += 1) {
      group.push(changes[at]!);
      to = Math.max(to, changes[at]!.to);
    }
    const from = group[0]!.from;
    text += lines.slice(done, from).join('');
    done = to;
    const versions = {
      ours: applied(group, 'ours', lines, from, to),
      theirs: applied(group, 'theirs', lines, from, to),
    };
    const sides = new Set(group.map((change) => change.side));
    if (sides.size === 1) text += versions[group[0]!.side];
    else {
      text += versions.ours;
      if (versions.ours !== versions.theirs) {
        hunks.push({ line: from + 1, base: lines.slice(from, to).join(''), ...versions });
      }
    }
  }
  return { text: text + lines.slice(done).join(''), hunks };
}

interface Change {
  /** Lines of the base that are replaced; none for an insertion. */
  from: number;
  to: number;
  lines: string[];
}

// Two insertions at one place have no order of their own, and a line without an end cannot have another behind it.
function overlaps(group: (Change & { side: string })[], to: number, next: Change & { side: string }): boolean {
  if (next.from < to) return true;
  if (next.from > to || group.every((change) => change.side === next.side)) return false;
  const inserted = group.some((change) => change.from === change.to) && next.from === next.to;
  return inserted || group.at(-1)!.lines.at(-1)?.endsWith('\n') === false;
}

function applied(
  group: (Change & { side: string })[],
  side: string,
  lines: readonly string[],
  from: number,
  to: number,
): string {
  let text = '';
  let done = from;
  for (const change of group) {
    if (change.side !== side) continue;
    text += lines.slice(done, change.from).join('') + change.lines.join('');
    done = change.to;
  }
  return text + lines.slice(done, to).join('');
}

// Line ends belong to their lines, so that a text's own kind of them survives.
function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

// The search for common lines takes the square of how many differ. Lines that each side has once divide the text before
// it; where too much differs between two of them, that counts as one change.
const maxSteps = 2_000_000;

function changesOf(base: readonly string[], side: readonly string[]): Change[] {
  const changes: Change[] = [];
  let left = maxSteps;
  let [from, start] = [0, 0];
  for (const [to, end] of [...sharedOnce(base, side), [base.length, side.length] as const]) {
    if (from < to || start < end) {
      const between = changesBetween(base.slice(from, to), side.slice(start, end), Math.floor(Math.sqrt(left)));
      left -= between.steps;
      for (const change of between.changes) changes.push({ ...change, from: change.from + from, to: change.to + from });
    }
    from = to + 1;
    start = end + 1;
  }
  return changes;
}

/** Where the lines stand, here and there, that both have once and in one order. */
function sharedOnce(base: readonly string[], side: readonly string[]): [number, number][] {
  const here = placesOfSingle(base);
  const there = placesOfSingle(side);
  const shared = [...here.keys()].filter((line) => there.has(line));
  return longestIncreasingSubsequence(shared, (line) => there.get(line)!).map((line) => [
    here.get(line)!,
    there.get(line)!,
  ]);
}

function placesOfSingle(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [at, line] of lines.entries()) {
    if (places.has(line)) repeated.add(line);
    else places.set(line, at);
  }
  for (const line of repeated) places.delete(line);
  return places;
}

function changesBetween(
  base: readonly string[],
  side: readonly string[],
  maxEdits: number,
): { changes: Change[]; steps: number } {
  let head = 0;
  while (head < base.length && head < side.length && base[head] === side[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(base.length, side.length) - head && base.at(-1 - tail) === side.at(-1 - tail)) tail += 1;
  const from = base.slice(head, base.length - tail);
  const to = side.slice(head, side.length - tail);
  if (from.length === 0 && to.length === 0) return { changes: [], steps: 0 };
  const whole = { from: head, to: head + from.length, lines: to };
  if (from.length === 0 || to.length === 0) return { changes: [whole], steps: 0 };
  const parts = diffArrays(from, to, { maxEditLength: maxEdits });
  if (!parts) return { changes: [whole], steps: maxEdits ** 2 };
  const changes: Change[] = [];
  let at = head;
  let edits = 0;
  for (const { value, added, removed } of parts) {
    if (added || removed) {
      edits += value.length;
      const last = changes.at(-1);
      const change = last?.to === at ? last : { from: at, to: at, lines: [] };
      if (change !== last) changes.push(change);
      if (added) change.lines = change.lines.concat(value);
      else change.to += value.length;
    }
    if (!added) at += value.length;
  }
  return { changes, steps: edits ** 2 };
}

// ---- the tree

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

/** A moved below B on one side and B below A on the other: both places are reported. */
function reportCycles(
  kept: ReadonlyMap<string, PageRecord>,
  base: ReadonlyMap<string, PageRecord>,
  conflicts: Conflict[],
): void {
  const safe = new Set<string>();
  for (const start of kept.keys()) {
    const line = new Set<string>();
    let at: string | null = start;
    while (at !== null && kept.has(at) && !safe.has(at) && !line.has(at)) {
      line.add(at);
      at = kept.get(at)!.parent;
    }
    const cycle = at !== null && line.has(at) ? [...line].slice([...line].indexOf(at)) : [];
    for (const id of cycle) {
      const page = kept.get(id)!;
      if (base.get(id)?.parent === page.parent) continue;
      conflicts.push({ page: id, title: page.title, kind: 'metadata', members: ['parent'] });
    }
    for (const id of line) safe.add(id);
  }
}

/** The kept pages depth first, siblings in the merged order. */
function ordered<Page extends PageRecord>(
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

function placesOf(ids: readonly string[]): Map<string, number> {
  return new Map(ids.map((id, index) => [id, index]));
}

/** Pages of both sides may have come to the same address; who had it in the base keeps it, else the first id. */
function separateSlugs(pages: PageRecord[], base: ReadonlyMap<string, PageRecord>): void {
  const siblings = Map.groupBy(
    pages.filter((page) => page.slug !== undefined),
    (page) => page.parent,
  );
  for (const group of siblings.values()) {
    const had = (page: PageRecord) => {
      const before = base.get(page.id);
      return before?.slug === page.slug && before?.parent === page.parent;
    };
    const taken = new Set<string>();
    for (const page of group.toSorted((a, b) => Number(had(b)) - Number(had(a)) || (a.id < b.id ? -1 : 1))) {
      page.slug = uniqueSlug(page.slug!, taken);
      taken.add(page.slug);
    }
  }
}

// ---- files

// Files cannot conflict: a file is replaced as a whole, and an edit outlives a deletion.
function mergeFiles<File extends FileRecord>(
  base: readonly File[],
  ours: readonly File[],
  theirs: readonly File[],
): File[] {
  const sides = { base: indexed(base), ours: indexed(ours), theirs: indexed(theirs) };
  const added = [...ours, ...theirs].filter((file) => !sides.base.has(file.id)).map((file) => file.id);
  const files: File[] = [];
  for (const id of [...sides.base.keys(), ...new Set(added.toSorted())]) {
    const [was, mine, other] = [sides.base.get(id), sides.ours.get(id), sides.theirs.get(id)];
    const value = pick(was, mine, other, was !== undefined);
    const file = value === clash ? (mine && other ? later(mine, other) : (mine ?? other)) : (value.value as File);
    if (file) files.push(file);
  }
  return files;
}

function later<File extends FileRecord>(one: File, other: File): File {
  return canonical(one) > canonical(other) ? one : other;
}

function inPageOrder(conflicts: Conflict[], ours: Snapshot, theirs: Snapshot): Conflict[] {
  const places = placesOf([...new Set([...ours.pages, ...theirs.pages].map((page) => page.id))]);
  return conflicts.toSorted((a, b) => (places.get(a.page) ?? 0) - (places.get(b.page) ?? 0));
}
