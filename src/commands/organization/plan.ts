import type { Flag } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import type { Column } from '../../cli/output/index.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { noCi } from '../shared/no-ci.ts';

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
  description: 'leave alone what somebody changed in the service since the files were last applied',
} as const satisfies Flag;

export const only = {
  flags: '--only <parts>',
  description: 'only these parts, or objects of them as spaces/handbook (repeatable, or with commas)',
  repeatable: true,
} as const satisfies Flag;

export default command({
  use: 'plan [folder]',
  help: {
    summary: 'Show what would make an organization as its files say.',
    description: `Compares the files of a folder, as "docsctl export" writes them or written by hand, with the organization, and prints the difference: what is added (+), changed (~), moved (>) and removed (-), each with its old and new value. Only GET requests are sent.

A part is managed if its file or folder is there; in a file, what is left out stays as it is in the service. Objects that the files do not name are kept, and listed; with --prune they are removed. A difference in a file that is as the last export or apply left it is drift: somebody changed the service. It is marked, and would be taken back; --keep-drift leaves it alone. The content folder of a space is compared page by page with what it had then: what the folder changed is sent, what the service changed is drift, and pages that both changed are refused. Every mistake in the files is reported with its line before anything is asked of the service.`,
    examples: [
      { run: 'docsctl plan ./organization', does: 'Read the difference' },
      { run: 'docsctl plan ./organization --only spaces/handbook', does: 'Only one space with its content' },
      { run: 'docsctl plan ./organization --exit-code', does: 'Status 9 if there is one, for a nightly job' },
    ],
    exitStatuses: {
      [exit.usage]: 'the files have mistakes, or the folder has none of the files',
      [exit.refused]: 'the files ask for something that the service cannot do, or both changed a page',
      [exit.checkFailed]: 'with --exit-code: there are changes',
    },
    seeAlso: ['export', 'drift'],
  },
  input: {
    flags: [
      only,
      { flags: '--prune', description: 'also remove what the files do not name' },
      keepDrift,
      { flags: '--out <file>', description: 'also write the plan into a file, for "docsctl apply <file>"' },
      { flags: '--exit-code', description: 'end with status 9 if there are changes' },
      noCi,
    ],
    context: ['org'],
  },
  output: { columns: planColumns },
  run: async (invocation) => (await import('./run.ts')).runPlan(invocation),
});
