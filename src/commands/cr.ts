import type { Column } from '../cli/output/index.ts';
import { exit } from '../cli/exit.ts';
import { CommandError } from '../cli/failure.ts';
import { argument, type Invocation, print } from '../cli/invocation.ts';
import { endpointOf, inputOf, paramsOf, printRequest, send } from '../cli/run.ts';
import type { Node } from '../cli/tree.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import { changeRequests } from '../contract/changeRequests.ts';
import { id, updated } from './columns.ts';

const columns: Column[] = [
  { key: 'number', title: '#', kind: 'number' },
  { key: 'subject' },
  {
    key: 'status',
    kind: 'state',
    style: { open: 'good', merged: 'dim', archived: 'dim', draft: 'warn' },
  },
  { key: 'createdBy.displayName', title: 'By', optional: true },
  { key: 'comments', kind: 'number', optional: true },
  { key: 'outdated', kind: 'boolean', optional: true },
  updated,
  id,
];

type MergeResult = AnswerOf<typeof changeRequests.merge>;

const resultColumns: Column[] = [{ key: 'result' }, { key: 'revision', kind: 'id' }];

/** Creates a request and, with --open, puts it up for review at once. */
async function create(invocation: Invocation) {
  const params = await paramsOf(invocation);
  const input = await inputOf(invocation);
  const call = { endpoint: endpointOf(invocation), params, ...input };
  if (invocation.globals.dryRun) return printRequest(invocation, call);
  let made = (await send(invocation, call)) as AnswerOf<typeof changeRequests.create>;
  if (invocation.flags.open) {
    const client = await invocation.client();
    made = await client.call(changeRequests.edit, {
      params: { spaceId: params.spaceId!, changeRequestId: made.id },
      body: { status: 'open' },
    });
  }
  await print(invocation, made);
}

/** Merges, on the way bringing in main content and opening a draft where the flags say so. Conflicts end with status 6. */
async function merge(invocation: Invocation) {
  const params = (await paramsOf(invocation)) as { spaceId: string; changeRequestId: string };
  const { flags } = invocation;
  const call = { endpoint: changeRequests.merge, params, query: {}, body: undefined };
  if (invocation.globals.dryRun) return printRequest(invocation, call);
  const client = await invocation.client();
  if (flags.open || flags.update || flags.wait) {
    const request = await client.call(changeRequests.view, { params });
    // Running it again after it went through is no failure for a script.
    if (flags.wait && request.status === 'merged') {
      await invocation.io.note(`#${request.number} is merged already.`);
      return print(invocation, { result: 'merge', revision: request.revisionMerged }, resultColumns);
    }
    if (flags.update && request.outdated) {
      failOnConflicts(await client.call(changeRequests.update, { params }), request.number);
    }
    if (flags.open && request.status === 'draft')
      await client.call(changeRequests.edit, { params, body: { status: 'open' } });
  }
  const answer = await client.call(changeRequests.merge, { params });
  failOnConflicts(answer, argument(invocation, 'cr'));
  await print(invocation, answer, resultColumns);
}

function failOnConflicts(
  { result, conflicts = [] }: Pick<MergeResult, 'conflicts'> & { result: string },
  request: string | number,
) {
  if (result !== 'conflicts') return;
  const pages = conflicts.map(({ page, title, kind }) => `  ${title} (${page}): ${kind}`);
  throw new CommandError(
    [
      `Change request ${request} conflicts with the main content on ${conflicts.length} page${conflicts.length === 1 ? '' : 's'}; nothing was changed.`,
      ...pages,
    ].join('\n'),
    {
      exitCode: exit.refused,
      hint: 'Change these pages in the request so that both sides agree, then merge again.',
    },
  );
}

async function update(invocation: Invocation) {
  const params = (await paramsOf(invocation)) as { spaceId: string; changeRequestId: string };
  const call = { endpoint: changeRequests.update, params, query: {}, body: undefined };
  if (invocation.globals.dryRun) return printRequest(invocation, call);
  const answer = (await send(invocation, call)) as AnswerOf<typeof changeRequests.update>;
  failOnConflicts(answer, argument(invocation, 'cr'));
  await print(invocation, answer, resultColumns);
}

const nodes: Node[] = [
  { use: 'list', endpoint: changeRequests.list, columns, see: ['cr view', 'cr merge'] },
  {
    use: 'create',
    endpoint: changeRequests.create,
    columns,
    flags: [{ flags: '--open', description: 'open it at once, so that it can be merged' }],
    run: create,
  },
  { use: 'view <cr>', endpoint: changeRequests.view, columns },
  { use: 'edit <cr>', endpoint: changeRequests.edit, columns },
  {
    use: 'open <cr>',
    endpoint: changeRequests.edit,
    summary: 'Open a change request, so that it can be merged.',
    without: ['subject', 'status'],
    body: () => ({ status: 'open' }),
    columns,
  },
  {
    use: 'archive <cr>',
    endpoint: changeRequests.edit,
    summary: 'Archive a change request.',
    without: ['subject', 'status'],
    body: () => ({ status: 'archived' }),
    columns,
  },
  {
    use: 'merge <cr>',
    endpoint: changeRequests.merge,
    flags: [
      { flags: '--open', description: 'open a draft first' },
      { flags: '--update', description: 'bring main content in first where the request is outdated' },
      { flags: '--wait', description: 'wait for the result; a request that is merged already counts as done' },
    ],
    run: merge,
    exits: { 6: 'conflicts with the main content, listed page by page; nothing was changed' },
  },
  { use: 'update <cr>', endpoint: changeRequests.update, run: update, exits: { 6: 'conflicts, listed page by page' } },
];
export default nodes;
