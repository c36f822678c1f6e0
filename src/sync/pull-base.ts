import { undefinedIfMissing } from '../client/errors/http-error.ts';
import { type Base, textHash } from '../content/folder/base.ts';
import type { Folder, LocalFolder } from '../content/folder/folder.ts';
import { type Layout, readLayout, withOwnNames } from '../content/folder/layout.ts';
import { type BasedFolder, findBase, type FoundBase, type LatePush } from './find-base.ts';
import { type FolderTexts, workOn } from './local-folder.ts';
import {
  type ContentPort,
  readAncestors,
  readContent,
  type ReadContent,
  type Remote,
  withAllTexts,
} from './read-remote.ts';
import type { FolderState } from './state-file.ts';
import { type LatePage, mergeLate } from './three-way/late-pages.ts';
import type { Ancestor, Compared } from './three-way/compare.ts';
import type { WrittenFolder } from './write-folder.ts';

/** The pages of a folder at its last push or pull. */
export interface BaseFolder {
  written: WrittenFolder;
  folder: Folder;
  /** IDs of its files. */
  files: ReadonlySet<string>;
}

/** A folder, and the space that it is pushed to or pulled from. */
interface SyncedFolder extends BasedFolder {
  texts: FolderTexts;
}

/**
 * A revision with all its texts.
 *
 * @param other content whose texts are not read again
 * @returns undefined if the service no longer shows the revision
 */
const readWhole = (port: ContentPort, spaceId: string, revisionId: string, other: Remote) =>
  readContent(port, { spaceId, revisionId })
    .then((content) => withAllTexts(port, spaceId, content, other))
    .catch(undefinedIfMissing);

/**
 * The base of a folder that was pulled from a revision.
 *
 * @param other content whose texts are not read again
 * @returns undefined if the service no longer shows the revision
 */
export async function baseAt(
  port: ContentPort,
  folder: SyncedFolder,
  state: Pick<FolderState, 'revision'> & Partial<Pick<FolderState, 'files'>>,
  other: Remote,
): Promise<Base | undefined> {
  const remote = await readWhole(port, folder.spaceId, state.revision, other);
  return remote && baseOf(folder, state, { remote });
}

const baseOf = (
  { texts, docs, local }: SyncedFolder,
  { revision, files }: Pick<FolderState, 'revision'> & Partial<Pick<FolderState, 'files'>>,
  { remote, late }: Pick<Pulled, 'late'> & { remote: Remote },
): Promise<Base> => {
  const work = workOn(
    { docs, local },
    remote.pages.map(({ text }) => text),
  );
  return texts.run('pulledBase', { remote, revision, local, names: namesIn(files), late }, work);
};

/** What a folder was pulled from. */
interface Pulled {
  /** Undefined if the service no longer shows the revision. */
  remote: Remote | undefined;
  /** Pages that a job changed afterwards, of a commit before the pull, by ID. */
  late?: ReadonlyMap<string, LatePage>;
}

async function readPulled(
  port: ContentPort,
  folder: SyncedFolder,
  { source }: FoundBase,
  remote: Remote,
): Promise<Pulled | undefined> {
  if (source.kind !== 'pulled') return undefined;
  return {
    remote: await readWhole(port, folder.spaceId, source.state.revision, remote),
    late: await latePages(port, folder, source.late, remote),
  };
}

/** Where the common ancestor of a folder and a space is recorded, and what a pull had read there. */
export interface ReadBase {
  found: FoundBase;
  pulled: Pulled | undefined;
}

export async function readBase(
  port: ContentPort,
  folder: SyncedFolder & { changeRequest: string | undefined },
  content: Pick<ReadContent, 'remote' | 'bytesOf' | 'textsAt'>,
): Promise<ReadBase> {
  const found = await findBase(folder, content, { changeRequest: folder.changeRequest, mayBeStale: true });
  return { found, pulled: await readPulled(port, folder, found, content.remote) };
}

/** The files of pages, by page ID. */
const namesIn = (files: FolderState['files'] = new Map()): Map<string, string> =>
  new Map([...files].flatMap(([path, { page, from }]) => (page === '' ? [] : [[page, from ?? path] as const])));

/** The common ancestor for a push. @param found where it is recorded */
export const ancestorFor = async (
  port: ContentPort,
  folder: SyncedFolder,
  found: FoundBase,
  remote: Remote,
): Promise<Ancestor | undefined> =>
  ancestorOf(folder, { found, pulled: await readPulled(port, folder, found, remote) });

