import { join } from 'node:path';
import { HttpError } from '../client/errors/http-error.ts';
import type { Folder, LocalFolder } from '../content/folder/folder.ts';
import { readLayout } from '../content/folder/layout.ts';
import type { Remote } from './remote.ts';
import { baseTexts } from './three-way/base-texts.ts';
import type { WrittenFolder } from './write-folder.ts';
import type { Invocation } from '../cli/command/command.ts';
import type { FolderTexts } from './folder-texts.ts';
import { type PullMark, readMark } from './pull-mark.ts';
import { readAncestors, readContent, readTexts, type Revision } from './read-remote.ts';

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
  invocation: Invocation<{}, {}>,
  { spaceId, revisionId }: { spaceId: string; revisionId: string },
  other: Remote,
): Promise<{ remote: Remote; revision: Revision } | undefined> {
  try {
    const { remote, revision, close } = await readContent(invocation, { spaceId, revisionId });
    await close();
    const known = new Map(other.pages.map(({ document, text }) => [document, text]));
    const isKnown = ({ document }: Remote['pages'][number]) =>
      document === undefined || typeof known.get(document) === 'string';
    const unread = remote.pages.filter((page) => !isKnown(page)).map(({ id }) => id);
    const texts = await readTexts(invocation, { spaceId, revisionId }, unread);
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
export async function baseFolder(invocation: Invocation<{}, {}>, pulling: Pulling): Promise<BaseFolder | undefined> {
  const { texts, name, local, spaceId, remote, pushedHashes } = pulling;
  const work = {
    folder: join(name, local.root),
    texts: [...local.pages, ...remote.pages].map(({ text }) => text),
  };
  const mark = await markFor(pulling);
  const marked = mark && (await readWhole(invocation, { spaceId, revisionId: mark.revision }, remote));
  if (mark && marked) {
    const written = await texts.run('writeFolder', { remote: marked.remote, local, pushedHashes }, work);
    return { written, folder: textsIn(written), files: new Set(marked.remote.files.map(({ id }) => id)), mark };
  }
  const layout = readLayout(remote.layouts?.[0]);
  const { base } = layout;
  if (!base) return undefined;
  const { known, ancestors } = baseTexts(base, remote);
  for (const [id, text] of await readAncestors(invocation, spaceId, ancestors)) known.set(id, text);
  const written = await texts.run('pushedFolder', { base, layout, remote, local, pushedHashes, texts: known }, work);
  return { written, folder: textsIn(written), files: new Set(base.files.keys()) };
}

/** The pages and SUMMARY.md. */
export function textsIn({ pages, summary }: WrittenFolder): Folder {
  return new Map([...pages, ...(summary ? [[summary.path, Buffer.from(summary.text)] as const] : [])]);
}
