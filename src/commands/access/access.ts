import type { Column } from '../../cli/output/index.ts';
import type { Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import { roles } from '../../contract/access.ts';
import { members } from '../../contract/members.ts';
import { ownerlessFlag } from '../shared/ownerless-flag.ts';
import { roleWords } from '../../people/roles.ts';

const reviewFileColumns: Column[] = [{ key: 'owner' }, { key: 'file', kind: 'id' }, { key: 'rows', kind: 'number' }];

const decisionColumns: Column[] = [
  { key: 'member' },
  { key: 'team' },
  { key: 'from' },
  { key: 'decision' },
  { key: 'owner', title: 'Decided by' },
  { key: 'outcome', kind: 'state' },
  { key: 'reason' },
];

const nodes: Node[] = [
  command({
    use: 'list',
    changes: [],
    prints: async () => (await import('../shared/printed.ts')).access,
    summary: 'List who has access to what, and why.',
    description:
      "Lists the members with a level on a space or on the spaces of a site, or all spaces of one member. The reason is derived from the member's role and the default levels of the space and its collections; otherwise the level comes from an invite. Readers of published sites are not members, so they are not listed. Invite links to the spaces are printed on standard error.",
    examples: {
      'See who can access a space': 'docsctl access list --space handbook0001',
      'Audit a site': 'docsctl access list --site lumensite001 -o csv > access.csv',
      'See what a member can access': 'docsctl access list --member member000002',
    },
    exitStatuses: { 4: 'guests of the organization have no access', 5: 'no such space, site or member' },
    seeAlso: ['access matrix', 'access check', 'members spaces'],
    flags: [
      { flags: '--space <id>', description: 'list the members with a level on this space' },
      { flags: '--site <id>', description: 'list the members with a level on the spaces of this site' },
      { flags: '--member <id>', description: 'list the spaces of this member' },
    ],
    input: { context: ['org'] },
    output: {
      list: true,
      fields: ['member.role', 'member.disabled'],
      columns: [
        { key: 'member.displayName', title: 'Name' },
        { key: 'member.email', title: 'Email' },
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
    changes: [],
    prints: async () => (await import('../shared/printed.ts')).accessMatrix,
    summary: "Show every member's level on every space.",
    description:
      'Prints one row per member and one column per space that you can see; an empty cell means no access. With -o json, each row lists its spaces with level and reason.',
    examples: {
      'Export to a spreadsheet': 'docsctl access matrix -o csv > matrix.csv',
      'Show the levels of guests on the spaces of a site': 'docsctl access matrix --site lumensite001 --role guest',
    },
    exitStatuses: { 4: 'guests of the organization have no access' },
    seeAlso: ['access list', 'access check'],
    flags: [
      { flags: '--site <id>', description: 'only the spaces of this site' },
      {
        flags: '--role <word>',
        description: 'only members with this role (repeatable or comma-separated)',
        choices: roleWords,
        repeatable: true,
      },
    ],
    input: { context: ['org'] },
    output: {
      list: true,
      fields: ['disabled', 'spaces.title', 'spaces.level', 'spaces.reason'],
      // Those of the spaces are not known here.
      columns: [
        { key: 'displayName', title: 'Name' },
        { key: 'email', title: 'Email' },
        { key: 'role', kind: 'role' },
        { key: 'id', title: 'ID', kind: 'id' },
      ],
    },
    run: async (invocation) => (await import('./matrix.ts')).printMatrix(invocation),
  }),
  command({
    use: 'grants',
    endpoint: members.grants,
    description:
      'Lists what people got from invites to spaces and collections, beyond their roles and the default levels. A grant on a collection applies to everything in it.',
    examples: {
      'List all grants': 'docsctl access grants',
      'Find grants on a space': 'docsctl access grants --filter space=handbook0001',
    },
    exitStatuses: { 4: 'guests of the organization have no access' },
    seeAlso: ['access list', 'access matrix'],
    output: {
      columns: [
        { key: 'member', title: 'Member ID', kind: 'id' },
        { key: 'level', kind: 'role' },
        { key: 'space', title: 'Space ID', kind: 'id' },
        { key: 'collection', title: 'Collection ID', kind: 'id' },
      ],
      idKey: 'member',
    },
  }),
  command({
    use: 'check <user> <space> [level]',
    changes: [],
    prints: async () => (await import('../shared/printed.ts')).accessCheck,
    summary: 'Check whether a member has a level on a space, and why.',
    description:
      'Checks for the level read unless you name another one. The exit status is 0 for yes and 9 for no. Disabled members have no access.',
    examples: {
      'Check whether a member can read a space': 'docsctl access check member000001 handbook0001',
      'Check whether they can edit it, and print the reason':
        'docsctl access check member000001 handbook0001 edit --jq .reason',
    },
    exitStatuses: { 5: 'no such member or space', 9: 'the member does not have this level' },
    seeAlso: ['access list', 'members spaces'],
    input: {
      objects: { user: () => 'userId', space: () => 'spaceId' },
      suggestions: { level: () => roles },
    },
    output: {
      columns: [
        { key: 'allowed', kind: 'boolean', style: { true: 'good', false: 'bad' } },
        { key: 'member.displayName', title: 'Name' },
        { key: 'member.email', title: 'Email' },
        { key: 'space.title', title: 'Space' },
        { key: 'needed' },
        { key: 'level' },
        { key: 'reason' },
      ],
      idKey: 'member.id',
    },
    run: async (invocation) => (await import('./check.ts')).checkAccess(invocation),
  }),
  {
    name: 'review',
    summary: 'have team owners confirm who is in their teams',
    children: [
      command({
        use: 'create',
        changes: ['files'],
        prints: async () => (await import('../shared/printed.ts')).reviewFiles,
        summary: 'Write a CSV file for each owner of a team.',
        description:
          'Owners put keep, remove, owner or member into the column decision of their file. Teams without an owner get a file for you. The evidence file records decisions and changes in a chain of hashes.',
        examples: {
          'Create a review': 'docsctl access review create --team-owners --out review-2026',
          'See who would decide': 'docsctl access review create --team-owners --dry-run',
        },
        seeAlso: ['access review apply', 'access matrix'],
        flags: [
          { flags: '--team-owners', description: 'the owners of each team decide about its members' },
          { flags: '--out <folder>', description: 'new folder for the files (default: access-review)' },
        ],
        input: { context: ['org'] },
        output: { list: true, idKey: 'file', columns: reviewFileColumns },
        run: async (invocation) => (await import('./review.ts')).create(invocation),
      }),
      command({
        use: 'apply [folder]',
        changes: ['service', 'files'],
        prints: async () => (await import('../shared/printed.ts')).reviewChanges,
        summary: 'Record the decisions, show them as a plan, and carry it out.',
        description:
          'Decisions are recorded before anything is sent. Run it again to finish the rest: what is done is skipped. If owners of a team disagree, nothing happens to that row.',
        examples: {
          'Show the plan': 'docsctl access review apply review --dry-run',
          'Print the changes as CSV, without making them': 'docsctl access review apply review --dry-run -o csv',
        },
        exitStatuses: {
          6: 'a team would have no owner',
          8: 'changes failed, or rows cannot be used',
          9: 'the review was altered',
        },
        seeAlso: ['access review verify', 'teams members remove'],
        flags: [ownerlessFlag],
        output: { list: true, idKey: 'key', columns: decisionColumns },
        run: async (invocation) => (await import('./review.ts')).apply(invocation),
      }),
      command({
        use: 'verify [folder]',
        changes: [],
        prints: async () => (await import('../shared/printed.ts')).reviewCheck,
        summary: 'Check that nobody altered a review.',
        description:
          'Compares the chain of hashes, the review and the files of the owners. Prints the hash of the last entry: keep it elsewhere, and pass it as --head to notice that entries at the end are missing.',
        examples: {
          'Verify a review': 'docsctl access review verify review',
          'Print the hash of the last entry': 'docsctl access review verify review --jq .id',
        },
        exitStatuses: { 9: 'the review was altered' },
        seeAlso: ['access review apply'],
        flags: [{ flags: '--head <hash>', description: 'hash of an entry that must be there' }],
        output: {
          columns: [
            { key: 'id', title: 'Last entry', kind: 'id' },
            { key: 'entries', kind: 'number' },
            { key: 'findings', kind: 'number' },
          ],
        },
        run: async (invocation) => (await import('./review.ts')).verify(invocation),
      }),
    ],
  },
];
export default nodes;
