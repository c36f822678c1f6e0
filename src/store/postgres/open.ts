import pg from 'pg';
import { withoutPassword } from '../../shared/database-address.ts';
import { codeOf, messageOf } from '../../shared/error-text.ts';
import { migrate } from './migrate.ts';
import { PostgresStore } from './postgres-store.ts';
import { UnusableDatabase } from './unusable.ts';

/** Of this process. A request that finds none free waits for one. */
const maxConnections = 10;

/** Opens a database of PostgreSQL, and makes or migrates its tables. @throws UnusableDatabase */
export async function openPostgresStore(address: string): Promise<PostgresStore> {
  const name = withoutPassword(address);
  const pool = new pg.Pool({
    connectionString: asLibpqDoes(address),
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
  try {
    return new PostgresStore(pool, { name, fresh: await migrate(pool) });
  } catch (error) {
    await pool.end();
    throw error instanceof UnusableDatabase ? error : unusable(name, error);
  }
}

/** By itself the driver would take every `sslmode` but `disable` for `verify-full`. */
function asLibpqDoes(address: string): string {
  const hasMode = /[?&]sslmode=/.test(address) && !address.includes('uselibpqcompat=');
  return hasMode ? `${address}&uselibpqcompat=true` : address;
}

/** What to do, by the code of the error. */
const hints: [code: RegExp, hint: string][] = [
  [
    /^28/,
    'Check the user and the password: PGPASSWORD, a line of ~/.pgpass, or DOCSCTL_SERVE_DB with the whole address.',
  ],
  [/^3D000$/, 'Make the database first, for example with createdb, or name another one.'],
  [
    /^(?:ECONN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/,
    'Check the host and the port, and that PostgreSQL runs there and lets this machine connect.',
  ],
];

const otherHint = 'Check the address of the database, and the log of PostgreSQL.';

function unusable(name: string, error: unknown): UnusableDatabase {
  const hint = hints.find(([code]) => code.test(codeOf(error)))?.[1] ?? otherHint;
  return new UnusableDatabase(`The database ${name} cannot be used: ${messageOf(error)}.`, hint);
}
