import type { Column } from '../cli/output/index.ts';
import type { Command } from '../cli/tree.ts';

const columns: Column[] = [
  { key: 'check', kind: 'id' },
  { key: 'state', kind: 'state', style: { ok: 'good', warn: 'warn', fail: 'bad' } },
  { key: 'detail' },
];

const command: Command = {
  use: 'doctor',
  summary: 'Check the settings, the service, the token and the role.',
  description:
    'Tells what is set and where it comes from, whether the service answers, whether it takes the token, and which role it gives you. Nothing is changed. What is wrong comes with a hint.',
  context: ['org', 'space', 'site'],
  columns,
  idKey: 'check',
  run: async (invocation) => (await import('./doctor-checks.ts')).examine(invocation),
  examples: [
    { run: 'docsctl doctor', does: 'Check everything' },
    { run: 'docsctl doctor --profile local -o json', does: 'One profile, for a bug report' },
  ],
  exits: {
    3: 'there is no profile or token, or the token is refused',
    5: 'the profile or the organization is not there, or not for you to see',
    7: 'the service cannot be reached',
  },
  see: ['auth status', 'config list', 'help environment'],
};
export default command;
