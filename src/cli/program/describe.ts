import type { Command as Commander, Option } from 'commander';
import { argumentText } from '../command/arguments.ts';
import { argumentsOf, type DerivedFlag, examplesOf } from '../command/command.ts';
import { flagsOf } from '../command/flags.ts';
import { version } from '../../shared/version.ts';
import { commandOf, isHidden } from './command-tree.ts';
import { exitMeanings } from './failure.ts';
import { globalOptions } from './globals.ts';
import { exitsOf } from './help.ts';
import { isSwitch, takesSeveral } from './options.ts';

/** What `help` prints as text, as data: of the program, a group or a command. Everything in it follows from the tree. */
export function describe(target: Commander): Record<string, unknown> {
  const command = commandOf(target);
  const path = pathOf(target);
  const children = target.commands.filter((child) => !isHidden(child));
  return {
    command: path,
    ...(target.parent ? { aliases: target.aliases() } : { version }),
    summary: target.summary() || target.description(),
    ...(command && { description: target.description() }),
    usage: `docsctl ${path} ${target.usage()}`.replace('docsctl docsctl', 'docsctl'),
    ...(command && {
      arguments: argumentsOf(command.use).map((argument) => ({
        name: argument.name,
        description: argumentText(command, argument),
        required: !argument.optional,
        repeatable: argument.variadic,
      })),
      options: optionsIn(target.options, command.endpoint ? flagsOf(command.endpoint, command) : []),
      examples: examplesOf(command),
      exitStatuses: exitsOf(command),
      seeAlso: command.seeAlso ?? [],
    }),
    ...(children.length > 0 && {
      commands: children.map((child) => ({
        command: pathOf(child),
        aliases: child.aliases(),
        summary: child.summary(),
      })),
    }),
    ...(!target.parent && { exitStatuses: Object.fromEntries(exitMeanings) }),
    ...((command || !target.parent) && { globalOptions: optionsIn(globalOptions(), []) }),
  };
}

/** The words of a command, without the name of the program. */
function pathOf(target: Commander): string {
  const words: string[] = [];
  for (let each: Commander | null = target; each?.parent; each = each.parent) words.unshift(each.name());
  return words.join(' ') || target.name();
}

const optionsIn = (options: readonly Option[], derived: readonly DerivedFlag[]) =>
  options.filter(({ hidden }) => !hidden).map((option) => describeOption(option, derived));

function describeOption(option: Option, derived: readonly DerivedFlag[]) {
  const { long, short, flags, description, argChoices, defaultValue } = option;
  const field = derived.find((flag) => flag.long === long)?.field;
  const [, value] = /[<[]([^>\]]+)/.exec(flags) ?? [];
  return {
    name: long ?? short,
    ...(long !== undefined && short !== undefined && { short }),
    description,
    type: value === undefined ? 'boolean' : field?.kind === 'number' || isNumber(option) ? 'number' : 'string',
    ...(value !== undefined && { value, valueRequired: option.required }),
    ...(argChoices && { values: argChoices }),
    ...(isSwitch(option) && { opposite: long?.replace('--', '--no-') }),
    repeatable: takesSeveral(option),
    ...(defaultValue !== undefined && { default: defaultValue }),
  };
}

/** Whether an option reads its value as a number. */
function isNumber({ parseArg }: Option): boolean {
  try {
    return typeof parseArg?.('1', undefined) === 'number';
  } catch {
    return false;
  }
}
