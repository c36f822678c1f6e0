import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/failure.ts';
import { environment } from './plan.ts';

export default command({
  use: 'export <folder>',
  changes: ['files'],
  prints: async () => (await import('../shared/printed.ts')).exported,
  summary: 'Export an organization to a folder of files.',
  description:
    'Writes settings, members, teams, SSO, collections, spaces with their content, sites, specifications, translations and invite links in the format of "docsctl plan" and "docsctl apply". Later exports read only the content that changed, and delete files of objects that no longer exist. Files that you changed are not overwritten: the command lists them and exits with status 6. Tokens and keys of links are not exported.',
  examples: {
    'Export everything': 'docsctl export ./backup',
    'Export two parts': 'docsctl export ./backup --only members,teams',
    'Export a space with its content, and a team': 'docsctl export ./backup --only spaces/handbook,teams/writers',
  },
  exitStatuses: {
    [exit.forbidden]: 'a part requires a higher role; use --only to leave it out',
    [exit.refused]: 'files in the folder were changed since the last export',
    [exit.someFailed]: 'something cannot be represented in files and was skipped; the rest was written',
  },
  docs: 'docs/organization-as-code.md',
  seeAlso: ['content pull', 'openapi download'],
  flags: [
    {
      flags: '--only <parts>',
      description: 'only these parts, or single objects such as teams/writers (repeatable or comma-separated)',
      repeatable: true,
    },
    environment,
    { flags: '--comments', description: 'also write the comments of each space to comments/' },
    { flags: '--levels', description: 'also write levels granted on spaces if that takes more than 250 requests' },
    { flags: '--overwrite', description: 'overwrite files that were changed in the folder' },
  ],
  input: {
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
