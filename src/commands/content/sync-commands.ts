import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/failure.ts';
import { noCi, requireFlag } from '../shared/flags.ts';
import { conflictFlags } from './conflict-flags.ts';

export const push = command({
  use: 'push [folder]',
  changes: ['service', 'files'],
  prints: async () => (await import('../shared/printed.ts')).pushed,
  permanent: ({ merge }) => (merge ? 'changeRequests.merge' : undefined),
  summary: 'Push a folder of Markdown to a space.',
  description:
    'Creates or updates a change request with the differences, and merges it with --merge. Renamed and moved files stay the same page. Changes made in the app since your last push are kept; if both sides changed the same lines, nothing is sent and docsctl lists the conflicts. Without a folder, pushes everything under "content:" in .docsctl.yaml.',
  examples: {
    'Open a change request; the first push to a space with pages needs --adopt':
      'docsctl content push ./docs --new "Explain the pump" --adopt --space quickstart01',
    'Merge into the main content': 'docsctl content push ./docs --merge --update --adopt --space quickstart01',
    'Preview the changes': 'docsctl content push ./docs --dry-run --adopt --space quickstart01',
  },
  exitStatuses: {
    [exit.usage]:
      'the folder has no pages or is outside the project, its first push needs --adopt or --overwrite, or --cr, --new and --merge are missing',
    [exit.forbidden]: 'requires the level edit on the space, or review with --merge',
    [exit.notFound]: 'no such space or change request',
    [exit.refused]:
      'conflicts, a later commit was pushed already, more deletions than --max-deletions, the service rejected a page, or a file is too large with --strict',
    [exit.someFailed]: 'files that cannot be read or are too large were not pushed; their pages stay as they are',
    [exit.checkFailed]:
      'warnings with --fail-on warning (nothing was sent), or a --require check failed (nothing was merged)',
  },
  docs: 'docs/docs-as-code.md',
  seeAlso: ['content pull', 'cr view', 'cr merge'],
  flags: [
    { flags: '--cr <request>', description: 'push to this change request (ID or number)' },
    { flags: '--new <subject>', description: 'open a new change request, or reuse an unmerged one with this subject' },
    { flags: '--merge', description: 'merge the change request after pushing; creates one without --cr and --new' },
    { flags: '--update', description: 'with --merge: update an outdated request first' },
    { ...requireFlag, description: `with --merge: ${requireFlag.description}` },
    {
      flags: '--fail-on <what>',
      description: 'send nothing and exit with status 9 on findings of this level',
      choices: ['warning'],
    },
    { flags: '--strict', description: 'fail if a file is too large, instead of skipping it' },
    { flags: '--fit-images', description: 'make PNG and JPEG images over 1 MB smaller; the files stay as they are' },
    { flags: '--mdx', description: 'push .mdx files as Markdown, with their JSX unchanged' },
    { flags: '--adopt', description: 'on the first push to a space with pages: keep the pages of both' },
    { flags: '--overwrite', description: 'overwrite changes made in the app in all pages of the folder' },
    ...conflictFlags,
    {
      flags: '--if-stale <what>',
      description: 'if a later commit was pushed already: fail (default), skip, or push anyway',
      choices: ['fail', 'skip', 'push'] as const,
    },
    { flags: '--max-deletions <number>', description: 'allow the push to delete this many pages' },
    { flags: '--delete-others', description: 'also delete pages that were never in the folder' },
    noCi,
  ],
  input: {
    context: ['org', 'space'],
  },
  output: {
    columns: [
      { key: 'folder' },
      { key: 'changeRequest', title: 'Request', kind: 'number' },
      { key: 'status', kind: 'state', style: { open: 'good', merged: 'good', draft: 'warn', unchanged: 'dim' } },
      { key: 'added', kind: 'number' },
      { key: 'changed', kind: 'number' },
      { key: 'moved', kind: 'number' },
      { key: 'deleted', kind: 'number' },
      { key: 'uploaded', title: 'Files', kind: 'number' },
      { key: 'unchanged', kind: 'number' },
      { key: 'kept', kind: 'number' },
      { key: 'merged', kind: 'number' },
      { key: 'warnings', kind: 'number' },
      { key: 'leftOut', title: 'Left out', kind: 'number' },
      { key: 'revision', kind: 'id' },
      { key: 'url', title: 'Address', optional: true },
    ],
    idKey: 'changeRequest',
  },
  writesFilesWith: [],
  run: async (invocation) => (await import('./push.ts')).pushAll(invocation),
});

