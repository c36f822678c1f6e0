import { sql } from 'kysely';
import type { RoleName } from '../contract/access.ts';
import { findMember } from './lookups.ts';
import { query, queryFor } from './query.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

export type MemberRow = Row<'member'> & {
  display_name: string;
  email: string;
  photo_url: string | null;
  teams: number;
};

interface Variant {
  sort: 'joinedAt' | 'lastSeenAt';
  order: 'asc' | 'desc';
  role: 'any' | 'guest' | 'given';
  search: 'none' | 'trigram' | 'scan';
  after: boolean;
}

interface ListParams {
  organization: string;
  role?: RoleName;
  search?: string;
  afterValue?: string;
  afterUser?: string;
  limit: number;
}

const columns = { joinedAt: 'm.joined_at', lastSeenAt: 'm.last_seen_at' } as const;

// Spelled as SQL because the same people are listed and counted, with and without the columns. A cross join keeps the
// order of the tables: from the few teams of one person, not from the many of an organization.
export const teamsOf = sql<number>`(select count(*) from team_member tm cross join team t where t.id = tm.team and tm.user = m.user and t.organization = m.organization)`;

const members = (db: Db) => db.selectFrom('member as m').innerJoin('user as u', 'u.id', 'm.user');

// From the few that are found to what they are: left to choose, SQLite goes through all members of the organization.
const found = (db: Db) =>
  db.selectFrom('user as u').crossJoin('member as m').whereRef('m.user', '=', 'u.id') as unknown as ReturnType<
    typeof members
  >;

const people = (variant: Omit<Variant, 'after'>, db: Db, p: Record<keyof ListParams, any>) =>
  (variant.search === 'trigram' ? found(db) : members(db))
    .where('m.organization', '=', p.organization)
    .$if(variant.sort === 'lastSeenAt', (q) => q.where('m.disabled', '=', 0).where('m.last_seen_at', 'is not', null))
    .$if(variant.role === 'guest', (q) => q.where('m.role', 'is', null))
    .$if(variant.role === 'given', (q) => q.where('m.role', '=', p.role))
    .$if(variant.search === 'trigram', (q) =>
      q.where(sql<boolean>`u.seq in (select rowid from user_search where user_search match ${p.search})`),
    )
    .$if(variant.search === 'scan', (q) =>
      q.where(sql<boolean>`(instr(lower(u.display_name), ${p.search}) > 0 or instr(lower(u.email), ${p.search}) > 0)`),
    );

const list = queryFor<Variant, ListParams, MemberRow>((variant, db, p) => {
  const column = columns[variant.sort];
  const marks = p as Record<keyof ListParams, any>;
  const sorted = <Q extends ReturnType<typeof people>>(q: Q) =>
    q.orderBy(column, variant.order).orderBy('m.user', variant.order) as Q;
  const shown = (q: ReturnType<typeof people>) =>
    q.selectAll('m').select(['u.display_name', 'u.email', 'u.photo_url', teamsOf.as('teams')]);
  const page = sorted(people(variant, db, marks))
    .$if(variant.after, (q) =>
      q.where((eb) =>
        eb(
          eb.refTuple(column, 'm.user'),
          variant.order === 'asc' ? '>' : '<',
          eb.tuple(marks.afterValue, marks.afterUser) as never,
        ),
      ),
    )
    .limit(marks.limit);
  if (variant.search !== 'trigram') return shown(page) as never;
  // What was found is sorted before it is looked at: all of it for one page would take three times as long.
  const onPage = db
    .selectFrom(page.select('m.user as one').as('found'))
    .crossJoin('member as m')
    .crossJoin('user as u')
    .where('m.organization', '=', marks.organization)
    .whereRef('m.user', '=', 'found.one')
    .whereRef('u.id', '=', 'm.user') as unknown as ReturnType<typeof people>;
  return shown(sorted(onPage)) as never;
});

const count = queryFor<Omit<Variant, 'after' | 'order'>, Omit<ListParams, 'limit'>, { count: number }>(
  (variant, db, p) =>
    people({ ...variant, order: 'asc' }, db, p as Record<keyof ListParams, any>).select((eb) =>
      eb.fn.countAll<number>().as('count'),
    ) as never,
);

const counted = query<{ organization: string }, { role: string; members: number; active: number }>((db, p) =>
  db.selectFrom('member_count').select(['role', 'members', 'active']).where('organization', '=', p.organization),
);

export interface MemberFilter {
  sort: 'joinedAt' | 'lastSeenAt';
  order: 'asc' | 'desc';
  role?: RoleName | 'guest' | undefined;
  search?: string | undefined;
}

/** Members after a key, in the filter's order. */
export function listMembers(
  db: Db,
  organization: string,
  filter: MemberFilter,
  after: readonly unknown[] | undefined,
  limit: number,
) {
  const { variant, params } = asked(filter);
  return list({ ...variant, order: filter.order, after: after !== undefined }).all(db, {
    ...params,
    organization,
    limit,
    ...(after ? { afterValue: after[0] as string, afterUser: after[1] as string } : {}),
  });
}

