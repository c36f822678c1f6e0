import type { Db } from '../../store/store.ts';

const keyOf = (name: string) => `${name}-secret`;

/** A secret of this instance, or undefined while nobody asked for it. */
export async function findSecret(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('setting').select('value').where('key', '=', keyOf(name)).executeTakeFirst();
  return row?.value;
}

/** The same, made when it is first asked for: only in a write. */
export async function secretOf(db: Db, name: string): Promise<string> {
  const known = await findSecret(db, name);
  if (known !== undefined) return known;
  const value = process.getBuiltinModule('node:crypto').randomBytes(32).toString('base64url');
  await db
    .insertInto('setting')
    .values({ key: keyOf(name), value })
    .execute();
  return value;
}
