import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { requireFlag } from '../shared/require-flag.ts';
import { noCi } from '../shared/no-ci.ts';

const folderLayout = `Each file is a page. SUMMARY.md gives order, nesting and groups. Without it the folders give the nesting, and README.md is the page of its folder. Front matter holds title, description, icon, emoji and hidden. Relative links and images lead to the pages and files. "root:" in .docsctl.yaml or .gitbook.yaml of the folder names the folder inside that holds the pages.`;

export const push = command({
  use: 'push [folder]',
  help: {
    summary: 'Send what changed in a folder of Markdown to a change request or to main content.',
    description: `Shows what changes, deletions first, and then sends only that: a second push sends nothing. A renamed or moved file remains the same page. Main content changes only with --merge. Without a folder, everything under "content:" in .docsctl.yaml is pushed; all of it must be in the project.

A push never undoes the work of others. The space keeps what the folder had at its last push, for fresh clones too, and folder and app are compared with that. What only the app changed, wrote or deleted stays so, and is counted as kept; what both changed in different lines is merged. Both leave the folder behind: pull to have it here. Where both changed the same lines or fields, or one side changed what the other deleted, nothing is sent, and the command ends with status 6 and the differences. --prefer decides just these conflicts; --overwrite takes the folder for every page that it has or had. Pages are deleted only if the folder had them; --delete-others deletes the rest, too.

A folder that was never pushed to a space with other pages needs --adopt or --overwrite, once. That is also so after an upgrade from docsctl 0.1, which kept no such record.

Files that pages, their covers and their blocks name are uploaded too, and so are .gitbook/includes and .gitbook/vars.yaml; a symbolic link may lead to another place in the same git repository. What cannot be pushed is left out, and a warning says file and line: other linked files, hidden files, files over 1 MB, pages that are not UTF-8 or MDX, entries of SUMMARY.md that lead nowhere.

${folderLayout}`,
    examples: [
      {
        run: 'docsctl content push ./docs --new "Explain the pump" --adopt --space quickstart01',
        does: 'Into a new change request, for review; the first push to a space with pages',
      },
      {
        run: 'docsctl content push ./docs --merge --update --adopt --space quickstart01',
        does: 'Into main content',
      },
      {
        run: 'docsctl content push ./docs --dry-run --adopt --space quickstart01',
        does: 'Show what would change in main content',
      },
    ],
    exitStatuses: {
      [exit.usage]:
        'the folder has no pages or was never pushed to a space with other pages, the project file names a folder outside of the project, or none of --cr, --new and --merge is given',
      [exit.forbidden]: 'this needs the level edit on the space, with --merge also review',
      [exit.notFound]: 'there is no such space or change request',
      [exit.refused]:
        'the folder and the app changed the same places, or the merge has conflicts, which are shown; or the service refused a page, or a file is too large with --strict',
      [exit.checkFailed]:
        'there are warnings with --fail-on warning, and nothing was sent; or what --require names does not hold: then the request has the changes and is not merged',
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
        flags: '--fail-on <what>',
        description: 'send nothing and end with status 9 where anything is left out or not understood',
        choices: ['warning'],
      },
      { flags: '--strict', description: 'refuse the push where a file is too large, instead of leaving the file out' },
      { flags: '--mdx', description: 'take .mdx files as Markdown, with their JSX as it is' },
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
      { key: 'revision', kind: 'id' },
      { key: 'url', title: 'Address', optional: true },
    ],
    idKey: 'changeRequest',
  },
  writesFilesWith: [],
  run: async (invocation) => (await import('./push.ts')).pushAll(invocation),
});

export const pull = command({
  use: 'pull [folder]',
  help: {
    summary: 'Write the pages of a space or change request into a folder of Markdown.',
    description: `Existing pages keep the names of their files, and pages that did not change keep their bytes. What was changed in the folder since its last push or pull stays, and is merged with what the space changed; where both changed the same lines, nothing is written, and the command ends with status 6 and the differences. --prefer decides these conflicts, --overwrite takes the space for every file. Where the space does not know what was pulled, the file .docsctl/pulled.json in the folder does: commit it with the pages. Files that are not in the space are kept unless --prune is given; nothing outside the folder is touched. Without a folder, everything under "content:" in .docsctl.yaml is pulled; all of it must be in the project.

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
      [exit.refused]: 'the folder and the space changed the same places, which are shown; nothing was written',
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
      { key: 'leftOut', title: 'Left out', kind: 'number' },
      { key: 'unchanged', kind: 'number' },
      { key: 'revision', kind: 'id' },
    ],
    idKey: 'revision',
  },
  run: async (invocation) => (await import('./pull.ts')).pullAll(invocation),
});
