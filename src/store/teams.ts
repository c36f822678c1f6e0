import { type Expression, sql } from 'kysely';
import { newId } from './ids.ts';
import { lookup } from './lookups.ts';
import { type MemberRow, teamCount } from './members.ts';
import { type Marked, query, queryFor } from './query.ts';
import { containing, countRows, keyset, type PageKey, type PageParams, pageParams } from './sql.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

export type TeamRow = Row<'team'> & { members: number; owns: number };

/** What titles are sorted by: the title without regard to case. */
export const titleKey = (title: string) => title.toLowerCase();

export type TeamRole = Row<'team_member'>['role'];

const members = sql<number>`(select count(*) from team_member where team = t.id)`.as('members');
const isOwner = (user: Expression<string>) =>
  sql<number>`exists (select 1 from team_member where team = t.id and "user" = ${user} and role = 'owner')`;
const owns = (caller: Expression<string>) => isOwner(caller).as('owns');
const titleContains = (pattern: Expression<string>) => sql<boolean>`t.title_key like ${pattern} escape '\\'`;

export interface TeamFilter {
  title?: string | undefined;
  owner?: string | undefined;
}

type FilterParams = TeamFilter & { organization: string };
type ListParams = FilterParams & PageParams & { caller: string };
type FilterVariant = Record<'title' | 'owner', boolean>;

const matching = (variant: FilterVariant, db: Db, p: Marked<FilterParams>) =>
  db
    .selectFrom('team as t')
    .where('t.organization', '=', p.organization)
    .$if(variant.title, (q) => q.where(titleContains(p.title)))
    .$if(variant.owner, (q) => q.where(isOwner(p.owner).$castTo<boolean>()));

const list = queryFor<FilterVariant & { after: boolean }, ListParams, TeamRow>((variant, db, p) =>
  matching(variant, db, p)
    .selectAll('t')
    .select([members, owns(p.caller)])
    .$if(variant.after, (q) => q.where(keyset(['t.title_key', 't.id'], 'asc', p)))
    .orderBy('t.title_key')
    .orderBy('t.id')
    .limit(p.limit),
);

const count = queryFor<FilterVariant, FilterParams, { count: number }>((variant, db, p) =>
  matching(variant, db, p).select(countRows),
);

const filterOf = ({ title, owner }: TeamFilter) => ({
  variant: { title: title !== undefined, owner: owner !== undefined },
  params: { title: title === undefined ? undefined : containing(title), owner },
});

/** Teams of an organization by title, with what the caller is in each. */
export function listTeams(
  db: Db,
  { organization, caller, ...filter }: { organization: string; caller: string } & TeamFilter,
  after: PageKey | undefined,
  limit: number,
) {
  const { variant, params } = filterOf(filter);
  return list({ ...variant, after: after !== undefined }).all(db, {
    ...params,
    ...pageParams(after, limit),
    organization,
    caller,
  });
}

export async function countTeams(db: Db, organization: string, filter: TeamFilter): Promise<number> {
  const { variant, params } = filterOf(filter);
  return (await count(variant).one(db, { ...params, organization })).count;
}

const byId = query<{ id: string; caller: string }, TeamRow>((db, p) =>
  db
    .selectFrom('team as t')
    .selectAll('t')
    .select([members, owns(p.caller)])
    .where('t.id', '=', p.id),
);
export const getTeam = (db: Db, id: string, caller: string): Promise<TeamRow> => byId.one(db, { id, caller });

const inOrganization = lookup('team', 'organization');
export const isTeamOf = async (db: Db, organization: string, id: string) =>
  (await inOrganization(db, organization, id)) !== undefined;

export async function createTeam(
  db: Db,
  { organization, title, members, now }: { organization: string; title: string; members: string[]; now: string },
): Promise<string> {
  const id = newId();
  await db
    .insertInto('team')
    .values({ id, organization, title, title_key: titleKey(title), created_at: now })
    .execute();
  for (const user of members) await addToTeam(db, id, user);
  return id;
}

export async function renameTeam(db: Db, id: string, title: string) {
  await db
    .updateTable('team')
    .set({ title, title_key: titleKey(title) })
    .where('id', '=', id)
    .execute();
}

/** Deletes a team; SAML providers whose default team it was have no default team then. */
export async function deleteTeam(db: Db, id: string) {
  await db.deleteFrom('team').where('id', '=', id).execute();
}

const insertMember = query<{ team: string; user: string }>((db, p) =>
  db
    .insertInto('team_member')
    .values({ team: p.team, user: p.user, role: 'member' })
    .onConflict((conflict) => conflict.doNothing()),
);
/** Adds a user to a team as `member`; who is in it already keeps the role. */
export const addToTeam = (db: Db, team: string, user: string) => insertMember.run(db, { team, user });

