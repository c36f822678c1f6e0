import type { Column } from '../../cli/output/index.ts';
import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/failure.ts';
import { statuses } from '../../proposals/status.ts';

const style = {
  open: 'warn',
  approved: 'good',
  applied: 'good',
  applying: 'warn',
  expired: 'bad',
  outdated: 'bad',
  rejected: 'bad',
  failed: 'bad',
} as const;

const columns = [
  { key: 'number', title: 'No.', kind: 'id' },
  { key: 'title' },
  { key: 'status', kind: 'state', style },
  { key: 'author', value: ({ author }) => nameOf(author) },
  { key: 'approvals', value: ({ approvals, required }) => `${listOf(approvals).length} of ${String(required)}` },
  { key: 'expiresAt', title: 'Expires', kind: 'date' },
] as const satisfies readonly Column[];

const card = [
  ...columns.slice(0, 4),
  { key: 'createdAt', title: 'Created', kind: 'date' },
  { key: 'expiresAt', title: 'Expires', kind: 'date' },
  {
    key: 'approvals',
    value: ({ approvals, required }) =>
      `${listOf(approvals).length} of ${String(required)} ${listOf(approvals).map(nameOf).join(', ')}`.trimEnd(),
  },
  {
    key: 'void',
    title: 'Not counted',
    optional: true,
    value: ({ void: list }) =>
      listOf(list)
        .map((each) => `${nameOf(each)} (${textOf(each, 'reason')})`)
        .join(', '),
  },
  { key: 'command', optional: true },
  { key: 'plan', optional: true },
  {
    key: 'files',
    optional: true,
    value: ({ files }) =>
      listOf(files)
        .map((file) => textOf(file, 'path'))
        .join(', '),
  },
  { key: 'rejected.reason', title: 'Reason', optional: true },
  { key: 'outdated.changed', title: 'Changed since', optional: true },
  { key: 'result.endedAt', title: 'Applied', kind: 'date', optional: true },
  { key: 'result.changes', title: 'Requests', optional: true },
  { key: 'result.error', title: 'Error', optional: true },
  { key: 'result.pullRequest', title: 'Pull request', optional: true },
  { key: 'hash' },
] as const satisfies readonly Column[];

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown, key: string): string => String(Reflect.get(Object(value), key) ?? '');
const nameOf = (value: unknown): string => textOf(Reflect.get(Object(value), 'user') ?? value, 'displayName');

const printed = async () => (await import('../shared/printed-proposals.ts')).proposal;
const texts = { proposal: 'number or ID of a proposal' };
const input = { context: ['org'], texts } as const;
const docs = 'docs/proposals.md';
const noProposal = { [exit.notFound]: 'no proposal has this number or ID' };

const list = command({
  use: 'list',
  changes: [],
  prints: async () => (await import('../shared/printed-proposals.ts')).proposals,
  summary: 'List proposals, newest first.',
  description:
    'Lists proposals that can still be approved or applied; --status lists others. Whether something that they touch was changed in the meantime is only checked when they are approved or applied.',
  examples: {
    'List proposals that wait for an approval': 'docsctl proposals list --status open',
    'List all proposals': 'docsctl proposals list --status all',
  },
  docs,
  seeAlso: ['propose', 'proposals view'],
  flags: [
    {
      flags: '--status <status>',
      description: 'only proposals with this status, or all of them (default: open, approved, expired and outdated)',
      choices: [...statuses, 'all'],
    },
  ],
  input: { context: ['org'] },
  output: { list: true, columns, idKey: 'number' },
  run: async (invocation) => (await import('./show.ts')).listAll(invocation),
});

const view = command({
  use: 'view <proposal>',
  changes: [],
  prints: printed,
  summary: 'Show a proposal with what its rehearsal showed.',
  description:
    'Shows the command or plan, its author, its approvals, and the requests, changes, access and broken links of the rehearsal, as the author saw it. "docsctl proposals approve" rehearses it again before it counts.',
  examples: {
    'Show proposal 1': 'docsctl proposals view 1',
    'Print its status': 'docsctl proposals view 1 --jq .status',
  },
  exitStatuses: noProposal,
  docs,
  seeAlso: ['propose', 'proposals approve'],
  input,
  output: { card },
  run: async (invocation) => (await import('./show.ts')).viewOne(invocation),
});

const approve = command({
  use: 'approve <proposal>',
  changes: ['service'],
  prints: printed,
  summary: 'Approve a proposal of somebody else.',
  description:
    'Rehearses the proposal again on a copy, shows the result, and asks. The approval is for exactly this content and this result: if either changes, it no longer counts. Only administrators can approve, and nobody can approve what they wrote or edited.',
  examples: {
    'Approve proposal 1 after a question': 'docsctl proposals approve 1',
    'Approve it without a question, as another administrator': 'docsctl proposals approve 1 --yes',
  },
  exitStatuses: {
    ...noProposal,
    [exit.forbidden]: 'you are not an administrator, or you wrote or edited the proposal',
    [exit.refused]: 'it is not open, has expired, or something that it touches was changed',
  },
  docs,
  seeAlso: ['proposals view', 'proposals apply'],
  input,
  output: { card },
  run: async (invocation) => (await import('./approve.ts')).approve(invocation),
});

