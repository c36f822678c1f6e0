import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/failure.ts';
import { noCi } from '../shared/flags.ts';
import { environment, keepDrift, only } from './plan.ts';

export default command({
  use: 'apply [folder]',
  changes: ['service', 'files'],
  prints: async () => (await import('../shared/printed.ts')).applied,
  summary: 'Make the organization match its files.',
  description:
    'Shows the plan of a folder, asks, and sends the requests in order of dependency. Instead of a folder, you can pass a file written by "docsctl plan --out": exactly its requests are sent, or none if the file was edited or an object was changed in the meantime. Content is merged through one change request per space. If a request fails, the rest is not sent; run the command again to continue. At the end, docsctl plans again: what the service did not keep is shown, with status 8.',
  examples: {
    'Show the plan, ask, and apply it': 'docsctl apply ./organization',
    'Save a plan for review, then apply it':
      'docsctl plan ./organization --out plan.json && docsctl apply plan.json --yes',
  },
  exitStatuses: {
    [exit.usage]: 'the files have errors, or the folder contains none of the files',
    [exit.forbidden]: 'you may not edit or merge the content of a space; nothing was sent',
    [exit.refused]:
      'an object, file or page was changed in the meantime, or too much would be removed; nothing was sent',
    [exit.someFailed]: 'some changes were made and others were not, or the service did not keep them',
    [exit.checkFailed]: 'the service could not process a specification, and nothing else was changed',
  },
  docs: 'docs/organization-as-code.md',
  seeAlso: ['plan', 'drift', 'export'],
  flags: [
    only,
    { flags: '--prune', description: 'also remove objects that are not in the files' },
    keepDrift,
    environment,
    {
      flags: '--keep-going',
      description: 'after a failed request, continue with everything that does not depend on it',
    },
    {
      flags: '--max-removals <share>',
      description: 'how much of each kind may be removed, such as 10% or 20 (default: 10%)',
    },
    { flags: '--leave-lock', description: 'do not update the lock file of the folder', hidden: true },
    { flags: '--wait', description: 'if another apply is running, wait until it ends' },
    { flags: '--break-lease', description: 'first remove the lease of an apply that was killed; asks' },
    {
      flags: '--if-stale <what>',
      description: 'if the checkout is older than the last apply: fail (default), skip (status 0) or apply',
      choices: ['fail', 'skip', 'apply'],
    },
    noCi,
    { flags: '--without-self', description: 'allow removing or lowering yourself or all other administrators' },
  ],
  input: {
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
  run: async (invocation) => (await import('./run-apply.ts')).runApply(invocation),
});
