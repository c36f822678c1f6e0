import type { Column } from '../../cli/output/index.ts';
import type { Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import { members } from '../../contract/members.ts';
import { role, title } from '../shared/columns.ts';

const columns: Column[] = [
  { key: 'user.displayName', title: 'Name' },
  { key: 'user.email', title: 'E-mail' },
  role,
  { key: 'lastSeenAt', title: 'Last seen', kind: 'date' },
  { key: 'joinedAt', title: 'Joined', kind: 'date', optional: true },
  { key: 'teams', kind: 'number', optional: true },
  { key: 'id', title: 'ID', kind: 'id' },
];

const card: Column[] = [
  { key: 'user.displayName', title: 'Name' },
  { key: 'user.email', title: 'E-mail' },
  { key: 'id', title: 'ID', kind: 'id' },
  role,
  { key: 'disabled', kind: 'boolean', style: { true: 'bad' } },
  { key: 'sso', title: 'Signs in through SSO', kind: 'boolean' },
  { key: 'teams', kind: 'number' },
  { key: 'spaces', kind: 'number' },
  { key: 'joinedAt', title: 'Joined', kind: 'date' },
  { key: 'lastSeenAt', title: 'Last seen', kind: 'date' },
];

const nodes: Node[] = [
  command({
    use: 'list',
    endpoint: members.list,
    help: {
      description:
        'Includes guests; newest first. --search looks in names and e-mail addresses. --sort lastSeenAt leaves out disabled members and members who were never seen.',
      examples: [
        { run: 'docsctl members list --sort lastSeenAt --limit 20', does: 'The twenty people seen last' },
        { run: 'docsctl members list --role guest -o csv', does: 'All guests, for a spreadsheet' },
        { run: 'docsctl members list --search admin -o id', does: 'Ids alone, for another command' },
      ],
      seeAlso: ['members edit', 'members remove', 'teams list'],
    },
    output: {
      columns,
      card,
    },
  }),
  command({
    use: 'view <user>',
    endpoint: members.view,
    help: {
      description:
        'Takes the id of the user, as "members list" and "whoami" show it. "members list --search" finds people by e-mail address.',
      examples: [
        { run: 'docsctl members view member000001', does: 'One member' },
        { run: 'docsctl members view "$(docsctl whoami -o id)"', does: 'Yourself: which role do I have?' },
      ],
      seeAlso: ['members spaces', 'members teams', 'members edit'],
    },
    output: {
      columns,
      card,
    },
  }),
  command({
    use: 'edit <user>',
    endpoint: members.edit,
    help: {
      description:
        'A guest has no role in the organization and sees only what was shared with them. The last administrator cannot be changed. Teams and levels on spaces stay unchanged.',
      examples: [
        { run: 'docsctl members edit member000002 --role review', does: 'Let a member review' },
        { run: 'docsctl members edit member000002 --role guest', does: 'Make a member a guest' },
      ],
      exitStatuses: { 6: 'this is the last administrator' },
      seeAlso: ['members list', 'members remove'],
    },
    output: {
      columns,
      card,
    },
  }),
  command({
    use: 'remove <user...>',
    endpoint: members.remove,
    help: {
      description:
        'They lose their teams and their levels on spaces and collections, and a new invite does not restore these. Their content and their account stay. The last administrator cannot be removed.',
      examples: [
        { run: 'docsctl members remove member000002 member000003 --yes', does: 'Remove two members' },
        {
          run: 'docsctl members list --role guest --limit 5 -o id | docsctl members remove - --yes',
          does: 'Remove the members of a list',
        },
        { run: 'docsctl members remove member000002 --dry-run', does: 'Show the request only' },
      ],
      exitStatuses: { 6: 'this is the last administrator' },
      seeAlso: ['members edit', 'teams members remove'],
    },
    output: {
      done: 'Removed {}.',
    },
    confirm: { question: 'Remove {} from the organization?' },
  }),
  command({
    use: 'mark-sso <user...>',
    endpoint: members.markSso,
    help: {
      description:
        'From then on they count as signing in through SSO. Whether a provider exists is not checked. This cannot be undone.',
      examples: [
        { run: 'docsctl members mark-sso member000002', does: 'One member' },
        {
          run: 'docsctl members list --role create --limit 3 -o id | docsctl members mark-sso -',
          does: 'Members of a list',
        },
      ],
      seeAlso: ['sso providers list', 'orgs edit', 'members view'],
    },
    output: {
      columns,
      card,
    },
  }),
  command({
    use: 'spaces <user>',
    endpoint: members.spaces,
    help: {
      description: 'The permission is the highest of the role, the default levels and the levels from invites.',
      examples: [
        { run: 'docsctl members spaces member000002', does: 'What a member can see' },
        { run: 'docsctl members spaces member000002 --order asc -o id', does: 'Ids alone, oldest space first' },
      ],
      seeAlso: ['spaces list', 'members teams'],
    },
    output: {
      columns: [
        { key: 'space.title', title: 'Space' },
        { key: 'permission', kind: 'role' },
        { key: 'space.visibility', title: 'Visibility', optional: true },
        { key: 'space.updatedAt', title: 'Updated', kind: 'date', optional: true },
        { key: 'space.id', title: 'ID', kind: 'id' },
      ],
      idKey: 'space.id',
    },
  }),
  command({
    use: 'teams <user>',
    endpoint: members.teams,
    help: {
      description: 'Shows the role in each team; an owner can manage the members of the team.',
      examples: [
        { run: 'docsctl members teams member000001', does: 'Teams of a member' },
        { run: 'docsctl members teams member000001 --title writ', does: 'Only those whose title contains something' },
      ],
      seeAlso: ['teams members list', 'members spaces'],
    },
    output: {
      columns: [
        { ...title, key: 'team.title' },
        { key: 'member.role', title: 'Role', style: { owner: 'good' } },
        { key: 'team.members', title: 'Members', kind: 'number', optional: true },
        { key: 'team.id', title: 'ID', kind: 'id' },
      ],
      idKey: 'team.id',
    },
  }),
];
export default nodes;
