import type { Connection } from '../../src/store/sqlite/connection.ts';
import { FileStore } from '../../src/store/sqlite/file-store.ts';
import type { Store } from '../../src/store/store.ts';

/** The connection of a store in a file, for tests of what SQLite does. */
export function connectionOf(store: Store): Connection {
  if (!(store instanceof FileStore)) throw new Error('This test is about SQLite.');
  return store.connection;
}
