import { Command as Commander, CommanderError, Help, Option } from 'commander';
import { argumentText } from './arguments.ts';
import { argumentFields, clearable, type DerivedFlag, flagsOf, kebab, nearest, paramNames, paramOf } from './derive.ts';
import { exit } from './exit.ts';
import { type Failure, failureJson, failureOf, failureText, type FlagOf, UsageError } from './failure.ts';
import { globalOptions, type Globals, headings, list, pagingOptions } from './globals.ts';
import type { Invocation } from './invocation.ts';
import { Io, type Streams, systemStreams } from './io.ts';
import { withHarFile } from './har.ts';
import { visibleLines } from './output/index.ts';
import { type OpenEmbedded, Session } from './session.ts';
import {
  aliasesOf,
  argumentsOf,
  type Command,
  type Entry,
  type Flag,
  isBranch,
  nameOf,
  type Node,
  purposes,
} from './tree.ts';
import { version } from '../version.ts';

export interface ProgramOptions {
  entries: readonly Entry[];
  openEmbedded: OpenEmbedded;
  /** Where results and remarks go, instead of the streams of the process. */
  streams?: Streams;
}

/** Runs one command line. @returns the exit status */
export async function runProgram(
  argv: readonly string[],
  { streams = systemStreams(), ...options }: ProgramOptions,
): Promise<number> {
  // Made when it is needed: help and completions never look at it.
  let controller: AbortController | undefined;
  const abort = () => (controller ??= new AbortController());
  let status: number = exit.done;
  let quietly = false;
  const stop = (signal: NodeJS.Signals) => {
    const ended = signal === 'SIGINT' ? exit.interrupted : exit.terminated;
    // A second signal ends the process at once.
    if (abort().signal.aborted) process.exit(ended);
    status = quietly ? exit.done : ended;
    abort().abort(Object.assign(new Error('Interrupted.'), { name: 'AbortError', exitCode: status }));
    // Work that does not let go is not waited for; a server finishes what is in flight.
    if (!quietly) setTimeout(() => process.exit(status), 1500).unref();
  };
  const started: Started[] = [];
  const program = buildProgram({ ...options, streams }, argv, {
    get signal() {
      return abort().signal;
    },
    onStart: (run) => started.push(run),
    watch: () => {
      process.on('SIGINT', stop);
      process.on('SIGTERM', stop);
    },
    quietly: () => {
      quietly = true;
    },
  });
  try {
    await program.parseAsync(withHarFile(argv), { from: 'user' });
  } catch (error) {
    await fail(error);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
    // What was sent and got is written last, and that may fail too.
    for (const { session } of started) await session.close().catch(fail);
  }
  return status;

  async function fail(error: unknown) {
    const failed = await report(error, argv, started.at(-1), streams);
    if (status === exit.done) status = failed;
  }
}

interface Started {
  session: Session;
  io: Io;
  flagOf: FlagOf;
}

interface Hooks {
  readonly signal: AbortSignal;
  onStart(run: Started): void;
  /** Called when a command begins: signals are taken care of from then on. */
  watch(): void;
  /** A signal ends this command with status 0. */
  quietly(): void;
}

async function report(
  error: unknown,
  argv: readonly string[],
  current: Started | undefined,
  streams: Streams,
): Promise<number> {
  if (error instanceof CommanderError && error.exitCode === 0) return exit.done;
  const failure = error instanceof CommanderError ? misuse(error) : failureOf(error);
  // A group without a command: commander printed its help already.
  if (failure.message === '') return failure.exitCode;
  const io = current?.io ?? new Io({}, process.env, streams);
  const asJson = current
    ? current.session.globals.output === 'json' || current.session.globals.output === 'jsonl'
    : wantsJson(argv);
  if (failure.exitCode !== exit.interrupted || failure.message !== 'Interrupted.') {
    await io.err.write(asJson ? failureJson(failure) : visibleLines(failureText(failure, current?.flagOf)));
  }
  if (process.env.DOCSCTL_DEBUG_STACK && error instanceof Error) await io.err.write(`${error.stack}\n`);
  return failure.exitCode;
}

