import { resolve } from 'node:path';
import type { ParsedLine } from '../../cli/command/command-lines.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { confirmQuestion, permanentText } from '../../cli/command/confirm/questions.ts';
import { argument } from '../../cli/command/invocation.ts';
import { fileText } from '../../cli/command/read-input.ts';
import type { ListedCommand } from '../../cli/lines/listed-command.ts';
import { countOf } from '../../cli/lines/outcome.ts';
import { expandRows } from '../../cli/lines/placeholders.ts';
import { rehearseLine } from '../../cli/lines/rehearse-line.ts';
import { RowResults } from '../../cli/lines/row-results.ts';
import { readTable, rowsWhere } from '../../cli/lines/row-table.ts';
import { type LineOptions, runLines } from '../../cli/lines/run-lines.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import { visibleLines } from '../../cli/output/index.ts';
import { wholeNumber } from '../shared/whole-number.ts';

type EachInvocation = Invocation<
  { file?: string | undefined; words?: string[] | undefined },
  {
    where?: string[] | undefined;
    result?: string | undefined;
    resume?: boolean | undefined;
    jobs?: string | undefined;
    rehearse?: boolean | undefined;
  }
>;

const maxJobs = 8;

/** Runs a command once for each row of a CSV file. */
export async function runEach(invocation: EachInvocation): Promise<void> {
  const { args, flags, globals, io } = invocation;
  const file = argument(invocation, 'file');
  const template = args.words?.[0] === 'docsctl' ? args.words.slice(1) : (args.words ?? []);
  refuseFlags(flags, file, template);
  const jobs = wholeNumber('--jobs', flags.jobs) ?? 1;
  if (jobs > maxJobs) throw new UsageError(`--jobs: at most ${maxJobs} commands run at the same time.`);
  if (flags.rehearse) return rehearseLine(invocation, wordsToRehearse(invocation, file));
  const name = file === '-' ? 'standard input' : file;
  const table = readTable(fileText(file, '<file>'), name);
  if (table.header.length === 0)
    throw new UsageError(`${name} is empty.`, 'Its first line must name the columns, such as "email,role".');
  const rows = rowsWhere(table, flags.where ?? []);
  if (rows.length === 0)
    return io.note(
      table.rows.length === 0
        ? `${name} has no rows: nothing was run.`
        : `None of the ${table.rows.length} rows of ${name} is selected: nothing was run.`,
    );
  const { commands, mistakes } = expandRows(template, table.header, rows);
  const results = flags.result === undefined || globals.dryRun ? undefined : new RowResults(flags.result, table);
  const { done, open } = await splitDone(invocation, commands, results);
  const list = { name, file, commands: open, mistakes };
  const options: LineOptions = {
    keepGoing: !flags.failFast,
    jobs,
    namesPlaces: true,
    sameService: true,
    hint: flags.result === undefined ? undefined : 'To run the rest, use the same command with --resume.',
    onChecked: async () => {
      options.yes = await confirmAll(invocation, open);
      await results?.open(done, open);
    },
    onStart: (command) => results?.start(command),
    onResult: (result) => results?.add(result),
  };
  await runLines(invocation, list, options).finally(() => results?.close());
}

/** @throws UsageError */
function refuseFlags(flags: EachInvocation['flags'], file: string, template: readonly string[]): void {
  const { result, resume, rehearse } = flags;
  if (template.length === 0)
    throw new UsageError(
      'There is no command.',
      `Put it after --, with columns in braces: docsctl each ${file} -- members view {email}`,
    );
  if (resume && result === undefined)
    throw new UsageError('--resume needs --result.', 'Name the result file of the run to continue.');
  if (result !== undefined && resolve(result) === resolve(file))
    throw new UsageError(
      '--result: this is the file of the rows.',
      'Name another file. To run the rest of the rows, use --resume.',
    );
  if (!rehearse) return;
  if (file === '-') throw new UsageError('--rehearse needs a file, because it reads the rows several times.');
  if (result !== undefined)
    throw new UsageError('--rehearse and --result cannot be combined.', 'Nothing is done in a rehearsal.');
}

/** The same command line without --rehearse. */
function wordsToRehearse({ flags, args }: EachInvocation, file: string): string[] {
  const where = (flags.where ?? []).map((condition) => `--where=${condition}`);
  return ['each', file, ...where, ...(flags.failFast ? ['--fail-fast'] : []), '--', ...(args.words ?? [])];
}

/** Leaves out what an earlier run has done, with --resume. */
async function splitDone(
  { flags, io }: EachInvocation,
  commands: readonly ListedCommand[],
  results: RowResults | undefined,
): Promise<{ done: ListedCommand[]; open: ListedCommand[] }> {
  if (!flags.resume || !results) return { done: [], open: [...commands] };
  const earlier = results.earlier();
  const { done = [], open = [] } = Object.groupBy(commands, (command) => (earlier.takes(command) ? 'done' : 'open'));
  await io.note(`${countOf(done.length)} done before.`);
  for (const { line, words } of open.filter((command) => earlier.hasStarted(command)))
    await io.note(`Line ${line} was started before, and its result is not known: ${shellCommand(words)}`);
  return { done, open };
}

/** Asks once for all rows. Without a terminal, each command asks for --yes if it needs it. */
async function confirmAll(invocation: EachInvocation, commands: readonly ListedCommand[]): Promise<boolean> {
  const { io, globals, lines } = invocation;
  const [first] = commands;
  if (globals.yes || globals.dryRun || !io.interactive || !first) return false;
  const checked = await lines.check(first.words);
  if (onlyReads(checked)) return false;
  const shown = commands.slice(0, maxShown).map(({ words }) => `  ${shellCommand(['docsctl', ...words])}`);
  const more = commands.length > maxShown ? [`  ... and ${commands.length - maxShown} more`] : [];
  await io.err.write(`${visibleLines([...shown, ...more].join('\n'))}\n`);
  await confirmQuestion(
    invocation,
    `Run ${commands.length === 1 ? 'this command' : `these ${commands.length} commands`}?${await permanentText(...callsOf(checked))}`,
  );
  return true;
}

const maxShown = 5;

/** The requests of a command that may be permanent. */
function callsOf(checked: ParsedLine | { failure: unknown }) {
  if (!('command' in checked)) return [];
  const { command, values } = checked;
  return [command.endpoint?.name, command.permanent?.(values)].flatMap((name) =>
    name ? [{ endpoint: { name } }] : [],
  );
}

const onlyReads = (checked: ParsedLine | { failure: unknown }) =>
  'command' in checked && !checked.command.run && checked.command.endpoint?.method === 'GET';
