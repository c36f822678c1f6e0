import { sql } from 'kysely';
import { newId } from './ids.ts';
import { lookup } from './lookups.ts';
import { type MemberRow, teamsOf } from './members.ts';
import { query, queryFor } from './query.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

export type TeamRow = Row<'team'> & { members: number; owns: number };

/** What titles are sorted by: case does not count. */
export const titleKey = (title: string) => title.toLowerCase();

// A title that holds `%` or `_` is looked for as it stands.
export const containing = (text: string) => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;

export type TeamRole = Row<'team_member'>['role'];

const members = sql<number>`(select count(*) from team_member where team = t.id)`.as('members');
const owns = (caller: unknown) =>
  sql<number>`exists (select 1 from team_member where team = t.id and user = ${caller} and role = 'owner')`.as('owns');

interface ListVariant {
  after: boolean;
  title: boolean;
  owner: boolean;
}
interface ListParams {
  organization: string;
  caller: string;
  title?: string;
  owner?: string;
  afterKey?: string;
  afterId?: string;
  limit: number;
}
export interface TeamFilter {
  title?: string | undefined;
  owner?: string | undefined;
}

const filtered = (variant: Omit<ListVariant, 'after'>, db: Db, p: Record<keyof ListParams, any>) =>
  db
    .selectFrom('team as t')
    .where('t.organization', '=', p.organization)
    .$if(variant.title, (q) => q.where(sql<boolean>`t.title_key like ${p.title} escape '\\'`))
    .$if(variant.owner, (q) =>
      q.where(
        sql<boolean>`exists (select 1 from team_member where team = t.id and user = ${p.owner} and role = 'owner')`,
      ),
    );

const list = queryFor<ListVariant, ListParams, TeamRow>(
  (variant, db, p) =>
    filtered(variant, db, p as Record<keyof ListParams, any>)
      .selectAll('t')
      .select([members, owns(p.caller)])
      .$if(variant.after, (q) =>
        q.where((eb) => eb(eb.refTuple('t.title_key', 't.id'), '>', eb.tuple(p.afterKey, p.afterId) as never)),
      )
      .orderBy('t.title_key')
      .orderBy('t.id')
      .limit(p.limit) as never,
);

const count = queryFor<Omit<ListVariant, 'after'>, Omit<ListParams, 'limit' | 'caller'>, { count: number }>(
  (variant, db, p) =>
    filtered(variant, db, p as Record<keyof ListParams, any>).select((eb) =>
      eb.fn.countAll<number>().as('count'),
    ) as never,
);

const asked = ({ title, owner }: TeamFilter) => ({
  variant: { title: title !== undefined, owner: owner !== undefined },
  params: {
    ...(title === undefined ? {} : { title: containing(title) }),
    ...(owner === undefined ? {} : { owner }),
  },
});

/** Teams of an organization by title, with what the caller is in each. */
export function listTeams(
  db: Db,
  { organization, caller, ...filter }: { organization: string; caller: string } & TeamFilter,
  after: readonly unknown[] | undefined,
  limit: number,
) {
  const { variant, params } = asked(filter);
  return list({ ...variant, after: after !== undefined }).all(db, {
    ...params,
    organization,
    caller,
    limit,
    ...(after ? { afterKey: after[0] as string, afterId: after[1] as string } : {}),
  });
}

export async function countTeams(db: Db, organization: string, filter: TeamFilter): Promise<number> {
  const { variant, params } = asked(filter);
  return (await count(variant).first(db, { ...params, organization }))!.count;
}

const one = query<{ id: string; caller: string }, TeamRow>(
  (db, p) =>
    db
      .selectFrom('team as t')
      .selectAll('t')
      .select([members, owns(p.caller)])
      .where('t.id', '=', p.id) as never,
);
export const getTeam = async (db: Db, id: string, caller: string): Promise<TeamRow> =>
  (await one.first(db, { id, caller }))!;

const held = lookup('team', 'organization');
export const isTeamOf = async (db: Db, organization: string, id: string) =>
  (await held(db, organization, id)) !== undefined;

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

/** Deletes a team; SAML providers that had it as their default team have none then. */
export async function deleteTeam(db: Db, id: string) {
  await db.deleteFrom('team').where('id', '=', id).execute();
}

const put = query<{ team: string; user: string }>((db, p) =>
  db
    .insertInto('team_member')
    .values({ team: p.team, user: p.user, role: 'member' })
    .onConflict((conflict) => conflict.doNothing()),
);
/** Puts somebody into a team as `member`; who is in it keeps the role. */
export const addToTeam = (db: Db, team: string, user: string) => put.run(db, { team, user });

