import type { Flag } from '../../cli/command/command.ts';

export const noCi = {
  flags: '--no-ci',
  description: 'write no annotations, summary or outputs in CI',
} as const satisfies Flag;
