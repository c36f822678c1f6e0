import type { CommandLines, Inherited, LineOutcome } from '../command/command-lines.ts';
import { type BuildOptions, buildProgram, type Hooks } from './build-commands.ts';
import { exit } from './exit-status.ts';
import type { Failure } from './failure.ts';
import { withHarFile } from './har.ts';
import { type Streams, systemStreams } from './io.ts';
import { reportError, type StartedRun } from './report-error.ts';
import { handledSignals } from './signals.ts';

export type ProgramOptions = Pick<BuildOptions, 'entries' | 'openEmbedded'> & Partial<Pick<BuildOptions, 'streams'>>;

/** How long the command may take to end after a signal. */
const graceMs = 1500;

/** Runs one command line. @returns the exit status */
export async function runProgram(argv: readonly string[], options: ProgramOptions): Promise<number> {
  return (await runLine(argv, options)).status;
}

async function runLine(argv: readonly string[], options: ProgramOptions, inherited?: Inherited): Promise<LineOutcome> {
  const streams = inherited?.streams ?? options.streams ?? systemStreams();
  const signals = new SignalHandler();
  const runs: StartedRun[] = [];
  let failure: Failure | undefined;
  const fail = async (error: unknown) => {
    const reported = await reportError(error, argv, runs.at(-1), streams);
    failure ??= reported;
  };
  const program = buildProgram(
    { ...options, streams, lines: linesOf(options), ...(inherited === undefined ? {} : { inherited }) },
    argv,
    signals.hooks((run) => runs.push(run)),
  );
  try {
    await program.parseAsync(withHarFile(argv), { from: 'user' });
  } catch (error) {
    await fail(error);
  } finally {
    signals.release();
    // The HAR file is written last, and that may fail too.
    for (const { session } of runs) await session.close().catch(fail);
  }
  return { status: signals.status === exit.done ? (failure?.exitCode ?? exit.done) : signals.status, failure };
}

/** Runs further command lines of the same program. */
function linesOf(options: ProgramOptions): CommandLines {
  let streams: Streams | undefined;
  return {
    get streams() {
      return (streams ??= options.streams ?? systemStreams(() => {}));
    },
    async check(words) {
      const { checkLine } = await import('./check-line.ts');
      return checkLine(words, options);
    },
    run: (words, inherited) => runLine(words, options, inherited),
  };
}

/** Ends the command that runs when SIGINT or SIGTERM arrives. */
class SignalHandler {
  /** Exit status after a signal; `done` without one, or where a signal is the normal end. */
  status: number = exit.done;
  // Created on first use: help and completions never look at it.
  #controller: AbortController | undefined;
  #endsQuietly = false;

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
        for (const signal of handledSignals) process.on(signal, this.#stop);
      },
      quietly: () => {
        this.#endsQuietly = true;
      },
    };
  }

  release(): void {
    for (const signal of handledSignals) process.off(signal, this.#stop);
  }

  readonly #stop = (signal: NodeJS.Signals) => {
    const status = signal === 'SIGINT' ? exit.interrupted : exit.terminated;
    // A second signal ends the process at once.
    if (this.#abort.signal.aborted) process.exit(status);
    this.status = this.#endsQuietly ? exit.done : status;
    this.#abort.abort(Object.assign(new Error('Interrupted.'), { name: 'AbortError', exitCode: this.status }));
    // A command that ignores the signal is ended; a server may finish its requests.
    if (!this.#endsQuietly) setTimeout(() => process.exit(this.status), graceMs).unref();
  };
}
