import type { Inherited } from '../../cli/command/command-lines.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { argument } from '../../cli/command/invocation.ts';
import { fileText } from '../../cli/command/read-input.ts';
import { createListOutput } from '../../cli/output/index.ts';
import { type BuildServer, buildServer, markdownCell, markdownCode } from '../../cli/program/build-server.ts';
import { CommandError, type ErrorJson, UsageError, errorMembers, exit, failureOf } from '../../cli/program/failure.ts';
import type { Streams } from '../../cli/program/io.ts';
import { writeFileAtomicSync } from '../../shared/atomic-write.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import { type ListedCommand, type Mistake, readCommandList } from './command-list.ts';

export type RunInvocation = Invocation<
  { file?: string | undefined },
  { keepGoing?: boolean | undefined; summary?: string | undefined; ci?: boolean | undefined }
>;

/** The context of a run. */
interface Run {
  /** The name of the list, for messages. */
  name: string;
  commands: readonly ListedCommand[];
  server: BuildServer;
  summary: SummaryFile | undefined;
}

/** Runs the commands of a file. All are checked before the first one runs. */
export async function runList(invocation: RunInvocation): Promise<void> {
  const { flags, io, session, globals, signal } = invocation;
  const file = argument(invocation, 'file');
  const name = file === '-' ? 'standard input' : file;
  const { commands, mistakes } = readCommandList(fileText(file, '<file>'));
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  await server.mask(session.env.DOCSCTL_TOKEN);
  const summary = flags.summary === undefined ? undefined : new SummaryFile(flags.summary);
  const run: Run = { name, commands, server, summary };
  await refuseMistakes(invocation, run, [...mistakes, ...(await mistakesOf(invocation, commands))]);
  const results = await runAll(invocation, run);
  const markdown = resultsSummary(results);
  server.summary(markdown);
  summary?.add(markdown);
  summary?.write();
  const error = errorOf(results, { name, signal, keepGoing: flags.keepGoing ?? false });
  if (error === undefined) return io.note(`${countOf(results.length)} done${globals.dryRun ? ', as a dry run' : ''}.`);
  // GitLab reports are about code, not about commands.
  if (server.name === 'github') await server.annotate(results.filter(hasFailed).map(annotationIn(file)));
  throw error;
}

/** @throws UsageError that names the file and line of each mistake */
async function refuseMistakes({ args }: RunInvocation, { name, commands, server, summary }: Run, all: Mistake[]) {
  const mistakes = all.toSorted((a, b) => a.line - b.line);
  const [first] = mistakes;
  if (!first) {
    if (commands.length > 0) return;
    throw new UsageError(`${name} contains no commands.`, 'Write one command per line, such as "spaces list".');
  }
  const markdown = mistakesSummary(mistakes);
  server.summary(markdown);
  summary?.add(markdown);
  summary?.write();
  if (server.name === 'github') {
    await server.annotate(mistakes.map(({ line, message }) => annotation(args.file, line, message)));
  }
  if (mistakes.length === 1) {
    throw new UsageError(`${name}:${first.line}: ${first.message} Nothing was run.`, first.hint);
  }
  const lines = mistakes.map(({ line, message, hint = '' }) => `${name}:${line}: ${message} ${hint}`.trimEnd());
  throw new UsageError(`${mistakes.length} lines of ${name} cannot be run. Nothing was run.\n  ${lines.join('\n  ')}`);
}

/** Unknown commands and invalid flags. */
async function mistakesOf({ args, lines }: RunInvocation, commands: readonly ListedCommand[]): Promise<Mistake[]> {
  const mistakes: Mistake[] = [];
  for (const { line, words } of commands) {
    const checked = await lines.check(words);
    if ('failure' in checked) {
      const { message, hint } = checked.failure;
      mistakes.push({ line, message, hint });
    } else if (args.file === '-' && words.some(readsInput)) {
      mistakes.push({
        line,
        message: '"-" cannot be used, because the list itself is standard input.',
        hint: inputHint,
      });
    } else if (checked.path === 'run') {
      mistakes.push({ line, message: 'A list cannot run a list.', hint: 'Put all commands in one file.' });
    } else if (checked.path === 'serve') {
      mistakes.push({ line, message: '"serve" never ends on its own.', hint: 'Start it before "docsctl run".' });
    }
  }
  return mistakes;
}

