import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/failure.ts';
import { findingColumns, findingFlags } from '../../cli/report/report.ts';
import { noCi } from '../shared/flags.ts';

export const check = command({
  use: 'check [folder]',
  changes: [],
  prints: async () => (await import('../shared/printed.ts')).findings,
  summary: 'Check a folder of Markdown without sending it.',
  description:
    'Reports broken links and anchors, missing images, unknown blocks, and mistakes in SUMMARY.md, front matter, .gitbook.yaml and docs.yaml, each as file:line:column level message (rule). Needs no account, and sends no requests except with --external. Without a folder, checks everything under "content:" in .docsctl.yaml.',
  examples: {
    'Check a folder': 'docsctl content check ./docs',
    'Write a report for code scanning': 'docsctl content check ./docs --format sarif --fail-on none',
    'Accept the current findings; later, use --baseline known.json':
      'docsctl content check ./docs --write-baseline known.json',
  },
  exitStatuses: {
    [exit.usage]: 'the folder, the --ignore file or the --baseline file cannot be read',
    [exit.checkFailed]: 'errors, or warnings with --fail-on warning',
  },
  docs: 'docs/docs-as-code.md',
  seeAlso: ['preview', 'content push', 'content pages links'],
  flags: [
    ...findingFlags,
    { flags: '--ignore <file>', description: 'skip the findings that this file accepts' },
    { flags: '--deny-blocks', description: 'report blocks of integrations, such as {% @name/block %}, as errors' },
    { flags: '--external', description: 'also check links to other websites' },
    noCi,
  ],
  output: { columns: findingColumns },
  run: async (invocation) => (await import('./check-folders.ts')).checkFolders(invocation),
});
