import type { Column } from '../cli/output/index.ts';
import { UsageError } from '../cli/failure.ts';
import { type Invocation, print } from '../cli/invocation.ts';
import { callOf, paramsOf, printRequest, send } from '../cli/run.ts';
import type { Node } from '../cli/tree.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import { changeRequestContent } from '../contract/changeRequestContent.ts';
import { changeRequests } from '../contract/changeRequests.ts';
import { app, id, linkColumns, linkFailure, updated } from './columns.ts';
import { tellRequest } from './cr-ci.ts';
import { failOnConflicts, mergeRequest } from './cr-merge.ts';
import { listLinks } from './links-ci.ts';
import { noCi } from './openapi-ci.ts';

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

const card: Column[] = [
  { key: 'number', title: '#' },
  { key: 'subject' },
  id,
  { key: 'status', kind: 'state', style: { open: 'good', merged: 'dim', archived: 'dim', draft: 'warn' } },
  { key: 'createdBy.displayName', title: 'By' },
  { key: 'outdated', kind: 'boolean', style: { true: 'warn' } },
  { key: 'comments', title: 'Open comments', kind: 'number' },
  { key: 'revision', kind: 'id' },
  { key: 'revisionMerged', title: 'Merged as', kind: 'id' },
  { key: 'createdAt', title: 'Created', kind: 'date' },
  { key: 'updatedAt', title: 'Updated', kind: 'date' },
  app,
];

const resultColumns: Column[] = [
  { key: 'result', style: { conflicts: 'bad' } },
  { key: 'revision', kind: 'id' },
];

/** Creates a request and, with --open, puts it up for review at once. */
async function create(invocation: Invocation) {
  const call = await callOf(invocation);
  if (invocation.globals.dryRun) return printRequest(invocation, call);
  let made = (await send(invocation, call)) as AnswerOf<typeof changeRequests.create>;
  if (invocation.flags.open) {
    const client = await invocation.client();
    made = await client.call(changeRequests.edit, {
      params: { spaceId: call.params.spaceId!, changeRequestId: made.id },
      body: { status: 'open' },
    });
  }
  await tellRequest(invocation, { spaceId: call.params.spaceId!, changeRequestId: made.id }, made);
  await print(invocation, made);
}

/** Merges, on the way bringing in main content and opening a draft where the flags say so. Conflicts end with status 6. */
async function merge(invocation: Invocation) {
  const params = (await paramsOf(invocation)) as { spaceId: string; changeRequestId: string };
  const { flags } = invocation;
  const call = { endpoint: changeRequests.merge, params, query: {}, body: undefined };
  if (invocation.globals.dryRun) return printRequest(invocation, call);
  const client = await invocation.client();
  if (flags.wait) {
    const request = await client.call(changeRequests.view, { params });
    // Running it again after it went through is no failure for a script.
    if (request.status === 'merged') {
      await invocation.io.note(`#${request.number} is merged already.`);
      await tellRequest(invocation, params);
      return print(invocation, { result: 'merge', revision: request.revisionMerged });
    }
  }
  const answer = await mergeRequest(client, params, { open: Boolean(flags.open), update: Boolean(flags.update) });
  await tellRequest(invocation, params);
  await print(invocation, answer);
}

async function update(invocation: Invocation) {
  const params = (await paramsOf(invocation)) as { spaceId: string; changeRequestId: string };
  const call = { endpoint: changeRequests.update, params, query: {}, body: undefined };
  if (invocation.globals.dryRun) return printRequest(invocation, call);
  const answer = (await send(invocation, call)) as AnswerOf<typeof changeRequests.update>;
  failOnConflicts(answer, params.changeRequestId);
  await tellRequest(invocation, params);
  await print(invocation, answer);
}

/** Tells the address of the PDF, or writes it to a file. */
async function pdf(invocation: Invocation) {
  const call = await callOf(invocation);
  const { out } = invocation.flags;
  if (invocation.flags.only && call.query.page === undefined)
    throw new UsageError('--only needs a page.', 'Name it with --page.');
  if (invocation.globals.dryRun) return printRequest(invocation, call);
  const answer = (await send(invocation, call)) as AnswerOf<typeof changeRequestContent.pdf>;
  if (out === undefined) return print(invocation, answer);
  const { writeDownload } = await import('./download-file.ts');
  await writeDownload(invocation, answer.url, out);
}

const at = '--space handbook0001';
const shown = { columns, card };
const conflictExit = { 6: 'conflicts with the main content, listed page by page; nothing was changed' };

