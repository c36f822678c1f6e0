import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/failure.ts';

export default command({
  use: 'each <file> [words...]',
  changes: ['service', 'files', 'settings'],
  prints: async () => (await import('../shared/printed-local.ts')).lineResult,
  printsLines: true,
  summary: 'Run a command once for each row of a CSV file.',
  description:
    'Put the command after --, with columns of the file in braces: {email}. Each cell is one word, whatever it contains. All rows are checked before the first one runs, and failures do not stop the rest. The global options apply to every row: --dry-run prints all requests, and --yes answers all questions; without it, docsctl asks once. With -o json, prints one line per row, as "docsctl run" does.',
  examples: {
    'Preview a change for each row': 'docsctl each changes.csv --dry-run -- members edit {email} --role {role}',
    'Select rows and keep the results':
      "docsctl each changes.csv --where 'role=read' --result done.csv -- teams members set team00000002 {email} --role member",
    'Try all rows together on a copy': 'docsctl each changes.csv --rehearse -- members edit {email} --role {role}',
  },
  exitStatuses: {
    [exit.usage]: 'the file cannot be read, or a row makes an invalid command; nothing was run',
    [exit.someFailed]: 'some rows failed',
  },
  docs: 'docs/bulk.md',
  seeAlso: ['run', 'rehearse', 'help filters'],
  flags: [
    {
      flags: '--where <condition>',
      description: "only rows of which this is true, as with --filter: 'role=guest and not team=Writers'",
      repeatable: 'verbatim',
    },
    { flags: '--result <file>', description: 'write each row with its command and result to this CSV file' },
    { flags: '--resume', description: 'skip the rows that are done in the file of --result' },
    { flags: '--jobs <number>', description: 'how many commands run at the same time (1 to 8, default 1)' },
    { flags: '--fail-fast', description: 'stop after the first failure' },
    { flags: '--rehearse', description: 'run all rows on a copy of the organization, and report what would change' },
  ],
  input: {
    context: ['org', 'space', 'site'],
    texts: { file: 'CSV file with a header; - for standard input', words: 'the command, after --' },
  },
  runsLines: true,
  writesFilesWith: ['result'],
  run: async (invocation) => (await import('./run-each.ts')).runEach(invocation),
});
