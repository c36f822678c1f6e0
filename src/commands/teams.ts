import { UsageError } from '../cli/failure.ts';
import type { Invocation } from '../cli/invocation.ts';
import type { Column } from '../cli/output/index.ts';
import type { Node } from '../cli/tree.ts';
import { teams } from '../contract/teams.ts';
import { created, id, title } from './columns.ts';

const columns: Column[] = [title, { key: 'members', kind: 'number' }, created, id];

const teamRoles = new Set(['owner', 'member']);

/** `--role <user>=<role>` as the service takes it. @throws UsageError */
function memberships({ flags }: Invocation): Record<string, unknown> {
  const given = (flags.role as string[] | undefined) ?? [];
  if (given.length === 0) return {};
  const pairs = given.map((text) => {
    const [, user, role] = /^(.+)=(\w+)$/.exec(text) ?? [];
    if (user !== undefined && teamRoles.has(role!)) return [user, { role }] as const;
    throw new UsageError(
      `--role: "${text}" is not <user>=<role>.`,
      'For example --role member000001=owner; the roles are owner and member.',
    );
  });
  return { memberships: Object.fromEntries(pairs) };
}

const nodes: Node[] = [
  {
    use: 'list',
    endpoint: teams.list,
    description: 'By title. Who is in them is listed by "teams members list".',
    columns,
    examples: [
      { run: 'docsctl teams list', does: 'All teams' },
      { run: 'docsctl teams list --owner member000001', does: 'Teams that a member can manage' },
    ],
    see: ['teams members list', 'teams create'],
  },
  {
    use: 'create',
    endpoint: teams.create,
    description: 'Those named by --members join as members; make an owner with "teams members set".',
    columns,
    examples: [
      { run: 'docsctl teams create --title Reviewers', does: 'A team without members' },
      {
        run: 'docsctl teams create --title Reviewers --members member000001,member000002',
        does: 'A team with two members',
      },
    ],
    exits: { 6: 'one of --members is no member, or the title does not fit' },
    see: ['teams members update', 'teams members set'],
  },
  {
    use: 'view <team>',
    endpoint: teams.view,
    description: 'Its members are listed by "teams members list".',
    columns,
    examples: [
      { run: 'docsctl teams view writers00001', does: 'One team' },
      { run: 'docsctl teams view writers00001 --jq .members', does: 'How many members it has' },
    ],
    see: ['teams members list'],
  },
  {
    use: 'edit <team>',
    endpoint: teams.edit,
    description: 'Only the title can change here; for the members see "teams members update".',
    columns,
    examples: [
      { run: 'docsctl teams edit writers00001 --title Authors', does: 'Rename a team' },
      { run: 'docsctl teams edit writers00001 --title Authors --dry-run', does: 'Show the request only' },
    ],
    exits: { 6: 'the title does not fit' },
    see: ['teams members update'],
  },
  {
    use: 'delete <team...>',
    endpoint: teams.delete,
    description:
      'There is no way back. Its members stay in the organization. Where it is the default team of an SSO provider, that is cleared.',
    confirm: {
      question: 'Delete the team {}? This cannot be undone.',
      typed: { view: teams.view, title: (team) => team.title },
      holds: ({ members }) => [[members, 'membership']],
    },
    done: 'Deleted {}.',
    examples: [
      { run: 'docsctl teams delete design000001 --yes', does: 'Delete a team without being asked' },
      { run: 'docsctl teams list --title relations -o id | docsctl teams delete - --yes', does: 'Teams of a list' },
    ],
    see: ['teams list'],
  },
  {
    name: 'members',
    summary: 'who is in a team',
    children: [
      {
        use: 'list <team>',
        endpoint: teams.listMembers,
        description:
          'By name. The role is that in the team, where owners may manage its members; "members view" has that in the organization.',
        columns: [
          { key: 'organization.user.displayName', title: 'Name' },
          { key: 'organization.user.email', title: 'E-mail', optional: true },
          { key: 'team.role', title: 'Role', style: { owner: 'good' } },
          { key: 'organization.role', title: 'In the organization', kind: 'role', optional: true },
          { key: 'organization.id', title: 'ID', kind: 'id' },
        ],
        idKey: 'organization.id',
        examples: [
          { run: 'docsctl teams members list writers00001', does: 'Members of a team' },
          { run: 'docsctl teams members list writers00001 -o id', does: 'Their ids alone' },
        ],
        see: ['teams members update', 'members view'],
      },
      {
        use: 'update <team>',
        endpoint: teams.updateMembers,
        description:
          'All of it goes in one call: first members are added, then roles are set, then members are removed. Who is to be removed and is not there is passed over.',
        without: ['memberships'],
        flags: [
          {
            flags: '--role <user=role>',
            description: 'set the role of a member, who is added where missing: owner or member (repeatable)',
            repeatable: true,
            pair: { object: 'userId', words: [...teamRoles] },
          },
        ],
        body: memberships,
        sources: { '/memberships': ['--role'] },
        done: 'The members of {} are up to date.',
        examples: [
          {
            run: 'docsctl teams members update writers00001 --add member000100 --remove member000002',
            does: 'One comes, one goes',
          },
          {
            run: 'docsctl teams members update writers00001 --role member000001=member --role member000003=owner',
            does: 'Hand the team to another owner',
          },
          {
            run: 'docsctl teams members update writers00001 --add person77@lumen.example',
            does: 'By e-mail address',
          },
        ],
        exits: { 6: 'somebody to be added is no member; nothing was changed' },
        see: ['teams members set', 'teams members remove'],
      },
      {
        use: 'set <team> <user>',
        endpoint: teams.setMember,
        description: 'Adds the member where missing. Without --role the present role stays; a new one is "member".',
        done: '{} is in the team.',
        exits: { 6: 'the role is neither owner nor member' },
        examples: [
          { run: 'docsctl teams members set writers00001 member000002 --role owner', does: 'Make a member an owner' },
          { run: 'docsctl teams members set writers00001 member000100', does: 'Add a member' },
        ],
        see: ['teams members update'],
      },
      {
        use: 'remove <team> <user...>',
        endpoint: teams.removeMember,
        description:
          'They stay in the organization. Who is not in the team is an error: "teams members update --remove" passes them over.',
        confirm: { question: 'Take {} out of the team?' },
        done: 'Took {} out of the team.',
        examples: [
          { run: 'docsctl teams members remove writers00001 member000002 --yes', does: 'One member' },
          {
            run: 'docsctl teams members list writers00001 --limit 3 -o id | docsctl teams members remove writers00001 - --yes',
            does: 'Members of a list',
          },
        ],
        see: ['teams members update', 'members remove'],
      },
    ],
  },
];
export default nodes;
