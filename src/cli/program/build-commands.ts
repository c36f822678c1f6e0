import { Command as Commander } from 'commander';
import { version } from '../../shared/version.ts';
import {
  aliasesOf,
  type Command,
  type DerivedFlag,
  type Entry,
  type Invocation,
  isBranch,
  nameOf,
  type Node,
} from '../command/command.ts';
import type { CommandLines, Inherited, ParsedLine } from '../command/command-lines.ts';
import { flagsOf } from '../command/flags.ts';
import { excessArgument, refuseTwoScopes } from '../command/scope-argument.ts';
import { type OpenEmbedded, Session } from '../settings/session.ts';
import { commandNamed, hide, load, rootOf, setCommand, setLoader } from './command-tree.ts';
import { globalOptions, type Globals } from './globals.ts';
import { namedRequests } from '../naming/named-requests.ts';
import { configureHelp, helpTail, helpWidth, rootTail } from './help.ts';
import { Io, type Streams } from './io.ts';
import { UsageError, emptyValue } from './failure.ts';
import { addOptions, placeholderOf } from './options.ts';
import { inputOfIssue, type StartedRun } from './report-error.ts';

export interface BuildOptions {
  entries: readonly Entry[];
  openEmbedded: OpenEmbedded;
  /** Used instead of the streams of the process. */
  streams: Streams;
  /** Where another command line runs this one. */
  inherited?: Inherited;
  /** Runs further command lines. Without it, a command line is only parsed. */
  lines?: CommandLines;
  /** Called when a command line was only parsed. */
  onParsed?: (line: ParsedLine) => void;
}

/** Calls back to the program that runs a command line. */
export interface Hooks {
  readonly signal: AbortSignal;
  onStart(run: StartedRun): void;
  /** Called when a command begins: signals are handled from then on. */
  watch(): void;
  /** A signal ends this command with status 0. */
  quietly(): void;
}

interface BuildContext extends Omit<BuildOptions, 'entries'> {
  hooks: Hooks;
  argv: readonly string[];
}

/** The tree of commands. A group is filled when one of its commands is called. */
export function buildProgram({ entries, ...options }: BuildOptions, argv: readonly string[], hooks: Hooks): Commander {
  const { streams } = options;
  const context = { ...options, hooks, argv };
  const program = configureHelp(new Commander('docsctl'), streams)
    .description('Administer a documentation platform, or run it locally.')
    .helpCommand(false);
  if (!hasOwnVersion(entries, argv)) program.version(version, '-V, --version', 'print the version');
  for (const option of globalOptions()) program.addOption(option);
  if (options.inherited) setDefaults(program, options.inherited.globals, argv);
  for (const entry of neededOf(entries, argv[0], ({ name, aliases = [] }) => [name, ...aliases])) {
    const group = program
      .command(entry.name, { hidden: entry.hidden ?? false })
      .summary(entry.summary)
      .helpGroup(`${entry.purpose}:`);
    if (entry.aliases) group.aliases([...entry.aliases]);
    setLoader(group, () => loadGroup(group, entry, context));
  }
  program.hook('preSubcommand', async (_, subcommand) => void (await load(subcommand)));
  return program.usage('<command> [options]').addHelpText('after', () => rootTail(program, helpWidth(streams)));
}

/** Commander would add the columns of the command line to those that are set. */
function setDefaults(program: Commander, { columns, ...others }: Globals, argv: readonly string[]): void {
  const hasColumns = argv.some((word) => /^--columns(?:=|$)/.test(word));
  for (const [name, value] of Object.entries({ ...others, ...(hasColumns ? {} : { columns }) })) {
    if (value !== undefined) program.setOptionValueWithSource(name, value, 'default');
  }
}

/**
 * The commands of a level that must be added. If a word names one of them exactly, the others are not needed: they are
 * only listed and suggested. A few commands need all of them.
 */
function neededOf<T extends Entry | Node>(all: readonly T[], word: string | undefined, names: (one: T) => string[]) {
  const called = word === undefined ? undefined : all.find((one) => names(one).includes(word));
  return called === undefined || ('seesAll' in called && called.seesAll) ? all : [called];
}

/** Whether `--version` belongs to the command: commander would print the program's without asking it. */
function hasOwnVersion(entries: readonly Entry[], argv: readonly string[]): boolean {
  return entries.some(({ name, aliases = [], versioned = [] }) =>
    argv.some(
      (word, index) =>
        [name, ...aliases].includes(word) && versioned.some((command) => argv.indexOf(command, index) > index),
    ),
  );
}