const reject = command({
  use: 'reject <proposal>',
  changes: ['service'],
  prints: printed,
  summary: 'Reject a proposal, or withdraw your own.',
  description:
    'A rejected proposal can be neither approved nor applied. Administrators can reject every proposal, and authors their own.',
  examples: {
    'Reject proposal 1': 'docsctl proposals reject 1',
    'Reject proposal 1 with a reason': 'docsctl proposals reject 1 --reason "Wrong team"',
  },
  exitStatuses: {
    ...noProposal,
    [exit.forbidden]: 'you are neither an administrator nor the author',
    [exit.refused]: 'it was applied or rejected already',
  },
  docs,
  seeAlso: ['proposals view'],
  flags: [{ flags: '--reason <text>', description: 'why, for the author' }],
  input,
  output: { card },
  run: async (invocation) => (await import('./approve.ts')).reject(invocation),
});

const apply = command({
  use: 'apply <proposal>',
  changes: ['service'],
  prints: printed,
  summary: 'Apply an approved proposal.',
  description:
    'Rehearses the proposal once more, compares the result with what was approved, asks, and runs exactly the approved command or plan. A proposal is applied at most once. If docsctl is killed meanwhile, "docsctl proposals view" says so, and the journal of this machine has what was sent.',
  examples: {
    'Check whether proposal 1 can be applied': 'docsctl proposals apply 1 --dry-run',
    'Apply proposal 1 without a question': 'docsctl proposals apply 1 --yes',
  },
  exitStatuses: {
    ...noProposal,
    [exit.forbidden]: 'it is not approved, or you are not an administrator',
    [exit.refused]: 'it has expired, was rejected or applied, or something that it touches was changed',
    [exit.someFailed]: 'some of its changes were made and others were not',
  },
  docs,
  seeAlso: ['proposals approve', 'proposals revert'],
  flags: [
    {
      flags: '--approved-by-pull-request <url>',
      description: 'count the review of this merged pull request as one approval; in CI jobs only, and recorded',
    },
  ],
  input,
  output: { card },
  run: async (invocation) => (await import('./apply.ts')).applyProposal(invocation),
});

const revert = command({
  use: 'revert <proposal>',
  changes: ['service'],
  prints: printed,
  summary: 'Undo an applied proposal as a whole.',
  description:
    'Undoes everything that the proposal changed, from any machine, with the journal that "docsctl proposals apply" stored with it. Sends nothing if a part of it cannot be undone, or if something that it changed was changed again since.',
  examples: {
    'Preview the requests of a revert': 'docsctl proposals revert 1 --dry-run',
    'Revert proposal 1 without a question': 'docsctl proposals revert 1 --yes',
  },
  exitStatuses: {
    ...noProposal,
    [exit.forbidden]: 'you are not an administrator',
    [exit.refused]: 'it was not applied, a part cannot be undone, or was changed in the meantime; nothing was sent',
    [exit.someFailed]: 'a request failed after others were sent',
  },
  docs,
  seeAlso: ['proposals apply', 'undo'],
  input,
  output: { card },
  run: async (invocation) => (await import('./revert.ts')).revert(invocation),
});

const diff = command({
  use: 'diff <proposal>',
  changes: [],
  prints: async () => (await import('../shared/printed-proposals.ts')).proposalDiff,
  summary: 'Show the changed lines of pages, and whether a proposal is outdated.',
  description:
    'Rehearses the proposal now, and prints the changed lines of each page that it touches. Also lists what differs from the rehearsal of the author: with such differences, the proposal can no longer be approved.',
  examples: {
    'Show the changed lines of proposal 1': 'docsctl proposals diff 1',
    'Print them for a program': 'docsctl proposals diff 1 -o json',
  },
  exitStatuses: { ...noProposal, [exit.refused]: 'it was applied, or would be refused now' },
  docs,
  seeAlso: ['proposals view', 'proposals approve'],
  input,
  run: async (invocation) => (await import('./diff.ts')).showDiff(invocation),
});

const allow = command({
  use: 'allow <who...>',
  changes: ['service'],
  prints: async () => (await import('../shared/printed-proposals.ts')).allowed,
  summary: 'Let people or teams propose changes who are not administrators.',
  description:
    'They need the level "edit" on the space of the proposals, which the service gives to people who accept an invite link. Prints the link for those who cannot propose yet: each of them accepts it once. Run the command again afterwards: it deletes the link once everybody can propose.',
  examples: {
    'Let the user of an agent propose changes': 'docsctl proposals allow person3@lumen.example',
    'Let a team propose changes': 'docsctl proposals allow Writers',
  },
  exitStatuses: {
    [exit.forbidden]: 'you are not an administrator',
    [exit.notFound]: 'nobody has one of the names',
  },
  docs,
  seeAlso: ['propose', 'invites accept'],
  input: { context: ['org'], texts: { who: 'people or teams: email address, name or ID; repeatable' } },
  output: {
    columns: [
      { key: 'name' },
      { key: 'result', kind: 'state', style: { allowed: 'good', invited: 'warn' } },
      { key: 'invite', optional: true },
    ],
    idKey: 'user',
  },
  run: async (invocation) => (await import('./allow.ts')).allow(invocation),
});

export default [list, view, diff, approve, reject, apply, revert, allow];
