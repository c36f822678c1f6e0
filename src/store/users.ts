import { sql } from 'kysely';
import { findUser, insertUser, listUsers } from './lookups.ts';
import { query } from './query.ts';
import { asciiLowerCase } from './sql.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

const sharedOrganization = query<{ a: string; b: string }, { organization: string }>((db, p) =>
  db
    .selectFrom('member as x')
    .innerJoin('member as y', 'y.organization', 'x.organization')
    .select('x.organization')
    .where('x.user', '=', p.a)
    .where('y.user', '=', p.b)
    .limit(1),
);
export const sharesOrganization = async (db: Db, a: string, b: string) =>
  (await sharedOrganization.first(db, { a, b })) !== undefined;

const byEmail = query<{ email: string }, Row<'user'>>((db, p) =>
  db
    .selectFrom('user')
    .selectAll()
    .where(sql`lower(email)`, '=', p.email),
);
export const findUserByEmail = (db: Db, email: string) => byEmail.first(db, { email: asciiLowerCase(email) });

/** The user with this id or, ignoring case, this email address. */
export const findUserNamed = (db: Db, idOrEmail: string) =>
  idOrEmail.includes('@') ? findUserByEmail(db, idOrEmail) : findUser(db, idOrEmail);

/** Users by ID, for objects that embed them. */
export const usersById = async (db: Db, ids: Iterable<string>): Promise<Map<string, Row<'user'>>> =>
  new Map((await listUsers(db, ids)).map((row) => [row.id, row]));

/** Creates a user for an email address. */
export const createUser = (db: Db, { email, now }: { email: string; now: string }): Promise<Row<'user'>> =>
  insertUser(db, { display_name: email.slice(0, email.lastIndexOf('@')), email, created_at: now });
