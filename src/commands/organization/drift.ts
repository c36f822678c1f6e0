import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { noCi } from '../shared/no-ci.ts';
import { only, planColumns } from './plan.ts';

export default command({
  use: 'drift [folder]',
  help: {
    summary: 'Check whether the organization still matches its files.',
    description:
      'Compares the organization with a folder, as "docsctl plan" does, and exits with status 9 if they differ. Use it in a nightly job to find changes made in the service; they are marked as such. Sends GET requests only. "docsctl apply" reverts these changes, or keeps them with --keep-drift; "docsctl export" writes them to the folder.',
    examples: [
      { run: 'docsctl drift ./organization', does: 'Exit with status 9 if something was changed' },
      { run: 'docsctl drift ./organization -o json', does: 'Print the changes for a script' },
    ],
    exitStatuses: {
      [exit.usage]: 'the files have errors, or the folder contains none of the files',
      [exit.refused]: 'the files contain something that the service cannot do',
      [exit.checkFailed]: 'the organization does not match the files',
    },
    docs: 'docs/organization-as-code.md',
    seeAlso: ['plan', 'apply', 'export'],
  },
  input: {
    flags: [only, { flags: '--prune', description: 'also count objects that are not in the files' }, noCi],
    context: ['org'],
  },
  output: { columns: planColumns },
  run: async (invocation) => (await import('./run-drift.ts')).runDrift(invocation),
});
