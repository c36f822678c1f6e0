import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { requireFlag } from '../cr/require-flag.ts';
import { noCi } from '../shared/no-ci.ts';

const folderLayout = `Each file is a page. SUMMARY.md gives order, nesting and groups. Without it the folders give the nesting, and README.md is the page of its folder. Front matter holds title, description, icon, emoji and hidden. Relative links and images lead to the pages and files. "root:" in .docsctl.yaml or .gitbook.yaml of the folder names the folder inside that holds the pages.`;

export const push = command({
  use: 'push [folder]',
  help: {
    summary: 'Make the pages of a change request the same as a folder of Markdown.',
    description: `Shows what changes and then sends only that: a second push sends nothing. Pages without a file are deleted in the request. A renamed or moved file remains the same page. Main content changes only with --merge. Without a folder, everything under "content:" in .docsctl.yaml is pushed; all of it must be in the project.

Files of the folder that pages link to are uploaded too; a symbolic link may lead to another place in the same git repository. Other linked files and hidden files are not uploaded: a warning says file and line.

${folderLayout}`,
    examples: [
      {
        run: 'docsctl content push ./docs --new "Explain the pump" --space quickstart01',
        does: 'Into a new change request, for review',
      },
      {
        run: 'docsctl content push ./docs --merge --update --space quickstart01',
        does: 'Into main content',
      },
      {
        run: 'docsctl content push ./docs --dry-run --space quickstart01',
        does: 'Show what differs from main content',
      },
    ],
    exitStatuses: {
      [exit.usage]:
        'the folder has no pages, the project file names a folder outside of the project, or none of --cr, --new and --merge is given',
      [exit.forbidden]: 'this needs the level edit on the space, with --merge also review',
      [exit.notFound]: 'there is no such space or change request',
      [exit.refused]: 'the service refused a page, or the merge has conflicts, which are shown',
      [exit.checkFailed]: 'what --require names does not hold; the request has the changes and is not merged',
    },
    seeAlso: ['content pull', 'cr view', 'cr merge'],
  },
  input: {
    flags: [
      { flags: '--cr <request>', description: 'into this change request, by id or number' },
      {
        flags: '--new <subject>',
        description: 'into a new change request, or into one with this subject that is not merged yet',
      },
      { flags: '--merge', description: 'open and merge the request afterwards; creates one without --cr and --new' },
      { flags: '--update', description: 'with --merge: first update the request if it is outdated' },
      { ...requireFlag, description: `with --merge: ${requireFlag.description}` },
      {
        flags: '--adopt',
        description: 'the first push of a folder to a space with pages: compare them, and keep the pages of both',
      },
      {
        flags: '--overwrite',
        description: 'give every page that the folder has its state, whatever the app changed',
      },
      {
        flags: '--prefer <side>',
        description: 'decide what both changed differently: "app" or "folder"',
        choices: ['app', 'folder'] as const,
      },
      { flags: '--delete-others', description: 'also delete pages that the folder never had' },
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
      { key: 'kept', kind: 'number' },
      { key: 'merged', kind: 'number' },
      { key: 'warnings', kind: 'number' },
      { key: 'revision', kind: 'id' },
      { key: 'url', title: 'Address', optional: true },
    ],
    idKey: 'changeRequest',
  },
  run: async (invocation) => (await import('./push.ts')).pushAll(invocation),
});

export const pull = command({
  use: 'pull [folder]',
  help: {
    summary: 'Write the pages of a space or change request into a folder of Markdown.',
    description: `Existing pages keep the names of their files, and pages that did not change keep their bytes. Changes made in the folder are overwritten. Files that are not in the space are kept unless --prune is given; nothing outside the folder is touched. Without a folder, everything under "content:" in .docsctl.yaml is pulled; all of it must be in the project.

The editors of the space must not be able to choose what runs on this machine. So a pull writes no dot files, no source code and no files that programs look for (Makefile, package.json, AGENTS.md), and it only replaces or removes pages, pictures and documents. What a push from this machine sent is excepted. Files that are left out are listed and counted; a page with such a name gets another file.

${folderLayout}`,
    examples: [
      { run: 'docsctl content pull ./docs --space quickstart01', does: 'Main content' },
      {
        run: 'docsctl content pull ./docs --cr 1 --prune --space handbook0001',
        does: 'A change request; other files are removed',
      },
    ],
    exitStatuses: {
      [exit.usage]:
        'it is not a folder, the project file names a folder outside of the project, or a symbolic link leads out of the folder',
      [exit.notFound]: 'there is no such space or change request',
    },
    seeAlso: ['content push', 'content pages list'],
  },
  input: {
    flags: [
      { flags: '--cr <request>', description: 'from this change request, by id or number' },
      { flags: '--prune', description: 'remove pages and files that are not in the space' },
      { flags: '--overwrite', description: 'give every file the state of the space, whatever was changed here' },
      {
        flags: '--prefer <side>',
        description: 'decide what both changed differently: "app" or "folder"',
        choices: ['app', 'folder'] as const,
      },
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
      { key: 'changedHere', title: 'Changed here', kind: 'number' },
      { key: 'merged', kind: 'number' },
      { key: 'leftOut', title: 'Left out', kind: 'number' },
      { key: 'unchanged', kind: 'number' },
      { key: 'revision', kind: 'id' },
    ],
    idKey: 'revision',
  },
  run: async (invocation) => (await import('./pull.ts')).pullAll(invocation),
});