/** Commander's complaint in the form of our errors. */
function misuse({ message, code }: CommanderError): Failure {
  if (code === 'commander.help') return { exitCode: exit.usage, message: '' };
  const [complaint = '', guess] = message.replace(/^error: /, '').split('\n');
  const told = complaint
    // `-o, --output <format>` is called `--output`.
    .replace(/'(?:-\w, )?(--[\w-]+)(?: [<[][^']*)?'/g, "'$1'")
    .replace(/^option '(\S+)' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/, '$1: "$2" is none of $3')
    .replace(/^option '(\S+)' argument missing$/, '$1 needs a value')
    .replace(/^option '(\S+)' cannot be used with option '(\S+)'$/, '$1 and $2 do not go together')
    .replaceAll("'", '"');
  return {
    exitCode: exit.usage,
    message: `${told[0]?.toUpperCase()}${told.slice(1).replace(/\.$/, '')}.`,
    hint: guess?.replace(/^\((.*)\)$/, '$1') ?? hintOf(told) ?? 'Add --help to see how it is used.',
  };
}

/** Which of the allowed words was meant. */
function hintOf(told: string): string | undefined {
  const [, given, words] = /: "(.*)" is none of (.*?)\.?$/.exec(told) ?? [];
  const near = words === undefined ? undefined : nearest(given!, words.split(', '));
  return near === undefined ? undefined : `Did you mean "${near}"?`;
}

const wantsJson = (argv: readonly string[]) =>
  argv.includes('--json') || /(?:^|\s)(?:-o|--output)[ =]?jsonl?(?:\s|$)/.test(argv.join(' '));

/** The tree of commands. Groups below the first level are filled when one of their commands is called. */
export function buildProgram(
  { entries, streams = systemStreams(), openEmbedded }: ProgramOptions,
  argv: readonly string[],
  hooks: Hooks,
): Commander {
  const given = { openEmbedded, streams, hooks, argv };
  const program = settle(new Commander('docsctl'), streams)
    .description('Administer a documentation platform, or run it locally.')
    .helpCommand(false);
  if (!hasOwnVersion(entries, argv)) program.version(version, '-V, --version', 'print the version');
  for (const option of globalOptions()) program.addOption(option);
  for (const entry of calledOf(entries, argv[0], ({ name, aliases = [] }) => [name, ...aliases])) {
    const group = program
      .command(entry.name, { hidden: entry.hidden ?? false })
      .summary(entry.summary)
      .helpGroup(`${entry.purpose}:`);
    if (entry.aliases) group.aliases(entry.aliases as string[]);
    loaders.set(group, () => fill(group, entry, given));
  }
  program.hook('preSubcommand', async (_, subcommand) => void (await load(subcommand)));
  program.usage('<command> [options]').addHelpText('after', () => rootTail(program, helpWidth(streams)));
  return program;
}

/**
 * Those of a level that have to be made. A word that is one of them by its name needs none of its neighbours, which are
 * there to be listed and guessed; to look at all of them is the business of few.
 */
function calledOf<T extends Entry | Node>(all: readonly T[], word: string | undefined, names: (one: T) => string[]) {
  const called = all.find((one) => names(one).includes(word!));
  return called === undefined || ('seesAll' in called && called.seesAll) ? all : [called];
}

/** Whether `--version` belongs to the command, which commander would not ask before it has printed its own. */
function hasOwnVersion(entries: readonly Entry[], argv: readonly string[]): boolean {
  const versioned = entries.filter((entry) => entry.versioned);
  return versioned.some(({ name, aliases = [], versioned: commands }) =>
    argv.some((word, at) => [name, ...aliases].includes(word) && commands!.some((own) => argv.indexOf(own, at) > at)),
  );
}

const rootHelp = `Begin with "docsctl auth login", or "docsctl init --demo" to try things out.
Then: docsctl <command> --help, and docsctl help exit-codes, environment, output
or profiles. Every command takes -o json, --jq, --profile, --dry-run and more.`;

