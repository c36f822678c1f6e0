import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { hashOf, type LocalFolder } from '../content/folder/folder.ts';
import { isLayout, type Layout, readLayout } from '../content/folder/layout.ts';
import type { PushEntry } from '../content/folder/push-log.ts';
import { EngineError } from '../shared/engine-error.ts';
import type { Checkout } from './checkout.ts';
import { committedPart } from './committed-part.ts';
import type { Docs } from './local-folder.ts';
import type { ReadContent } from './read-remote.ts';
import { wasDiscarded } from './discarded-pull.ts';
import { describes, type FolderState, presentFiles, readStates } from './state-file.ts';
import { filesIn } from './write-folder.ts';

/** Where the common ancestor of a folder and a space is recorded. */
export type BaseSource =
  /** A revision that the folder was pulled from. */
  | { kind: 'pulled'; state: FolderState; late?: LatePush | undefined }
  /** What a push recorded. */
  | { kind: 'pushed'; layout: Layout; entry: PushEntry }
  /** The last push of an earlier version, which kept no log. */
  | { kind: 'unlogged' }
  | { kind: 'none' };

/** What a late job pushed after a pull, of a commit before it. */
export interface LatePush {
  layout: Layout;
  /** The last push that both the commit and the pull contain. */
  before: Layout | undefined;
}

export interface FoundBase {
  source: BaseSource;
  /** Whether no push came after it. */
  isLatest: boolean;
  /** Whether an interrupted push in the space, if there is one, was a push of this folder. */
  continues: boolean;
}

/** The folder whose base is looked for. */
export interface BasedFolder {
  docs: Docs;
  local: LocalFolder;
  spaceId: string;
  checkout?: Checkout | undefined;
}

/** The checkout is older than the last push. */
export class StaleCheckout extends EngineError {}

/**
 * Finds the newest record that describes an ancestor of the folder: its state file, or the push of HEAD or of an ancestor of
 * HEAD.
 *
 * @param changeRequest the ID of the request; undefined for main content
 * @throws StaleCheckout if a later commit was pushed; EngineError if the clone lacks the history to know
 */
export async function findBase(
  folder: BasedFolder,
  content: Pick<ReadContent, 'remote' | 'bytesOf' | 'textsAt'>,
  { changeRequest, mayBeStale = false }: { changeRequest?: string | undefined; mayBeStale?: boolean } = {},
): Promise<FoundBase> {
  const layouts = (content.remote.layouts ?? []).map((bytes) => readLayout(bytes));
  const log = logIn(layouts);
  const history = folder.checkout && new History(folder.checkout, log);
  const continues = await isInterruptedHere(folder, layouts, { history, mayBeStale });
  const found = (source: BaseSource, isLatest: boolean): FoundBase => ({ source, isLatest, continues });
  const state = await usableState(folder, { changeRequest, log, textsAt: content.textsAt });
  if (log.length === 0) {
    if (state) return found({ kind: 'pulled', state }, true);
    return found({ kind: layouts.some(({ base }) => base) ? 'unlogged' : 'none' }, true);
  }
  const pushed = history && (await newestAncestor(history, log, { layouts, content, mayBeStale }));
  if (
    state &&
    pushed &&
    state.serial < pushed.entry.serial &&
    (await wasPulledInto(state, pushed.entry, folder.checkout))
  ) {
    const before = await pushBefore(pushed.entry, state, folder.checkout, { log, layouts, content });
    return found({ kind: 'pulled', state, late: { layout: pushed.layout, before } }, false);
  }
  if (state && (pushed === undefined || state.serial >= pushed.entry.serial)) {
    if (state.push === undefined) return found({ kind: 'pulled', state }, state.serial >= (log.at(-1)?.serial ?? 0));
    const entry = log.find(({ id }) => id === state.push);
    const layout = entry && (await layoutOf(entry, { layouts, content }));
    if (layout) return found({ kind: 'pushed', layout, entry }, entry.id === log.at(-1)?.id);
  }
  if (pushed) return found({ kind: 'pushed', ...pushed }, !pushed.isPart && pushed.entry.id === log.at(-1)?.id);
  return found({ kind: 'none' }, false);
}

