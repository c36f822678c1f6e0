import { sql } from 'kysely';
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

const organization = query<{ id: string; user: string }, OrganizationRow>((db, p) =>
  db
    .selectFrom('organization as o')
    .leftJoin('member as m', (join) => join.onRef('m.organization', '=', 'o.id').on('m.user', '=', p.user))
    .selectAll('o')
    .select(['m.user as caller_user', 'm.role as caller_role', 'm.disabled as caller_disabled'])
    .where('o.id', '=', p.id),
);

/** An organization with the membership of `user`. */
export const findOrganization = (db: Db, id: string, user: string) => organization.first(db, { id, user });

export const findSpace = rowsById('space').find;
export const findCollection = rowsById('collection').find;
export const { find: findUser, list: listUsers, insert: insertUser } = rowsById('user');

const member = query<{ organization: string; user: string }, Row<'member'> & Person>((db, p) =>
  db
    .selectFrom('member as m')
    .innerJoin('user as u', 'u.id', 'm.user')
    .selectAll('m')
    .select(['u.display_name', 'u.email', 'u.photo_url'])
    .where('m.organization', '=', p.organization)
    .where('m.user', '=', p.user),
);

export interface Person {
  display_name: string;
  email: string;
  photo_url: string | null;
}

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