/** How many there are with the filter; without a search it is read off counters. */
export async function countMembers(db: Db, organization: string, filter: MemberFilter): Promise<number> {
  if (filter.search === undefined || filter.search === '') {
    const rows = await counted.all(db, { organization });
    return rows
      .filter((row) => filter.role === undefined || row.role === filter.role)
      .reduce((sum, row) => sum + (filter.sort === 'lastSeenAt' ? row.active : row.members), 0);
  }
  const { variant, params } = asked(filter);
  return (await count(variant).first(db, { ...params, organization }))!.count;
}

// The trigram index knows nothing shorter than three characters.
function asked({ sort, role, search }: MemberFilter) {
  const text = search ?? '';
  const kind = text === '' ? 'none' : [...text].length >= 3 ? 'trigram' : 'scan';
  return {
    variant: { sort, role: role === undefined ? 'any' : role === 'guest' ? 'guest' : 'given', search: kind } as const,
    params: {
      ...(role !== undefined && role !== 'guest' ? { role } : {}),
      ...(kind === 'trigram' ? { search: `"${text.replaceAll('"', '""')}"` } : {}),
      ...(kind === 'scan' ? { search: text.toLowerCase() } : {}),
    },
  };
}

const teams = query<{ organization: string; user: string }, { teams: number }>((db, p) =>
  db
    .selectFrom('team_member as tm')
    .crossJoin('team as t')
    .whereRef('t.id', '=', 'tm.team')
    .select((eb) => eb.fn.countAll<number>().as('teams'))
    .where('tm.user', '=', p.user)
    .where('t.organization', '=', p.organization),
);
export const countTeams = async (db: Db, organization: string, user: string) =>
  (await teams.first(db, { organization, user }))!.teams;

const granted = query<{ organization: string; users: string }, { user: string; count: number }>((db, p) => ({
  compile: () =>
    sql<{ user: string; count: number }>`with recursive
      guest(user) as (select value from json_each(${p.users})),
      held(user, id) as (
        select g.user, g.collection from content_grant g join guest using (user)
          where g.organization = ${p.organization} and g.collection is not null and g.level is not null
        union select h.user, c.id from held h join collection c on c.parent = h.id),
      seen(user, id) as (
        select h.user, s.id from held h join space s on s.parent = h.id
          where s.organization = ${p.organization} and s.deleted_at is null
        union select g.user, s.id from content_grant g join guest using (user) join space s on s.id = g.space
          where g.organization = ${p.organization} and g.level is not null
            and s.organization = ${p.organization} and s.deleted_at is null)
      select user, count(*) as count from seen group by user`.compile(db),
}));

/** How many spaces each of these guests sees through grants; none of those who see none. */
export async function countGrantedSpaces(db: Db, organization: string, users: string[]): Promise<Map<string, number>> {
  const rows = await granted.all(db, { organization, users: JSON.stringify(users) });
  return new Map(rows.map(({ user, count }) => [user, count]));
}

export async function countAdmins(db: Db, organization: string): Promise<number> {
  const rows = await counted.all(db, { organization });
  return rows.find((row) => row.role === 'admin')?.members ?? 0;
}

export async function changeMember(
  db: Db,
  organization: string,
  user: string,
  change: { role?: RoleName | null; sso?: number; last_seen_at?: string },
) {
  if (Object.keys(change).length === 0) return;
  await db
    .updateTable('member')
    .set(change)
    .where('organization', '=', organization)
    .where('user', '=', user)
    .execute();
}

/** Takes somebody out, with team memberships and grants. */
export async function removeMember(db: Db, organization: string, user: string) {
  await db
    .deleteFrom('team_member')
    .where('user', '=', user)
    .where('team', 'in', (eb) => eb.selectFrom('team').select('id').where('organization', '=', organization))
    .execute();
  await db.deleteFrom('content_grant').where('organization', '=', organization).where('user', '=', user).execute();
  await db.deleteFrom('member').where('organization', '=', organization).where('user', '=', user).execute();
}

const addressed = query<{ organization: string; email: string }, { user: string }>((db, p) =>
  db
    .selectFrom('user as u')
    .innerJoin('member as m', 'm.user', 'u.id')
    .select('m.user')
    .where(sql`lower(u.email)`, '=', sql`lower(${p.email})`)
    .where('m.organization', '=', p.organization),
);
/** The member with this user id or, ignoring case, this e-mail address. */
export async function findMemberNamed(db: Db, organization: string, idOrEmail: string): Promise<string | undefined> {
  const found = idOrEmail.includes('@')
    ? await addressed.first(db, { organization, email: idOrEmail })
    : await findMember(db, organization, idOrEmail);
  return found?.user;
}