const rootTail = (program: Commander, width: number) =>
  `\n${width >= rootWidth ? rootHelp : program.createHelp().boxWrap(rootHelp.replaceAll('\n', ' '), width)}`;

/** The first-level words by purpose, in two columns: one screen of 24 lines and 80 columns. */
function rootScreen(program: Commander): string {
  const columns = [purposes.slice(0, 2), purposes.slice(2)].map((some) =>
    some.flatMap((purpose) => {
      const words = program.commands.filter((command) => command.helpGroup() === `${purpose}:` && !isHidden(command));
      return [`${purpose}:`, ...words.map((command) => `  ${command.name().padEnd(13)}${command.summary()}`)];
    }),
  );
  const [left = [], right = []] = columns;
  const rows = Array.from({ length: Math.max(left.length, right.length) }, (_, at) =>
    `${(left[at] ?? '').padEnd(40)}${right[at] ?? ''}`.trimEnd(),
  );
  return `Usage: docsctl ${program.usage()} | --help | --version\n${program.description()}\n\n${rows.join('\n')}\n`;
}

const isHidden = (command: Commander) => (command as unknown as { _hidden: boolean })._hidden;
const rootWidth = 80;

interface Given {
  openEmbedded: OpenEmbedded;
  streams: Streams;
  hooks: Hooks;
  argv: readonly string[];
}

/** Loads what a first-level word holds. */
export async function fill(target: Commander, entry: Entry, given: Given): Promise<void> {
  const { default: held } = await entry.load();
  if (Array.isArray(held)) {
    target.description(sentence(entry.summary)).usage('<command> [options]');
    attach(target, held, entry.name, given);
  } else dress(target, held, entry.name, given);
}

function attach(target: Commander, nodes: Node[], path: string, given: Given): void {
  const words = path.split(' ');
  // Options may stand before the word: then it is left to commander to find it.
  const isNext = words.every((word, at) => given.argv[at] === word);
  const called = isNext ? given.argv[words.length] : undefined;
  for (const node of calledOf(nodes, called, (one) => [nameOf(one), ...aliasesOf(one, nodes)])) {
    const child = target.command(nameOf(node));
    child.summary(isBranch(node) ? sentence(node.summary) : (node.summary ?? node.endpoint?.summary ?? ''));
    child.aliases(aliasesOf(node, nodes));
    if (!isBranch(node) && node.hidden) (child as unknown as { _hidden: boolean })._hidden = true;
    const below = `${path} ${nameOf(node)}`;
    loaders.set(child, () => {
      if (!isBranch(node)) return dress(child, node, below, given);
      child.description(sentence(node.summary)).usage('<command> [options]');
      attach(child, node.children, below, given);
    });
  }
  target.helpCommand(false);
  target.hook('preSubcommand', async (_, subcommand) => void (await load(subcommand)));
}

const contexts: Record<string, [flag: string, description: string]> = {
  orgId: ['--org <id>', 'organization; else DOCSCTL_ORG, .docsctl.yaml, profile'],
  spaceId: ['--space <id>', 'space; else DOCSCTL_SPACE, .docsctl.yaml, profile'],
  siteId: ['--site <id>', 'site; else DOCSCTL_SITE, .docsctl.yaml, profile'],
};

const sentence = (summary: string) => `${summary[0]!.toUpperCase()}${summary.slice(1).replace(/\.$/, '')}.`;

