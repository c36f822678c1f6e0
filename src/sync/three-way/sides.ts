import type { PageRecord } from '../../content/merge/snapshot.ts';
import { type Base, type BasePage, knownText, textHash } from '../../content/folder/base.ts';
import type { LocalFolder, LocalPage, OnFile } from '../../content/folder/folder.ts';
import { type Layout, readLayout } from '../../content/folder/layout.ts';
import { type FileNames, matchFiles, matchPages } from '../match.ts';
import { metaMembers, type PageMeta } from '../../content/folder/page-info.ts';
import { interruptedBase } from './pending.ts';
import { PushTexts, type SentText } from '../push-text.ts';
import type { Remote, RemotePage } from '../remote.ts';

/** The folder beside the base: what can be found out before texts of the space are read. */
export interface Compared {
  layout: Layout;
  base: Base | undefined;
  files: FileNames;
  /** By the key of the local page. */
  sent: Map<string, SentText>;
  /** The page of the base that each local page is, by the local page's key. */
  inBase: Map<string, BasePage>;
  /** Ids of pages of the space whose texts the plan needs. */
  unread: string[];
  /** Texts of the base that the plan may need. */
  ancestors: { id: string; revision: string }[];
}

interface CompareOptions {
  /** In place of what the space knows of the last push: what the folder was pulled from since. */
  pulled?: Base | undefined;
  /** Called with each file before it is parsed. */
  onFile?: OnFile;
}

/**
 * Compares the folder with its base, and says which texts of the space are needed to plan a push: those that changed in
 * the space since the base, and those that are not in the base.
 */
export function compare(
  local: LocalFolder,
  remote: Remote,
  { pulled, onFile = () => {} }: CompareOptions = {},
): Compared {
  const layouts = (remote.layouts ?? []).map((bytes) => readLayout(bytes));
  const files = matchFiles(local.files, remote.files, layouts[0] ?? readLayout(undefined));
  const pushTexts = new PushTexts(local, files);
  const sent = new Map<string, SentText>();
  for (const page of local.pages) {
    if (page.file !== null) onFile(page.file);
    sent.set(page.key, pushTexts.textOf(page));
  }
  const hashes = new Map([...sent].map(([key, text]) => [key, textHash(text.sent)]));
  const layout = closest(layouts, new Set(hashes.values()));
  const base = pulled ?? layout.base;
  const inBase = matchBase(local, base, layout, hashes);
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
  return { layout, base, files, sent, inBase, unread, ancestors };
}

/** Of layouts with one serial, the one whose base has most in common with the folder. */
function closest(layouts: readonly Layout[], hashes: ReadonlySet<string>): Layout {
  const common = ({ base }: Layout) => base?.pages.filter(({ text }) => hashes.has(text)).length ?? -1;
  return layouts.toSorted((one, other) => common(other) - common(one))[0] ?? readLayout(undefined);
}

function matchBase(
  local: LocalFolder,
  base: Base | undefined,
  layout: Layout,
  hashes: ReadonlyMap<string, string>,
): Map<string, BasePage> {
  const candidates = (base?.pages ?? []).map((entry) => ({
    ...entry,
    type: entry.href === undefined ? ('document' as const) : ('link' as const),
    entry,
  }));
  const matches = matchPages({
    pages: local.pages,
    candidates,
    layout,
    localText: ({ key }) => hashes.get(key) || undefined,
    candidateText: ({ text }) => text || undefined,
  });
  return new Map([...matches].map(([key, { entry }]) => [key, entry]));
}

/** What texts were read for a plan. */
export interface ReadTexts {
  /** Of pages of the space, by id. */
  remote: ReadonlyMap<string, string>;
  /** Of the base, by id. */
  base: ReadonlyMap<string, string>;
}

