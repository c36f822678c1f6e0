import { exit } from '../../cli/program/exit-status.ts';
import { CommandError } from '../../cli/program/failure.ts';
import { isPostgres } from '../../shared/database-address.ts';
import { hasData } from '../../store/has-data.ts';
import type { Store } from '../../store/store.ts';

/** @throws CommandError (status 6) where the database has data that the demo would mix with */
export async function assertEmpty(store: Store, flag: string): Promise<void> {
  if (!(await store.read(hasData))) return;
  throw new CommandError(`${store.name} has data already, so it is not filled with the demo.`, {
    exitCode: exit.refused,
    hint: `Use another file with --db, or leave out ${flag}.`,
  });
}

/** The same for a database that may not exist. Nothing is made. */
export async function assertEmptyDatabase(database: string, flag: string): Promise<void> {
  if (!(await exists(database))) return;
  const { openStore } = await import('../../store/open-store.ts');
  const store = await openStore(database);
  await assertEmpty(store, flag).finally(() => store.close());
}

async function exists(database: string): Promise<boolean> {
  if (isPostgres(database)) return (await import('../../store/postgres/open.ts')).hasTables(database);
  const { statSync } = process.getBuiltinModule('node:fs');
  return (statSync(database, { throwIfNoEntry: false })?.size ?? 0) > 0;
}
