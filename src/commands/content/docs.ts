import { exit } from '../../cli/program/exit-status.ts';
import type { Command } from '../../cli/command/command.ts';
import { noCi } from '../shared/no-ci.ts';

const layoutOf = `A file is a page. SUMMARY.md gives order, nesting and groups; without one the folders do, with README.md as a folder's page. Front matter says title, description, icon, emoji and hidden. Relative links and images become those of the pages. "root:" in the folder's .docsctl.yaml or .gitbook.yaml names the folder inside that holds the pages.`;

export const push: Command = {
  use: 'push [folder]',
  help: {
    summary: 'Make the pages of a change request those of a folder of Markdown.',
    description: `Prints what it is going to do and then sends the difference, so that a second push sends nothing. Pages without a file are deleted in the request. A renamed or moved file stays the page it was. Main content changes only with --merge. Without a folder, everything under "content:" in .docsctl.yaml is pushed; all of it has to lie in the project.

What a page links to goes along from inside the folder; a symbolic link may lead to another place of the same git repository. Links out of it and to hidden files take nothing along: they are told with file and line, and counted as warnings.

${layoutOf}`,
    examples: [
      {
        run: 'docsctl content push ./docs --new "Explain the pump" --space quickstart01',
        does: 'Into a new change request, for review',
      },
      {
        run: 'docsctl content push ./docs --merge --update --space quickstart01',
        does: 'All the way into main content',
      },
      {
        run: 'docsctl content push ./docs --dry-run --space quickstart01',
        does: 'Show what differs from main content',
      },
    ],
    exitStatuses: {
      [exit.usage]:
        'there is no page in the folder, the project file names one outside of the project, or none of --cr, --new and --merge is given',
      [exit.forbidden]: 'it takes the level edit on the space, with --merge also review',
      [exit.notFound]: 'there is no such space or change request',
      [exit.refused]: 'the service refused a page, or the merge ended in conflicts, listed page by page',
    },
    seeAlso: ['content pull', 'cr view', 'cr merge'],
  },
  input: {
    flags: [
      { flags: '--cr <request>', description: 'into this change request, by id or number' },
      {
        flags: '--new <subject>',
        description: 'into a new change request; one of that subject that is not merged yet is taken again',
      },
      { flags: '--merge', description: 'open and merge it afterwards; without --cr and --new in a request of its own' },
      { flags: '--update', description: 'with --merge: bring main content in first where the request is outdated' },
      noCi,
    ],
    context: ['space'],
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
      { key: 'warnings', kind: 'number' },
      { key: 'revision', kind: 'id' },
      { key: 'url', title: 'Address', optional: true },
    ],
    idKey: 'changeRequest',
  },
  run: async (invocation) => (await import('./push.ts')).pushAll(invocation),
};

export const pull: Command = {
  use: 'pull [folder]',
  help: {
    summary: 'Write the pages of a space or change request into a folder of Markdown.',
    description: `What is there already keeps its files' names, and its bytes where nothing changed; what was changed in the folder since is written over. Files that are not in the space are kept unless --prune is given; nothing outside the folder is touched. Without a folder, everything under "content:" in .docsctl.yaml is pulled; all of it has to lie in the project.

Whoever may edit the space must not choose what runs on this machine. So a pull writes no dot files, no source code and no names that programs look for (Makefile, package.json, AGENTS.md), and it replaces or removes nothing but pages, pictures and documents; except what a push from this machine sent. What is left out is told and counted; a page of such a name gets another file.

${layoutOf}`,
    examples: [
      { run: 'docsctl content pull ./docs --space quickstart01', does: 'Main content' },
      {
        run: 'docsctl content pull ./docs --cr 1 --prune --space handbook0001',
        does: 'A change request, and nothing else',
      },
    ],
    exitStatuses: {
      [exit.usage]:
        'that is no folder, the project file names one outside of the project, or a link in it leads out of it',
      [exit.notFound]: 'there is no such space or change request',
    },
    seeAlso: ['content push', 'content pages list'],
  },
  input: {
    flags: [
      { flags: '--cr <request>', description: 'from this change request, by id or number' },
      { flags: '--prune', description: 'remove pages and their files that are not in the space' },
      noCi,
    ],
    context: ['space'],
  },
  output: {
    columns: [
      { key: 'folder' },
      { key: 'pages', kind: 'number' },
      { key: 'written', kind: 'number' },
      { key: 'removed', kind: 'number' },
      { key: 'kept', kind: 'number' },
      { key: 'leftOut', title: 'Left out', kind: 'number' },
      { key: 'unchanged', kind: 'number' },
      { key: 'revision', kind: 'id' },
    ],
    idKey: 'revision',
  },
  run: async (invocation) => (await import('./pull.ts')).pullAll(invocation),
};
