import { CommandError, type ErrorJson, exit, failureOf } from '../program/failure.ts';

interface Command {
  /** Line of the list. */
  line: number;
  /** As it can be entered in a shell. */
  command: string;
}

interface Ended extends Command {
  status: number;
  ms: number;
  /** With -o json: the output of the command, parsed if it is JSON. */
  output?: unknown;
  error?: ErrorJson;
}

/** The result of one command. */
export type Result = (Command & { result: 'not-run' }) | (Ended & { result: 'done' | 'failed' });

export type Failed = Result & { result: 'failed' };
export const hasFailed = (result: Result): result is Failed => result.result === 'failed';
export const countOf = (count: number): string => `${count} command${count === 1 ? '' : 's'}`;
export const isInterruption = (status: number): boolean => status === exit.interrupted || status === exit.terminated;

interface About {
  /** The name of the list, for messages. */
  name: string;
  signal: AbortSignal;
  keepGoing: boolean;
  isDryRun: boolean;
  /** What to do about commands that were not run. */
  hint?: Advice | undefined;
}

/** A hint, or how to make one from the line of the first command that was not done. */
export type Advice = string | ((line: number) => string);

/** The error of the whole list; undefined if all commands succeeded. */
export function errorOf(
  results: readonly Result[],
  { name, signal, keepGoing, isDryRun, hint }: About,
): CommandError | undefined {
  const failed = results.filter(hasFailed);
  const [first] = failed;
  const done = results.filter(({ result }) => result === 'done').length;
  const interrupted = failed.filter(({ status }) => isInterruption(status)).length;
  const notRun = results.length - done - failed.length;
  const counts = [
    `${done} of ${countOf(results.length)} done`,
    ...(keepGoing && failed.length > interrupted ? [`${failed.length - interrupted} failed`] : []),
    ...(interrupted > 0 && results.length > 1 ? [`${interrupted} interrupted`] : []),
    ...(notRun > 0 ? [`${notRun} not run`] : []),
    ...(isDryRun ? ['as a dry run'] : []),
  ].join(', ');
  const interruption = failed.find(({ status }) => isInterruption(status))?.status;
  const open = results.find(({ result }) => result !== 'done');
  const advice = hint === undefined || !open ? {} : { hint: typeof hint === 'string' ? hint : hint(open.line) };
  if (signal.aborted || interruption !== undefined) {
    const exitCode = signal.aborted ? failureOf(signal.reason).exitCode : interruption;
    return new CommandError(`Interrupted: ${counts}.`, { ...advice, ...(exitCode !== undefined && { exitCode }) });
  }
  if (!first)
    return notRun === 0 ? undefined : new CommandError(`${counts}.`, { ...advice, exitCode: exit.someFailed });
  const lines = failed.map(({ line, command, status }) => `${name}:${line}: ${command}: status ${status}`);
  if (!keepGoing || results.length === 1)
    return new CommandError(`${lines.join('')}. ${counts}.`, { ...advice, exitCode: first.status });
  return new CommandError(`${counts}.\n  ${lines.join('\n  ')}`, { ...advice, exitCode: exit.someFailed });
}
