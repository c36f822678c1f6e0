import { query } from './query.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

type SessionRow = Row<'session'>;

const insert = query<SessionRow>((db, p) =>
  db.insertInto('session').values({
    hash: p.hash,
    kind: p.kind,
    user: p.user,
    token: p.token,
    expires_at: p.expires_at,
  }),
);

export const insertSession = (db: Db, row: SessionRow) => insert.run(db, row);

/** Ends with its token. */
const find = query<{ hash: string; kind: SessionRow['kind']; now: string }, SessionRow>((db, p) =>
  db
    .selectFrom('session as s')
    .leftJoin('token as t', 't.id', 's.token')
    .selectAll('s')
    .where('s.hash', '=', p.hash)
    .where('s.kind', '=', p.kind)
    .where('s.expires_at', '>', p.now)
    .where('t.revoked_at', 'is', null)
    .where((eb) => eb.or([eb('t.expires_at', 'is', null), eb('t.expires_at', '>', p.now)])),
);

/** A session or link that is still valid, and whose token is. */
export const findSession = (db: Db, hash: string, kind: SessionRow['kind'], now: string) =>
  find.first(db, { hash, kind, now });

const remove = query<{ hash: string }>((db, p) => db.deleteFrom('session').where('hash', '=', p.hash));

/** @returns whether it was there: of two that end it at the same time, one gets true */
export const deleteSession = async (db: Db, hash: string): Promise<boolean> => (await remove.run(db, { hash })) > 0;

const removeExpired = query<{ now: string }>((db, p) => db.deleteFrom('session').where('expires_at', '<=', p.now));

export const deleteExpiredSessions = (db: Db, now: string) => removeExpired.run(db, { now });

const token = query<{ hash: string; now: string }, { id: string; user: string }>((db, p) =>
  db
    .selectFrom('token')
    .select(['id', 'user'])
    .where('hash', '=', p.hash)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', p.now)])),
);

/** A valid token, by its SHA-256. */
export const findToken = (db: Db, hash: string, now: string) => token.first(db, { hash, now });