export const status = command({
  use: 'status [folder]',
  changes: [],
  prints: async () => (await import('../shared/printed.ts')).contentStatus,
  summary: 'Show what a push and a pull of a folder would change.',
  description:
    'Lists the changes in the folder, the changes in the space, and the conflicts between them, since their last push or pull. Changes nothing. Without a folder, compares everything under "content:" in .docsctl.yaml.',
  examples: {
    'Compare a folder with the main content': 'docsctl content status ./docs --space quickstart01',
    'Count the conflicts': `docsctl content status ./docs --space quickstart01 --jq 'map(select(.direction == "both")) | length'`,
  },
  exitStatuses: {
    [exit.usage]: 'not a folder, or outside the project',
    [exit.notFound]: 'no such space or change request',
  },
  docs: 'docs/docs-as-code.md',
  seeAlso: ['content push', 'content pull', 'content check'],
  flags: [
    { flags: '--cr <request>', description: 'compare with this change request (ID or number)' },
    { flags: '--mdx', description: 'read .mdx files as Markdown' },
  ],
  input: {
    context: ['org', 'space'],
  },
  output: {
    columns: [
      {
        key: 'direction',
        kind: 'state',
        style: { push: 'good', pull: 'warn', both: 'bad' },
      },
      { key: 'action' },
      { key: 'path' },
      { key: 'title', optional: true },
      { key: 'what', optional: true },
      { key: 'folder', optional: true },
    ],
    idKey: 'path',
    list: true,
  },
  writesFilesWith: [],
  run: async (invocation) => (await import('./status.ts')).showStatus(invocation),
});

export const pull = command({
  use: 'pull [folder]',
  changes: ['files'],
  prints: async () => (await import('../shared/printed.ts')).pulled,
  summary: 'Pull the pages of a space or change request into a folder of Markdown.',
  description:
    'Existing files keep their names. Changes that you made since the last push or pull are kept and merged; if both sides changed the same lines, nothing is written and docsctl lists the conflicts. Files that are not in the space are kept without --prune. Hidden files, source code and files that programs run are skipped. Without a folder, pulls everything under "content:" in .docsctl.yaml.',
  examples: {
    'Pull the main content': 'docsctl content pull ./docs --space quickstart01',
    'Pull a change request and delete other files': 'docsctl content pull ./docs --cr 1 --prune --space handbook0001',
  },
  exitStatuses: {
    [exit.usage]: 'not a folder, outside the project, or a symbolic link leads out of the folder',
    [exit.notFound]: 'no such space or change request',
    [exit.refused]: 'conflicts; nothing was written, or with --on-conflict mark, they were marked',
    [exit.someFailed]: 'pages were moved in the space, and their files cannot be read',
  },
  docs: 'docs/docs-as-code.md',
  seeAlso: ['content push', 'content pages list'],
  flags: [
    { flags: '--cr <request>', description: 'pull from this change request (ID or number)' },
    { flags: '--prune', description: 'delete pages and files that are not in the space' },
    { flags: '--overwrite', description: 'overwrite local changes in all files' },
    ...conflictFlags,
    noCi,
  ],
  input: {
    context: ['org', 'space'],
  },
  output: {
    columns: [
      { key: 'folder' },
      { key: 'pages', kind: 'number' },
      { key: 'written', kind: 'number' },
      { key: 'removed', kind: 'number' },
      { key: 'kept', kind: 'number' },
      { key: 'changedHere', title: 'Changed here', kind: 'number' },
      { key: 'merged', kind: 'number' },
      { key: 'conflicts', kind: 'number' },
      { key: 'leftOut', title: 'Left out', kind: 'number' },
      { key: 'unchanged', kind: 'number' },
      { key: 'revision', kind: 'id' },
    ],
    idKey: 'revision',
  },
  run: async (invocation) => (await import('./pull.ts')).pullAll(invocation),
});
