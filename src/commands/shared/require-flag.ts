import type { Flag } from '../../cli/command/command.ts';

const conditions = ['no-open-comments', 'no-broken-links', 'no-conflicts', 'up-to-date'] as const;
/** What can be asked of a change request before it is merged. */
export type Condition = (typeof conditions)[number];

export const requireFlag = {
  flags: '--require <condition>',
  description: 'merge only if this holds, else end with status 9 and all that does not (repeatable, or with commas)',
  choices: conditions,
  repeatable: true,
} as const satisfies Flag;
