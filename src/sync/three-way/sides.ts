import { type Base, type BasePage, knownText, textHash } from '../../content/folder/base.ts';
import type { LocalFolder, LocalPage, OnFile } from '../../content/folder/folder.ts';
import { type Layout, readLayout } from '../../content/folder/layout.ts';
import { metaMembers, type PageMeta } from '../../content/folder/page-info.ts';
import { parse } from '../../content/markdown/parse.ts';
import type { PageRecord } from '../../content/merge/snapshot.ts';
import { mayTakeLonger } from '../../threads/size.ts';
import { type FileNames, matchFiles, matchPages } from '../match.ts';
import { PushTexts, type SentText } from '../push-text.ts';
import type { Remote, RemotePage } from '../read-remote.ts';
import { mayCorrect, withPathsOfSpace } from './moved-in-space.ts';
import { heldPages, skippedPages } from './skipped-pages.ts';

/** The folder compared with its base, before texts of the space are read. */
export interface Compared {
  layout: Layout;
  base: Base | undefined;
  files: FileNames;
  /** By the key of the page. */
  sent: Map<string, SentText>;
  /** The page of the base for each page of the folder, by its key. */
  inBase: Map<string, BasePage>;
  /** IDs of pages of the space whose texts the plan needs. */
  unread: string[];
  /** Texts of the base that the plan may need. */
  ancestors: { id: string; revision: string }[];
  /** The files of pages that cannot be read, by page ID. */
  held: ReadonlyMap<string, string>;
}

/** The common ancestor of the folder and the space. */
export interface Ancestor {
  /** Undefined if there is none. */
  base: Base | undefined;
  /** The layout of the folder at that time. */
  layout?: Layout | undefined;
  /** Former paths of files that were renamed since, by the new ones. */
  renames?: ReadonlyMap<string, string> | undefined;
  /** Whether the latest push was interrupted and is continued by this one. */
  continues?: boolean;
}

/** A text that may take longer is parsed as a whole before it is sent. */
const slowMs = 5_000;

interface CompareInput {
  local: LocalFolder;
  remote: Remote;
  /** By default, the last push. */
  ancestor?: Ancestor | undefined;
}

/**
 * Compares the folder with its base, and lists the texts of the space that are needed to plan a push: those that changed in
 * the space since the base, and those that are not in the base.
 *
 * @param onFile called with each file before it is parsed
 */
