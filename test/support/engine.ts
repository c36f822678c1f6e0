import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { newId } from '../../src/store/ids.ts';
import { sqlOf } from '../../src/store/migrations/dialects.ts';
import { migrations } from '../../src/store/migrations/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Connection } from '../../src/store/sqlite/connection.ts';
import { FileStore } from '../../src/store/sqlite/file-store.ts';
import type { Store } from '../../src/store/store.ts';

/** Address of a database of a PostgreSQL, in which tests make databases of their own; without it they run on SQLite. */
const cluster = process.env.DOCSCTL_TEST_POSTGRES;

export const onPostgres = cluster !== undefined;

/** The connection of a store in a file, for tests of what SQLite does. */
export function connectionOf(store: Store): Connection {
  if (!(store instanceof FileStore)) throw new Error('This test is about SQLite.');
  return store.connection;
}

export interface TestDatabase {
  address: string;
  drop(): Promise<void>;
}

/** The address of a new database on the engine under test. `isEmpty`: without tables. `drop` deletes it. */
export async function newDatabase({ isEmpty = false } = {}): Promise<TestDatabase> {
  if (cluster === undefined) return { address: ':memory:', drop: async () => {} };
  const name = `test_${newId().toLowerCase()}`;
  const template = isEmpty ? 'template1' : await (templates ??= makeTemplate(cluster));
  await run(cluster, `create database ${name} template ${template}`);
  return { address: addressOf(cluster, name), drop: () => drop(cluster, name) };
}

let templates: Promise<string> | undefined;

/** A database with all tables: to copy it takes a tenth of the time. Of all workers, the first one makes it. */
async function makeTemplate(address: string): Promise<string> {
  const text = migrations.map((migration) => sqlOf(migration, 'postgres')).join();
  const name = `template_${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
  const client = new pg.Client(address);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(20260301)');
    const { rows } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rows.length > 0) return name;
    await client.query(`create database ${name}_new`);
    await (await openStore(addressOf(address, `${name}_new`))).close();
    await client.query(`alter database ${name}_new rename to ${name}`);
    return name;
  } finally {
    await client.end();
  }
}

function addressOf(address: string, database: string): string {
  const url = new URL(address);
  url.pathname = database;
  return url.href;
}

/** The last connections may be about to end. */
async function drop(address: string, name: string): Promise<void> {
  for (let attempt = 1; attempt < 50; attempt += 1) {
    try {
      return await run(address, `drop database ${name}`);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes('being accessed')) throw error;
      await delay(20);
    }
  }
  await run(address, `drop database ${name} with (force)`);
}

async function run(address: string, statement: string): Promise<void> {
  const client = new pg.Client(address);
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
