import type { CommandLines, ParsedLine } from '../command/command-lines.ts';
import type { Invocation } from '../command/command.ts';
import { kebab } from '../command/flags.ts';
import type { BuildServer } from '../program/build-server.ts';
import { UsageError } from '../program/failure.ts';
import { resolved } from './captures.ts';
import type { ListedCommand, Mistake } from './listed-command.ts';
import { mistakesSummary, type SummaryFile } from './summary-file.ts';

type Problem = Omit<Mistake, 'line'>;

interface ListToCheck {
  /** `-` for standard input. */
  file: string;
  commands: readonly ListedCommand[];
}

/** Unknown commands, invalid flags, and commands that no list can run. */
export async function mistakesOf(
  { lines, globals }: Pick<Invocation, 'lines' | 'globals'>,
  { file, commands }: ListToCheck,
): Promise<Mistake[]> {
  const mistakes: Mistake[] = [];
  for (const { line, words } of commands) {
    const problem = await problemOf(resolved(words, new Map()), {
      lines,
      isFromInput: file === '-',
      isRehearsed: globals.record === true,
    });
    if (problem) mistakes.push({ line, ...problem });
  }
  return mistakes;
}

interface Circumstances {
  lines: CommandLines;
  isFromInput: boolean;
  isRehearsed: boolean;
}

async function problemOf(words: readonly string[], { lines, isFromInput, isRehearsed }: Circumstances) {
  const checked = await lines.check(words);
  if ('failure' in checked) return { message: checked.failure.message, hint: checked.failure.hint };
  if (isFromInput && words.some(readsInput))
    return { message: '"-" cannot be used, because the list itself is standard input.', hint: inputHint };
  if (checked.command.runsLines) return { message: 'A list cannot run a list.', hint: 'Put all commands in one file.' };
  if (checked.path === 'serve')
    return { message: '"serve" never ends on its own.', hint: 'Start it before "docsctl run".' };
  return isRehearsed ? rehearsalProblem(words, checked) : undefined;
}

const readsInput = (word: string) => /^(?:-{2}[\w-]+=|[\w.-]+=)?@?-$/.test(word) || word === '--with-token';
const inputHint = 'Put the list in a file: docsctl run <file>.';

/** Flags that would lead to another service than the copy, or write files about the copy. */
const ownPlace = new Set(['--profile', '--url', '--har', '--token']);

/** Whether a command can be rehearsed without the flags of `rehearsedWith`. */
export const canRehearse = (
  path: string,
  { run, writesFilesWith }: Pick<ParsedLine['command'], 'run' | 'writesFilesWith'>,
): boolean => path !== 'apply' && (!run || writesFilesWith !== undefined);

/** Why a command cannot be rehearsed: it would reach the service, or change files or settings on this machine. */
export function rehearsalProblem(words: readonly string[], { path, command, values }: ParsedLine): Problem | undefined {
  const other = words.find((word) => ownPlace.has(word.replace(/=.*/s, '')));
  if (other !== undefined)
    return {
      message: `${other.replace(/=.*/s, '')} cannot be part of a rehearsed command, which runs on the copy.`,
      hint: 'Put it before -- to select the organization to copy.',
    };
  if (path === 'apply')
    return {
      message: 'A folder cannot be rehearsed directly.',
      hint: 'Use "docsctl plan <folder> --out plan.json", then "docsctl rehearse plan.json".',
    };
  const { writesFilesWith, rehearsedWith } = command;
  const isRehearsed = rehearsedWith?.every((name) => values[name] !== undefined);
  if (!canRehearse(path, command) && !isRehearsed)
    return {
      message: `"${path}" cannot be rehearsed: it writes files or settings on this machine, or does not change an organization.`,
      hint: 'Run it with --dry-run to see what it would do.',
    };
  const attribute = ['result', ...(writesFilesWith ?? [])].find((name) => values[name] !== undefined);
  if (attribute === undefined) return undefined;
  const flag = `--${kebab(attribute)}`;
  return { message: `"${path}" with ${flag} cannot be rehearsed: it writes a file.`, hint: `Leave ${flag} out.` };
}

interface Refused {
  name: string;
  file: string;
  server: BuildServer;
  summary: SummaryFile | undefined;
}

/** @throws UsageError that names the file and line of each mistake */
export async function refuseMistakes({ name, file, server, summary }: Refused, all: readonly Mistake[]): Promise<void> {
  const mistakes = all.toSorted((a, b) => a.line - b.line);
  const [first] = mistakes;
  if (!first) return;
  const markdown = mistakesSummary(mistakes);
  server.summary(markdown);
  summary?.add(markdown);
  summary?.write();
  if (server.name === 'github')
    await server.annotate(mistakes.map(({ line, message }) => annotation(file, line, message)));
  if (mistakes.length === 1)
    throw new UsageError(`${name}:${first.line}: ${first.message} Nothing was run.`, first.hint);
  const alike = Map.groupBy(mistakes, ({ message, hint = '' }) => `${message} ${hint}`.trimEnd());
  const lines = [...alike].map(([text, same]) => `${name}:${placesOf(same)}: ${text}`);
  throw new UsageError(`${mistakes.length} lines of ${name} cannot be run. Nothing was run.\n  ${lines.join('\n  ')}`);
}

/** How many lines a message names. */
const maxPlaces = 5;

function placesOf(mistakes: readonly Mistake[]): string {
  const lines = mistakes.slice(0, maxPlaces).map(({ line }) => line);
  const more = mistakes.length > maxPlaces ? ` and ${mistakes.length - maxPlaces} more` : '';
  return `${lines.join(', ')}${more}`;
}

/** An annotation at the line of the file. A build server cannot show places in standard input. */
export const annotation = (file: string, line: number, message: string) => ({
  ...(file === '-' ? {} : { file, line }),
  level: 'error' as const,
  message: file === '-' ? `line ${line}: ${message}` : message,
  rule: 'docsctl run',
});
