import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/failure.ts';
import { checkFlags } from './flags.ts';

export const check = command({
  use: 'check [files...]',
  changes: [],
  prints: async () => (await import('../shared/printed.ts')).checkedChanges,
  summary: 'Check the OpenAPI descriptions that a branch changes.',
  description:
    'Validates each description that differs from the merge base, also in files that it refers to, and compares it with its old version. Checks the given files, folders and patterns, or everything under "openapi:" in .docsctl.yaml, or else all descriptions below the working directory. In CI, missing history is fetched, and the results are annotations and a summary. Needs no service and no token.',
  examples: {
    'Check what a branch changes': 'docsctl openapi check --base origin/main',
    'Check the descriptions that match': 'docsctl openapi check "apis/**/*.yaml" --base origin/main',
    'Also write a report for code scanning': 'docsctl openapi check --base origin/main --sarif openapi.sarif',
  },
  exitStatuses: {
    [exit.usage]: 'no repository or merge base, or a file cannot be read',
    [exit.checkFailed]: 'errors or breaking changes, or warnings with --fail-on warning',
  },
  docs: 'docs/ci.md',
  seeAlso: ['openapi validate', 'openapi diff', 'openapi publish'],
  flags: checkFlags,
  input: { files: ['files'], texts: { files: 'descriptions to check; default: all that the pull request changes' } },
  output: {
    columns: [
      { key: 'level', kind: 'state', style: { breaking: 'bad', error: 'bad', warning: 'warn', info: 'dim' } },
      { key: 'rule' },
      { key: 'message' },
      { key: 'file' },
      { key: 'line', kind: 'number' },
      { key: 'description', optional: true },
      { key: 'kind', optional: true },
      { key: 'operations', optional: true },
    ],
  },
  writesFilesWith: ['writeBaseline', 'sarif'],
  run: async (invocation) => (await import('./check.ts')).checkChanged(invocation),
});
