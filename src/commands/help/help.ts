import { UsageError } from '../../cli/program/failure.ts';
import { print } from '../../cli/command/invocation.ts';
import { command } from '../../cli/command/define.ts';
import { nearest } from '../../shared/suggest.ts';
import { fitted, topics } from './topics.ts';

const names = Object.keys(topics);

export default command({
  use: 'help [words...]',
  summary: 'Explain a command or a topic.',
  description: `Same as --help after a command. Topics: ${names.join(', ')}.`,
  examples: {
    'List the exit statuses': 'docsctl help exit-codes',
    'Show the help of a command': 'docsctl help members list',
    'List the environment variables': 'docsctl help environment',
  },
  exitStatuses: { 2: 'no such command or topic' },
  seeAlso: names.map((topic) => `help ${topic}`),
  input: { suggestions: { words: (_, before) => (before.length === 0 ? names : []) } },
  async run(invocation) {
    const { args, io, globals, explain, describe } = invocation;
    const words = args.words ?? [];
    const [first = ''] = words;
    const topic = topics[first];
    const isTopic = topic !== undefined && words.length === 1;
    if (globals.jq !== undefined || ['json', 'jsonl', 'yaml'].includes(globals.output ?? '')) {
      const object = isTopic ? { topic: first, text: topic() } : await describe(words);
      if (object) return print(invocation, words.length === 0 ? { ...object, topics: names } : object);
    } else {
      if (isTopic) return io.out.write(fitted(topic(), io.screen.width));
      if (await explain(words)) return;
    }
    const near = words.length === 1 ? nearest(first, names) : undefined;
    throw new UsageError(
      `There is no command or topic "${words.join(' ')}".`,
      near === undefined ? '"docsctl --help" lists the commands.' : `Did you mean "docsctl help ${near}"?`,
    );
  },
});