/**
 * Whether an interrupted push in the space was a push of this folder, so that its pages count as sent by the folder.
 *
 * @throws StaleCheckout if it came from a later commit
 */
async function isInterruptedHere(
  { local }: BasedFolder,
  layouts: readonly Layout[],
  { history, mayBeStale }: { history: History | undefined; mayBeStale: boolean },
): Promise<boolean> {
  const entry = layouts.find(({ pending }) => pending)?.pushes?.at(-1);
  if (!history || !entry?.commit || entry.tree === treeOf(local)) return true;
  const relation = await history.relationOf(entry);
  if (relation === 'later' && !mayBeStale) throw staleError(history.checkout, entry);
  return relation === 'ancestor' && entry.commit.isDirty !== true;
}

/** Whether a pull wrote into a commit that contains the commit of a push. */
async function wasPulledInto({ push, commit }: FolderState, pushed: PushEntry, checkout: Checkout | undefined) {
  if (!checkout || push !== undefined || commit === undefined || !pushed.commit) return false;
  return checkout.isAncestor(pushed.commit.id, commit);
}

/** The last push of the commit of another one or of an ancestor of it, as far as a pull contains it. */
async function pushBefore(
  { commit: late }: PushEntry,
  { serial }: FolderState,
  checkout: Checkout | undefined,
  { log, ...context }: LogContext & { log: readonly PushEntry[] },
): Promise<Layout | undefined> {
  for (const entry of log.filter((each) => each.serial <= serial).toReversed()) {
    const { commit } = entry;
    if (!checkout || !late || !commit || commit.isDirty || !(await checkout.isAncestor(commit.id, late.id))) continue;
    const layout = await layoutOf(entry, context);
    if (layout) return layout;
  }
  return undefined;
}

/**
 * Whether commits changed the folder since its last push, even if its texts are the same again. After a pull, one commit is that
 * of the pull.
 */
export async function wasTouched(checkout: Checkout | undefined, { source }: FoundBase): Promise<boolean> {
  const isPushed = source.kind === 'pushed';
  const commit = isPushed ? source.entry.commit?.id : source.kind === 'pulled' ? source.state.commit : undefined;
  if (!checkout || commit === undefined || commit === checkout.head.id) return false;
  return checkout.wasTouchedSince(commit, isPushed ? 1 : 2);
}

