import { paramNames } from '../../contract/path.ts';
import { type Command as Commander, Option } from 'commander';
import { nearest } from '../../shared/suggest.ts';
import { objects } from '../../contract/objects.ts';
import { argumentsOf, type Command, type DerivedFlag, type Flag } from '../command/command.ts';
import { clearable, paramOf } from '../command/flags.ts';
import { UsageError, emptyValue } from './failure.ts';
import { headings, list, pagingOptions, selectionOptions, verbatim } from './globals.ts';

/** Adds the options of a command: those of its endpoint's fields, its own, and those of lists and of the context. */
export function addOptions(target: Commander, command: Command, derived: readonly DerivedFlag[]): void {
  const { endpoint } = command;
  const own = (command.flags ?? []).map(ownOption);
  const failOn = failOnOptions(command);
  const options = [
    ...derived.flatMap(derivedOptions),
    ...own,
    ...bodyOptions(command),
    ...failOn,
    ...(command.changeRequestEndpoint
      ? [option('--cr <change-request>', 'use this change request (ID or number)', headings.context)]
      : []),
    ...batchOptions(command),
    ...(command.self
      ? [option('--yes-myself', 'skip confirmation when removing or demoting yourself', headings.safety)]
      : []),
    ...(isList(command) ? selectionOptions() : []),
  ];
  for (const each of options) target.addOption(each);
  for (const each of contextOptions(command)) {
    if (!target.options.some(({ long }) => long === each.long)) target.addOption(each);
  }
  refuseRepeated(target);
  refuseEmpty(target, [...own, ...failOn]);
  // The last of several wins, as of the options that every command has: an alias may have set the first.
  for (const each of endpoint?.paged ? pagingOptions() : []) target.addOption(each);
}

/** Whether a command prints a list that can be filtered and sorted. */
export const isList = ({ endpoint, output }: Command): boolean => endpoint?.paged === true || output?.list === true;

/** Has commander throw an error for a second value of an option that takes one, and for a switch with its opposite. */
function refuseRepeated(target: Commander): void {
  const earlier = new Map<string, { long: string; value: string | undefined }>();
  for (const each of target.options.filter((candidate) => !takesSeveral(candidate))) {
    const name = each.attributeName();
    const long = each.long ?? each.flags;
    target.on(`option:${each.name()}`, (text: string | null | undefined) => {
      const value = text ?? undefined;
      const before = earlier.get(name);
      earlier.set(name, { long, value });
      if (before === undefined || (value === undefined && before.long === long)) return;
      throw value === undefined || before.value === undefined
        ? new UsageError(`${before.long} and ${long} cannot be combined.`, undefined, 'conflicting-options')
        : new UsageError(
            `${long} was given twice: ${quoted(before.value)} and ${quoted(value)}.`,
            'It takes one value.',
            'conflicting-options',
          );
    });
  }
}

/** Has commander throw an error for an empty value of an option that takes a list: it would count as not given. */
function refuseEmpty(target: Commander, own: readonly Option[]): void {
  for (const each of own.filter(takesCommas)) {
    target.on(`option:${each.name()}`, (text: string) => {
      if (list(text).length > 0) return;
      throw emptyValue(`${each.long}`);
    });
  }
}

const maxQuoted = 40;
/** A value as a message shows it: a body or a certificate is long. */
const quoted = (value: string) => `"${value.length > maxQuoted ? `${value.slice(0, maxQuoted)}...` : value}"`;

/** What the value of an option is called: `file` for `--from <file>`; empty for a switch. */
export const placeholderOf = (flags: string): string => /[<[]([^<>[\]]+)[>\]]/.exec(flags)?.[1] ?? '';

/** What an option makes of an empty value: options that take several values parse them into a list. */
function valuesOfNothing(candidate: Option): unknown {
  try {
    return candidate.parseArg?.('', undefined);
  } catch {
    return undefined;
  }
}

/** Whether an option may be given several times. */
export const takesSeveral = (candidate: Option): boolean => Array.isArray(valuesOfNothing(candidate));

/** Whether commas separate the values of an option, so that an empty text is none of them. */
export function takesCommas(candidate: Option): boolean {
  const values = valuesOfNothing(candidate);
  return Array.isArray(values) && values.length === 0;
}

const option = (flags: string, description: string, heading: string = headings.own) =>
  new Option(flags, description).helpGroup(heading);

