import type { Invocation } from '../../cli/command/command.ts';
import { argument } from '../../cli/command/invocation.ts';
import { fileText } from '../../cli/command/read-input.ts';
import { readCommandList } from '../../cli/lines/command-list.ts';
import { unsetUses } from '../../cli/lines/captures.ts';
import { countOf } from '../../cli/lines/outcome.ts';
import { rehearseLine } from '../../cli/lines/rehearse-line.ts';
import { runLines } from '../../cli/lines/run-lines.ts';
import { wholeNumber } from '../shared/whole-number.ts';
import { UsageError } from '../../cli/program/failure.ts';

type RunInvocation = Invocation<
  { file?: string | undefined },
  {
    keepGoing?: boolean | undefined;
    fromLine?: string | undefined;
    set?: string[] | undefined;
    rehearse?: boolean | undefined;
    summary?: string | undefined;
    ci?: boolean | undefined;
  }
>;

/** Runs the commands of a file. */
export async function runList(invocation: RunInvocation): Promise<void> {
  const { flags, globals, io } = invocation;
  const file = argument(invocation, 'file');
  if (flags.rehearse) return rehearseLine(invocation, wordsToRehearse(invocation, file));
  const name = file === '-' ? 'standard input' : file;
  const list = readCommandList(fileText(file, '<file>'));
  if (list.commands.length === 0 && list.mistakes.length === 0)
    throw new UsageError(`${name} contains no commands.`, 'Write one command per line, such as "spaces list".');
  const from = wholeNumber('--from-line', flags.fromLine) ?? 1;
  const commands = list.commands.filter(({ line }) => line >= from);
  const skipped = list.commands.length - commands.length;
  if (commands.length === 0 && skipped > 0)
    throw new UsageError(
      `--from-line: ${name} has no command in line ${from} or below.`,
      `The last one is in line ${list.commands.at(-1)?.line}.`,
    );
  if (skipped > 0) await io.note(`${countOf(skipped)} before line ${from} skipped.`);
  const values = new Map((flags.set ?? []).map(pairIn));
  const mistakes = [...list.mistakes, ...unsetUses(commands, values)].filter(({ line }) => line >= from);
  // With --keep-going, later commands may be done.
  const goesOn = !flags.keepGoing && !globals.dryRun && file !== '-';
  const hint = goesOn ? (line: number) => `To go on there, run the list with --from-line ${line}.` : undefined;
  await runLines(invocation, { name, file, commands, mistakes }, { ...flags, values, hint });
}

function pairIn(text: string): [string, string] {
  const [, name, value] = /^(\w+)=(.+)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError(`--set: "${text}" is not NAME=VALUE.`, 'For example --set team=team00000001.');
  return [name, value];
}

/** The same command line without --rehearse. @throws UsageError */
function wordsToRehearse({ flags }: RunInvocation, file: string): string[] {
  const { keepGoing, fromLine, set = [], summary } = flags;
  if (file === '-') throw new UsageError('--rehearse needs a file, because it reads the list several times.');
  if (summary !== undefined)
    throw new UsageError('--rehearse and --summary cannot be combined.', 'Nothing is done in a rehearsal.');
  return [
    'run',
    file,
    ...(keepGoing ? ['--keep-going'] : []),
    ...(fromLine === undefined ? [] : ['--from-line', fromLine]),
    ...set.flatMap((pair) => ['--set', pair]),
  ];
}
