import type { LocalFolder, LocalPage, OnFile, Problem } from '../content/folder/folder.ts';
import { metaMembers, type PageMeta } from '../content/folder/page-info.ts';
import type { Conflict } from '../content/merge/merge.ts';
import type { Hunk } from '../content/merge/merge-lines.ts';
import type { PageRecord } from '../content/merge/snapshot.ts';
import { longestIncreasingSubsequence } from '../shared/longest-increasing-subsequence.ts';
import type { Remote, RemotePage } from './read-remote.ts';
import { PageWriter } from './write-folder.ts';
import { winnersById } from './preference.ts';
import {
  addressOfFile,
  type LinkTargets,
  linkTargets,
  newPageId,
  pageIdsIn,
  withFileAddresses,
  withStableLinks,
} from './page-links.ts';
import { leadsElsewhere, linksToDeleted, showsAny } from './push-text.ts';
import { type MergeOptions, mergeSides, type MergeTexts } from './three-way/merge-sides.ts';
import { mergeFileNames, otherFiles } from './three-way/merge-files.ts';
import { isNewRecord, layoutFor, type PushRecord, recordPages } from './three-way/record.ts';
import type { Compared } from './three-way/compare.ts';
import { keyOf, metaOf, type ReadTexts, type Sides, sidesOf } from './three-way/sides.ts';

/** A page by its ID, or by its key until it has an ID. */
export type PageRef = { id: string } | { key: string };

type PageFields = PageMeta & { title?: string; slug?: string };

export type Operation =
  | { kind: 'upload'; name: string; bytes: Uint8Array }
  | {
      kind: 'add';
      key: string;
      path: string;
      parent: PageRef | null;
      /** Place among the siblings when the operation is sent. */
      index: number;
      fields: PageFields;
      text: string | null;
    }
  | { kind: 'move'; id: string; path: string; from: string; parent: PageRef | null; index: number }
  | { kind: 'change'; id: string; path: string; fields: PageFields; text?: string }
  | { kind: 'delete'; id: string; path: string; title: string };

/** A page that the folder and the space both changed, with both versions. */
export interface PushConflict extends Omit<Conflict, 'hunks' | 'members'> {
  path: string;
  /** The file of the page, relative to the docs' root. */
  file?: string;
  /** With `deleted`: the side that deleted the page. */
  deletedIn?: 'app' | 'folder';
  /** With `metadata`: the values of each side. */
  members?: { member: string; base: unknown; app: unknown; folder: unknown }[];
  hunks?: ReturnType<typeof sidesOfHunks>;
  /** With `content`: the whole texts. */
  texts?: { app: string; folder: string };
}

/** @param hunks with the folder as `ours` */
export const sidesOfHunks = (hunks: readonly Hunk[]) =>
  hunks.map(({ line, base, ours, theirs }) => ({ line, base, app: theirs, folder: ours }));

export interface Plan {
  /** In the order in which they are sent: files, pages from the top, deletions. */
  operations: Operation[];
  /** The number of unchanged pages of the folder. */
  unchanged: number;
  /** Titles of pages that only the app changed, created or deleted, which the push keeps. */
  kept: string[];
  /** Titles of pages that both sides changed, in different places. */
  merged: string[];
  /** Pages that both sides changed in the same places. If there are any, nothing else is planned. */
  conflicts: PushConflict[];
  /** Whether the folder was never pushed, and the space has pages that differ from it. */
  isFirst: boolean;
  /** Problems with pages that cannot be pushed, because the service has no endpoint for them. */
  notes: Problem[];
  /** Files of pages that are kept, because they cannot be read. */
  held: string[];
  record: PushRecord;
}

export interface PlanInput {
  local: LocalFolder;
  remote: Remote;
  compared: Compared;
  read: ReadTexts;
  options: MergeOptions;
}

/**
 * The operations that apply the changes in the folder since its base to the space. Pages are matched by the base, then by
 * path, text, title and slug, and finally by a title or slug that is unique on both sides. A file that was renamed, moved or edited
 * therefore stays the same page, unless it was all three at once and another file had the same name.
 *
 * @param onFile called with each file before it is parsed
 */