export function compare({ local, remote, ancestor }: CompareInput, onFile: OnFile = () => {}): Compared {
  const layouts = (remote.layouts ?? []).map((bytes) => readLayout(bytes));
  const files = matchFiles(local.files, remote.files, layouts[0] ?? readLayout(undefined));
  const ancestorBase = ancestor ? ancestor.base : layouts[0]?.base;
  const { renames } = ancestor ?? {};
  const first = { layout: ancestor?.layout ?? layouts[0] ?? readLayout(undefined), renames };
  const inFolder = new Set(local.pages.map(({ file }) => file));
  const skipped = skippedPages(local, ancestorBase, first).filter(({ key }) => !inFolder.has(key));
  const placed = withFormerPaths(local, ancestorBase);
  const pushTexts = new PushTexts(placed, files, skipped);
  const sent = new Map<string, SentText>();
  for (const page of local.pages) {
    if (page.file !== null) onFile(page.file);
    // The service would refuse it in the middle of the push: here, the limit of time applies before anything is sent.
    if (page.text !== null && mayTakeLonger(slowMs, [page.text])) parse(page.text);
    sent.set(page.key, pushTexts.textOf(page));
  }
  const hashes = new Map([...sent].map(([key, text]) => [key, textHash(text.sent)]));
  const { pending, ...last } = closest(layouts, new Set(hashes.values()));
  const layout: Layout = pending && ancestor?.continues !== false ? { ...last, pending } : last;
  const base = ancestor ? ancestor.base : layout.base;
  const then = { layout: ancestor?.layout ?? layout, renames };
  const inBase = matchBase(local, base, { hashes, ...then });
  const byId = new Map(remote.pages.map((page) => [page.id, page]));
  const moved = withPathsOfSpace(placed, inBase, byId);
  if (moved) {
    const texts = new PushTexts(moved, files, skipped);
    for (const page of local.pages) {
      if (page.file !== null) onFile(page.file);
      const text = texts.textOf(page);
      if (!mayCorrect(page, text, { inBase, byId, sent, layout: then.layout })) continue;
      sent.set(page.key, text);
      hashes.set(page.key, textHash(text.sent));
    }
  }
  const held = heldPages(local, inBase, skippedPages(local, base, then));
  const entries = new Map(base?.pages.map((entry) => [entry.id, entry]));
  const isComplete = local.pages.every(({ key }) => inBase.has(key)) && !layout.pending;
  const locals = new Map([...inBase].map(([key, { id }]) => [id, key]));
  const unread: string[] = [];
  const ancestors: Compared['ancestors'] = [];
  for (const page of remote.pages) {
    const entry = entries.get(page.id);
    if (page.document === undefined) continue;
    const known = knownText(page, entry);
    const key = locals.get(page.id);
    const isEdited = entry !== undefined && key !== undefined && hashes.get(key) !== entry.text;
    const isAsKnown = known !== undefined && (known === entry?.text || entry?.space?.isAlike === true);
    const isAsInBase = isAsKnown && entry !== undefined && !differsInFields(entry, page);
    const isNeeded = entry ? known === undefined || (isEdited && !isAsInBase) : !isComplete;
    if (isNeeded) unread.push(page.id);
    if (isNeeded && isEdited && entry.revision !== undefined && entry.source === undefined)
      ancestors.push({ id: page.id, revision: entry.revision });
  }
  return { layout, base, files, sent, inBase, unread, ancestors, held };
}

/** The layout whose base has most in common with the folder, of several with the same serial. */
function closest(layouts: readonly Layout[], hashes: ReadonlySet<string>): Layout {
  const common = ({ base }: Layout) => base?.pages.filter(({ text }) => hashes.has(text)).length ?? -1;
  return layouts.toSorted((one, other) => common(other) - common(one))[0] ?? readLayout(undefined);
}

function matchBase(
  local: LocalFolder,
  base: Base | undefined,
  { hashes, layout, renames }: { hashes: ReadonlyMap<string, string> } & Pick<Ancestor, 'layout' | 'renames'>,
): Map<string, BasePage> {
  const matches = matchPages({
    pages: local.pages,
    candidates: (base?.pages ?? []).map((entry) => ({ ...entry, type: typeOf(entry), entry })),
    layout: layout ?? readLayout(undefined),
    renames,
    localText: ({ key }) => hashes.get(key) || undefined,
    candidateText: ({ text }) => text || undefined,
  });
  return new Map([...matches].map(([key, { entry }]) => [key, entry]));
}

/** The folder with the pages that SUMMARY.md has below a missing page where they were. */
function withFormerPaths(local: LocalFolder, base: Base | undefined): LocalFolder {
  if (!local.pages.some(({ isUnplaced }) => isUnplaced)) return local;
  const former = new Map(base?.pages.map(({ file, path }) => [file, path]));
  const paths = new Map<string, string>();
  const pages = local.pages.map((page) => {
    const above = page.parent === null ? undefined : paths.get(page.parent);
    const path = page.isUnplaced ? former.get(page.file ?? '') : above && `${above}/${page.slug}`;
    if (path === undefined) return page;
    paths.set(page.key, path);
    return { ...page, path };
  });
  return { ...local, pages };
}

/** The type of a page of the base, which does not record it. */
export const typeOf = ({ href }: BasePage) => (href === undefined ? 'document' : 'link');

/** The texts that were read for a plan, by page ID. */
export interface ReadTexts {
  /** Texts of the space. */
  remote: ReadonlyMap<string, string>;
  /** Texts of the base. */
  base: ReadonlyMap<string, string>;
}

