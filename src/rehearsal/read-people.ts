import { atLeast, highest, type RoleName } from '../contract/access.ts';
import { fields } from '../contract/custom-fields.ts';
import type { AnswerOf, ItemOf } from '../contract/endpoint.ts';
import { invites } from '../contract/invites.ts';
import { members } from '../contract/members.ts';
import type { orgs } from '../contract/orgs.ts';
import { sso } from '../contract/sso.ts';
import { teams } from '../contract/teams.ts';
import type { users } from '../contract/users.ts';
import { readEach } from '../organization/service/reading.ts';
import { type Grant, writeGrants, writeInvites, writeMembers, writeProviders, writeTeam } from './twin/people.ts';
import { writeFields } from './twin/places.ts';
import { type Collections, collectionsAbove } from '../organization/access/reasons.ts';
import { readable, type TwinReading } from './reading.ts';

type Organization = AnswerOf<typeof orgs.view>;
type Member = ItemOf<typeof members.list>;
type User = AnswerOf<typeof users.current>;

/** Somebody whose levels are to be read. */
export type Person = Pick<Member, 'id' | 'role' | 'spaces'>;

const batch = 500;

/** The members. @returns how many, and those who are no administrators: these see everything */
export async function copyMembers(
  reading: TwinReading,
  org: Organization,
  caller: User,
): Promise<{ total: number; people: Person[] }> {
  const { client, orgId, twin, progress } = reading;
  const people: Person[] = [];
  let isCallerThere = false;
  let total = 0;
  let list: Member[] = [];
  const flush = async () => {
    const written = list;
    list = [];
    total += written.length;
    await twin.write((db) => writeMembers(db, orgId, written));
    progress('members', total);
  };
  await readable(
    reading,
    'list of members',
    async () => {
      for await (const member of client.items(members.list, { params: { orgId } })) {
        list.push(member);
        isCallerThere ||= member.id === caller.id;
        if (member.role !== 'admin') people.push({ id: member.id, role: member.role, spaces: member.spaces });
        if (list.length === batch) await flush();
      }
    },
    undefined,
  );
  if (!isCallerThere) list.push(memberFrom(org, caller));
  await flush();
  return { total, people };
}

/** The caller as a member, from what the organization allows: where the members are not shown. */
const memberFrom = ({ permissions, createdAt }: Organization, user: User): Member => ({
  object: 'member',
  id: user.id,
  role: permissions.admin ? 'admin' : permissions.createContent ? 'create' : permissions.listMembers ? 'read' : null,
  user,
  disabled: false,
  joinedAt: createdAt,
  sso: false,
  spaces: 0,
  teams: 0,
});

export async function copyFields(reading: TwinReading): Promise<Map<string, string>> {
  const { client, orgId, twin } = reading;
  const all = () => Array.fromAsync(client.items(fields.list, { params: { orgId } }));
  const list = await readable(reading, 'list of custom fields', all, []);
  await twin.write((db) => writeFields(db, orgId, list));
  return new Map(list.map(({ name, id }) => [name, id]));
}

/** @returns how many teams there are */
export async function copyTeams(reading: TwinReading): Promise<number> {
  const { client, orgId, twin } = reading;
  const all = () => Array.fromAsync(client.items(teams.list, { params: { orgId } }));
  const list = await readable(reading, 'list of teams', all, []);
  await readEach(reading, 'teams', list, async (team) => {
    const params = { orgId, teamId: team.id };
    const people = await readable(
      reading,
      'members of a team',
      () => Array.fromAsync(client.items(teams.listMembers, { params })),
      [],
    );
    const roles = people.map((person) => ({ user: person.organization.id, role: person.team.role }));
    await twin.write((db) => writeTeam(db, orgId, { team, members: roles }));
  });
  const providers = await readable(
    reading,
    'list of SSO providers',
    () => Array.fromAsync(client.items(sso.listProviders, { params: { orgId } })),
    [],
  );
  const ids = new Set(list.map(({ id }) => id));
  await twin.write((db) => writeProviders(db, orgId, providers, (id) => ids.has(id)));
  return list.length;
}

/** @param spaces ids of the spaces of the twin */
export async function copyInvites(
  reading: TwinReading,
  org: Organization,
  has: (id: string) => boolean,
): Promise<void> {
  const { client, orgId, twin } = reading;
  const all = () => Array.fromAsync(client.items(invites.listLinks, { params: { orgId } }));
  const list = await readable(reading, 'list of invite links', all, []);
  const present = list.filter((invite) => {
    if ('space' in invite) return has(invite.space.id);
    return 'collection' in invite ? has(invite.collection.id) : true;
  });
  await twin.write((db) => writeInvites(db, org, present));
}

interface Places {
  collections: Collections;
  hasSpace(id: string): boolean;
}

/**
 * What people can do on spaces beyond their role and the default levels. The service tells the level of a member on each
 * space, and not where it comes from: a level on a collection is written as one on each space in it.
 */
export async function copyLevels(
  reading: TwinReading,
  people: readonly Person[],
  { collections, hasSpace }: Places,
): Promise<void> {
  const { client, orgId, twin } = reading;
  // Nothing was granted to guests without spaces.
  const asked = people.filter(({ role, spaces }) => role !== null || spaces > 0);
  await readEach(reading, 'levels of members', asked, async ({ id, role }) => {
    const grants: Grant[] = [];
    const params = { orgId, userId: id };
    await readable(
      reading,
      'levels of a member',
      async () => {
        for await (const { permission, space } of client.items(members.spaces, { params })) {
          const level = role === null ? null : defaultLevelOn(role, space, collections);
          if (hasSpace(space.id) && !(level && atLeast(level, permission)))
            grants.push({ user: id, space: space.id, level: permission });
        }
      },
      undefined,
    );
    if (grants.length > 0) await twin.write((db) => writeGrants(db, orgId, grants));
  });
}

type LeveledSpace = Pick<ItemOf<typeof members.spaces>['space'], 'defaultLevel' | 'parent'>;

const defaultLevelOn = (role: RoleName, space: LeveledSpace, collections: Collections) =>
  highest(
    role,
    space.defaultLevel,
    ...collectionsAbove(space, collections).above.map(({ defaultLevel }) => defaultLevel),
  );
