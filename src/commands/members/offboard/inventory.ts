import type { Client } from '../../../client/client.ts';
import { HttpError } from '../../../client/errors/http-error.ts';
import type { Invocation } from '../../../cli/command/command.ts';
import { withProgress } from '../../../cli/command/invocation.ts';
import { atLeast } from '../../../contract/access.ts';
import { changeRequests } from '../../../contract/change-requests.ts';
import { changeRequestComments, comments } from '../../../contract/comments.ts';
import type { ItemOf } from '../../../contract/endpoint.ts';
import { members } from '../../../contract/members.ts';
import { spaces } from '../../../contract/spaces.ts';
import { teams } from '../../../contract/teams.ts';
import { eachOf } from '../../../shared/each-of.ts';
import type { Member } from '../../../client/find-members.ts';
import type { Inventory, OpenComment, OwnedTeam } from './record.ts';

type Space = ItemOf<typeof spaces.list>;
type Request = ItemOf<typeof changeRequests.list>;
type Comment = ItemOf<typeof comments.list>;

const concurrency = 8;

/** Reads the teams of a member and, in every space that the caller can see, their open requests, comments and levels. */
export async function inventoryOf(invocation: Invocation, orgId: string, member: Member): Promise<Inventory> {
  const client = await invocation.client();
  const params = { orgId, userId: member.id };
  return withProgress(invocation.io, 'Reading teams', async (progress) => {
    const inventory: Inventory = { teams: [], changeRequests: [], comments: [], levels: [], unread: [] };
    inventory.teams = await teamsOf(client, params);
    for await (const { permission, space } of client.items(members.spaces, { params })) {
      if (!atLeast(member.role, permission))
        inventory.levels.push({ id: space.id, title: space.title, level: permission });
    }
    const all = await Array.fromAsync(client.items(spaces.list, { params: { orgId } }));
    progress.say('Reading spaces');
    let done = 0;
    const read = async (space: Space) => {
      await readSpace(client, space, member.id, inventory);
      progress.count(++done, all.length);
    };
    await eachOf(all, read, concurrency);
    return inventory;
  });
}

async function teamsOf(client: Client, params: { orgId: string; userId: string }): Promise<OwnedTeam[]> {
  const list = await Array.fromAsync(client.items(members.teams, { params }), ({ team, member }): OwnedTeam => ({
    id: team.id,
    title: team.title,
    role: member.role,
    ownedAlone: false,
  }));
  const check = async (owned: OwnedTeam) => {
    owned.ownedAlone = !(await hasOtherOwner(client, { orgId: params.orgId, teamId: owned.id }, params.userId));
  };
  await eachOf(
    list.filter(({ role }) => role === 'owner'),
    check,
    concurrency,
  );
  return list;
}

async function hasOtherOwner(client: Client, params: { orgId: string; teamId: string }, userId: string) {
  for await (const { organization, team } of client.items(teams.listMembers, { params }))
    if (team.role === 'owner' && organization.id !== userId) return true;
  return false;
}

async function readSpace(client: Client, space: Space, userId: string, inventory: Inventory): Promise<void> {
  const named = { id: space.id, title: space.title };
  try {
    const requests = await openRequests(client, space);
    const own = requests.length === 0 ? [] : await openRequests(client, space, userId);
    for (const { id, number, subject, status } of own)
      inventory.changeRequests.push({ id, space: named, number, subject, status });
    for (const comment of await openComments(client, space, requests))
      if (comment.postedBy.id === userId) inventory.comments.push(openComment(comment, named));
  } catch (error) {
    if (!(error instanceof HttpError) || (error.status !== 403 && error.status !== 404)) throw error;
    inventory.unread.push(named);
  }
}

/** Open change requests and drafts. @param contributor only those with changes by this user */
async function openRequests(client: Client, space: Space, contributor?: string): Promise<Request[]> {
  const params = { spaceId: space.id };
  const counts = { open: space.changeRequestsOpen, draft: space.changeRequestsDraft };
  const statuses = (['open', 'draft'] as const).filter((status) => counts[status] > 0);
  const lists = statuses.map((status) => {
    const query = contributor === undefined ? { status } : { status, contributor };
    return Array.fromAsync(client.items(changeRequests.list, { params, query }));
  });
  return (await Promise.all(lists)).flat();
}

async function openComments(client: Client, space: Space, requests: readonly Request[]): Promise<Comment[]> {
  const query = { status: 'open', format: 'markdown' } as const;
  const params = { spaceId: space.id };
  const ofSpace = space.comments > 0 ? await Array.fromAsync(client.items(comments.list, { params, query })) : [];
  const ofRequests: Comment[] = [];
  for (const { id } of requests.filter((request) => request.comments > 0)) {
    const items = client.items(changeRequestComments.list, { params: { ...params, changeRequestId: id }, query });
    for await (const comment of items) ofRequests.push(comment);
  }
  return [...ofSpace, ...ofRequests];
}

function openComment({ id, body, target }: Comment, space: OpenComment['space']): OpenComment {
  const text = 'markdown' in body ? body.markdown : '';
  return {
    id,
    space,
    ...(target.changeRequest === undefined ? {} : { changeRequest: target.changeRequest }),
    ...(target.page === undefined ? {} : { page: target.page.title }),
    text,
  };
}
