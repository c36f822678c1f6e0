import type { InvocationOf } from '../../cli/command/define.ts';
import { confirmQuestion } from '../../cli/command/confirm/questions.ts';
import { printList } from '../../cli/command/list.ts';
import { fileText } from '../../cli/command/read-input.ts';
import { scopeOf, withPort } from '../../cli/command/invocation.ts';
import { visible } from '../../cli/output/index.ts';
import { CommandError, UsageError, exit } from '../../cli/program/failure.ts';
import { type Applied, apply } from '../../organization/apply/apply.ts';
import { readMaxRemovals, refuseLosses } from '../../organization/apply/checks.ts';
import { noIds } from '../../organization/parts.ts';
import type { Change } from '../../organization/plan/change.ts';
import { planPeople, type SyncPlan } from '../../organization/plan/people-sync.ts';
import type { Snapshot } from '../../organization/service/read-organization.ts';
import { printPlan, summaryText } from '../shared/print-plan.ts';
import { readCurrent } from '../../organization/plan/make-plan.ts';
import { readPeopleFile, rejectionText } from '../shared/people-file.ts';
import { assertNoneFailed, type Outcome, outcomeCounts, ResultFile, type RowResult } from '../shared/result-file.ts';
import { roleOf } from '../shared/roles.ts';
import { type Matched, matchDirectory } from './match-directory.ts';
import type { syncFlags } from './flags.ts';

type SyncInvocation = InvocationOf<'sync <file>', typeof syncFlags>;

/** The number of people in a request. If one fails, its people are sent one by one. */
const maxPeople = 100;

const shape = { name: 'email', otherNames: ['mail', 'user', 'member'], columns: ['role', 'teams', 'sso'] } as const;

/** Gives members the roles and teams that they have in a company's directory. */
export async function sync(invocation: SyncInvocation): Promise<void> {
  const { args, flags, globals } = invocation;
  const maxRemovals = readMaxRemovals(flags.maxRemovals);
  if (args.file === undefined) throw new UsageError('<file> is missing.', 'See "docsctl members sync --help".');
  const directory = readPeopleFile(fileText(args.file), args.file, shape);
  const orgId = await scopeOf(invocation, 'org');
  const snapshot = await readMembers(invocation, orgId);
  const matched = matchDirectory(directory, snapshot, flags);
  const removesMissing = mayRemove(invocation, matched);
  const planOf = (read: Snapshot, people: number) => plan(invocation, { orgId, matched, removesMissing }, read, people);
  const made = planOf(snapshot, maxPeople);
  await noteRefused(invocation, matched);
  const shown = { ...made, contents: [], unnamed: [], problems: [] };
  await printPlan(invocation, shown, { secrets: new Map(), isResult: globals.dryRun ?? false });
  if (made.unnamed.length > 0 && !flags.removeMissing)
    await invocation.io.note(
      `${made.unnamed.length} members are not in the file and stay; use --remove-missing to remove them.`,
    );
  await refuseLosses(await invocation.client(), {
    changes: made.changes,
    current: snapshot.organization,
    maxRemovals,
    withoutSelf: flags.withoutSelf ?? false,
  });
  if (!globals.dryRun && made.changes.length > 0)
    await confirmQuestion(invocation, `Make these changes? ${summaryText(made.changes, made.steps.length)}`);
  const results = new Results(matched, made.changes, snapshot);
  if (globals.dryRun) return assertNoneFailed(results.rows());
  const file =
    flags.result === undefined ? undefined : new ResultFile(flags.result, { ...directory, nameColumn: 'email' });
  // Write the file before sending anything, so that an unusable path is reported in time.
  await file?.write(results.rows());
  results.take(made.changes, await send(invocation, made));
  if (results.failed.size > 0 && !invocation.signal.aborted) {
    // One person can make a whole request fail, so retry each person separately.
    const rest = planOf(await readMembers(invocation, orgId), 1);
    results.take(rest.changes, await send(invocation, rest));
  }
  const rows = results.rows();
  await file?.write(rows);
  await printList(invocation, rows);
  await invocation.io.note(outcomeCounts(rows));
  invocation.signal.throwIfAborted();
  assertNoneFailed(rows);
}

const readMembers = async (invocation: SyncInvocation, orgId: string): Promise<Snapshot> =>
  withPort(invocation, { text: 'Reading the organization', client: await invocation.client() }, (port) =>
    readCurrent(port, { orgId, parts: ['organization', 'members', 'teams'], ids: noIds() }),
  );

interface SyncContext {
  orgId: string;
  matched: Matched;
  removesMissing: boolean;
}

