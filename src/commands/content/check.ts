import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { findingColumns, findingFlags } from '../../cli/report/report.ts';
import { noCi } from '../shared/no-ci.ts';

export const check = command({
  use: 'check [folder]',
  help: {
    summary: 'Find what is wrong in a folder of Markdown; nothing is sent.',
    description: `Reads the folder as "preview" does, renders each page and prints each finding as file:line:column level message (rule): links and headings that do not exist, missing pictures, unknown blocks, SUMMARY.md, front matter, .gitbook.yaml with its redirects, docs.yaml, names that differ in capital letters only. Headings are also found in included texts, and ids in HTML. No account is needed and no request is sent, except with --external. Without a folder, everything under "content:" in .docsctl.yaml is checked.

--ignore names a YAML or JSON file with a list of what is accepted: rule, path (optional; the file in the folder, such as "old/*"), until (optional; the last day, such as 2030-01-31) and reason. An entry whose day is over is reported and has no effect.

--external asks other hosts whether the pages that are linked to exist: at most 2 requests at a time to one host. What exists is asked for again after a day.`,
    examples: [
      { run: 'docsctl content check ./docs', does: 'Check a folder' },
      { run: 'docsctl content check ./docs --format sarif --fail-on none', does: 'A report for code scanning' },
      {
        run: 'docsctl content check ./docs --write-baseline known.json',
        does: 'Accept what is found now; later: --baseline known.json',
      },
    ],
    exitStatuses: {
      [exit.usage]: 'the folder, or the file of --ignore or --baseline, cannot be read',
      [exit.checkFailed]: 'there are errors, or warnings with --fail-on warning',
    },
    seeAlso: ['preview', 'content push', 'content pages links'],
  },
  input: {
    flags: [
      ...findingFlags,
      { flags: '--ignore <file>', description: 'leave out the findings that this file accepts' },
      { flags: '--external', description: 'also check links to other hosts' },
      noCi,
    ],
  },
  output: {
    columns: findingColumns,
  },
  run: async (invocation) => (await import('./check-folders.ts')).checkFolders(invocation),
});
