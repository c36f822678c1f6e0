import { join } from 'node:path';
import { selectedPeople } from '../../../cli/command/batch/people.ts';
import { addedColumns, ResultTable } from '../../../cli/command/batch/result-table.ts';
import { confirmQuestion, permanentText } from '../../../cli/command/confirm/questions.ts';
import { scopeOf } from '../../../cli/command/invocation.ts';
import { printList } from '../../../cli/command/list.ts';
import { fileText } from '../../../cli/command/read-input.ts';
import { UsageError, failureOf } from '../../../cli/program/failure.ts';
import { findMembersNamed, type Member, nameKey } from '../../../client/find-members.ts';
import { members } from '../../../contract/members.ts';
import { type OffboardingRecord, recordsIn, writeRecord } from '../../../people/offboarding/record.ts';
import { carryOut } from '../../../people/offboarding/steps.ts';
import { stepText } from '../../../people/offboarding/text.ts';
import { eachOf } from '../../../shared/each-of.ts';
import { fileNameOf } from '../../../shared/file-name.ts';
import { makePrivate, privately } from '../../../shared/lock.ts';
import { resultColumns } from '../../shared/columns.ts';
import { noteIgnored, readPeopleFile } from '../../../people/people-file.ts';
import { assertNoneFailed, type Outcome, outcomeCounts } from '../../shared/result-file.ts';
import {
  heirOf,
  markRemoved,
  type OffboardInvocation,
  type Pair,
  prepareAll,
  refuseLastOwners,
  show,
} from './prepare.ts';

const concurrency = 4;
const maxNamed = 5;

/** One person, and what became of them. */
interface Row {
  user: string;
  to?: string | undefined;
  line?: number | undefined;
  id?: string;
  outcome: Outcome;
  reason?: string | undefined;
  record?: string;
}

/** Offboards several members: those named, selected, or in a file with the columns user and to. */
export async function offboardAll(invocation: OffboardInvocation, names: readonly string[]): Promise<void> {
  const { flags, globals } = invocation;
  if (flags.record !== undefined) throw new UsageError('--record is for one member.', 'Use --records for several.');
  const orgId = await scopeOf(invocation, 'org');
  const client = await invocation.client();
  const rows = await rowsOf(invocation, orgId, names);
  const table = flags.result === undefined ? undefined : new ResultTable(flags.result);
  const folder = flags.records ?? 'offboarding';
  const earlier = recordsIn(folder);
  const all = rows.flatMap(({ user, to }) => (to === undefined ? [user] : [user, to]));
  const found = await findMembersNamed(client, orgId, all);
  const pairs = pairsOf(rows, found, earlier);
  for (const { outcome, user } of rows) {
    const done = outcome === 'unchanged' ? earlier.get(nameKey(user)) : undefined;
    if (done && !globals.dryRun) await markRemoved(done.record, done.file);
  }
  const records = await prepareAll(invocation, orgId, [...pairs.values()], found);
  const save = async () =>
    table?.write([
      ['user', 'to', ...addedColumns],
      ...rows.map(({ user, to = '', outcome, reason = '' }) => [user, to, outcome, reason]),
    ]);
  for (const record of records) await show(invocation, record);
  if (globals.dryRun) return finish(invocation, rows);
  refuseLastOwners(records, flags);
  if (records.length > 0)
    await confirmQuestion(invocation, questionOf(records) + (await permanentText({ endpoint: members.remove })));
  if (records.length > 0) privately(() => makePrivate(folder));
  await save();
  const work = async (record: OffboardingRecord) => {
    const row = [...pairs].find(([, { member }]) => member.id === record.member.id)?.[0];
    if (!row || invocation.signal.aborted) return;
    const name = fileNameOf(record.member.email ?? record.member.id) ?? 'member';
    row.record = earlier.get(record.member.id)?.file ?? join(folder, `${name}-${record.member.id}.json`);
    await offboardRow(row, record, client);
  };
  try {
    await eachOf(records, work, concurrency);
  } finally {
    await save();
  }
  await finish(invocation, rows);
}