export async function plan(input: PlanInput, onFile: OnFile = () => {}): Promise<Plan> {
  const { local, compared, read } = input;
  const remote = withTexts(input.remote, read);
  const writer = new PageWriter(remote, compared.layout);
  const deleted = deletedHere(compared);
  const { files, baseLayout, layout: last } = compared;
  const names = mergeFileNames({ names: files.names, baseLayout, last, files: remote.files });
  const others = otherFiles(files.names, remote.files, last);
  const staying = remote.pages.filter(({ id }) => !deleted.has(id));
  const isAlike = (page: LocalPage, match: RemotePage) => {
    if (page.file !== null) onFile(page.file);
    const sent = compared.sent.get(page.key);
    if (!sent || sent.showsNewFile || leadsElsewhere(sent, match.text)) return false;
    if (linksToDeleted(sent, match.text, staying) || showsAny(others, match.text)) return false;
    return page.text === writer.textOf(match, page.file);
  };
  const sides = sidesOf(local, remote, compared, read, isAlike);
  const winner = winnersById(input.options, input, sides.ids);
  const stableLinks = stableLinksFor(remote, sides);
  const { pages, conflicts } = await mergeSides(sides, { ...input.options, winner, stableLinks });
  const links = sides.skipped.filter(({ type }) => type === 'link');
  const notes = links.map(({ title, line = 1 }) => ({
    file: local.summaryPath,
    line,
    message: `The link "${title}" cannot be pushed and is skipped; add it in the app.`,
  }));
  const appTexts = new Map(sides.app.map(({ id, document }) => [id, document ?? '']));
  const spaceTexts = new Map(pages.map(({ id, document }) => [id, document ?? '']));
  const inFolder = new Set(sides.folder.map(({ id }) => id));
  const kept = new Set(pages.flatMap(({ id }) => (appTexts.has(id) && !inFolder.has(id) ? [id] : [])));
  const ofOthers = keptTexts(sides, appTexts, spaceTexts);
  const layout = layoutFor(local, remote, { ...compared, names, sent: sides.sent, ofOthers }, kept);
  const recorded = recordPages({ local, remote, sides, spaceTexts, appTexts, compared });
  const held = sides.folder
    .filter(({ id }) => compared.held.has(id) && appTexts.has(id))
    .map(({ id, title }) => sides.entries.get(id)?.file ?? title);
  const shared = {
    notes,
    held,
    isFirst: compared.base === undefined && !compared.layout.pending && differs(sides),
    record: {
      layout,
      pages: recorded,
      files: filesOf(input, names),
      names: new Map([...files.names].filter(([path, name]) => names.get(path) !== name)),
      isNew: isNewRecord(layout, compared.layout, recorded),
    },
  };
  if (conflicts.length > 0) {
    const files = filesByAddress(remote, writer);
    const described = conflicts.map((conflict) => describe(conflict, sides, { ...input, remote, writer, files }));
    return { operations: [], unchanged: 0, kept: [], merged: [], conflicts: described, ...shared };
  }
  const operations = operationsFor(sides, remote, pages, appTexts);
  const touched = new Set(operations.flatMap((operation) => ('id' in operation ? [operation.id] : [])));
  const unchanged = sides.folder.filter(({ id }) => appTexts.has(id) && !touched.has(id)).length;
  const uploads = compared.files.uploads.map(({ name, bytes }): Operation => ({ kind: 'upload', name, bytes }));
  const changes = { operations: [...uploads, ...operations], unchanged };
  return { ...changes, ...fromApp(sides, pages), conflicts: [], ...shared };
}

/** Keys of pages whose texts in the space stay as others wrote them. */
function keptTexts(
  { ids, sent, alike }: Sides,
  appTexts: ReadonlyMap<string, string>,
  spaceTexts: ReadonlyMap<string, string>,
): Set<string> {
  const kept = [...ids].filter(([key, id]) => {
    const text = appTexts.get(id);
    return text === spaceTexts.get(id) && text !== sent.get(key)?.hash && !alike.has(id);
  });
  return new Set(kept.map(([key]) => key));
}

