import { confirmQuestion, permanentText } from '../../../cli/command/confirm/questions.ts';
import { argument, print, scopeOf } from '../../../cli/command/invocation.ts';
import { visible } from '../../../cli/output/index.ts';
import { CommandError, UsageError, exit, failureOf } from '../../../cli/program/failure.ts';
import type { Client } from '../../../client/client.ts';
import { findMembersNamed, nameKey } from '../../../client/find-members.ts';
import { members } from '../../../contract/members.ts';
import { defaultFile, type OffboardingRecord, readRecord, writeRecord } from '../../../people/offboarding/record.ts';
import { carryOut } from '../../../people/offboarding/steps.ts';
import { planText, progressText, stepText } from '../../../people/offboarding/text.ts';
import {
  markRemoved,
  notMember,
  type OffboardInvocation,
  type Pair,
  prepareAll,
  refuseLastOwners,
  show,
} from './prepare.ts';

/** Shows what members have, hands it over, and removes them from the organization. */
export async function offboard(invocation: OffboardInvocation): Promise<void> {
  const { args, flags, io } = invocation;
  const names = args.user ?? [];
  const [only] = names;
  const { selectsPeople } = await import('../../../cli/command/batch/people.ts');
  if (flags.from !== undefined || names.length > 1 || (only !== undefined && selectsPeople(only))) {
    const { offboardAll } = await import('./offboard-all.ts');
    return offboardAll(invocation, names);
  }
  for (const name of ['records', 'result'] as const)
    if (flags[name] !== undefined) throw new UsageError(`--${name} is for several members.`, 'Use --record for one.');
  const user = only ?? (io.interactive ? await invocation.pick('userId') : argument(invocation, 'user'));
  await offboardOne(invocation, user);
}

async function offboardOne(invocation: OffboardInvocation, user: string): Promise<void> {
  const { flags, globals } = invocation;
  const earlier = flags.record === undefined ? undefined : readRecord(flags.record);
  const orgId = await scopeOf(invocation, 'org');
  const client = await invocation.client();
  const found = await findMembersNamed(client, orgId, [user, ...(flags.to === undefined ? [] : [flags.to])]);
  const member = found.get(nameKey(user));
  if (!member) return finishEarlier(invocation, user, earlier);
  const pair: Pair = { member, heir: flags.to, earlier };
  const [record] = await prepareAll(invocation, orgId, [pair], found);
  if (!record) return;
  if (globals.dryRun) return printPlan(invocation, record);
  refuseLastOwners([record], flags);
  await show(invocation, record);
  await confirmQuestion(
    invocation,
    `Remove ${record.member.title} (${member.id}) from the organization ${record.organization.title} (${orgId})?${await permanentText({ endpoint: members.remove })}`,
  );
  const file = flags.record ?? defaultFile(member.user.email ?? member.id, record.startedAt);
  await writeRecord(file, record);
  await finish(invocation, client, record, file);
}

async function printPlan(invocation: OffboardInvocation, record: OffboardingRecord): Promise<void> {
  const { globals, io } = invocation;
  if (globals.output !== undefined || globals.jq !== undefined || globals.columns !== undefined)
    return print(invocation, { ...record, id: record.member.id });
  await io.out.write(`${planText(record).map(visible).join('\n')}\n`);
}

async function finish(
  invocation: OffboardInvocation,
  client: Client,
  record: OffboardingRecord,
  file: string,
): Promise<void> {
  const failed = await carryOut(client, record, () => writeRecord(file, record));
  await invocation.io.note(progressText(record, file).map(visible).join('\n'));
  if (failed) {
    const { step, error } = failed;
    if (invocation.signal.aborted) throw error;
    throw new CommandError(`Could not ${stepText(step, record)}: ${failureOf(error).message}`, {
      exitCode: exit.someFailed,
      hint: 'Run the command again to continue.',
      cause: error,
    });
  }
  if (invocation.globals.output !== undefined || invocation.globals.jq !== undefined)
    await print(invocation, { ...record, id: record.member.id, record: file });
}

/**
 * Completes the record of an earlier run if the member was already removed.
 *
 * @throws CommandError if the record is about somebody else
 */
async function finishEarlier(
  { flags, io, globals }: OffboardInvocation,
  user: string,
  earlier: OffboardingRecord | undefined,
): Promise<void> {
  const key = nameKey(user);
  const isSame = earlier && (earlier.member.id === key || earlier.member.email?.toLowerCase() === key);
  if (!isSame || flags.record === undefined) throw notMember(user);
  if (!globals.dryRun) await markRemoved(earlier, flags.record);
  await io.note(`${earlier.member.title} is no longer a member. There is nothing left to do.`);
}
