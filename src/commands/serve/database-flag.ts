import type { Flag } from '../../cli/command/command.ts';

/** The flag of all commands that open the database of an instance. */
export const databaseFlag = {
  flags: '--db <database>',
  description:
    'database file, or postgres://... (default that of the current profile, else local.db in the data folder)',
} as const satisfies Flag;
