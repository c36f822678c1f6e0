import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/failure.ts';
import { noCi } from '../shared/flags.ts';
import { diff, environment, only, planColumns } from './plan.ts';

export default command({
  use: 'drift [folder]',
  changes: [],
  prints: async () => (await import('../shared/printed.ts')).plan,
  summary: 'Check whether the organization still matches its files.',
  description:
    'Compares the organization with a folder and exits with status 9 if they differ, for example in a nightly job. Reports differences from the files, marked if they were made in the service; objects that are not in the files (?), such as a new administrator; and levels granted on spaces, if the folder has levels.csv. Sends GET requests only. "docsctl apply" reverts changes, with --prune also new objects; "docsctl export" writes them to the folder.',
  examples: {
    'Exit with status 9 if something was changed': 'docsctl drift ./organization',
    'Print the changes for a script': 'docsctl drift ./organization -o json',
  },
  exitStatuses: {
    [exit.usage]: 'the files have errors, or the folder contains none of the files',
    [exit.refused]: 'the files contain something that the service cannot do',
    [exit.checkFailed]: 'the organization does not match the files',
  },
  docs: 'docs/organization-as-code.md',
  seeAlso: ['plan', 'apply', 'export'],
  flags: [
    only,
    environment,
    diff,
    { flags: '--prune', description: 'show objects that are not in the files as removals' },
    noCi,
  ],
  input: {
    context: ['org'],
  },
  output: { columns: planColumns },
  run: async (invocation) => (await import('./run.ts')).runDrift(invocation),
});
