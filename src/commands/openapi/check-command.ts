import { command } from '../../cli/command/define.ts';
import { baselineFlags } from '../../cli/report/baseline.ts';
import { exit } from '../../cli/program/failure.ts';
import { changesFormatFlag } from '../../cli/report/report.ts';
import { noCi } from '../shared/flags.ts';
import { overlay, refHost, refRoot } from './publish-commands.ts';

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
  flags: [
    {
      flags: '--base <ref>',
      description: 'branch, tag or commit to merge into (default in CI: the target of the pull request)',
    },
    {
      flags: '--fail-on <what>',
      description: 'exit with status 9 on errors and breaking changes, on errors, also on warnings, or never',
      choices: ['breaking', 'error', 'warning', 'none'],
    },
    { flags: '--ignore <file>', description: 'allow the changes that this file accepts' },
    ...baselineFlags,
    changesFormatFlag,
    { flags: '--sarif <file>', description: 'also write a SARIF report to this file' },
    {
      flags: '--comment',
      description: 'comment on the pull or merge request, with GITHUB_TOKEN or GITLAB_TOKEN; later runs update it',
    },
    overlay,
    refRoot,
    refHost,
    noCi,
  ],
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
