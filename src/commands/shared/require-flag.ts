import type { Condition } from '../../change-requests/conditions.ts';
import type { Flag } from '../../cli/command/command.ts';

export const requireFlag = {
  flags: '--require <condition>',
  description: 'merge only if this holds, else end with status 9 and all that does not (repeatable, or with commas)',
  choices: ['no-open-comments', 'no-broken-links', 'no-conflicts', 'up-to-date'] satisfies Condition[],
  repeatable: true,
} as const satisfies Flag;
