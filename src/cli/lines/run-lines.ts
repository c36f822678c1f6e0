import { eachOf } from '../../shared/each-of.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import type { Inherited } from '../command/command-lines.ts';
import type { Invocation } from '../command/command.ts';
import type { Progress, Sink } from '../output/index.ts';
import { type BuildServer, buildServer } from '../program/build-server.ts';
import { errorMembers, exit, failureOf, UsageError } from '../program/failure.ts';
import type { Streams } from '../program/io.ts';
import { annotation, mistakesOf, refuseMistakes } from './check-lines.ts';
import type { ListedCommand, Mistake } from './listed-command.ts';
import { resolved, usedBy } from './captures.ts';
import { type Advice, countOf, errorOf, type Failed, hasFailed, isInterruption, type Result } from './outcome.ts';
import { lineStreams, ResultPrinter } from './streams.ts';
import { resultsSummary, SummaryFile } from './summary-file.ts';

export interface LineList {
  /** For messages. */
  name: string;
  /** `-` for standard input. */
  file: string;
  commands: readonly ListedCommand[];
  mistakes: readonly Mistake[];
}

export interface LineOptions {
  /** Results by name, which commands can use, beside those of commands. */
  values?: ReadonlyMap<string, string> | undefined;
  /** Continues after failed commands. */
  keepGoing?: boolean | undefined;
  /** Ends early if no further command would reach the service, because all use the same one. */
  sameService?: boolean;
  /** The most commands that run at the same time. */
  jobs?: number | undefined;
  /** Whether each line on standard error begins with the place of its command. */
  namesPlaces?: boolean;
  /** A file for a summary as Markdown. */
  summary?: string | undefined;
  /** Whether annotations and summaries are written in CI. */
  ci?: boolean | undefined;
  /** Answers all questions of the commands. */
  yes?: boolean | undefined;
  /** What to do about commands that were not run. */
  hint?: Advice | undefined;
  /** Called before the first command runs, when all are known to be valid. */
  onChecked?: () => Promise<void>;
  onStart?: (command: ListedCommand) => void;
  onResult?: (result: Result) => void;
}

/** The context of a run. */
interface Run {
  list: LineList;
  options: LineOptions;
  server: BuildServer;
  summary: SummaryFile | undefined;
  printer: ResultPrinter;
  progress: Progress;
  err: Sink;
  /** The results so far, by name. */
  values: Map<string, string>;
}

/** Runs command lines. All are checked before the first one runs. */
export async function runLines(invocation: Invocation, list: LineList, options: LineOptions = {}): Promise<void> {
  const { io, session, globals, signal } = invocation;
  const { name, file, commands } = list;
  const server = buildServer(io, { env: session.env, ci: options.ci });
  await server.mask(session.tokenToHide);
  const summary = options.summary === undefined ? undefined : new SummaryFile(options.summary);
  const mistakes = [...list.mistakes, ...(await mistakesOf(invocation, { file, commands }))];
  await refuseMistakes({ name, file, server, summary }, mistakes);
  await options.onChecked?.();
  const progress = io.progress(invocation.path, options.namesPlaces === true && commands.length > 1);
  const printer = new ResultPrinter(invocation);
  const run: Run = {
    list,
    options,
    server,
    summary,
    printer,
    progress,
    err: progress.above(io.err),
    values: new Map(options.values),
  };
  const results = await runAll(invocation, run).finally(() => progress.stop());
  const markdown = resultsSummary(results);
  server.summary(markdown);
  summary?.add(markdown);
  summary?.write();
  const { keepGoing = false, hint } = options;
  const isDryRun = globals.dryRun === true;
  const error = errorOf(results, { name, signal, keepGoing, isDryRun, hint });
  if (error === undefined) return io.note(`${countOf(results.length)} done${isDryRun ? ', as a dry run' : ''}.`);
  // GitLab reports are about code, not about commands.
  if (server.name === 'github') await server.annotate(results.filter(hasFailed).map(annotationIn(file)));
  throw error;
}

/** @returns a result for each command, in their order */
async function runAll(invocation: Invocation, run: Run): Promise<Result[]> {
  const { signal } = invocation;
  const { list, options, printer, progress } = run;
  const results: Result[] = [];
  const ends = new EndOfList(options);
  let hasEnded = false;
  let [ended, failed] = [0, 0];
  const work = async ([index, command]: [number, ListedCommand]) => {
    const result = hasEnded || signal.aborted ? notRun(command) : await runOne(invocation, run, command);
    results[index] = result;
    options.onResult?.(result);
    await printer.print(result);
    if (hasFailed(result)) failed += 1;
    progress.count(++ended, list.commands.length, failed);
    hasEnded ||= ends.after(result);
  };
  await eachOf([...list.commands.entries()], work, options.jobs ?? 1);
  return results;
}

