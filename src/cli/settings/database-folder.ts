import { existsSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { shellCommand } from '../../shared/shell-quote.ts';
import { CommandError, UsageError } from '../program/failure.ts';
import { isOtherAddress, isPostgres, withoutPassword } from '../../shared/database-address.ts';
import { dataDir, defaultDatabase } from './paths.ts';

/**
 * A new database is created only in an existing folder: otherwise, a misspelled path would create folders with an empty instance
 * in them. The data folder is created if it is missing.
 *
 * @throws CommandError
 */
export function assertDatabaseFolder(file: string, env?: Record<string, string | undefined>): void {
  if (file === ':memory:') return;
  const folder = dirname(resolve(file));
  if (existsSync(folder) || isWithin(resolve(dataDir(env)), folder)) return;
  throw new CommandError(`There is no folder ${folder} for the database.`, {
    hint: `Check the path, or make the folder first: ${shellCommand(['mkdir', '-p', folder])}`,
  });
}

function isWithin(parent: string, folder: string): boolean {
  const way = relative(parent, folder);
  return way !== '..' && !way.startsWith('../') && !way.startsWith('..\\') && !isAbsolute(way);
}

/** @throws UsageError for a database that needs a service */
export function assertFile(database: string): void {
  if (isOtherAddress(database))
    throw new UsageError('An embedded instance has a file as its database, not an address.', 'Name a file.');
  if (!isPostgres(database)) return;
  const address = withoutPassword(database);
  throw new UsageError(
    `${address} is no file: only the service uses a database of PostgreSQL.`,
    `Run ${shellCommand(['docsctl', 'serve', '--db', address])}, and use commands with the address that it prints.`,
  );
}

/** The file of an `embedded:` address; undefined for any other address. @throws UsageError for a database that is no file */
export function embeddedFile(url: string, env?: Record<string, string | undefined>): string | undefined {
  if (!url.startsWith('embedded:')) return undefined;
  const file = url.slice('embedded:'.length) || defaultDatabase(env);
  assertFile(file);
  return file;
}