/** Arguments, options, help and action of one command. */
function dress(target: Commander, command: Command, path: string, given: Given): void {
  const { endpoint } = command;
  commands.set(target, command);
  for (const word of command.use.split(' ').slice(1)) {
    // Left out is judged later, when it may be asked for.
    target.argument(word.replace('<', '[').replace('>', ']'));
  }
  if (command.refuseArguments) target.allowExcessArguments();
  target.usage(`${command.use.split(' ').slice(1).join(' ')} [options]`.trim());
  target.description(
    [command.summary ?? endpoint?.summary, command.description ?? endpoint?.description].filter(Boolean).join('\n\n'),
  );
  const derived = endpoint ? flagsOf(endpoint, command) : [];
  for (const flag of derived) for (const option of derivedOptions(flag)) target.addOption(option);
  for (const flag of command.flags ?? []) target.addOption(ownOption(flag));
  if (endpoint?.body && !command.run && command.without !== 'all') {
    target.addOption(
      new Option('--data <json>', 'the whole body: JSON, @file or - for standard input').helpGroup(headings.own),
    );
  }
  const nullable = endpoint && !command.run ? clearable(endpoint, command) : [];
  for (const { switch: long } of nullable) {
    if (long) target.addOption(new Option(long, 'put it on the top level').helpGroup(headings.own).conflicts('parent'));
  }
  const cleared = nullable.filter((field) => !field.switch);
  if (cleared.length > 0) {
    target.addOption(
      new Option('--clear <field>', `remove a value: ${cleared.map(({ name }) => name).join(', ')}`)
        .argParser(list)
        .helpGroup(headings.own),
    );
  }
  if (command.failOn) {
    const { words } = command.failOn;
    target.addOption(
      ownOption({
        flags: '--fail-on <word>',
        description: 'end with status 9 if there is any such link',
        choices: words,
        repeatable: true,
      }),
    );
  }
  if (command.twin)
    target.addOption(
      new Option('--cr <change-request>', 'work on this change request (id or number)').helpGroup(headings.context),
    );
  if (command.use.includes('...') && !command.run) {
    target.addOption(new Option('--fail-fast', 'stop at the first failure').helpGroup(headings.own));
    target.addOption(
      new Option('--keep-going', 'go on after a failure (the default)').conflicts('failFast').helpGroup(headings.own),
    );
  }
  if (endpoint?.paged) for (const option of pagingOptions()) target.addOption(option);
  for (const [param, [flags, description]] of Object.entries(contexts)) {
    const taken = target.options.some((option) => option.long === flags.split(' ')[0]);
    if (!taken && needs(command, param)) target.addOption(new Option(flags, description).helpGroup(headings.context));
  }
  if (command.below) attach(target, command.below, path, given);
  target.addHelpText('after', () => helpTail(command, helpWidth(given.streams)));
  target.action(async () => act(target, command, path, derived, given));
}

/** Whether a command takes its organization, space or site from the context. */
function needs({ use, endpoint, context, params }: Command, param: string): boolean {
  if (context) return context.some((name) => `${name}Id` === param);
  const names = paramNames(endpoint?.path ?? '');
  const named = argumentsOf(use).filter(({ optional }) => !optional);
  if (named.some(({ name }) => paramOf(name, names, params) === param)) return false;
  // A space is chosen out of those of an organization.
  return names.includes(param) || (param === 'orgId' && names.includes('spaceId') && needsSpace(use));
}

const needsSpace = (use: string) => argumentsOf(use).every(({ name }) => name !== 'space') || use.includes('[space]');

async function act(
  target: Commander,
  command: Command,
  path: string,
  derived: DerivedFlag[],
  { openEmbedded, streams, hooks }: Given,
): Promise<void> {
  hooks.watch();
  if (target.args.length > target.registeredArguments.length) command.refuseArguments?.();
  const program = rootOf(target);
  const globals = program.opts<Globals>();
  const io = new Io(globals, process.env, streams);
  const session = new Session(globals, io, openEmbedded, hooks.signal);
  const args: Invocation['args'] = {};
  for (const [at, argument] of target.registeredArguments.entries()) args[argument.name()] = target.processedArgs[at];
  const invocation: Invocation = {
    command,
    path,
    args,
    flags: flagsGiven(target),
    globals,
    derived,
    flagOf: (fault) => flagFor(fault.path, invocation),
    session,
    io,
    signal: hooks.signal,
    client: () => session.client(),
    explain: (words) => explain(program, words, io),
    program,
  };
  hooks.onStart(invocation);
  if (command.endsQuietly) hooks.quietly();
  if (command.run) return command.run(invocation);
  const { runDerived } = await import('./run.ts');
  return runDerived(invocation);
}