/** After so many commands in a row that the service did not answer, the rest would not reach it either. */
const maxUnanswered = 3;

/** Decides whether the rest of a list runs. */
class EndOfList {
  readonly #options: LineOptions;
  #unanswered = 0;

  constructor(options: LineOptions) {
    this.#options = options;
  }

  /** Whether a result ends the list. */
  after(result: Result): boolean {
    if (!hasFailed(result)) {
      this.#unanswered = 0;
      return false;
    }
    const { status } = result;
    const { keepGoing = false, sameService = false } = this.#options;
    this.#unanswered = status === exit.unreachable ? this.#unanswered + 1 : 0;
    if (!keepGoing || isInterruption(status)) return true;
    return sameService && (status === exit.unauthenticated || this.#unanswered >= maxUnanswered);
  }
}

const commandIn = ({ words }: ListedCommand) => shellCommand(['docsctl', ...resolved(words, new Map())]);
const notRun = (command: ListedCommand): Result => ({
  line: command.line,
  command: commandIn(command),
  result: 'not-run',
});

async function runOne(invocation: Invocation, run: Run, command: ListedCommand): Promise<Result> {
  const { list, options, printer, err, values } = run;
  const { line, captures } = command;
  const unset = usedBy(command).filter((name) => !values.has(name));
  if (unset.length > 0) return withoutResult(invocation, command, unset);
  const words = resolved(command.words, values);
  options.onStart?.(command);
  const isResult = captures !== undefined && !invocation.globals.dryRun;
  const prefix = options.namesPlaces ? `${list.name}:${line}: ` : undefined;
  const { streams, end, text } = lineStreams({ ...invocation, isJson: printer.isJson, isResult, prefix, err });
  const started = performance.now();
  const inherited = inheritedFrom(invocation, run, streams);
  if (isResult) inherited.globals = { ...inherited.globals, output: 'id' };
  const { status, failure } = await invocation.lines.run(words, inherited);
  const output = await end();
  if (isResult && status === exit.done) {
    const value = text().trim();
    if (value === '' || value.includes('\n')) return withoutValue(invocation, command, value);
    values.set(captures, value);
  }
  return {
    line,
    command: shellCommand(['docsctl', ...words]),
    result: status === exit.done ? 'done' : 'failed',
    status,
    ms: Math.round(performance.now() - started),
    ...output,
    ...(failure && { error: errorMembers(failure) }),
  };
}

/** The result of a command that needs another one, which is not known in a dry run, or was not set by a failed command. */
async function withoutResult(
  invocation: Invocation,
  command: ListedCommand,
  unset: readonly string[],
): Promise<Result> {
  const names = unset.map((name) => `$${name}`).join(' and ');
  if (!invocation.globals.dryRun) return failedWith(invocation, command, `${names} is not set: its command failed.`);
  await invocation.io.note(`Line ${command.line} is not checked, because ${names} is not known in a dry run.`);
  return notRun(command);
}

/** The result of a command whose output cannot be used as one. */
const withoutValue = (invocation: Invocation, command: ListedCommand, value: string): Promise<Result> =>
  failedWith(
    invocation,
    command,
    `$${command.captures} is not set: the command printed ${value === '' ? 'nothing' : 'several lines'}.`,
  );

async function failedWith({ io }: Invocation, command: ListedCommand, message: string): Promise<Result> {
  await io.err.write(`error: ${message}\n`);
  const { line } = command;
  return {
    line,
    command: commandIn(command),
    result: 'failed',
    status: exit.usage,
    ms: 0,
    error: errorMembers(failureOf(new UsageError(message))),
  };
}

/** The global flags, context and streams that each command inherits. */
function inheritedFrom(
  { flags, globals, session }: Invocation,
  { options, printer, summary }: Run,
  streams: Streams,
): Inherited {
  const { org, space, site } = flags;
  return {
    globals: {
      ...globals,
      ...(printer.isJson && { output: 'json' as const }),
      ...(options.yes && { yes: true }),
      // Several commands cannot ask at the same time.
      ...((options.jobs ?? 1) > 1 && { input: false }),
    },
    env: {
      ...session.env,
      ...(org !== undefined && { DOCSCTL_ORG: org }),
      ...(space !== undefined && { DOCSCTL_SPACE: space }),
      ...(site !== undefined && { DOCSCTL_SITE: site }),
      ...(options.ci === false && { GITHUB_ACTIONS: undefined, GITLAB_CI: undefined }),
    },
    streams: {
      ...streams,
      ...(summary && { summary: (markdown: string) => summary.add(markdown) }),
    },
    ...session.passed,
  };
}

const annotationIn =
  (file: string) =>
  ({ line, command, status, error }: Failed) =>
    annotation(file, line, `${command}: status ${status}${error === undefined ? '' : `: ${error.message}`}`);