/** IDs of pages whose files the folder had and does not have any more. */
function deletedHere({ base, inBase, held }: Compared): Set<string> {
  const present = new Set([...inBase.values()].map(({ id }) => id));
  return new Set(base?.pages.flatMap(({ id }) => (present.has(id) || held.has(id) ? [] : [id])));
}

function withTexts(remote: Remote, { remote: texts }: ReadTexts): Remote {
  return { ...remote, pages: remote.pages.map((page) => ({ ...page, text: texts.get(page.id) ?? page.text })) };
}

/** Hashes of the files of the space that the folder has or had. */
function filesOf({ remote, compared }: PlanInput, merged: ReadonlyMap<string, string>): PushRecord['files'] {
  const names = new Set(compared.files.names.values());
  const newer = new Set([...merged.values()].filter((name) => !names.has(name)));
  const before = compared.layout.base?.files;
  return new Map(
    remote.files.flatMap(({ id, name, hash, size }) => {
      if (newer.has(name)) return [];
      const isInFolder = hash !== '' && size !== undefined && names.has(name);
      const file = isInFolder ? { hash, size } : before?.get(id);
      return file ? [[id, file] as const] : [];
    }),
  );
}

/** Whether the space has pages that are not in the folder or differ from it. */
function differs({ folder, app, fixed }: Sides): boolean {
  const inFolder = new Map(folder.map((page) => [page.id, page]));
  return app.some((page) => {
    const own = inFolder.get(page.id);
    return !fixed.has(page.id) && (!own || !isSame(own, page));
  });
}

const isSame = (one: PageRecord, other: PageRecord) =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].every((member) => one[member] === other[member]);

/** The titles of pages that only the app changed, and of merged pages. */
function fromApp({ base = [], folder, app }: Sides, pages: readonly PageRecord[]): Pick<Plan, 'kept' | 'merged'> {
  const [inBase, inFolder, inApp] = [base, folder, app].map((side) => new Map(side.map((page) => [page.id, page])));
  const after = new Map(pages.map((page) => [page.id, page]));
  const reordered = reorderedPages(folder, pages);
  const kept: string[] = [];
  const merged: string[] = [];
  for (const id of new Set([...base, ...app].map((page) => page.id))) {
    const [before, own, theirs, result] = [inBase?.get(id), inFolder?.get(id), inApp?.get(id), after.get(id)];
    if (!own && theirs && result) kept.push(theirs.title);
    if (!own) continue;
    if (before && !theirs && !result) kept.push(own.title);
    if (!theirs || !result || (isSame(result, own) && !reordered.has(id))) continue;
    if (isSame(result, theirs)) kept.push(theirs.title);
    else merged.push(result.title);
  }
  return { kept, merged };
}

/** IDs of the pages whose order among the same siblings differs from the folder. */
function reorderedPages(folder: readonly PageRecord[], pages: readonly PageRecord[]): Set<string> {
  const places = new Map(folder.map(({ id, parent }, place) => [id, { parent, place }]));
  const shared = pages.filter(({ id, parent }) => places.get(id)?.parent === parent);
  const reordered = new Set(shared.map(({ id }) => id));
  for (const siblings of Map.groupBy(shared, ({ parent }) => parent).values()) {
    const inOrder = longestIncreasingSubsequence(siblings, ({ id }) => places.get(id)?.place ?? -1);
    for (const { id } of inOrder) reordered.delete(id);
  }
  return reordered;
}

