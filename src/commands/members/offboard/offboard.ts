import type { Invocation } from '../../../cli/command/command.ts';
import { confirmQuestion, permanentText } from '../../../cli/command/confirm/questions.ts';
import { argument, print, scopeOf } from '../../../cli/command/invocation.ts';
import { visible } from '../../../cli/output/index.ts';
import { CommandError, UsageError, exit, failureOf } from '../../../cli/program/failure.ts';
import type { Client } from '../../../client/client.ts';
import { type Member, findMembersNamed, nameKey } from '../../../client/find-members.ts';
import { members } from '../../../contract/members.ts';
import { orgs } from '../../../contract/orgs.ts';
import { teams } from '../../../contract/teams.ts';
import { users } from '../../../contract/users.ts';
import { refuseOwnerless } from '../../shared/keep-owners.ts';
import { wordOf } from '../../shared/roles.ts';
import { inventoryOf } from './inventory.ts';
import { type Named, type OffboardingRecord, type Step, defaultFile, readRecord, writeRecord } from './record.ts';

interface Flags {
  to?: string | undefined;
  allowOwnerless?: boolean | undefined;
  record?: string | undefined;
}

type OffboardInvocation = Invocation<{ user?: string | undefined }, Flags>;

/** Shows what a member has, hands over their teams, and removes them from the organization. */
export async function offboard(invocation: OffboardInvocation): Promise<void> {
  const { flags, globals, io } = invocation;
  const user =
    invocation.args.user ?? (io.interactive ? await invocation.pick('userId') : argument(invocation, 'user'));
  const earlier = flags.record === undefined ? undefined : readRecord(flags.record);
  const orgId = await scopeOf(invocation, 'org');
  const client = await invocation.client();
  const found = await findMembersNamed(client, orgId, [user, ...(flags.to === undefined ? [] : [flags.to])]);
  const member = found.get(nameKey(user));
  if (!member) return finishEarlier(invocation, user, earlier);
  const heir = heirOf(flags.to, member, found);
  const record = await recordOf(invocation, orgId, member, heir, earlier);
  if (globals.dryRun) return printPlan(invocation, record);
  const ownerless = heir || flags.allowOwnerless ? [] : record.teams.filter(({ ownedAlone }) => ownedAlone);
  refuseOwnerless(ownerless, 'Name the new owner with --to, or use --allow-ownerless.');
  const plan = planText(record).map(visible).join('\n');
  if (io.interactive) await io.err.write(`${plan}\n`);
  else await io.note(plan);
  await confirmQuestion(
    invocation,
    `Remove ${record.member.title} (${member.id}) from the organization ${record.organization.title} (${orgId})?${await permanentText({ endpoint: members.remove })}`,
  );
  const file = flags.record ?? defaultFile(member.user.email ?? member.id, record.startedAt);
  await writeRecord(file, record);
  await carryOut(invocation, client, record, file);
}

/** The new owner of teams. @throws UsageError if they cannot own teams; CommandError if they are not a member */
function heirOf(to: string | undefined, member: Member, found: ReadonlyMap<string, Member>): Member | undefined {
  if (to === undefined) return undefined;
  const heir = found.get(nameKey(to));
  if (!heir) {
    throw new CommandError(`--to: "${to}" is not a member of the organization.`, {
      exitCode: exit.notFound,
      hint: '"docsctl members list --search" finds people by name and email address.',
    });
  }
  if (heir.id === member.id) throw new UsageError(`--to: "${to}" is the member to remove.`, 'Name another member.');
  if (heir.disabled) throw new UsageError(`--to: "${to}" is disabled in the organization.`, 'Name another member.');
  return heir;
}

const named = ({ id, user }: Member): Named => ({
  id,
  title: user.email === undefined ? user.displayName : `${user.displayName} <${user.email}>`,
});

