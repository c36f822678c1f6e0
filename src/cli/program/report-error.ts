import { CommanderError, Option } from 'commander';
import type { ValidationIssue } from '../../contract/errors.ts';
import type { ErrorCode } from '../../shared/error-codes.ts';
import { nearest } from '../../shared/suggest.ts';
import type { Command, Invocation } from '../command/command.ts';
import { argumentFields, kebab, paramOf } from '../command/flags.ts';
import { visibleLines } from '../output/index.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import type { Session } from '../settings/session.ts';
import { type Failure, failureJson, failureOf, failureText, type FlagOf, exit } from './failure.ts';
import { Io, type Streams } from './io.ts';

/** The parts of a run that are needed to report its failure. */
export interface StartedRun {
  session: Session;
  io: Io;
  flagOf: FlagOf;
  command: Pick<Command, 'advice'>;
  args: Record<string, string | string[] | undefined>;
}

/** How the error of a command line is reported; undefined if commander ends it with success, as after `--help`. */
export function failureFrom(error: unknown): Failure | undefined {
  if (!(error instanceof CommanderError)) return failureOf(error);
  return error.exitCode === 0 ? undefined : usageFailure(error);
}

/** Prints an error on standard error, as text or as JSON. @returns how it was reported; undefined if it is none */
export async function reportError(
  error: unknown,
  argv: readonly string[],
  run: StartedRun | undefined,
  streams: Streams,
): Promise<Failure | undefined> {
  const reported = failureFrom(error);
  const failure = reported && withAdvice(reported, run);
  // A group without a command: commander printed its help already.
  if (failure === undefined || failure.message === '') return failure;
  const io = run?.io ?? new Io({}, process.env, streams);
  const asJson = run
    ? run.session.globals.output === 'json' || run.session.globals.output === 'jsonl'
    : wantsJson(argv);
  if (failure.exitCode !== exit.interrupted || failure.message !== 'Interrupted.') {
    await io.err.write(asJson ? failureJson(failure) : visibleLines(failureText(failure, run?.flagOf)));
  }
  if (process.env.DOCSCTL_DEBUG_STACK && error instanceof Error) await io.err.write(`${error.stack}\n`);
  return failure;
}

/** The failure with what its command advises, if nothing better is known. */
function withAdvice(failure: Failure, run: StartedRun | undefined): Failure {
  const { hint, reason, details = [] } = failure;
  if (!run || hint !== undefined || reason === undefined) return failure;
  const isPosition = details.some(({ path }) => path.startsWith('/position/'));
  const advice = run.command.advice?.[isPosition ? 'position' : reason];
  if (advice === undefined) return failure;
  const text = advice.replace(/<([a-z-]+)>/g, (placeholder, name: string) => {
    const value = run.args[name];
    return typeof value === 'string' ? shellCommand([value]) : placeholder;
  });
  return { ...failure, hint: text };
}

/** Commander's words before the list of choices. */
const notAllowed = "' is invalid. Allowed choices are ";

/** An error of commander in the form of our errors. */
function usageFailure({ message, code }: CommanderError): Failure {
  if (code === 'commander.help') return { exitCode: exit.usage, code: 'missing-value', message: '' };
  const [complaint = '', suggestion] = message.replace(/^error: /, '').split('\n');
  const isChoice = complaint.includes(notAllowed);
  const text = complaint
    // `-o, --output <format>` is called `--output`.
    .replace(/'(?:-\w, )?(--[\w-]+)(?: [<[][^']*)?'/g, "'$1'")
    .replace(/^option '(\S+)' argument '/, (start, option: string) => (isChoice ? `${option}: "` : start))
    .replace(notAllowed, '" is not one of ')
    .replace(/^option '(\S+)' argument missing$/, '$1 needs a value')
    .replace(/^option '(\S+)' cannot be used with option '(\S+)'$/, '$1 and $2 cannot be combined')
    .replaceAll("'", '"');
  return {
    exitCode: exit.usage,
    code: codeOfCommander[code] ?? 'usage',
    message: `${text[0]?.toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`,
    hint:
      suggestion?.replace(/^\((.*)\)$/, '$1') ??
      choiceHint(text) ??
      (code === 'commander.unknownCommand' ? searchHint : 'See --help.'),
  };
}

const codeOfCommander: Readonly<Record<string, ErrorCode>> = {
  'commander.unknownCommand': 'unknown-command',
  'commander.unknownOption': 'unknown-option',
  'commander.optionMissingArgument': 'missing-value',
  'commander.invalidArgument': 'invalid-value',
  'commander.conflictingOption': 'conflicting-options',
  'commander.excessArguments': 'too-many-arguments',
};

