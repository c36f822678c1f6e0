import type { Flag } from '../../cli/command/command.ts';

export const noCi = {
  flags: '--no-ci',
  description: 'write no annotations, summary and outputs for the build server',
} as const satisfies Flag;