/** Loads the module of a first-level word, and adds its commands. */
async function loadGroup(target: Commander, entry: Entry, context: BuildContext): Promise<void> {
  const { default: content } = await entry.load();
  if (Array.isArray(content)) {
    target.description(sentence(entry.summary)).usage('<command> [options]');
    addSubcommands(target, content, entry.name, context);
  } else addCommand(target, content, entry.name, context);
}

function addSubcommands(target: Commander, nodes: Node[], path: string, context: BuildContext): void {
  const words = path.split(' ');
  // If options precede the word, commander has to find it.
  const isNext = words.every((word, index) => context.argv[index] === word);
  const called = isNext ? context.argv[words.length] : undefined;
  for (const node of neededOf(nodes, called, (one) => [nameOf(one), ...aliasesOf(one, nodes)])) {
    const child = target.command(nameOf(node));
    child.summary(isBranch(node) ? sentence(node.summary) : (node.summary ?? node.endpoint?.summary ?? ''));
    child.aliases(aliasesOf(node, nodes));
    if (!isBranch(node) && node.hidden) hide(child);
    const childPath = `${path} ${nameOf(node)}`;
    setLoader(child, () => {
      if (!isBranch(node)) return addCommand(child, node, childPath, context);
      child.description(sentence(node.summary)).usage('<command> [options]');
      addSubcommands(child, node.children, childPath, context);
    });
  }
  target.helpCommand(false);
  target.hook('preSubcommand', async (_, subcommand) => void (await load(subcommand)));
}

const sentence = (summary: string) => `${summary.charAt(0).toUpperCase()}${summary.slice(1).replace(/\.$/, '')}.`;

/** Adds arguments, options, help and action of one command. */
function addCommand(target: Commander, command: Command, path: string, context: BuildContext): void {
  const { endpoint } = command;
  setCommand(target, command);
  const words = command.use.split(' ').slice(1);
  // Optional here: a missing argument is asked for, and an error only if that is not possible.
  for (const word of words) target.argument(word.replace('<', '[').replace('>', ']'));
  // Refused by runCommand(), which says what the word was most likely meant for.
  target.allowExcessArguments();
  target.usage(`${words.join(' ')} [options]`.trim());
  target.description(
    [command.summary ?? endpoint?.summary, command.description ?? endpoint?.description].filter(Boolean).join('\n\n'),
  );
  const derived = endpoint ? flagsOf(endpoint, command) : [];
  addOptions(target, command, derived);
  if (command.subcommands) addSubcommands(target, command.subcommands, path, context);
  target.addHelpText('after', () => helpTail(command, helpWidth(context.streams)));
  const { lines, onParsed } = context;
  target.action(async () => {
    refuseExcess(target, { command, path, derived });
    refuseEmpty(target);
    if (lines) await runCommand(target, command, path, derived, { ...context, lines });
    else onParsed?.({ path, command, values: flagValues(target), ...inputsOf(target) });
  });
}

async function runCommand(
  target: Commander,
  command: Command,
  path: string,
  derived: DerivedFlag[],
  { openEmbedded, streams, hooks, lines, inherited, argv }: BuildContext & { lines: CommandLines },
): Promise<void> {
  hooks.watch();
  const program = rootOf(target);
  refuseAddress(target, program);
  const globals = program.opts<Globals>();
  const io = new Io(globals, process.env, streams, { pages: !command.endsQuietly });
  const { globals: _, streams: _own, signal: _signal, ...passed } = inherited ?? {};
  const session = new Session({
    globals,
    io,
    openEmbedded,
    signal: hooks.signal,
    ...passed,
    commandLine: argv,
    changesService: changesService(command),
  });
  const values = flagValues(target);
  const invocation: Invocation = {
    command,
    path,
    args: Object.fromEntries(
      target.registeredArguments.map((argument, index) => [argument.name(), target.processedArgs[index]]),
    ),
    flags: values,
    values,
    globals,
    derived,
    flagOf: (issue) => inputOfIssue(issue, invocation),
    session,
    io,
    signal: hooks.signal,
    ...namedRequests(session, values),
    async pick(param, params = {}) {
      const { chooseParam } = await import('../command/choose.ts');
      return chooseParam(invocation, param, params);
    },
    explain: (words) => explain(program, words, io),
    async describe(words) {
      const named = await commandNamed(program, words);
      return named && (await import('./describe.ts')).describe(named);
    },
    lines,
    program,
  };
  hooks.onStart(invocation);
  refuseTwoScopes(invocation);
  if (command.endsQuietly) hooks.quietly();
  if (values.filter !== undefined || values.sortBy !== undefined) invocation.selection = await selectionFor(invocation);
  if (values.watch !== true) return runOnce(invocation);
  const { watch } = await import('../command/watch.ts');
  return watch(invocation, argv, runOnce);
}

