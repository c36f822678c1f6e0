import type { Condition } from '../../change-requests/merge.ts';
import type { Flag } from '../../cli/command/command.ts';

export const noCi = {
  flags: '--no-ci',
  description: 'write no annotations, summary or outputs in CI',
} as const satisfies Flag;

export const requireFlag = {
  flags: '--require <condition>',
  description: 'merge only if this check passes, else exit with status 9 (repeatable or comma-separated)',
  choices: ['no-open-comments', 'no-broken-links', 'no-conflicts', 'up-to-date'] satisfies Condition[],
  repeatable: true,
} as const satisfies Flag;
