import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/failure.ts';
import { noCi } from '../shared/flags.ts';

export default command({
  use: 'run <file>',
  changes: ['service', 'files', 'settings'],
  prints: async () => (await import('../shared/printed-local.ts')).lineResult,
  printsLines: true,
  summary: 'Run a list of commands from a file or from standard input (-).',
  description:
    'Each line is a docsctl command, with or without the word docsctl. Quotes, backslashes and comments (#) work as in a shell, but variables and * are plain text, and pipes and redirections are errors. A line "team=$(teams create --title A)" names its result, and the following lines can use it as $team. All lines are checked before the first one runs. The list stops at the first failure, unless you use --keep-going. The options of "docsctl run" apply to every command that does not set them itself. With -o json, prints one line per command: line, command, result (done, failed or not-run), status, ms, output and error.',
  examples: {
    'Run the commands in a file': 'docsctl run commands.txt',
    'Preview their requests': 'docsctl run commands.txt --dry-run',
    'Continue at the line that failed': 'docsctl run commands.txt --from-line 2',
    'Read from standard input and continue after failures': 'docsctl run - --keep-going < commands.txt',
  },
  exitStatuses: {
    [exit.usage]: 'the file cannot be read or contains no command, or a line is invalid; nothing was run',
    [exit.someFailed]: 'with --keep-going: some commands failed',
  },
  docs: 'docs/ci.md',
  seeAlso: ['help exit-codes', 'help output'],
  flags: [
    { flags: '--keep-going', description: 'continue after a failed command' },
    { flags: '--from-line <number>', description: 'skip the commands before this line' },
    {
      flags: '--set <name=value>',
      description: 'a result of a skipped line: --set team=team00000001 (repeatable)',
      repeatable: 'verbatim',
    },
    { flags: '--rehearse', description: 'run the list on a copy of the organization, and report what would change' },
    {
      flags: '--summary <file>',
      description: 'write a summary of all commands as Markdown, for example for a pull request comment',
    },
    noCi,
  ],
  input: { context: ['org', 'space', 'site'] },
  runsLines: true,
  writesFilesWith: ['summary'],
  run: async (invocation) => (await import('./run-list.ts')).runList(invocation),
});
