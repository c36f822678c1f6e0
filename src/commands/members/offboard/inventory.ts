import type { Client } from '../../../client/client.ts';
import { HttpError } from '../../../client/errors/http-error.ts';
import type { Invocation } from '../../../cli/command/command.ts';
import { createProgress } from '../../../cli/output/index.ts';
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

/** What a member has: their teams, and in every space that the caller sees, open requests, comments and levels. */
export async function inventoryOf(invocation: Invocation, orgId: string, member: Member): Promise<Inventory> {
  const client = await invocation.client();
  const progress = createProgress('Reading teams', { animated: invocation.io.canAnimate });
  const inventory: Inventory = { teams: [], changeRequests: [], comments: [], levels: [], unread: [] };
  try {
    inventory.teams = await teamsOf(client, orgId, member.id);
    const params = { orgId, userId: member.id };
    for await (const { permission, space } of client.items(members.spaces, { params })) {
      if (!atLeast(member.role, permission))
        inventory.levels.push({ id: space.id, title: space.title, level: permission });
    }
    const all: Space[] = [];
    for await (const space of client.items(spaces.list, { params: { orgId } })) all.push(space);
    progress.say('Reading spaces');
    let done = 0;
    const read = async (space: Space) => {
      await readSpace(client, space, member.id, inventory);
      progress.count(++done, all.length);
    };
    await eachOf(all, read, concurrency);
  } finally {
    progress.stop();
  }
  return inventory;
}

async function teamsOf(client: Client, orgId: string, userId: string): Promise<OwnedTeam[]> {
  const found: OwnedTeam[] = [];
  for await (const { team, member } of client.items(members.teams, { params: { orgId, userId } }))
    found.push({ id: team.id, title: team.title, role: member.role, ownedAlone: false });
  const check = async (owned: OwnedTeam) => {
    owned.ownedAlone = !(await hasOtherOwner(client, { orgId, teamId: owned.id }, userId));
  };
  await eachOf(
    found.filter(({ role }) => role === 'owner'),
    check,
    concurrency,
  );
  return found;
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
    const found = await openComments(client, space, requests);
    for (const comment of found.filter(({ postedBy }) => postedBy.id === userId))
      inventory.comments.push(openComment(comment, named));
  } catch (error) {
    if (!(error instanceof HttpError) || (error.status !== 403 && error.status !== 404)) throw error;
    inventory.unread.push(named);
  }
}

/** Open requests and drafts. @param contributor only those on which this user worked */
async function openRequests(client: Client, space: Space, contributor?: string): Promise<Request[]> {
  const found: Request[] = [];
  const params = { spaceId: space.id };
  const counts = { open: space.changeRequestsOpen, draft: space.changeRequestsDraft };
  for (const status of ['open', 'draft'] as const) {
    if (counts[status] === 0) continue;
    const query = contributor === undefined ? { status } : { status, contributor };
    for await (const request of client.items(changeRequests.list, { params, query })) found.push(request);
  }
  return found;
}

async function openComments(client: Client, space: Space, requests: readonly Request[]): Promise<Comment[]> {
  const found: Comment[] = [];
  const query = { status: 'open', format: 'markdown' } as const;
  if (space.comments > 0) {
    for await (const comment of client.items(comments.list, { params: { spaceId: space.id }, query }))
      found.push(comment);
  }
  for (const { id } of requests.filter((request) => request.comments > 0)) {
    const params = { spaceId: space.id, changeRequestId: id };
    for await (const comment of client.items(changeRequestComments.list, { params, query })) found.push(comment);
  }
  return found;
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
