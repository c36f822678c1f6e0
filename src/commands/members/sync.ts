import { confirmQuestion } from '../../cli/command/confirm/questions.ts';
import type { InvocationOf } from '../../cli/command/define.ts';
import { scopeOf, withPort } from '../../cli/command/invocation.ts';
import { printList } from '../../cli/command/list.ts';
import { fileText } from '../../cli/command/read-input.ts';
import { visible } from '../../cli/output/index.ts';
import { UsageError, refused } from '../../cli/program/failure.ts';
import type { Applied } from '../../organization/apply/applied.ts';
import { apply } from '../../organization/apply/apply.ts';
import { isAnswered, readBackClient } from '../../client/read-back.ts';
import { readMaxRemovals, refuseLosses } from '../../organization/apply/checks.ts';
import { noIds } from '../../organization/parts.ts';
import type { Change } from '../../organization/plan/change.ts';
import { readCurrent } from '../../organization/plan/make-plan.ts';
import { type DirectoryPerson, type SyncPlan, planPeople } from '../../organization/plan/people-sync.ts';
import type { Snapshot } from '../../organization/service/read-organization.ts';
import { nearest } from '../../shared/suggest.ts';
import { confirmAdministrators } from '../shared/change-roles.ts';
import {
  noteIgnored,
  type PeopleFile,
  type PersonRow,
  type RejectedRow,
  readPeopleFile,
  rejectionText,
} from '../../people/people-file.ts';
import { printPlan, summaryText } from '../shared/print-plan.ts';
import { permanentLines } from '../shared/permanent.ts';
import { type Outcome, ResultFile, type RowResult, assertNoneFailed, outcomeCounts } from '../shared/result-file.ts';
import { roleOf } from '../../people/roles.ts';
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
  await noteIgnored(invocation, args.file, directory);
  const orgId = await scopeOf(invocation, 'org');
  const snapshot = await readMembers(invocation, orgId);
  const matched = matchDirectory(directory, snapshot, flags);
  const removesMissing = mayRemove(invocation, matched);
  const planOf = (read: Snapshot, people: number) => plan(invocation, { orgId, matched, removesMissing }, read, people);
  const made = planOf(snapshot, maxPeople);
  await noteRefused(invocation, matched);
  await show(invocation, made);
  await refuseLosses(await invocation.client(), {
    changes: made.changes,
    current: snapshot.organization,
    maxRemovals,
    withoutSelf: flags.withoutSelf ?? false,
  });
  if (!globals.dryRun) await confirmAdministrators(invocation, newAdministrators(made.changes));
  if (!globals.dryRun && made.changes.length > 0)
    await confirmQuestion(invocation, `Make these changes? ${summaryText(made.changes, made.steps.length)}`);
  const results = new Results(matched, made.changes, snapshot);
  if (globals.dryRun) return assertNoneFailed(results.rows());
  const file =
    flags.result === undefined ? undefined : new ResultFile(flags.result, { ...directory, nameColumn: 'email' });
  // Write the file before sending anything, so that an unusable path is reported in time.
  await file?.write(results.rows());
  results.take(made.changes, await send(invocation, made));
  const retry = async () => {
    // One person can make a whole request fail, so retry each person separately.
    const rest = planOf(await readMembers(invocation, orgId), 1);
    results.take(rest.changes, await send(invocation, rest));
  };
  let failure: unknown;
  if (results.failed.size > 0 && !invocation.signal.aborted) await retry().catch((error) => (failure = error));
  if (invocation.signal.aborted) results.interrupt();
  if (results.isOpen) {
    const left = await readBack(invocation, orgId).then(
      (read) => planOf(read, 1).changes,
      () => undefined,
    );
    results.settle(left);
  }
  const rows = results.rows();
  await file?.write(rows);
  await printList(invocation, rows);
  await invocation.io.note(outcomeCounts(rows));
  invocation.signal.throwIfAborted();
  if (failure !== undefined) throw failure;
  assertNoneFailed(rows);
}

async function show(invocation: SyncInvocation, made: SyncPlan): Promise<void> {
  const { io, flags, globals } = invocation;
  await printPlan(
    invocation,
    { ...made, contents: [], unnamed: [], problems: [] },
    { secrets: new Map(), isResult: globals.dryRun ?? false, notes: permanentLines(made) },
  );
  if (made.unnamed.length > 0 && !flags.removeMissing)
    await io.note(`${made.unnamed.length} members are not in the file and stay; use --remove-missing to remove them.`);
}

/** The people whom the changes give the role of an administrator. */
const newAdministrators = (changes: readonly Change[]): string[] =>
  changes
    .filter(
      ({ kind, fields }) =>
        kind === 'member' && fields.some(({ field, after }) => field === 'role' && after === 'admin'),
    )
    .map(({ name }) => name);

const readMembers = async (invocation: SyncInvocation, orgId: string): Promise<Snapshot> =>
  withPort(invocation, { text: 'Reading the organization', client: await invocation.client() }, (port) =>
    readCurrent(port, { orgId, parts: ['organization', 'members', 'teams'], ids: noIds() }),
  );

