import { type Expression, sql } from 'kysely';
import { query } from './query.ts';
import { rowsById } from './rows.ts';
import type { Db } from './store.ts';
import type { Row, Tables } from './tables.ts';

/** The row of `table` with this id (or other key) under its parent, or undefined. */
export function lookup<T extends keyof Tables & string>(
  table: T,
  parent: keyof Tables[T] & string,
  key: (keyof Tables[T] & string) | 'id' = 'id',
): (db: Db, parentId: string, id: string | number) => Promise<Row<T> | undefined> {
  // As SQL: Kysely cannot infer the columns of a table that is a parameter.
  const row = query<{ parent: string; id: string | number }, Row<T>>(
    (_, p) =>
      sql<
        Row<T>
      >`select * from ${sql.table(table)} where ${sql.ref(parent)} = ${p.parent} and ${sql.ref(key)} = ${p.id}`,
  );
  return (db, parentId, id) => row.first(db, { parent: parentId, id });
}

/** An organization with the membership of one user, if there is one. */
export type OrganizationRow = Row<'organization'> & {
  caller_user: string | null;
  caller_role: Row<'member'>['role'];
  caller_disabled: number | null;
};

const organizationFor = (db: Db, user: Expression<string>) =>
  db
    .selectFrom('organization as o')
    .leftJoin('member as m', (join) => join.onRef('m.organization', '=', 'o.id').on('m.user', '=', user))
    .selectAll('o')
    .select(['m.user as caller_user', 'm.role as caller_role', 'm.disabled as caller_disabled']);

const organization = query<{ id: string; user: string }, OrganizationRow>((db, p) =>
  organizationFor(db, p.user).where('o.id', '=', p.id),
);

const organizationOf = query<{ space: string; user: string }, OrganizationRow>((db, p) =>
  organizationFor(db, p.user).where('o.id', '=', (eb) =>
    eb.selectFrom('space').select('organization').where('id', '=', p.space),
  ),
);

/** An organization with the membership of `user`. */
export const findOrganization = (db: Db, id: string, user: string) => organization.first(db, { id, user });

/** The organization of a space, which is not asked for first. */
export const findOrganizationOf = (db: Db, space: string, user: string) => organizationOf.first(db, { space, user });

export const findSpace = rowsById('space').find;
export const findCollection = rowsById('collection').find;
export const { find: findUser, list: listUsers, insert: insertUser } = rowsById('user');

/** A membership with its person, and the number of teams. */
export type MemberRow = Row<'member'> & {
  display_name: string;
  email: string;
  photo_url: string | null;
  teams: number;
};

// A cross join keeps the order of the tables: it starts from the few teams of one person, not from the many of an organization.
export const teamCount =
  sql<number>`(select count(*) from team_member tm cross join team t where t.id = tm.team and tm.user = m.user and t.organization = m.organization)`.as(
    'teams',
  );

const member = query<{ organization: string; user: string }, MemberRow>((db, p) =>
  db
    .selectFrom('member as m')
    .innerJoin('user as u', 'u.id', 'm.user')
    .selectAll('m')
    .select(['u.display_name', 'u.email', 'u.photo_url', teamCount])
    .where('m.organization', '=', p.organization)
    .where('m.user', '=', p.user),
);

export const findMember = (db: Db, organizationId: string, user: string) =>
  member.first(db, { organization: organizationId, user });

const caller = query<{ hash: string; now: string }, Row<'user'>>((db, p) =>
  db
    .selectFrom('token as t')
    .innerJoin('user as u', 'u.id', 't.user')
    .selectAll('u')
    .where('t.hash', '=', p.hash)
    .where('t.revoked_at', 'is', null)
    .where((eb) => eb.or([eb('t.expires_at', 'is', null), eb('t.expires_at', '>', p.now)])),
);

/** The owner of a token, by its SHA-256; undefined when the token is unknown, revoked or expired. */
export const findCaller = (db: Db, hash: string, now: string) => caller.first(db, { hash, now });
