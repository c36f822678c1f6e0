import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { noCi } from '../shared/no-ci.ts';

export default command({
  use: 'run <file>',
  help: {
    summary: 'Run a list of commands from a file or from standard input (-).',
    description: `Each line is a docsctl command; the word docsctl may stand in front. Quotes, backslashes and comments (#) have the meaning they have in a shell, and a backslash at the end continues the line. A quoted text may have several lines if the quote begins the word. Variables, $(...) and * are not expanded: they are text. Pipes and redirections are errors.

All lines are checked before the first is run: a mistake in one ends the command with status 2, and nothing is run. Then the commands run one after the other until one fails, with --keep-going to the end. All options of "docsctl run" apply to each command that does not set them itself.

With -o json, the result of each command is printed on a line: line, command, result (done, failed or not-run), status, ms, output and error. On build servers the outputs and annotations of all commands are joined, and a summary of the run is written, also when a command fails.`,
    examples: [
      { run: 'docsctl run commands.txt', does: 'Run the commands of a file' },
      { run: 'docsctl run commands.txt --dry-run', does: 'Show what they would send' },
      { run: 'docsctl run - --keep-going < commands.txt', does: 'From standard input, also after failures' },
    ],
    exitStatuses: {
      [exit.usage]: 'the file cannot be read, holds no command, or a line cannot be run; nothing was run',
      [exit.someFailed]: 'with --keep-going: some commands failed',
    },
    seeAlso: ['help exit-codes', 'help output'],
  },
  input: {
    flags: [
      { flags: '--keep-going', description: 'continue after a command that failed' },
      {
        flags: '--summary <file>',
        description: 'write a summary of all commands in Markdown, for a comment on a pull request',
      },
      noCi,
    ],
    context: ['org', 'space', 'site'],
  },
  run: async (invocation) => (await import('./run-list.ts')).runList(invocation),
});
