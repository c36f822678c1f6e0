import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
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
  const isDirty = await differsFromHead(checkout, local);
  return {
    ...head,
    path: join(path, local.root),
    ...(branch !== undefined && { branch }),
    ...(remote !== undefined && { remote }),
    ...(isDirty && { isDirty }),
  };
}

/** Whether pages and files of the folder are not as in HEAD, apart from line ends, which Git can convert. */
async function differsFromHead(checkout: Checkout, local: LocalFolder): Promise<boolean> {
  const committed = await checkout.blobsAt(checkout.head.id);
  const present = [...filesIn(local)].map(([path, bytes]) => [join(local.root, path), bytes] as const);
  const isChanged = present.some(([path, bytes]) => {
    const blob = committed.get(path) ?? '';
    return blobId(bytes, blob.length) !== blob && blobId(withLineFeeds(bytes), blob.length) !== blob;
  });
  if (isChanged) return true;
  const paths = new Set(present.map(([path]) => path));
  // A page that is only in HEAD was deleted here; other files may be no part of the docs.
  return [...committed.keys()].some((path) => /\.md$/i.test(path) && !paths.has(path) && checkout.isMissing(path));
}

const withLineFeeds = (bytes: Uint8Array) =>
  Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
