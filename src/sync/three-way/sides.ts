import { type Base, type BasePage, knownText, textHash } from '../../content/folder/base.ts';
import type { LocalFolder, LocalPage } from '../../content/folder/folder.ts';
import type { Layout } from '../../content/folder/layout.ts';
import { metaMembers, type PageMeta } from '../../content/folder/page-info.ts';
import type { PageRecord } from '../../content/merge/snapshot.ts';
import { matchPages } from '../match.ts';
import { linkTargets, newPageId, replacePageIds, withStableLinks } from '../page-links.ts';
import { type SentText, withIds } from '../push-text.ts';
import type { Remote, RemotePage } from '../read-remote.ts';
import type { Compared } from './compare.ts';

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
  /** The texts of the folder, by key, with the IDs of the pages that match. */
  sent: ReadonlyMap<string, SentText>;
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
  const sent = sentToMatches(compared, matches);
  for (const entry of entries.values()) {
    const source = entry.source ?? read.base.get(entry.id);
    if (source !== undefined && textHash(source) === entry.text) texts.set(entry.text, source);
  }
  const app = remote.pages.map((page) => {
    const text = read.remote.get(page.id);
    if (text !== undefined) texts.set(textHash(text), text);
    return record(page, page.parent, appText(page, entries.get(page.id), text));
  });
  const own = { compared: { ...compared, sent }, read, isAlike, ids, entries, texts, byId, app };
  const { folder, skipped, alike } = folderRecords(local, own);
  const isFixed = ({ type }: RemotePage) => type === 'computed' || (type === 'link' && local.summary === null);
  const fixed = new Set(remote.pages.filter(isFixed).map(({ id }) => id));
  const ancestors = base?.pages.flatMap((entry) =>
    fixed.has(entry.id) ? [] : [record(entry, entry.parent, entry.text)],
  );
  const withHeld = insertHeld(folder, ancestors ?? [], compared.held);
  return { base: ancestors, folder: withHeld, app, texts, ids, skipped, fixed, alike, entries, sent };
}

/** The texts of the folder with the IDs of pages that are not in the base, but match one of the space. */
export function sentToMatches(
  { sent, inBase }: Pick<Compared, 'sent' | 'inBase'>,
  matches: ReadonlyMap<string, { id: string }>,
): Map<string, SentText> {
  const ids = new Map<string, string>();
  for (const [key, { id }] of matches) if (!inBase.has(key)) ids.set(newPageId(key), id);
  if (ids.size === 0) return new Map(sent);
  return new Map([...sent].map(([key, text]) => [key, withIds(text, (id) => ids.get(id))]));
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
    const { sent, hash = '' } = compared.sent.get(page.key) ?? {};
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
    if (sent !== undefined) texts.set(hash, sent ?? '');
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
  const pages = local.pages.filter(({ key }) => !inBase.has(key));
  if (pages.length === 0) return new Map();
  const before = new Set(base?.pages.map(({ id }) => id));
  // Another clone may have pushed the same file, and somebody may have renamed its page since.
  const files = new Map(layout.base?.pages.map(({ id, file }) => [id, file]));
  const withFile = (page: RemotePage) => {
    const file = files.get(page.id);
    return file === undefined ? page : { ...page, file };
  };
  const targets = linkTargets(remote.pages, remote.files);
  return matchPages({
    pages,
    candidates: remote.pages.filter(({ id }) => !before.has(id)).map(withFile),
    layout,
    localText: ({ key }) => sent.get(key)?.sent?.trim() || undefined,
    candidateText: ({ id }) => withStableLinks(texts.get(id) ?? '', id, targets).trim() || undefined,
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
  const pageOf = ({ id, path }: BasePage) => byId.get(id) ?? byPath.get(path);
  // What was about to be sent has no IDs of new pages.
  const newIds = new Map(
    (pending?.pages ?? []).flatMap((entry) => {
      const page = entry.id.startsWith('~') ? pageOf(entry) : undefined;
      return page ? [[page.id, newPageId(keyOf(entry.id))] as const] : [];
    }),
  );
  const addressOf = (id: string) => {
    const newPage = newIds.get(id);
    return newPage === undefined ? undefined : `/pages/${newPage}`;
  };
  for (const entry of pending?.pages ?? []) {
    const page = pageOf(entry);
    const text = page && (texts.get(page.id) ?? (page.document === undefined ? '' : undefined));
    if (!page || text === undefined) continue;
    // A page is created without its text if that links to a page that comes later.
    const isEmpty = text === '' && newIds.has(page.id);
    if (!isEmpty && textHash(text) !== entry.text && textHash(replacePageIds(text, addressOf)) !== entry.text) continue;
    ids.set(entry.id, page.id);
    const parent = entry.parent === null ? null : (ids.get(entry.parent) ?? page.parent);
    const sent = { ...entry, id: page.id, parent, text: textHash(text) };
    entries.set(page.id, merged(sent, entries.get(page.id), page));
  }
  return { pages: [...entries.values()], files: new Map(base?.files), hasIds: true };
}

const fields = ['title', 'slug', 'parent', ...metaMembers] as const;

/** The entry; of an existing page, only the fields that were sent. */
function merged(entry: BasePage, before: BasePage | undefined, page: RemotePage): BasePage {
  if (!before) return entry;
  const { from: _, ...rest } = before;
  const result: BasePage = { ...rest, text: entry.text };
  for (const field of fields) {
    if ((entry[field] || undefined) === (page[field] || undefined)) Object.assign(result, { [field]: entry[field] });
  }
  return result;
}
