import { type Base, type BasePage, knownText } from '../../content/folder/base.ts';
import type { LocalFolder, LocalPage, OnFile } from '../../content/folder/folder.ts';
import { type Layout, readLayout } from '../../content/folder/layout.ts';
import { metaMembers } from '../../content/folder/page-info.ts';
import { parse } from '../../content/markdown/parse.ts';
import { getFrom } from '../../shared/get-from.ts';
import { mayTakeLonger } from '../../threads/size.ts';
import { type FileNames, matchFiles, matchPages } from '../match.ts';
import { newPageId } from '../page-links.ts';
import { PushTexts, type SentText } from '../push-text.ts';
import type { Remote, RemotePage } from '../read-remote.ts';
import { mayCorrect, withPathsOfSpace } from './moved-in-space.ts';
import { recreatedPages, withCurrentIds } from './recreated-pages.ts';
import { heldPages, type SkippedPage, skippedPages } from './skipped-pages.ts';

/** The folder compared with its base, before texts of the space are read. */
export interface Compared {
  layout: Layout;
  base: Base | undefined;
  files: FileNames;
  /** That of the ancestor. */
  baseLayout: Layout | undefined;
  /** By the key of the page. */
  sent: Map<string, SentText>;
  /** The page of the base for each page of the folder, by its key. */
  inBase: Map<string, BasePage>;
  /** IDs of pages of the space whose texts the plan needs. */
  unread: string[];
  /** Texts of the base that the plan may need. `former` is the ID that the page had at that revision, if that is another one. */
  ancestors: { id: string; revision: string; former?: string | undefined }[];
  /** The files of pages that cannot be read, by page ID. */
  held: ReadonlyMap<string, string>;
  /** The IDs that pages had in the base before they were created again, by their present ones. */
  former: ReadonlyMap<string, string>;
}

/** The common ancestor of the folder and the space. */
export interface Ancestor {
  /** Undefined if there is none. */
  base: Base | undefined;
  /** The layout of the folder at that time. */
  layout?: Layout | undefined;
  /** The layout of the space at that time, with the names of files as the folder had them; undefined if it is the last one. */
  baseLayout?: Layout | undefined;
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
  /** Whether the texts of unchanged pages are needed, too. */
  isWhole?: boolean | undefined;
}

/**
 * Compares the folder with its base, and lists the texts of the space that are needed to plan a push: those that changed in
 * the space since the base, and those that are not in the base.
 *
 * @param onFile called with each file before it is parsed
 */
export function compare({ local, remote, ancestor, isWhole }: CompareInput, onFile: OnFile = () => {}): Compared {
  const layouts = (remote.layouts ?? []).map((bytes) => readLayout(bytes));
  const files = matchFiles(local.files, remote.files, layouts[0] ?? readLayout(undefined));
  const { renames } = ancestor ?? {};
  const inFolder = new Set(local.pages.map(({ file }) => file));
  const isSkipped = ({ key }: { key: string }) => !inFolder.has(key);
  const comparedWith = (base: Base | undefined, at: TextsInput['at']): ComparedTexts => {
    const skipped = skippedPages(local, base, at).filter(isSkipped);
    return compareTexts({ local, remote, base, at, skipped, files, isWhole, onFile });
  };
  const { pending, ...last } = closest(layouts, (layout) => {
    const { sent, inBase } = comparedWith(layout.base, { layout, renames });
    return [...inBase].filter(([key, entry]) => sent.get(key)?.hash === entry.text).length;
  });
  const layout: Layout = pending && ancestor?.continues !== false ? { ...last, pending } : last;
  const at = { layout: ancestor?.layout ?? layout, renames };
  const recorded = ancestor ? ancestor.base : layout.base;
  const recreated = recreatedPages(recorded, { local, remote, renames, last: layout.base });
  const { sent, inBase, base } = comparedWith(recorded && withCurrentIds(recorded, recreated), at);
  const former = new Map([...recreated].map(([before, id]) => [id, before]));
  const hashes = new Map([...sent].map(([key, { hash }]) => [key, hash]));
  const held = heldPages(local, inBase, skippedPages(local, base, at));
  const entries = new Map(base?.pages.map((entry) => [entry.id, entry]));
  const isComplete = local.pages.every(({ key }) => inBase.has(key)) && !layout.pending;
  const locals = new Map([...inBase].map(([key, { id }]) => [id, key]));
  const unread: string[] = [];
  const ancestors: Compared['ancestors'] = [];
  for (const page of remote.pages) {
    const entry = entries.get(page.id);
    const known = knownText(page, entry);
    const key = locals.get(page.id);
    const isEdited = entry !== undefined && key !== undefined && hashes.get(key) !== entry.text;
    const isAsKnown = known !== undefined && (known === entry?.text || entry?.space?.isAlike === true);
    const isAsInBase = isAsKnown && entry !== undefined && !differsInFields(entry, page);
    const isNeeded = entry ? known === undefined || (isEdited && !isAsInBase) : !isComplete;
    // A page without a text has nothing to read, but may have had something in the base.
    if (isNeeded && page.document !== undefined) unread.push(page.id);
    if (isNeeded && isEdited && entry.revision !== undefined && entry.source === undefined)
      ancestors.push({ id: page.id, revision: entry.revision, former: former.get(page.id) });
  }
  return { layout, base, files, baseLayout: ancestor?.baseLayout, sent, inBase, unread, ancestors, held, former };
}