function plan(
  { flags }: SyncInvocation,
  { orgId, matched, removesMissing }: SyncContext,
  { organization, names, memberIds }: Snapshot,
  people: number,
): SyncPlan {
  const teamIds = names.ids.teams;
  return planPeople({
    orgId,
    people: matched.people,
    current: organization.members ?? [],
    teams: organization.teams ?? new Map(),
    teamIds,
    memberIds,
    newTeams: new Map([...matched.newTeams].filter(([name]) => !teamIds.has(name))),
    defaultRole: flags.role === undefined ? (organization.organization?.defaultRole ?? null) : roleOf(flags.role),
    removesMissing,
    maxPeople: people,
  });
}

/** Whether to remove members who are not in the file. An invalid row may belong to any member, so then nobody is removed. */
function mayRemove({ flags }: SyncInvocation, { refused, people }: Matched): boolean {
  if (!flags.removeMissing) return false;
  if (people.length === 0)
    throw new CommandError(
      'The file has no valid rows, so removing missing members would remove everyone. Nothing was sent.',
      {
        exitCode: exit.refused,
        hint: 'Check that it is the right file.',
      },
    );
  return refused.length === 0;
}

async function noteRefused({ io, flags }: SyncInvocation, { refused }: Matched): Promise<void> {
  for (const row of refused) await io.note(visible(rejectionText(row)));
  if (refused.length > 0 && flags.removeMissing)
    await io.note('Nobody is removed, because some rows are invalid: correct them first.');
}

const send = async (invocation: SyncInvocation, { changes, steps }: SyncPlan): Promise<Applied> =>
  withPort(invocation, { text: 'Changing members', client: await invocation.client() }, (port) =>
    apply(port, { changes, steps, keepGoing: true }),
  );

const doneWords = { create: 'invited', update: 'changed', move: 'changed', delete: 'removed' } as const;

/** The result of each row of the file, and of each change to members who are not in it. */
class Results {
  readonly #matched: Matched;
  readonly #changes: readonly Change[];
  readonly #roles: ReadonlyMap<string, RowResult['role']>;
  readonly #outcomes = new Map<string, Outcome>();
  /** The error messages of failed changes, by kind and name. */
  readonly failed = new Map<string, string>();

  constructor(matched: Matched, changes: readonly Change[], { organization }: Snapshot) {
    this.#matched = matched;
    this.#changes = changes;
    this.#roles = new Map(organization.members?.map(({ email, role }) => [email, role]));
    for (const change of changes) this.#outcomes.set(keyOf(change), 'not tried');
  }

  take(changes: readonly Change[], { results, errors }: Applied): void {
    this.failed.clear();
    for (const [index, change] of changes.entries()) {
      const key = keyOf(change);
      const isDone = results[index] === 'done';
      const error = errors.get(index);
      const word = change.kind === 'team' ? 'created' : doneWords[change.action];
      // A person who is invited in the first attempt may join a team only in the second.
      const before = this.#outcomes.get(key);
      if (isDone) this.#outcomes.set(key, before === 'invited' ? before : this.#firstWord(change, word));
      else this.#outcomes.set(key, error ? 'failed' : 'not tried');
      if (error) this.failed.set(key, error.message);
    }
    for (const [key, outcome] of this.#outcomes)
      if (outcome === 'failed' && !this.failed.has(key)) this.#outcomes.set(key, 'changed');
  }

  #firstWord(change: Change, word: Outcome): Outcome {
    const first = this.#changes.find((each) => keyOf(each) === keyOf(change));
    return first && change.kind === 'member' ? doneWords[first.action] : word;
  }

  rows(): RowResult[] {
    const rows = this.#matched.refused.map((row): RowResult => ({ ...row, outcome: 'refused' }));
    const inFile = new Set<string>();
    for (const { email, role, line } of this.#matched.people) {
      inFile.add(email);
      const key = `member/${email}`;
      const reason = this.failed.get(key);
      rows.push({
        name: email,
        role: role === undefined ? this.#roles.get(email) : role,
        outcome: this.#outcomes.get(key) ?? 'unchanged',
        ...(reason !== undefined && { reason }),
        line,
      });
    }
    const sorted = rows.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
    for (const change of this.#changes) {
      const outcome = this.#outcomes.get(keyOf(change));
      const reason = this.failed.get(keyOf(change));
      if (outcome === undefined || (change.kind === 'member' && inFile.has(change.name))) continue;
      sorted.push({ name: change.name, outcome, ...(reason !== undefined && { reason }) });
    }
    return sorted;
  }
}

const keyOf = ({ kind, name }: Change): string => `${kind}/${name}`;
