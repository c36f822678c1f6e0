import type { Flag } from '../../cli/command/command.ts';

const conditions = ['no-open-comments', 'no-broken-links', 'no-conflicts', 'up-to-date'] as const;
/** What can be asked of a change request before it is merged. */
export type Condition = (typeof conditions)[number];

export const requireFlag = {
  flags: '--require <condition>',
  description: 'merge only if this check passes, else exit with status 9 (repeatable or comma-separated)',
  choices: conditions,
  repeatable: true,
} as const satisfies Flag;