const nodes: Node[] = [
  {
    use: 'list',
    endpoint: changeRequests.list,
    description: 'Newest first; open ones unless --status says otherwise.',
    ...shown,
    examples: [
      { run: `docsctl cr list ${at}`, does: 'What is open' },
      {
        run: `docsctl cr list ${at} --status draft --contributor member000004`,
        does: 'Drafts that a member worked on',
      },
      { run: `docsctl cr list ${at} -o id`, does: 'Ids alone' },
    ],
    see: ['cr view', 'cr merge'],
  },
  {
    use: 'create',
    endpoint: changeRequests.create,
    description: 'It begins as a draft with the main content as it is now. --open puts it up for review at once.',
    ...shown,
    flags: [{ flags: '--open', description: 'open it at once, so that it can be merged' }, noCi],
    run: create,
    examples: [
      { run: `docsctl cr create --subject "Explain the filter" ${at}`, does: 'A draft' },
      { run: `docsctl cr create --subject "Explain the filter" --open ${at} -o id`, does: 'Open, and its id alone' },
    ],
    exits: { 6: 'the subject is too long' },
    see: ['content push', 'cr open', 'cr merge'],
  },
  {
    use: 'view <cr>',
    endpoint: changeRequests.view,
    description: 'By its id or its number in the space. Pages are listed by "content pages list --cr".',
    ...shown,
    examples: [
      { run: `docsctl cr view 1 ${at}`, does: 'By its number' },
      { run: `docsctl cr view pumpchange01 ${at} --jq .status`, does: 'By its id, the status alone' },
    ],
    see: ['content pages list', 'comments list'],
  },
  {
    use: 'edit <cr>',
    endpoint: changeRequests.edit,
    description: 'The status moves between draft, open and archived; a merged request stays merged.',
    ...shown,
    examples: [
      { run: `docsctl cr edit 1 --subject "The new pump" ${at}`, does: 'Another subject' },
      { run: `docsctl cr edit 1 --status draft ${at}`, does: 'Back to a draft' },
    ],
    exits: { 6: 'the request is merged' },
    see: ['cr open', 'cr archive'],
  },
  {
    use: 'open <cr>',
    endpoint: changeRequests.edit,
    summary: 'Open a change request, so that it can be merged.',
    description: 'A draft or an archived one; an open one stays open.',
    without: 'all',
    body: () => ({ status: 'open' }),
    ...shown,
    examples: [
      { run: `docsctl cr open 2 ${at}`, does: 'By its number' },
      { run: `docsctl cr open typochange01 ${at} --dry-run`, does: 'Show the request only' },
    ],
    exits: { 6: 'the request is merged' },
    see: ['cr merge', 'cr archive'],
  },
  {
    use: 'archive <cr>',
    endpoint: changeRequests.edit,
    summary: 'Archive a change request.',
    description: 'Its content stays as it is, and "cr open" brings it back.',
    without: 'all',
    body: () => ({ status: 'archived' }),
    ...shown,
    examples: [
      { run: `docsctl cr archive 2 ${at}`, does: 'By its number' },
      { run: `docsctl cr archive typochange01 ${at} --dry-run`, does: 'Show the request only' },
    ],
    exits: { 6: 'the request is merged' },
    see: ['cr open'],
  },
  {
    use: 'merge <cr>',
    endpoint: changeRequests.merge,
    description:
      'Three-way from their common ancestor, page by page and line by line. Where both sides changed the same, nothing is changed at all and the pages are listed. A merge is final: to undo it takes another change request. Prints the new revision.',
    flags: [
      { flags: '--open', description: 'open a draft first' },
      { flags: '--update', description: 'bring main content in first where the request is outdated' },
      { flags: '--wait', description: 'wait for the result; a request that is merged already counts as done' },
      noCi,
    ],
    columns: resultColumns,
    run: merge,
    examples: [
      { run: `docsctl cr merge 1 --wait --update ${at}`, does: 'Bring main content in where needed, then merge' },
      { run: `docsctl cr merge 2 --open ${at}`, does: 'Open a draft and merge it' },
      { run: `docsctl cr merge 1 ${at} --dry-run`, does: 'Show the request only' },
    ],
    exits: { 6: 'the request is not open, or there are conflicts, listed page by page' },
    see: ['cr update', 'cr links'],
  },
  {
    use: 'update <cr>',
    endpoint: changeRequests.update,
    description: 'The request then rests on main content as it is now. Its status stays.',
    flags: [noCi],
    columns: resultColumns,
    run: update,
    examples: [
      { run: `docsctl cr update 2 ${at}`, does: 'By its number' },
      { run: `docsctl cr update 2 ${at} --jq .revision`, does: 'And print the new revision alone' },
    ],
    exits: conflictExit,
    see: ['cr merge'],
  },
  {
    use: 'pdf <cr>',
    endpoint: changeRequestContent.pdf,
    description:
      'Prints the address, which needs no token: whoever has it can download the PDF until it ends. --out downloads it at once. Without --page it is all pages.',
    flags: [{ flags: '--out <file>', description: 'write the PDF to this file; - is standard output' }],
    columns: [{ key: 'url', title: 'Address' }],
    idKey: 'url',
    run: pdf,
    examples: [
      { run: `docsctl cr pdf 1 ${at}`, does: 'Its address' },
      {
        run: `docsctl cr pdf 1 --page install00001 --out install.pdf ${at}`,
        does: 'A page with those under it, as a file',
      },
      { run: `docsctl cr pdf 1 --page install00001 --only --out - ${at} > page.pdf`, does: 'One page alone' },
    ],
    see: ['content pages list'],
  },
  {
    use: 'links <cr>',
    endpoint: changeRequestContent.links,
    description: 'Where its content links to, and whether it is there. Addresses elsewhere are not visited.',
    columns: linkColumns,
    failOn: linkFailure,
    flags: [noCi],
    run: listLinks,
    examples: [
      { run: `docsctl cr links 1 --status broken ${at}`, does: 'Links that lead nowhere' },
      {
        run: `docsctl cr links 1 --broken-context change-request --fail-on broken ${at}`,
        does: 'Fail where the request breaks one',
      },
    ],
    exits: { 9: 'there are links that --fail-on names' },
    see: ['spaces links', 'content pages links'],
  },
];
export default nodes;