/** The organization after requests without an answer. */
async function readBack({ client, signal }: SyncInvocation, orgId: string): Promise<Snapshot> {
  const port = {
    client: readBackClient(await client(), signal),
    signal: AbortSignal.timeout(10_000),
    progress: { say() {}, count() {} },
    note: async () => {},
  };
  return readCurrent(port, { orgId, parts: ['organization', 'members', 'teams'], ids: noIds() });
}

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
function mayRemove({ flags }: SyncInvocation, matched: Matched): boolean {
  if (!flags.removeMissing) return false;
  if (matched.people.length === 0)
    throw refused(
      'The file has no valid rows, so removing missing members would remove everyone. Nothing was sent.',
      'Check that it is the right file.',
    );
  return matched.refused.length === 0;
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
  /** The changes whose requests have no answer. */
  readonly #unanswered = new Set<string>();

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
      if (error && !isAnswered(error)) this.#unanswered.add(key);
      else this.#unanswered.delete(key);
    }
    for (const [key, outcome] of this.#outcomes)
      if (outcome === 'failed' && !this.failed.has(key)) this.#outcomes.set(key, 'changed');
  }

  /** After a signal, every change that is not done may have been in progress. */
  interrupt(): void {
    for (const [key, outcome] of this.#outcomes)
      if (outcome === 'not tried' || outcome === 'failed') this.#unanswered.add(key);
  }

  get isOpen(): boolean {
    return this.#unanswered.size > 0;
  }

  /** Decides about requests without an answer. @param left what a new plan would still change; undefined if it is not known */
  settle(left: readonly Change[] | undefined): void {
    const open = new Set(left?.map(keyOf));
    for (const change of this.#changes) {
      const key = keyOf(change);
      if (!this.#unanswered.has(key)) continue;
      if (left && open.has(key)) continue;
      const word = change.kind === 'team' ? 'created' : doneWords[change.action];
      this.#outcomes.set(key, left ? word : 'unknown');
      if (left) this.failed.delete(key);
    }
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

interface Matched {
  people: (DirectoryPerson & { line: number })[];
  refused: RejectedRow[];
  /** Titles of the teams to create, by their names in the plan. */
  newTeams: ReadonlyMap<string, string>;
}

/** Matches the rows of a directory with the members and teams of an organization. Rejects rows that the service would refuse. */
function matchDirectory(
  { rows, rejected }: PeopleFile,
  { organization, names }: Snapshot,
  { createTeams }: { createTeams?: boolean | undefined },
): Matched {
  const members = new Map(organization.members?.map((row) => [row.email, row]));
  const domains = new Set(organization.organization?.emailDomains?.map((domain) => domain.toLowerCase()));
  const byTitle = namesByTitle(organization.teams ?? new Map(), names.ids.teams);
  const newTeams = new Map<string, string>();
  const titles = [...(organization.teams ?? [])].map(([, { title }]) => title);
  const result: Matched = { people: [], refused: [...rejected], newTeams };
  const lines = new Map<string, number>();
  for (const { line, name, role, sso, teams } of rows) {
    const email = name.toLowerCase();
    const before = lines.get(email);
    if (before === undefined) lines.set(email, line);
    const reason =
      before === undefined
        ? (ssoReason(email, sso, members.get(email)?.sso, domains) ?? teamReason(teams, byTitle, titles, createTeams))
        : `is already in line ${before}`;
    if (reason !== undefined) {
      result.refused.push({ line, name, reason });
      continue;
    }
    const teamNames = teams?.map((team) => {
      const key = byTitle.get(team.toLowerCase()) ?? team.toLowerCase();
      if (!byTitle.has(team.toLowerCase()) && !newTeams.has(key)) newTeams.set(key, team);
      return key;
    });
    result.people.push({ line, email, role, sso, ...(teamNames && { teams: [...new Set(teamNames)] }) });
  }
  return result;
}

/** The names of teams by lower-case title and by ID. Titles that several teams have are skipped. */
function namesByTitle(
  teams: ReadonlyMap<string, { title: string }>,
  ids: ReadonlyMap<string, string>,
): Map<string, string> {
  const names = new Map<string, string>();
  for (const [title, list] of Map.groupBy(teams, ([, team]) => team.title.toLowerCase()))
    if (list.length === 1 && list[0]) names.set(title, list[0][0]);
  for (const name of teams.keys()) {
    if (!names.has(name)) names.set(name, name);
    const id = ids.get(name);
    if (id !== undefined) names.set(id.toLowerCase(), name);
  }
  return names;
}

function ssoReason(
  email: string,
  sso: boolean | undefined,
  before: boolean | undefined,
  domains: ReadonlySet<string>,
): string | undefined {
  if (sso === false && before === true) return 'the service cannot mark a member as signing in without SSO';
  if (sso !== true || before !== undefined) return undefined;
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return domains.has(domain)
    ? undefined
    : `cannot be invited with SSO: ${domain} is not an email domain of the organization`;
}

function teamReason(
  teams: PersonRow['teams'] = [],
  byTitle: ReadonlyMap<string, string>,
  titles: readonly string[],
  createTeams = false,
): string | undefined {
  const unknown = createTeams ? undefined : teams.find((team) => !byTitle.has(team.toLowerCase()));
  if (unknown === undefined) return undefined;
  const near = nearest(unknown, titles);
  return `there is no team "${unknown}"${near === undefined ? '; use --create-teams to create it' : `; did you mean "${near}"?`}`;
}
