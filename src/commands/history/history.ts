import type { Invocation } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import type { Column } from '../../cli/output/index.ts';
import { exit } from '../../cli/program/exit-status.ts';

const columns: Column[] = [
  { key: 'number', title: 'No.', kind: 'id' },
  { key: 'time', kind: 'date' },
  { key: 'result', kind: 'state', style: { done: 'good', failed: 'bad', interrupted: 'warn' } },
  { key: 'changes', kind: 'number', value: ({ changes }) => (Array.isArray(changes) ? changes.length : 0) },
  { key: 'user.email', title: 'User', optional: true },
  { key: 'undo', title: 'Undo', optional: true },
  { key: 'command', value: ({ line }) => line },
];

const parts = {
  help: {
    summary: 'List what commands changed, the newest first.',
    description:
      'Every command that changes something on the service is kept in the journal of its profile, on this machine: when, by whom, its requests, what was changed, and how it ended. With -o json, entries are complete; secrets are never kept. Numbers stay the same.',
    examples: [
      { run: 'docsctl history list', does: 'All that is kept' },
      { run: "docsctl history list --filter 'time>=7d' -o json", does: 'The last week, with all requests' },
    ],
    seeAlso: ['history view', 'undo'],
  },
  output: { list: true, columns, idKey: 'number' },
  run: async (invocation: Invocation) => (await import('./show.ts')).listHistory(invocation),
} as const;

const view = command({
  use: 'view <number>',
  help: {
    summary: 'Show one entry of the journal with its requests.',
    description: 'For each request: what was changed, with the value before and after, and the status of the answer.',
    examples: [
      { run: 'docsctl history view 1', does: 'The first command' },
      { run: 'docsctl history view 1 -o json', does: 'All that is kept of it' },
    ],
    exitStatuses: { [exit.notFound]: 'there is no entry with this number' },
    seeAlso: ['history list', 'undo'],
  },
  input: {
    suggestions: { number: async (invocation) => (await import('../shared/journal.ts')).entryWords(invocation) },
    texts: { number: 'number of an entry, as "history list" shows it' },
  },
  run: async (invocation) => (await import('./show.ts')).viewEntry(invocation),
});

export default command({ ...parts, use: 'history', subcommands: [command({ ...parts, use: 'list' }), view] });
