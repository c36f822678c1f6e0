import type { Client } from '../../client/client.ts';
import { isMissing } from '../../client/errors/http-error.ts';
import { findMembersNamed, type Member, nameKey } from '../../client/find-members.ts';
import { isAnswered } from '../../client/read-back.ts';
import { invites } from '../../contract/invites.ts';
import { members } from '../../contract/members.ts';
import { teams } from '../../contract/teams.ts';
import { messageOf } from '../../shared/error-text.ts';
import type { OffboardingRecord } from './record.ts';

/** Something that a person had, and what became of it. */
export interface Restored {
  user: string;
  what: string;
  outcome: 'not tried' | 'invited' | 'changed' | 'unchanged' | 'created' | 'not changed' | 'failed' | 'unknown';
  reason?: string;
  /** The ID of an invite link. */
  link?: string;
}

export interface RestoreOptions {
  orgId: string;
  /** Whether to create an invite link for each level, because levels cannot be granted otherwise. */
  levelLinks: boolean;
  dryRun: boolean;
  signal: AbortSignal;
}

/** Invites a person again who was offboarded, and restores the role, the teams and, with links, the levels. */
export async function restore(client: Client, record: OffboardingRecord, options: RestoreOptions): Promise<Restored[]> {
  const { member: before } = record;
  const user = before.email ?? before.id;
  const results: Restored[] = [];
  const { orgId } = options;
  let member = (await findMembersNamed(client, orgId, [user])).get(nameKey(user));

  /** Runs one step, and keeps what became of it. */
  const step = async (what: string, work: () => Promise<Partial<Restored>>): Promise<boolean> => {
    const result: Restored = { user, what, outcome: 'not tried' };
    results.push(result);
    if (options.signal.aborted) return false;
    try {
      Object.assign(result, await work());
    } catch (error) {
      Object.assign(result, { outcome: isAnswered(error) ? 'failed' : 'unknown', reason: messageOf(error) });
    }
    return result.outcome !== 'failed' && result.outcome !== 'unknown';
  };
  const changing = (outcome: Restored['outcome'], work: () => Promise<unknown>) => async () => {
    if (options.dryRun) return {};
    await work();
    return { outcome };
  };

  const role = before.role ?? 'guest';
  if (!member) {
    const isInvited = await step(`member: ${role}`, async () => inviteAgain(client, record, options));
    if (!options.dryRun)
      member = isInvited ? (await findMembersNamed(client, orgId, [user])).get(nameKey(user)) : undefined;
  } else if (member.role === before.role) await step(`member: ${role}`, async () => ({ outcome: 'unchanged' }));
  else {
    const params = { orgId, userId: member.id };
    const edit = changing('changed', () => client.call(members.edit, { params, body: { role: before.role } }));
    await step(`member: ${role}`, edit);
  }
  if (!member && !options.dryRun) return [...results, ...untried(record, user)];
  const current = member ? await rolesInTeams(client, orgId, member) : new Map<string, string>();
  for (const team of record.teams) {
    await step(`team ${team.title}: ${team.role}`, async () => {
      if (current.get(team.id) === team.role) return { outcome: 'unchanged' };
      return setTeam(client, { orgId, teamId: team.id, userId: member?.id ?? '' }, team.role, options);
    });
  }
  for (const { id, title, level } of record.levels) {
    await step(`space ${title}: ${level}`, async () => {
      if (!options.levelLinks)
        return { outcome: 'not changed', reason: 'no request grants a level; --level-links creates invite links' };
      if (options.dryRun) return {};
      const link = await client.call(invites.createLink, { params: { orgId }, body: { level, space: id } });
      return { outcome: 'created', link: link.id, reason: 'granted when they open the link' };
    });
  }
  return results;
}

const untried = ({ teams: all, levels }: OffboardingRecord, user: string): Restored[] => [
  ...all.map(({ title, role }): Restored => ({ user, what: `team ${title}: ${role}`, outcome: 'not tried' })),
  ...levels.map(({ title, level }): Restored => ({ user, what: `space ${title}: ${level}`, outcome: 'not tried' })),
];

async function inviteAgain(
  client: Client,
  { member }: OffboardingRecord,
  { orgId, dryRun }: RestoreOptions,
): Promise<Partial<Restored>> {
  if (member.email === undefined) return { outcome: 'failed', reason: 'the record has no email address' };
  if (dryRun) return {};
  const body = { emails: [{ email: member.email, role: member.role }], sso: false };
  await client.call(invites.send, { params: { orgId }, body });
  return { outcome: 'invited' };
}

async function rolesInTeams(client: Client, orgId: string, { id: userId }: Member): Promise<Map<string, string>> {
  const list = await Array.fromAsync(client.items(members.teams, { params: { orgId, userId } }));
  return new Map(list.map(({ team, member }) => [team.id, member.role]));
}

async function setTeam(
  client: Client,
  params: { orgId: string; teamId: string; userId: string },
  role: 'owner' | 'member',
  { dryRun }: RestoreOptions,
): Promise<Partial<Restored>> {
  if (dryRun) return {};
  try {
    await client.call(teams.setMember, { params, body: { role } });
    return { outcome: 'changed' };
  } catch (error) {
    if (!isMissing(error)) throw error;
    return { outcome: 'failed', reason: 'the team no longer exists' };
  }
}
