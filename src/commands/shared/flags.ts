import { conditions } from '../../change-requests/condition-names.ts';
import type { Flag } from '../../cli/command/command.ts';

export const noCi = {
  flags: '--no-ci',
  description: 'write no annotations, summary or outputs in CI',
} as const satisfies Flag;

export const requireFlag = {
  flags: '--require <condition>',
  description: 'merge only if this check passes, else exit with status 9 (repeatable or comma-separated)',
  choices: conditions,
  repeatable: true,
} as const satisfies Flag;

export const allSpaces = {
  flags: '--all-spaces',
  description: 'list those of all spaces of the organization, with the space of each',
} as const satisfies Flag;

export const openOnly = {
  flags: '--open',
  description: 'same as --status open',
  with: (option) => option.conflicts('status'),
} as const satisfies Flag;

/** The query of a list with `--open`. */
export const onlyOpen = ({ flags }: { flags: { open?: boolean | undefined } }) =>
  flags.open ? { status: 'open' as const } : {};

export const olderThan = {
  flags: '--older-than <age>',
  description: 'only those whose last change (of comments: their posting) is at least so long ago: 30d, 12h, 2w',
} as const satisfies Flag;
