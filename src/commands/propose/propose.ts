import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/failure.ts';

export default command({
  use: 'propose [words...]',
  changes: ['service'],
  prints: async () => (await import('../shared/printed-proposals.ts')).proposal,
  summary: 'Propose a command for another administrator to approve.',
  description:
    'Rehearses the command on a copy of the organization and stores it as a proposal, with its files and the result of the rehearsal. Nothing else changes. Another administrator approves it with "docsctl proposals approve", and "docsctl proposals apply" then runs exactly this command. Put the command after --. "docsctl propose run LIST" proposes a list of commands as a whole.',
  examples: {
    'Propose another role for a member':
      'docsctl propose --title "Ada reads" -- members edit person3@lumen.example --role read',
    'Propose to delete a space, for two days': 'docsctl propose --expires 2d -- spaces delete handbook0001',
    'Propose a list of commands': 'docsctl propose --title "New team" run commands.txt',
  },
  exitStatuses: {
    [exit.usage]: 'the command cannot be proposed',
    [exit.forbidden]: 'you may not propose changes, or the command is not allowed',
    [exit.refused]: 'the command changes nothing or would be refused, or its files are too large',
  },
  docs: 'docs/proposals.md',
  seeAlso: ['proposals approve', 'proposals apply', 'rehearse'],
  flags: [
    { flags: '--title <text>', description: 'title of the proposal (default: the command)' },
    { flags: '--expires <time>', description: 'when it expires, such as 12h or 7d (default: 7d)' },
  ],
  input: {
    context: ['org', 'space', 'site'],
    texts: { words: 'a command after --, or: run LIST' },
  },
  output: {
    card: [
      { key: 'number', title: 'No.' },
      { key: 'title' },
      { key: 'status', kind: 'state', style: {} },
      { key: 'expiresAt', title: 'Expires', kind: 'date' },
      { key: 'command' },
    ],
  },
  run: async (invocation) => (await import('./run-propose.ts')).runPropose(invocation),
});
