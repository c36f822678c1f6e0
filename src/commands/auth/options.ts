import type { Flag } from '../../cli/command/command.ts';
import type { InvocationOf } from '../../cli/command/define.ts';

export const loginFlags = [
  { flags: '--org <id>', description: 'default organization (default: your only one, or docsctl asks)' },
  { flags: '--space <id>', description: 'default space' },
  { flags: '--with-token', description: 'read the token from standard input' },
  { flags: '--secure-only', description: 'fail if there is no keyring, instead of saving the token in a file' },
] as const satisfies readonly Flag[];

export const logoutFlags = [
  { flags: '--all', description: 'remove the tokens of all profiles' },
] as const satisfies readonly Flag[];

export type LoginInvocation = InvocationOf<'login', typeof loginFlags>;
export type LogoutInvocation = InvocationOf<'logout', typeof logoutFlags>;
