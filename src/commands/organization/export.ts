import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/exit-status.ts';

export default command({
  use: 'export <folder>',
  help: {
    summary: 'Write a whole organization into a folder, as files to review and to keep.',
    description: `Settings, members, teams, SSO, collections, spaces with their content, sites, specifications, translations and invite links, each in the format that "docsctl plan" and "docsctl apply" read. The same organization gives the same bytes. A second export into the folder reads again only the content that changed; one that was interrupted goes on.

Nothing that you changed in the folder since the last export or apply is overwritten: the command names such files and ends with status 6. Files of objects that are no longer there are removed. Secrets are not exported: neither tokens nor the keys of share links and invite links.`,
    examples: [
      { run: 'docsctl export ./backup', does: 'Everything' },
      { run: 'docsctl export ./backup --only members,teams', does: 'Two parts of it' },
      {
        run: 'docsctl export ./backup --only spaces/handbook,teams/writers',
        does: 'A space with its content, and a team',
      },
    ],
    exitStatuses: {
      [exit.forbidden]: 'a part needs a higher role; --only leaves it out',
      [exit.refused]: 'files in the folder were changed since the last export',
      [exit.someFailed]: 'something has no place in the files and was left out; the rest was written',
    },
    seeAlso: ['content pull', 'openapi download'],
  },
  input: {
    flags: [
      {
        flags: '--only <parts>',
        description: 'only these parts, or objects of them as teams/writers (repeatable, or with commas)',
        repeatable: true,
      },
      { flags: '--comments', description: 'also write the comments of each space into comments/' },
      { flags: '--levels', description: 'also write levels granted on spaces if that takes more than 250 requests' },
      { flags: '--overwrite', description: 'replace files that were changed in the folder' },
    ],
    context: ['org'],
  },
  output: {
    columns: [
      { key: 'folder' },
      { key: 'members', kind: 'number' },
      { key: 'teams', kind: 'number' },
      { key: 'spaces', kind: 'number' },
      { key: 'sites', kind: 'number' },
      { key: 'written', kind: 'number' },
      { key: 'removed', kind: 'number' },
      { key: 'unchanged', kind: 'number' },
      { key: 'leftOut', title: 'Left out', kind: 'number' },
    ],
    idKey: 'folder',
  },
  run: async (invocation) => (await import('./run-export.ts')).runExport(invocation),
});
