import { UsageError } from '../../cli/program/failure.ts';
import type { Column } from '../../cli/output/index.ts';
import type { Fields, Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { teams } from '../../contract/teams.ts';
import { isObject } from '../../shared/is-object.ts';
import { created, id, title } from '../shared/columns.ts';

type Team = AnswerOf<typeof teams.view>;

const columns: Column<Team>[] = [title, { key: 'members', kind: 'number' }, created, id];

const teamRoles = ['owner', 'member'];

/** The `memberships` of a request body from `<user>=<role>` pairs. @throws UsageError */
function membershipsFrom(pairs: string[] = []): Fields {
  if (pairs.length === 0) return {};
  const roles = new Map<string, { role: string }>();
  for (const pair of pairs) {
    const [, user, role = ''] = /^(.+)=(\w+)$/.exec(pair) ?? [];
    if (user === undefined || !teamRoles.includes(role)) {
      throw new UsageError(
        `--role: "${pair}" is not <user>=<role>.`,
        'For example --role member000001=owner; the roles are owner and member.',
      );
    }
    roles.set(user, { role });
  }
  return { memberships: Object.fromEntries(roles) };
}

/** The people whom a request removes or gives the role member. */
function peopleWhoLose({ remove, memberships }: Fields): string[] {
  const removed = Array.isArray(remove) ? remove.map(String) : [];
  const lowered = Object.entries(isObject(memberships) ? memberships : {}).flatMap(([user, membership]) =>
    isObject(membership) && membership.role === 'member' ? [user] : [],
  );
  return [...removed, ...lowered];
}

const nodes: Node[] = [
  command({
    use: 'list',
    endpoint: teams.list,
    help: {
      description: 'Sorted by title. Use "teams members list" to list the members of a team.',
      examples: [
        { run: 'docsctl teams list', does: 'List all teams' },
        { run: 'docsctl teams list --owner member000001', does: 'List teams that a member can manage' },
      ],
      seeAlso: ['teams members list', 'teams create'],
    },
    output: { columns },
  }),
  command({
    use: 'create',
    endpoint: teams.create,
    help: {
      description: '--members join with the role member; use "teams members set" for owners.',
      examples: [
        { run: 'docsctl teams create --title Reviewers', does: 'Create an empty team' },
        {
          run: 'docsctl teams create --title Reviewers --members member000001,member000002',
          does: 'Create a team with two members',
        },
      ],
      exitStatuses: { 6: 'one of --members is not in the organization, or the title is invalid' },
      seeAlso: ['teams members update', 'teams members set'],
    },
    output: { columns },
  }),
  command({
    use: 'view <team>',
    endpoint: teams.view,
    help: {
      description: 'Use "teams members list" to list its members.',
      examples: [
        { run: 'docsctl teams view writers00001', does: 'View a team' },
        { run: 'docsctl teams view writers00001 --jq .members', does: 'Print the number of members' },
      ],
      seeAlso: ['teams members list'],
    },
    output: { columns },
  }),
  command({
    use: 'edit <team>',
    endpoint: teams.edit,
    help: {
      description: 'Changes the title. Use "teams members update" to change the members.',
      examples: [
        { run: 'docsctl teams edit writers00001 --title Authors', does: 'Rename a team' },
        { run: 'docsctl teams edit writers00001 --title Authors --dry-run', does: 'Preview the request' },
      ],
      exitStatuses: { 6: 'the title is invalid' },
      seeAlso: ['teams members update'],
    },
    output: { columns },
  }),
  command({
    use: 'delete <team...>',
    endpoint: teams.delete,
    help: {
      description:
        'Its members stay in the organization. SSO providers that have it as their default team have none afterwards. This cannot be undone.',
      examples: [
        { run: 'docsctl teams delete design000001 --yes', does: 'Delete a team without confirmation' },
        {
          run: 'docsctl teams list --title relations -o id | docsctl teams delete - --yes',
          does: 'Delete the teams of a list',
        },
      ],
      seeAlso: ['teams list'],
    },
    output: { done: 'Deleted {}.' },
    confirm: {
      question: 'Delete the team {}? This cannot be undone.',
      typed: { view: teams.view, title: (team: Team) => team.title },
      holds: ({ members }: Team) => [[members, 'membership']],
    },
  }),
  {
    name: 'members',
    summary: 'members of a team',
    children: [
      command({
        use: 'list <team>',
        endpoint: teams.listMembers,
        help: {
          description:
            'Sorted by name, with the role in the team: owners can manage its members. Use "members view" to see the role in the organization.',
          examples: [
            { run: 'docsctl teams members list writers00001', does: 'List the members of a team' },
            { run: 'docsctl teams members list writers00001 -o id', does: 'Print IDs only' },
          ],
          seeAlso: ['teams members update', 'members view'],
        },
        output: {
          columns: [
            { key: 'organization.user.displayName', title: 'Name' },
            { key: 'organization.user.email', title: 'Email', optional: true },
            { key: 'team.role', title: 'Role', style: { owner: 'good' } },
            { key: 'organization.role', title: 'In the organization', kind: 'role', optional: true },
            { key: 'organization.id', title: 'ID', kind: 'id' },
          ],
          idKey: 'organization.id',
        },
      }),
      command({
        use: 'update <team...>',
        endpoint: teams.updateMembers,
        help: {
          description:
            'Changes are sent in one request per team: members are added, then roles set, then members removed. People to remove who are not in the team are ignored. You can change several teams in the same way.',
          examples: [
            {
              run: 'docsctl teams members update writers00001 --add member000100 --remove member000002',
              does: 'Add one member and remove another',
            },
            {
              run: 'docsctl teams members update writers00001 --role member000001=member --role member000003=owner',
              does: 'Hand the team to another owner',
            },
            {
              run: 'docsctl teams members update writers00001 --add person77@lumen.example',
              does: 'Add a member by email address',
            },
          ],
          exitStatuses: { 6: 'somebody to add is not in the organization; nothing was changed' },
          seeAlso: ['teams members set', 'teams members remove'],
        },
        input: {
          without: ['memberships'],
          flags: [
            {
              flags: '--role <user=role>',
              description:
                'set the role of a member (owner or member), adding people who are not in the team (repeatable)',
              repeatable: true,
              sets: true,
              pair: { object: 'userId', words: teamRoles },
            },
          ],
          needsChange: true,
          body: ({ flags }) => membershipsFrom(flags.role),
          sources: { '/memberships': ['--role'] },
        },
        output: { done: 'Changed the members of {}.' },
        self: {
          question: 'Change your own place in the team {}?',
          loss: 'you are removed from it, or no longer its owner.',
          people: peopleWhoLose,
        },
      }),
      command({
        use: 'set <team> <user...>',
        endpoint: teams.setMember,
        help: {
          description:
            'Adds people who are not in the team. Without --role, members keep their role, and new ones get "member".',
          exitStatuses: { 6: 'the role is neither owner nor member' },
          examples: [
            { run: 'docsctl teams members set writers00001 member000002 --role owner', does: 'Make a member an owner' },
            { run: 'docsctl teams members set writers00001 member000100', does: 'Add a member' },
          ],
          seeAlso: ['teams members update'],
        },
        output: { done: '{} is in the team.' },
        self: {
          question: 'Give {} the role member in the team {teamId}?',
          loss: 'you are no longer its owner.',
          lowers: ({ role }) => role === 'member',
        },
      }),
      command({
        use: 'remove <team> <user...>',
        endpoint: teams.removeMember,
        help: {
          description:
            'They stay in the organization. Fails if somebody is not in the team; "teams members update --remove" ignores that.',
          examples: [
            { run: 'docsctl teams members remove writers00001 member000002 --yes', does: 'Remove a member' },
            {
              run: 'docsctl teams members list writers00001 --limit 3 -o id | docsctl teams members remove writers00001 - --yes',
              does: 'Remove the members of a list',
            },
          ],
          seeAlso: ['teams members update', 'members remove'],
        },
        output: { done: 'Removed {} from the team.' },
        confirm: { question: 'Remove {} from the team {teamId}?' },
        self: { question: 'Remove {} from the team {teamId}?', loss: 'you lose what it gives you.' },
      }),
    ],
  },
];
export default nodes;
