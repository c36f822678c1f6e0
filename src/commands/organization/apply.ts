import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { noCi } from '../shared/no-ci.ts';
import { keepDrift, only } from './plan.ts';

export default command({
  use: 'apply [folder]',
  help: {
    summary: 'Make an organization as its files say.',
    description: `Shows the plan of a folder, asks, and sends its requests in the order in which objects need each other. You can name a file that "docsctl plan --out" wrote instead of the folder: docsctl then sends exactly its requests, or none if an object was changed since or somebody edited the file.

A content folder becomes one change request in its space, which is merged. A saved plan has hashes of pages, not their texts: the folder must be there as it was. docsctl waits until the service has processed each specification.

A failed request stops what comes after it; with --keep-going only what needs its object, and a page that was changed on both sides only the content of its space. What was done is told, and the same command goes on from there. It is refused to remove more than a tenth of the objects of a kind, the last other administrator or yourself; flags raise these limits.`,
    examples: [
      { run: 'docsctl apply ./organization', does: 'Show the plan, ask, and apply it' },
      {
        run: 'docsctl plan ./organization --out plan.json && docsctl apply plan.json --yes',
        does: 'A plan that can be reviewed in between',
      },
    ],
    exitStatuses: {
      [exit.usage]: 'the files have mistakes, or the folder has none of the files',
      [exit.forbidden]: 'you may not edit or merge the content of a space; nothing was sent',
      [exit.refused]:
        'an object or file was changed since the plan was made, a page was changed on both sides, or too much would be removed; nothing was sent',
      [exit.someFailed]: 'some changes were made and others were not',
      [exit.checkFailed]: 'the service could not process a specification, and nothing else was changed',
    },
    seeAlso: ['plan', 'drift', 'export'],
  },
  input: {
    flags: [
      only,
      { flags: '--prune', description: 'also remove what the files do not name' },
      keepDrift,
      { flags: '--keep-going', description: 'go on after a failed request with all that does not need its object' },
      {
        flags: '--max-removals <share>',
        description: 'how much of each kind may be removed, as 10% or as a number (default: 10%)',
      },
      { flags: '--leave-lock', description: 'do not renew the lock file of the folder', hidden: true },
      noCi,
      { flags: '--without-self', description: 'allow to remove or lower yourself, or all other administrators' },
    ],
    context: ['org'],
  },
  output: {
    columns: [
      { key: 'result', kind: 'state', style: { done: 'good', failed: 'bad', 'not done': 'warn' } },
      { key: 'action' },
      { key: 'kind' },
      { key: 'name' },
      { key: 'error', optional: true },
    ],
  },
  run: async (invocation) => (await import('./run.ts')).runApply(invocation),
});
