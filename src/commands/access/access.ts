import type { Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import { roles } from '../../contract/access.ts';
import { roleWords } from '../shared/roles.ts';

const nodes: Node[] = [
  command({
    use: 'list',
    help: {
      summary: 'List who can do what, and why.',
      description:
        'Shows each member who has a level on a space, on the spaces of a site, or all spaces of one member. The service tells the level; the reason is found by comparing it with the role and the default levels of the space and its collections. What these do not give was granted by an invite. Published sites have readers who are not members. Invite links to the spaces are named on standard error.',
      examples: [
        { run: 'docsctl access list --space handbook0001', does: 'Who can do what in a space' },
        { run: 'docsctl access list --site lumensite001 -o csv > access.csv', does: 'An audit of a site' },
        { run: 'docsctl access list --member member000002', does: 'What one member can do' },
      ],
      exitStatuses: { 4: 'guests of the organization have no access', 5: 'no such space, site or member' },
      seeAlso: ['access matrix', 'access check', 'members spaces'],
    },
    input: {
      context: ['org'],
      flags: [
        { flags: '--space <id>', description: 'members with a level on this space' },
        { flags: '--site <id>', description: 'members with a level on the spaces of this site' },
        { flags: '--member <id>', description: 'the spaces of this member' },
      ],
    },
    output: {
      list: true,
      fields: ['member.role', 'member.disabled'],
      columns: [
        { key: 'member.displayName', title: 'Name' },
        { key: 'member.email', title: 'E-mail' },
        { key: 'member.id', title: 'Member ID', kind: 'id', optional: true },
        { key: 'space.title', title: 'Space' },
        { key: 'space.id', title: 'Space ID', kind: 'id', optional: true },
        { key: 'level', kind: 'role' },
        { key: 'reason' },
      ],
    },
    run: async (invocation) => (await import('./list.ts')).listAccess(invocation),
  }),
  command({
    use: 'matrix',
    help: {
      summary: 'Show the levels of all members on all spaces.',
      description:
        'A row for each member, a column for each space that you can see. An empty cell is no access. Every member who is not an administrator costs at least one request. As JSON, each row has the spaces with level and reason.',
      examples: [
        { run: 'docsctl access matrix -o csv > matrix.csv', does: 'For a spreadsheet' },
        { run: 'docsctl access matrix --site lumensite001 --role guest', does: 'Guests, on the spaces of a site' },
      ],
      exitStatuses: { 4: 'guests of the organization have no access' },
      seeAlso: ['access list', 'access check'],
    },
    input: {
      context: ['org'],
      flags: [
        { flags: '--site <id>', description: 'only the spaces of this site' },
        {
          flags: '--role <word>',
          description: 'only members with this role (repeatable, or with commas)',
          choices: roleWords,
          repeatable: true,
        },
      ],
    },
    output: {
      list: true,
      fields: ['disabled', 'spaces.title', 'spaces.level', 'spaces.reason'],
      // Those of the spaces are not known here.
      columns: [
        { key: 'displayName', title: 'Name' },
        { key: 'email', title: 'E-mail' },
        { key: 'role', kind: 'role' },
        { key: 'id', title: 'ID', kind: 'id' },
      ],
    },
    run: async (invocation) => (await import('./matrix.ts')).printMatrix(invocation),
  }),
  command({
    use: 'check <user> <space> [level]',
    help: {
      summary: 'Say whether a member has a level on a space, and why.',
      description:
        'The level is read where none is given. Status 0 is yes and 9 is no, so that scripts can ask. A disabled member has no access.',
      examples: [
        { run: 'docsctl access check member000001 handbook0001', does: 'Can the member see it?' },
        { run: 'docsctl access check member000001 handbook0001 edit --jq .reason', does: 'And why can they edit?' },
      ],
      exitStatuses: { 5: 'no such member or space', 9: 'the member does not have this level' },
      seeAlso: ['access list', 'members spaces'],
    },
    input: {
      objects: { user: () => 'userId', space: () => 'spaceId' },
      suggestions: { level: () => roles },
    },
    output: {
      columns: [
        { key: 'allowed', kind: 'boolean', style: { true: 'good', false: 'bad' } },
        { key: 'member.displayName', title: 'Name' },
        { key: 'member.email', title: 'E-mail' },
        { key: 'space.title', title: 'Space' },
        { key: 'needed' },
        { key: 'level' },
        { key: 'reason' },
      ],
      idKey: 'member.id',
    },
    run: async (invocation) => (await import('./check.ts')).checkAccess(invocation),
  }),
];
export default nodes;
