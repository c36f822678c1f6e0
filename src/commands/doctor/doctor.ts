import type { Column } from '../../cli/output/index.ts';
import { command } from '../../cli/command/define.ts';

const columns: Column[] = [
  { key: 'check', kind: 'id' },
  { key: 'state', kind: 'state', style: { ok: 'good', warn: 'warn', fail: 'bad' } },
  { key: 'detail' },
];

export default command({
  use: 'doctor',
  changes: [],
  prints: async () => (await import('../shared/printed-local.ts')).doctor,
  summary: 'Check the settings, the service, the token and your role.',
  description:
    'Shows the settings and their origins, whether the service responds and accepts the token, and your role. Nothing is changed. Each problem comes with a hint.',
  examples: {
    'Check everything': 'docsctl doctor',
    'Check one profile, for a bug report': 'docsctl doctor --profile local -o json',
  },
  exitStatuses: {
    3: 'no profile or token, or the token is rejected',
    5: 'no such profile or organization, or you cannot see it',
    7: 'the service is unreachable',
  },
  seeAlso: ['auth status', 'config list', 'help environment'],
  input: { context: ['org', 'space', 'site'] },
  output: {
    list: true,
    columns,
    // Not every finding has a hint.
    fields: ['hint'],
    idKey: 'check',
  },
  run: async (invocation) => (await import('./examine.ts')).examine(invocation),
});
