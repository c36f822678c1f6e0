import type { InvocationOf } from '../../cli/command/define.ts';
import { printRequests } from '../../cli/command/dry-run/dry-run.ts';
import { scopeOf } from '../../cli/command/invocation.ts';
import { printList } from '../../cli/command/list.ts';
import { fileText } from '../../cli/command/read-input.ts';
import { runDerived } from '../../cli/command/run.ts';
import type { Column } from '../../cli/output/index.ts';
import { CommandError, UsageError, exit } from '../../cli/program/failure.ts';
import type { RoleName } from '../../contract/access.ts';
import { members } from '../../contract/members.ts';
import { changeRoles, confirmAdministrators, confirmOwnChange, type RoleChange } from '../shared/change-roles.ts';
import { readCsv } from '../shared/csv-file.ts';
import { findMembersNamed, type Member, nameKey } from '../../client/find-members.ts';
import { ResultFile } from '../shared/result-file.ts';
import { roleOf, roleWords, wordOf } from '../shared/roles.ts';
import type { editFlags } from './edit-flags.ts';

type EditInvocation = InvocationOf<'edit <user...>', typeof editFlags, typeof members.edit>;

/** Changes the role of the members that are named, or gives each row of a file its role. */
export async function edit(invocation: EditInvocation): Promise<void> {
  const { args, flags } = invocation;
  if (flags.from === undefined) {
    if (flags.result !== undefined)
      throw new UsageError('--result requires --from.', 'With -o json, members on the command line are results too.');
    return runDerived(invocation);
  }
  if ((args.user ?? []).length > 0)
    throw new UsageError('<user> and --from cannot be combined.', 'Put the members into the file.');
  if (flags.data !== undefined) throw new UsageError('--data and --from cannot be combined.');
  await editFromFile(invocation, flags.from);
}

/** A row that can be carried out. */
interface Row {
  name: string;
  role: RoleName | null;
  line: number;
}

/** What became of a row. */
interface Result {
  user: string;
  id?: string;
  role?: RoleName | null;
  previous?: RoleName | null;
  outcome: 'changed' | 'unchanged' | 'repeated' | 'refused' | 'failed' | 'not tried';
  reason?: string;
  line: number;
}

export const resultColumns: Column<Result>[] = [
  { key: 'user', title: 'Member', kind: 'id' },
  { key: 'previous', title: 'Role before', kind: 'role' },
  { key: 'role', kind: 'role' },
  {
    key: 'outcome',
    kind: 'state',
    style: { changed: 'good', unchanged: 'dim', repeated: 'dim', refused: 'bad', failed: 'bad', 'not tried': 'warn' },
  },
  { key: 'reason' },
  { key: 'line', kind: 'number', optional: true },
];

async function editFromFile(invocation: EditInvocation, from: string): Promise<void> {
  const { flags, globals } = invocation;
  const text = fileText(from, '--from');
  const { header, rows, records, results } = readRows(text, from, flags.role);
  const orgId = await scopeOf(invocation, 'org');
  const client = await invocation.client();
  const found = await findMembersNamed(
    client,
    orgId,
    rows.map(({ name }) => name),
  );
  const changes = changesOf(rows, found, results);
  if (globals.dryRun) {
    await printPlan(invocation, orgId, changes, results);
    return failOnUndone(results, records.size);
  }
  await confirmAdministrators(
    invocation,
    changes.filter(({ role }) => role === 'admin').map(({ name }) => name),
  );
  await confirmOwnChange(invocation, changes);
  const file =
    flags.result === undefined
      ? undefined
      : new ResultFile(flags.result, { nameColumn: 'user', header, records, role: flags.role });
  const save = async () => file?.write(results.toSorted(byLine).map(({ user, ...rest }) => ({ ...rest, name: user })));
  // The file is written before anything is sent: a name that cannot be written is found now.
  const untried = changes.map((change): Result => ({ ...partsOf(change), outcome: 'not tried' }));
  results.push(...untried);
  await save();
  results.splice(results.length - untried.length);
  const outcomes = await changeRoles(invocation, client, orgId, changes);
  const tried = new Map(outcomes.map((outcome) => [outcome.change, outcome]));
  for (const change of changes) {
    const outcome = tried.get(change);
    if (!outcome) results.push({ ...partsOf(change), outcome: 'not tried' });
    else if (outcome.reason === undefined) results.push({ ...partsOf(change), role: change.role, outcome: 'changed' });
    else
      results.push({
        ...partsOf(change),
        outcome: outcome.unknown ? 'not tried' : 'failed',
        reason: outcome.reason,
      });
  }
  await report(invocation, results.toSorted(byLine), save);
}

