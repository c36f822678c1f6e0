import type { Flag } from '../../cli/command/command.ts';
import type { InvocationOf } from '../../cli/command/define.ts';

export const use = 'api [method] <path>';

export const flags = [
  { flags: '-f, --field <key=value>', description: 'field with a text value (repeatable)', repeatable: 'verbatim' },
  {
    flags: '-F, --typed <key=value>',
    description: 'field whose value is true, false, null, a number, JSON, or @file (repeatable)',
    takesFile: true,
    repeatable: 'verbatim',
  },
  { flags: '--input <file>', description: 'send this file as the body; - for standard input' },
  { flags: '-H <name:value>', description: 'header to send (repeatable)', repeatable: 'verbatim' },
  { flags: '--paginate', description: 'fetch all pages of a list and print the items as one list' },
  { flags: '-i, --include', description: 'print status and headers before the response, with the token masked' },
] as const satisfies readonly Flag[];

export type ApiInvocation = InvocationOf<typeof use, typeof flags>;