const upsertMember = query<{ team: string; user: string; role: TeamRole }>((db, p) =>
  db
    .insertInto('team_member')
    .values({ team: p.team, user: p.user, role: p.role })
    .onConflict((conflict) => conflict.columns(['team', 'user']).doUpdateSet({ role: p.role })),
);
export const setTeamRole = (db: Db, team: string, user: string, role: TeamRole) =>
  upsertMember.run(db, { team, user, role });

const deleteMember = query<{ team: string; user: string }>((db, p) =>
  db.deleteFrom('team_member').where('team', '=', p.team).where('user', '=', p.user),
);
/** How many were removed: 0 when the user was not in the team. */
export const removeFromTeam = (db: Db, team: string, user: string) => deleteMember.run(db, { team, user });

/** A member of a team, with the role in the team and the value that the list is sorted by. */
export type TeamMemberRow = MemberRow & { team_role: TeamRole; name_key: string };

const name = sql<string>`fold(u.display_name)`;

// The page is cut off before its rows are joined: otherwise teams would be counted for every member of the team.
const listMembers = queryFor<{ after: boolean }, PageParams & { team: string }, TeamMemberRow>((variant, db, p) =>
  db
    .with('page', (cte) =>
      cte
        .selectFrom('team_member as x')
        .innerJoin('user as u', 'u.id', 'x.user')
        .select(['x.team', 'x.user', 'x.role', name.as('name_key')])
        .where('x.team', '=', p.team)
        .$if(variant.after, (q) => q.where(keyset([name, 'u.id'], 'asc', p)))
        .orderBy('name_key')
        .orderBy('x.user')
        .limit(p.limit),
    )
    .selectFrom('page')
    .innerJoin('team as t', 't.id', 'page.team')
    .innerJoin('member as m', (join) =>
      join.onRef('m.organization', '=', 't.organization').onRef('m.user', '=', 'page.user'),
    )
    .innerJoin('user as u', 'u.id', 'page.user')
    .selectAll('m')
    .select(['u.display_name', 'u.email', 'u.photo_url', 'page.role as team_role', 'page.name_key', teamCount])
    .orderBy('page.name_key')
    .orderBy('page.user'),
);
export const listTeamMembers = (db: Db, team: string, after: PageKey | undefined, limit: number) =>
  listMembers({ after: after !== undefined }).all(db, { team, ...pageParams(after, limit) });

interface MemberTeams {
  organization: string;
  user: string;
  title?: string | undefined;
}
type MemberVariant = Record<'title' | 'after', boolean>;

// Cross joins, here and wherever else a person's teams are read, keep the order of the tables: from the few teams of the
// person, not from the many of the organization.
const teamsOf = (db: Db, p: Marked<Pick<MemberTeams, 'organization' | 'user'>>) =>
  db
    .selectFrom('team_member as tm')
    .crossJoin('team as t')
    .whereRef('t.id', '=', 'tm.team')
    .where('tm.user', '=', p.user)
    .where('t.organization', '=', p.organization);

const listOfMember = queryFor<
  MemberVariant,
  MemberTeams & PageParams & { caller: string },
  TeamRow & { role: TeamRole }
>((variant, db, p) =>
  teamsOf(db, p)
    .selectAll('t')
    .select(['tm.role', members, owns(p.caller)])
    .$if(variant.title, (q) => q.where(titleContains(p.title)))
    .$if(variant.after, (q) => q.where(keyset(['t.title_key', 't.id'], 'asc', p)))
    .orderBy('t.title_key')
    .orderBy('t.id')
    .limit(p.limit),
);

const countOfMember = queryFor<{ title: boolean }, MemberTeams, { count: number }>((variant, db, p) =>
  teamsOf(db, p)
    .select(countRows)
    .$if(variant.title, (q) => q.where(titleContains(p.title))),
);

const memberParams = ({ organization, user, title }: MemberTeams): MemberTeams => ({
  organization,
  user,
  title: title === undefined ? undefined : containing(title),
});

export function listTeamsOfMember(
  db: Db,
  { caller, ...filter }: MemberTeams & { caller: string },
  after: PageKey | undefined,
  limit: number,
) {
  return listOfMember({ after: after !== undefined, title: filter.title !== undefined }).all(db, {
    ...memberParams(filter),
    ...pageParams(after, limit),
    caller,
  });
}

export async function countTeamsOfMember(db: Db, filter: MemberTeams): Promise<number> {
  return (await countOfMember({ title: filter.title !== undefined }).one(db, memberParams(filter))).count;
}
