import type { Pool, PoolClient } from 'pg';
import { codeOf, messageOf } from '../../shared/error-text.ts';
import { sqlOf } from '../migrations/dialects.ts';
import { migrations } from '../migrations/index.ts';
import { UnusableDatabase } from './unusable.ts';

/** "docs" in ASCII, as in the header of a file: the lock of those who migrate. */
const migrationLock = 0x646f6373;

/** Runs all missing migrations. @returns whether the database has no organization yet @throws UnusableDatabase */
export async function migrate(pool: Pool): Promise<boolean> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    if ((await versionOf(client)) !== migrations.length) await runMigrations(client);
    const { rows } = await client.query(`select 1 from setting where key = 'administrator'`);
    return rows.length === 0;
  } catch (error) {
    failure = error instanceof Error ? error : new Error(messageOf(error));
    throw error;
  } finally {
    client.release(failure);
  }
}

/** All in one transaction. Of several processes, one does it and the others wait. */
async function runMigrations(client: PoolClient): Promise<void> {
  await client.query('begin isolation level read committed');
  try {
    // A large database takes its time.
    await client.query('set local statement_timeout = 0');
    await client.query('select pg_advisory_xact_lock($1)', [migrationLock]);
    const version = await versionOf(client);
    if (version > migrations.length) throw tooNew(version);
    if (version === 0) await createVersion(client);
    for (const migration of migrations.slice(version)) await client.query(sqlOf(migration, 'postgres'));
    await client.query('update docsctl_schema set version = $1', [migrations.length]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw unusable(error);
  }
}

/** How many migrations were run; 0 for a database that is not one of docsctl yet. */
export async function versionOf(client: Pick<PoolClient, 'query'>): Promise<number> {
  // Not by a function that looks a name up: it may remember that there was no such table.
  const { rows: tables } = await client.query(
    `select 1 from pg_class where relname = 'docsctl_schema' and relnamespace = current_schema()::regnamespace`,
  );
  if (tables.length === 0) return 0;
  const { rows } = await client.query('select version from docsctl_schema');
  return Number(rows[0]?.version ?? 0);
}

/** @throws UnusableDatabase for a database of another program */
async function createVersion(client: PoolClient): Promise<void> {
  const { rows } = await client.query(
    `select tablename from pg_tables where schemaname = current_schema() and tablename in ('setting', 'organization', 'space')`,
  );
  if (rows.length > 0) {
    throw new UnusableDatabase(
      'This database has tables of another program.',
      'Name an empty database, or one that docsctl made.',
    );
  }
  await client.query('create table docsctl_schema (version integer not null)');
  await client.query('insert into docsctl_schema (version) values (0)');
}

const tooNew = (version: number) =>
  new UnusableDatabase(
    `The database was written by a newer docsctl: it has schema ${version}, this one knows up to ${migrations.length}.`,
    'Update docsctl, or name another database with --db.',
  );

function unusable(error: unknown): unknown {
  const message = messageOf(error);
  if (message.includes('pg_trgm') || message.includes('gin_trgm_ops')) {
    return new UnusableDatabase(
      `The extension pg_trgm cannot be used in this database: ${message}.`,
      'Install the contrib package of PostgreSQL on its machine, then run "create extension pg_trgm" in this database as a role that may.',
    );
  }
  if (codeOf(error) === '42501') {
    return new UnusableDatabase(
      `The role has not the rights to make the tables: ${message}.`,
      'Make it the owner of the database, or grant it "create" on the schema.',
    );
  }
  return error;
}