/** Identifies the texts and files of a folder. */
export function treeOf(local: LocalFolder): string {
  const hash = createHash('sha256');
  for (const [path, bytes] of [...filesIn(local)].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    hash.update(`${path}\0${hashOf(bytes)}\n`);
  return hash.digest('base64url').slice(0, 27);
}

/** The finished pushes that a space records, oldest first. */
export const logOf = ({ layouts = [] }: Pick<ReadContent['remote'], 'layouts'>): PushEntry[] =>
  logIn(layouts.map((bytes) => readLayout(bytes)));

/** Why a checkout is not as new as the space, if the last push came from a later commit. */
export async function laterPush(
  checkout: Checkout | undefined,
  remote: Pick<ReadContent['remote'], 'layouts'>,
): Promise<string | undefined> {
  const entry = logOf(remote).at(-1);
  if (!checkout || !entry) return undefined;
  const relation = await new History(checkout, logOf(remote)).relationOf(entry);
  return relation === 'later' ? staleError(checkout, entry).message : undefined;
}

/** The finished pushes in the latest layouts, oldest first. */
function logIn(layouts: readonly Layout[]): PushEntry[] {
  const entries = new Map<string, PushEntry>();
  for (const { pushes = [], pending } of layouts) {
    for (const entry of pending ? pushes.slice(0, -1) : pushes) entries.set(entry.id, entry);
  }
  return [...entries.values()].toSorted((one, other) => one.serial - other.serial);
}

/** The newest state in the state file that describes the folder and is about this place. */
async function usableState(
  { docs, local, spaceId, checkout }: BasedFolder,
  {
    changeRequest,
    log,
    textsAt,
  }: { changeRequest: string | undefined; log: readonly PushEntry[] } & Pick<ReadContent, 'textsAt'>,
): Promise<FolderState | undefined> {
  const folder = join(docs.path, local.root);
  const states = await readStates(folder);
  // What was pulled from main content, and what was pushed to a request that was merged, is part of this place too.
  const isPart = (state: FolderState) =>
    state.space === spaceId &&
    (state.changeRequest === changeRequest ||
      (state.push === undefined ? state.changeRequest === undefined : log.some(({ id }) => id === state.push)));
  // Of several with the same serial, the last one was written last.
  const newestFirst = states
    .filter(isPart)
    .toReversed()
    .toSorted((one, other) => other.serial - one.serial);
  // Outside of Git, nothing can be reset.
  if (!checkout) return newestFirst[0];
  for (const state of newestFirst) {
    const present = await presentFiles(state, local, folder);
    const files = { local, checkout, present };
    if (!(await describes(state, files))) continue;
    if (!(await wasDiscarded(state, { ...files, textsAt, log, docs: folder }))) return state;
  }
  return undefined;
}

interface LogContext {
  layouts: readonly Layout[];
  content: Pick<ReadContent, 'remote' | 'bytesOf'>;
}

/** The last push of HEAD or of an ancestor of HEAD, with what it recorded of files that were committed. */
async function newestAncestor(
  history: History,
  log: readonly PushEntry[],
  { mayBeStale, ...context }: LogContext & { mayBeStale: boolean },
  maxParts = 10,
): Promise<{ entry: PushEntry; layout: Layout; isPart: boolean } | undefined> {
  const { checkout } = history;
  for (const [index, entry] of [...log.entries()].toReversed()) {
    if (!entry.commit) continue;
    const relation = await history.relationOf(entry);
    if (relation === 'later' && !mayBeStale) throw staleError(checkout, entry);
    if (relation === 'unknown' && !mayBeStale) throw unknownError(checkout, entry);
    if (relation !== 'ancestor') continue;
    const { isDirty: isPart = false, uncommitted } = entry.commit;
    // Each one is fetched.
    if (isPart && (!uncommitted || maxParts === 0)) continue;
    const layout = await layoutOf(entry, context);
    if (!layout) continue;
    if (!isPart || !uncommitted) return { entry, layout, isPart };
    // What was pushed without a commit is in no other clone.
    const earlier = await newestAncestor(history, log.slice(0, index), { mayBeStale, ...context }, maxParts - 1);
    const committed = committedPart(layout, earlier?.layout, uncommitted);
    return committed ? { entry, layout: committed, isPart } : earlier;
  }
  return undefined;
}

/** What a push recorded; undefined if the space no longer has it. */
async function layoutOf(
  { id, serial }: PushEntry,
  { layouts, content: { remote, bytesOf } }: LogContext,
): Promise<Layout | undefined> {
  const isOf = ({ push, pending }: Layout) => !pending && push === id;
  const latest = layouts.find(isOf);
  if (latest) return latest;
  const files = remote.files.filter(({ name }) => isLayout(name) && name.endsWith(`-${serial}.json`));
  for (const file of files) {
    const layout = readLayout(await bytesOf(file.id));
    if (isOf(layout)) return layout;
  }
  return undefined;
}

/** How the commit of a push relates to HEAD: part of its history, after it, on another branch, or not known here. */
type Relation = 'ancestor' | 'later' | 'diverged' | 'unknown';

type Committed = Pick<PushEntry, 'commit'>;

/** What the clone and the log know about the history. */
export class History {
  readonly checkout: Checkout;
  readonly #log: readonly Committed[];

  constructor(checkout: Checkout, log: readonly Committed[]) {
    this.checkout = checkout;
    this.#log = log;
  }

  async relationOf({ commit }: Committed): Promise<Relation> {
    const { head, isShallow, branch } = this.checkout;
    if (!commit) return 'diverged';
    if (commit.id === head.id || head.parents.includes(commit.id)) return 'ancestor';
    const isHere = await this.checkout.has(commit.id);
    if (isHere && (await this.checkout.isAncestor(commit.id, head.id))) return 'ancestor';
    if (isHere ? await this.checkout.isAncestor(head.id, commit.id) : this.#follows(commit.id, head.id)) return 'later';
    if (isHere && !isShallow) return 'diverged';
    if (!isShallow && isOtherRepository(commit.remote, await this.checkout.remote())) return 'diverged';
    if (head.committedAt < commit.committedAt) return isShallow ? 'later' : 'unknown';
    // A full clone has all ancestors of HEAD, so the push came from another branch.
    if (!isShallow) return 'diverged';
    const isNewer = head.committedAt > commit.committedAt;
    return isNewer && branch !== undefined && branch === commit.branch ? 'ancestor' : 'unknown';
  }

  /** Whether the log alone shows that a commit is a descendant of another one. */
  #follows(commit: string, ancestor: string): boolean {
    const parents = new Map(
      this.#log.flatMap((entry) => (entry.commit ? [[entry.commit.id, entry.commit.parents]] : [])),
    );
    const waiting = [commit];
    const visited = new Set<string>();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next === ancestor) return true;
      if (visited.has(next)) continue;
      visited.add(next);
      waiting.push(...(parents.get(next) ?? []));
    }
    return false;
  }
}

