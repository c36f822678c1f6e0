import { paramNames } from '../../contract/path.ts';
import type { Command as Commander, Option } from 'commander';
import { paramOfFlag } from '../../contract/objects.ts';
import { argumentsOf, type Command, type Invocation, type Pair } from '../command/command.ts';
import { argumentFields, flagsOf, objectOfField, paramOf } from '../command/flags.ts';
import { paramOfPointer } from '../command/pointer.ts';
import { visible } from '../output/index.ts';
import { commandBelow, commandOf, load } from '../program/command-tree.ts';
import { isList, placeholderOf, takesCommas } from '../program/options.ts';
import { type Line, optionNamed, optionsOf, pathWords, readCommandLine } from './command-line.ts';
import { objectsOf, type Suggestion } from './objects.ts';

/** The completions at the cursor: words, or paths, which the shell completes itself. */
export interface Completion {
  suggestions: Suggestion[];
  paths?: 'files' | 'folders';
  /** The part of the word before the path: `--data=@`. */
  before?: string;
}

/** The completions at the end of a command line. @param begun its last word, as far as it is written */
export async function complete(invocation: Invocation, words: readonly string[], begun: string): Promise<Completion> {
  const line = await readCommandLine(invocation.program, withoutAlias(invocation, words));
  const isFlag = !line.pending && !line.ended && /^--[^=]+=/.test(begun);
  const flag = isFlag ? begun.slice(0, begun.indexOf('=') + 1) : '';
  if (isFlag) line.pending = optionNamed(line.command, flag.slice(0, -1));
  if (isFlag && !line.pending?.required) return { suggestions: [] };
  const value = begun.slice(flag.length);
  // Of several values with commas between them, the last one is being written.
  const before = line.pending && takesCommas(line.pending) ? value.slice(0, value.lastIndexOf(',') + 1) : '';
  const candidates = await candidatesFor(invocation, line, value.slice(before.length));
  const prefix = flag + before;
  const taken = new Set(before.split(','));
  const pathPrefix = prefix + (candidates.before ?? '');
  return {
    suggestions: candidates.suggestions
      .filter((suggestion) => !taken.has(suggestion.value))
      .map((suggestion) => ({ ...suggestion, value: prefix + suggestion.value }))
      .filter((suggestion) => suggestion.value.startsWith(begun)),
    ...(candidates.paths ? { paths: candidates.paths } : {}),
    ...(candidates.paths && pathPrefix !== '' ? { before: pathPrefix } : {}),
  };
}

async function candidatesFor(invocation: Invocation, line: Line, begun: string): Promise<Completion> {
  const { command: target, positional, pending, ended } = line;
  if (pending) return valuesOf(invocation, line, pending, begun);
  if (begun.startsWith('-') && !ended) return { suggestions: flagsOfCommand(target, begun) };
  const command = commandOf(target);
  const subcommands = positional.length === 0 && !ended ? subcommandsOf(target) : [];
  if (subcommands.length > 0)
    return { suggestions: target.parent ? subcommands : [...subcommands, ...aliasesIn(invocation)] };
  if (command?.use.startsWith('help ')) {
    const topics = await suggestedWords(invocation, line, command, 'words');
    return { suggestions: [...(await commandsAfter(invocation, positional)), ...topics] };
  }
  const args = command ? argumentsOf(command.use) : [];
  const argument = args[positional.length] ?? (args.at(-1)?.variadic ? args.at(-1) : undefined);
  return command && argument ? argumentValues(invocation, line, command, argument.name, begun) : { suggestions: [] };
}

async function argumentValues(
  invocation: Invocation,
  line: Line,
  command: Command,
  name: string,
  begun: string,
): Promise<Completion> {
  const { input, endpoint } = command;
  const { positional } = line;
  if (input?.suggestions?.[name])
    return { suggestions: without(positional, await suggestedWords(invocation, line, command, name)) };
  if (input?.files?.includes(name)) return { suggestions: [], paths: 'files' };
  const pair = input?.pairs?.[name];
  if (pair) return { suggestions: await pairsOf(invocation, line, pair, begun) };
  const param =
    input?.objects?.[name]?.(positional) ??
    paramOf(name, paramNames(endpoint?.path ?? ''), input?.params) ??
    objectOfArgument(command, name);
  if (param !== undefined)
    return { suggestions: withoutObjects(positional, await objectsOf(invocation, line, param, begun)) };
  return { suggestions: [], ...(pathWords[name] ? { paths: pathWords[name] } : {}) };
}

/** `--no-...` flags are hidden, and suggested only to those who type `--no-`. */
const flagsOfCommand = (command: Commander, begun: string): Suggestion[] =>
  optionsOf(command).flatMap(({ hidden, long, negate, description }) =>
    long && (!hidden || (negate && begun.startsWith('--no-'))) ? [{ value: long, description }] : [],
  );