/** Of several layouts with the same serial, the one whose base has most in common with the folder. */
function closest(layouts: readonly Layout[], common: (layout: Layout) => number): Layout {
  const [only, ...others] = layouts;
  if (others.length === 0) return only ?? readLayout(undefined);
  const counts = new Map(layouts.map((layout) => [layout, layout.base ? common(layout) : -1]));
  const inOrder = layouts.toSorted((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0));
  return inOrder[0] ?? readLayout(undefined);
}

interface ComparedTexts {
  sent: Map<string, SentText>;
  inBase: Map<string, BasePage>;
  /** The base. What is alike in the space counts as another text if its links no longer lead to the same pages. */
  base: Base | undefined;
}

interface TextsInput extends CompareInput {
  base: Base | undefined;
  at: { layout: Layout; renames: Ancestor['renames'] };
  skipped: readonly SkippedPage[];
  files: FileNames;
  onFile: OnFile;
}

/** Matches the pages of the folder with those of the base, and turns their texts into the form in which they are sent. */
function compareTexts({ local, remote, base, at, skipped, files, isWhole, onFile }: TextsInput): ComparedTexts {
  const placed = withFormerPaths(local, base);
  const byPath = new PushTexts(placed, files, { held: skipped });
  const byId = new Map(remote.pages.map((page) => [page.id, page]));
  const inBase = matchBase(local.pages, base, { ...at, isStrict: true });
  const idTexts = (folder: LocalFolder) =>
    new PushTexts(folder, files, { held: skipped, ids: idsOf(local, inBase, skipped) });
  let byIds = idTexts(placed);
  const others = local.pages.filter(({ key }) => !inBase.has(key));
  if (others.length > 0 && inBase.size < (base?.pages.length ?? 0)) {
    const known = new Set(base?.pages.map(({ text }) => text));
    const textOf = (page: LocalPage) =>
      [byIds, byPath].map((texts) => texts.textOf(page).hash).find((hash) => known.has(hash)) ?? '';
    for (const [key, entry] of matchBase(others, base, { ...at, matched: inBase, textOf })) inBase.set(key, entry);
    byIds = idTexts(placed);
  }
  const isKnown = knownTexts(base, byId, { local, inBase, isWhole });
  const sentBefore = (entry: BasePage | undefined) =>
    entry?.from !== undefined && isKnown(entry)
      ? { source: entry.from, hash: entry.text, links: at.layout.links.get(entry.path ?? '') ?? [] }
      : undefined;
  const sent = new Map<string, SentText>();
  for (const page of local.pages) {
    if (page.file !== null) onFile(page.file);
    const entry = inBase.get(page.key);
    const text = byIds.textOf(page, sentBefore(entry));
    // The service would refuse it in the middle of the push: here, the limit of time applies before anything is sent.
    if (page.text !== null && text.sent !== undefined && mayTakeLonger(slowMs, [page.text])) parse(page.text);
    const mayHavePaths = entry !== undefined && text.hash !== entry.text && (!base?.hasIds || entry.hasPaths === true);
    const withPaths = mayHavePaths ? byPath.textOf(page) : undefined;
    const isUnchanged = withPaths?.hash === entry?.text;
    sent.set(page.key, withPaths && isUnchanged ? { ...withPaths, hasPaths: true } : text);
  }
  const moved = withPathsOfSpace(placed, inBase, byId);
  if (!moved) return { sent, inBase, base };
  const [movedByPath, movedByIds] = [new PushTexts(moved, files, { held: skipped }), idTexts(moved)];
  const outdated = new Map<string, BasePage>();
  for (const page of local.pages) {
    if (page.file !== null) onFile(page.file);
    const before = sent.get(page.key);
    const entry = inBase.get(page.key);
    const { space } = entry ?? {};
    // The links still lead to the same pages.
    if (before?.hasPaths && movedByPath.textOf(page).hash === before.hash) continue;
    const isAlike = space?.isAlike === true && before?.hash === entry?.text;
    // Another place or title does not change the document.
    const hasText = entry && space?.document === byId.get(entry.id)?.document;
    if (hasText && isAlike && space?.text !== undefined) {
      const isSame = movedByPath.textOf(page).hash === byPath.textOf(page).hash;
      const { isAlike: _, text, ...known } = space;
      if (!isSame) outdated.set(entry.id, { ...withoutRevision(entry), text, space: known });
    }
    const text = movedByIds.textOf(page, sentBefore(inBase.get(page.key)));
    if (mayCorrect(page, text, { inBase, byId, sent, layout: at.layout })) sent.set(page.key, text);
  }
  if (!base || outdated.size === 0) return { sent, inBase, base };
  for (const [key, { id }] of inBase) inBase.set(key, outdated.get(id) ?? getFrom(inBase, key));
  return { sent, inBase, base: { ...base, pages: base.pages.map((entry) => outdated.get(entry.id) ?? entry) } };
}