/** @throws UsageError for the caller; CommandError for the last administrator */
async function recordOf(
  invocation: OffboardInvocation,
  orgId: string,
  member: Member,
  heir: Member | undefined,
  earlier: OffboardingRecord | undefined,
): Promise<OffboardingRecord> {
  const client = await invocation.client();
  const [caller, organization] = await Promise.all([
    client.call(users.current, {}),
    client.call(orgs.view, { params: { orgId } }),
  ]);
  await refuseProtected(client, orgId, member, caller.id);
  if (!organization.permissions.admin) {
    throw new CommandError(`Permission denied: you are not an administrator of ${organization.title}.`, {
      exitCode: exit.forbidden,
      hint: 'Ask an administrator; "docsctl members list --role admin" lists them.',
    });
  }
  if (earlier && earlier.member.id !== member.id) {
    throw new UsageError(
      `--record: ${invocation.flags.record} is the record of ${earlier.member.title}.`,
      'Name another file for another member.',
    );
  }
  const inventory = await inventoryOf(invocation, orgId, member);
  const steps: Step[] = [
    ...(earlier?.steps.filter(({ result }) => result === 'done') ?? []),
    ...(heir
      ? inventory.teams
          .filter(({ ownedAlone }) => ownedAlone)
          .map(({ id }): Step => ({ action: 'make owner', user: heir.id, team: id, result: 'planned' }))
      : []),
    { action: 'remove from organization', user: member.id, result: 'planned' },
  ];
  return {
    object: 'offboarding',
    startedAt: earlier?.startedAt ?? new Date().toISOString(),
    organization: { id: orgId, title: organization.title },
    by: { id: caller.id, title: caller.displayName },
    member: { ...named(member), email: member.user.email, role: member.role },
    ...(heir ? { heir: named(heir) } : {}),
    ...inventory,
    // Only the record knows which teams an earlier run has handed over.
    ...(earlier ? { teams: earlier.teams } : {}),
    steps,
  };
}

async function refuseProtected(client: Client, orgId: string, member: Member, callerId: string): Promise<void> {
  if (member.id === callerId) {
    throw new UsageError(
      'You cannot offboard yourself.',
      'Ask another administrator, or use "docsctl members remove" to remove yourself without a record.',
    );
  }
  if (member.role !== 'admin') return;
  const { count } = await client.call(members.list, { params: { orgId }, query: { role: 'admin', limit: 0 } });
  if (count > 1) return;
  throw new CommandError(`${named(member).title} is the last administrator of the organization.`, {
    exitCode: exit.refused,
    hint: 'Make another member an administrator first: docsctl members edit <user> --role admin',
  });
}

async function printPlan(invocation: OffboardInvocation, record: OffboardingRecord): Promise<void> {
  const { globals, io } = invocation;
  if (globals.output !== undefined || globals.jq !== undefined || globals.columns !== undefined)
    return print(invocation, { ...record, id: record.member.id });
  await io.out.write(`${planText(record).map(visible).join('\n')}\n`);
}

/** Carries out the steps in order. Stops at the first failure, so that nobody is removed before their teams have an owner. */
async function carryOut(
  invocation: OffboardInvocation,
  client: Client,
  record: OffboardingRecord,
  file: string,
): Promise<void> {
  const { io } = invocation;
  for (const step of record.steps.filter(({ result }) => result !== 'done')) {
    try {
      await carryOutStep(client, record, step);
      step.result = 'done';
    } catch (error) {
      const failure = failureOf(error);
      step.result = failure.status === undefined ? 'unknown' : 'failed';
      step.reason = failure.message;
      await writeRecord(file, record);
      await io.note(await progressText(record, file));
      if (invocation.signal.aborted) throw error;
      throw new CommandError(`Could not ${stepText(step, record)}: ${failure.message}`, {
        exitCode: exit.someFailed,
        hint: 'Run the command again to continue.',
        cause: error,
      });
    }
    await writeRecord(file, record);
  }
  record.finishedAt = new Date().toISOString();
  await writeRecord(file, record);
  await io.note(await progressText(record, file));
  if (invocation.globals.output !== undefined || invocation.globals.jq !== undefined)
    await print(invocation, { ...record, id: record.member.id, record: file });
}