/** Goes down the tree as a call would, and prints what is found there. */
async function explain(program: Commander, words: string[], io: Io): Promise<boolean> {
  let at = program;
  for (const word of words) {
    const below = at.commands.find((command) => command.name() === word || command.aliases().includes(word));
    if (!below) return false;
    at = await load(below);
  }
  await io.out.write(at.helpInformation());
  return true;
}

/** What fills a command whose inside is not loaded yet. */
const loaders = new WeakMap<Commander, () => Promise<void> | void>();
const filled = new WeakSet<Commander>();
const commands = new WeakMap<Commander, Command>();

/** Fills a command with what stands below it, once. */
export async function load(target: Commander): Promise<Commander> {
  if (!filled.has(target)) {
    filled.add(target);
    await loaders.get(target)?.();
  }
  return target;
}

/** What a filled command was made of; undefined for a group. */
export const commandOf = (target: Commander): Command | undefined => commands.get(target);

/** Commander takes a flag that a command above knows too (`serve --db`) as that command's. */
function flagsGiven(target: Commander): Record<string, unknown> {
  const flags = target.opts();
  for (let above = target.parent; above?.parent; above = above.parent) {
    for (const option of target.options) {
      const name = option.attributeName();
      if (above.getOptionValueSource(name) === 'cli') flags[name] = above.getOptionValue(name);
    }
  }
  return flags;
}

function rootOf(command: Commander): Commander {
  let root = command;
  while (root.parent) root = root.parent;
  return root;
}

/** The flag or argument that gave what stands at a path of the request; `--data` where none did. */
function flagFor(path: string, invocation: Invocation): string | undefined {
  const { command, flags, args } = invocation;
  const parts = path.split('/').filter(Boolean);
  const isGiven = (source: string) =>
    source.startsWith('<')
      ? args[source.slice(1, -1)] !== undefined
      : flags[new Option(source).attributeName()] !== undefined;
  const own = command.flags?.find((flag) => /--[\w-]+/.exec(flag.flags)?.[0] === `--${kebab(parts[0] ?? '')}`);
  const found =
    sourceAt(parts, command, isGiven) ??
    flagAt(parts, invocation, isGiven) ??
    (own && `--${kebab(parts[0]!)}`) ??
    argumentAt(parts, command);
  const isOfData = flags.data !== undefined && (found === undefined || !isGiven(found.split(' ')[0]!));
  return isOfData ? `--data ${path}` : found;
}

/** A source that the command names, with where in it. */
function sourceAt(parts: string[], { sources = {} }: Command, isGiven: (source: string) => boolean) {
  for (const [head, named] of Object.entries(sources)) {
    const above = head.split('/').filter(Boolean);
    if (!above.every((part, at) => part === parts[at])) continue;
    const source = named.find(isGiven) ?? named[0]!;
    return [source, parts.slice(above.length).join('.')].filter(Boolean).join(' ');
  }
  return undefined;
}

function flagAt(parts: string[], { derived, flags }: Invocation, given: (long: string) => boolean): string | undefined {
  const within = derived
    .filter((flag) => flag.path.every((part, at) => part === parts[at]))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
  // The whole of what several flags make.
  const around = derived.filter((flag) => parts.length > 0 && parts.every((part, at) => part === flag.path[at]));
  const found = within ?? around.find(({ long }) => given(long)) ?? around[0];
  // Which of several.
  const value = found && flags[found.attribute]?.[parts[found.path.length] ?? ''];
  return Array.isArray(found && flags[found.attribute]) && value !== undefined
    ? `${found!.long} ${value}`
    : found?.long;
}

function argumentAt([first]: string[], command: Command): string | undefined {
  if (!command.endpoint) return undefined;
  const found = [...argumentFields(command.endpoint, command)].find(([, { path }]) => path[0] === first);
  return found && `<${found[0]}>`;
}