const subcommandsOf = (command: Commander): Suggestion[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map((subcommand) => ({ value: subcommand.name(), description: subcommand.summary() }));

const aliasesIn = ({ session }: Invocation): Suggestion[] =>
  Object.entries(session.config.aliases ?? {}).map(([value, words]) => ({ value, description: words.join(' ') }));

/** The words with those of an alias instead of it. Words for its placeholders are not known. */
function withoutAlias({ session, program }: Invocation, words: readonly string[]): readonly string[] {
  const [first = '', ...others] = words;
  if (first === '' || commandBelow(program, first)) return words;
  const { aliases = {} } = session.config;
  const alias = Object.hasOwn(aliases, first) ? aliases[first] : undefined;
  return alias ? [...alias.filter((word) => !/\$\d/.test(word)), ...others] : words;
}

/** The commands below the one that the words name. */
async function commandsAfter({ program }: Invocation, words: readonly string[]): Promise<Suggestion[]> {
  let command = program;
  for (const word of words) {
    const below = commandBelow(command, word);
    if (!below) return [];
    command = await load(below);
  }
  return subcommandsOf(command);
}

const without = (taken: readonly string[], suggestions: Suggestion[]) =>
  suggestions.filter(({ value }) => !taken.includes(value));

/** Objects are taken by their id too: it is the first word beside a name. */
const withoutObjects = (taken: readonly string[], suggestions: Suggestion[]) =>
  without(taken, suggestions).filter(({ description }) => !taken.includes(description.split(' ', 1)[0] ?? ''));

/** The suggestions that a command has for one of its arguments. */
async function suggestedWords(
  invocation: Invocation,
  line: Line,
  { input }: Command,
  argument: string,
): Promise<Suggestion[]> {
  const words = (await input?.suggestions?.[argument]?.({ ...invocation, flags: line.flags }, line.positional)) ?? [];
  return words
    .map((word) => (typeof word === 'string' ? { value: word, description: '' } : word))
    .map(({ value, description }) => ({ value, description: visible(description) }));
}

/** `<object>=`, then the words that are allowed behind it. */
async function pairsOf(invocation: Invocation, line: Line, pair: Pair, begun: string): Promise<Suggestion[]> {
  const left = begun.slice(0, begun.indexOf('=') + 1);
  if (left !== '') return (pair.words ?? []).map((word) => ({ value: left + word, description: '' }));
  return (await objectsOf(invocation, line, pair.object, begun)).map((each) => ({ ...each, value: `${each.value}=` }));
}

/** The values of a flag. */
async function valuesOf(invocation: Invocation, line: Line, option: Option, begun: string): Promise<Completion> {
  if (option.argChoices) return { suggestions: option.argChoices.map((value) => ({ value, description: '' })) };
  const name = option.attributeName();
  const placeholder = placeholderOf(option.flags);
  const command = commandOf(line.command);
  const flag = command?.flags?.find(({ flags }) => flags === option.flags);
  const file = flag?.takesFile || placeholder === 'json' ? /^([^=]*=)?@/.exec(begun) : null;
  if (file) return { suggestions: [], paths: 'files', before: file[0] };
  if (flag?.pair) return { suggestions: await pairsOf(invocation, line, flag.pair, begun) };
  if (pathWords[placeholder]) return { suggestions: [], paths: pathWords[placeholder] };
  if (name === 'profile') {
    const { profiles } = invocation.session.config;
    return { suggestions: Object.entries(profiles).map(([value, { url }]) => ({ value, description: url })) };
  }
  if (command && isList(command) && (name === 'filter' || name === 'sortBy')) {
    const { filterWords, sortWords } = await import('./filter-words.ts');
    return { suggestions: await (name === 'filter' ? filterWords : sortWords)(command, line, begun) };
  }
  if (name === 'columns') return { suggestions: command ? await columnsOf(command) : [] };
  const params = placeholder === 'token' ? [] : paramsNamed(command, name);
  return { suggestions: (await Promise.all(params.map((param) => objectsOf(invocation, line, param, begun)))).flat() };
}

/** The columns of a command, then all other paths of its answers. */
async function columnsOf({
  output: { columns = [], card = [], member } = {},
  endpoint,
}: Command): Promise<Suggestion[]> {
  const titles = new Map([...columns, ...card].map(({ key, title = '' }) => [key, title]));
  if (endpoint) {
    const { answerPaths } = await import('../command/answer-paths.ts');
    for (const path of answerPaths(endpoint, member))
      if (!path.includes('*') && !titles.has(path)) titles.set(path, '');
  }
  return [...titles].map(([value, description]) => ({ value, description }));
}

/** The object that an argument names in the query or the body. */
function objectOfArgument(command: Command, name: string): string | undefined {
  const flag = command.endpoint && argumentFields(command.endpoint, command).get(name);
  return flag && objectOfField(flag.field);
}

/** The path parameters whose objects the value of a flag may name: several for `--before` and `--after`. */
function paramsNamed(command: Command | undefined, name: string): string[] {
  const flag = command?.endpoint && flagsOf(command.endpoint, command).find(({ attribute }) => attribute === name);
  if (flag?.pointers) return flag.pointers.map(paramOfPointer);
  const param = (flag && objectOfField(flag.field)) ?? paramOfFlag(name);
  return param === undefined ? [] : [param];
}