const searchHint = '"docsctl --help" lists the commands, "docsctl help --search WORD" searches them.';

/** Suggests the most similar of the allowed words. Commander gives them only in its message. */
function choiceHint(message: string): string | undefined {
  const [start, middle] = [': "', '" is not one of '];
  const [from, to] = [message.indexOf(start), message.lastIndexOf(middle)];
  if (from === -1 || to < from) return undefined;
  const choices = message.slice(to + middle.length).replace(/\.$/, '');
  const choice = nearest(message.slice(from + start.length, to), choices.split(', '));
  return choice === undefined ? undefined : `Did you mean "${choice}"?`;
}

const wantsJson = (argv: readonly string[]) =>
  argv.includes('--json') || /(?:^|\s)(?:-o|--output)[ =]?jsonl?(?:\s|$)/.test(argv.join(' '));

/** The flag or argument that set the value which the service refused. */
export const inputOfIssue = (issue: ValidationIssue, invocation: Invocation): string | undefined =>
  issue.in === 'path' ? inputOfParam(issue.path, invocation) : inputOfField(issue.path, invocation);

/** The flag or argument that set a field of the request; `--data` if none did. */
function inputOfField(path: string, invocation: Invocation): string | undefined {
  const { command, flags, values, args } = invocation;
  const parts = path.split('/').filter(Boolean);
  const [first = ''] = parts;
  const isSet: IsSet = (source) =>
    source.startsWith('<') ? args[source.slice(1, -1)] !== undefined : values[attributeOf(source)] !== undefined;
  const hasFlag = command.flags?.some((flag) => /--[\w-]+/.exec(flag.flags)?.[0] === `--${kebab(first)}`);
  const source =
    sourceOf(parts, command, isSet) ??
    flagOf(parts, invocation, isSet) ??
    (hasFlag ? `--${kebab(first)}` : argumentOf(parts, command));
  const isOfData = flags.data !== undefined && (source === undefined || !isSet(source.split(' ')[0] ?? ''));
  return isOfData ? `--data ${path}` : source;
}

type IsSet = (source: string) => boolean;

const attributeOf = (long: string) => new Option(long).attributeName();

/** The argument or flag that set a path parameter. */
function inputOfParam(param: string, { command, args, values }: Invocation): string | undefined {
  const isArgument = (name: string) => paramOf(name, [param], command.input?.params) === param;
  const argument = Object.keys(args).find((name) => args[name] !== undefined && isArgument(name));
  if (argument !== undefined) return `<${argument}>`;
  const flag = param === 'changeRequestId' ? 'cr' : kebab(param.replace(/Id$/, ''));
  if (values[attributeOf(`--${flag} <id>`)] !== undefined) return `--${flag}`;
  return args.id === undefined ? undefined : '<id>';
}

/** A source that the command names, with the path inside it. */
function sourceOf(parts: string[], { input: { sources = {} } = {} }: Command, isSet: IsSet): string | undefined {
  for (const [head, names] of Object.entries(sources)) {
    const headParts = head.split('/').filter(Boolean);
    if (!headParts.every((part, index) => part === parts[index])) continue;
    return [names.find(isSet) ?? names[0], parts.slice(headParts.length).join('.')].filter(Boolean).join(' ');
  }
  return undefined;
}

function flagOf(parts: string[], { derived, values }: Invocation, isSet: IsSet): string | undefined {
  const [innermost] = derived
    .filter((flag) => flag.path.every((part, index) => part === parts[index]))
    .toSorted((a, b) => b.path.length - a.path.length);
  // The flags that together set an object.
  const members = derived.filter((flag) => parts.length > 0 && parts.every((part, index) => part === flag.path[index]));
  const flag = innermost ?? members.find(({ long }) => isSet(long)) ?? members[0];
  if (!flag) return undefined;
  const value = values[flag.attribute];
  const item: unknown = Array.isArray(value) ? value[Number(parts[flag.path.length])] : undefined;
  return item === undefined ? flag.long : `${flag.long} ${String(item)}`;
}

function argumentOf([first]: string[], command: Command): string | undefined {
  if (!command.endpoint) return undefined;
  const [name] = [...argumentFields(command.endpoint, command)].find(([, { path }]) => path[0] === first) ?? [];
  return name === undefined ? undefined : `<${name}>`;
}