function ownOption({ flags, description, choices, repeatable, hidden, with: further, ...rest }: Flag): Option {
  const option = new Option(flags, description).helpGroup(headings.own);
  if (repeatable) manyOf(option, choices);
  else if (choices) option.choices(choices);
  if ('default' in rest) option.default(rest.default);
  if (hidden) option.hideHelp();
  return further ? further(option) : option;
}

/** Options that can be said and denied: help shows both as one. */
const switches = new WeakSet<Option>();

function derivedOptions(flag: DerivedFlag): Option[] {
  const { long, value, description, choices, repeatable } = flag;
  if (value === undefined) {
    const option = new Option(long, description).helpGroup(headings.own);
    switches.add(option);
    return [option, new Option(long.replace('--', '--no-'), 'the opposite').hideHelp()];
  }
  const option = new Option(`${long} <${value}>`, description).helpGroup(headings.own);
  if (repeatable) manyOf(option, choices);
  else if (choices) option.choices(choices);
  return [option];
}

/** Takes an option several times, and with commas. Commander judges words only for options without a parser. */
function manyOf(option: Option, choices?: readonly string[]): Option {
  if (choices) option.argChoices = [...choices];
  return option.argParser((text: string, before: string[] | undefined) => {
    const unknown = choices && list(text, []).find((word) => !choices.includes(word));
    if (unknown === undefined) return list(text, before);
    const told = `${option.long}: "${unknown}" is none of ${choices!.join(', ')}.`;
    throw new UsageError(told, hintOf(told));
  });
}

const helpWidth = ({ screen }: Streams) => (screen.width === Number.POSITIVE_INFINITY ? 80 : screen.width);

const order: string[] = Object.values(headings);
const readable = 24;

/** Settings that every command of the tree has. */
function settle(command: Commander, streams: Streams): Commander {
  return command
    .exitOverride()
    .configureHelp({
      sortSubcommands: false,
      minWidthToWrap: 20,
      visibleOptions(shown) {
        const own = Help.prototype.visibleOptions.call(this, shown);
        if (!shown.parent) return own.filter((option) => option.long === '--version' || option.long === '--help');
        // Flags that every command has are told where a command is explained, not where commands are listed.
        return commands.has(shown) ? [...own, ...globalOptions().filter((option) => !option.hidden)] : own;
      },
      visibleArguments(shown) {
        const command = commands.get(shown);
        for (const [at, argument] of argumentsOf(command?.use ?? '').entries())
          shown.registeredArguments[at]!.description = argumentText(command!, argument);
        return [...shown.registeredArguments];
      },
      subcommandTerm: (sub) => sub.name(),
      optionTerm: (option) => (switches.has(option) ? option.flags.replace('--', '--[no-]') : option.flags),
      optionDescription: (option) => {
        const words = option.argChoices ? `: ${option.argChoices.join(', ')}` : '';
        const fallback = option.defaultValue === undefined ? '' : ` (default ${String(option.defaultValue)})`;
        const [, text, note] = /^(.*?)\.?( \((?:default|repeatable)[^()]*\))?$/s.exec(option.description)!;
        return text + words + (note ?? '') + fallback;
      },
      // A command's own flags come first, whichever was made first.
      groupItems(all, shown, groupOf) {
        const groups = Help.prototype.groupItems.call(this, all, shown, groupOf as never) as Map<string, typeof shown>;
        return new Map([...groups].toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b)));
      },
      // Where little room is left beside the terms, what they mean goes below them.
      formatItem(term, termWidth, description) {
        const width = helpWidth(streams);
        if (description === '') return `  ${term}`;
        const isBeside = width - termWidth >= readable;
        const meaning = flow(isBeside ? `  ${term.padEnd(termWidth)} ` : '     ', description.split(' '), width);
        return isBeside ? meaning : `  ${term}\n${meaning}`;
      },
      formatHelp(shown, help) {
        const isRoot = shown.parent === null && helpWidth(streams) >= rootWidth;
        return isRoot ? rootScreen(shown) : Help.prototype.formatHelp.call(this, shown, help);
      },
    })
    .configureOutput({
      // Told by report(), in the form all errors have.
      outputError: () => {},
      writeOut: (text: string) => void streams.out.write(text),
      writeErr: (text: string) => void streams.err.write(text),
      getOutHelpWidth: () => helpWidth(streams),
      getErrHelpWidth: () => helpWidth(streams),
      // Help has no colours to strip, and to look for some costs the making of both streams.
      getOutHasColors: () => true,
      getErrHasColors: () => true,
    });
}

