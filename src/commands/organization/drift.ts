import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { noCi } from '../shared/no-ci.ts';
import { only, planColumns } from './plan.ts';

export default command({
  use: 'drift [folder]',
  help: {
    summary: 'Show where the organization is no longer as its files say.',
    description: `Compares the organization with the files of a folder and exits with status 9 if they differ, for a nightly job that watches changes made by hand. Only GET requests are sent. Three things count: differences from the files, marked where somebody changed the service since the last export or apply; objects of any kind that the files do not name (?), such as an invited administrator or a new team; and levels granted on spaces, if the folder has levels.csv.

"docsctl apply" undoes these changes, and with --prune removes what the files do not name; "docsctl export" takes them into the folder.

Docs: docs/organization-as-code.md`,
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
    flags: [only, { flags: '--prune', description: 'show objects that the files do not name as removals' }, noCi],
    context: ['org'],
  },
  output: { columns: planColumns },
  run: async (invocation) => (await import('./run.ts')).runDrift(invocation),
});