/** The operations that turn the pages of the space into these. @param appTexts names of texts by page ID */
function operationsFor(
  { texts }: Sides,
  { pages: remotePages }: Remote,
  merged: readonly PageRecord[],
  appTexts: ReadonlyMap<string, string>,
): Operation[] {
  const remote = new Map(remotePages.map((page) => [page.id, page]));
  // Computed pages cannot be moved.
  const pages = merged.filter(({ id }) => remote.get(id)?.type !== 'computed');
  const siblings = new SiblingOrder(remotePages);
  for (const [parent, children] of Map.groupBy(pages, (page) => page.parent)) siblings.expect(parent, children);
  const paths = new Map<string | null, string>();
  // These get other IDs, so that links to them change.
  const recreated = new Set(pages.flatMap(({ id }) => (remote.has(id) || id.startsWith('~') ? [] : [id])));
  const refOf = (id: string): PageRef => (remote.has(id) ? { id } : { key: keyOf(id) });
  const operations = pages.flatMap((page): Operation[] => {
    const { id, title, slug = '' } = page;
    const parent = page.parent === null ? null : refOf(page.parent);
    const above = paths.get(page.parent);
    const path = above === undefined ? slug : `${above}/${slug}`;
    paths.set(id, path);
    const match = remote.get(id);
    const text = texts.get(page.document ?? '') ?? '';
    if (!match) {
      const index = siblings.add(id, page.parent);
      const fields = { title, slug, ...metaOf(page as PageMeta) };
      return [{ kind: 'add', key: keyOf(id), path, parent, index, fields, text: text === '' ? null : text }];
    }
    const index = siblings.place(id, page.parent);
    const fields = changedFields(page, match);
    const linksToNew = recreated.size > 0 && pageIdsIn(text).some((linked) => recreated.has(linked));
    const isSameText = page.document === appTexts.get(id) && !linksToNew;
    const isChanged = !isSameText || Object.keys(fields).length > 0;
    return [
      ...(index === undefined ? [] : [{ kind: 'move', id, path, from: match.path ?? '', parent, index } as const]),
      ...(isChanged ? [{ kind: 'change', id, path, fields, ...(!isSameText && { text }) } as const] : []),
    ];
  });
  const left = new Set(pages.map(({ id }) => id));
  const deleted = new Map(
    remotePages.filter(({ id, type }) => type !== 'computed' && !left.has(id)).map((page) => [page.id, page]),
  );
  // A deletion includes the subpages.
  const topmost = [...deleted.values()].filter(({ id }) => !deleted.has(siblings.parentOf(id) ?? ''));
  return [...operations, ...topmost.map(({ id, path = '', title }) => ({ kind: 'delete', id, path, title }) as const)];
}

const flags: ReadonlySet<string> = new Set(['hidden', 'noIndex', 'noRobotsIndex']);

/** The fields that differ, with "" and false for fields that are no longer set. */
function changedFields(page: PageRecord, match: RemotePage): PageFields {
  const fields: Record<string, unknown> = {};
  if (page.title !== match.title) fields['title'] = page.title;
  if (match.slug !== undefined && page.slug !== match.slug) fields['slug'] = page.slug;
  for (const member of metaMembers) {
    if ((page[member] || undefined) !== (match[member] || undefined))
      fields[member] = page[member] || (flags.has(member) ? false : '');
  }
  return fields;
}

/** The paths of files by their addresses in texts of the space. */
const filesByAddress = (remote: Remote, { paths }: PageWriter): Map<string, string> =>
  new Map(
    remote.files.flatMap(({ id, name }): [string, string][] => {
      const path = paths.get(id);
      return path === undefined ? [] : [[addressOfFile(name), path]];
    }),
  );

