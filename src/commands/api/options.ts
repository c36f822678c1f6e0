import type { Flag } from '../../cli/command/command.ts';
import type { InvocationOf } from '../../cli/command/define.ts';

export const use = 'api [method] <path>';

export const flags = [
  {
    flags: '-f, --field <key=value>',
    description: 'a field whose value is sent as text (repeatable)',
    repeatable: 'verbatim',
  },
  {
    flags: '-F, --typed <key=value>',
    description: 'a field whose value is true, false, null, a number, JSON, or @file (repeatable)',
    takesFile: true,
    repeatable: 'verbatim',
  },
  { flags: '--input <file>', description: 'send this file as the body; - is standard input' },
  { flags: '-H <name:value>', description: 'a header (repeatable)', repeatable: 'verbatim' },
  { flags: '--paginate', description: 'follow all pages of a list, and print their items as one list' },
  {
    flags: '-i, --include',
    description: 'print status and headers before the response; the token is hidden in all of it',
  },
] as const satisfies readonly Flag[];

export type ApiInvocation = InvocationOf<typeof use, typeof flags>;
