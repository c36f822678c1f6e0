import type { InvocationOf } from '../../../cli/command/define.ts';
import { scopeOf } from '../../../cli/command/invocation.ts';
import { printList } from '../../../cli/command/list.ts';
import { missingValue, UsageError, someFailed } from '../../../cli/program/failure.ts';
import { orgs } from '../../../contract/orgs.ts';
import { type OffboardingRecord, readRecord } from '../../../people/offboarding/record.ts';
import { type Restored, restore } from '../../../people/offboarding/restore.ts';
import { confirmAdministrators } from '../../shared/change-roles.ts';
import { resultColumns } from '../../shared/columns.ts';
import { outcomeCounts } from '../../shared/result-file.ts';
import type { restoreFlags } from '../flags.ts';

/** Restores members from the records of their offboarding. */
export async function restoreMembers(invocation: InvocationOf<'restore', typeof restoreFlags>): Promise<void> {
  const { flags, globals, signal, path } = invocation;
  if (!flags.record?.length) throw missingValue('--record', path);
  const records = flags.record.map(recordOf);
  const orgId = await scopeOf(invocation, 'org');
  const client = await invocation.client();
  const { title } = await client.call(orgs.view, { params: { orgId } });
  // A copy of the organization has its title, but another ID.
  const other = records.find(({ organization }) => organization.id !== orgId && organization.title !== title);
  if (other) {
    throw new UsageError(
      `--record: ${other.member.title} was in the organization ${other.organization.title} (${other.organization.id}).`,
      `Use --org ${other.organization.id}.`,
    );
  }
  const administrators = records.filter(({ member }) => member.role === 'admin').map(({ member }) => member.title);
  if (!globals.dryRun) await confirmAdministrators(invocation, administrators);
  const results: Restored[] = [];
  const options = { orgId, levelLinks: flags.levelLinks === true, dryRun: globals.dryRun === true, signal };
  for (const record of records) results.push(...(await restore(client, record, options)));
  const columns = [
    { key: 'user', title: 'Member', kind: 'id' },
    { key: 'what' },
    ...resultColumns.filter(({ key }) => key !== 'line'),
    { key: 'link', optional: true },
  ] as const;
  await printList(invocation, results, { columns, idKey: 'user' });
  await invocation.io.note(outcomeCounts(results));
  signal.throwIfAborted();
  const missing = results.filter(({ outcome }) => ['not changed', 'failed', 'unknown'].includes(outcome)).length;
  if (missing > 0) throw someFailed(`${missing} of ${results.length} were not restored.`);
}

function recordOf(file: string): OffboardingRecord {
  const record = readRecord(file);
  if (!record) throw new UsageError(`--record: ${file} does not exist.`);
  return record;
}
