import type { Exchange } from '../../client/exchange.ts';
import { messageOf } from '../../shared/error-text.ts';
import type { Globals } from './globals.ts';
import { PagedOutput, pagerOf } from './pager.ts';
import {
  canAnimate,
  createProgress,
  errorColor,
  isTerminal,
  type Progress,
  type Sink,
  stderr,
  stdout,
  type Terminal,
  terminal,
  visibleLines,
} from '../output/index.ts';

/** The streams that a run prints to, and the abilities of the terminal. */
export interface Streams {
  out: Sink;
  err: Sink;
  screen: Terminal;
  /** Whether standard error shows colours; as `screen` by default. */
  errorColor?: () => boolean;
  /** Height of the terminal, in lines; absent if nothing may be paged. */
  rows?: () => number | undefined;
  /** Whether several commands share the screen, so that none may draw a progress indicator on it. */
  isStill?: boolean;
  /** Takes the counts of progress indicators. */
  count?: (done: number, total: number | undefined) => void;
  /** Takes the Markdown that commands write for people beside their results. */
  summary?: (markdown: string) => void;
}

/** @param onGone called when the reader of standard output is gone; default: the process ends with 0 */
export const systemStreams = (onGone?: () => void): Streams => ({
  out: stdout(undefined, onGone),
  err: stderr(),
  screen: terminal(),
  errorColor: () => errorColor(),
  rows: () => process.stdout.rows,
});

type Variables = Record<string, string | undefined>;

/** The streams of one run, and what they can be used for. */
export class Io {
  readonly out: Sink;
  readonly err: Sink;
  readonly screen: Terminal;
  readonly summary: Streams['summary'];
  readonly quiet: boolean;
  /** Whether questions may be asked. */
  readonly interactive: boolean;
  readonly #errorColor: () => boolean;
  readonly #isStill: boolean;
  readonly #count: Streams['count'];
  readonly #paged: PagedOutput | undefined;

  /** @param pages whether long output may go through a pager */
  constructor(globals: Globals, env: Variables = process.env, streams = systemStreams(), { pages = false } = {}) {
    const { screen, summary, count, isStill = false } = streams;
    this.#paged = pages ? pagedOutput(globals, env, streams) : undefined;
    const { out, err } = this.#paged ?? streams;
    this.out = out;
    this.err = err;
    this.summary = summary;
    this.#isStill = isStill;
    this.#count = count;
    this.screen = globals.color === false ? { ...screen, color: false, links: false } : screen;
    this.#errorColor = () => globals.color !== false && (streams.errorColor?.() ?? screen.color);
    this.quiet = globals.quiet ?? false;
    this.interactive = globals.input !== false && !isSet(env.CI) && hasScreen(env) && isTerminal(0) && isTerminal(2);
  }

  get canAnimate(): boolean {
    return !this.quiet && !this.isPaging && !this.#isStill && canAnimate();
  }

  /** Whether a pager has the screen and the keyboard. */
  get isPaging(): boolean {
    return this.#paged?.isPaging ?? false;
  }

  /** Shows on standard error what the command is waiting for, unless the user would not want to see it. */
  progress(text: string, isShown = true): Progress {
    const animated = isShown && this.canAnimate;
    const progress = createProgress(text, { animated, quiet: this.quiet, messages: this.err });
    const onCount = this.#count;
    if (!onCount) return progress;
    return {
      ...progress,
      count(done, total, failed) {
        onCount(done, total);
        progress.count(done, total, failed);
      },
    };
  }

  /** Prints what is left, and waits until the pager has ended. */
  async end(): Promise<void> {
    await this.#paged?.end();
  }

  /** A remark beside the result; nothing with --quiet. */
  async note(text: string): Promise<void> {
    if (!this.quiet) await this.err.write(`${visibleLines(text)}\n`);
  }

  /** Whether lines for `painted` may have colours. */
  get hasErrorColor(): boolean {
    return this.#errorColor();
  }

  /** Like `note`, but for lines with colours: whatever else could act on a terminal was made visible before. */
  async painted(lines: readonly string[]): Promise<void> {
    if (!this.quiet && lines.length > 0) await this.err.write(`${lines.join('\n')}\n`);
  }

  /** One request and its answer, for --debug. */
  async exchange({ request, response, error, ms }: Exchange): Promise<void> {
    const lines = [`> ${request.method} ${request.url}`];
    for (const [name, value] of Object.entries(request.headers)) lines.push(`>   ${name}: ${value}`);
    if (request.body !== undefined) lines.push(`>   ${textOf(request.body)}`);
    if (response) {
      lines.push(
        `< ${response.status} in ${Math.round(ms)} ms, request id ${response.headers['x-request-id'] ?? 'unknown'}`,
      );
      for (const [name, value] of Object.entries(response.headers)) lines.push(`<   ${name}: ${value}`);
      if (response.body.length > 0) lines.push(`<   ${textOf(response.body)}`);
    } else lines.push(`< no response after ${Math.round(ms)} ms: ${messageOf(error)}`);
    await this.err.write(`${visibleLines(lines.join('\n'))}\n`);
  }
}

function pagedOutput(globals: Globals, env: Variables, streams: Streams): PagedOutput | undefined {
  const { pager: isAllowed, input, debug } = globals;
  const pager = pagerOf(env);
  const rows = streams.screen.terminal ? streams.rows?.() : undefined;
  // A pager waits for keys as a question does. With --debug, requests are shown while the output appears.
  if (isAllowed === false || input === false || debug || isSet(env.CI) || !hasScreen(env) || env.TERM === 'dumb')
    return;
  return pager && rows ? new PagedOutput({ ...pager, env, rows, columns: streams.screen.width }, streams) : undefined;
}

const isSet = (value: string | undefined) => value !== undefined && !['', '0', 'false'].includes(value);
// Windows has no TERM.
const hasScreen = (env: Variables) => process.platform === 'win32' || Boolean(env.TERM);
/** Longer bodies are cut in the output of --debug. */
const maxCharacters = 4000;

function textOf(body: string | Uint8Array): string {
  const text = typeof body === 'string' ? body : Buffer.from(body).toString();
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}… (${text.length} characters)` : text;
}
