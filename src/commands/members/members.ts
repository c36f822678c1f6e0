import type { Column } from '../../cli/output/index.ts';
import type { Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import type { RoleName } from '../../contract/access.ts';
import { members } from '../../contract/members.ts';
import { role, title } from '../shared/columns.ts';
import { isLower, isRole } from '../shared/roles.ts';
import { editFlags } from './edit-flags.ts';
import { syncFlags } from './sync-flags.ts';

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

const syncColumns: Column[] = [
  { key: 'name', title: 'Member', kind: 'id' },
  role,
  {
    key: 'outcome',
    kind: 'state',
    style: {
      invited: 'good',
      changed: 'good',
      created: 'good',
      removed: 'warn',
      unchanged: 'dim',
      refused: 'bad',
      failed: 'bad',
      'not tried': 'warn',
    },
  },
  { key: 'reason', optional: true },
  { key: 'line', kind: 'number', optional: true },
];

/** Whether a change of the role takes something from somebody with this role. */
function lowersRole({ role: next }: Record<string, unknown>, current: RoleName | null): boolean {
  return next !== undefined && isLower(isRole(next) ? next : null, current);
}

const nodes: Node[] = [
  command({
    use: 'list',
    endpoint: members.list,
    help: {
      description:
        'Includes guests; newest first. --search looks in names and e-mail addresses. --sort lastSeenAt leaves out disabled members and members who were never seen, and says how many; --sort-by lastSeenAt has them all.',
      examples: [
        { run: 'docsctl members list --sort-by lastSeenAt:desc --limit 20', does: 'The twenty people seen last' },
        { run: 'docsctl members list --role guest -o csv', does: 'All guests, for a spreadsheet' },
        {
          run: "docsctl members list --role admin,create --filter 'lastSeenAt<90d'",
          does: 'Who may create spaces, but was not seen for 90 days',
        },
        { run: 'docsctl members list --search admin -o id', does: 'Ids alone, for another command' },
      ],
      seeAlso: ['members edit', 'members remove', 'teams list', 'help filters'],
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
    use: 'edit <user...>',
    endpoint: members.edit,
    help: {
      description:
        'A guest has no role in the organization and sees only what was shared with them. Teams and levels on spaces stay unchanged. The role of the last administrator cannot be changed. It asks before it makes somebody an administrator, and before you lower yourself.\n\nA file for --from is CSV with the columns email or user (an address or id) and role, in any order; others are ignored. Without a header, they are in this order. --role is for rows without a role. Every row is checked before the first request, and who has the role already is left alone, so it can be run again for the rest.',
      examples: [
        { run: 'docsctl members edit member000002 --role review', does: 'Let a member review' },
        { run: 'docsctl members edit member000002 member000003 --role guest', does: 'Make two members guests' },
        {
          run: 'docsctl members list --role create --limit 3 -o id | docsctl members edit - --role edit',
          does: 'The members of a list',
        },
        {
          run: 'docsctl members edit --from roles.csv --result done.csv',
          does: 'Each row of a file, and what became of it',
        },
      ],
      exitStatuses: {
        6: 'this is the last administrator',
        8: 'some were not changed: with --from, the table says why',
      },
      seeAlso: ['members list', 'members remove'],
    },
    input: {
      batch: true,
      flags: editFlags,
    },
    output: {
      columns,
      card,
    },
    confirm: {
      question: 'Make {} an administrator of the organization {orgId}?',
      when: ({ role: next }) => next === 'admin',
    },
    writesFilesWith: ['result'],
    run: async (invocation) => (await import('./edit.ts')).edit(invocation),
    self: {
      question: 'Lower the role of {} in the organization {orgId}?',
      loss: 'you cannot give yourself the role back.',
      lowers: lowersRole,
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
    confirm: { question: 'Remove {} from the organization {orgId}?' },
    self: {
      question: 'Remove {} from the organization {orgId}?',
      loss: 'you have no access afterwards, and cannot invite yourself again.',
    },
  }),
  command({
    use: 'offboard <user>',
    help: {
      summary: 'Hand over what somebody has, and remove them from the organization.',
      description: `Shows their teams, open change requests, unresolved comments, and the spaces where they have more than their role gives. Then it asks, makes the member of --to an owner of the teams that nobody else owns, and removes them. Their content stays. If a step fails, nothing after it is done; the same command again finishes it.

Everything is written to a JSON file before the first step and after each one. Only the spaces that you see are looked through. You cannot offboard yourself, nor the last administrator.`,
      examples: [
        { run: 'docsctl members offboard member000002 --dry-run', does: 'What they have, and what would be done' },
        {
          run: 'docsctl members offboard person3@lumen.example --to person4@lumen.example --yes --record amara.json',
          does: 'With an heir, and a record in a file of this name',
        },
      ],
      exitStatuses: { 5: 'there is no such member', 6: 'this is the last administrator', 8: 'a step failed' },
      seeAlso: ['members remove', 'members teams', 'members spaces'],
    },
    input: {
      context: ['org'],
      objects: { user: () => 'userId' },
      flags: [
        {
          flags: '--to <user>',
          description: 'who becomes owner of the teams that they own alone: an id or e-mail address',
        },
        { flags: '--record <file>', description: 'the file to write what was done to, instead of a new one here' },
      ],
    },
    run: async (invocation) => (await import('./offboard/offboard.ts')).offboard(invocation),
  }),
  command({
    use: 'sync <file>',
    help: {
      summary: 'Give members the roles and teams of a CSV file, as a company directory exports it.',
      description: `The file has the columns email, role, teams (titles, with semicolons or commas between) and sso, in any order; others are ignored, and what a row leaves out stays as it is. Who is no member is invited. In a team that somebody is in already, they keep their role. Shows the changes first, and asks. A row that cannot be used is told, and the rest goes on; run again, the same command finishes.

With --remove-missing, members whom the file does not have are removed, and the teams that the file names have no others; but nobody is removed while a row cannot be used. It is refused to remove more than a tenth of the members, the last other administrator or yourself; flags raise these limits.`,
      examples: [
        { run: 'docsctl members sync people.csv --dry-run', does: 'What would be changed' },
        {
          run: 'docsctl members sync people.csv --create-teams --yes --result done.csv',
          does: 'In a nightly job, with what became of each row',
        },
      ],
      exitStatuses: {
        6: 'too many members would be removed, or the last administrators; nothing was sent',
        8: 'some rows could not be used, or failed',
      },
      seeAlso: ['members edit', 'invites send', 'plan', 'undo'],
    },
    input: { context: ['org'], flags: syncFlags },
    output: { columns: syncColumns, idKey: 'name' },
    writesFilesWith: ['result'],
    run: async (invocation) => (await import('./sync.ts')).sync(invocation),
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
