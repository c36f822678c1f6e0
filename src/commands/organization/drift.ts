import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { noCi } from '../shared/no-ci.ts';
import { only, planColumns } from './plan.ts';

export default command({
  use: 'drift [folder]',
  help: {
    summary: 'Show where the organization is no longer as its files say.',
    description: `Compares the organization with the files of a folder, as "docsctl plan" does, and ends with status 9 if it differs: for a nightly job that watches changes by hand. Only GET requests are sent. Differences in files that are as the last export or apply left them are marked: somebody changed the service.

"docsctl apply" takes these changes back, or leaves them alone with --keep-drift; "docsctl export" takes them into the folder.`,
    examples: [
      { run: 'docsctl drift ./organization', does: 'Status 9 if somebody changed something' },
      { run: 'docsctl drift ./organization -o json', does: 'The changes, for a script' },
    ],
    exitStatuses: {
      [exit.usage]: 'the files have mistakes, or the folder has none of the files',
      [exit.refused]: 'the files ask for something that the service cannot do',
      [exit.checkFailed]: 'the organization is not as the files say',
    },
    seeAlso: ['plan', 'apply', 'export'],
  },
  input: {
    flags: [only, { flags: '--prune', description: 'also count objects that the files do not name' }, noCi],
    context: ['org'],
  },
  output: { columns: planColumns },
  run: async (invocation) => (await import('./run-drift.ts')).runDrift(invocation),
});
