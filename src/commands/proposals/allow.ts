import type { Invocation } from '../../cli/command/command.ts';
import { printList } from '../../cli/command/list.ts';
import { CommandError, exit, missingValue, notFound } from '../../cli/program/failure.ts';
import type { Client } from '../../client/client.ts';
import { atLeast } from '../../contract/access.ts';
import { invites } from '../../contract/invites.ts';
import { members } from '../../contract/members.ts';
import { teams } from '../../contract/teams.ts';
import { requireProposalsSpace } from '../../proposals/proposals-space.ts';
import { eachOf } from '../../shared/each-of.ts';
import { visible } from '../../shared/visible.ts';
import { callerOf, orgIdOf } from '../shared/proposals.ts';

type AllowInvocation = Invocation<{ who?: string[] | undefined }>;

/** Lets people propose changes, with an invite link for those who cannot yet. */
export async function allow(invocation: AllowInvocation): Promise<void> {
  const { args, io, globals } = invocation;
  const { who = [] } = args;
  if (who.length === 0) throw missingValue('<who>', invocation.path);
  const client = await invocation.client();
  const orgId = await orgIdOf(invocation);
  const caller = await callerOf({ client, orgId });
  if (!caller.isAdministrator)
    throw new CommandError('Only administrators can let others propose changes.', {
      exitCode: exit.forbidden,
      hint: 'Ask an administrator.',
    });
  const people = await peopleNamed(invocation, { client, orgId, names: who });
  if (globals.dryRun)
    return io.note(`Would let ${people.size} ${people.size === 1 ? 'person' : 'people'} propose changes.`);
  const space = await requireProposalsSpace(client, orgId);
  const waiting = new Set<string>();
  const check = async (user: string) => {
    if (!(await canPropose(client, { orgId, user, space }))) waiting.add(user);
  };
  await eachOf([...people.keys()], check, 4);
  const invite = await linkTo(client, { orgId, space, isNeeded: waiting.size > 0 });
  const rows = [...people].map(([user, name]) => ({
    user,
    name,
    result: waiting.has(user) ? 'invited' : 'allowed',
    ...(waiting.has(user) && invite !== undefined && { invite }),
  }));
  await printList(invocation, rows);
  if (invite === undefined) return;
  await io.note(
    `Each of them runs this once: docsctl invites accept ${visible(invite)}\nAnyone with the link can propose changes. Run this command again afterwards to delete the link.`,
  );
}

interface Named {
  client: Client;
  orgId: string;
  names: readonly string[];
}

/** The IDs of people with their names; of a team, all members. @throws CommandError if nobody has a name */
async function peopleNamed(invocation: AllowInvocation, { client, orgId, names }: Named): Promise<Map<string, string>> {
  const lookup = await (await invocation.names()).lookup();
  const people = new Map<string, string>();
  const params = { orgId };
  for (const text of names) {
    const userId = await lookup.find({ param: 'userId', text, params });
    if (userId !== undefined) {
      const { id, user } = await client.call(members.view, { params: { orgId, userId } });
      people.set(id, user.email ?? user.displayName);
      continue;
    }
    const teamId = await lookup.find({ param: 'teamId', text, params });
    if (teamId === undefined)
      throw notFound(
        `Nobody and no team is called ${visible(text)}.`,
        '"docsctl members list" and "docsctl teams list" show their names.',
      );
    for await (const { organization } of client.items(teams.listMembers, { params: { orgId, teamId } }))
      people.set(organization.id, organization.user.email ?? organization.user.displayName);
  }
  return people;
}

interface Asked {
  orgId: string;
  user: string;
  space: string;
}

async function canPropose(client: Client, { orgId, user, space }: Asked): Promise<boolean> {
  for await (const each of client.items(members.spaces, { params: { orgId, userId: user } }))
    if (each.space.id === space) return atLeast(each.permission, 'edit');
  return false;
}

/** The link for those who cannot propose yet. One that nobody needs is deleted. */
async function linkTo(
  client: Client,
  { orgId, space, isNeeded }: { orgId: string; space: string; isNeeded: boolean },
): Promise<string | undefined> {
  const links: string[] = [];
  for await (const link of client.items(invites.listLinks, { params: { orgId } }))
    if ('space' in link && link.space.id === space) links.push(link.id);
  if (isNeeded) {
    const body = { level: 'edit', space } as const;
    return links[0] ?? (await client.call(invites.createLink, { params: { orgId }, body, unrecorded: true })).id;
  }
  for (const inviteId of links)
    await client.call(invites.deleteLink, { params: { orgId, inviteId }, unrecorded: true });
  return undefined;
}
