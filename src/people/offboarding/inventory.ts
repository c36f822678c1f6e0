import type { Client } from '../../client/client.ts';
import { HttpError } from '../../client/errors/http-error.ts';
import type { Member } from '../../client/find-members.ts';
import type { Port } from '../../client/port.ts';
import { atLeast } from '../../contract/access.ts';
import { changeRequests } from '../../contract/change-requests.ts';
import { changeRequestComments, comments } from '../../contract/comments.ts';
import type { ItemOf } from '../../contract/endpoint.ts';
import { invites } from '../../contract/invites.ts';
import { members } from '../../contract/members.ts';
import { spaces } from '../../contract/spaces.ts';
import { teams } from '../../contract/teams.ts';
import { eachOf } from '../../shared/each-of.ts';
import type { Inventory, Named, OpenComment, OwnedTeam } from './record.ts';

type Space = ItemOf<typeof spaces.list>;
type Request = ItemOf<typeof changeRequests.list>;
type Comment = ItemOf<typeof comments.list>;

const concurrency = 8;

/** What is read for. */
export interface Leavers {
  orgId: string;
  members: readonly Member[];
  /** Whether a member created an invite link, as far as that is known. */
  madeLink(userId: string, linkId: string): boolean;
}

/**
 * Reads the teams and levels of members and, once for all of them, the invite links and every space that the caller can
 * see, for open change requests and comments.
 */
export async function inventoriesOf({ client, progress }: Port, leavers: Leavers): Promise<Map<string, Inventory>> {
  const { orgId } = leavers;
  const leaving = new Set(leavers.members.map(({ id }) => id));
  const all = new Map<string, Inventory>();
  progress.say('Reading teams');
  const readPerson = async (member: Member) => {
    const inventory: Inventory = emptyInventory();
    all.set(member.id, inventory);
    const params = { orgId, userId: member.id };
    inventory.teams = await teamsOf(client, params, leaving);
    for await (const { permission, space } of client.items(members.spaces, { params })) {
      if (!atLeast(member.role, permission))
        inventory.levels.push({ id: space.id, title: space.title, level: permission });
    }
  };
  await eachOf(leavers.members, readPerson, concurrency);
  await readLinks(client, leavers, all);
  const list = await Array.fromAsync(client.items(spaces.list, { params: { orgId } }));
  progress.say('Reading spaces');
  let done = 0;
  const read = async (space: Space) => {
    await readSpace(client, space, all);
    progress.count(++done, list.length);
  };
  await eachOf(list, read, concurrency);
  return all;
}

const emptyInventory = (): Inventory => ({
  teams: [],
  changeRequests: [],
  comments: [],
  levels: [],
  links: [],
  otherLinks: 0,
  unread: [],
});

async function readLinks(client: Client, { orgId, madeLink }: Leavers, all: ReadonlyMap<string, Inventory>) {
  const links = await Array.fromAsync(client.items(invites.listLinks, { params: { orgId } })).catch((error) => {
    // Organizations can turn invite links off.
    if (error instanceof HttpError && (error.status === 403 || error.reason === 'invite-links-disabled')) return [];
    throw error;
  });
  for (const [userId, inventory] of all) {
    const own = links.filter(({ id }) => madeLink(userId, id));
    inventory.links = own.map((link) => ({ id: link.id, text: linkText(link) }));
    inventory.otherLinks = links.length - own.length;
  }
}

function linkText(link: ItemOf<typeof invites.listLinks>): string {
  if ('space' in link) return `space ${link.space.title}: ${link.level ?? 'guest'}`;
  if ('collection' in link) return `collection ${link.collection.title}: ${link.level ?? 'guest'}`;
  return `organization: ${link.role ?? 'guest'}`;
}

async function teamsOf(
  client: Client,
  params: { orgId: string; userId: string },
  leaving: ReadonlySet<string>,
): Promise<OwnedTeam[]> {
  const list = await Array.fromAsync(client.items(members.teams, { params }), ({ team, member }): OwnedTeam => ({
    id: team.id,
    title: team.title,
    role: member.role,
    ownedAlone: false,
  }));
  const check = async (owned: OwnedTeam) => {
    owned.ownedAlone = !(await hasOtherOwner(client, { orgId: params.orgId, teamId: owned.id }, leaving));
  };
  await eachOf(
    list.filter(({ role }) => role === 'owner'),
    check,
    concurrency,
  );
  return list;
}

async function hasOtherOwner(
  client: Client,
  params: { orgId: string; teamId: string },
  leaving: ReadonlySet<string>,
): Promise<boolean> {
  for await (const { organization, team } of client.items(teams.listMembers, { params }))
    if (team.role === 'owner' && !leaving.has(organization.id)) return true;
  return false;
}

async function readSpace(client: Client, space: Space, all: ReadonlyMap<string, Inventory>): Promise<void> {
  const named: Named = { id: space.id, title: space.title };
  try {
    const requests = await openRequests(client, space);
    for (const comment of await openComments(client, space, requests))
      all.get(comment.postedBy.id)?.comments.push(openComment(comment, named));
    if (requests.length === 0) return;
    const readOwn = async ([userId, inventory]: [string, Inventory]) => {
      for (const { id, number, subject, status } of await openRequests(client, space, userId))
        inventory.changeRequests.push({ id, space: named, number, subject, status });
    };
    await eachOf([...all], readOwn, concurrency);
  } catch (error) {
    if (!(error instanceof HttpError) || (error.status !== 403 && error.status !== 404)) throw error;
    for (const { unread } of all.values()) unread.push(named);
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