/** The folder, the space and their base in the same form. */
export interface Sides {
  /** Undefined for a folder that was never pushed. */
  base: PageRecord[] | undefined;
  folder: PageRecord[];
  app: PageRecord[];
  /** Texts by the names in the records. */
  texts: Map<string, string>;
  /** The ID in the records for each page of the folder, by its key. Pages that the space never had get new IDs. */
  ids: Map<string, string>;
  /** Pages of the folder that cannot be sent. */
  skipped: LocalPage[];
  /** IDs of pages that a folder cannot have: computed pages, and links if there is no SUMMARY.md. */
  fixed: ReadonlySet<string>;
  /** `textHash` of texts of the space that result in the same file as the folder's text, by page ID. */
  alike: Map<string, string>;
  /** The base, including what an interrupted push sent. */
  entries: Map<string, BasePage>;
}

/** Sorts after all ids. */
const newId = (key: string) => `~${key}`;

/** The key of a page that is not in the space: the key in the folder, or its former ID. */
export const keyOf = (id: string) => (id.startsWith('~') ? id.slice(1) : id);

/** @param isAlike whether the text in the space results in the same file */
export function sidesOf(
  local: LocalFolder,
  remote: Remote,
  compared: Compared,
  read: ReadTexts,
  isAlike: (page: LocalPage, match: RemotePage) => boolean,
): Sides {
  const base = compared.layout.pending ? interruptedBase(compared, remote, read.remote) : compared.base;
  const entries = new Map(base?.pages.map((entry) => [entry.id, entry]));
  const texts = new Map<string, string>([['', '']]);
  const matches = matchSpace(local, remote, compared, { base, read });
  const byId = new Map(remote.pages.map((page) => [page.id, page]));
  const ids = new Map<string, string>();
  for (const { key } of local.pages) ids.set(key, matches.get(key)?.id ?? compared.inBase.get(key)?.id ?? newId(key));
  for (const entry of entries.values()) {
    const source = entry.source ?? read.base.get(entry.id);
    if (source !== undefined && textHash(source) === entry.text) texts.set(entry.text, source);
  }
  const app = remote.pages.map((page) => {
    const text = read.remote.get(page.id);
    if (text !== undefined) texts.set(textHash(text), text);
    return record(page, page.parent, appText(page, entries.get(page.id), text));
  });
  const { folder, skipped, alike } = folderRecords(local, { compared, read, isAlike, ids, entries, texts, byId, app });
  const isFixed = ({ type }: RemotePage) => type === 'computed' || (type === 'link' && local.summary === null);
  const fixed = new Set(remote.pages.filter(isFixed).map(({ id }) => id));
  const ancestors = base?.pages.flatMap((entry) =>
    fixed.has(entry.id) ? [] : [record(entry, entry.parent, entry.text)],
  );
  const withHeld = insertHeld(folder, ancestors ?? [], compared.held);
  return { base: ancestors, folder: withHeld, app, texts, ids, skipped, fixed, alike, entries };
}

interface FolderInput extends Pick<Sides, 'ids' | 'entries' | 'texts' | 'app'> {
  compared: Compared;
  read: ReadTexts;
  isAlike: (page: LocalPage, match: RemotePage) => boolean;
  /** The pages of the space. */
  byId: ReadonlyMap<string, RemotePage>;
}

