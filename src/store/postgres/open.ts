import pg from 'pg';
import { withoutPassword } from '../../shared/database-address.ts';
import { connectFailure, forDriver } from './connect-failure.ts';
import { migrate, versionOf } from './migrate.ts';
import { PostgresStore } from './postgres-store.ts';

/** Of this process. A request that finds none free waits for one. */
const maxConnections = 10;

/** Opens a database of PostgreSQL, and makes or migrates its tables. @throws UnusableDatabase */
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

/** Whether a database has tables of docsctl. Nothing is made or changed. @throws UnusableDatabase */
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

/** @throws UnusableDatabase for an address that cannot be right */
function poolOf(address: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: forDriver(address),
    pipeline: true,
    max: maxConnections,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    // For a write, this is also how long it waits for others.
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'docsctl',
  });
  // A connection that nobody uses was ended; the next one that is needed is made anew.
  pool.on('error', () => {});
  // One that is in use says so to those who use it; without a listener the process would end.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
