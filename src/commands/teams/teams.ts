import { UsageError } from '../../cli/program/failure.ts';
import type { Column } from '../../cli/output/index.ts';
import type { Call, Fields, Invocation, Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { teams } from '../../contract/teams.ts';
import { isObject } from '../../shared/is-object.ts';
import { created, id, title } from '../shared/columns.ts';
import { ownerlessFlag } from '../shared/ownerless-flag.ts';

type Team = AnswerOf<typeof teams.view>;

const columns: Column<Team>[] = [title, { key: 'members', kind: 'number' }, created, id];

const teamRoles = ['owner', 'member'];

/** The `memberships` of a request body from `<people>=<role>` pairs. @throws UsageError */
async function membershipsFrom(invocation: Invocation, params: Record<string, string>): Promise<Fields> {
  const pairs = [invocation.values.role ?? []].flat().map(String);
  if (pairs.length === 0) return {};
  const { peopleOfFlag } = await import('../../cli/command/batch/people.ts');
  const roles = new Map<string, { role: string }>();
  let people: string[] = [];
  for (const pair of pairs) {
    // Commas part pairs, and the people of one pair: team:Writers,!member000003=owner
    const [, user, role = ''] = /^(.+)=(\w+)$/.exec(pair) ?? [];
    people.push(user ?? pair);
    if (user === undefined && pair !== pairs.at(-1)) continue;
    if (user === undefined || !teamRoles.includes(role)) {
      throw new UsageError(
        `--role: "${pair}" is not <user>=<role>.`,
        'For example --role member000001=owner; the roles are owner and member.',
      );
    }
    for (const person of await peopleOfFlag(invocation, people, params)) roles.set(person, { role });
    people = [];
  }
  return { memberships: Object.fromEntries(roles) };
}

const peopleWith = (wanted: string, { memberships }: Fields): string[] =>
  Object.entries(isObject(memberships) ? memberships : {}).flatMap(([user, membership]) =>
    isObject(membership) && membership.role === wanted ? [user] : [],
  );

/** The people whom a request removes or gives the role member. */
const peopleWhoLose = (body: Fields): string[] => [
  ...(Array.isArray(body.remove) ? body.remove.map(String) : []),
  ...peopleWith('member', body),
];

const ownerGuard =
  (changeOf: Parameters<typeof import('../shared/keep-owners.ts').keepTeamOwners>[2]) =>
  async (invocation: Invocation, calls: readonly Call[]) =>
    (await import('../shared/keep-owners.ts')).keepTeamOwners(invocation, calls, changeOf);

const nodes: Node[] = [
  command({
    use: 'list',
    endpoint: teams.list,
    description: 'Sorted by title. Use "teams members list" to list the members of a team.',
    examples: {
      'List all teams': 'docsctl teams list',
      'List teams that a member can manage': 'docsctl teams list --owner member000001',
    },
    seeAlso: ['teams members list', 'teams create'],
    output: { columns },
  }),
  command({
    use: 'create',
    endpoint: teams.create,
    description: '--members join with the role member; use "teams members set" for owners.',
    examples: {
      'Create an empty team': 'docsctl teams create --title Reviewers',
      'Create a team with two members': 'docsctl teams create --title Reviewers --members member000001,member000002',
    },
    exitStatuses: { 6: 'one of --members is not in the organization, or the title is invalid' },
    seeAlso: ['teams members update', 'teams members set'],
    output: { columns },
  }),
  command({
    use: 'view <team>',
    endpoint: teams.view,
    description: 'Use "teams members list" to list its members.',
    examples: {
      'View a team': 'docsctl teams view writers00001',
      'Print the number of members': 'docsctl teams view writers00001 --jq .members',
    },
    seeAlso: ['teams members list'],
    output: { columns },
  }),
  command({
    use: 'edit <team>',
    endpoint: teams.edit,
    description: 'Changes the title. Use "teams members update" to change the members.',
    examples: {
      'Rename a team': 'docsctl teams edit writers00001 --title Authors',
      'Preview the request': 'docsctl teams edit writers00001 --title Authors --dry-run',
    },
    exitStatuses: { 6: 'the title is invalid' },
    seeAlso: ['teams members update'],
    output: { columns },
  }),
  command({
    use: 'delete <team...>',
    endpoint: teams.delete,
    description:
      'Its members stay in the organization. SSO providers that have it as their default team have none afterwards. This cannot be undone.',
    examples: {
      'Delete a team without confirmation': 'docsctl teams delete design000001 --yes',
      'Delete the teams of a list': 'docsctl teams list --title relations -o id | docsctl teams delete - --yes',
    },
    seeAlso: ['teams list'],
    output: { done: 'Deleted {}.' },
    confirm: {
      question: 'Delete the team {}?',
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
        description:
          'Sorted by name, with the role in the team: owners can manage its members. Use "members view" to see the role in the organization.',
        examples: {
          'List the members of a team': 'docsctl teams members list writers00001',
          'Print IDs only': 'docsctl teams members list writers00001 -o id',
        },
        seeAlso: ['teams members update', 'members view'],
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
        description:
          'Changes are sent in one request per team: members are added, then roles set, then members removed. People to remove who are not in the team are ignored. You can change several teams in the same way. Options that take people also take selectors: team:Writers, role:guest, all.',
        examples: {
          'Add one member and remove another':
            'docsctl teams members update writers00001 --add member000100 --remove member000002',
          'Hand the team to another owner':
            'docsctl teams members update writers00001 --role member000001=member --role member000003=owner',
          'Add everybody with a role': "docsctl teams members update writers00001 --add 'role:admin,!team:Writers'",
          'Add a member by email address': 'docsctl teams members update writers00001 --add person77@lumen.example',
        },
        exitStatuses: {
          6: 'somebody to add is not in the organization, or a team would have no owner; nothing was changed',
        },
        guard: ownerGuard(({ body = {} }) => ({ lost: peopleWhoLose(body), gained: peopleWith('owner', body) })),
        seeAlso: ['teams members set', 'teams members remove'],
        flags: [
          {
            flags: '--role <user=role>',
            description:
              'set the role of a member (owner or member), adding people who are not in the team (repeatable)',
            repeatable: true,
            sets: true,
            pair: { object: 'userId', words: teamRoles },
          },
          ownerlessFlag,
        ],
        input: {
          without: ['memberships'],

          needsChange: true,
          body: membershipsFrom,
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
        description:
          'Adds people who are not in the team. Without --role, members keep their role, and new ones get "member".',
        exitStatuses: { 6: 'the role is neither owner nor member, or the team would have no owner' },
        flags: [ownerlessFlag],
        guard: ownerGuard(({ params, body }) => ({ lost: body?.role === 'member' ? [params['userId'] ?? ''] : [] })),
        examples: {
          'Make a member an owner': 'docsctl teams members set writers00001 member000002 --role owner',
          'Add a member': 'docsctl teams members set writers00001 member000100',
        },
        seeAlso: ['teams members update'],
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
        description:
          'They stay in the organization. Fails if somebody is not in the team; "teams members update --remove" ignores that.',
        examples: {
          'Remove a member': 'docsctl teams members remove writers00001 member000002 --yes',
          'Remove the members of a list':
            'docsctl teams members list writers00001 --filter role=member -o id | docsctl teams members remove writers00001 - --yes',
        },
        seeAlso: ['teams members update', 'members remove'],
        flags: [ownerlessFlag],
        output: { done: 'Removed {} from the team.' },
        guard: ownerGuard(({ params }) => ({ lost: [params['userId'] ?? ''] })),
        confirm: { question: 'Remove {} from the team {teamId}?' },
        self: { question: 'Remove {} from the team {teamId}?', loss: 'you lose what it gives you.' },
      }),
    ],
  },
];
export default nodes;
