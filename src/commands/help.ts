import { CommandError, UsageError } from '../cli/failure.ts';
import { exit } from '../cli/exit.ts';
import type { Command } from '../cli/tree.ts';
import { nearest } from '../cli/derive.ts';
import { fitted, topics } from './help-topics.ts';

const command: Command = {
  use: 'help [words...]',
  summary: 'Explain a command or a topic.',
  description: `The same as --help after a command. Topics: ${Object.keys(topics).join(', ')}.`,
  words: { words: (_, given) => (given.length === 0 ? Object.keys(topics) : []) },
  examples: [
    { run: 'docsctl help exit-codes', does: 'What each exit status means' },
    { run: 'docsctl help members list', does: 'The help of a command' },
    { run: 'docsctl help environment', does: 'Every variable that is read' },
  ],
  exits: { 2: 'there is no such command or topic' },
  see: Object.keys(topics).map((topic) => `help ${topic}`),
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
