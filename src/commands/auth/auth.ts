import { command } from '../../cli/command/define.ts';
import { refuseToken } from '../../cli/program/globals.ts';
import type { Column } from '../../cli/output/index.ts';
import type { Node } from '../../cli/command/command.ts';
import { loginFlags, logoutFlags } from './options.ts';

const statusColumns: Column[] = [
  { key: 'profile', kind: 'id' },
  { key: 'current', kind: 'boolean', style: { true: 'good' } },
  {
    key: 'state',
    kind: 'state',
    style: {
      works: 'good',
      refused: 'bad',
      unreachable: 'warn',
      'no token': 'warn',
      'token unreadable': 'bad',
      failed: 'bad',
      missing: 'bad',
    },
  },
  { key: 'problem' },
  { key: 'url', title: 'Address' },
  // What is last is left out first where the terminal is narrow.
  { key: 'token', title: 'Token in', optional: true },
  { key: 'user.displayName', title: 'User', optional: true },
  { key: 'role', kind: 'role', optional: true },
  { key: 'user.email', title: 'E-mail', optional: true },
];

const nodes: Node[] = [
  command({
    use: 'login',
    help: {
      summary: 'Sign in to a service and save its token.',
      description: `In a terminal it asks for the address, the token, and the default organization and space. Elsewhere, and with --with-token, it reads the token from standard input. The service checks the token before anything is saved. The token is saved in the system's keyring or, if there is none, in a file with mode 0600.

The profile is the one of --profile, else the one with the same address, else a new one. It becomes the profile in use. A token is not accepted as an argument: other users of the machine and the history of the shell would show it.`,
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
        3: 'the service refused the token; nothing was saved',
      },
      seeAlso: ['auth status', 'profiles list', 'help profiles'],
    },
    input: {
      context: ['org', 'space'],
      flags: loginFlags,
      refuseArguments: refuseToken,
    },
    run: async (invocation) => (await import('./login.ts')).login(invocation),
  }),
  command({
    use: 'status',
    help: {
      summary: 'Show all profiles: address, user, role, where the token is, and whether it works.',
      description:
        'Asks each service which user the token belongs to, and ends with an error if a profile does not work. With --profile, only one profile is checked; with DOCSCTL_URL, only what the variables say decides about the exit status.',
      examples: [
        { run: 'docsctl auth status', does: 'All profiles' },
        { run: 'docsctl auth status --profile local', does: 'One profile' },
      ],
      exitStatuses: {
        3: 'the token in use is refused, or there is none',
        5: 'there is no such profile',
        7: 'the service in use cannot be reached',
        8: 'the profile in use works, and another one does not',
      },
      seeAlso: ['auth login', 'config list'],
    },
    output: {
      list: true,
      columns: statusColumns,
      idKey: 'profile',
    },
    run: async (invocation) => (await import('./status.ts')).status(invocation),
  }),
  command({
    use: 'logout',
    help: {
      summary: 'Remove the token of a profile from this machine.',
      description:
        'Removes it from the keyring or the file, for the profile in use or the one of --profile. The profile stays, and so does the variable DOCSCTL_TOKEN. The token stays valid: only the service can revoke it. Without a token, nothing happens.',
      examples: [
        { run: 'docsctl auth logout', does: 'The token of the profile in use' },
        { run: 'docsctl auth logout --all', does: 'Leave no token on this machine' },
        { run: 'docsctl auth logout --all --dry-run', does: 'Show where tokens are' },
      ],
      exitStatuses: {
        3: 'no profile is in use, or the keyring does not remove the token',
        5: 'there is no such profile',
      },
      seeAlso: ['auth status', 'auth login', 'profiles delete'],
    },
    input: {
      flags: logoutFlags,
    },
    run: async (invocation) => (await import('./token.ts')).logout(invocation),
  }),
  command({
    use: 'token',
    help: {
      summary: 'Print the token in use.',
      description:
        'For other programs: DOCSCTL_TOKEN if it is set together with DOCSCTL_URL or --url, else the token of the profile. It is printed in plain text, so pass it on instead of showing it on a screen. The service is not asked whether it is valid. The profile "local" of "docsctl init" has no token.',
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
    run: async (invocation) => (await import('./token.ts')).printToken(invocation),
  }),
];
export default nodes;
