import pg from 'pg';
import { withoutPassword } from '../../shared/database-address.ts';
import { migrate } from './migrate.ts';
import { PostgresStore } from './postgres-store.ts';

/** Opens a database of PostgreSQL, and makes or migrates its tables. @throws UnusableDatabase */
export async function openPostgresStore(address: string): Promise<PostgresStore> {
  const pool = new pg.Pool({ connectionString: address, max: 10, pipeline: true });
  // A connection that nobody uses was ended; the next one that is needed is made anew.
  pool.on('error', () => {});
  // One that is in use says so to those who use it; without a listener the process would end.
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    const fresh = await migrate(pool);
    return new PostgresStore(pool, { name: withoutPassword(address), fresh });
  } catch (error) {
    await pool.end();
    throw error;
  }
}