function helpTail(command: Command, width: number): string {
  const { examples, see } = command;
  const parts: string[] = [];
  if (examples)
    parts.push(
      `Examples:\n${examples.map(({ run, does }) => `${flow(' ', does.split(' '), width)}\n${shellLines(run, width)}`).join('\n')}`,
    );
  const exits = Object.entries(exitsOf(command));
  if (exits.length > 0)
    parts.push(
      `Exit status:\n${exits.map(([status, meaning]) => flow(`  ${status} `, meaning.split(' '), width)).join('\n')}`,
    );
  if (see)
    parts.push(
      flow(
        'See also:',
        see.map((name, at) => `docsctl ${name}${at < see.length - 1 ? ',' : ''}`),
        width,
      ),
    );
  return parts.length > 0 ? `\n${parts.join('\n\n')}` : '';
}

/** A command line as a shell takes it, on several lines where it is wide: broken before flags and pipes. */
function shellLines(run: string, width: number): string {
  const words = run.match(/(?:\$\([^()]*\)|"(?:\$\([^()]*\)|\\.|[^"\\])*"|'[^']*'|[^\s"'])+/g) ?? [];
  const pieces: string[] = [];
  for (const word of words) {
    if (pieces.length === 0 || /^(?:-.|\||&&|<|>)/.test(word)) pieces.push(word);
    else pieces.push(`${pieces.pop()} ${word}`);
  }
  const lines = [`    $`];
  for (const [at, piece] of pieces.entries()) {
    const line = `${lines.at(-1)} ${piece}`;
    const room = width - (at < pieces.length - 1 ? 2 : 0);
    if (at === 0 || line.length <= room) lines[lines.length - 1] = line;
    else lines.push(`        ${piece}`);
  }
  return lines.join(' \\\n');
}

/** Pieces one after the other behind a label, with the lines after the first one indented as far. */
function flow(label: string, pieces: string[], width: number): string {
  const lines = [label];
  for (const piece of pieces) {
    const line = `${lines.at(-1)} ${piece}`;
    if (lines.at(-1)!.length === label.length || line.length <= width) lines[lines.length - 1] = line;
    else lines.push(`${' '.repeat(label.length)} ${piece}`);
  }
  return lines.join('\n');
}

/** Who may not, in words: what a call needs is in its endpoint's entry. */
const mayNot: Record<string, string> = {
  member: 'your membership of the organization is disabled',
  'organization.read': 'guests of the organization may not',
  'organization.createContent': 'it takes the role create or admin in the organization',
  'organization.admin': 'only administrators of the organization may',
  'team.admin': 'only administrators and the owners of the team may',
  'collection.admin': 'only administrators of the collection may',
  'space.comment': 'it takes the level comment or above on the space',
  'space.edit': 'it takes the level edit or above on the space',
  'space.merge': 'it takes the level review or above on the space',
  'space.admin': 'only administrators of the space may',
};

/** The statuses that a command can end with beyond those that all have, and what they mean there. */
export function exitsOf({ endpoint, use, exits = {}, confirm, run }: Command): Record<number, string> {
  const found: Record<number, string> = {};
  if (endpoint) {
    if (confirm) found[exit.usage] = 'not confirmed: --yes is needed where nobody can be asked';
    if (endpoint.access !== 'token') found[exit.forbidden] = mayNot[endpoint.access] ?? mayNot.member!;
    if (paramNames(endpoint.path).some((name) => name !== 'emailDomain'))
      found[exit.notFound] = 'what is named is not there, or not for you to see';
    if (use.includes('...') && !run) found[exit.someFailed] = 'some of several failed; the others are done';
  }
  return { ...found, ...exits };
}

export { purposes };
