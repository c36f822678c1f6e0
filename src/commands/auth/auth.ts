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
  // A narrow terminal hides the last columns first.
  { key: 'token', title: 'Token in', optional: true },
  { key: 'user.displayName', title: 'User', optional: true },
  { key: 'role', kind: 'role', optional: true },
  { key: 'user.email', title: 'Email', optional: true },
];

const nodes: Node[] = [
  command({
    use: 'login',
    changes: ['settings'],
    prints: async () => (await import('../shared/printed-local.ts')).signedIn,
    summary: 'Sign in to a service and save its token.',
    description: `In a terminal, asks for the address, the token, and the default organization and space. Otherwise, and with --with-token, reads the token from standard input. docsctl checks the token with the service, then saves it in the system's keyring or, if there is none, in a file with mode 0600.

Uses the profile of --profile, or else one with the same address, or else a new one, and makes it the current profile. A token is not accepted as an argument, because other users and the shell history would see it.`,
    examples: {
      'Read the token from a file': 'docsctl auth login --with-token --url https://docs.example < token.txt',
      'Read the token from a variable and save it in the profile "work"':
        'printenv DOCSCTL_TOKEN | docsctl auth login --with-token --url https://docs.example --profile work',
    },
    exitStatuses: {
      1: 'there is no keyring, with --secure-only',
      2: 'no token on standard input, or no address',
      3: 'the service refused the token; nothing was saved',
    },
    seeAlso: ['auth status', 'profiles list', 'help profiles'],
    flags: loginFlags,
    input: { context: ['org', 'space'], refuseArguments: refuseToken },
    run: async (invocation) => (await import('./login.ts')).login(invocation),
  }),
  command({
    use: 'status',
    changes: [],
    prints: async () => (await import('../shared/printed-local.ts')).authStatus,
    summary: 'Show the profiles, their users and whether their tokens work.',
    description:
      'Asks each service who the token belongs to, and fails if a profile does not work. --profile checks one profile only. With DOCSCTL_URL, only the address and token from the environment determine the exit status.',
    examples: {
      'Check all profiles': 'docsctl auth status',
      'Check one profile': 'docsctl auth status --profile local',
    },
    exitStatuses: {
      3: 'the current token is missing or rejected',
      5: 'no such profile',
      7: 'the current service is unreachable',
      8: 'the current profile works, but another one does not',
    },
    seeAlso: ['auth login', 'config list'],
    output: { list: true, columns: statusColumns, idKey: 'profile' },
    run: async (invocation) => (await import('./status.ts')).status(invocation),
  }),
  command({
    use: 'logout',
    changes: ['settings'],
    prints: 'nothing',
    summary: 'Remove the token of a profile from this machine.',
    description:
      'Removes the token of the current profile, or of --profile, from the keyring or the file. The profile and DOCSCTL_TOKEN stay. The token remains valid until the service revokes it. If there is no token, nothing happens.',
    examples: {
      'Remove the token of the current profile': 'docsctl auth logout',
      'Remove all tokens from this machine': 'docsctl auth logout --all',
      'Show where tokens are stored': 'docsctl auth logout --all --dry-run',
    },
    exitStatuses: { 3: 'there is no current profile, or the keyring did not remove the token', 5: 'no such profile' },
    seeAlso: ['auth status', 'auth login', 'profiles delete'],
    flags: logoutFlags,
    run: async (invocation) => (await import('./token.ts')).logout(invocation),
  }),
  command({
    use: 'token',
    changes: [],
    prints: async () => (await import('../shared/printed-local.ts')).token,
    summary: 'Print the current token.',
    description:
      'Prints the token of DOCSCTL_TOKEN or DOCSCTL_TOKEN_FILE if one is set together with DOCSCTL_URL or --url, and otherwise that of the profile: the output of its token-command, or the saved token. The token is printed in plain text, so pipe it to another program. docsctl does not check whether it is valid. The profile "local" that "docsctl init" creates has no token.',
    examples: {
      'Pass it to programs started by this shell':
        'export DOCSCTL_URL="$(docsctl config get url)" && export DOCSCTL_TOKEN="$(docsctl auth token)"',
      'Send a request without docsctl':
        'curl -sf "$(docsctl config get url)/v1/user" -H "Authorization: Bearer $(docsctl auth token)"',
    },
    exitStatuses: { 3: 'there is no token, or the profile needs none', 5: 'no such profile' },
    seeAlso: ['auth status', 'api', 'serve token create'],
    run: async (invocation) => (await import('./token.ts')).printToken(invocation),
  }),
];
export default nodes;
