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