const readsInput = (word: string) => /^(?:-{2}[\w-]+=|[\w.-]+=)?@?-$/.test(word) || word === '--with-token';
const inputHint = 'Put the list in a file: docsctl run <file>.';

/** @returns a result for each command */
async function runAll(invocation: RunInvocation, { commands, summary }: Run): Promise<Result[]> {
  const { flags, lines, signal } = invocation;
  const printer = new ResultPrinter(invocation);
  const results: Result[] = [];
  let hasEnded = false;
  for (const { line, words } of commands) {
    const command = shellCommand(['docsctl', ...words]);
    if (hasEnded || signal.aborted) {
      const result: Result = { line, command, result: 'not-run' };
      results.push(result);
      await printer.print(result);
      continue;
    }
    const started = performance.now();
    const { status, failure } = await lines.run(words, inheritedFrom(invocation, printer, summary));
    const result: Result = {
      line,
      command,
      result: status === exit.done ? 'done' : 'failed',
      status,
      ms: Math.round(performance.now() - started),
      ...printer.takeOutput(),
      ...(failure && { error: errorMembers(failure) }),
    };
    results.push(result);
    await printer.print(result);
    hasEnded = status !== exit.done && (!flags.keepGoing || isInterruption(status));
  }
  return results;
}

const isInterruption = (status: number) => status === exit.interrupted || status === exit.terminated;

/** The global flags, context and streams that each command inherits. */
function inheritedFrom(
  { flags, globals, session }: RunInvocation,
  printer: ResultPrinter,
  summary: SummaryFile | undefined,
): Inherited {
  const { org, space, site, ci } = flags;
  return {
    globals: printer.isJson ? { ...globals, output: 'json' } : globals,
    env: {
      ...session.env,
      ...(org !== undefined && { DOCSCTL_ORG: org }),
      ...(space !== undefined && { DOCSCTL_SPACE: space }),
      ...(site !== undefined && { DOCSCTL_SITE: site }),
      ...(ci === false && { GITHUB_ACTIONS: undefined, GITLAB_CI: undefined }),
    },
    streams: {
      ...printer.streams,
      ...(summary && { summary: (markdown: string) => summary.add(markdown) }),
    },
    exchanges: session.exchanges,
  };
}

/** The error of the whole list; undefined if all commands succeeded. */
function errorOf(
  results: readonly Result[],
  { name, signal, keepGoing }: { name: string; signal: AbortSignal; keepGoing: boolean },
): CommandError | undefined {
  const failed = results.filter(hasFailed);
  const [first] = failed;
  const done = results.filter(({ result }) => result === 'done').length;
  const notRun = results.length - done - failed.length;
  const counts = [
    `${done} of ${countOf(results.length)} done`,
    ...(keepGoing && failed.length > 0 ? [`${failed.length} failed`] : []),
    ...(notRun > 0 ? [`${notRun} not run`] : []),
  ].join(', ');
  const interruption = failed.find(({ status }) => isInterruption(status))?.status;
  if (signal.aborted || interruption !== undefined) {
    const exitCode = signal.aborted ? failureOf(signal.reason).exitCode : interruption;
    return new CommandError(`Interrupted: ${counts}.`, exitCode === undefined ? {} : { exitCode });
  }
  if (!first) return undefined;
  const lines = failed.map(({ line, command, status }) => `${name}:${line}: ${command}: status ${status}`);
  if (!keepGoing || results.length === 1) {
    return new CommandError(`${lines.join('')}. ${counts}.`, { exitCode: first.status });
  }
  return new CommandError(`${counts}.\n  ${lines.join('\n  ')}`, { exitCode: exit.someFailed });
}

type Failed = Result & { result: 'failed' };
const hasFailed = (result: Result): result is Failed => result.result === 'failed';
const countOf = (count: number) => `${count} command${count === 1 ? '' : 's'}`;

/** An annotation at the line of the file. A build server cannot show places in standard input. */
const annotation = (file: string | undefined, line: number, message: string) => ({
  ...(file === '-' || file === undefined ? {} : { file, line }),
  level: 'error' as const,
  message: file === '-' ? `line ${line}: ${message}` : message,
  rule: 'docsctl run',
});

