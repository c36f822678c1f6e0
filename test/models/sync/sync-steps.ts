import type { Run, RunOptions } from '../world/service.ts';
import { editInApp, insertPage } from './app-steps.ts';
import { addPage } from './clone-steps.ts';
import { checkPulled, checkPushed, noteChoices } from './clones.ts';
import { checkSpace, type Expected, Violation } from './expected.ts';
import { step, type SyncStep } from './step.ts';
import type { World } from './world.ts';

export interface PushFlags {
  prefer?: 'app' | 'folder' | undefined;
  ifStale?: 'skip' | undefined;
  /** The connection breaks at this request, and the same command is run again. */
  cutAt?: number | undefined;
  /** Whether the service still gets the request. */
  isDone?: boolean | undefined;
  /** Somebody edits in the app before this request. */
  editAt?: number | undefined;
  /** A CI job pushes the newest commit of origin before this request. */
  jobAt?: number | undefined;
  /** Files whose conflicts were resolved before. */
  resolved?: ReadonlySet<string>;
}

const textOfFlags = ({ prefer, ifStale, cutAt, isDone, editAt, jobAt }: PushFlags) =>
  [
    prefer && ` --prefer ${prefer}`,
    ifStale && ` --if-stale ${ifStale}`,
    cutAt !== undefined && `, cut ${isDone ? 'after' : 'before'} request ${cutAt} and run again`,
    editAt !== undefined && `, with an edit in the app before request ${editAt}`,
    jobAt !== undefined && `, with a CI job of the newest commit before request ${jobAt}`,
  ]
    .filter(Boolean)
    .join('');

const wordsOf = ({ prefer, ifStale }: PushFlags) => [
  ...(prefer ? ['--prefer', prefer] : []),
  ...(ifStale ? ['--if-stale', ifStale] : []),
];

/** A push or pull is done, has conflicts or an old checkout (6), or leaves out files (8). */
export function checkStatus({ status, stderr }: Run, expected: Expected): void {
  if (status === 2 && /contains no pages|was never pushed/.test(stderr)) return;
  if (![0, 6, 8].includes(status)) throw new Violation(`status ${status} after: ${expected.last}\n${stderr}`);
}

export async function runPush(expected: Expected, world: World, clone: string, flags: PushFlags = {}): Promise<void> {
  const { cutAt, isDone, editAt, jobAt } = flags;
  expected.overrules = flags.prefer;
  const words = ['push', '--merge', '--update', ...wordsOf(flags)];
  // A push can break links to the pages that it moves, in pages that the folder does not have as they are in the space.
  expected.linked.clear();
  const isOld = await isOlder(expected, world, clone);
  const wordsBefore = JSON.stringify([...expected.words].toSorted());
  if (cutAt !== undefined) {
    const fault: RunOptions['fault'] = (_, index) =>
      index > cutAt || (index === cutAt && !isDone)
        ? { lost: 'request' }
        : index === cutAt
          ? { lost: 'answer' }
          : undefined;
    await world.docsctl(clone, [...words, '--retries', '0'], { fault });
    await checkSpace(expected, world);
  }
  const before: RunOptions['before'] = async (_, index) => {
    if (index !== editAt && index !== jobAt) return;
    await checkSpace(expected, world);
    if (index === jobAt) await runJob(expected, world);
    else await editInApp(world, 0, 'b');
    await checkSpace(expected, world);
  };
  const isDisturbed = editAt !== undefined || jobAt !== undefined;
  const run = await world.docsctl(clone, words, isDisturbed ? { before } : {});
  checkStatus(run, expected);
  for (const { kind, file } of run.status === 6 ? conflictsIn(run) : [])
    if (kind === 'content' && flags.resolved?.has(file ?? ''))
      expected.fail(`a push of what was resolved has conflicts: ${run.stderr}`);
  expected.isRefused = run.status !== 0 || run.json.status === 'stale';
  expected.isPartial = run.status === 8;
  const pages = await checkSpace(expected, world);
  const wordsAfter = JSON.stringify([...expected.words].toSorted());
  if (isOld && !isDisturbed && wordsAfter !== wordsBefore)
    expected.fail('a checkout older than the last push was pushed');
  if (isSent(run)) await recordPush(expected, world, clone, run);
  if (expected.isPartial && flags.prefer === 'app') noteChoices(world, clone, pages);
  if (expected.isRefused || isDisturbed) return;
  checkPushed(expected, world, clone, pages);
  expected.isCrossed = clone === 'ci' && (await headOf(world, 'ci')) !== (await headOf(world, 'origin'));
  if (flags.prefer === undefined && (expected.pushCount += 1) % 2 === 0)
    await checkSecondPush(expected, world, clone, words);
}

export interface ReportedConflict {
  page: string;
  file?: string;
  kind: 'content' | 'metadata' | 'deleted';
  deletedIn?: 'app' | 'folder';
  members?: { member: string; app: unknown; folder: unknown }[];
}

/** The conflicts that a push or pull lists; none if it ended for another reason. */
export const conflictsIn = ({ stderr }: Run): ReportedConflict[] =>
  JSON.parse(stderr.trim().split('\n').at(-1) ?? '{}').error?.conflicts ?? [];

/** Whether the space records the push: also if files were left out. */
const isSent = (run: Run) =>
  (run.status === 0 || run.status === 8) && run.stdout !== '' && ['merged', 'unchanged'].includes(run.json.status);

const headOf = async (world: World, clone: string) => (await world.git(clone, 'rev-parse', 'HEAD'))?.trim();