function withoutRevision(page: BasePage): BasePage {
  const { revision: _, source: __, from: ___, ...entry } = page;
  return entry;
}

/** The IDs of all pages of the folder by key, also of those that the space does not have yet. */
const idsOf = (local: LocalFolder, inBase: ReadonlyMap<string, BasePage>, skipped: readonly SkippedPage[]) =>
  new Map([
    ...skipped.map(({ key, id }) => [key, id] as const),
    ...local.pages.map(({ key }) => [key, inBase.get(key)?.id ?? newPageId(key)] as const),
  ]);

/** Returns whether the text of a page in the base is known without parsing its file, if that is unchanged. */
function knownTexts(
  base: Base | undefined,
  byId: ReadonlyMap<string, RemotePage>,
  {
    local,
    inBase,
    isWhole = false,
  }: { local: LocalFolder; isWhole?: boolean | undefined } & Pick<ComparedTexts, 'inBase'>,
): (entry: BasePage) => boolean {
  // Pages that were deleted in the space may be created again. Those that link to them are then sent, too.
  const isDeleted = local.pages.some(({ key }) => {
    const entry = inBase.get(key);
    return entry !== undefined && !byId.has(entry.id);
  });
  if (!base?.hasIds || isWhole || isDeleted) return () => false;
  return (entry) => {
    const page = byId.get(entry.id);
    return page !== undefined && entry.revision !== undefined && knownText(page, entry) === entry.text;
  };
}

interface BaseMatching {
  layout: Layout;
  renames: Ancestor['renames'];
  /** The pages that match already. */
  matched?: ReadonlyMap<string, BasePage>;
  /** The `textHash` of a page as sent. */
  textOf?: (page: LocalPage) => string;
  isStrict?: boolean;
}

function matchBase(
  pages: readonly LocalPage[],
  base: Base | undefined,
  { layout, renames, matched = new Map(), textOf = () => '', isStrict = false }: BaseMatching,
): Map<string, BasePage> {
  const taken = new Set([...matched.values()].map(({ id }) => id));
  const candidates = (base?.pages ?? []).filter(({ id }) => !taken.has(id));
  const matches = matchPages({
    pages,
    candidates: candidates.map((entry) => ({ ...entry, type: typeOf(entry), entry })),
    layout,
    renames,
    localText: (page) => textOf(page) || undefined,
    candidateText: ({ text }) => text || undefined,
    isStrict,
    isFormer: true,
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

function differsInFields(entry: BasePage, page: RemotePage): boolean {
  return (
    entry.title !== page.title || metaMembers.some((member) => (entry[member] || false) !== (page[member] || false))
  );
}
