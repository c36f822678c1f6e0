import { CommanderError } from 'commander';
import type { CommandLines, Inherited, LineOutcome, ParsedLine } from '../command/command-lines.ts';
import { expandAlias } from './aliases.ts';
import { type BuildOptions, buildProgram, type Hooks } from './build-commands.ts';
import { type Failure, exit } from './failure.ts';
import { withHarFile } from './har.ts';
import { type Streams, systemStreams } from './io.ts';
import { failureFrom, reportError, type StartedRun } from './report-error.ts';
import { handledSignals } from './signals.ts';

export type ProgramOptions = Pick<BuildOptions, 'entries' | 'openEmbedded'> & Partial<Pick<BuildOptions, 'streams'>>;

/** How long the command may take to end after a signal. */
const graceMs = 1500;

/** Runs one command line. @returns the exit status */
export async function runProgram(argv: readonly string[], options: ProgramOptions): Promise<number> {
  try {
    return (await runLine(expandAlias(argv, options.entries), options)).status;
  } catch (error) {
    return (await reportError(error, argv, undefined, options.streams ?? systemStreams()))?.exitCode ?? exit.failed;
  }
}

async function runLine(argv: readonly string[], options: ProgramOptions, inherited?: Inherited): Promise<LineOutcome> {
  const streams = inherited?.streams ?? options.streams ?? systemStreams();
  const runs: StartedRun[] = [];
  const signals = new SignalHandler(() => runs.at(-1)?.io.isPaging ?? false);
  let failure: Failure | undefined;
  const fail = async (error: unknown) => {
    await runs.at(-1)?.io.end();
    const reported = await reportError(await meaningOf(error, argv, options), argv, runs.at(-1), streams);
    failure ??= reported;
  };
  if (inherited?.signal) signals.follow(inherited.signal);
  const program = buildProgram(
    { ...options, streams, lines: linesOf({ ...options, ...(inherited && { streams }) }), inherited },
    argv,
    signals.hooks((run) => runs.push(run)),
  );
  try {
    await program.parseAsync(withHarFile(argv), { from: 'user' });
    signals.commandEnded();
    await runs.at(-1)?.io.end();
  } catch (error) {
    await fail(error);
  } finally {
    signals.release();
    const status = signals.status === exit.done ? (failure?.exitCode ?? exit.done) : signals.status;
    for (const { session } of runs) await session.keepJournal({ status, message: failure?.message });
    // The HAR file is written last, and that may fail too.
    for (const { session } of runs) await session.close().catch(fail);
  }
  return { status: signals.status === exit.done ? (failure?.exitCode ?? exit.done) : signals.status, failure };
}

const withoutPager = ({ out, err, screen }: Streams): Streams => ({ out, err, screen });

/** Runs further command lines of the same program. */
function linesOf(options: ProgramOptions): CommandLines {
  let streams: Streams | undefined;
  return {
    get streams() {
      // The commands of a list share a screen: none of them takes it for a pager.
      return (streams ??= options.streams ?? withoutPager(systemStreams(() => {})));
    },
    check: (words) => checkLine(words, options),
    run: (words, inherited) => runLine(words, options, inherited),
  };
}

const unknownWords = new Set(['commander.unknownCommand', 'commander.unknownOption']);

/** An error for an unknown command or option, with what may be meant; any other error itself. */
async function meaningOf(error: unknown, argv: readonly string[], options: ProgramOptions): Promise<unknown> {
  if (!(error instanceof CommanderError) || !unknownWords.has(error.code)) return error;
  const { withMeaning } = await import('../find/near-words.ts');
  return withMeaning(error, argv, buildProgram({ ...options, streams }, [], noHooks()));
}

const noHooks = (): Hooks => ({
  signal: new AbortController().signal,
  onStart: () => {},
  watch: () => {},
  quietly: () => {},
});

const nothing = { write: () => {} };
const streams = { out: nothing, err: nothing, screen: { terminal: false, color: false, width: Infinity } };

/** Parses a command line without running it: unknown commands, flags and values are found. */
export async function checkLine(
  words: readonly string[],
  { entries, openEmbedded }: Pick<BuildOptions, 'entries' | 'openEmbedded'>,
): ReturnType<CommandLines['check']> {
  let parsed: ParsedLine | undefined;
  let failure: Failure | undefined;
  const onParsed = (line: ParsedLine) => {
    parsed = line;
  };
  try {
    await buildProgram({ entries, openEmbedded, streams, onParsed }, words, noHooks()).parseAsync([...words], {
      from: 'user',
    });
  } catch (error) {
    failure = failureFrom(await meaningOf(error, words, { entries, openEmbedded }));
  }
  if (failure === undefined && parsed !== undefined) return parsed;
  // A group without a subcommand: commander would print its help.
  const missing: Failure = {
    exitCode: exit.usage,
    code: 'missing-value',
    message: 'A subcommand is missing.',
    hint: 'See "docsctl help".',
  };
  return { failure: failure === undefined || failure.message === '' ? missing : failure };
}

const interruption = (exitCode: number, signalStatus = exitCode): Error =>
  Object.assign(new Error('Interrupted.'), { name: 'AbortError', exitCode, signalStatus });

/** Ends the command that runs when SIGINT or SIGTERM arrives. */
class SignalHandler {
  /** Exit status after a signal; `done` without one, or if a signal is the normal end. */
  status: number = exit.done;
  // Created on first use: help and completions never look at it.
  #controller: AbortController | undefined;
  #endsQuietly = false;
  #hasEnded = false;
  #isFollowing = false;
  readonly #isPaging: () => boolean;

  /** @param isPaging whether a pager has the keyboard */
  constructor(isPaging: () => boolean) {
    this.#isPaging = isPaging;
  }

  get #abort(): AbortController {
    return (this.#controller ??= new AbortController());
  }

  hooks(onStart: (run: StartedRun) => void): Hooks {
    const signalOf = () => this.#abort.signal;
    return {
      get signal() {
        return signalOf();
      },
      onStart,
      watch: () => {
        if (this.#isFollowing) return;
        for (const signal of handledSignals) process.on(signal, this.#stop);
      },
      quietly: () => {
        this.#endsQuietly = true;
      },
    };
  }

  /** The command ends when the command that runs it says so, which handles the signals of the system. */
  follow(signal: AbortSignal): void {
    this.#isFollowing = true;
    const stop = () => {
      this.status = exit.interrupted;
      this.#abort.abort(interruption(exit.interrupted));
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  }

  /** Only its output is still being read: a signal cannot stop it any more. */
  commandEnded(): void {
    this.#hasEnded = true;
  }

  release(): void {
    for (const signal of handledSignals) process.off(signal, this.#stop);
  }

  readonly #stop = (signal: NodeJS.Signals) => {
    const status = signal === 'SIGINT' ? exit.interrupted : exit.terminated;
    // Ctrl-C reaches the pager too, which goes on: the command stops, and ends when the user leaves the pager.
    const waitsForPager = signal === 'SIGINT' && this.#isPaging();
    if (waitsForPager && (this.#hasEnded || this.#abort.signal.aborted)) return;
    // A second signal ends the process at once.
    if (this.#abort.signal.aborted) process.exit(status);
    this.status = this.#endsQuietly ? exit.done : status;
    this.#abort.abort(interruption(this.status, status));
    // A command that ignores the signal is ended; a server may finish its requests.
    if (!this.#endsQuietly && !waitsForPager) setTimeout(() => process.exit(this.status), graceMs).unref();
  };
}
