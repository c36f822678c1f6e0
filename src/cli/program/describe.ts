import { isDeepStrictEqual } from 'node:util';
import type { Command as Commander, Option } from 'commander';
import type { Endpoint } from '../../contract/endpoint.ts';
import { type Components, type Json, schemaOf } from '../../contract/json-schema.ts';
import { permanentReason } from '../../journal/permanent.ts';
import { isObject } from '../../shared/is-object.ts';
import { argumentText } from '../command/arguments.ts';
import { argumentsOf, type Changed, type Command, type DerivedFlag, examplesOf } from '../command/command.ts';
import { flagsOf } from '../command/flags.ts';
import { version } from '../../shared/version.ts';
import { canRehearse } from '../lines/check-lines.ts';
import { commandOf, isHidden, load } from './command-tree.ts';
import { exitMeanings } from './failure.ts';
import { globalOptions } from './globals.ts';
import { exitsOf } from './help.ts';
import { isSwitch, takesSeveral } from './options.ts';

/**
 * What `help` prints as text, as data: of the program, a group or a command, with all commands below it. Everything in it
 * follows from the tree.
 */
export async function describe(target: Commander): Promise<Json> {
  const components: Components = { address: '#/schemas/', schemas: {} };
  const isRoot = !target.parent;
  const described = await describeNode(target, components);
  const schemas = Object.entries(components.schemas).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...described,
    ...(isRoot && { exitStatuses: Object.fromEntries(exitMeanings) }),
    ...((commandOf(target) || isRoot) && { globalOptions: optionsIn(globalOptions(), []) }),
    ...(schemas.length > 0 && { schemas: Object.fromEntries(schemas) }),
  };
}

async function describeNode(target: Commander, components: Components): Promise<Json> {
  const command = commandOf(await load(target));
  const path = pathOf(target);
  const commands: Json[] = [];
  for (const child of target.commands) if (!isHidden(child)) commands.push(await describeNode(child, components));
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
      ...(command.docs !== undefined && { docs: command.docs }),
      seeAlso: command.seeAlso ?? [],
      changes: changesOf(command),
      rehearsal: rehearsalOf(target, command),
      undo: undoOf(command),
      output: await outputOf(command, components),
    }),
    ...(commands.length > 0 && { commands }),
  };
}

export const changesOf = ({ changes, endpoint }: Command): readonly Changed[] =>
  changes ?? (endpoint && endpoint.method !== 'GET' ? ['service'] : []);

const changesService = (command: Command) => changesOf(command).includes('service');

/** Whether `docsctl rehearse` runs it, and with or without which flags; null if it does not change the service. */
function rehearsalOf(target: Commander, command: Command): Json | null {
  if (!changesService(command)) return null;
  const flags = (names: readonly string[]) =>
    target.options.flatMap((option) => (names.includes(option.attributeName()) ? (option.long ?? []) : []));
  const { rehearsedWith, writesFilesWith = [] } = command;
  return canRehearse(pathOf(target), command)
    ? { possible: true, notWith: flags(['result', ...writesFilesWith]) }
    : { possible: rehearsedWith !== undefined, onlyWith: flags(rehearsedWith ?? []) };
}

/** Whether `docsctl undo` undoes it; null if it does not change the service. */
function undoOf(command: Command): Json | null {
  if (!changesService(command)) return null;
  // A command with requests of its own may send others than that of its endpoint.
  if (!command.endpoint)
    return { possible: 'depends', reason: 'each request of the command has its own inverse, or none' };
  const reason = permanentReason(command.endpoint.name);
  return reason === undefined ? { possible: 'yes' } : { possible: 'no', reason };
}

/** What `-o json` prints, unless `--dry-run`, `--columns` or `--jq` change that. */
async function outputOf(command: Command, components: Components): Promise<Json> {
  const { prints, printsLines = false } = command;
  if (prints === 'nothing' || prints === 'text') return { format: prints };
  const format = printsLines ? 'jsonl' : 'json';
  if (prints === 'anything') return { format, schema: {} };
  if (prints) return { format, schema: schemaOf(await prints(), 'output', components) };
  const schemas = [command.endpoint, command.changeRequestEndpoint].flatMap((endpoint) =>
    endpoint ? [printedSchema(command, endpoint, components)] : [],
  );
  const distinct = schemas.filter(
    (schema, index) => schemas.findIndex((other) => isDeepStrictEqual(schema, other)) === index,
  );
  return { format, schema: anyOf(distinct) };
}

/** What a command prints of its endpoint's answer. */
function printedSchema({ use, output = {} }: Command, endpoint: Endpoint, components: Components): Json {
  if (endpoint.items) return { type: 'array', items: schemaOf(endpoint.items(), 'output', components) };
  const answer = endpoint.answer && schemaOf(endpoint.answer(), 'output', components);
  const mayBeEmpty = answer?.properties !== undefined && answer.required === undefined;
  const printed = !answer
    ? resultSchema
    : anyOf([
        memberOf(answer, output.member, components),
        ...(mayBeEmpty && output.done !== undefined ? [resultSchema] : []),
      ]);
  return use.includes('...') ? anyOf([printed, { type: 'array', items: printed }]) : printed;
}

const anyOf = (schemas: readonly Json[]): Json => (schemas.length === 1 ? schemas[0]! : { anyOf: schemas });

/** How an object is printed whose request is answered with nothing. */
const resultSchema = {
  type: 'object',
  properties: { id: { type: 'string' }, result: { type: 'string' } },
  required: ['id', 'result'],
};

/** The schema of a member of an answer. */
function memberOf(schema: Json, member: string | undefined, components: Components): Json {
  if (member === undefined) return schema;
  const { $ref, anyOf: branches = schema.oneOf, properties } = schema;
  if (typeof $ref === 'string') {
    const referenced = components.schemas[$ref.slice(components.address.length)];
    return memberOf(isObject(referenced) ? referenced : {}, member, components);
  }
  if (Array.isArray(branches)) return anyOf(branches.map((branch) => memberOf(branch, member, components)));
  const own = isObject(properties) ? properties[member] : undefined;
  return isObject(own) ? own : {};
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
