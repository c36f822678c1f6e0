import type { Conflict } from '../../content/merge/merge.ts';
import type { PageRecord } from '../../content/merge/snapshot.ts';
import { mergeOrder } from '../../content/merge/merge-order.ts';
import type { LocalFolder, LocalPage } from '../../content/folder/folder.ts';
import { editSummary, readSummary, type SummaryEntry, writeSummary } from '../../content/folder/summary.ts';
import { joinPath, parentPath } from '../../content/markdown/links.ts';
import { type Preference, winnersById } from '../preference.ts';
import type { PushConflict } from '../plan.ts';
import type { Remote } from '../read-remote.ts';
import { type ListedPage, targetFrom } from '../write-folder.ts';
import { mergeSides } from './merge-sides.ts';
import type { Compared } from './compare.ts';
import { keyOf, type Sides, sidesOf } from './sides.ts';

interface TreeInput extends Preference {
  local: LocalFolder;
  /** With all texts. */
  remote: Remote;
  compared: Compared;
  /** Whether the space wins for every page that it has. */
  overwrite?: boolean | undefined;
}

/** The pages of a folder and a space in one tree. */
export interface MergedTree {
  /** Depth first, with siblings in order. `file` is that of the folder, or null. */
  pages: ListedPage[];
  /** IDs of the pages of the folder, by key. */
  ids: Map<string, string>;
  /** Keys of pages of the folder that cannot be sent. They are not in the tree. */
  skipped: Set<string>;
  /** Whether the tree of the folder differs from its base. */
  isChangedHere: boolean;
  conflicts: PushConflict[];
}

/** Merges the order, nesting and titles of pages. */
export async function mergeTree(input: TreeInput): Promise<MergedTree> {
  const { local, remote, compared, overwrite } = input;
  const texts = new Map(remote.pages.flatMap(({ id, text }) => (text === null ? [] : [[id, text] as const])));
  const sides = sidesOf(local, remote, compared, { remote: texts, base: new Map() }, () => false);
  const three = treesOf(sides, overwrite);
  const isChangedHere = JSON.stringify(three.folder) !== JSON.stringify(sides.base ? three.base : three.app);
  const { pages, conflicts } = await mergeSides(three, { winner: winnersById(input, input, sides.ids) });
  const inApp = new Map(remote.pages.map((page) => [page.id, page]));
  const keys = new Map([...sides.ids].map(([key, id]) => [id, key]));
  const byKey = new Map(local.pages.map((page) => [page.key, page]));
  const ownOf = (id: string) => byKey.get(keys.get(id) ?? keyOf(id));
  const listed = pages.flatMap(({ id, parent, title }): ListedPage[] => {
    const { type = 'document', href } = inApp.get(id) ?? ownOf(id) ?? {};
    const file = ownOf(id)?.file ?? null;
    return type === 'computed' ? [] : [{ id, parent, type, title, file, ...(href !== undefined && { href }) }];
  });
  // Where SUMMARY.md lists a missing file, its line stays.
  const missing = new Set([...compared.held.keys()].filter((id) => !ownOf(id)));
  return {
    pages: without(listed, missing),
    ids: sides.ids,
    skipped: new Set(sides.skipped.map(({ key }) => key)),
    isChangedHere,
    conflicts: conflicts.map((conflict) => described(conflict, sides, ownOf)),
  };
}

/** The sides without texts and metadata, which are merged in the files. */
function treesOf(sides: Sides, overwrite = false): Parameters<typeof mergeSides>[0] {
  const bare = ({ id, parent, title, href }: PageRecord): PageRecord => ({
    id,
    parent,
    title,
    document: '',
    ...(href !== undefined && { href }),
  });
  const [base = [], folder = [], app = []] = [sides.base, sides.folder, sides.app].map((pages) => pages?.map(bare));
  const shared = { texts: sides.texts, fixed: sides.fixed };
  if (!overwrite) return { ...shared, base, folder, app };
  const inApp = new Map(app.map((page) => [page.id, page]));
  return { ...shared, base: app, folder: folder.map((page) => inApp.get(page.id) ?? page), app };
}

function described(
  { page: id, title, kind, members }: Conflict,
  { folder, app, base = [] }: Sides,
  ownOf: (id: string) => { path: string; file: string | null } | undefined,
): PushConflict {
  const [before, here, there] = [base, folder, app].map((pages) => pages.find((page) => page.id === id));
  const { path, file } = ownOf(id) ?? { path: title, file: null };
  return {
    page: id.startsWith('~') ? '' : id,
    title,
    path,
    kind,
    ...(file !== null && { file }),
    ...(kind === 'deleted' && { deletedIn: there ? ('folder' as const) : ('app' as const) }),
    ...(members && {
      members: members.map((member) => ({
        member,
        base: before?.[member] ?? null,
        app: there?.[member] ?? null,
        folder: here?.[member] ?? null,
      })),
    }),
  };
}

interface SummaryInput {
  local: LocalFolder;
  tree: MergedTree;
  /** The file of each page after the pull, by page ID. */
  files: ReadonlyMap<string, string>;
  /** IDs of pages that have no file any more. */
  gone: ReadonlySet<string>;
}

