import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/exit-status.ts';

export default command({
  use: 'undo [number]',
  help: {
    summary: 'Take back what a command changed.',
    description: `Takes the number of an entry of "docsctl history", and the newest without one. Shows each value as it is now and as it was before, with the requests, and asks. Edits, moves, roles, memberships, structures, customizations and the deletion of spaces are set back; what was created is deleted.

It is refused if somebody changed an object since. Invites, merges and other deletions cannot be taken back: then nothing is sent, or with --partial all that can be. An undo is an entry too, and can be undone.`,
    examples: [
      { run: 'docsctl undo --dry-run', does: 'What would be taken back of the newest command' },
      { run: 'docsctl undo 1 --yes', does: 'Take back the first one without a question' },
    ],
    exitStatuses: {
      [exit.notFound]: 'there is no entry with this number',
      [exit.refused]: 'it cannot be taken back, or somebody changed it since; nothing was sent',
      [exit.someFailed]: 'some requests were sent, and then one failed',
    },
    seeAlso: ['history list', 'history view'],
  },
  input: {
    flags: [{ flags: '--partial', description: 'take back what can be, where a part of it cannot' }],
    suggestions: { number: async (invocation) => (await import('../shared/journal.ts')).entryWords(invocation) },
    texts: { number: 'number of an entry, as "history list" shows it (default: the newest)' },
  },
  output: {
    columns: [
      { key: 'result', kind: 'state', style: { done: 'good', failed: 'bad', 'not done': 'warn' } },
      { key: 'method' },
      { key: 'address' },
      { key: 'error', optional: true },
    ],
    idKey: 'address',
  },
  run: async (invocation) => (await import('./run-undo.ts')).runUndo(invocation),
});
