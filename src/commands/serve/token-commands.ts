import type { Branch } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import { databaseFlag, defaultTokenLabel } from './options.ts';

export const tokenCommands: Branch = {
  name: 'token',
  summary: 'tokens of the instance',
  children: [
    command({
      use: 'create',
      changes: ['files'],
      prints: async () => (await import('../shared/printed-local.ts')).createdToken,
      summary: 'Create a token.',
      description:
        'The token has all rights of the administrator, or of --user, until it is revoked or --expires-in days have passed. It is shown only once; only its hash is stored. The instance may be running. Use "auth login" to save the token in a profile.',
      examples: {
        'Create an administrator token for 90 days':
          'docsctl serve token create --label "build server" --expires-in 90',
        "Write a member's token to a file": 'docsctl serve token create --user member000002 --jq .token > token.txt',
      },
      exitStatuses: { 2: 'no such database', 5: 'no such user' },
      seeAlso: ['serve token revoke', 'auth login'],
      flags: [
        databaseFlag,
        { flags: '--user <user>', description: 'user that the token belongs to (ID or email address)' },
        { flags: '--label <text>', description: 'purpose of the token, shown in the list', default: defaultTokenLabel },
        { flags: '--expires-in <days>', description: 'number of days until it expires (default never)' },
      ],
      output: {
        columns: [
          { key: 'token', kind: 'id' },
          { key: 'id', title: 'ID', kind: 'id' },
          { key: 'user', kind: 'id' },
          { key: 'expiresAt', title: 'Expires', kind: 'date' },
        ],
      },
      run: async (invocation) => (await import('./tokens.ts')).createToken(invocation),
    }),
    command({
      use: 'list',
      changes: [],
      prints: async () => (await import('../shared/printed-local.ts')).instanceTokens,
      summary: 'List the tokens of the instance.',
      description:
        'Oldest first, with the user, the label and the state: active, expired or revoked. The tokens themselves are not shown. Embedded instances use no tokens.',
      examples: {
        'List all tokens': 'docsctl serve token list',
        'Print the IDs of active tokens': 'docsctl serve token list --jq \'.[] | select(.state == "active") | .id\'',
      },
      exitStatuses: { 2: 'no such database' },
      seeAlso: ['serve token create', 'serve token revoke'],
      flags: [databaseFlag],
      output: {
        list: true,
        fields: ['user', 'expiresAt'],
        columns: [
          { key: 'id', title: 'ID', kind: 'id' },
          { key: 'email', title: 'Email' },
          { key: 'label' },
          { key: 'state', kind: 'state', style: { active: 'good', revoked: 'bad', expired: 'dim' } },
          { key: 'createdAt', title: 'Created', kind: 'date' },
        ],
      },
      run: async (invocation) => (await import('./tokens.ts')).listTokens(invocation),
    }),
    command({
      use: 'revoke <token-id...>',
      changes: ['files'],
      prints: 'nothing',
      summary: 'Revoke tokens by ID.',
      description:
        'Revoked tokens are refused immediately, in a running instance too, and stay in the list. This cannot be undone.',
      examples: {
        'Revoke a new token': 'docsctl serve token revoke "$(docsctl serve token create --jq .id)"',
        'Revoke all tokens':
          'docsctl serve token create -q; docsctl serve token list -o id | docsctl serve token revoke -',
      },
      exitStatuses: { 2: 'no such database', 5: 'no such token' },
      seeAlso: ['serve token list', 'auth logout'],
      flags: [databaseFlag],
      input: {
        batch: true,
        suggestions: { 'token-id': async (invocation) => (await import('./tokens.ts')).tokenWords(invocation) },
      },
      output: { result: 'revoked' },
      run: async (invocation) => (await import('./tokens.ts')).revokeTokens(invocation),
    }),
  ],
};
