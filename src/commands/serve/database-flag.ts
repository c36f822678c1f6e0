import type { Flag } from '../../cli/command/command.ts';

/** The flag of all commands that open the database of an instance. */
export const databaseFlag = {
  flags: '--db <file>',
  description: 'file of the database (default that of the profile in use, else local.db in the data folder)',
} as const satisfies Flag;
