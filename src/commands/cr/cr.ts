import type { Column } from '../../cli/output/index.ts';
import type { Invocation, Node } from '../../cli/command/command.ts';
import { print } from '../../cli/command/invocation.ts';
import { dryRun } from '../../cli/command/dry-run/dry-run.ts';
import { callOf, paramsOf, send } from '../../cli/command/request.ts';
import { command } from '../../cli/command/define.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { changeRequestContent } from '../../contract/change-request-content.ts';
import { changeRequests } from '../../contract/change-requests.ts';
import { app, id, linkColumns, linkFailure, updated } from '../shared/columns.ts';
import { type CiFlag, tellRequest } from './ci.ts';
import { failOnConflicts } from '../../change-requests/conflicts.ts';
import { mergeRequest } from '../../change-requests/merge.ts';
import type { Condition } from '../../change-requests/conditions.ts';
import { dryRunMerge } from './dry-run-merge.ts';
import { requireFlag } from '../shared/require-flag.ts';
import { listLinks } from '../shared/links-ci.ts';
import { noCi } from '../shared/no-ci.ts';

type ChangeRequest = AnswerOf<typeof changeRequests.view>;

const columns: Column<ChangeRequest>[] = [
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

const card: Column<ChangeRequest>[] = [
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
async function create(
  invocation: Invocation<{}, CiFlag & { open?: boolean | undefined }, typeof changeRequests.create>,
): Promise<void> {
  const call = await callOf(invocation);
  if (invocation.globals.dryRun) return dryRun(invocation, call);
  const draft = await send(invocation, call);
  const params = { ...call.params, changeRequestId: draft.id };
  const client = await invocation.client();
  const request = invocation.flags.open
    ? await client.call(changeRequests.edit, { params, body: { status: 'open' } })
    : draft;
  await tellRequest(invocation, params, request);
  await print(invocation, request);
}

type MergeFlags = CiFlag & {
  open?: boolean | undefined;
  update?: boolean | undefined;
  wait?: boolean | undefined;
  require?: Condition[] | undefined;
};

/** Merges, on the way bringing in main content and opening a draft where the flags say so. Conflicts end with status 6. */
async function merge(invocation: Invocation<{}, MergeFlags, typeof changeRequests.merge>): Promise<void> {
  const params = await paramsOf(invocation);
  const { open, update: updates, wait, require } = invocation.flags;
  const steps = { open, update: updates, require };
  if (invocation.globals.dryRun) return dryRunMerge(invocation, params, { ...steps, wait });
  const client = await invocation.client();
  if (wait) {
    const request = await client.call(changeRequests.view, { params });
    // Running it again after it went through is no failure for a script.
    if (request.status === 'merged') {
      await invocation.io.note(`#${request.number} is merged already.`);
      await tellRequest(invocation, params);
      return print(invocation, { result: 'merge', revision: request.revisionMerged });
    }
  }
  const answer = await mergeRequest(client, params, steps);
  await tellRequest(invocation, params);
  await print(invocation, answer);
}

async function update(invocation: Invocation<{}, CiFlag, typeof changeRequests.update>): Promise<void> {
  const params = await paramsOf(invocation);
  const call = { endpoint: changeRequests.update, params, query: {}, body: undefined };
  if (invocation.globals.dryRun) return dryRun(invocation, call);
  const answer = await send(invocation, call);
  failOnConflicts(answer, params.changeRequestId);
  await tellRequest(invocation, params);
  await print(invocation, answer);
}

const inSpace = '--space handbook0001';
const output = { columns, card };
const merged = { 'invalid-state': 'Continue in another one: "docsctl cr create".' };
const conflictExit = {
  6: 'conflicts with the main content, shown with both sides and their common ancestor; nothing was changed',
};

const nodes: Node[] = [
  command({
    use: 'list',
    endpoint: changeRequests.list,
    help: {
      description:
        'Newest first; only open ones, unless --status is given, or a --filter for the status. --status all has every state.',
      examples: [
        { run: `docsctl cr list ${inSpace}`, does: 'What is open' },
        {
          run: `docsctl cr list ${inSpace} --status draft --contributor member000004`,
          does: 'Drafts that a member worked on',
        },
        {
          run: `docsctl cr list ${inSpace} --status all --filter 'updatedAt<30d' --sort-by updatedAt`,
          does: 'In any state, unchanged for 30 days, the oldest first',
        },
        { run: `docsctl cr list ${inSpace} -o id`, does: 'Ids alone' },
      ],
      seeAlso: ['cr view', 'cr merge', 'help filters'],
    },
    output,
  }),
  command({
    use: 'create',
    endpoint: changeRequests.create,
    help: {
      description: 'It is a draft with the current main content. --open opens it for review.',
      examples: [
        { run: `docsctl cr create --subject "Explain the filter" ${inSpace}`, does: 'A draft' },
        {
          run: `docsctl cr create --subject "Explain the filter" --open ${inSpace} -o id`,
          does: 'Open, and its id alone',
        },
      ],
      exitStatuses: { 6: 'the subject is too long' },
      seeAlso: ['content push', 'cr open', 'cr merge'],
    },
    input: {
      flags: [{ flags: '--open', description: 'open it at once, so that it can be merged' }, noCi],
    },
    output,
    writesFilesWith: [],
    run: create,
  }),
  command({
    use: 'view <cr>',
    endpoint: changeRequests.view,
    help: {
      description: 'Takes its id or its number in the space. "content pages list --cr" lists its pages.',
      examples: [
        { run: `docsctl cr view 1 ${inSpace}`, does: 'By its number' },
        { run: `docsctl cr view pumpchange01 ${inSpace} --jq .status`, does: 'By its id, the status alone' },
      ],
      seeAlso: ['content pages list', 'comments list'],
    },
    output,
  }),
  command({
    use: 'edit <cr...>',
    endpoint: changeRequests.edit,
    advice: merged,
    help: {
      description: 'The status can be draft, open or archived; that of a merged request cannot change.',
      examples: [
        { run: `docsctl cr edit 1 --subject "The new pump" ${inSpace}`, does: 'Another subject' },
        { run: `docsctl cr edit 1 --status draft ${inSpace}`, does: 'Back to a draft' },
      ],
      exitStatuses: { 6: 'the request is merged' },
      seeAlso: ['cr open', 'cr archive'],
    },
    input: { singular: ['subject'] },
    output,
  }),
  command({
    use: 'open <cr...>',
    endpoint: changeRequests.edit,
    advice: merged,
    help: {
      summary: 'Open change requests, so that they can be merged.',
      description: 'Opens drafts and archived change requests for review; an open one stays open.',
      examples: [
        { run: `docsctl cr open 2 ${inSpace}`, does: 'By its number' },
        { run: `docsctl cr open typochange01 ${inSpace} --dry-run`, does: 'Show the request only' },
      ],
      exitStatuses: { 6: 'the request is merged' },
      seeAlso: ['cr merge', 'cr archive'],
    },
    input: {
      without: 'all',
      body: () => ({ status: 'open' }),
    },
    output,
  }),
  command({
    use: 'archive <cr...>',
    endpoint: changeRequests.edit,
    advice: merged,
    help: {
      summary: 'Archive change requests.',
      description: 'Its content stays unchanged; "cr open" opens it again.',
      examples: [
        { run: `docsctl cr archive 2 ${inSpace}`, does: 'By its number' },
        { run: `docsctl cr archive typochange01 ${inSpace} --dry-run`, does: 'Show the request only' },
      ],
      exitStatuses: { 6: 'the request is merged' },
      seeAlso: ['cr open'],
    },
    input: {
      without: 'all',
      body: () => ({ status: 'archived' }),
    },
    output,
  }),
  command({
    use: 'merge <cr>',
    endpoint: changeRequests.merge,
    advice: {
      'invalid-state':
        'A draft is opened with "docsctl cr open <cr>" or --open; "docsctl cr view <cr>" shows its state.',
    },
    help: {
      description:
        'Merges page by page and line by line, from the common ancestor. If both sides changed the same lines, nothing is changed, and both versions and that of the common ancestor are shown; with -o json the error has them in "conflicts". A merge can be undone only by another change request. Prints the new revision.',
      examples: [
        {
          run: `docsctl cr merge 1 --wait --update ${inSpace}`,
          does: 'Bring main content in where needed, then merge',
        },
        { run: `docsctl cr merge 2 --open ${inSpace}`, does: 'Open a draft and merge it' },
        {
          run: `docsctl cr merge 1 --require no-conflicts,up-to-date --update ${inSpace} --dry-run`,
          does: 'Check two conditions, and show the requests only',
        },
      ],
      exitStatuses: {
        6: 'the request is not open, or there are conflicts, which are shown',
        9: 'what --require names does not hold; nothing was merged',
      },
      seeAlso: ['cr update', 'cr links'],
    },
    input: {
      flags: [
        { flags: '--open', description: 'open a draft first' },
        { flags: '--update', description: 'bring main content in first where the request is outdated' },
        { flags: '--wait', description: 'wait for the result; a request that is merged already counts as done' },
        requireFlag,
        noCi,
      ],
    },
    output: {
      columns: resultColumns,
    },
    writesFilesWith: [],
    run: merge,
  }),
  command({
    use: 'update <cr>',
    endpoint: changeRequests.update,
    help: {
      description: 'Brings the current main content into the change request. Its status stays.',
      examples: [
        { run: `docsctl cr update 2 ${inSpace}`, does: 'By its number' },
        { run: `docsctl cr update 2 ${inSpace} --jq .revision`, does: 'And print the new revision alone' },
      ],
      exitStatuses: conflictExit,
      seeAlso: ['cr merge'],
    },
    input: {
      flags: [noCi],
    },
    output: {
      columns: resultColumns,
    },
    writesFilesWith: [],
    run: update,
  }),
  command({
    use: 'diff <cr>',
    endpoint: changeRequests.view,
    help: {
      summary: 'Show what a change request changes.',
      description:
        'Compares its content with the main content that it started from or was last updated from; what was merged since is not in it. Shows pages and files that were added, deleted, moved or changed, and the changed lines of texts in Markdown. With -o json each difference has its fields and lines; tables and CSV have one row for each.',
      examples: [
        { run: `docsctl cr diff 1 ${inSpace}`, does: 'All changes' },
        { run: `docsctl cr diff 1 --stat ${inSpace}`, does: 'Which pages, and how many lines' },
        { run: `docsctl cr diff 1 --page install-the-pump ${inSpace}`, does: 'One page, by id, path or title' },
      ],
      exitStatuses: { 5: 'no such change request, or no such page on either side' },
      seeAlso: ['cr view', 'cr merge', 'cr links'],
    },
    input: {
      flags: [
        { flags: '--page <id>', description: 'only this page: id, path or title' },
        { flags: '--stat', description: 'only the names, with the number of changed lines' },
      ],
    },
    output: {
      columns: [
        { key: 'change', style: { added: 'good', deleted: 'bad', moved: 'warn' } },
        { key: 'kind', optional: true },
        { key: 'path' },
        { key: 'title' },
        { key: 'insertions', title: 'Added', kind: 'number' },
        { key: 'deletions', title: 'Removed', kind: 'number' },
        { key: 'id', title: 'ID', kind: 'id' },
      ],
    },
    run: async (invocation) => (await import('./diff.ts')).diff(invocation),
  }),
  command({
    use: 'pdf <cr>',
    endpoint: changeRequestContent.pdf,
    help: {
      description:
        'Prints the address, which needs no token: everybody who has it can download the PDF until it expires. --out downloads it. Without --page, the PDF has all pages. Scripts that the built-in fonts lack are drawn with the fonts of the machine that draws the PDF; what has no font, or cannot be shown otherwise, is a warning with its pages.',
      examples: [
        { run: `docsctl cr pdf 1 ${inSpace}`, does: 'Its address' },
        {
          run: `docsctl cr pdf 1 --page install00001 --out install.pdf ${inSpace}`,
          does: 'A page with those under it, as a file',
        },
        { run: `docsctl cr pdf 1 --page install00001 --only --out - ${inSpace} > page.pdf`, does: 'One page alone' },
        {
          run: `docsctl cr pdf 1 --out manual.pdf --fail-on warning ${inSpace}`,
          does: 'Fail where letters or pictures are missing',
        },
      ],
      exitStatuses: {
        9: 'with --fail-on warning: the PDF does not show all of its pages; it was written all the same',
      },
      seeAlso: ['content pages list'],
    },
    input: {
      flags: [
        { flags: '--out <file>', description: 'write the PDF to this file; - is standard output' },
        {
          flags: '--font <file>',
          description: 'draw with this font what the built-in ones lack; embedded instances only (repeatable)',
          repeatable: 'verbatim',
        },
        {
          flags: '--fail-on <what>',
          description: 'end with status 9 if something cannot be shown',
          choices: ['warning'],
        },
      ],
    },
    output: {
      columns: [{ key: 'url', title: 'Address' }],
      idKey: 'url',
    },
    run: async (invocation) => (await import('./pdf.ts')).pdf(invocation),
  }),
  command({
    use: 'links <cr>',
    endpoint: changeRequestContent.links,
    help: {
      description:
        'Lists the targets of links in its content, and whether they exist. External addresses are not visited.',
      examples: [
        { run: `docsctl cr links 1 --status broken ${inSpace}`, does: 'Links that lead nowhere' },
        {
          run: `docsctl cr links 1 --broken-context change-request --fail-on broken ${inSpace}`,
          does: 'Fail where the request breaks one',
        },
      ],
      exitStatuses: { 9: 'there are links that --fail-on names' },
      seeAlso: ['spaces links', 'content pages links'],
    },
    input: {
      flags: [noCi],
    },
    output: {
      columns: linkColumns,
      failOn: linkFailure,
    },
    run: listLinks,
  }),
];
export default nodes;
