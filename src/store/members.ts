import { sql } from 'kysely';
import type { RoleName } from '../contract/access.ts';
import { findMember, type MemberRow, teamCount } from './lookups.ts';
import { type Marked, query, queryFor } from './query.ts';
import {
  asciiLowerCase,
  countRows,
  type Direction,
  jsonList,
  keyset,
  type PageKey,
  type PageParams,
  pageParams,
} from './sql.ts';
import type { Db } from './store.ts';

export interface MemberFilter {
  sort: 'joinedAt' | 'lastSeenAt';
  order: Direction;
  role?: RoleName | 'guest' | undefined;
  search?: string | undefined;
}

interface FilterVariant {
  sort: MemberFilter['sort'];
  role: 'any' | 'guest' | 'role';
  search: 'none' | 'index' | 'scan';
}

interface FilterParams {
  organization: string;
  role?: RoleName | undefined;
  search?: string | undefined;
}

const sortColumns = { joinedAt: 'm.joined_at', lastSeenAt: 'm.last_seen_at' } as const;

const members = (db: Db) => db.selectFrom('member as m').innerJoin('user as u', 'u.id', 'm.user');

// From the few matching users to their memberships. Without the cross join, SQLite would read all members.
const membersOfUsers = (db: Db): ReturnType<typeof members> =>
  db.selectFrom('user as u').crossJoin('member as m').whereRef('m.user', '=', 'u.id');

const matching = (variant: FilterVariant, db: Db, p: Marked<FilterParams>) =>
  (variant.search === 'index' ? membersOfUsers(db) : members(db))
    .where('m.organization', '=', p.organization)
    .$if(variant.sort === 'lastSeenAt', (q) => q.where('m.disabled', '=', 0).where('m.last_seen_at', 'is not', null))
    .$if(variant.role === 'guest', (q) => q.where('m.role', 'is', null))
    .$if(variant.role === 'role', (q) => q.where('m.role', '=', p.role))
    .$if(variant.search === 'index', (q) => q.where(db.dialect.matchesPerson(p.search)))
    .$if(variant.search === 'scan', (q) =>
      q.where((eb) =>
        eb.or([
          db.dialect.contains(sql`lower(u.display_name)`, p.search),
          db.dialect.contains(sql`lower(u.email)`, p.search),
        ]),
      ),
    );

type Members = ReturnType<typeof members>;
type ListVariant = FilterVariant & { order: Direction };

const list = queryFor<ListVariant, FilterParams & PageParams, MemberRow>((variant, db, p, has) => {
  const column = sortColumns[variant.sort];
  const sorted = (q: Members) => q.orderBy(column, variant.order).orderBy('m.user', variant.order);
  const selected = (q: Members) => q.selectAll('m').select(['u.display_name', 'u.email', 'u.photo_url', teamCount]);
  const page = sorted(matching(variant, db, p))
    .$if(has('afterId'), (q) => q.where(keyset([column, 'm.user'], variant.order, p)))
    .limit(p.limit);
  if (variant.search !== 'index') return selected(page);
  // Matching members are sorted before their other columns are read. Reading everything first would take three times as
  // long per page.
  const ofPage = db
    .selectFrom(page.select('m.user').as('page'))
    .crossJoin('member as m')
    .crossJoin('user as u')
    .where('m.organization', '=', p.organization)
    .whereRef('m.user', '=', 'page.user')
    .whereRef('u.id', '=', 'm.user');
  return selected(sorted(ofPage));
});

const count = queryFor<FilterVariant, FilterParams, { count: number }>((variant, db, p) =>
  matching(variant, db, p).select(countRows),
);

const counters = query<{ organization: string }, { role: string; members: number; active: number }>((db, p) =>
  db.selectFrom('member_count').select(['role', 'members', 'active']).where('organization', '=', p.organization),
);

/** Members after a key, in the filter's order. */
export function listMembers(
  db: Db,
  organization: string,
  filter: MemberFilter,
  after: PageKey | undefined,
  limit: number,
) {
  const { variant, params } = filterOf(db, filter);
  return list({ ...variant, order: filter.order }).all(db, {
    ...params,
    ...pageParams(after, limit),
    organization,
  });
}

