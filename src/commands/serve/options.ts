import type { Flag } from '../../cli/command/command.ts';

export const defaultHost = '127.0.0.1';
export const defaultPort = '4000';
export const defaultLog = 'text';
export const defaultTokenLabel = 'docsctl serve token';

/** The flag of the commands that open the database of an instance. */
export const databaseFlag = {
  flags: '--db <database>',
  description:
    'database file, or postgres://... (default that of the current profile, else local.db in the data folder)',
} as const satisfies Flag;
