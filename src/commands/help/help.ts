import { CommandError, UsageError } from '../../cli/program/failure.ts';
import { exit } from '../../cli/program/exit-status.ts';
import type { Command } from '../../cli/command/command.ts';
import { nearest } from '../../shared/suggest.ts';
import { fitted, topics } from './topics.ts';

const command: Command = {
  use: 'help [words...]',
  help: {
    summary: 'Explain a command or a topic.',
    description: `The same as --help after a command. Topics: ${Object.keys(topics).join(', ')}.`,
    examples: [
      { run: 'docsctl help exit-codes', does: 'What each exit status means' },
      { run: 'docsctl help members list', does: 'The help of a command' },
      { run: 'docsctl help environment', does: 'Every variable that is read' },
    ],
    exitStatuses: { 2: 'there is no such command or topic' },
    seeAlso: Object.keys(topics).map((topic) => `help ${topic}`),
  },
  input: {
    suggestions: { words: (_, given) => (given.length === 0 ? Object.keys(topics) : []) },
  },
  async run({ args, io, explain }) {
    const words = (args.words as string[] | undefined) ?? [];
    const topic = topics[words[0] ?? ''];
    if (topic && words.length === 1) return io.out.write(fitted(topic(), io.screen.width));
    if (await explain(words)) return;
    const guess = nearest(words[0]!, Object.keys(topics));
    throw words.length === 1 && guess !== undefined
      ? new UsageError(`There is no command or topic "${words.join(' ')}".`, `Did you mean "docsctl help ${guess}"?`)
      : new CommandError(`There is no command or topic "${words.join(' ')}".`, {
          exitCode: exit.usage,
          hint: '"docsctl --help" lists the commands.',
        });
  },
};
export default command;
