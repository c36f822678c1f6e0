import { readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Base, textHash } from '../content/folder/base.ts';
import type { Folder, LocalFolder } from '../content/folder/folder.ts';
import { readLayout } from '../content/folder/layout.ts';
import { isObject } from '../shared/is-object.ts';
import { resolveInside } from '../shared/project-root.ts';
import { type Docs, type FolderTexts, workOn } from './local-folder.ts';
import {
  type ContentPort,
  readAncestors,
  readContent,
  type Remote,
  unlessNotFound,
  withAllTexts,
} from './read-remote.ts';
import { writeLocal } from './write.ts';
import type { WrittenFolder } from './write-folder.ts';

/** The pages of a folder at its last push or pull. */
export interface BaseFolder {
  written: WrittenFolder;
  folder: Folder;
  /** IDs of its files. */
  files: ReadonlySet<string>;
  /** Undefined if the last push is the base. */
  mark?: PullMark;
}

/** A folder, and the space that it is pushed to or pulled from. */
interface SyncedFolder {
  texts: FolderTexts;
  docs: Docs;
  local: LocalFolder;
  spaceId: string;
}

/** What the folder was pulled from, if that was this place and there was no push after it. */
export async function markFor(
  { docs, local, spaceId: space }: Omit<SyncedFolder, 'texts'>,
  changeRequest: string | undefined,
  { layouts }: Remote,
): Promise<PullMark | undefined> {
  const mark = await readMark(join(docs.path, local.root));
  const isHere = mark?.space === space && mark.changeRequest === changeRequest;
  return isHere && mark.serial === readLayout(layouts?.[0]).serial ? mark : undefined;
}

/**
 * A revision with all its texts.
 *
 * @param other content whose texts are not read again
 * @returns undefined if the service no longer shows the revision
 */
const readWhole = (port: ContentPort, spaceId: string, revisionId: string, other: Remote) =>
  unlessNotFound(
    readContent(port, { spaceId, revisionId }).then((content) => withAllTexts(port, spaceId, content, other)),
  );

/**
 * The base of a folder that was pulled from a revision.
 *
 * @param other content whose texts are not read again
 * @returns undefined if the service no longer shows the revision
 */
export async function baseAt(
  port: ContentPort,
  { texts, docs, local, spaceId }: SyncedFolder,
  revision: string,
  other: Remote,
): Promise<Base | undefined> {
  const remote = await readWhole(port, spaceId, revision, other);
  const work = workOn(
    { docs, local },
    remote?.pages.map(({ text }) => text),
  );
  return remote && texts.run('pulledBase', { remote, revision, local }, work);
}

interface Pulling extends SyncedFolder {
  changeRequest: string | undefined;
  pushedHashes: ReadonlyMap<string, string>;
}

/** The folder at its last pull or push; undefined if it was never pulled or pushed. */
export async function baseFolder(port: ContentPort, pulling: Pulling, remote: Remote): Promise<BaseFolder | undefined> {
  const { texts, local, spaceId, changeRequest, pushedHashes } = pulling;
  const work = workOn(
    pulling,
    remote.pages.map(({ text }) => text),
  );
  const mark = await markFor(pulling, changeRequest, remote);
  const marked = mark && (await readWhole(port, spaceId, mark.revision, remote));
  if (marked) {
    const written = await texts.run('writeFolder', { remote: marked, local, pushedHashes }, work);
    return { written, folder: textsIn(written), files: new Set(marked.files.map(({ id }) => id)), mark };
  }
  const layout = readLayout(remote.layouts?.[0]);
  const { base } = layout;
  if (!base) return undefined;
  const { present, ancestors } = baseTexts(base, remote);
  for (const [id, text] of await readAncestors(port, spaceId, ancestors)) present.set(id, text);
  const input = { base, layout, remote, local, pushedHashes, texts: present };
  const written = await texts.run('pushedFolder', input, work);
  return { written, folder: textsIn(written), files: new Set(base.files.keys()) };
}

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

/**
 * What a folder was last pulled from. It is stored in a file of the folder, because in a repository it describes the pages
 * next to it, on every branch and in every clone. The file exists only if the content changed since the last push:
 * otherwise, the space knows the state of the folder.
 */
interface PullMark {
  space: string;
  /** ID of the change request; undefined for main content. */
  changeRequest?: string | undefined;
  revision: string;
  /** Serial of the layout in the revision. After a later push, that push is the base. */
  serial: number;
}

const markFile = '.docsctl/pulled.json';

async function readMark(docs: string): Promise<PullMark | undefined> {
  const file = resolveInside(docs, join(docs, markFile));
  try {
    const mark: unknown = file === undefined ? undefined : JSON.parse(await readFile(file, 'utf8'));
    if (!isObject(mark)) return undefined;
    const { space, changeRequest, revision, serial } = mark;
    const isRequest = changeRequest === undefined || typeof changeRequest === 'string';
    if (typeof space !== 'string' || typeof revision !== 'string' || typeof serial !== 'number') return undefined;
    return isRequest ? { space, changeRequest, revision, serial } : undefined;
  } catch {
    return undefined;
  }
}

export async function writeMark(docs: string, mark: PullMark): Promise<void> {
  const text = `${JSON.stringify({ version: 1, ...mark }, undefined, 2)}\n`;
  await writeLocal(docs, new Map([[markFile, Buffer.from(text)]]));
}

/** Deletes the mark, because the space knows the state of the folder. */
export async function removeMark(docs: string): Promise<void> {
  const file = join(docs, markFile);
  if (resolveInside(docs, file) === undefined) return;
  await rm(file, { force: true });
  await rmdir(dirname(file)).catch(() => {});
}
