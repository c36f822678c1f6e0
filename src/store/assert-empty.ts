import { isPostgres } from '../shared/database-address.ts';
import { EngineError } from '../shared/engine-error.ts';
import { hasData } from './has-data.ts';
import type { Store } from './store.ts';

/** @throws EngineError if the database has data that the demo would mix with */
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
