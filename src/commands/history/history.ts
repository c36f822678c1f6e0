import type { Invocation } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import { flags, type HistoryFlags } from './flags.ts';
import type { Column } from '../../cli/output/index.ts';
import { exit } from '../../cli/program/failure.ts';

const columns: Column[] = [
  { key: 'number', title: 'No.', kind: 'id' },
  { key: 'time', kind: 'date' },
  { key: 'result', kind: 'state', style: { done: 'good', failed: 'bad', interrupted: 'warn' } },
  { key: 'changes', kind: 'number', value: ({ changes }) => (Array.isArray(changes) ? changes.length : 0) },
  { key: 'actor', title: 'User', optional: true },
  { key: 'about', title: 'What', optional: true },
  { key: 'undo', title: 'Undo', optional: true },
  { key: 'command', value: ({ line }) => line },
];

const parts = {
  changes: [],
  prints: async () => (await import('../shared/printed-local.ts')).entries,
  summary: 'List what commands changed, newest first.',
  description:
    'docsctl records every command that changes something on a service in the journal of its profile, on this machine: time, user, requests, values before and after, and result. Entry numbers never change, and secrets are never recorded. With -o json, prints entries in full.',
  examples: {
    'List all entries': 'docsctl history list',
    'Print the last week, with all requests': 'docsctl history list --since 7d -o json',
    'Export who changed what for a person': 'docsctl history list --about person3@lumen.example -o csv',
  },
  docs: 'docs/history.md',
  seeAlso: ['history view', 'undo'],
  flags,
  output: { list: true, columns, idKey: 'number' },
  run: async (invocation: Invocation<{}, HistoryFlags>) => (await import('./show.ts')).listHistory(invocation),
} as const;

const view = command({
  use: 'view <number>',
  changes: [],
  prints: async () => (await import('../shared/printed-local.ts')).entry,
  summary: 'Show a journal entry with its requests.',
  description: 'Prints for each request the values before and after, and the status of the response.',
  examples: {
    'Show the first entry': 'docsctl history view 1',
    'Print everything recorded in it': 'docsctl history view 1 -o json',
  },
  exitStatuses: { [exit.notFound]: 'no entry with this number' },
  seeAlso: ['history list', 'undo'],
  input: {
    suggestions: { number: async (invocation) => (await import('../shared/journal.ts')).entryWords(invocation) },
    texts: { number: 'number of an entry in "history list"' },
  },
  run: async (invocation) => (await import('./show.ts')).viewEntry(invocation),
});

export default command({ ...parts, use: 'history', subcommands: [command({ ...parts, use: 'list' }), view] });