/** The number of members that match the filter; without a search, it comes from counters. */
export async function countMembers(db: Db, organization: string, filter: MemberFilter): Promise<number> {
  if (filter.search === undefined || filter.search === '') {
    const rows = await counters.all(db, { organization });
    return rows
      .filter((row) => filter.role === undefined || row.role === filter.role)
      .reduce((sum, row) => sum + (filter.sort === 'lastSeenAt' ? row.active : row.members), 0);
  }
  const { variant, params } = filterOf(db, filter);
  return (await count(variant).one(db, { ...params, organization })).count;
}

function filterOf(db: Db, { sort, role, search: text = '' }: MemberFilter) {
  const { kind, search } = searchOf(db, text);
  const variant: FilterVariant = {
    sort,
    role: role === undefined ? 'any' : role === 'guest' ? 'guest' : 'role',
    search: kind,
  };
  return { variant, params: { role: role === 'guest' ? undefined : role, search } };
}

// The trigram index contains nothing shorter than three characters.
function searchOf(db: Db, text: string): { kind: FilterVariant['search']; search?: string } {
  if (text === '') return { kind: 'none' };
  if ([...text].length < 3) return { kind: 'scan', search: text.toLowerCase() };
  return { kind: 'index', search: db.dialect.peoplePattern(text) };
}

const grantedSpaces = query<{ organization: string; users: string }, { user: string; count: number }>(
  (db, p) =>
    sql<{ user: string; count: number }>`with recursive
      guest("user") as ${jsonList(db, p.users)},
      held("user", id) as (
        select g.user, g.collection from content_grant g join guest using ("user")
          where g.organization = ${p.organization} and g.collection is not null and g.level is not null
        union select h.user, c.id from held h join collection c on c.parent = h.id),
      seen("user", id) as (
        select h.user, s.id from held h join space s on s.parent = h.id
          where s.organization = ${p.organization} and s.deleted_at is null
        union select g.user, s.id from content_grant g join guest using ("user") join space s on s.id = g.space
          where g.organization = ${p.organization} and g.level is not null
            and s.organization = ${p.organization} and s.deleted_at is null)
      select "user", count(*) as count from seen group by "user"`,
);

/** The number of spaces that each of these guests can see through grants; guests without any are skipped. */
export async function countGrantedSpaces(db: Db, organization: string, users: string[]): Promise<Map<string, number>> {
  const rows = await grantedSpaces.all(db, { organization, users: JSON.stringify(users) });
  return new Map(rows.map(({ user, count }) => [user, count]));
}

export async function countAdmins(db: Db, organization: string): Promise<number> {
  const rows = await counters.all(db, { organization });
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

/** Removes a member, with team memberships and grants. */
export async function removeMember(db: Db, organization: string, user: string) {
  await db
    .deleteFrom('team_member')
    .where('user', '=', user)
    .where('team', 'in', (eb) => eb.selectFrom('team').select('id').where('organization', '=', organization))
    .execute();
  await db.deleteFrom('content_grant').where('organization', '=', organization).where('user', '=', user).execute();
  await db.deleteFrom('member').where('organization', '=', organization).where('user', '=', user).execute();
}

const byEmail = query<{ organization: string; email: string }, { user: string }>((db, p) =>
  db
    .selectFrom('user as u')
    .innerJoin('member as m', 'm.user', 'u.id')
    .select('m.user')
    .where(sql`lower(u.email)`, '=', p.email)
    .where('m.organization', '=', p.organization),
);
/** The member with this user id or, ignoring case, this email address. */
export async function findMemberNamed(db: Db, organization: string, idOrEmail: string): Promise<string | undefined> {
  const member = idOrEmail.includes('@')
    ? await byEmail.first(db, { organization, email: asciiLowerCase(idOrEmail) })
    : await findMember(db, organization, idOrEmail);
  return member?.user;
}
