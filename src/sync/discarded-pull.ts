import { join, relative } from 'node:path';
import { mergeLines } from '../content/merge/merge-lines.ts';
import type { LocalFolder } from '../content/folder/folder.ts';
import type { PushEntry } from '../content/folder/push-log.ts';
import { blobId, type Checkout } from './checkout.ts';
import type { ReadContent } from './read-remote.ts';
import { type FolderState, isCommitted, type PresentFiles, withPages } from './state-file.ts';

interface Reset {
  local: LocalFolder;
  checkout: Checkout;
}

interface DiscardInput extends Reset, Pick<ReadContent, 'textsAt'> {
  present: PresentFiles;
  log: readonly PushEntry[];
  /** The folder of the docs. */
  docs: string;
}

/**
 * Whether a pull, or a push of files that were not committed, was discarded with Git, and a file that it had changed or removed
 * was edited since. A changed file then lacks changes of the pull in places that it does not change itself (all of them, if the
 * pull marked conflicts in it), was in a commit before the pull, or came with a commit of another clone.
 */
export async function wasDiscarded(
  state: FolderState,
  { local, checkout, textsAt, log, docs, ...input }: DiscardInput,
): Promise<boolean> {
  const { commit, revision, serial, files, removed = [] } = state;
  if (commit === undefined) return false;
  const committed = await checkout.blobsAt(commit);
  const renames = await checkout.renamesSince(commit);
  const newPaths = new Map(renames.entries().map(([to, from]) => [from, to]));
  const present = await withPages(
    input.present,
    renames.keys().map((to) => relative(local.root, to)),
    docs,
  );
  const restored = removed.filter((path) => present.has(path) && committed.has(join(local.root, path)));
  const nowOf = (path: string) => {
    const to = newPaths.get(join(local.root, path));
    return present.get(path) ?? (to === undefined ? undefined : present.get(relative(local.root, to)));
  };
  const edited = [...files].flatMap(([path, { page, blob, isMarked }]) => {
    const [now, before] = [nowOf(path), committed.get(join(local.root, path))];
    const isSynchronized = page !== '' && blob !== '' && blob !== before;
    const id = now && blobId(now);
    // A file that was only reset is known to `describes`, unless it was renamed then.
    const isReset = id !== undefined && id === before && !present.has(path);
    const isEdited = isReset || id === undefined || ![blob, before].includes(id);
    return isSynchronized && isEdited ? [{ path, page, blob, before, now, isReset, isMarked }] : [];
  });
  if (edited.length + restored.length === 0) return false;
  const { written, deleted } = await checkout.changesSince(commit);
  if (restored.some((path) => !deleted.has(join(local.root, path)))) return true;
  const uncertain = edited.filter(({ blob }) => !written.has(blob));
  if (uncertain.some(({ isReset }) => isReset)) return true;
  const earlier = log.filter((entry) => entry.serial <= serial);
  const reset = await earlierBlobs(checkout, commit, earlier);
  if (uncertain.some(({ now }) => now && reset.has(blobId(now)))) return true;
  const isReplaced = (path: string) => wasReplaced(state, join(local.root, path), { local, checkout });
  // A file that is missing was deleted, or it was renamed and changed beyond recognition.
  for (const { path, now } of uncertain) if (now === undefined && (await isReplaced(path))) return true;
  // What the pull had removed is back under the name that a commit of another clone gave it.
  for (const path of removed) if (!present.has(path) && nowOf(path) && (await isReplaced(path))) return true;
  const pulled = await textsAt(uncertain.flatMap(({ page, now }) => (now ? [{ id: page, revision }] : [])));
  for (const { path, page, before, now, isMarked } of uncertain) {
    const latest = pulled.get(page);
    if (now === undefined || latest === undefined) continue;
    const earliest = before === undefined ? undefined : await checkout.text(before);
    const [base, ours, theirs] = [earliest ?? '', Buffer.from(now).toString(), latest].map(comparable);
    const merged = mergeLines(base!, ours!, theirs!);
    // Whoever resolves conflicts may leave out a part of what was pulled.
    const isResolved = isMarked === true && hasNewLine(ours!, theirs!, base!);
    if (before !== undefined && merged.text !== ours && !isResolved) return true;
    if ((merged.hunks.length > 0 || isResolved) && (await isReplaced(path))) return true;
  }
  return false;
}

/**
 * Whether a commit of another clone replaced what was not committed. Without a flag, Git refuses to
 * replace such a file, so that a commit of this clone changes it first. A state that was committed later than the file comes from
 * elsewhere, too.
 *
 * @param path in the checkout
 */
async function wasReplaced(state: FolderState, path: string, { local, checkout }: Reset): Promise<boolean> {
  const { commit = '' } = state;
  const before = await checkout.blobAt(commit, path);
  const hasState = (id: string) => isCommitted(state, local, { checkout, commit: id });
  for (const { id, parents } of await checkout.commitsOf(path, commit)) {
    const parent = parents[0] === undefined ? undefined : await checkout.blobAt(parents[0], path);
    if (parent === before && (await hasState(id))) return false;
  }
  const moves = await checkout.movesSince(commit);
  if (!moves) return true;
  let isMadeHere: boolean | undefined;
  let isStateFromHere = (await hasState(checkout.head.id)) ? undefined : true;
  for (const { to, isCommit } of moves) {
    if (isMadeHere === undefined && (await checkout.blobAt(to, path)) !== before) isMadeHere = isCommit;
    if (isStateFromHere === undefined && (await hasState(to))) isStateFromHere = isCommit;
    if (isMadeHere !== undefined && isStateFromHere !== undefined) break;
  }
  return isMadeHere === false || isStateFromHere === false;
}

/** The IDs of the files in commits between this one and HEAD that were pushed. */
async function earlierBlobs(checkout: Checkout, commit: string, pushes: readonly PushEntry[]): Promise<Set<string>> {
  const since = commit === checkout.head.id || pushes.length === 0 ? new Set() : await checkout.commitsSince(commit);
  const pushed = pushes.flatMap((entry) => (entry.commit && since.has(entry.commit.id) ? [entry.commit.id] : []));
  const blobs = await Promise.all(pushed.map((id) => checkout.blobsAt(id)));
  return new Set(blobs.flatMap((files) => [...files.values()]));
}

/** Whether a text has a line of another one that is not in the base of both. */
function hasNewLine(text: string, other: string, base: string): boolean {
  const [own, known] = [text, base].map((each) => new Set(each.split('\n')));
  return other.split('\n').some((line) => !known!.has(line) && own!.has(line));
}

/** A text without what is written in other ways in a file than in the space: front matter and addresses. */
const comparable = (text: string) =>
  text
    .replace(/^---\r?\n[^]*?\r?\n---\r?\n/, '')
    .split(/\r?\n/)
    .filter((line) => !/\]\(|="/.test(line))
    .join('\n');
