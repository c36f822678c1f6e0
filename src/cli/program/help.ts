import { paramNames } from '../../contract/path.ts';
import { type Command as Commander, Help } from 'commander';
import { argumentText } from '../command/arguments.ts';
import { argumentsOf, type Command, examplesOf, type Purpose, purposes } from '../command/command.ts';
import { commandOf, isHidden } from './command-tree.ts';
import { exit } from './failure.ts';
import { globalOptions, headings } from './globals.ts';
import type { Streams } from './io.ts';
import { isSwitch } from './options.ts';

const defaultWidth = 80;
/** The root help has two columns from this width. */
const rootWidth = 80;
const leftWidth = 40;
/** Purposes in the root help for whose summaries there is no room. */
const namesOnly: ReadonlySet<Purpose> = new Set<Purpose>(['As files', 'Settings', 'More']);
/** Least width for a description beside its term; else it goes below. */
const minDescriptionWidth = 24;

export const helpWidth = ({ screen }: Streams): number =>
  screen.width === Number.POSITIVE_INFINITY ? defaultWidth : screen.width;

const headingOrder: string[] = Object.values(headings);

/** Sets the layout of help, and where commander writes. */
export function configureHelp(command: Commander, streams: Streams): Commander {
  return command
    .exitOverride()
    .configureHelp({
      sortSubcommands: false,
      minWidthToWrap: 20,
      visibleOptions,
      visibleArguments,
      subcommandTerm: (subcommand) => subcommand.name(),
      optionTerm: (option) => (isSwitch(option) ? option.flags.replace('--', '--[no-]') : option.flags),
      optionDescription: ({ description, argChoices, defaultValue }) => {
        const choices = argChoices ? `: ${argChoices.join(', ')}` : '';
        const fallback = defaultValue === undefined ? '' : ` (default ${String(defaultValue)})`;
        const [, text = '', note = ''] = /^(.*?)\.?( \((?:default|repeatable)[^()]*\))?$/s.exec(description) ?? [];
        return text + choices + note + fallback;
      },
      groupItems,
      formatItem(term, termWidth, description) {
        const width = helpWidth(streams);
        if (description === '') return `  ${term}`;
        const isBeside = width - termWidth >= minDescriptionWidth;
        const text = flow(isBeside ? `  ${term.padEnd(termWidth)} ` : '     ', description.split(' '), width);
        return isBeside ? text : `  ${term}\n${text}`;
      },
      formatHelp(target, help) {
        const isRoot = target.parent === null && helpWidth(streams) >= rootWidth;
        return isRoot ? rootScreen(target) : Help.prototype.formatHelp.call(this, target, help);
      },
    })
    .configureOutput({
      // reportError() prints all errors.
      outputError: () => {},
      writeOut: (text: string) => void streams.out.write(text),
      writeErr: (text: string) => void streams.err.write(text),
      getOutHelpWidth: () => helpWidth(streams),
      getErrHelpWidth: () => helpWidth(streams),
      // Help has no colours. Without this, commander opens both streams to find out about colours.
      getOutHasColors: () => true,
      getErrHasColors: () => true,
    });
}

function visibleOptions(this: Help, target: Commander) {
  const options = Help.prototype.visibleOptions.call(this, target);
  if (!target.parent) return options.filter(({ long }) => long === '--version' || long === '--help');
  const command = commandOf(target);
  if (!command || !changes(command)) return options;
  const own = options.findLastIndex(({ long }) => long === '--help');
  const guards = globalOptions().filter(({ long }) => long === '--dry-run' || long === '--yes');
  return options.toSpliced(own, 0, ...guards.map((option) => option.helpGroup(headings.own)));
}

/** Of the global options, commands that change something list those that guard a change. */
const changes = ({ endpoint, confirm }: Command): boolean =>
  confirm !== undefined || (endpoint !== undefined && endpoint.method !== 'GET');

function visibleArguments(target: Commander) {
  const command = commandOf(target);
  const names = argumentsOf(command?.use ?? '');
  for (const [index, argument] of target.registeredArguments.entries()) {
    const name = names[index];
    if (command && name) argument.description = argumentText(command, name);
  }
  return [...target.registeredArguments];
}

/** A command's own options come first, then the groups in the order of `headings`. */
function groupItems<T extends Commander | Commander['options'][number]>(
  this: Help,
  unsorted: T[],
  visible: T[],
  groupOf: (item: T) => string,
): Map<string, T[]> {
  const groups = Help.prototype.groupItems.call<Help, [T[], T[], (item: T) => string], Map<string, T[]>>(
    this,
    unsorted,
    visible,
    groupOf,
  );
  return new Map([...groups].toSorted(([a], [b]) => headingOrder.indexOf(a) - headingOrder.indexOf(b)));
}

const rootHelp = `Start with "docsctl auth login" or "docsctl init --demo". Then: COMMAND --help.
Help topics: exit-codes, environment, filters, names, options, output, profiles.`;

/** The text below the list of commands in the root help. */
export const rootTail = (program: Commander, width: number) =>
  `\n${width >= rootWidth ? rootHelp : program.createHelp().boxWrap(rootHelp.replaceAll('\n', ' '), width)}`;

