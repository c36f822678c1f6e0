import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/failure.ts';

export default command({
  use: 'undo [number]',
  changes: ['service'],
  prints: async () => (await import('../shared/printed-local.ts')).undone,
  summary: 'Undo what a command changed.',
  description:
    'Takes the number of an entry in "docsctl history"; the default is the newest one that is not an undo and not undone. Shows the requests and each value as it is and as it was, and asks. Edits, moves, roles, memberships, structures, customizations and deleted spaces are restored; created objects are deleted. Invites, merges and other deletions cannot be undone. Refuses if an object was changed in the meantime. An undo can be undone, too, by its number. If the last command failed before it changed anything, docsctl says so and, with --yes, undoes nothing.',
  examples: {
    'Preview undoing the newest entry': 'docsctl undo --dry-run',
    'Undo entry 1 without confirmation': 'docsctl undo 1 --yes',
  },
  exitStatuses: {
    [exit.notFound]: 'no entry with this number',
    [exit.refused]: 'it cannot be undone, was changed in the meantime, or the last command failed; nothing was sent',
    [exit.someFailed]: 'a request failed after others were sent',
  },
  docs: 'docs/history.md',
  seeAlso: ['history list', 'history view'],
  flags: [{ flags: '--partial', description: 'undo what is possible if a part cannot be undone' }],
  input: {
    suggestions: { number: async (invocation) => (await import('../shared/journal.ts')).entryWords(invocation) },
    texts: { number: 'number of an entry in "history list" (default: the newest that is in effect)' },
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
