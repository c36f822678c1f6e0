import type { Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import type { Column } from '../../cli/output/index.ts';
import { changeRequestContent } from '../../contract/change-request-content.ts';
import { changeRequests } from '../../contract/change-requests.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { app, id, linkColumns, linkFailure, updated } from '../shared/columns.ts';
import { pdfFlags } from '../shared/pdf-findings.ts';
import { listLinks } from '../shared/links-ci.ts';
import { allSpaces, noCi, olderThan, onlyOpen, openOnly, requireFlag } from '../shared/flags.ts';

type ChangeRequest = AnswerOf<typeof changeRequests.view>;

const columns: Column<ChangeRequest>[] = [
  { key: 'number', title: '#', kind: 'number' },
  { key: 'subject' },
  { key: 'status', kind: 'state', style: { open: 'good', merged: 'dim', archived: 'dim', draft: 'warn' } },
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

const inSpace = '--space handbook0001';
const output = { columns, card };
const merged = { 'invalid-state': 'Create another one with "docsctl cr create".' };
const conflictExit = { 6: 'conflicts with the main content; nothing was changed' };

const nodes: Node[] = [
  command({
    use: 'list',
    endpoint: changeRequests.list,
    description:
      'Newest first. Lists open change requests unless you pass --status, or a --filter on the status; --status all lists every status.',
    examples: {
      'List open change requests': `docsctl cr list ${inSpace}`,
      'List drafts that a member worked on': `docsctl cr list ${inSpace} --status draft --contributor member000004`,
      'List requests in any state that have not changed for 30 days, oldest first': `docsctl cr list ${inSpace} --status all --filter 'updatedAt<30d' --sort-by updatedAt`,
      'List open requests of all spaces that have not changed for 30 days':
        'docsctl cr list --all-spaces --open --older-than 30d',
    },
    seeAlso: ['cr view', 'cr merge', 'help filters'],
    flags: [allSpaces, openOnly, olderThan],
    input: { query: onlyOpen },
    output,
  }),
  command({
    use: 'create',
    endpoint: changeRequests.create,
    description: 'The new request is a draft with the current main content. Use --open to open it for review.',
    examples: {
      'Create a draft': `docsctl cr create --subject "Explain the filter" ${inSpace}`,
      'Open a request and print its ID': `docsctl cr create --subject "Explain the filter" --open ${inSpace} -o id`,
    },
    exitStatuses: { 6: 'the subject is too long' },
    seeAlso: ['content push', 'cr open', 'cr merge'],
    flags: [{ flags: '--open', description: 'open it immediately, so that it can be merged' }, noCi],
    output,
    writesFilesWith: [],
    run: async (invocation) => (await import('./merge.ts')).create(invocation),
  }),
  command({
    use: 'view <cr>',
    endpoint: changeRequests.view,
    description: 'Takes the ID, or the number in the space. Use "content pages list --cr" to list its pages.',
    examples: {
      'View a request by number': `docsctl cr view 1 ${inSpace}`,
      'Print the status of a request by ID': `docsctl cr view pumpchange01 ${inSpace} --jq .status`,
    },
    seeAlso: ['content pages list', 'comments list', 'wait'],
    flags: [{ flags: '--watch', description: 'read again every 2 seconds, and print whenever something has changed' }],
    output,
  }),
  command({
    use: 'edit <cr...>',
    endpoint: changeRequests.edit,
    advice: merged,
    description: 'The status can be draft, open or archived. The status of a merged request cannot change.',
    examples: {
      'Change the subject': `docsctl cr edit 1 --subject "The new pump" ${inSpace}`,
      'Convert it to a draft': `docsctl cr edit 1 --status draft ${inSpace}`,
    },
    exitStatuses: { 6: 'the request is merged' },
    seeAlso: ['cr open', 'cr archive'],
    input: { singular: ['subject'] },
    output,
  }),
  command({
    use: 'open <cr...>',
    endpoint: changeRequests.edit,
    advice: merged,
    summary: 'Open change requests, so that they can be merged.',
    description: 'Opens drafts and archived change requests for review. Open requests stay open.',
    examples: {
      'Open a request by number': `docsctl cr open 2 ${inSpace}`,
      'Preview the request': `docsctl cr open typochange01 ${inSpace} --dry-run`,
    },
    exitStatuses: { 6: 'the request is merged' },
    seeAlso: ['cr merge', 'cr archive'],
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
    summary: 'Archive change requests.',
    description: 'The content stays unchanged. Use "cr open" to reopen it.',
    examples: {
      'Archive a request by number': `docsctl cr archive 2 ${inSpace}`,
      'Preview the request': `docsctl cr archive typochange01 ${inSpace} --dry-run`,
    },
    exitStatuses: { 6: 'the request is merged' },
    seeAlso: ['cr open'],
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
      'invalid-state': 'Open a draft with "docsctl cr open <cr>" or --open; "docsctl cr view <cr>" shows the status.',
    },
    description:
      'Merges page by page and line by line from the common ancestor. If both sides changed the same lines, nothing changes and docsctl prints both versions and their ancestor (in "conflicts" with -o json). A merge can be undone only with another change request. Prints the new revision.',
    examples: {
      'Update the request if it is outdated, then merge it': `docsctl cr merge 1 --wait --update ${inSpace}`,
      'Open a draft and merge it': `docsctl cr merge 2 --open ${inSpace}`,
      'Check two conditions and preview the requests': `docsctl cr merge 1 --require no-conflicts,up-to-date --update ${inSpace} --dry-run`,
    },
    exitStatuses: {
      6: 'the request is not open, or there are conflicts',
      9: 'a --require check failed; the error says whether the request was merged',
    },
    seeAlso: ['cr update', 'cr links'],
    flags: [
      { flags: '--open', description: 'open a draft first' },
      { flags: '--update', description: 'update an outdated request first' },
      { flags: '--wait', description: 'wait for the result; succeeds if the request is already merged' },
      requireFlag,
      noCi,
    ],
    output: { columns: resultColumns },
    writesFilesWith: [],
    run: async (invocation) => (await import('./merge.ts')).merge(invocation),
  }),
  command({
    use: 'update <cr>',
    endpoint: changeRequests.update,
    description: 'Merges the current main content into the change request. The status stays unchanged.',
    examples: {
      'Update a request by number': `docsctl cr update 2 ${inSpace}`,
      'Print the new revision only': `docsctl cr update 2 ${inSpace} --jq .revision`,
    },
    exitStatuses: conflictExit,
    seeAlso: ['cr merge'],
    flags: [noCi],
    output: { columns: resultColumns },
    writesFilesWith: [],
    run: async (invocation) => (await import('./merge.ts')).update(invocation),
  }),
  command({
    use: 'diff <cr>',
    prints: async () => (await import('../shared/printed.ts')).requestDifferences,
    endpoint: changeRequests.view,
    summary: 'Show what a change request changes.',
    description:
      'Compares the request with the main content that it is based on; changes merged since are not shown. Lists added, deleted, moved and changed pages and files, and the changed lines of Markdown. With -o json, each difference has its fields and lines; tables and CSV have one row per difference.',
    examples: {
      'Show all changes': `docsctl cr diff 1 ${inSpace}`,
      'Show changed pages and numbers of lines': `docsctl cr diff 1 --stat ${inSpace}`,
      'Show one page, by ID, path or title': `docsctl cr diff 1 --page install-the-pump ${inSpace}`,
    },
    exitStatuses: { 5: 'no such change request, or no such page on either side' },
    seeAlso: ['cr view', 'cr merge', 'cr links'],
    flags: [
      { flags: '--page <id>', description: 'only this page (ID, path or title)' },
      { flags: '--stat', description: 'only names and numbers of changed lines' },
    ],
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
    changes: ['files'],
    endpoint: changeRequestContent.pdf,
    description:
      'Prints an address, or downloads the PDF with --out. The address works without a token until it expires. Without --page, the PDF contains all pages. Scripts that the built-in fonts lack use fonts installed on the machine that renders the PDF; missing fonts and content that cannot be shown are reported as warnings.',
    examples: {
      'Print the address': `docsctl cr pdf 1 ${inSpace}`,
      'Download a page and its subpages': `docsctl cr pdf 1 --page install00001 --out install.pdf ${inSpace}`,
      'Write one page to standard output': `docsctl cr pdf 1 --page install00001 --only --out - ${inSpace} > page.pdf`,
      'Fail if letters or images are missing': `docsctl cr pdf 1 --out manual.pdf --fail-on warning ${inSpace}`,
    },
    exitStatuses: { 9: 'with --fail-on warning: the PDF was written, but does not show everything' },
    seeAlso: ['content pages list'],
    flags: pdfFlags.map((flag) =>
      flag.flags === '--font <file>' ? { ...flag, description: `${flag.description}; embedded instances only` } : flag,
    ),
    output: { columns: [{ key: 'url', title: 'Address' }], idKey: 'url' },
    run: async (invocation) => (await import('./pdf.ts')).pdf(invocation),
  }),
  command({
    use: 'links <cr>',
    endpoint: changeRequestContent.links,
    description: 'Lists the targets of links in the request and whether they exist. External websites are not checked.',
    examples: {
      'List broken links': `docsctl cr links 1 --status broken ${inSpace}`,
      'Fail if the request breaks a link': `docsctl cr links 1 --broken-context change-request --fail-on broken ${inSpace}`,
    },
    exitStatuses: { 9: 'a link has a status given to --fail-on' },
    seeAlso: ['spaces links', 'content pages links'],
    flags: [noCi],
    output: { columns: linkColumns, failOn: linkFailure },
    run: listLinks,
  }),
];
export default nodes;
