import type { Progress as EngineProgress } from '../../client/port.ts';
import type { Sink } from './options.ts';
import { stderr } from './stdout.ts';
import { canAnimate } from './terminal.ts';
import { visible } from '../../shared/visible.ts';

export interface Progress extends EngineProgress {
  /** Prints a message on its own line, even if no progress is shown. */
  note(line: string): Promise<void>;
  /** The same sink, but it prints above the progress if both are on one terminal. */
  above(sink: Sink): Sink;
  /** Removes the progress from the screen. */
  stop(): void;
}

/** The part of ora that is used. */
interface Spinner {
  text: string;
  start(): unknown;
  stop(): unknown;
  clear(): unknown;
}

export interface ProgressOptions {
  quiet?: boolean;
  color?: boolean;
  animated?: boolean;
  messages?: Sink;
  open?: (text: string) => Promise<Spinner>;
  /** Width of the terminal, in columns. */
  width?: () => number;
}

// Work that ends sooner needs no progress, and then ora is not loaded.
const delayMs = 150;

/** A line on standard error that says what a command is waiting for; nothing if it cannot be redrawn. */
export function createProgress(text: string, options: ProgressOptions = {}): Progress {
  const {
    quiet = false,
    animated = canAnimate(),
    messages = stderr(),
    open = openSpinner(options.color ?? false),
    width = () => process.stderr.columns || 80,
  } = options;
  let step = visible(text);
  let counted: Count | undefined;
  let isStopped = false;
  let spinner: Spinner | undefined;

  const line = () => (counted ? countedLine(step, counted, width()) : step);
  const show = () => {
    if (spinner) spinner.text = line();
  };
  const begin = async () => {
    const opened = await open(line());
    if (isStopped) return;
    spinner = opened;
    show();
    spinner.start();
  };
  const timer = animated && !quiet ? setTimeout(begin, delayMs) : undefined;
  // The timer must not keep the process running.
  timer?.unref();

  function stop() {
    isStopped = true;
    clearTimeout(timer);
    spinner?.stop();
    spinner = undefined;
  }

  return {
    say(next) {
      step = visible(next);
      show();
    },
    count(done, total, failed = 0) {
      counted = { done, total, failed };
      show();
    },
    async note(message) {
      if (quiet) return;
      spinner?.clear();
      await messages.write(`${visible(message)}\n`);
    },
    above: (sink) => ({
      write(chunk) {
        spinner?.clear();
        const written = sink.write(chunk);
        if (sink.hasScreen?.()) stop();
        return written;
      },
    }),
    stop,
  };
}

interface Count {
  done: number;
  total: number | undefined;
  failed: number;
}

const maxBarWidth = 30;
// In a shorter bar, progress is not visible.
const minBarWidth = 8;
// The spinner and its space, the brackets and their spaces, and the last column, where a line might wrap.
const besideBar = 7;

function countedLine(step: string, { done, total, failed }: Count, width: number): string {
  if (total === undefined) return `${step} ${done}`;
  const counts = `${done} of ${total}${failed > 0 ? `, ${failed} failed` : ''}`;
  const cells = Math.min(maxBarWidth, width - step.length - counts.length - besideBar);
  if (cells < minBarWidth) return `${step} ${counts}`;
  const full = total === 0 ? cells : Math.floor((cells * Math.min(done, total)) / total);
  return `${step} [${'#'.repeat(full)}${'-'.repeat(cells - full)}] ${counts}`;
}

function openSpinner(color: boolean) {
  return async (text: string): Promise<Spinner> => {
    const { default: ora } = await import('ora');
    // By default ora reads standard input, which the prompts need.
    return ora({ text, stream: process.stderr, discardStdin: false, color: color ? 'cyan' : false });
  };
}