type LineChange = RoleChange & { line: number };

const byLine = (a: Result, b: Result) => a.line - b.line;
const isRefused = ({ outcome }: Result) => outcome === 'refused' || outcome === 'failed';
/** A member whose role is not changed yet: the role is the one before. */
const partsOf = ({ name, member, line }: LineChange) => ({
  user: name,
  id: member.id,
  previous: member.role,
  role: member.role,
  line,
});

async function report(invocation: EditInvocation, results: Result[], save: () => Promise<void>): Promise<void> {
  await save();
  await printList(invocation, results, { columns: resultColumns, idKey: 'id' });
  const count = (outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome).length;
  const words = (['changed', 'unchanged', 'repeated', 'refused', 'failed', 'not tried'] as const).flatMap((outcome) =>
    count(outcome) > 0 ? [`${count(outcome)} ${outcome}`] : [],
  );
  await invocation.io.note(`${words.join(', ') || 'The file has no rows'}.`);
  if (count('not tried') + count('failed') > 0)
    await invocation.io.note('Run it again to continue: members who already have the role are skipped.');
  invocation.signal.throwIfAborted();
  failOnUndone(results, results.length);
}

function failOnUndone(results: Result[], all: number): void {
  const failed = results.filter(isRefused).length;
  if (failed > 0) throw new CommandError(`${failed} of ${all} failed.`, { exitCode: exit.someFailed });
}

async function printPlan(
  invocation: EditInvocation,
  orgId: string,
  changes: LineChange[],
  results: Result[],
): Promise<void> {
  for (const { user, line, reason } of results.toSorted(byLine))
    if (reason !== undefined) await invocation.io.note(`line ${line}: ${user === '' ? '' : `${user}: `}${reason}`);
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

const headings: Record<string, 'user' | 'role'> = {
  user: 'user',
  id: 'user',
  member: 'user',
  email: 'user',
  'e-mail': 'user',
  'email address': 'user',
  'e-mail address': 'user',
  role: 'role',
};

interface Rows {
  header: string[];
  records: ReadonlyMap<number, string[]>;
  rows: Row[];
  /** Of the rows with which nothing is done. */
  results: Result[];
}

/** Reads the file and checks each row; nothing is sent before. @param fallback the role of rows without one */
function readRows(text: string, file: string, fallback: string | undefined): Rows {
  const csv = readCsv(text, file, {
    headings,
    order: ['user', 'role'],
    isFirst: (cell) => cell.includes('@'),
    required: ['user'],
  });
  const rows: Row[] = [];
  const results: Result[] = [];
  const first = new Map<string, Row>();
  for (const { cells, line } of csv.rows) {
    const { user: name = '' } = cells;
    const word = (cells.role || fallback || '').toLowerCase();
    const refuse = (reason: string) => results.push({ user: name, outcome: 'refused', reason, line });
    if (name === '') refuse('the member is missing');
    else if (word === '') refuse('the role is missing');
    else if (!roleWords.includes(word)) refuse(`"${cells.role || fallback}" is not one of ${roleWords.join(', ')}`);
    else {
      const row = { name, role: roleOf(word), line };
      const before = first.get(nameKey(name));
      if (!before) {
        first.set(nameKey(name), row);
        rows.push(row);
      } else if (before.role === row.role) results.push({ user: name, role: row.role, outcome: 'repeated', line });
      else refuse(`is named in line ${before.line} with another role`);
    }
  }
  return { header: csv.header, records: new Map(csv.rows.map(({ line, record }) => [line, record])), rows, results };
}

/** The rows that change something; the others get their result. */
function changesOf(rows: readonly Row[], found: ReadonlyMap<string, Member>, results: Result[]): LineChange[] {
  const changes: LineChange[] = [];
  const first = new Map<string, Row>();
  for (const { name, role, line } of rows) {
    const member = found.get(nameKey(name));
    if (!member) {
      results.push({ user: name, outcome: 'refused', reason: 'is not a member of the organization', line });
      continue;
    }
    const base = { user: name, id: member.id, previous: member.role, role: member.role, line };
    const before = first.get(member.id);
    first.set(member.id, before ?? { name, role, line });
    if (before && before.role === role) results.push({ ...base, outcome: 'repeated' });
    else if (before)
      results.push({ ...base, outcome: 'refused', reason: `is named in line ${before.line} with another role` });
    else if (member.role === role) results.push({ ...base, outcome: 'unchanged' });
    else changes.push({ name, member, role, line });
  }
  return changes;
}