/** Whether two addresses name different repositories. The same one has several: "https://..." and "git@...". */
function isOtherRepository(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && repositoryIn(one) !== repositoryIn(other);
}

/** The owner and name at the end of an address. */
const repositoryIn = (address: string) =>
  address
    .toLowerCase()
    .replace(/(?:\.git)?\/?$/, '')
    .split(/[/:]/)
    .slice(-2)
    .join('/');

function staleError({ head }: Checkout, { commit }: PushEntry): StaleCheckout {
  const isSameDay = commit && dayOf(commit) === dayOf(head);
  const [own, last] = [head, commit].map((each) => each && (isSameDay ? describeTime(each) : describe(each)));
  return new StaleCheckout('refused', `This checkout (${own}) is older than the last push (${last}).`, {
    hint: 'Run "git pull" and try again. Use --if-stale skip in a pipeline that newer runs may overtake.',
  });
}

function unknownError(checkout: Checkout, { commit }: PushEntry): EngineError {
  const from = commit?.branch === undefined ? '' : ` on ${commit.branch}`;
  const message = `The last push came from commit ${commit && describe(commit)}${from}, and this clone does not have the history to tell whether it is newer.`;
  return new EngineError('refused', message, { hint: `Run: ${fetchCommand(checkout, commit?.branch)}` });
}

/** The command that fetches the history which a clone lacks. */
export const fetchCommand = ({ isShallow }: Checkout, branch: string | undefined): string =>
  isShallow ? 'git fetch --unshallow' : `git fetch origin${branch === undefined ? '' : ` ${branch}`}`;

const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });

interface DatedCommit {
  id: string;
  /** In seconds. */
  committedAt: number;
}

const dayOf = ({ committedAt }: DatedCommit) => day.format(new Date(committedAt * 1000));

export const describe = (commit: DatedCommit) => `${commit.id.slice(0, 7)}, ${dayOf(commit)}`;

const describeTime = (commit: DatedCommit) =>
  `${describe(commit)}, ${new Date(commit.committedAt * 1000).toISOString().slice(11, 16)} UTC`;