/** The folder, the space and what they have in common, in one form. */
export interface Sides {
  /** Undefined for a folder that was never pushed. */
  base: PageRecord[] | undefined;
  folder: PageRecord[];
  app: PageRecord[];
  /** Texts by the names that the records have for them. */
  texts: Map<string, string>;
  /** The id of each local page in the records, by its key. A page that the space never had gets one of its own. */
  ids: Map<string, string>;
  /** The page of the space for each local page that has one, by its key. */
  matches: Map<string, RemotePage>;
  /** Local pages that cannot be sent. */
  leftOut: LocalPage[];
  /** Ids of pages that a folder cannot have: computed pages, and links where there is no SUMMARY.md. */
  fixed: ReadonlySet<string>;
  /** `textHash` of the texts of the space that are those of the folder in another form, by page id. */
  alike: Map<string, string>;
  /** The base, with what an interrupted push sent. */
  entries: Map<string, BasePage>;
}

/** Sorts after all ids. */
const newId = (key: string) => `~${key}`;

/** The key of a page that the space does not have: that of the local page, or the id that it had. */
export const keyOf = (id: string) => (id.startsWith('~') ? id.slice(1) : id);

/** @param isAlike whether the same file follows from a page's text in the space */
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
  const leftOut: LocalPage[] = [];
  const alike = new Map<string, string>();
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
  const appTexts = new Map(app.map(({ id, document }) => [id, document]));
  const parents = new Map<string, string | null>();
  const folder = local.pages.flatMap((page) => {
    const { sent } = compared.sent.get(page.key) ?? {};
    const id = ids.get(page.key) ?? page.key;
    const parent = page.parent === null ? null : (parents.get(page.parent) ?? ids.get(page.parent) ?? null);
    if (page.type === 'link' && id === newId(page.key)) {
      leftOut.push(page);
      parents.set(page.key, parent ?? null);
      return [];
    }
    const match = byId.get(id);
    const hash = textHash(sent);
    texts.set(hash, sent ?? '');
    const { space, text } = entries.get(id) ?? {};
    const name = appTexts.get(id) ?? '';
    if (!match || name === hash) {
      if (match && space?.isAlike && text === hash && space.text !== undefined) alike.set(id, space.text);
      return [record({ ...page, id }, parent, hash)];
    }
    const isSame = read.remote.has(id) && isAlike(page, match);
    if (isSame) alike.set(id, textHash(read.remote.get(id)));
    return [record({ ...page, id }, parent, isSame ? name : hash)];
  });
  const isFixed = ({ type }: RemotePage) => type === 'computed' || (type === 'link' && local.summary === null);
  const fixed = new Set(remote.pages.filter(isFixed).map(({ id }) => id));
  const ancestors = base?.pages.flatMap((entry) =>
    fixed.has(entry.id) ? [] : [record(entry, entry.parent, entry.text)],
  );
  return { base: ancestors, folder, app, texts, ids, matches, leftOut, fixed, alike, entries };
}

/** The name of a page's text in the space: that of the folder's text where both are the same file. */
function appText(page: RemotePage, entry: BasePage | undefined, text: string | undefined): string {
  const name = text === undefined ? (knownText(page, entry) ?? '') : textHash(text);
  return entry?.space?.isAlike && entry.space.text === name ? entry.text : name;
}

/** The pages of the space that local pages are: by the base, else those that are new on both sides. */
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
  const inOldBase = new Set(oldBase?.pages.map(({ id }) => id));
  const added = matchPages({
    pages: local.pages.filter(({ key }) => !inBase.has(key)),
    candidates: remote.pages.filter(({ id }) => !inOldBase.has(id)),
    layout,
    localText: ({ key }) => sent.get(key)?.sent?.trim() || undefined,
    candidateText: ({ id }) => read.remote.get(id)?.trim() || undefined,
    isStrict: base !== undefined,
  });
  for (const [key, page] of added) matches.set(key, page);
  return matches;
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

/** The metadata that a page has: "" and false are the same as none. */
export function metaOf(page: PageMeta): PageMeta {
  return Object.fromEntries(metaMembers.flatMap((member) => (page[member] ? [[member, page[member]]] : [])));
}

function differsInFields(entry: BasePage, page: RemotePage): boolean {
  return (
    entry.title !== page.title || metaMembers.some((member) => (entry[member] || false) !== (page[member] || false))
  );
}
