import type { Flag } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import type { Column } from '../../cli/output/index.ts';
import { exit } from '../../cli/program/failure.ts';
import { noCi } from '../shared/flags.ts';

/** Changes as rows. */
export const planColumns = [
  {
    key: 'action',
    kind: 'state',
    style: { create: 'good', delete: 'bad', move: 'warn', update: 'warn', unmanaged: 'bad' },
  },
  { key: 'kind' },
  { key: 'name' },
  { key: 'fields', kind: 'number', value: ({ fields }) => (Array.isArray(fields) ? fields.length : 0) },
  { key: 'isDrift', title: 'Drift', optional: true },
] as const satisfies readonly Column[];

export const keepDrift = {
  flags: '--keep-drift',
  description: 'keep changes made in the service since the files were last applied',
} as const satisfies Flag;

export const only = {
  flags: '--only <parts>',
  description: 'only these parts, or single objects such as spaces/handbook (repeatable or comma-separated)',
  repeatable: true,
} as const satisfies Flag;

export const diff = {
  flags: '--diff',
  description: 'show the changed lines of pages and specifications, and what changes for users of an API',
} as const satisfies Flag;

export const environment = {
  flags: '--env <name>',
  description: 'environment, whose settings and organization are in organization.<name>.yaml',
} as const satisfies Flag;

export default command({
  use: 'plan [folder]',
  changes: ['service'],
  prints: async () => (await import('../shared/printed-proposals.ts')).planOrProposal,
  summary: 'Show what would make the organization match its files.',
  description:
    'Compares a folder, exported or written by hand, with the organization and prints what would be added (+), changed (~), moved (>) and removed (-), with old and new values. Objects that are not in the files are kept and listed; --prune removes them. Changes made in the service since the last export or apply are marked as drift and reverted, unless you use --keep-drift. Sends GET requests only, except with --propose, which stores the plan as a proposal.',
  examples: {
    'Show the differences': 'docsctl plan ./organization',
    'Show one space with its content': 'docsctl plan ./organization --only spaces/handbook',
    'Exit with status 9 if there are differences': 'docsctl plan ./organization --exit-code',
    'Show the changed lines of pages and specifications': 'docsctl plan ./organization --diff',
  },
  exitStatuses: {
    [exit.usage]: 'the files have errors, or the folder contains none of the files',
    [exit.refused]: 'the files contain something that the service cannot do, or both sides changed a page',
    [exit.checkFailed]: 'there are changes, with --exit-code',
  },
  docs: 'docs/organization-as-code.md',
  seeAlso: ['export', 'drift'],
  flags: [
    only,
    { flags: '--prune', description: 'also remove objects that are not in the files' },
    keepDrift,
    environment,
    diff,
    { flags: '--out <file>', description: 'also save the plan to a file, for "docsctl apply <file>"' },
    { flags: '--exit-code', description: 'exit with status 9 if there are changes' },
    { flags: '--propose <title>', description: 'store the plan with its rehearsal as a proposal, and print that' },
    { flags: '--expires <time>', description: 'with --propose: when it expires, such as 12h or 7d (default: 7d)' },
    noCi,
  ],
  input: {
    context: ['org'],
  },
  output: { columns: planColumns },
  run: async (invocation) => (await import('./run.ts')).runPlan(invocation),
});
