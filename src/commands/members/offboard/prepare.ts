import type { InvocationOf } from '../../../cli/command/define.ts';
import { withPort } from '../../../cli/command/invocation.ts';
import { visible } from '../../../cli/output/index.ts';
import { CommandError, UsageError, exit, notFound, refused } from '../../../cli/program/failure.ts';
import { type Member, nameKey } from '../../../client/find-members.ts';
import { members } from '../../../contract/members.ts';
import { orgs } from '../../../contract/orgs.ts';
import { users } from '../../../contract/users.ts';
import { hiddenText } from '../../../journal/hide.ts';
import { readEntries } from '../../../journal/journal-files.ts';
import { inventoriesOf } from '../../../people/offboarding/inventory.ts';
import { type OffboardingRecord, writeRecord } from '../../../people/offboarding/record.ts';
import { namedMember, stepsOf } from '../../../people/offboarding/steps.ts';
import { planText } from '../../../people/offboarding/text.ts';
import { refuseOwnerless } from '../../shared/keep-owners.ts';
import type { offboardFlags } from '../flags.ts';

export type OffboardInvocation = InvocationOf<'offboard <user...>', typeof offboardFlags>;

/** A member who leaves, and who takes over. */
export interface Pair {
  member: Member;
  /** The name of the heir. */
  heir?: string | undefined;
  earlier?: OffboardingRecord | undefined;
}

const findHint = '"docsctl members list --search" finds people by name and email address.';

export const notMember = (user: string) => notFound(`"${user}" is not a member of the organization.`, findHint);

/** The new owner of teams. @throws UsageError if they cannot own teams; CommandError if they are not a member */
export function heirOf(
  to: string | undefined,
  member: Member,
  found: ReadonlyMap<string, Member>,
  leaving: ReadonlySet<string> = new Set(),
): Member | undefined {
  if (to === undefined) return undefined;
  const heir = found.get(nameKey(to));
  if (!heir) throw notFound(`--to: "${to}" is not a member of the organization.`, findHint);
  if (heir.id === member.id) throw new UsageError(`--to: "${to}" is the member to remove.`, 'Name another member.');
  if (heir.disabled) throw new UsageError(`--to: "${to}" is disabled in the organization.`, 'Name another member.');
  if (leaving.has(heir.id)) throw new UsageError(`--to: "${to}" leaves, too.`, 'Name another member.');
  return heir;
}

/** @throws UsageError for the caller; CommandError for the last administrators */
export async function prepareAll(
  invocation: OffboardInvocation,
  orgId: string,
  pairs: readonly Pair[],
  found: ReadonlyMap<string, Member>,
): Promise<OffboardingRecord[]> {
  const client = await invocation.client();
  const [caller, organization] = await Promise.all([
    client.call(users.current, {}),
    client.call(orgs.view, { params: { orgId } }),
  ]);
  await refuseProtected(invocation, orgId, pairs, caller.id);
  if (!organization.permissions.admin) {
    throw new CommandError(`Permission denied: you are not an administrator of ${organization.title}.`, {
      exitCode: exit.forbidden,
      hint: 'Ask an administrator; "docsctl members list --role admin" lists them.',
    });
  }
  const heirs = new Map(pairs.map(({ member, heir }) => [member.id, heirOf(heir, member, found)]));
  for (const { member, earlier } of pairs) {
    if (earlier && earlier.member.id !== member.id) {
      throw new UsageError(
        `--record: ${invocation.flags.record} is the record of ${earlier.member.title}.`,
        'Name another file for another member.',
      );
    }
  }
  const madeLink = await linkMakers(invocation);
  const people = pairs.map(({ member }) => member);
  const inventories = await withPort(invocation, { text: 'Reading teams', client }, (port) =>
    inventoriesOf(port, { orgId, members: people, madeLink }),
  );
  return pairs.flatMap(({ member, earlier }) => {
    const inventory = inventories.get(member.id);
    const heir = heirs.get(member.id);
    if (!inventory) return [];
    const record: OffboardingRecord = {
      object: 'offboarding',
      startedAt: earlier?.startedAt ?? new Date().toISOString(),
      organization: { id: orgId, title: organization.title },
      by: { id: caller.id, title: caller.displayName },
      member: { ...namedMember(member), email: member.user.email, role: member.role },
      ...(heir ? { heir: namedMember(heir) } : {}),
      ...inventory,
      // Only the record knows which teams an earlier run has handed over.
      ...(earlier ? { teams: earlier.teams } : {}),
      steps: stepsOf(inventory, member.id, heir, earlier),
    };
    return [record];
  });
}

async function refuseProtected(
  invocation: OffboardInvocation,
  orgId: string,
  pairs: readonly Pair[],
  callerId: string,
): Promise<void> {
  if (pairs.some(({ member }) => member.id === callerId)) {
    throw new UsageError(
      'You cannot offboard yourself.',
      'Ask another administrator, or use "docsctl members remove" to remove yourself without a record.',
    );
  }
  const administrators = pairs.filter(({ member }) => member.role === 'admin');
  if (administrators.length === 0) return;
  const client = await invocation.client();
  const { count } = await client.call(members.list, { params: { orgId }, query: { role: 'admin', limit: 0 } });
  if (count > administrators.length) return;
  const [first] = administrators;
  const who =
    count === 1 && first
      ? `${namedMember(first.member).title} is the last administrator of the organization.`
      : `These are the last ${count} administrators of the organization.`;
  throw refused(who, 'Make another member an administrator first: docsctl members edit <user> --role admin');
}

/** Who created invite links, as far as the journal of this machine knows: it keeps links hidden. */
async function linkMakers({ session }: OffboardInvocation): Promise<(userId: string, linkId: string) => boolean> {
  const makers = new Map<string, string>();
  try {
    const { folder } = await session.journalPlace();
    for (const { user, changes } of readEntries(folder))
      for (const { endpoint, id } of changes)
        if (endpoint === 'invites.createLink' && id !== undefined && user) makers.set(id, user.id);
  } catch {
    // Without a journal, no maker is known.
  }
  return (userId, linkId) => (makers.get(hiddenText(linkId)) ?? makers.get(linkId)) === userId;
}

/** @throws CommandError if teams would have no owner */
export function refuseLastOwners(
  records: readonly OffboardingRecord[],
  { allowOwnerless }: OffboardInvocation['flags'],
): void {
  if (allowOwnerless) return;
  const alone = records.flatMap(({ heir, teams }) => (heir ? [] : teams.filter(({ ownedAlone }) => ownedAlone)));
  const teams = [...new Map(alone.map((team) => [team.id, team])).values()];
  refuseOwnerless(teams, 'Name the new owner with --to, or use --allow-ownerless.');
}

/** Prints what a member has, so that the question is understood. */
export async function show({ io }: OffboardInvocation, record: OffboardingRecord): Promise<void> {
  const plan = planText(record).map(visible).join('\n');
  if (io.interactive) await io.err.write(`${plan}\n`);
  else await io.note(plan);
}

/** Completes a record whose member is gone. */
export async function markRemoved(record: OffboardingRecord, file: string): Promise<void> {
  const removal = record.steps.find(({ action }) => action === 'remove from organization');
  if (!removal || removal.result === 'done') return;
  removal.result = 'done';
  removal.reason = 'was no longer a member';
  record.finishedAt = new Date().toISOString();
  await writeRecord(file, record);
}