/** The text of an existing SUMMARY.md with the entries for these pages. All other lines and entries stay. */
export function summaryOfTree({ local, tree, files, gone }: SummaryInput): string {
  const text = local.summary ?? '';
  const before = readSummary(text);
  const listed = placesOf(before, local, tree);
  const places = new Map(listed.map((place) => [place.id, place]));
  const titles = new Map(local.pages.map(({ key, title }) => [tree.ids.get(key) ?? '', title]));
  const present = without(tree.pages, gone).map((page): Place => {
    const place = places.get(page.id);
    const isRenamed = titles.get(page.id) !== page.title;
    const entry = entryOf(page, files.get(page.id) ?? null, { place, folder: parentPath(local.summaryPath) });
    return { ...page, entry: place && !isRenamed ? { ...entry, title: place.entry.title } : entry };
  });
  const staying = new Set(present.map(({ id }) => id));
  const removed = listed.filter(({ id, isOther }) => !isOther && !staying.has(id));
  const kept = without(listed, new Set(removed.map(({ id }) => id)));
  const after = entriesBelow(null, kept, present);
  if (outline(before) === outline(after)) return text;
  const edited = editSummary(text, before, after);
  return outline(readSummary(edited)) === outline(after) ? edited : writeSummary(after);
}

/** An entry of SUMMARY.md and its page. */
interface Place {
  id: string;
  parent: string | null;
  entry: SummaryEntry;
  file?: string | null;
  /** Whether it is not the entry of a page of the tree. */
  isOther?: boolean;
}

/** The entries of a SUMMARY.md, depth first, with the IDs of their pages. */
function placesOf(entries: readonly SummaryEntry[], { pages, summaryPath }: LocalFolder, tree: MergedTree): Place[] {
  const folder = parentPath(summaryPath);
  const places: Place[] = [];
  // The pages were read from the entries, in this order.
  let next = 0;
  const walk = (siblings: readonly SummaryEntry[], parent: string | null) => {
    for (const entry of siblings) {
      const page = pages[next];
      const isPage = page !== undefined && leadsTo(entry, page, folder);
      if (isPage) next += 1;
      const isOther = !isPage || tree.skipped.has(page.key);
      const id = isOther ? `?${places.length}` : (tree.ids.get(page.key) ?? '');
      places.push({ id, parent, entry, isOther, file: isPage ? page.file : null });
      walk(entry.children, id);
    }
  };
  walk(entries, null);
  return places;
}

function leadsTo({ kind, target = '', title }: SummaryEntry, page: LocalPage, folder: string): boolean {
  if (kind !== 'page') return page.file === null && page.title === title && (page.href ?? '') === target;
  const path = joinPath(folder, target)?.join('/').toLowerCase();
  const file = page.file?.toLowerCase();
  return path !== undefined && (file === path || file === `${path}.md` || file === `${path}/readme.md`);
}

function entryOf(
  { parent, type, title, href = '' }: ListedPage,
  file: string | null,
  { place, folder }: { place: Place | undefined; folder: string },
): SummaryEntry {
  if (type === 'link') return { kind: 'link', title, target: href, children: [] };
  if (file === null) {
    const isLabel = parent !== null || place?.entry.kind === 'label';
    return { kind: isLabel ? 'label' : 'group', title, children: [] };
  }
  const target = place && place.file === file ? place.entry.target : undefined;
  return { kind: 'page', title, target: target ?? targetFrom(folder, file), children: [] };
}

/** The entries in their new order. Entries without a page stay after the entry that they follow. */
function entriesBelow(parent: string | null, kept: readonly Place[], present: readonly Place[]): SummaryEntry[] {
  const byId = new Map([...kept.filter(({ isOther }) => isOther), ...present].map((place) => [place.id, place]));
  const before = Map.groupBy(
    kept.filter(({ id, parent: above, isOther }) => isOther || byId.get(id)?.parent === above),
    (place) => place.parent,
  );
  const after = Map.groupBy(present, (place) => place.parent);
  const below = (above: string | null): SummaryEntry[] => {
    const [ours, theirs] = [before, after].map((places) => (places.get(above) ?? []).map(({ id }) => id));
    const ids = mergeOrder(ours ?? [], ours ?? [], theirs ?? []);
    return ids.flatMap((id) => {
      const place = byId.get(id);
      return place ? [{ ...place.entry, children: below(id) }] : [];
    });
  };
  return below(parent);
}

/** The pages that are not in the set; those below the others move up. */
function without<Page extends { id: string; parent: string | null }>(
  pages: readonly Page[],
  ids: ReadonlySet<string>,
): Page[] {
  const parents = new Map<string, string | null>();
  return pages.flatMap((page) => {
    const parent = page.parent !== null && parents.has(page.parent) ? (parents.get(page.parent) ?? null) : page.parent;
    if (!ids.has(page.id)) return [{ ...page, parent }];
    parents.set(page.id, parent);
    return [];
  });
}

/** The nesting of entries as text. */
const outline = (entries: readonly SummaryEntry[]): string =>
  JSON.stringify(entries.map(({ kind, title, target = null, children }) => [kind, title, target, outline(children)]));