const annotationIn =
  (file: string) =>
  ({ line, command, status, error }: Failed) =>
    annotation(file, line, `${command}: status ${status}${error === undefined ? '' : `: ${error.message}`}`);

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
type Result = (Command & { result: 'not-run' }) | (Ended & { result: 'done' | 'failed' });

/** With -o json, captures the output of commands and prints one line for each. Otherwise, commands print directly. */
class ResultPrinter {
  readonly isJson: boolean;
  /** The streams of the commands. */
  readonly streams: Streams;
  readonly #chunks: Uint8Array[] = [];
  readonly #lines: Streams;

  constructor({ globals, lines, io }: Pick<Invocation, 'globals' | 'lines' | 'io'>) {
    this.isJson = globals.output === 'json' || globals.output === 'jsonl';
    this.#lines = lines.streams;
    const keep = { write: (text: string | Uint8Array) => void this.#chunks.push(Buffer.from(text)) };
    const pipe = { terminal: false, color: false, width: Infinity };
    this.streams = this.isJson
      ? { out: keep, err: io.err, screen: pipe }
      : { out: this.#lines.out, err: io.err, screen: io.screen };
  }

  /** The captured output. */
  takeOutput(): { output?: unknown } {
    const text = Buffer.concat(this.#chunks.splice(0)).toString();
    if (text === '') return {};
    try {
      return { output: JSON.parse(text) };
    } catch {
      return { output: text };
    }
  }

  async print(result: Result): Promise<void> {
    if (!this.isJson) return;
    const options = { format: 'jsonl', color: false, terminal: false, width: Infinity } as const;
    const output = createListOutput(options, [], this.#lines.out);
    await output.page([result]);
    await output.end();
  }
}

/** A comment on GitHub may have 65,536 characters. */
const maxCharacters = 60_000;

/** A file with the summaries of all commands of a run. */
class SummaryFile {
  readonly #path: string;
  readonly #parts: string[] = [];

  /** @throws CommandError if it cannot be written, before any command runs */
  constructor(path: string) {
    this.#path = path;
    this.write();
  }

  add(markdown: string): void {
    this.#parts.push(markdown);
  }

  write(): void {
    try {
      // Replaces the file, because a repository may contain a link with this name to a place outside.
      writeFileAtomicSync(this.#path, shortened(this.#parts));
    } catch (error) {
      throw new CommandError(`--summary: ${this.#path} cannot be written: ${fileReason(error, 'folder')}.`, {
        hint: 'Use another file.',
      });
    }
  }
}

/** The last part summarizes all commands, and comes first so that it is never cut off. */
function shortened(parts: readonly string[]): string {
  const lines = [...parts.slice(-1), ...parts.slice(0, -1)].join('\n\n').split('\n');
  let characters = 0;
  const count = lines.findIndex((line) => (characters += line.length + 1) > maxCharacters);
  if (count === -1) return lines.length === 1 && lines[0] === '' ? '' : `${lines.join('\n')}\n`;
  return `${lines.slice(0, count).join('\n')}\n\n... and ${lines.length - count} more lines.\n`;
}

/** A table of the commands for the page of a pipeline run. */
function resultsSummary(results: readonly Result[]): string {
  const failed = results.filter(({ result }) => result === 'failed').length;
  const title = failed === 0 ? 'Commands' : `${failed} of ${results.length} commands failed`;
  const rows = results.map((result) => `| ${result.line} | ${markdownCode(result.command)} | ${outcomeOf(result)} |`);
  return [`### ${title}`, '', '| line | command | result |', '|---|---|---|', ...rows].join('\n');
}

function outcomeOf(result: Result): string {
  if (result.result === 'not-run') return 'not run';
  if (result.result === 'done') return 'done';
  const { status, error } = result;
  return `status ${status}${error === undefined ? '' : `: ${markdownCell(error.message)}`}`;
}

const mistakesSummary = (mistakes: readonly Mistake[]): string =>
  [
    '### Nothing was run: the list has errors',
    '',
    '| line | mistake |',
    '|---|---|',
    ...mistakes.map(({ line, message }) => `| ${line} | ${markdownCell(message)} |`),
  ].join('\n');
