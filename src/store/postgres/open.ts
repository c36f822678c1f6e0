import pg from 'pg';
import { existsSync } from 'node:fs';
import type { Pool, PoolClient } from 'pg';
import { isValidAddress, withoutPassword } from '../../shared/database-address.ts';
import { codeOf, messageOf } from '../../shared/error-text.ts';
import { unavailability } from '../failures.ts';
import { sqlOf } from '../migrations/dialects.ts';
import { migrations } from '../migrations/index.ts';
import { PostgresStore } from './postgres-store.ts';

/** The limit for this process. If none is free, requests wait. */
const maxConnections = 10;

/** Opens a PostgreSQL database, and creates or migrates its tables. @throws UnusableDatabase */
export async function openPostgresStore(address: string): Promise<PostgresStore> {
  const pool = poolOf(address);
  try {
    const fresh = await migrate(pool);
    return new PostgresStore(pool, { name: withoutPassword(address), fresh });
  } catch (error) {
    await pool.end();
    throw connectFailure(error, address);
  }
}

/** Whether a database has docsctl's tables. Changes nothing. @throws UnusableDatabase */
export async function hasTables(address: string): Promise<boolean> {
  const pool = poolOf(address);
  try {
    return (await versionOf(pool)) > 0;
  } catch (error) {
    throw connectFailure(error, address);
  } finally {
    await pool.end();
  }
}

/** @throws UnusableDatabase for an invalid address */
function poolOf(address: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: forDriver(address),
    pipeline: true,
    max: maxConnections,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    // This also limits how long a write waits for others.
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'docsctl',
  });
  // An idle connection ended; the next request opens a new one.
  pool.on('error', () => {});
  // The users of a connection get its errors. Without a listener, the process would end.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** The exit status of commands that cannot reach a service. */
const unreachableStatus = 7;

const wrongLogin = new Set(['28P01', '28000']);
const untrusted = /^(?:DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|ERR_TLS_)/;

/** Explains what is wrong with an address or the server there, and what to do. Returns other errors unchanged. */
function connectFailure(error: unknown, address: string): unknown {
  if (error instanceof UnusableDatabase) return error;
  const name = withoutPassword(address);
  const code = codeOf(error);
  const reason = messageOf(error);
  if (wrongLogin.has(code) || reason.startsWith('SASL')) {
    return new UnusableDatabase(
      `${name}: PostgreSQL refused the login: ${reason}.`,
      'Check the role in the address. A password comes from PGPASSWORD, ~/.pgpass or DOCSCTL_SERVE_DB.',
    );
  }
  if (code === '3D000') {
    return new UnusableDatabase(`${name}: ${reason}.`, 'Create it with "createdb", or name another one.');
  }
  if (untrusted.test(code) || reason.includes('does not support SSL')) {
    return new UnusableDatabase(
      `${name}: no trusted connection: ${reason}.`,
      'Name the certificate of who issued that of the server with sslrootcert=FILE, and the host as the certificate does; sslmode=require does not check it.',
    );
  }
  if (reason.includes('unsupported startup parameter')) {
    return new UnusableDatabase(
      `${name}: the pooler in between refuses the connection: ${reason}.`,
      'Set "pool_mode = session" and "ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout" in PgBouncer.',
    );
  }
  if (!unavailability(error)) return error;
  return new UnusableDatabase(
    `${name} cannot be reached: ${reason}.`,
    'Check the host and the port, and that PostgreSQL runs there and takes connections.',
    unreachableStatus,
  );
}

const modes = new Set(['disable', 'prefer', 'require', 'verify-ca', 'verify-full']);

/**
 * The address in the form that the driver needs. By default, it treats every TLS mode as `verify-full`, unlike other
 * PostgreSQL clients, and reads only some of their variables.
 *
 * @throws UnusableDatabase for modes that do not exist or cannot do what they promise
 */
function forDriver(address: string): string {
  if (!isValidAddress(address))
    throw new UnusableDatabase(
      `${withoutPassword(address)} is not an address of PostgreSQL.`,
      'Write postgres://ROLE@HOST/DATABASE. In a password, write / as %2F, ? as %3F, # as %23, @ as %40 and % as %25.',
    );
  const [place = '', ...query] = address.split('?');
  const settings = new URLSearchParams(query.join('?'));
  const { PGSSLMODE: usualMode, PGSSLROOTCERT: usualRoot } = process.env;
  if (usualMode && !settings.has('sslmode')) settings.set('sslmode', usualMode);
  if (usualRoot && !settings.has('sslrootcert')) settings.set('sslrootcert', usualRoot);
  const mode = settings.get('sslmode');
  if (mode === null) return address;
  if (!modes.has(mode)) {
    throw new UnusableDatabase(
      `${withoutPassword(address)}: there is no sslmode "${mode}".`,
      `It is one of ${[...modes].join(', ')}.`,
    );
  }
  if (mode === 'verify-ca' && !settings.get('sslrootcert')) {
    throw new UnusableDatabase(
      `${withoutPassword(address)}: sslmode=verify-ca needs to know whom to trust.`,
      'Add sslrootcert=FILE, or use sslmode=verify-full.',
    );
  }
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const file = settings.get(name);
    if (!file || existsSync(file)) continue;
    throw new UnusableDatabase(`${withoutPassword(address)}: there is no file ${file}.`, `It is named by ${name}.`);
  }
  settings.set('uselibpqcompat', 'true');
  return `${place}?${settings.toString().replaceAll('+', '%20')}`;
}

/** "docs" in ASCII, as in the header of a database file: the key of the lock for migrations. */
const migrationLock = 0x646f6373;

/** Runs all missing migrations. @returns whether the database has no organization yet @throws UnusableDatabase */
async function migrate(pool: Pool): Promise<boolean> {
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

/** Runs in one transaction. If several processes start, one migrates and the others wait. */
async function runMigrations(client: PoolClient): Promise<void> {
  await client.query('begin isolation level read committed');
  try {
    // A large database takes long.
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

/** The number of migrations that were run; 0 if the database does not have docsctl's tables yet. */
async function versionOf(client: Pick<PoolClient, 'query'>): Promise<number> {
  // Without a function that looks up a name, because it may have cached that there is no such table.
  const { rows: tables } = await client.query(
    `select 1 from pg_class where relname = 'docsctl_schema' and relnamespace = current_schema()::regnamespace`,
  );
  if (tables.length === 0) return 0;
  const { rows } = await client.query('select version from docsctl_schema');
  return Number(rows[0]?.version ?? 0);
}

/** @throws UnusableDatabase for another program's database */
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

/** A database that cannot be used, with a hint about what to do. */
class UnusableDatabase extends Error {
  readonly hint: string;
  /** The exit status; by default, that of other failures. */
  readonly exitCode?: number;

  constructor(message: string, hint: string, exitCode?: number) {
    super(message);
    this.hint = hint;
    if (exitCode !== undefined) this.exitCode = exitCode;
  }
}