/** `--data`, `--clear` and the switches that set a field to null. */
function bodyOptions(command: Command): Option[] {
  const { endpoint, input, run } = command;
  if (!endpoint || (run && !input?.batch)) return [];
  const fields = clearable(endpoint, command);
  const cleared = fields.filter((field) => !field.switch).map(({ name }) => name);
  return [
    ...(endpoint.body && input?.without !== 'all'
      ? [option('--data <json>', 'whole request body: JSON, @file, or - for standard input')]
      : []),
    ...fields.flatMap((field) =>
      field.switch ? [option(field.switch, 'move it to the top level').conflicts('parent')] : [],
    ),
    ...(cleared.length > 0 ? [option('--clear <field>', `remove a value: ${cleared.join(', ')}`).argParser(list)] : []),
  ];
}

function failOnOptions({ output }: Command): Option[] {
  if (!output?.failOn) return [];
  const description = 'exit with status 9 if a link has this status';
  return [severalOf(option('--fail-on <word>', description), output.failOn.words)];
}

const batchOptions = ({ use, run, input, flags = [] }: Command): Option[] =>
  use.includes('...') && (!run || input?.batch)
    ? [
        option('--fail-fast', 'stop at the first failure'),
        option('--keep-going', 'continue after a failure (the default)').conflicts('failFast'),
        ...(flags.some((flag) => flag.flags.startsWith('--result '))
          ? []
          : [option('--result <file>', 'write the result of each object to a CSV file')]),
      ]
    : [];

/** The flags that name the organization, space or site. */
const scopeFlags = Object.entries(objects).flatMap(([param, kind]) =>
  'scope' in kind ? [{ param, scope: kind.scope, noun: kind.noun }] : [],
);

const contextOptions = (command: Command): Option[] =>
  scopeFlags
    .filter(({ param }) => usesContext(command, param))
    .map(({ scope, noun }) =>
      option(
        `--${scope} <${scope}>`,
        `${noun} (default: DOCSCTL_${scope.toUpperCase()} or settings)`,
        headings.context,
      ),
    );

/** Whether a command takes its organization, space or site from the context. */
function usesContext({ use, endpoint, input: { context, params } = {} }: Command, param: string): boolean {
  if (context) return context.some((name) => `${name}Id` === param);
  const names = paramNames(endpoint?.path ?? '');
  const required = argumentsOf(use).filter(({ optional }) => !optional);
  if (required.some(({ name }) => paramOf(name, names, params) === param)) return false;
  // The title of a space or a collection needs its organization.
  return names.includes(param) || (param === 'orgId' && (names.includes('spaceId') || names.includes('collectionId')));
}

function ownOption(flag: Flag): Option {
  const { flags, description, choices, repeatable, hidden, with: configure } = flag;
  const made = option(flags, description);
  if (repeatable === 'verbatim') made.argParser(verbatim);
  else if (repeatable) severalOf(made, choices);
  else if (choices) made.choices(choices);
  if ('default' in flag) made.default(flag.default);
  if (hidden) made.hideHelp();
  return configure ? configure(made) : made;
}

/** Options with an opposite, which help shows as `--[no-]flag`. */
const switches = new WeakSet<Option>();
export const isSwitch = (candidate: Option): boolean => switches.has(candidate);

function derivedOptions({ long, value, description, choices, repeatable }: DerivedFlag): Option[] {
  if (value === undefined) {
    const made = option(long, description);
    switches.add(made);
    return [made, option(long.replace('--', '--no-'), 'the opposite').hideHelp()];
  }
  const made = option(`${long} <${value}>`, description);
  if (repeatable) severalOf(made, choices);
  else if (choices) made.choices(choices);
  return [made];
}

/** Accepts an option several times, and values with commas. Commander checks choices only of options without a parser. */
function severalOf(made: Option, choices?: readonly string[]): Option {
  if (!choices) return made.argParser(list);
  made.argChoices = [...choices];
  return made.argParser((text: string, before: string[] | undefined) => {
    const unknown = list(text, []).find((word) => !choices.includes(word));
    if (unknown === undefined) return list(text, before);
    const near = nearest(unknown, choices);
    throw new UsageError(
      `${made.long}: "${unknown}" is not one of ${choices.join(', ')}.`,
      near === undefined ? undefined : `Did you mean "${near}"?`,
      'invalid-value',
    );
  });
}
