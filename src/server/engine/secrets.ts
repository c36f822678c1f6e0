import type { Db } from '../../store/store.ts';

const keyOf = (name: string) => `${name}-secret`;

/** A secret of this instance; undefined if it was not created yet. */
export async function findSecret(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('setting').select('value').where('key', '=', keyOf(name)).executeTakeFirst();
  return row?.value;
}

/** A secret of this instance, created on first use. Call it in a write only. */
export async function secretOf(db: Db, name: string): Promise<string> {
  const existing = await findSecret(db, name);
  if (existing !== undefined) return existing;
  const value = process.getBuiltinModule('node:crypto').randomBytes(32).toString('base64url');
  await db
    .insertInto('setting')
    .values({ key: keyOf(name), value })
    .execute();
  return value;
}
