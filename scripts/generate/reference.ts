import type { Command as Commander, Help, Option } from 'commander';
import { argumentText } from '../../src/cli/command/arguments.ts';
import { exitMeanings } from '../../src/cli/program/failure.ts';
import { globalOptions, headings } from '../../src/cli/program/globals.ts';
import { buildProgram } from '../../src/cli/program/build-commands.ts';
import { commandOf, load } from '../../src/cli/program/command-tree.ts';
import { exitsOf } from '../../src/cli/program/help.ts';
import { argumentsOf, type Command, type Example, examplesOf, type Purpose } from '../../src/cli/command/command.ts';
import { entries } from '../../src/commands/index.ts';

/** The content of the reference pages about the commands, without their format. */
export interface Reference {
  groups: TopPage[];
  /** Options of every command. */
  options: OptionGroup[];
  exits: [status: number, meaning: string][];
}

/** A group of commands, or a command by itself. */
export interface Page {
  /** `['cr', 'merge']` */
  words: string[];
  aliases: string[];
  summary: string;
  /** Present where it can be called: a group of commands cannot. */
  call?: Call;
  below: Page[];
}

export interface TopPage extends Page {
  purpose: Purpose;
}

export interface Call {
  /** `docsctl cr merge <cr> [options]` */
  usage: string;
  /** The text after the summary; empty where the summary is enough. */
  description: string;
  args: { term: string; description: string }[];
  options: OptionGroup[];
  examples: Example[];
  /** Statuses of this command beyond those of all commands. */
  exits: [status: number, meaning: string][];
  /** Related commands and topics, without `docsctl`. */
  /** The page of the documentation that has the rules. */
  docs?: string;
  see: string[];
}

export interface OptionGroup {
  heading: string;
  options: { term: string; description: string; words: readonly string[] }[];
}

/** Headings of the options that are described once for all commands. */
const shared = new Set<string>([headings.output, headings.connection, headings.safety, headings.more]);

/** Walks the whole tree of commands. The result depends only on the code. */
export async function describeCommands(): Promise<Reference> {
  const nowhere = { write: () => {} };
  const screen = { terminal: false, width: 80, color: false };
  const program = buildProgram(
    {
      entries,
      streams: { out: nowhere, err: nowhere, screen },
      openEmbedded: () => Promise.reject(new Error('Nothing is run here.')),
    },
    [],
    { signal: new AbortController().signal, onStart: () => {}, watch: () => {}, quietly: () => {} },
  );
  const groups: TopPage[] = [];
  for (const { name, purpose, hidden } of entries) {
    if (hidden) continue;
    const group = program.commands.find((command) => command.name() === name)!;
    groups.push({ ...(await pageOf(group, [name])), purpose });
  }
  return { groups, options: groupsOf(program.createHelp(), globalOptions()), exits: exitMeanings };
}

async function pageOf(target: Commander, words: string[]): Promise<Page> {
  await load(target);
  const command = commandOf(target);
  const help = target.createHelp();
  const below: Page[] = [];
  for (const child of help.visibleCommands(target)) below.push(await pageOf(child, [...words, child.name()]));
  return {
    words,
    aliases: target.aliases(),
    summary: sentence(command?.summary ?? command?.endpoint?.summary ?? target.summary()),
    below,
    ...(command ? { call: callOf(target, command, words, help) } : {}),
  };
}

function callOf(target: Commander, command: Command, words: string[], help: Help): Call {
  const { endpoint, description, docs, seeAlso = [] } = command;
  const commandOptions = help.visibleOptions(target).filter((option) => !shared.has(option.helpGroupHeading ?? ''));
  return {
    usage: ['docsctl', ...words, ...command.use.split(' ').slice(1), '[options]'].join(' '),
    description: description ?? endpoint?.description ?? '',
    args: argumentsOf(command.use).map((argument) => ({
      term: termOf(argument),
      description: sentence(argumentText(command, argument)),
    })),
    options: groupsOf(
      help,
      commandOptions.filter(({ long }) => long !== '--help'),
    ),
    examples: examplesOf(command),
    exits: Object.entries(exitsOf(command)).map(([status, meaning]) => [Number(status), meaning]),
    ...(docs === undefined ? {} : { docs }),
    see: [...seeAlso],
  };
}

type Argument = ReturnType<typeof argumentsOf>[number];

const termOf = ({ name, optional, variadic }: Argument) =>
  `${optional ? '[' : '<'}${name}${variadic ? '...' : ''}${optional ? ']' : '>'}`;

function groupsOf(help: Help, options: readonly Option[]): OptionGroup[] {
  const groups = new Map<string, OptionGroup>();
  for (const option of options) {
    if (option.hidden) continue;
    const heading = (option.helpGroupHeading ?? headings.own).replace(/:$/, '');
    const group = groups.get(heading) ?? { heading, options: [] };
    groups.set(heading, group);
    const fallback =
      option.defaultValue === undefined || typeof option.defaultValue === 'boolean'
        ? ''
        : ` (default ${option.defaultValueDescription ?? String(option.defaultValue)})`;
    group.options.push({
      term: help.optionTerm(option),
      description: sentence(option.description.replace(/\.$/, '') + fallback),
      words: option.argChoices ?? [],
    });
  }
  return [...groups.values()];
}

const sentence = (text: string) => {
  const trimmed = text.trim().replace(/\s+/g, ' ');
  return trimmed === '' ? '' : `${trimmed[0]!.toUpperCase()}${trimmed.slice(1).replace(/\.$/, '')}.`;
};
