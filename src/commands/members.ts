import type { Column } from '../cli/output/index.ts';
import type { Node } from '../cli/tree.ts';
import { members } from '../contract/members.ts';
import { role, title } from './columns.ts';

const columns: Column[] = [
  { key: 'user.displayName', title: 'Name' },
  { key: 'user.email', title: 'E-mail' },
  role,
  { key: 'lastSeenAt', title: 'Last seen', kind: 'date' },
  { key: 'joinedAt', title: 'Joined', kind: 'date', optional: true },
  { key: 'teams', kind: 'number', optional: true },
  { key: 'id', title: 'ID', kind: 'id' },
];

const nodes: Node[] = [
  {
    use: 'list',
    endpoint: members.list,
    columns,
    examples: [
      { run: 'docsctl members list --sort lastSeenAt --limit 20', does: 'The twenty people seen last' },
      { run: 'docsctl members list --role guest -o csv', does: 'All guests, for a spreadsheet' },
      { run: 'docsctl members list --search admin -o id', does: 'Ids alone, for another command' },
    ],
    see: ['members edit', 'members remove', 'teams list'],
  },
  { use: 'view <user>', endpoint: members.view, columns },
  { use: 'edit <user>', endpoint: members.edit, columns },
  {
    use: 'remove <user...>',
    endpoint: members.remove,
    confirm: { question: 'Remove {} from the organization?' },
    done: 'Removed {}.',
  },
  { use: 'mark-sso <user...>', endpoint: members.markSso, columns },
  {
    use: 'spaces <user>',
    endpoint: members.spaces,
    columns: [
      { key: 'space.title', title: 'Space' },
      { key: 'permission', kind: 'role' },
      { key: 'space.id', title: 'ID', kind: 'id' },
    ],
  },
  {
    use: 'teams <user>',
    endpoint: members.teams,
    columns: [
      { ...title, key: 'team.title' },
      { key: 'member.role', title: 'Role', kind: 'role' },
      { key: 'team.id', title: 'ID', kind: 'id' },
    ],
  },
];
export default nodes;