/** The side of the folder. Adds its texts to those of all sides. */
function folderRecords(
  local: LocalFolder,
  { compared, read, isAlike, ids, entries, texts, byId, app }: FolderInput,
): Pick<Sides, 'folder' | 'skipped' | 'alike'> {
  const skipped: LocalPage[] = [];
  const alike = new Map<string, string>();
  const appTexts = new Map(app.map(({ id, document }) => [id, document]));
  const parents = new Map<string, string | null>();
  const present = new Set(local.pages.map(({ key }) => ids.get(key)));
  const listedParent = (parent: string | null): string | null =>
    parent === null || present.has(parent) ? parent : listedParent(entries.get(parent)?.parent ?? null);
  const folder = local.pages.flatMap((page) => {
    const { sent } = compared.sent.get(page.key) ?? {};
    const id = ids.get(page.key) ?? page.key;
    const listed = page.parent === null ? null : (parents.get(page.parent) ?? ids.get(page.parent) ?? null);
    const former = entries.get(id);
    // Its parent is not in SUMMARY.md, so that the page is one level up there.
    const staysBelow =
      former !== undefined && compared.held.has(former.parent ?? '') && listed === listedParent(former.parent);
    const parent = staysBelow ? former.parent : listed;
    const own = staysBelow ? { ...page, slug: former.slug ?? page.slug } : page;
    if (page.type === 'link' && id === newId(page.key)) {
      skipped.push(page);
      parents.set(page.key, parent);
      return [];
    }
    const match = byId.get(id);
    const entry = page.isUnreadable ? entries.get(id) : undefined;
    // What the file says is not known: the page stays as it was.
    if (entry) return [record(entry, parent, entry.text)];
    if (page.isUnreadable) {
      skipped.push(page);
      parents.set(page.key, parent);
      return [];
    }
    const hash = textHash(sent);
    texts.set(hash, sent ?? '');
    const { space, text } = entries.get(id) ?? {};
    const name = appTexts.get(id) ?? '';
    if (!match || name === hash) {
      if (match && space?.isAlike && text === hash && space.text !== undefined) alike.set(id, space.text);
      return [record({ ...own, id }, parent, hash)];
    }
    const isSame = read.remote.has(id) && isAlike(page, match);
    if (isSame) alike.set(id, textHash(read.remote.get(id)));
    return [record({ ...own, id }, parent, isSame ? name : hash)];
  });
  return { folder, skipped, alike };
}

/** The pages of the folder, with those whose files cannot be read in the places that they had. */
function insertHeld(
  folder: readonly PageRecord[],
  base: readonly PageRecord[],
  held: ReadonlyMap<string, string>,
): PageRecord[] {
  const pages = [...folder];
  const parents = new Map(base.map(({ id, parent }) => [id, parent]));
  const inFolder = new Set(folder.map(({ id }) => id));
  base.forEach((page, index) => {
    if (!held.has(page.id) || inFolder.has(page.id)) return;
    const isPresent = (id: string | null) => id === null || pages.some((each) => each.id === id);
    let { parent } = page;
    while (!isPresent(parent)) parent = parents.get(parent ?? '') ?? null;
    const before = base.slice(0, index).findLast((each) => each.parent === page.parent && isPresent(each.id));
    const start = pages.findIndex(({ id }) => id === (before?.id ?? parent));
    pages.splice(before ? endOfSubtree(pages, start) : start + 1, 0, { ...page, parent });
  });
  return depthFirst(pages);
}

/** The pages with each below its parent, if that is among them. */
function depthFirst(pages: readonly PageRecord[]): PageRecord[] {
  const ids = new Set(pages.map(({ id }) => id));
  const byParent = Map.groupBy(pages, ({ parent }) => (parent !== null && ids.has(parent) ? parent : null));
  const below = (parent: string | null): PageRecord[] =>
    (byParent.get(parent) ?? []).flatMap((page) => [page, ...below(page.id)]);
  return below(null);
}

/** The index behind a page and the pages below it. */
function endOfSubtree(pages: readonly PageRecord[], start: number): number {
  const inside = new Set([pages[start]?.id]);
  let end = start + 1;
  for (; end < pages.length && inside.has(pages[end]?.parent ?? ''); end += 1) inside.add(pages[end]?.id);
  return end;
}

/** The name of a page's text in the space, or of the folder's text if both result in the same file. */
function appText(page: RemotePage, entry: BasePage | undefined, text: string | undefined): string {
  const name = text === undefined ? (knownText(page, entry) ?? '') : textHash(text);
  return entry?.space?.isAlike && entry.space.text === name ? entry.text : name;
}