async function rowsOf(invocation: OffboardInvocation, orgId: string, names: readonly string[]): Promise<Row[]> {
  const { flags } = invocation;
  const client = await invocation.client();
  if (flags.from === undefined) {
    const people = await selectedPeople(names, { client, orgId });
    return people.map((user) => ({ user, to: flags.to, outcome: 'not tried' }));
  }
  if (names.length > 0) throw new UsageError('<user> and --from cannot be combined.', 'Add the members to the file.');
  const shape = { name: 'user', otherNames: ['id', 'member'], columns: ['to'] } as const;
  const file = readPeopleFile(fileText(flags.from, '--from'), flags.from, shape);
  await noteIgnored(invocation, flags.from, file);
  const rows = [
    ...file.rejected.map(({ name, line, reason }): Row => ({ user: name, line, outcome: 'refused', reason })),
    ...file.rows.map(({ name, line, to = flags.to }): Row => ({ user: name, to, line, outcome: 'not tried' })),
  ];
  return rows.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

/** The members of the rows that can be carried out; the others get their outcomes. */
function pairsOf(
  rows: readonly Row[],
  found: ReadonlyMap<string, Member>,
  earlier: ReturnType<typeof recordsIn>,
): Map<Row, Pair> {
  const open = rows.filter(({ outcome }) => outcome === 'not tried');
  const leaving = new Set(open.flatMap(({ user }) => found.get(nameKey(user))?.id ?? []));
  const pairs = new Map<Row, Pair>();
  const seen = new Set<string>();
  for (const row of open) {
    const member = found.get(nameKey(row.user));
    if (member && seen.has(member.id)) row.outcome = 'repeated';
    else if (member) {
      seen.add(member.id);
      row.id = member.id;
      try {
        heirOf(row.to, member, found, leaving);
        pairs.set(row, { member, heir: row.to, earlier: earlier.get(member.id)?.record });
      } catch (error) {
        Object.assign(row, { outcome: 'refused', reason: failureOf(error).message.replace(/^--to: |\.$/g, '') });
      }
    } else if (earlier.has(nameKey(row.user))) Object.assign(row, { outcome: 'unchanged', reason: 'already gone' });
    else Object.assign(row, { outcome: 'refused', reason: 'is not a member of the organization' });
  }
  return pairs;
}

function questionOf(records: readonly OffboardingRecord[]): string {
  const titles = records.slice(0, maxNamed).map(({ member }) => `${member.title} (${member.id})`);
  const more = records.length > maxNamed ? ` and ${records.length - maxNamed} more` : '';
  const [first] = records;
  const place = first ? `${first.organization.title} (${first.organization.id})` : '';
  const count = records.length === 1 ? '' : `${records.length} members: `;
  return `Remove ${count}${titles.join(', ')}${more} from the organization ${place}?`;
}

async function offboardRow(row: Row, record: OffboardingRecord, client: Parameters<typeof carryOut>[0]): Promise<void> {
  const { record: file = '' } = row;
  try {
    await writeRecord(file, record);
    const failed = await carryOut(client, record, () => writeRecord(file, record));
    row.outcome = failed ? (failed.step.result === 'unknown' ? 'unknown' : 'failed') : 'removed';
    if (failed) row.reason = `could not ${stepText(failed.step, record)}: ${failureOf(failed.error).message}`;
  } catch (error) {
    Object.assign(row, { outcome: 'failed', reason: failureOf(error).message });
  }
}

async function finish(invocation: OffboardInvocation, rows: readonly Row[]): Promise<void> {
  const columns = [
    { key: 'user', title: 'Member', kind: 'id' },
    { key: 'to', optional: true },
    ...resultColumns,
    { key: 'record', optional: true },
  ] as const;
  await printList(invocation, [...rows], { columns, idKey: 'id' });
  await invocation.io.note(outcomeCounts(rows));
  if (!invocation.globals.dryRun && rows.some(({ outcome }) => ['not tried', 'failed', 'unknown'].includes(outcome)))
    await invocation.io.note('To continue, run the command again with the same --records folder.');
  invocation.signal.throwIfAborted();
  assertNoneFailed(rows);
}