const set = query<{ team: string; user: string; role: TeamRole }>((db, p) =>
  db
    .insertInto('team_member')
    .values({ team: p.team, user: p.user, role: p.role })
    .onConflict((conflict) => conflict.doUpdateSet({ role: p.role })),
);
export const setTeamRole = (db: Db, team: string, user: string, role: TeamRole) => set.run(db, { team, user, role });

const take = query<{ team: string; user: string }>((db, p) =>
  db.deleteFrom('team_member').where('team', '=', p.team).where('user', '=', p.user),
);
/** How many were taken out: none when they were not in it. */
export const removeFromTeam = (db: Db, team: string, user: string) => take.run(db, { team, user });

interface PeopleParams {
  team: string;
  afterName?: string;
  afterUser?: string;
  limit: number;
}
/** Somebody in a team: the member of the organization, the role in the team, and what the list is sorted by. */
export type TeamMemberRow = MemberRow & { team_role: TeamRole; name_key: string };

// The page is cut before the rest is read: what is counted for each row would be counted for the whole team.
const people = queryFor<{ after: boolean }, PeopleParams, TeamMemberRow>(
  (variant, db, p) =>
    db
      .with('page', (with_) =>
        with_
          .selectFrom('team_member as x')
          .innerJoin('user as u', 'u.id', 'x.user')
          .select(['x.team', 'x.user', 'x.role', sql<string>`fold(u.display_name)`.as('name_key')])
          .where('x.team', '=', p.team)
          .$if(variant.after, (q) =>
            q.where(sql<boolean>`(fold(u.display_name), u.id) > (${p.afterName}, ${p.afterUser})`),
          )
          .orderBy('name_key')
          .orderBy('x.user')
          .limit(p.limit as never),
      )
      .selectFrom('page')
      .innerJoin('team as t', 't.id', 'page.team')
      .innerJoin('member as m', (join) =>
        join.onRef('m.organization', '=', 't.organization').onRef('m.user', '=', 'page.user'),
      )
      .innerJoin('user as u', 'u.id', 'page.user')
      .selectAll('m')
      .select([
        'u.display_name',
        'u.email',
        'u.photo_url',
        'page.role as team_role',
        'page.name_key',
        teamsOf.as('teams'),
      ])
      .orderBy('page.name_key')
      .orderBy('page.user') as never,
);
export const listTeamMembers = (db: Db, team: string, after: readonly unknown[] | undefined, limit: number) =>
  people({ after: after !== undefined }).all(db, {
    team,
    limit,
    ...(after ? { afterName: after[0] as string, afterUser: after[1] as string } : {}),
  });

interface Variant {
  after: boolean;
  title: boolean;
}
interface Params {
  organization: string;
  user: string;
  caller: string;
  title?: string;
  afterKey?: string;
  afterId?: string;
  limit: number;
}

// Cross joins, here and where else a person's teams are read, keep the order of the tables: from the few teams of the
// person, not from the many of the organization.
const ofMember = queryFor<Variant, Params, TeamRow & { role: 'owner' | 'member' }>(
  (variant, db, p) =>
    db
      .selectFrom('team_member as tm')
      .crossJoin('team as t')
      .whereRef('t.id', '=', 'tm.team')
      .selectAll('t')
      .select(['tm.role', members, owns(p.caller)])
      .where('tm.user', '=', p.user)
      .where('t.organization', '=', p.organization)
      .$if(variant.title, (q) => q.where(sql<boolean>`t.title_key like ${p.title} escape '\\'`))
      .$if(variant.after, (q) =>
        q.where((eb) => eb(eb.refTuple('t.title_key', 't.id'), '>', eb.tuple(p.afterKey, p.afterId) as never)),
      )
      .orderBy('t.title_key')
      .orderBy('t.id')
      .limit(p.limit) as never,
);

export function listTeamsOfMember(
  db: Db,
  asked: { organization: string; user: string; caller: string; title?: string | undefined },
  after: readonly unknown[] | undefined,
  limit: number,
) {
  const { title, ...params } = asked;
  return ofMember({ after: after !== undefined, title: title !== undefined }).all(db, {
    ...params,
    limit,
    ...(title === undefined ? {} : { title: containing(title) }),
    ...(after ? { afterKey: after[0] as string, afterId: after[1] as string } : {}),
  });
}

export async function countTeamsOfMember(
  db: Db,
  asked: { organization: string; user: string; title?: string | undefined },
): Promise<number> {
  const { count } = await db
    .selectFrom('team_member as tm')
    .crossJoin('team as t')
    .whereRef('t.id', '=', 'tm.team')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('tm.user', '=', asked.user)
    .where('t.organization', '=', asked.organization)
    .$if(asked.title !== undefined, (q) =>
      q.where(sql<boolean>`t.title_key like ${containing(asked.title!)} escape '\\'`),
    )
    .executeTakeFirstOrThrow();
  return count;
}
