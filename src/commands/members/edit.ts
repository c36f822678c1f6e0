import type { InvocationOf } from '../../cli/command/define.ts';
import { printRequests } from '../../cli/command/dry-run/dry-run.ts';
import { scopeOf } from '../../cli/command/invocation.ts';
import { printList } from '../../cli/command/list.ts';
import { fileText } from '../../cli/command/read-input.ts';
import { runDerived } from '../../cli/command/run.ts';
import { UsageError } from '../../cli/program/failure.ts';
import type { RoleName } from '../../contract/access.ts';
import { members } from '../../contract/members.ts';
import { changeRoles, confirmAdministrators, confirmOwnChange, type RoleChange } from '../shared/change-roles.ts';
import { resultColumns, role } from '../shared/columns.ts';
import { findMembersNamed, type Member, nameKey } from '../../client/find-members.ts';
import {
  distinctRows,
  noteIgnored,
  type PeopleFile,
  readPeopleFile,
  type RejectedRow,
  rejectionText,
} from '../shared/people-file.ts';
import { assertNoneFailed, type Outcome, outcomeCounts, ResultFile } from '../shared/result-file.ts';
import { roleOf, wordOf } from '../shared/roles.ts';
import type { editFlags } from './flags.ts';

type EditInvocation = InvocationOf<'edit <user...>', typeof editFlags, typeof members.edit>;

/** Changes the role of the named members, or gives the members in a file their roles. */
export async function edit(invocation: EditInvocation): Promise<void> {
  const { args, flags } = invocation;
  if (flags.from === undefined) return runDerived(invocation);
  if ((args.user ?? []).length > 0)
    throw new UsageError('<user> and --from cannot be combined.', 'Add the members to the file.');
  if (flags.data !== undefined) throw new UsageError('--data and --from cannot be combined.');
  await editFromFile(invocation, flags.from);
}

/** The result of a row. */
interface Result {
  user: string;
  id?: string;
  role?: RoleName | null;
  previous?: RoleName | null;
  outcome: Outcome;
  reason?: string;
  line: number;
}

type LineChange = RoleChange & { line: number };

async function editFromFile(invocation: EditInvocation, from: string): Promise<void> {
  const { flags, globals } = invocation;
  const shape = { name: 'user', otherNames: ['id', 'member'], columns: ['role'] } as const;
  const file = readPeopleFile(fileText(from, '--from'), from, shape);
  await noteIgnored(invocation, from, file);
  const orgId = await scopeOf(invocation, 'org');
  const client = await invocation.client();
  const names = file.rows.map(({ name }) => name);
  const { changes, results } = planRows(file, flags.role, await findMembersNamed(client, orgId, names));
  if (globals.dryRun) {
    await printPlan(invocation, orgId, changes, results);
    return assertNoneFailed(results, file.rows.length + file.rejected.length);
  }
  const administrators = changes.filter((change) => change.role === 'admin');
  await confirmAdministrators(
    invocation,
    administrators.map(({ name }) => name),
  );
  await confirmOwnChange(invocation, changes);
  const resultFile =
    flags.result === undefined
      ? undefined
      : new ResultFile(flags.result, { ...file, nameColumn: 'user', role: flags.role });
  const save = async (all: Result[]) => resultFile?.write(all.map(({ user, ...rest }) => ({ ...rest, name: user })));
  // Write the file before sending anything, so that an unusable path is reported in time.
  const untried = changes.map((change): Result => ({ ...partsOf(change), outcome: 'not tried' }));
  await save([...results, ...untried].toSorted(byLine));
  const outcomes = await changeRoles(invocation, client, orgId, changes);
  const tried = new Map(outcomes.map((outcome) => [outcome.change, outcome]));
  for (const change of changes) {
    const parts = partsOf(change);
    const { state = 'not tried' as const, reason } = tried.get(change) ?? {};
    const received = state === 'changed' || state === 'unchanged' ? { role: change.role } : {};
    results.push({ ...parts, ...received, outcome: state, ...(reason !== undefined && { reason }) });
  }
  results.sort(byLine);
  await save(results);
  await printResults(invocation, results);
}

const byLine = (a: Result, b: Result) => a.line - b.line;

/** A member who still has the previous role. */
const partsOf = ({ name, member, line }: Pick<LineChange, 'name' | 'member' | 'line'>) => ({
  user: name,
  id: member.id,
  previous: member.role,
  role: member.role,
  line,
});

async function printResults(invocation: EditInvocation, results: Result[]): Promise<void> {
  const columns = [
    { key: 'user', title: 'Member', kind: 'id' },
    { key: 'previous', title: 'Role before', kind: 'role' },
    role,
    ...resultColumns,
  ] as const;
  await printList(invocation, results, { columns, idKey: 'id' });
  await invocation.io.note(outcomeCounts(results));
  if (results.some(({ outcome }) => outcome === 'not tried' || outcome === 'failed' || outcome === 'unknown'))
    await invocation.io.note('To continue, run the command again: members who already have the role are skipped.');
  invocation.signal.throwIfAborted();
  assertNoneFailed(results);
}

async function printPlan(
  invocation: EditInvocation,
  orgId: string,
  changes: LineChange[],
  results: Result[],
): Promise<void> {
  for (const { user, line, reason } of results)
    if (reason !== undefined) await invocation.io.note(rejectionText({ name: user, line, reason }));
  for (const { name, member, role } of changes)
    await invocation.io.note(`${name} (${member.id}): ${wordOf(member.role)} -> ${wordOf(role)}`);
  await printRequests(
    invocation,
    changes.map(({ member, role }) => ({
      endpoint: members.edit,
      params: { orgId, userId: member.id },
      body: { role },
    })),
  );
}

/** Compares the rows with the members. @param defaultRole the role of rows without one */
function planRows(
  { rows, rejected }: PeopleFile,
  defaultRole: string | undefined,
  memberNamed: ReadonlyMap<string, Member>,
): { changes: LineChange[]; results: Result[] } {
  const results: Result[] = [];
  const refuse = ({ name, line = 0 }: Pick<RejectedRow, 'name' | 'line'>, reason: string) =>
    results.push({ user: name, outcome: 'refused', reason, line });
  for (const row of rejected) refuse(row, row.reason);
  const named: LineChange[] = [];
  for (const { name, line, role = defaultRole === undefined ? undefined : roleOf(defaultRole) } of rows) {
    const member = memberNamed.get(nameKey(name));
    if (role === undefined) refuse({ name, line }, 'the role is missing');
    else if (member) named.push({ name, line, role, member });
    else refuse({ name, line }, 'is not a member of the organization');
  }
  const distinct = distinctRows(named, ({ member }) => member.id);
  for (const row of distinct.rejected) results.push({ ...partsOf(row), outcome: 'refused', reason: row.reason });
  for (const row of distinct.repeated) results.push({ ...partsOf(row), outcome: 'repeated' });
  const isUnchanged = ({ member, role }: LineChange) => member.role === role;
  for (const row of distinct.rows.filter(isUnchanged)) results.push({ ...partsOf(row), outcome: 'unchanged' });
  return { changes: distinct.rows.filter((row) => !isUnchanged(row)), results: results.toSorted(byLine) };
}
