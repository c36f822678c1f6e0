import type { InvocationOf } from '../../cli/command/define.ts';
import type { content } from '../../contract/content.ts';

export const importFlags = [
  {
    flags: '--replace',
    description: 'replace the pages of an earlier import of the same address (local instance only)',
  },
  { flags: '--overwrite', description: 'with --replace: also replace pages that were changed in the space' },
] as const;

export type ImportInvocation = InvocationOf<'import <url>', typeof importFlags, typeof content.import>;
