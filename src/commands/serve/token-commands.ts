import type { Branch } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import { databaseFlag } from './database-flag.ts';
import { defaultTokenLabel } from './defaults.ts';

export const tokenCommands: Branch = {
  name: 'token',
  summary: 'tokens of the instance',
  children: [
    command({
      use: 'create',
      help: {
        summary: 'Create a token, which is shown only once.',
        description:
          'It has all rights of one user: the administrator, or that of --user. It is valid until it is revoked, or for the days of --expires-in. Only its hash is kept, so copy it now. The instance may be running. No profile is changed: pass the token to "auth login" to make one.',
        examples: [
          {
            run: 'docsctl serve token create --label "build server" --expires-in 90',
            does: 'A token of the administrator for 90 days',
          },
          {
            run: 'docsctl serve token create --user member000002 --jq .token > token.txt',
            does: 'A token of a member, into a file',
          },
        ],
        exitStatuses: { 2: 'there is no such database', 5: 'there is no such user' },
        seeAlso: ['serve token revoke', 'auth login'],
      },
      input: {
        flags: [
          databaseFlag,
          { flags: '--user <user>', description: 'user that the token belongs to: id or e-mail address' },
          {
            flags: '--label <text>',
            description: 'what the token is for, shown in the list',
            default: defaultTokenLabel,
          },
          { flags: '--expires-in <days>', description: 'number of days after which it expires (default never)' },
        ],
      },
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
      help: {
        summary: 'List the tokens of the instance, without the tokens themselves.',
        description:
          'Oldest first, with the user, the label, and whether the token is active, expired or revoked. Commands on an embedded instance use no token.',
        examples: [
          { run: 'docsctl serve token list', does: 'All of them' },
          {
            run: 'docsctl serve token list --jq \'.[] | select(.state == "active") | .id\'',
            does: 'Ids of those that are active',
          },
        ],
        exitStatuses: { 2: 'there is no such database' },
        seeAlso: ['serve token create', 'serve token revoke'],
      },
      input: {
        flags: [databaseFlag],
      },
      output: {
        list: true,
        fields: ['user', 'expiresAt'],
        columns: [
          { key: 'id', title: 'ID', kind: 'id' },
          { key: 'email', title: 'E-mail' },
          { key: 'label' },
          { key: 'state', kind: 'state', style: { active: 'good', revoked: 'bad', expired: 'dim' } },
          { key: 'createdAt', title: 'Created', kind: 'date' },
        ],
      },
      run: async (invocation) => (await import('./tokens.ts')).listTokens(invocation),
    }),
    command({
      use: 'revoke <token-id...>',
      help: {
        summary: 'Revoke tokens by their ids.',
        description:
          'They are refused from then on, in a running instance too. This cannot be undone. If an id does not exist, none is revoked. They stay in the list as revoked.',
        examples: [
          {
            run: 'docsctl serve token revoke "$(docsctl serve token create --jq .id)"',
            does: 'One by its id, here a new one',
          },
          {
            run: 'docsctl serve token create -q; docsctl serve token list -o id | docsctl serve token revoke -',
            does: 'All of them',
          },
        ],
        exitStatuses: { 2: 'there is no such database', 5: 'there is no such token; none was revoked' },
        seeAlso: ['serve token list', 'auth logout'],
      },
      input: {
        suggestions: { 'token-id': async (invocation) => (await import('./tokens.ts')).tokenWords(invocation) },
        flags: [databaseFlag],
      },
      run: async (invocation) => (await import('./tokens.ts')).revokeTokens(invocation),
    }),
  ],
};
