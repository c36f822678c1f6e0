import { openFileStore } from './sqlite/file-store.ts';
import type { Store } from './store.ts';

/**
 * Opens a database, creates it where there is none, and migrates an older one.
 *
 * @param address path of a file, or `:memory:`
 * @throws UnusableFile for a file that is not a database of docsctl; it is not changed
 */
export async function openStore(address: string): Promise<Store> {
  return openFileStore(address);
}