async function recordPush(expected: Expected, world: World, clone: string, run: Run): Promise<void> {
  const commit = await headOf(world, clone);
  if (commit === undefined || (run.json.status === 'unchanged' && (await isPull(expected, world, clone)))) return;
  // What is pushed without a commit, others cannot know, nor what else they have of the pages concerned.
  if (await world.isDirty(clone)) expected.isForked = true;
  const { lastPush } = expected;
  if (lastPush && (await world.git(clone, 'merge-base', '--is-ancestor', lastPush.commit, commit)) === undefined)
    expected.isForked = true;
  const isJob = clone === 'ci' || clone === 'job';
  expected.lastPush = { commit, clone: isJob ? 'origin' : clone };
}

/** Whether a clone has, besides the last push, only commits of pulls: a push of it records nothing. */
async function isPull({ lastPush }: Expected, world: World, clone: string): Promise<boolean> {
  const messages = lastPush && (await world.git(clone, 'log', '--format=%s', `${lastPush.commit}..HEAD`));
  return (
    messages
      ?.trim()
      .split('\n')
      .every((message) => message === 'Pull') === true
  );
}

/** Whether the last push came from a descendant of this checkout. */
async function isOlder({ lastPush }: Expected, world: World, clone: string): Promise<boolean> {
  const head = await headOf(world, clone);
  if (!lastPush || head === undefined || head === lastPush.commit) return false;
  return (await world.git(lastPush.clone, 'merge-base', '--is-ancestor', head, lastPush.commit)) !== undefined;
}

async function runJob(expected: Expected, world: World): Promise<void> {
  const { overrules, last } = expected;
  Object.assign(expected, { overrules: undefined, last: `the CI job in: ${last}` });
  await world.checkOut('job', 'main');
  const run = await world.docsctl('job', ['push', '--merge', '--update']);
  checkStatus(run, expected);
  if (isSent(run)) await recordPush(expected, world, 'job', run);
  await checkSpace(expected, world);
  Object.assign(expected, { overrules, last });
}

async function checkSecondPush(expected: Expected, world: World, clone: string, words: string[]): Promise<void> {
  let writes = 0;
  const before: RunOptions['before'] = ({ method }) => void (writes += Number(method !== 'GET'));
  const { status, stderr } = await world.docsctl(clone, words, { before });
  if (status !== 0 || writes > 0)
    throw new Violation(`a second push sent ${writes} changes (status ${status}): ${expected.last}\n${stderr}`);
}

export const push = (clone: string, flags: PushFlags): SyncStep =>
  step(`${clone}: docsctl content push --merge${textOfFlags(flags)}`, (expected, world) =>
    runPush(expected, world, clone, flags),
  );

export const ciJob = (back: number, depth: number | undefined, flags: PushFlags): SyncStep =>
  step(
    `a CI job of origin's commit main~${back}${depth === undefined ? '' : ` with depth ${depth}`}: docsctl content push --merge${textOfFlags(flags)}`,
    async (expected, world) => {
      const commit = (await world.git('origin', 'rev-parse', `main~${back}`))?.trim();
      if (commit === undefined) return;
      await world.checkOut('ci', commit, depth);
      await runPush(expected, world, 'ci', flags);
    },
  );

interface PullFlags {
  prefer?: 'app' | 'folder' | undefined;
  isCommitted: boolean;
}

export async function runPull(
  expected: Expected,
  world: World,
  clone: string,
  { prefer, isCommitted }: PullFlags,
): Promise<void> {
  const before = world.files(clone);
  const isOld = await isOlder(expected, world, clone);
  expected.overrules = prefer;
  const run = await world.docsctl(clone, ['pull', ...wordsOf({ prefer })]);
  checkStatus(run, expected);
  expected.isRefused = run.status !== 0;
  expected.isPartial = run.status === 8;
  const pages = await checkSpace(expected, world);
  if (expected.isRefused) return;
  checkPulled(expected, world, { clone, before, pages, isOld });
  if (prefer === undefined) {
    const again = await world.docsctl(clone, ['pull']);
    if (again.status !== 0 || again.json.written + again.json.removed > 0)
      throw new Violation(`a second pull changed files (${again.stdout}${again.stderr}): ${expected.last}`);
  }
  if (isCommitted) await world.commit(clone, 'Pull');
}

export const pull = (clone: string, prefer: PullFlags['prefer'], isCommitted: boolean): SyncStep =>
  step(
    `${clone}: docsctl content pull${textOfFlags({ prefer })}${isCommitted ? ', and a commit' : ''}`,
    (expected, world) => runPull(expected, world, clone, { prefer, isCommitted }),
  );

/** If the app's page were renamed before the push or pull, nobody could know that it is the same page. */
export const bothAdd = (clone: string, isPulled: boolean, isAlike: boolean): SyncStep =>
  step(
    `${clone} and the app add the same page${isAlike ? '' : ' with different texts'}, and ${clone} ${isPulled ? 'pulls' : 'pushes'}`,
    async (expected, world) => {
      const key = expected.newKey();
      const text = addPage(world, clone, key);
      await world.commit(clone, 'Add');
      await insertPage(world, key, undefined, isAlike ? text : world.newPage(key));
      await checkSpace(expected, world);
      if (isPulled) await runPull(expected, world, clone, { isCommitted: true });
      else await runPush(expected, world, clone);
      if (!expected.isRefused || expected.isPartial) return;
      await world.edit({ operation: 'delete_page', page: expected.ids.get(key) });
      expected.forget(key);
    },
  );