async function runOnce(invocation: Invocation): Promise<void> {
  const { command } = invocation;
  if (command.run) {
    // A list of commands passes its columns on to them.
    if (invocation.globals.columns && command.changes?.includes('service') && !command.runsLines) {
      const { refuseUnknownColumns } = await import('../command/printed-columns.ts');
      await refuseUnknownColumns(invocation);
    }
    return command.run(invocation);
  }
  const { runDerived } = await import('../command/run.ts');
  return runDerived(invocation);
}

/** Command lines that a command runs are recorded on their own. */
const changesService = ({ endpoint, writesFilesWith, runsLines }: Command): boolean =>
  endpoint ? endpoint.method !== 'GET' : writesFilesWith !== undefined && !runsLines;

/** @throws UsageError for words behind the last argument */
function refuseExcess(
  { args, registeredArguments }: Commander,
  invoked: Pick<Invocation, 'command' | 'path' | 'derived'>,
): void {
  const excess = registeredArguments.at(-1)?.variadic ? undefined : args[registeredArguments.length];
  if (excess === undefined) return;
  invoked.command.input?.refuseArguments?.();
  throw excessArgument(invoked, excess);
}

/** Arguments that are texts, not names of something. */
const texts: ReadonlySet<string> = new Set(['query', 'value', 'values', 'words']);

/** @throws UsageError for an empty argument: for a folder, it would mean the current one */
function refuseEmpty({ args, registeredArguments }: Commander): void {
  const empty = args
    .map((value, index) => ({ value, argument: registeredArguments[index] ?? registeredArguments.at(-1)! }))
    .find(({ value, argument }) => value.trim() === '' && !texts.has(argument.name()))?.argument;
  if (!empty) return;
  throw emptyValue(`<${empty.name()}>`);
}

/** @throws UsageError for an address if the command works on a file: it would use another database than the one named */
function refuseAddress(target: Commander, program: Commander): void {
  if (program.getOptionValueSource('url') !== 'cli' || !target.options.some(({ long }) => long === '--db')) return;
  throw new UsageError('This command has no use for --url.', 'Name the file of the database with --db.');
}

/** What `--filter` and `--sort-by` ask for: mistakes in them are found before the first request. @throws UsageError */
async function selectionFor(invocation: Invocation) {
  const { command, flags, values } = invocation;
  const { selectionOf } = await import('../command/filter/selection.ts');
  const endpoint = (flags.cr === undefined ? undefined : command.changeRequestEndpoint) ?? command.endpoint;
  return selectionOf(command, endpoint, values);
}

/** Prints the help of the command that the words name. @returns false if there is none */
async function explain(program: Commander, words: string[], io: Io): Promise<boolean> {
  const target = await commandNamed(program, words);
  if (target) await io.out.write(target.helpInformation());
  return target !== undefined;
}

/** The options of a command, and what a line gives to them and to its arguments. */
function inputsOf(target: Commander): Pick<ParsedLine, 'ownFlags' | 'inputs'> {
  const texts = (value: unknown) => [value ?? []].flat().map(String);
  const options = target.options.filter((option) => target.getOptionValueSource(option.attributeName()) === 'cli');
  const fromOptions = options.map((option) => ({
    label: option.long ?? option.flags,
    placeholder: placeholderOf(option.flags),
    values: texts(target.getOptionValue(option.attributeName())),
  }));
  const fromArguments = target.registeredArguments.map((argument, index) => ({
    label: `<${argument.name()}>`,
    placeholder: argument.name(),
    values: texts(target.processedArgs[index]),
  }));
  return {
    ownFlags: target.options.flatMap(({ long }) => long ?? []),
    inputs: [...fromOptions, ...fromArguments].filter(({ values }) => values.length > 0),
  };
}

/** A flag that a command above has too (`serve --db`) is set there by commander. */
function flagValues(target: Commander): Record<string, unknown> {
  const values: Record<string, unknown> = target.opts();
  for (let above = target.parent; above?.parent; above = above.parent) {
    for (const option of target.options) {
      const name = option.attributeName();
      if (above.getOptionValueSource(name) === 'cli') values[name] = above.getOptionValue(name);
    }
  }
  return values;
}
