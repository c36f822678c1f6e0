import { refuseToken } from '../cli/globals.ts';
import type { Column } from '../cli/output/index.ts';
import type { Node } from '../cli/tree.ts';

export const statusColumns: Column[] = [
  { key: 'profile', kind: 'id' },
  { key: 'current', kind: 'boolean', style: { true: 'good' } },
  {
    key: 'state',
    kind: 'state',
    style: { works: 'good', refused: 'bad', unreachable: 'warn', 'no token': 'warn', failed: 'bad', missing: 'bad' },
  },
  { key: 'user.displayName', title: 'User' },
  { key: 'role', kind: 'role' },
  { key: 'token', title: 'Token in' },
  { key: 'url', title: 'Address' },
  { key: 'user.email', title: 'E-mail', optional: true },
  { key: 'problem', optional: true },
];

const nodes: Node[] = [
  {
    use: 'login',
    summary: 'Sign in to a service and keep its token.',
    description: `Asks for the address and the token, checks the token with the service, and keeps it in the system's keyring, or, where there is none, in a file of mode 0600. A token is never taken from the command line, where others on the machine and your shell's history would see it.`,
    context: ['org', 'space'],
    flags: [
      { flags: '--with-token', description: 'read the token from standard input' },
      { flags: '--secure-only', description: 'fail where there is no keyring, instead of keeping the token in a file' },
    ],
    examples: [
      { run: 'docsctl auth login --profile work', does: 'Answer questions, and use the result as "work"' },
      {
        run: 'docsctl auth login --with-token --url https://docs.example < token.txt',
        does: 'The same without questions',
      },
    ],
    refuseArguments: refuseToken,
    exits: { 3: 'the service refused the token; nothing was kept' },
    see: ['auth status', 'profiles list', 'help profiles'],
    run: async (invocation) => (await import('./auth-login.ts')).login(invocation),
  },
  {
    use: 'status',
    summary: 'Show every profile: address, user, role, where its token lies, whether it works.',
    description: 'Asks each service who you are. With --profile only that one.',
    columns: statusColumns,
    examples: [
      { run: 'docsctl auth status', does: 'All profiles' },
      { run: 'docsctl auth status --profile local', does: 'One profile' },
    ],
    exits: { 3: 'the token in use is refused, or there is none', 7: 'the service in use cannot be reached' },
    see: ['auth login', 'config list'],
    run: async (invocation) => (await import('./auth-status.ts')).status(invocation),
  },
  {
    use: 'logout',
    summary: 'Forget the token of a profile.',
    description:
      'Removes it from the keyring or the file. The profile stays, and the token stays valid: only the service can revoke it.',
    flags: [{ flags: '--all', description: 'forget the tokens of all profiles' }],
    examples: [{ run: 'docsctl auth logout --all', does: 'Leave no token on this machine' }],
    see: ['auth status', 'profiles delete'],
    run: async (invocation) => (await import('./auth-login.ts')).logout(invocation),
  },
  {
    use: 'token',
    summary: 'Print the token in use.',
    description: 'For other programs. It is printed as it is: let nobody look on.',
    exits: { 3: 'there is no token' },
    see: ['auth status'],
    run: async (invocation) => (await import('./auth-login.ts')).token(invocation),
  },
];
export default nodes;
