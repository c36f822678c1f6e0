import { randomUUID } from 'node:crypto';
import { basename, dirname, extname, join, relative } from 'node:path';
import { isReadme } from '../content/folder/file-names.ts';
import type { LocalFolder } from '../content/folder/folder.ts';
import type { PushEntry, PushedCommit } from '../content/folder/push-log.ts';
import { blobId, type Checkout } from './checkout.ts';
import { treeOf } from './find-base.ts';
import { filesIn } from './write-folder.ts';

/** What a push adds to the log of the space, but for what is known only when it is sent. */
export type NewEntry = Omit<PushEntry, 'serial' | 'revision'>;

export async function entryFor({
  local,
  checkout,
}: {
  local: LocalFolder;
  checkout: Checkout | undefined;
}): Promise<NewEntry> {
  const id = randomUUID();
  return { id, tree: treeOf(local), ...(checkout && { commit: await commitOf(checkout, local) }) };
}

async function commitOf(checkout: Checkout, local: LocalFolder): Promise<PushedCommit> {
  const { head, branch, path } = checkout;
  const remote = await checkout.remote();
  const uncommitted = await uncommittedFiles(checkout, local);
  return {
    ...head,
    path: join(path, local.root),
    ...(branch !== undefined && { branch }),
    ...(remote !== undefined && { remote }),
    ...(uncommitted.length > 0 && { isDirty: true }),
    ...(uncommitted.length > 0 && uncommitted.length <= maxUncommitted && { uncommitted }),
  };
}

/** A push records at most this many paths. */
const maxUncommitted = 100;

/** Pages and files of the folder that are not as in HEAD, apart from line ends, which Git can convert. */
async function uncommittedFiles(checkout: Checkout, local: LocalFolder): Promise<string[]> {
  const committed = await checkout.blobsAt(checkout.head.id);
  const inHead = (path: string) => committed.get(join(local.root, path));
  const present = filesIn(local);
  const changed = [...present].flatMap(([path, bytes]) => {
    const blob = inHead(path) ?? '';
    const isSame = blobId(bytes, blob.length) === blob || blobId(withLineFeeds(bytes), blob.length) === blob;
    return isSame ? [] : [path];
  });
  // A page that is only in HEAD was deleted here; other files may be no part of the docs.
  const deleted = [...committed.keys()].flatMap((path) => {
    const inDocs = relative(local.root, path);
    return /\.md$/i.test(path) && !present.has(inDocs) && checkout.isMissing(path) ? [inDocs] : [];
  });
  // The pages of skipped files stay in the base, so that a clone without these files would have deleted them.
  const skipped = local.unreadable.filter((path) => {
    const isFile = !path.endsWith('/') && !checkout.isMissing(join(local.root, path));
    return isFile && inHead(path) === undefined;
  });
  return withReferring(local, [...changed, ...deleted, ...skipped]);
}

/** Files, and the pages that seem to refer to one: what a push sends of a page depends on them. */
function withReferring({ pages }: LocalFolder, files: readonly string[]): string[] {
  const all = new Set(files);
  // So many are not recorded, and to look for them in all texts would take minutes.
  if (files.length > maxUncommitted) return [...all];
  const names = files.map((file) => basename(isReadme(file) ? dirname(file) : file, extname(file)));
  const forms = names.flatMap((name) => [name, encodeURI(name)]);
  for (const { file, text } of pages) if (file !== null && forms.some((name) => text?.includes(name))) all.add(file);
  return [...all];
}

const withLineFeeds = (bytes: Uint8Array) =>
  Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