/** The first-level words by purpose, in two columns: one screen of 24 lines and 80 columns. */
function rootScreen(program: Commander): string {
  const [left = [], right = []] = [purposes.slice(0, 2), purposes.slice(2)].map((column) =>
    column.flatMap((purpose) => {
      const words = program.commands.filter((command) => command.helpGroup() === `${purpose}:` && !isHidden(command));
      const names = words.map((command) => command.name());
      if (namesOnly.has(purpose)) return [`${purpose}:`, ...flow(' ', names, rootWidth - leftWidth).split('\n')];
      return [`${purpose}:`, ...words.map((command) => `  ${command.name().padEnd(13)}${command.summary()}`)];
    }),
  );
  const rows = Array.from({ length: Math.max(left.length, right.length) }, (_, index) =>
    `${(left[index] ?? '').padEnd(leftWidth)}${right[index] ?? ''}`.trimEnd(),
  );
  return `Usage: docsctl ${program.usage()} | --help | --version  Docs: docs/README.md\n${program.description()}\n\n${rows.join('\n')}\n`;
}

/** Examples, exit statuses and related commands, printed below the options in the help of a command. */
export function helpTail(command: Command, width: number): string {
  const { docs, seeAlso } = command;
  const examples = examplesOf(command);
  const parts: string[] = [];
  if (examples.length > 0)
    parts.push(
      `Examples:\n${examples.map(({ run, does }) => `${flow(' ', does.split(' '), width)}\n${shellLines(run, width)}`).join('\n')}`,
    );
  const exits = Object.entries(exitsOf(command));
  if (exits.length > 0)
    parts.push(
      `Exit status:\n${exits.map(([status, meaning]) => flow(`  ${status} `, meaning.split(' '), width)).join('\n')}`,
    );
  const more = ['Global options: docsctl help options'];
  if (docs !== undefined) more.push(`Docs: ${docs}`);
  if (seeAlso)
    more.push(
      flow(
        'See also:',
        seeAlso.map((name, index) => `docsctl ${name}${index < seeAlso.length - 1 ? ',' : ''}`),
        width,
      ),
    );
  parts.push(more.join('\n'));
  return `\n${parts.join('\n\n')}`;
}

/** A command line for a shell. A long one is broken before flags and pipes. */
function shellLines(run: string, width: number): string {
  // slow-regexp: the texts are those of the help
  const words = run.match(/(?:\$\([^()]*\)|"(?:\$\([^()]*\)|\\.|[^"\\])*"|'[^']*'|[^\s"'])+/g) ?? [];
  const pieces: string[] = [];
  for (const word of words) {
    if (pieces.length === 0 || /^(?:-.|\||&&|<|>)/.test(word)) pieces.push(word);
    else pieces.push(`${pieces.pop()} ${word}`);
  }
  const lines = [`    $`];
  for (const [index, piece] of pieces.entries()) {
    const line = `${lines.at(-1)} ${piece}`;
    const maxWidth = width - (index < pieces.length - 1 ? 2 : 0);
    if (index === 0 || line.length <= maxWidth) lines[lines.length - 1] = line;
    else lines.push(`        ${piece}`);
  }
  return lines.join(' \\\n');
}

/** Pieces after a label, broken into lines that are indented like the first one. */
function flow(label: string, pieces: string[], width: number): string {
  const lines: string[] = [];
  let line = label;
  for (const piece of pieces) {
    const longer = `${line} ${piece}`;
    if (line.length === label.length || longer.length <= width) line = longer;
    else {
      lines.push(line);
      line = `${' '.repeat(label.length)} ${piece}`;
    }
  }
  return [...lines, line].join('\n');
}

const memberMessage = 'your membership of the organization is disabled';

/** Why a call is not allowed, by the `access` of the endpoint. */
const forbiddenMessages: Record<string, string> = {
  member: memberMessage,
  'organization.read': 'guests of the organization have no access',
  'organization.createContent': 'requires the role create or admin in the organization',
  'organization.admin': 'requires the role admin in the organization',
  'team.admin': 'only administrators of the organization and owners of the team have access',
  'collection.admin': 'requires the level admin on the collection',
  'space.comment': 'requires the level comment or above on the space',
  'space.edit': 'requires the level edit or above on the space',
  'space.merge': 'requires the level review or above on the space',
  'space.admin': 'requires the level admin on the space',
};

/** The exit statuses of a command beyond those that all commands have, and what they mean there. */
export function exitsOf(command: Command): Record<number, string> {
  const { endpoint, use, exitStatuses = {}, confirm, run } = command;
  const exits: Record<number, string> = {};
  if (endpoint) {
    if (confirm) exits[exit.usage] = 'not confirmed: --yes is required without a terminal';
    const forbidden = endpoint.access === 'token' ? undefined : (forbiddenMessages[endpoint.access] ?? memberMessage);
    if (forbidden !== undefined) exits[exit.forbidden] = forbidden;
    if (paramNames(endpoint.path).some((name) => name !== 'emailDomain'))
      exits[exit.notFound] = 'not found, or not visible to your token';
    if (use.includes('...') && !run) exits[exit.someFailed] = 'some items failed; the others succeeded';
  }
  return { ...exits, ...exitStatuses };
}
