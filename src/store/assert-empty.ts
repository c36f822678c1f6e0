import { isPostgres } from '../shared/database-address.ts';
import { EngineError } from '../shared/engine-error.ts';
import type { Db, Store } from './store.ts';
import type { Tables } from './tables.ts';

/** @throws EngineError if the database has data, which the demo would mix with */
export async function assertEmpty(store: Store, flag: string): Promise<void> {
  if (!(await store.read(hasData))) return;
  throw new EngineError('refused', `${store.name} already contains data, so the demo was not added.`, {
    hint: `Use another database with --db, or omit ${flag}.`,
  });
}

/** The same for a database that may not exist. It is not created. */
export async function assertEmptyDatabase(database: string, flag: string): Promise<void> {
  if (!(await exists(database))) return;
  const { openStore } = await import('./open-store.ts');
  const store = await openStore(database);
  await assertEmpty(store, flag).finally(() => store.close());
}

async function exists(database: string): Promise<boolean> {
  if (isPostgres(database)) return (await import('./postgres/open.ts')).hasTables(database);
  const { statSync } = process.getBuiltinModule('node:fs');
  return (statSync(database, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Everything in an organization starts in one of these. */
const tables = [
  'collection',
  'space',
  'site',
  'team',
  'invite',
  'saml_provider',
  'custom_field',
  'openapi_spec',
  'translation',
] as const satisfies (keyof Tables)[];

/** Whether anything was added to a database after its first organization and administrator. */
async function hasData(db: Db): Promise<boolean> {
  const filled = tables.map((table) => `exists(select 1 from "${table}")`).join(' or ');
  const row = await db.get<{ filled: number }>(`select (${filled} or (select count(*) from "user") > 1) as filled`);
  return row?.filled === 1;
}
