import { refuseToken } from '../../cli/program/globals.ts';
import type { Column } from '../../cli/output/index.ts';
import type { Node } from '../../cli/command/command.ts';

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
    help: {
      summary: 'Sign in to a service and keep its token.',
      description: `In a terminal it asks for the address, the token, and the organization and space to use by default; elsewhere, or with --with-token, it reads the token from standard input. It checks the token with the service and keeps it in the system's keyring, or, where there is none, in a file of mode 0600. Nothing is kept unless the service takes the token.

The profile is the one --profile names, else the one of that address, else a new one; it is in use from then on. A token is never taken from the command line, where others on the machine and your shell's history would see it.`,
      examples: [
        {
          run: 'docsctl auth login --with-token --url https://docs.example < token.txt',
          does: 'Without questions, with a token from a file',
        },
        {
          run: 'printenv DOCSCTL_TOKEN | docsctl auth login --with-token --url https://docs.example --profile work',
          does: 'With one from a variable, as the profile "work"',
        },
      ],
      exitStatuses: {
        1: 'with --secure-only: there is no keyring',
        2: 'there is no token on standard input, or no address',
        3: 'the service refused the token; nothing was kept',
      },
      seeAlso: ['auth status', 'profiles list', 'help profiles'],
    },
    input: {
      context: ['org', 'space'],
      flags: [
        { flags: '--org <id>', description: 'organization to use by default; asked for, or the only one' },
        { flags: '--space <id>', description: 'space to use by default' },
        { flags: '--with-token', description: 'read the token from standard input' },
        {
          flags: '--secure-only',
          description: 'fail where there is no keyring, instead of keeping the token in a file',
        },
      ],
      refuseArguments: refuseToken,
    },
    run: async (invocation) => (await import('./login.ts')).login(invocation),
  },
  {
    use: 'status',
    help: {
      summary: 'Show every profile: address, user, role, where its token lies, whether it works.',
      description: 'Asks each service who you are. With --profile only that one.',
      examples: [
        { run: 'docsctl auth status', does: 'All profiles' },
        { run: 'docsctl auth status --profile local', does: 'One profile' },
      ],
      exitStatuses: {
        3: 'the token in use is refused, or there is none',
        5: 'there is no such profile',
        7: 'the service in use cannot be reached',
      },
      seeAlso: ['auth login', 'config list'],
    },
    output: {
      columns: statusColumns,
    },
    run: async (invocation) => (await import('./status.ts')).status(invocation),
  },
  {
    use: 'logout',
    help: {
      summary: 'Forget the token of a profile.',
      description:
        'Removes it from the keyring or the file: that of the profile in use, or of the one --profile names. The profile stays, and so does a DOCSCTL_TOKEN that is set. The token itself stays valid: only the service can revoke it. Where there is none, nothing happens.',
      examples: [
        { run: 'docsctl auth logout', does: 'That of the profile in use' },
        { run: 'docsctl auth logout --all', does: 'Leave no token on this machine' },
        { run: 'docsctl auth logout --all --dry-run', does: 'Show where there are any' },
      ],
      exitStatuses: { 3: 'no profile is in use, or the keyring does not give it up', 5: 'there is no such profile' },
      seeAlso: ['auth status', 'auth login', 'profiles delete'],
    },
    input: {
      flags: [{ flags: '--all', description: 'forget the tokens of all profiles' }],
    },
    run: async (invocation) => (await import('./login.ts')).logout(invocation),
  },
  {
    use: 'token',
    help: {
      summary: 'Print the token in use.',
      description:
        'For other programs: DOCSCTL_TOKEN where that is set together with DOCSCTL_URL or --url, else the one kept for the profile. It is printed as it is, so send it on rather than to a screen. It is not checked with the service, and the profile "local" of "docsctl init" has none.',
      examples: [
        {
          run: 'export DOCSCTL_URL="$(docsctl config get url)" && export DOCSCTL_TOKEN="$(docsctl auth token)"',
          does: 'For programs that this shell starts',
        },
        {
          run: 'curl -sf "$(docsctl config get url)/v1/user" -H "Authorization: Bearer $(docsctl auth token)"',
          does: 'For a call without docsctl',
        },
      ],
      exitStatuses: { 3: 'there is no token, or the profile needs none', 5: 'there is no such profile' },
      seeAlso: ['auth status', 'api', 'serve token create'],
    },
    run: async (invocation) => (await import('./login.ts')).token(invocation),
  },
];
export default nodes;