async function carryOutStep(client: Client, { organization }: OffboardingRecord, step: Step): Promise<void> {
  const params = { orgId: organization.id, userId: step.user };
  if (step.action === 'remove from organization') await client.call(members.remove, { params });
  else if (step.team !== undefined)
    await client.call(teams.setMember, { params: { ...params, teamId: step.team }, body: { role: 'owner' } });
}

async function progressText(record: OffboardingRecord, file: string): Promise<string> {
  const lines = record.steps.map((step) => {
    const word =
      step.result === 'planned' ? 'not tried' : step.result === 'unknown' ? 'may have been done' : step.result;
    return `${word}: ${stepText(step, record)}`;
  });
  return [...lines, `The record is in ${file}.`].map(visible).join('\n');
}

/**
 * Completes the record of an earlier run if the member was already removed.
 *
 * @throws CommandError if the record is about somebody else
 */
async function finishEarlier(
  invocation: OffboardInvocation,
  user: string,
  earlier: OffboardingRecord | undefined,
): Promise<void> {
  const { flags, io, globals } = invocation;
  const key = nameKey(user);
  const isSame = earlier && (earlier.member.id === key || earlier.member.email?.toLowerCase() === key);
  if (!isSame || flags.record === undefined) {
    throw new CommandError(`"${user}" is not a member of the organization.`, {
      exitCode: exit.notFound,
      hint: '"docsctl members list --search" finds people by name and email address.',
    });
  }
  const removal = earlier.steps.find(({ action }) => action === 'remove from organization');
  if (removal && removal.result !== 'done' && !globals.dryRun) {
    removal.result = 'done';
    removal.reason = 'was no longer a member';
    earlier.finishedAt = new Date().toISOString();
    await writeRecord(flags.record, earlier);
  }
  await io.note(`${earlier.member.title} is no longer a member. There is nothing left to do.`);
}

const nameOf = ({ title, id }: Named) => `${title} (${id})`;
const maxText = 60;

/** What a member has and what happens to it, as lines of text. */
function planText(record: OffboardingRecord): string[] {
  const { member, organization, heir, teams, changeRequests, comments, levels, unread, steps } = record;
  const section = (title: string, note: string, items: string[]) => [
    `${title}: ${items.length}${items.length === 0 ? '' : note}`,
    ...items.map((item) => `  ${item}`),
  ];
  return [
    `${nameOf(member)}, ${wordOf(member.role)} in ${nameOf(organization)}`,
    ...section(
      'Teams',
      '',
      teams.map((team) => {
        const next = heir ? `; ${nameOf(heir)} becomes owner` : '; no owner is left (--to names one)';
        return `${nameOf(team)}: ${team.role}${team.ownedAlone ? `, alone${next}` : ''}`;
      }),
    ),
    ...section(
      'Open change requests',
      ', which stay',
      changeRequests.map(
        ({ number, subject, status, space }) => `#${number} ${subject}, ${status}, in ${nameOf(space)}`,
      ),
    ),
    ...section(
      'Unresolved comments',
      ', which stay',
      comments.map(({ id, text, space }) => `${firstLine(text)} (${id}), in ${nameOf(space)}`),
    ),
    ...section(
      'Levels above the role',
      ', which are removed',
      levels.map((space) => `${nameOf(space)}: ${space.level}`),
    ),
    ...(unread.length > 0 ? section('Spaces that could not be read', '', unread.map(nameOf)) : []),
    'Steps:',
    ...steps.map((step, index) => `  ${index + 1}. ${stepText(step, record)}`),
  ];
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.length > maxText ? `${line.slice(0, maxText)}…` : line;
}

function stepText({ action, user, team }: OffboardingRecord['steps'][number], record: OffboardingRecord): string {
  if (action === 'remove from organization')
    return `remove ${nameOf(record.member)} from ${nameOf(record.organization)}`;
  const target = record.teams.find(({ id }) => id === team);
  return `make ${record.heir ? nameOf(record.heir) : user} owner of ${target ? nameOf(target) : team}`;
}
