import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { defaultDatabase } from '../../cli/settings/paths.ts';
import { embeddedFile } from '../../cli/settings/database-folder.ts';
import { databaseBehind } from '../shared/local-profile.ts';
import { hasPassword, isOtherAddress, isPostgres } from '../../shared/database-address.ts';
import { openStore } from '../../store/open-store.ts';
import type { Store } from '../../store/store.ts';

type DatabaseInvocation = Invocation<Invocation['args'], { db?: string | undefined }>;

/** @throws UsageError if a PostgreSQL address on the command line contains a password */
export function refusePassword(flag: string, database: string): void {
  if (!isPostgres(database.trim()) || !hasPassword(database.trim())) return;
  throw new UsageError(
    `${flag} must not contain a password: other users of this machine can read command lines.`,
    'Leave it out, and set PGPASSWORD or add a line to ~/.pgpass. Or set DOCSCTL_SERVE_DB to the whole address.',
  );
}

/** @throws UsageError for the address of another kind of database, without repeating it, because it may contain a password */
export function assertKnown(flag: string, database: string): void {
  if (!isOtherAddress(database)) return;
  throw new UsageError(
    `${flag} is neither a file nor an address that starts with postgres://.`,
    'Pass the path of a file, or a PostgreSQL address: postgres://ROLE@HOST/DATABASE.',
  );
}

/**
 * The database of --db or else DOCSCTL_SERVE_DB: the path of a file, or a PostgreSQL address.
 *
 * @throws UsageError if --db contains a password
 */
export function namedDatabase({ flags, session: { env } }: DatabaseInvocation): string | undefined {
  const { db } = flags;
  if (db !== undefined) refusePassword('--db', db);
  const named = db?.trim() ?? (env.DOCSCTL_SERVE_DB?.trim() || undefined);
  if (named !== undefined) assertKnown(db === undefined ? 'DOCSCTL_SERVE_DB' : '--db', named);
  return named === undefined || isPostgres(named) ? named : resolve(named);
}

/** The database of --db, DOCSCTL_SERVE_DB, the current address or else the default. @throws UsageError if it does not exist */
export function databaseOf(invocation: DatabaseInvocation): string {
  const named = namedDatabase(invocation);
  const { config, env, globals } = invocation.session;
  const address = globals.url ?? env.DOCSCTL_URL;
  const profile = config.profiles[globals.profile ?? config.current ?? ''];
  const fromAddress = address === undefined ? profile && databaseBehind(profile) : embeddedFile(address, env);
  const database = named ?? fromAddress ?? defaultDatabase();
  if (isPostgres(database)) return database;
  const file = resolve(database);
  if (existsSync(file)) return file;
  throw new UsageError(`There is no database ${file}.`, 'Name it with --db, or create one with "docsctl init".');
}

/** Opens the database, and closes it after `work`. @throws UsageError if it does not exist */
export async function withStore<T>(invocation: DatabaseInvocation, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(databaseOf(invocation));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
