import { type Expression, sql } from 'kysely';
import { lookup } from './lookups.ts';
import { type MemberRow, teamCount } from './lookups.ts';
import { filterQuery, type Marked, query } from './query.ts';
import { rowsById } from './rows.ts';
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

interface TeamFilter {
  title?: string | undefined;
  owner?: string | undefined;
}

type FilterParams = TeamFilter & { organization: string };

const matching = (db: Db, p: Marked<FilterParams>, has: (name: 'title' | 'owner') => boolean) =>
  db
    .selectFrom('team as t')
    .where('t.organization', '=', p.organization)
    .$if(has('title'), (q) => q.where(titleContains(p.title)))
    .$if(has('owner'), (q) => q.where(isOwner(p.owner).$castTo<boolean>()));

const list = filterQuery<FilterParams & PageParams & { caller: string }, TeamRow>((db, p, has) =>
  matching(db, p, has)
    .selectAll('t')
    .select([members, owns(p.caller)])
    .$if(has('afterId'), (q) => q.where(keyset(['t.title_key', 't.id'], 'asc', p)))
    .orderBy('t.title_key')
    .orderBy('t.id')
    .limit(p.limit),
);

const count = filterQuery<FilterParams, { count: number }>((db, p, has) => matching(db, p, has).select(countRows));

const withPattern = <Filter extends { title?: string | undefined }>(filter: Filter): Filter => ({
  ...filter,
  title: filter.title === undefined ? undefined : containing(filter.title),
});

/** Teams of an organization by title, with what the caller is in each. */
export const listTeams = (
  db: Db,
  filter: FilterParams & { caller: string },
  after: PageKey | undefined,
  limit: number,
) => list.all(db, { ...withPattern(filter), ...pageParams(after, limit) });

export const countTeams = async (db: Db, filter: FilterParams): Promise<number> =>
  (await count.one(db, withPattern(filter))).count;

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

const rows = rowsById('team');
/** Deletes a team. SAML providers with this default team have none from then on. */
export const deleteTeam = rows.delete;

export async function createTeam(
  db: Db,
  { organization, title, members, now }: { organization: string; title: string; members: string[]; now: string },
): Promise<string> {
  const { id } = await rows.insert(db, { organization, title, title_key: titleKey(title), created_at: now });
  for (const user of members) await addToTeam(db, id, user);
  return id;
}

export const renameTeam = (db: Db, id: string, title: string) =>
  rows.change(db, id, { title, title_key: titleKey(title) });

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
type TeamMemberRow = MemberRow & { team_role: TeamRole; name_key: string };

const name = sql<string>`fold(u.display_name)`;

// The page is cut off before its rows are joined: otherwise teams would be counted for every member of the team.
const listMembers = filterQuery<PageParams & { team: string }, TeamMemberRow>((db, p, has) =>
  db
    .with('page', (cte) =>
      cte
        .selectFrom('team_member as x')
        .innerJoin('user as u', 'u.id', 'x.user')
        .select(['x.team', 'x.user', 'x.role', name.as('name_key')])
        .where('x.team', '=', p.team)
        .$if(has('afterId'), (q) => q.where(keyset([name, 'u.id'], 'asc', p)))
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
  listMembers.all(db, { team, ...pageParams(after, limit) });

interface MemberTeams {
  organization: string;
  user: string;
  title?: string | undefined;
}

// Cross joins, here and wherever else a person's teams are read, keep the order of the tables: from the few teams of the
// person, not from the many of the organization.
const teamsOf = (db: Db, p: Marked<Pick<MemberTeams, 'organization' | 'user'>>) =>
  db
    .selectFrom('team_member as tm')
    .crossJoin('team as t')
    .whereRef('t.id', '=', 'tm.team')
    .where('tm.user', '=', p.user)
    .where('t.organization', '=', p.organization);

const listOfMember = filterQuery<MemberTeams & PageParams & { caller: string }, TeamRow & { role: TeamRole }>(
  (db, p, has) =>
    teamsOf(db, p)
      .selectAll('t')
      .select(['tm.role', members, owns(p.caller)])
      .$if(has('title'), (q) => q.where(titleContains(p.title)))
      .$if(has('afterId'), (q) => q.where(keyset(['t.title_key', 't.id'], 'asc', p)))
      .orderBy('t.title_key')
      .orderBy('t.id')
      .limit(p.limit),
);

const countOfMember = filterQuery<MemberTeams, { count: number }>((db, p, has) =>
  teamsOf(db, p)
    .select(countRows)
    .$if(has('title'), (q) => q.where(titleContains(p.title))),
);

export const listTeamsOfMember = (
  db: Db,
  filter: MemberTeams & { caller: string },
  after: PageKey | undefined,
  limit: number,
) => listOfMember.all(db, { ...withPattern(filter), ...pageParams(after, limit) });

export const countTeamsOfMember = async (db: Db, filter: MemberTeams): Promise<number> =>
  (await countOfMember.one(db, withPattern(filter))).count;
