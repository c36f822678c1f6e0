import { isPostgres } from '../shared/database-address.ts';
import { openFileStore } from './sqlite/file-store.ts';
import type { Store } from './store.ts';

/**
 * Opens a database, creates it if there is none, and migrates an older one.
 *
 * @param address path of a file, `:memory:`, or an address that begins with `postgres://`
 * @throws UnusableFile for a file that is not a docsctl database; the file is not changed
 * @throws UnusableDatabase for a PostgreSQL database that cannot be used
 */
export async function openStore(address: string): Promise<Store> {
  if (!isPostgres(address)) return openFileStore(address);
  const { openPostgresStore } = await import('./postgres/open.ts');
  return openPostgresStore(address);
}
