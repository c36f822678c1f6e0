import type { Column } from '../../cli/output/index.ts';
import type { Command } from '../../cli/command/command.ts';

const columns: Column[] = [
  { key: 'check', kind: 'id' },
  { key: 'state', kind: 'state', style: { ok: 'good', warn: 'warn', fail: 'bad' } },
  { key: 'detail' },
];

const command: Command = {
  use: 'doctor',
  help: {
    summary: 'Check the settings, the service, the token and the role.',
    description:
      'Tells what is set and where it comes from, whether the service answers, whether it takes the token, and which role it gives you. Nothing is changed. What is wrong comes with a hint.',
    examples: [
      { run: 'docsctl doctor', does: 'Check everything' },
      { run: 'docsctl doctor --profile local -o json', does: 'One profile, for a bug report' },
    ],
    exitStatuses: {
      3: 'there is no profile or token, or the token is refused',
      5: 'the profile or the organization is not there, or not for you to see',
      7: 'the service cannot be reached',
    },
    seeAlso: ['auth status', 'config list', 'help environment'],
  },
  input: {
    context: ['org', 'space', 'site'],
  },
  output: {
    columns,
    idKey: 'check',
  },
  run: async (invocation) => (await import('./checks.ts')).examine(invocation),
};
export default command;
