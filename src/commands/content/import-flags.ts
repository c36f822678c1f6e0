import type { InvocationOf } from '../../cli/command/define.ts';
import type { content } from '../../contract/content.ts';

export const importFlags = [
  {
    flags: '--replace',
    description: 'put the pages in the place of those of an earlier import of the same address (local instance only)',
  },
  { flags: '--overwrite', description: 'with --replace: also pages that were changed in the space since' },
] as const;

export type ImportInvocation = InvocationOf<'import <url>', typeof importFlags, typeof content.import>;
