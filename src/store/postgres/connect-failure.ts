import { existsSync } from 'node:fs';
import { isValidAddress, withoutPassword } from '../../shared/database-address.ts';
import { codeOf, messageOf } from '../../shared/error-text.ts';
import { unavailability } from '../failures.ts';
import { UnusableDatabase } from './unusable.ts';

/** The status of commands that cannot reach a service. */
const unreachableStatus = 7;

const wrongLogin = new Set(['28P01', '28000']);
const untrusted = /^(?:DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|ERR_TLS_)/;

/** What is wrong with an address, or with what answers there, and what to do; other errors as they are. */
export function connectFailure(error: unknown, address: string): unknown {
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
 * The address as the driver has to get it: it takes every mode of TLS for `verify-full` unless it is asked to do as other
 * clients of PostgreSQL, and reads only some of their variables.
 *
 * @throws UnusableDatabase for modes that there are not, or that cannot do what they say
 */
export function forDriver(address: string): string {
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
