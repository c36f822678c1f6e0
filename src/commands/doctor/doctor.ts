import type { Column } from '../../cli/output/index.ts';
import { command } from '../../cli/command/define.ts';

const columns: Column[] = [
  { key: 'check', kind: 'id' },
  { key: 'state', kind: 'state', style: { ok: 'good', warn: 'warn', fail: 'bad' } },
  { key: 'detail' },
];

export default command({
  use: 'doctor',
  help: {
    summary: 'Check the settings, the service, the token and the role.',
    description:
      'Shows what is set and where it comes from, whether the service answers and accepts the token, and which role you have. Nothing is changed. Each problem comes with a hint.',
    examples: [
      { run: 'docsctl doctor', does: 'Check everything' },
      { run: 'docsctl doctor --profile local -o json', does: 'One profile, for a bug report' },
    ],
    exitStatuses: {
      3: 'there is no profile or token, or the token is refused',
      5: 'the profile or the organization does not exist, or you cannot see it',
      7: 'the service cannot be reached',
    },
    seeAlso: ['auth status', 'config list', 'help environment'],
  },
  input: {
    context: ['org', 'space', 'site'],
  },
  output: {
    list: true,
    columns,
    // Not every finding has a hint.
    fields: ['hint'],
    idKey: 'check',
  },
  run: async (invocation) => (await import('./examine.ts')).examine(invocation),
});