/** The page of the space for each page of the folder: from the base, or by matching pages that are new on both sides. */
function matchSpace(
  local: LocalFolder,
  remote: Remote,
  { inBase, sent, layout, base: oldBase }: Compared,
  { base, read }: { base: Base | undefined; read: ReadTexts },
): Map<string, RemotePage> {
  const matches = new Map<string, RemotePage>();
  const byId = new Map(remote.pages.map((page) => [page.id, page]));
  for (const [key, { id }] of inBase) {
    const page = byId.get(id);
    if (page) matches.set(key, page);
  }
  const added = matchAdded(local, remote, { inBase, sent, layout, base: oldBase }, read.remote, base !== undefined);
  for (const [key, page] of added) matches.set(key, page);
  return matches;
}

/**
 * The page of the space for each page of the folder that is not in the base, by its key.
 *
 * @param texts of the space, by page ID
 */
export function matchAdded(
  local: LocalFolder,
  remote: Remote,
  { inBase, sent, layout, base }: Pick<Compared, 'inBase' | 'sent' | 'layout' | 'base'>,
  texts: ReadonlyMap<string, string>,
  isStrict: boolean,
): Map<string, RemotePage> {
  const before = new Set(base?.pages.map(({ id }) => id));
  return matchPages({
    pages: local.pages.filter(({ key }) => !inBase.has(key)),
    candidates: remote.pages.filter(({ id }) => !before.has(id)),
    layout,
    localText: ({ key }) => sent.get(key)?.sent?.trim() || undefined,
    candidateText: ({ id }) => texts.get(id)?.trim() || undefined,
    isStrict,
  });
}

type Named = PageMeta & { id: string; title: string; slug?: string; href?: string };

function record(page: Named, parent: string | null, document: string): PageRecord {
  const { id, title, slug, href } = page;
  return {
    id,
    parent,
    title,
    document,
    ...(slug !== undefined && { slug }),
    ...(href !== undefined && { href }),
    ...metaOf(page),
  };
}

/** The metadata of a page without "" and false, which mean that a member is not set. */
export function metaOf(page: PageMeta): PageMeta {
  return Object.fromEntries(metaMembers.flatMap((member) => (page[member] ? [[member, page[member]]] : [])));
}

function differsInFields(entry: BasePage, page: RemotePage): boolean {
  return (
    entry.title !== page.title || metaMembers.some((member) => (entry[member] || false) !== (page[member] || false))
  );
}

/** The base, with the pages that have the text that an interrupted push was about to send. */
function interruptedBase(
  { base, layout: { pending } }: { base: Base | undefined; layout: Layout },
  remote: Remote,
  texts: ReadonlyMap<string, string>,
): Base {
  const entries = new Map(base?.pages.map((entry) => [entry.id, entry]));
  const byId = new Map(remote.pages.map((page) => [page.id, page]));
  const byPath = new Map(remote.pages.flatMap((page) => (entries.has(page.id) ? [] : [[page.path, page]])));
  const ids = new Map<string, string>();
  for (const entry of pending?.pages ?? []) {
    const page = byId.get(entry.id) ?? byPath.get(entry.path);
    const text = page && (texts.get(page.id) ?? (page.document === undefined ? '' : undefined));
    if (!page || text === undefined || textHash(text) !== entry.text) continue;
    ids.set(entry.id, page.id);
    const parent = entry.parent === null ? null : (ids.get(entry.parent) ?? page.parent);
    entries.set(page.id, merged({ ...entry, id: page.id, parent }, entries.get(page.id), page));
  }
  return { pages: [...entries.values()], files: new Map(base?.files) };
}

const fields = ['title', 'slug', 'parent', ...metaMembers] as const;

/** The entry; of an existing page, only the fields that were sent. */
function merged(entry: BasePage, before: BasePage | undefined, page: RemotePage): BasePage {
  if (!before) return entry;
  const result: BasePage = { ...before, text: entry.text };
  for (const field of fields) {
    if ((entry[field] || undefined) === (page[field] || undefined)) Object.assign(result, { [field]: entry[field] });
  }
  return result;
}
