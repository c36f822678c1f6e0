import type { Column } from '../../cli/output/index.ts';
import type { Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import type { RoleName } from '../../contract/access.ts';
import { members } from '../../contract/members.ts';
import { resultColumns, role, title } from '../shared/columns.ts';
import { ownerlessFlag } from '../shared/ownerless-flag.ts';
import { isLower, isRole } from '../../people/roles.ts';
import { editFlags, offboardFlags, restoreFlags, syncFlags } from './flags.ts';

const columns: Column[] = [
  { key: 'user.displayName', title: 'Name' },
  { key: 'user.email', title: 'Email' },
  role,
  { key: 'lastSeenAt', title: 'Last seen', kind: 'date' },
  { key: 'joinedAt', title: 'Joined', kind: 'date', optional: true },
  { key: 'teams', kind: 'number', optional: true },
  { key: 'id', title: 'ID', kind: 'id' },
];

const card: Column[] = [
  { key: 'user.displayName', title: 'Name' },
  { key: 'user.email', title: 'Email' },
  { key: 'id', title: 'ID', kind: 'id' },
  role,
  { key: 'disabled', kind: 'boolean', style: { true: 'bad' } },
  { key: 'sso', title: 'Signs in through SSO', kind: 'boolean' },
  { key: 'teams', kind: 'number' },
  { key: 'spaces', kind: 'number' },
  { key: 'joinedAt', title: 'Joined', kind: 'date' },
  { key: 'lastSeenAt', title: 'Last seen', kind: 'date' },
];

const syncColumns: Column[] = [{ key: 'name', title: 'Member', kind: 'id' }, role, ...resultColumns];

/** Whether the new role gives less than the current one. */
function lowersRole({ role: next }: Record<string, unknown>, current: RoleName | null): boolean {
  return next !== undefined && isLower(isRole(next) ? next : null, current);
}

const output = { columns, card };

const nodes: Node[] = [
  command({
    use: 'list',
    endpoint: members.list,
    description:
      'Newest first, including guests. --search matches names and email addresses. --sort lastSeenAt skips disabled members and members who were never seen, and prints how many; --sort-by lastSeenAt includes them.',
    examples: {
      'List the twenty members seen last': 'docsctl members list --sort-by lastSeenAt:desc --limit 20',
      'Export all guests to a spreadsheet': 'docsctl members list --role guest -o csv',
      'List creators and administrators not seen for 90 days':
        "docsctl members list --role admin,create --filter 'lastSeenAt<90d'",
      'Print IDs for another command': 'docsctl members list --search admin -o id',
    },
    seeAlso: ['members edit', 'members remove', 'teams list', 'help filters'],
    output,
  }),
  command({
    use: 'view <user>',
    endpoint: members.view,
    description:
      'Takes a user ID, as "members list" and "whoami" print it. Use "members list --search" to find people by email address.',
    examples: {
      'View a member': 'docsctl members view member000001',
      'See your own role': 'docsctl members view "$(docsctl whoami -o id)"',
    },
    seeAlso: ['members spaces', 'members teams', 'members edit'],
    output,
  }),
  command({
    use: 'edit <user...>',
    prints: async () => (await import('../shared/printed.ts')).memberEdits,
    endpoint: members.edit,
    description: `Guests have no role in the organization and see only what is shared with them. Teams and levels on spaces stay unchanged. The role of the last administrator cannot be changed. Making somebody an administrator and lowering your own role ask for confirmation.

--from reads CSV with the columns email or user (address or ID) and role, in this order if there is no header; --role applies to rows without a role. All rows are checked before the first request. Members who already have the role are skipped, so you can repeat the command.`,
    examples: {
      'Let a member review': 'docsctl members edit member000002 --role review',
      'Make two members guests': 'docsctl members edit member000002 member000003 --role guest',
      'Change the members of a list':
        'docsctl members list --role create --limit 3 -o id | docsctl members edit - --role edit',
      'Change roles from a file and save the result of each row':
        'docsctl members edit --from roles.csv --result done.csv',
    },
    exitStatuses: {
      6: 'this is the last administrator',
      8: 'some were not changed; with --from, the table explains why',
    },
    seeAlso: ['members list', 'members remove'],
    flags: editFlags,
    input: { batch: true },
    output,
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
    description:
      'Removes their team memberships and their levels on spaces and collections; a new invite does not restore these. Their content and account stay. The last administrator cannot be removed.',
    examples: {
      'Remove two members': 'docsctl members remove member000002 member000003 --yes',
      'Remove the members of a list':
        'docsctl members list --role guest --limit 5 -o id | docsctl members remove - --yes',
      'Preview the request': 'docsctl members remove member000002 --dry-run',
    },
    exitStatuses: { 6: 'this is the last administrator, or a team would have no owner' },
    seeAlso: ['members edit', 'teams members remove', 'members offboard'],
    flags: [ownerlessFlag],
    output: { done: 'Removed {}.' },
    guard: async (invocation, calls) => (await import('../shared/keep-owners.ts')).keepOwners(invocation, calls),
    confirm: { question: 'Remove {} from the organization {orgId}?' },
    self: {
      question: 'Remove {} from the organization {orgId}?',
      loss: 'you lose access and cannot invite yourself again.',
    },
  }),
  command({
    use: 'offboard <user...>',
    changes: ['service', 'files'],
    prints: async () => (await import('../shared/printed.ts')).offboarded,
    permanent: () => members.remove.name,
    summary: 'Hand over what members own and remove them from the organization.',
    description: `Shows their teams, open change requests, unresolved comments, invite links, and levels above their role. After a confirmation, the member of --to becomes an owner of teams that would have none, and a comment on each open change request names them. Then the member is removed. Content stays. If a step fails, the rest is skipped; run the command again to continue.

Every step is recorded in a JSON file, which "members restore" reads. Only spaces that you can see are checked. You cannot offboard yourself or the last administrators.`,
    examples: {
      'Preview what would be done': 'docsctl members offboard member000002 --dry-run',
      'Hand over to another member and name the record':
        'docsctl members offboard person3@lumen.example --to person4@lumen.example --yes --record offboarding.json',
      'Preview for all guests': 'docsctl members offboard role:guest --to person4@lumen.example --dry-run',
    },
    exitStatuses: {
      5: 'no such member',
      6: 'this is the last administrator, or a team would have no owner',
      8: 'a step failed',
    },
    seeAlso: ['members restore', 'members remove', 'members teams'],
    flags: offboardFlags,
    input: {
      context: ['org'],
      objects: { user: () => 'userId' },
    },
    output: { idKey: 'id' },
    run: async (invocation) => (await import('./offboard/offboard.ts')).offboard(invocation),
  }),
  command({
    use: 'restore',
    changes: ['service'],
    prints: async () => (await import('../shared/printed.ts')).restored,
    permanent: () => 'invites.send',
    summary: 'Invite offboarded members again, and restore their roles and teams.',
    description:
      'Reads records of "members offboard". New owners of their teams stay owners. No request grants levels on spaces: with --level-links, an invite link is created for each, which the member has to open. Running it again restores what is missing.',
    examples: {
      'Restore a member': 'docsctl members restore --record gina.json',
      'Preview what would be restored': 'docsctl members restore --record gina.json --dry-run',
    },
    exitStatuses: { 8: 'something was not restored' },
    seeAlso: ['members offboard', 'undo', 'invites links list'],
    flags: restoreFlags,
    input: { context: ['org'] },
    output: { idKey: 'user' },
    writesFilesWith: [],
    run: async (invocation) => (await import('./offboard/restore.ts')).restoreMembers(invocation),
  }),
  command({
    use: 'sync <file>',
    changes: ['service'],
    prints: async () => (await import('../shared/printed.ts')).synced,
    summary: 'Make roles and teams match a CSV file from a company directory.',
    description: `The columns are email, role, teams (titles separated by semicolons or commas) and sso; missing values stay as they are. People who are not members are invited. Team members keep their role in the team. Shows the changes and asks. Invalid rows are reported and skipped; run the command again to continue.

--remove-missing removes members who are not in the file, and team members who are not in their rows, unless a row is invalid. Removing more than a tenth of the members, all other administrators, or yourself is refused; flags raise these limits.`,
    examples: {
      'Preview the changes': 'docsctl members sync people.csv --dry-run',
      'Run as a nightly job and save the result of each row':
        'docsctl members sync people.csv --create-teams --yes --result done.csv',
    },
    exitStatuses: {
      6: 'too many members or the last administrators would be removed; nothing was sent',
      8: 'some rows were invalid or failed',
    },
    seeAlso: ['members edit', 'invites send', 'plan', 'undo'],
    flags: syncFlags,
    input: { context: ['org'] },
    output: { columns: syncColumns, idKey: 'name' },
    writesFilesWith: ['result'],
    run: async (invocation) => (await import('./sync.ts')).sync(invocation),
  }),
  command({
    use: 'mark-sso <user...>',
    endpoint: members.markSso,
    description:
      'Members count as signing in through SSO from then on, whether or not a provider exists. This cannot be undone.',
    examples: {
      'Mark a member': 'docsctl members mark-sso member000002',
      'Mark the members of a list': 'docsctl members list --role create --limit 3 -o id | docsctl members mark-sso -',
    },
    seeAlso: ['sso providers list', 'orgs edit', 'members view'],
    output,
  }),
  command({
    use: 'spaces <user>',
    endpoint: members.spaces,
    description: 'The permission is the highest of the role, the default levels and the levels from invites.',
    examples: {
      'List what a member can see': 'docsctl members spaces member000002',
      'Print IDs only, oldest space first': 'docsctl members spaces member000002 --order asc -o id',
    },
    seeAlso: ['spaces list', 'members teams'],
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
    description: 'Shows the role in each team. Owners can manage the members of the team.',
    examples: {
      'List the teams of a member': 'docsctl members teams member000001',
      'List teams whose title contains a text': 'docsctl members teams member000001 --title writ',
    },
    seeAlso: ['teams members list', 'members spaces'],
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
