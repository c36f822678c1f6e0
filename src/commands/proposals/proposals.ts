import type { Column } from '../../cli/output/index.ts';
import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/failure.ts';
import { statuses } from '../../proposals/status.ts';
import { words } from '../../shared/words.ts';

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
    'Lists proposals that can still be approved or applied; --status lists others. docsctl checks whether a proposal is outdated only when you approve or apply it.',
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
  output: {
    list: true,
    columns,
    fields: words('id author.id author.email author.displayName command plan hash'),
    idKey: 'number',
  },
  run: async (invocation) => (await import('./show.ts')).listAll(invocation),
});

const view = command({
  use: 'view <proposal>',
  changes: [],
  prints: printed,
  summary: 'Show a proposal and the result of its rehearsal.',
  description:
    'Shows the command or plan, its author, its approvals, and the requests, changes, access and broken links of the rehearsal, as the author saw them. "docsctl proposals approve" repeats the rehearsal.',
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
  summary: "Approve another person's proposal.",
  description:
    'Repeats the rehearsal on a copy, shows the result and asks for confirmation. The approval covers only this content and this result: if either changes, the approval is void. Only administrators can approve, and nobody can approve a proposal that they wrote or edited.',
  examples: {
    'Approve proposal 1 after a question': 'docsctl proposals approve 1',
    'Approve it without a question, as another administrator': 'docsctl proposals approve 1 --yes',
  },
  exitStatuses: {
    ...noProposal,
    [exit.forbidden]: 'you are not an administrator, or you wrote or edited the proposal',
    [exit.refused]: 'it is not open, has expired or is outdated',
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
    'A rejected proposal can no longer be approved or applied. Administrators can reject all proposals, and authors their own.',
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
    'Repeats the rehearsal, compares the result with the approved one, asks for confirmation and runs exactly the approved command or plan. Requests that the rehearsal did not contain are not sent. A proposal is applied at most once. If docsctl is killed during the apply, "docsctl proposals view" reports it, and the journal on this machine contains what was sent.',
  examples: {
    'Check whether proposal 1 can be applied': 'docsctl proposals apply 1 --dry-run',
    'Apply proposal 1 without a question': 'docsctl proposals apply 1 --yes',
  },
  exitStatuses: {
    ...noProposal,
    [exit.forbidden]: 'it is not approved, or you are not an administrator',
    [exit.refused]: 'it has expired, was rejected or applied, or is outdated',
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
    'Undoes all changes of the proposal, from any machine, with the journal that "docsctl proposals apply" stored with it. Sends nothing if a part of it cannot be undone, or if something that it changed has been changed again.',
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
    'Repeats the rehearsal and prints the changed lines of each page. Also lists the differences from the rehearsal of the author: if there are any, the proposal is outdated and cannot be approved.',
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
  summary: 'Let people who are not administrators propose changes.',
  description:
    'They need the level "edit" on the space for proposals, which the service grants through an invite link. Prints the link for people who cannot propose yet. Each of them accepts it once. Then run the command again: it deletes the link when everybody can propose.',
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
