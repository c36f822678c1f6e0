import { readFile, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HttpError } from '../client/errors/http-error.ts';
import { type Base, textHash } from '../content/folder/base.ts';
import type { Folder, LocalFolder } from '../content/folder/folder.ts';
import { readLayout } from '../content/folder/layout.ts';
import { isObject } from '../shared/is-object.ts';
import { resolveInside } from '../shared/project-root.ts';
import type { FolderTexts } from './folder-texts.ts';
import { type ContentPort, readAncestors, readContent, readTexts, type Revision } from './read-remote.ts';
import type { Remote } from './remote.ts';
import { writeLocal } from './write.ts';
import type { WrittenFolder } from './write-folder.ts';

/** The pages of a folder at its last push or pull. */
export interface BaseFolder {
  written: WrittenFolder;
  folder: Folder;
  /** Ids of the files that it had. */
  files: ReadonlySet<string>;
  /** Where it is not the last push. */
  mark?: PullMark;
}

interface Pulling {
  texts: FolderTexts;
  /** The folder that holds the docs. */
  target: string;
  /** For messages. */
  name: string;
  local: LocalFolder;
  spaceId: string;
  changeRequest: string | undefined;
  remote: Remote;
  pushedHashes: ReadonlyMap<string, string>;
}

/** The mark of the folder where it belongs to this place and no push came after it. */
export function markFor({
  target,
  spaceId,
  changeRequest,
  remote,
}: Pick<Pulling, 'target' | 'spaceId' | 'changeRequest' | 'remote'>) {
  const { serial } = readLayout(remote.layouts?.[0]);
  return readMark(target, { space: spaceId, ...(changeRequest !== undefined && { changeRequest }), serial });
}

/**
 * A revision with all its texts; those that another content has already are not read again.
 *
 * @returns undefined where the service does not show it any more
 */
export async function readWhole(
  port: ContentPort,
  { spaceId, revisionId }: { spaceId: string; revisionId: string },
  other: Remote,
): Promise<{ remote: Remote; revision: Revision } | undefined> {
  try {
    const { remote, revision } = await readContent(port, { spaceId, revisionId });
    const known = new Map(other.pages.map(({ document, text }) => [document, text]));
    const isKnown = ({ document }: Remote['pages'][number]) =>
      document === undefined || typeof known.get(document) === 'string';
    const unread = remote.pages.filter((page) => !isKnown(page)).map(({ id }) => id);
    const texts = await readTexts(port, { spaceId, revisionId }, unread);
    const pages = remote.pages.map((page) => ({
      ...page,
      text: page.document === undefined ? null : (texts.get(page.id) ?? known.get(page.document) ?? null),
    }));
    return { remote: { ...remote, pages }, revision };
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return undefined;
    throw error;
  }
}

/** The folder as it was when it was last pulled or pushed; undefined where it never was. */
export async function baseFolder(port: ContentPort, pulling: Pulling): Promise<BaseFolder | undefined> {
  const { texts, name, local, spaceId, remote, pushedHashes } = pulling;
  const work = {
    folder: join(name, local.root),
    texts: [...local.pages, ...remote.pages].map(({ text }) => text),
  };
  const mark = await markFor(pulling);
  const marked = mark && (await readWhole(port, { spaceId, revisionId: mark.revision }, remote));
  if (mark && marked) {
    const written = await texts.run('writeFolder', { remote: marked.remote, local, pushedHashes }, work);
    return { written, folder: textsIn(written), files: new Set(marked.remote.files.map(({ id }) => id)), mark };
  }
  const layout = readLayout(remote.layouts?.[0]);
  const { base } = layout;
  if (!base) return undefined;
  const { known, ancestors } = baseTexts(base, remote);
  for (const [id, text] of await readAncestors(port, spaceId, ancestors)) known.set(id, text);
  const written = await texts.run('pushedFolder', { base, layout, remote, local, pushedHashes, texts: known }, work);
  return { written, folder: textsIn(written), files: new Set(base.files.keys()) };
}

/** The pages and SUMMARY.md. */
export function textsIn({ pages, summary }: WrittenFolder): Folder {
  return new Map([...pages, ...(summary ? [[summary.path, Buffer.from(summary.text)] as const] : [])]);
}

/** Texts of the base that a pull needs beside those of the space, by page id. */
interface BaseTexts {
  /** Those that the record has. */
  known: Map<string, string>;
  /** Those that an earlier revision has. */
  ancestors: { id: string; revision: string }[];
}

/** @param remote with its texts */
function baseTexts(base: Base, remote: Remote): BaseTexts {
  const texts = new Map(remote.pages.map(({ id, text }) => [id, text ?? '']));
  const known = new Map<string, string>();
  const ancestors: BaseTexts['ancestors'] = [];
  for (const entry of base.pages) {
    const text = entry.text === '' ? '' : (entry.source ?? texts.get(entry.id));
    if (text !== undefined && textHash(text) === entry.text) known.set(entry.id, text);
    else if (entry.space?.isAlike && text !== undefined && textHash(text) === entry.space.text)
      known.set(entry.id, text);
    else if (entry.revision !== undefined) ancestors.push({ id: entry.id, revision: entry.revision });
  }
  return { known, ancestors };
}

/**
 * What a folder was last pulled from, in a file of the folder: in a repository it belongs to the state of the pages beside
 * it, on every branch and in every clone. It is there only where the space does not know it, because the content changed
 * since the last push.
 */
export interface PullMark {
  space: string;
  /** Id of the change request; absent for main content. */
  changeRequest?: string;
  revision: string;
  /** Serial of the layout that the revision had: since a later push, that one is the base. */
  serial: number;
}

const folder = '.docsctl';
const name = 'pulled.json';

/** Undefined where there is none for this place. */
async function readMark(
  docs: string,
  { space, changeRequest, serial }: Omit<PullMark, 'revision'>,
): Promise<PullMark | undefined> {
  const file = resolveInside(docs, join(docs, folder, name));
  try {
    const mark: unknown = file === undefined ? undefined : JSON.parse(await readFile(file, 'utf8'));
    if (!isObject(mark) || typeof mark.revision !== 'string') return undefined;
    const isHere = mark.space === space && mark.changeRequest === changeRequest && mark.serial === serial;
    return isHere
      ? { space, ...(changeRequest !== undefined && { changeRequest }), serial, revision: mark.revision }
      : undefined;
  } catch {
    return undefined;
  }
}

export async function writeMark(docs: string, mark: PullMark): Promise<void> {
  const text = `${JSON.stringify({ version: 1, ...mark }, undefined, 2)}\n`;
  await writeLocal(docs, new Map([[`${folder}/${name}`, Buffer.from(text)]]));
}

/** The space knows what the folder has. */
export async function removeMark(docs: string): Promise<void> {
  if (resolveInside(docs, join(docs, folder, name)) === undefined) return;
  await rm(join(docs, folder, name), { force: true });
  await rmdir(join(docs, folder)).catch(() => {});
}
