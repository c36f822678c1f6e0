import type { Sink } from './options.ts';
import { stderr } from './stdout.ts';
import { canAnimate } from './terminal.ts';
import { visible } from './visible.ts';

export interface Progress {
  /** Says what is being done now. */
  say(text: string): void;
  /** How many are done, and of how many where that is known: then there is a bar. */
  count(done: number, total?: number, failed?: number): void;
  /** A message that stays, on a line of its own. Also printed where no progress is shown. */
  note(line: string): Promise<void>;
  /** The sink, made to print above the progress when both are on one terminal. */
  above(sink: Sink): Sink;
  /** Takes the progress off the screen. */
  stop(): void;
}

/** What of ora is used. */
export interface Spinner {
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
  /** Of the terminal that shows it, in columns. */
  width?: () => number;
}

// What is done sooner needs no progress, and then the spinner is never loaded.
const delayMs = 150;

/** A line on standard error that says what a command waits for; nothing where nobody could see it move. */
export function createProgress(text: string, options: ProgressOptions = {}): Progress {
  const {
    quiet = false,
    animated = canAnimate(),
    messages = stderr(),
    open = openSpinner(options.color ?? false),
    width = () => process.stderr.columns || 80,
  } = options;
  let saying = visible(text);
  let counted: Count | undefined;
  let isStopped = false;
  let spinner: Spinner | undefined;

  const line = () => (counted ? countedLine(saying, counted, width()) : saying);
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
  // Progress alone is no reason to keep the process.
  timer?.unref();

  return {
    say(next) {
      saying = visible(next);
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
        return sink.write(chunk);
      },
    }),
    stop() {
      isStopped = true;
      clearTimeout(timer);
      spinner?.stop();
      spinner = undefined;
    },
  };
}

interface Count {
  done: number;
  total: number | undefined;
  failed: number;
}

const widestBar = 30;
// In fewer cells nobody sees it grow.
const narrowestBar = 8;
// The spinner and the blank behind it, the brackets with a blank, and the last column, where a line might wrap.
const besideBar = 7;

function countedLine(saying: string, { done, total, failed }: Count, width: number): string {
  if (total === undefined) return `${saying} ${done}`;
  const told = `${done} of ${total}${failed > 0 ? `, ${failed} failed` : ''}`;
  const cells = Math.min(widestBar, width - saying.length - told.length - besideBar);
  if (cells < narrowestBar) return `${saying} ${told}`;
  const full = total === 0 ? cells : Math.floor((cells * Math.min(done, total)) / total);
  return `${saying} [${'#'.repeat(full)}${'-'.repeat(cells - full)}] ${told}`;
}

function openSpinner(color: boolean) {
  return async (text: string): Promise<Spinner> => {
    const { default: ora } = await import('ora');
    // Standard input belongs to the prompts, which ora would take it from.
    return ora({ text, stream: process.stderr, discardStdin: false, color: color ? 'cyan' : false });
  };
}