async function ancestorOf(
  folder: SyncedFolder,
  { found: { source, continues, isLatest }, pulled }: ReadBase,
): Promise<Ancestor | undefined> {
  if (source.kind === 'unlogged') return undefined;
  if (source.kind === 'none') return { base: undefined, continues };
  const commit = source.kind === 'pulled' ? source.state.commit : source.entry.commit?.id;
  const isMoved = commit !== undefined && folder.checkout && commit !== folder.checkout.head.id;
  const renames = isMoved ? await renamesIn(folder, commit) : undefined;
  if (source.kind === 'pulled') {
    const { state, late } = source;
    const { remote } = pulled ?? {};
    const known = remote && (await baseOf(folder, state, { remote, ...(pulled?.late && { late: pulled.late }) }));
    const base = known && late?.layout.base ? withAdded(known, late.layout.base) : known;
    const [bytes] = remote?.layouts ?? [];
    const baseLayout = isLatest || !bytes ? undefined : readLayout(bytes);
    return { base, baseLayout, renames: withEarlier(state.files, renames), continues };
  }
  const layout = isLatest ? undefined : source.layout;
  const isAsLast = isLatest && source.layout.base?.names === undefined;
  const baseLayout = isAsLast ? undefined : withOwnNames(source.layout);
  return { base: source.layout.base, layout, baseLayout, renames, continues };
}

/** A pulled base with the pages that a late job added. */
function withAdded(pulled: Base, late: Base): Base {
  const present = new Set(pulled.pages.map(({ id }) => id));
  return {
    pages: [...pulled.pages, ...late.pages.filter(({ id }) => !present.has(id))],
    files: new Map([...late.files, ...pulled.files]),
    ...(pulled.hasIds && late.hasIds && { hasIds: true }),
  };
}

/** Renames since a pull, and those before it that are not in the space yet. */
function withEarlier(files: FolderState['files'], since: ReadonlyMap<string, string> = new Map()): Map<string, string> {
  const renames = new Map<string, string>();
  for (const [path, { from }] of files) if (from !== undefined) renames.set(path, from);
  for (const [to, path] of since) renames.set(to, files.get(path)?.from ?? path);
  return renames;
}

/** Renames below the root of the docs. */
async function renamesIn({ checkout, local }: SyncedFolder, commit: string): Promise<Map<string, string>> {
  const renames = await checkout?.renamesSince(commit);
  if (!renames || local.root === '') return renames ?? new Map();
  const under = `${local.root}/`;
  const inside = [...renames].filter((paths) => paths.every((path) => path.startsWith(under)));
  return new Map(inside.map(([to, from]) => [to.slice(under.length), from.slice(under.length)]));
}

/** A folder that is pulled into, compared with its base. */
export async function comparedFolder(
  folder: SyncedFolder,
  base: ReadBase,
  remote: Remote,
): Promise<Compared | undefined> {
  const { local, texts } = folder;
  if (local.pages.length === 0 && local.summary === null) return undefined;
  const ancestor = await ancestorOf(folder, base);
  return texts.run('compare', { local, remote, ancestor }, workOn(folder));
}

/** The files of pages that were renamed in the folder since its base, by page ID; also those that SUMMARY.md misspells. */
export function renamedHere(
  { pages, problems }: LocalFolder,
  compared: Pick<Compared, 'inBase' | 'held'> | undefined,
): Map<string, string> {
  if (!compared) return new Map();
  const files = new Map(pages.map(({ key, file }) => [key, file]));
  const renamed = [...compared.inBase].flatMap(([key, entry]) => {
    const file = files.get(key);
    return file && entry.file !== undefined && entry.file !== file ? [[entry.id, file] as const] : [];
  });
  const unlisted = new Set(problems.flatMap(({ rule, file }) => (rule === 'not-in-summary' ? [file] : [])));
  const held = [...compared.held].filter(([, file]) => unlisted.has(file));
  return new Map([...held, ...renamed]);
}

interface Pulling extends SyncedFolder {
  pushedHashes?: ReadonlyMap<string, string>;
}

