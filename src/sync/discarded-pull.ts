import { join, relative } from 'node:path';
import { mergeLines } from '../content/merge/merge-lines.ts';
import type { LocalFolder } from '../content/folder/folder.ts';
import type { PushEntry } from '../content/folder/push-log.ts';
import { blobId, type Checkout } from './checkout.ts';
import type { ReadContent } from './read-remote.ts';
import type { FolderState } from './state-file.ts';
import { filesIn } from './write-folder.ts';

interface DiscardInput extends Pick<ReadContent, 'textsAt'> {
  checkout: Checkout | undefined;
  log: readonly PushEntry[];
}

/**
 * Whether a pull was discarded with Git before it was committed, and a file that it had changed or removed was edited since. A
 * changed file then lacks changes of the pull in places that it does not change itself, or was in a commit before the pull.
 */
export async function wasDiscarded(
  { commit, push, revision, serial, files, removed = [] }: FolderState,
  local: LocalFolder,
  { checkout, textsAt, log }: DiscardInput,
): Promise<boolean> {
  if (!checkout || commit === undefined || push !== undefined) return false;
  const committed = await checkout.blobsAt(commit);
  const present = filesIn(local);
  const restored = removed.filter((path) => present.has(path) && committed.has(join(local.root, path)));
  const newPaths = new Map((await checkout.renamesSince(commit)).entries().map(([to, from]) => [from, to]));
  const nowOf = (path: string) => {
    const to = newPaths.get(join(local.root, path));
    return present.get(path) ?? (to === undefined ? undefined : present.get(relative(local.root, to)));
  };
  const edited = [...files].flatMap(([path, { page, blob }]) => {
    const [now, before] = [nowOf(path), committed.get(join(local.root, path))];
    const isPulled = page !== '' && blob !== '' && before !== undefined && blob !== before;
    const isEdited = now !== undefined && ![blob, before].includes(blobId(now));
    return isPulled && isEdited ? [{ page, blob, before, now }] : [];
  });
  if (edited.length + restored.length === 0) return false;
  const { written, deleted } = await checkout.changesSince(commit);
  if (restored.some((path) => !deleted.has(join(local.root, path)))) return true;
  const uncertain = edited.filter(({ blob }) => !written.has(blob));
  const earlier = log.filter((entry) => entry.serial <= serial);
  const reset = await earlierBlobs(checkout, commit, earlier);
  if (uncertain.some(({ now }) => reset.has(blobId(now)))) return true;
  const pulled = await textsAt(uncertain.map(({ page }) => ({ id: page, revision })));
  for (const { page, before, now } of uncertain) {
    const latest = pulled.get(page);
    if (latest === undefined) continue;
    const [base, ours, theirs] = [(await checkout.text(before)) ?? '', Buffer.from(now).toString(), latest].map(
      comparable,
    );
    if (mergeLines(base!, ours!, theirs!).text !== ours) return true;
  }
  return false;
}

/** The IDs of the files in commits between this one and HEAD that were pushed. */
async function earlierBlobs(checkout: Checkout, commit: string, pushes: readonly PushEntry[]): Promise<Set<string>> {
  const since = commit === checkout.head.id || pushes.length === 0 ? new Set() : await checkout.commitsSince(commit);
  const pushed = pushes.flatMap((entry) => (entry.commit && since.has(entry.commit.id) ? [entry.commit.id] : []));
  const blobs = await Promise.all(pushed.map((id) => checkout.blobsAt(id)));
  return new Set(blobs.flatMap((files) => [...files.values()]));
}

/** A text without what is written in other ways in a file than in the space: front matter and addresses. */
const comparable = (text: string) =>
  text
    .replace(/^---\r?\n[^]*?\r?\n---\r?\n/, '')
    .split(/\r?\n/)
    .filter((line) => !/\]\(|="/.test(line))
    .join('\n');
