import { UsageError, notFound } from '../../cli/program/failure.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { outputOptions, print } from '../../cli/command/invocation.ts';
import { type Column, createListOutput } from '../../cli/output/index.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import { command } from '../../cli/command/define.ts';
import { nearest } from '../../shared/suggest.ts';
import { explainedCodes } from './error-codes.ts';
import { fitted, fullWidth, topics, wrapped } from './topics.ts';

const names = Object.keys(topics);
const codeNames = explainedCodes.map(({ code }) => code);
const columns: Column[] = [{ key: 'command' }, { key: 'summary' }];

export default command({
  use: 'help [words...]',
  changes: [],
  prints: 'anything',
  summary: 'Explain a command or a topic.',
  description: `Same as --help after a command. With --json, describes the command and all commands below it for programs: arguments, options, what it changes, and a JSON Schema of its output. Topics: ${names.join(', ')}.`,
  examples: {
    'List the exit statuses': 'docsctl help exit-codes',
    'Explain the code of an error': 'docsctl help errors no-token',
    'Show the help of a command': 'docsctl help members list',
    'List the environment variables': 'docsctl help environment',
    'Describe all commands as JSON': 'docsctl help --json',
    'Find the command for a task': 'docsctl help --search permissions',
  },
  exitStatuses: { 2: 'no such command or topic', 5: 'with --search: no command is about these words' },
  flags: [{ flags: '--search <words>', description: 'list the commands for a task, in your own words' }],
  output: { columns },
  seeAlso: names.map((topic) => `help ${topic}`),
  input: {
    suggestions: { words: (_, before) => (before.length === 0 ? names : before[0] === 'errors' ? codeNames : []) },
  },
  async run(invocation) {
    const { args, flags, io, explain, describe } = invocation;
    const words = args.words ?? [];
    if (flags.search !== undefined) return search(invocation, [flags.search, ...words].join(' '));
    const [first = ''] = words;
    if (first === 'errors' && words.length === 2) return helpOnError(invocation, words[1] ?? '');
    const topic = topics[first];
    const isTopic = topic !== undefined && words.length === 1;
    if (isForPrograms(invocation)) {
      const object = isTopic ? { topic: first, text: topic() } : await describe(words);
      if (object) return print(invocation, words.length === 0 ? { ...object, topics: names } : object);
    } else {
      if (isTopic) return io.out.write(fitted(topic(), io.screen.width));
      if (await explain(words)) return;
    }
    const near = words.length === 1 ? nearest(first, names) : undefined;
    throw new UsageError(
      `There is no command or topic "${words.join(' ')}".`,
      near === undefined
        ? `"docsctl help --search ${shellCommand(words)}" searches all commands.`
        : `Did you mean "docsctl help ${near}"?`,
    );
  },
});

const isForPrograms = ({ globals }: Invocation) =>
  globals.jq !== undefined || ['json', 'jsonl', 'yaml'].includes(globals.output ?? '');

async function helpOnError(invocation: Invocation, code: string): Promise<void> {
  const help = explainedCodes.find((each) => each.code === code);
  if (!help) {
    const near = nearest(code, codeNames);
    const hint = near === undefined ? '"docsctl help errors" lists the codes.' : `Did you mean "${near}"?`;
    throw new UsageError(`There is no error code "${code}".`, hint);
  }
  if (isForPrograms(invocation)) return print(invocation, help);
  const { io } = invocation;
  const text = wrapped(`${help.cause} ${help.remedy}`, '', Math.min(io.screen.width, fullWidth));
  return io.out.write(`${code} (exit status ${help.exitStatus})\n\n${text.join('\n')}\n`);
}

async function search(invocation: Invocation, text: string): Promise<void> {
  const { searchCommands } = await import('../../cli/find/search-commands.ts');
  const { commands, corrected } = await searchCommands(invocation.program, text);
  if (commands.length === 0) throw notFound(`No command is about "${text}".`, '"docsctl --help" lists the commands.');
  if (corrected !== undefined) await invocation.io.note(`Showing commands for "${corrected}".`);
  const output = createListOutput(outputOptions(invocation), columns, invocation.io.out);
  await output.page(commands);
  await output.end();
}