/** The folder at its last pull or push; undefined if it was never pulled or pushed. @param remote with all texts */
export async function baseFolder(
  port: ContentPort,
  pulling: Pulling,
  { found: { source }, pulled }: ReadBase,
  remote: Remote,
): Promise<BaseFolder | undefined> {
  if (source.kind === 'pulled') return pulledFolder(pulling, source.state, pulled, remote);
  if (source.kind === 'none') return undefined;
  const layout = source.kind === 'pushed' ? source.layout : readLayout(remote.layouts?.[0]);
  return pushedFolder(port, pulling, layout, remote);
}

async function pulledFolder(
  pulling: Pulling,
  { files }: FolderState,
  { remote: whole, late = new Map() }: Pulled = { remote: undefined },
  remote: Remote,
): Promise<BaseFolder | undefined> {
  if (!whole) return undefined;
  const { texts, local, pushedHashes } = pulling;
  const input = { remote: whole, local, pushedHashes, names: namesIn(files), correctsLinks: true };
  const written = await texts.run('writeFolder', input, workOnRemote(pulling, remote));
  mergeLate(written, late);
  for (const [id, { path, sent }] of late) {
    if (written.pages.has(path) || whole.pages.some((page) => page.id === id)) continue;
    written.pages.set(path, sent);
    written.ids.set(path, id);
  }
  return { written, folder: textsIn(written), files: new Set(whole.files.map(({ id }) => id)) };
}

/** The pages that a late job changed or added, by ID. */
async function latePages(
  port: ContentPort,
  pulling: Pulling,
  late: LatePush | undefined,
  remote: Remote,
): Promise<ReadonlyMap<string, LatePage>> {
  const { layout, before } = late ?? {};
  if (!layout?.base || !before?.base) return new Map();
  const texts = new Map(before.base.pages.map(({ id, text }) => [id, text]));
  const changed = new Set(layout.base.pages.flatMap(({ id, text }) => (texts.get(id) === text ? [] : [id])));
  if (changed.size === 0) return new Map();
  const [sent, earlier] = [
    await pushedFolder(port, pulling, layout, remote, changed),
    await pushedFolder(port, pulling, before, remote, changed),
  ];
  const paths = new Map([...(earlier?.written.ids ?? [])].map(([path, id]) => [id, path]));
  return new Map(
    [...(sent?.written.ids ?? [])].flatMap(([path, id]): [string, LatePage][] => {
      const bytes = changed.has(id) ? sent?.written.pages.get(path) : undefined;
      return bytes ? [[id, { path, sent: bytes, before: earlier?.written.pages.get(paths.get(id) ?? '') }]] : [];
    }),
  );
}

/** @param only the pages whose texts are needed; by default, all */
async function pushedFolder(
  port: ContentPort,
  pulling: Pulling,
  layout: Layout,
  remote: Remote,
  only?: ReadonlySet<string>,
): Promise<BaseFolder | undefined> {
  const { texts, local, spaceId, pushedHashes } = pulling;
  const { base } = layout;
  if (!base) return undefined;
  const { present, ancestors } = baseTexts(base, remote);
  const needed = ancestors.filter(({ id }) => only?.has(id) ?? true);
  for (const [id, text] of await readAncestors(port, spaceId, needed)) present.set(id, text);
  const input = { base, layout, remote, local, pushedHashes, texts: present };
  const written = await texts.run('pushedFolder', input, workOnRemote(pulling, remote));
  return { written, folder: textsIn(written), files: new Set(base.files.keys()) };
}

const workOnRemote = (pulling: SyncedFolder, { pages }: Remote) =>
  workOn(
    pulling,
    pages.map(({ text }) => text),
  );

/** The pages and SUMMARY.md. */
export const textsIn = ({ pages, summary }: WrittenFolder): Folder =>
  new Map([...pages, ...(summary ? [[summary.path, Buffer.from(summary.text)] as const] : [])]);

/** The texts of the base by page ID, if the record or the space has them, and the revisions that have the others. */
function baseTexts(base: Base, remote: Remote) {
  const texts = new Map(remote.pages.map(({ id, text }) => [id, text ?? '']));
  const present = new Map<string, string>();
  const ancestors: { id: string; revision: string }[] = [];
  for (const { id, text: hash, source, space, revision } of base.pages) {
    const text = hash === '' ? '' : (source ?? texts.get(id));
    const isSame = text !== undefined && [hash, space?.isAlike && space.text].includes(textHash(text));
    if (isSame) present.set(id, text);
    else if (revision !== undefined) ancestors.push({ id, revision });
  }
  return { present, ancestors };
}