function describe(
  { hunks, ...conflict }: Conflict,
  sides: Sides,
  {
    local,
    remote,
    writer,
    files,
  }: Pick<PlanInput, 'local' | 'remote'> & {
    writer: PageWriter;
    files: ReadonlyMap<string, string>;
  },
): PushConflict {
  const { page: id, kind, members } = conflict;
  const [base, folder, app] = [sides.base ?? [], sides.folder, sides.app].map((side) =>
    side.find((page) => page.id === id),
  );
  const own = local.pages.find(({ key }) => sides.ids.get(key) === id);
  const pages = new Map([
    ...writer.files,
    ...local.pages.flatMap(({ key, file }) =>
      file === null ? [] : [sides.ids.get(key) ?? '', newPageId(key)].map((each) => [each, file] as const),
    ),
  ]);
  const shown = (text: string) => withFileAddresses(text, pages.get(id) ?? '', { pages, files });
  const textOf = (page: PageRecord | undefined) => shown(sides.texts.get(page?.document ?? '') ?? '');
  return {
    ...conflict,
    page: id.startsWith('~') ? '' : id,
    path: own?.path ?? remote.pages.find((page) => page.id === id)?.path ?? sides.entries.get(id)?.path ?? '',
    ...(own?.file && { file: own.file }),
    ...(hunks && { hunks: sidesOfHunks(hunks.map((hunk) => shownHunk(hunk, shown))) }),
    ...(kind === 'content' && { texts: { app: textOf(app), folder: textOf(folder) } }),
    ...(kind === 'deleted' && { deletedIn: app ? ('folder' as const) : ('app' as const) }),
    members: members?.map((member) => ({
      member,
      base: base?.[member] ?? null,
      app: app?.[member] ?? null,
      folder: folder?.[member] ?? null,
    })),
  };
}

const shownHunk = ({ line, base, ours, theirs }: Hunk, shown: (text: string) => string): Hunk => ({
  line,
  base: shown(base),
  ours: shown(ours),
  theirs: shown(theirs),
});

/** Returns a text of one side with links that lead to the same pages and files wherever pages are moved. */
function stableLinksFor(remote: Remote, { base, entries }: Sides): MergeTexts {
  let [before, now]: (LinkTargets | undefined)[] = [];
  return (text, page, side) => {
    if (side === 'ours') return text;
    if (side === 'theirs') return withStableLinks(text, page, (now ??= linkTargets(remote.pages, remote.files)));
    before ??= linkTargets(base ? entries.values() : [], remote.files);
    return withStableLinks(text, page, before);
  };
}

/** The order of siblings while operations are applied one after the other. */
class SiblingOrder {
  readonly #children = new Map<string | null, string[]>();
  readonly #parents = new Map<string, string | null>();
  /** The page that was placed last under each parent. */
  readonly #lastPlaced = new Map<string | null, string>();
  /** Pages that need not move. */
  readonly #staying = new Set<string>();

  constructor(pages: readonly RemotePage[]) {
    for (const { id, parent } of pages) {
      this.#parents.set(id, parent);
      this.#childrenOf(parent).push(id);
    }
  }

  /** Sets in advance in which order siblings will be placed, so that as few as possible move. */
  expect(parent: string | null, order: readonly { id: string }[]): void {
    const places = new Map(this.#childrenOf(parent).map((id, index) => [id, index]));
    const present = order.filter(({ id }) => places.has(id));
    for (const { id } of longestIncreasingSubsequence(present, (page) => places.get(page.id) ?? -1))
      this.#staying.add(id);
  }

  /** Places a page after those placed before it under the same parent; undefined if it need not move. */
  place(id: string, parent: string | null): number | undefined {
    if (this.#staying.has(id)) {
      this.#lastPlaced.set(parent, id);
      return undefined;
    }
    const siblings = this.#childrenOf(this.parentOf(id));
    siblings.splice(siblings.indexOf(id), 1);
    return this.add(id, parent);
  }

  /** Like `place`, for a new page. */
  add(id: string, parent: string | null): number {
    const last = this.#lastPlaced.get(parent);
    this.#lastPlaced.set(parent, id);
    const siblings = this.#childrenOf(parent);
    const index = last === undefined ? 0 : siblings.indexOf(last) + 1;
    siblings.splice(index, 0, id);
    this.#parents.set(id, parent);
    return index;
  }

  parentOf(id: string): string | null {
    return this.#parents.get(id) ?? null;
  }

  #childrenOf(parent: string | null): string[] {
    const children = this.#children.get(parent) ?? [];
    this.#children.set(parent, children);
    return children;
  }
}
