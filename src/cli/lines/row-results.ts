import { existsSync } from 'node:fs';
import { stringify } from 'csv-stringify/sync';
import { shellCommand } from '../../shared/shell-quote.ts';
import { addedColumns, ResultTable } from '../command/batch/result-table.ts';
import { fileText } from '../command/read-input.ts';
import { withoutFormula } from '../output/delimited.ts';
import { UsageError } from '../program/failure.ts';
import type { ListedCommand } from './listed-command.ts';
import { isInterruption, type Result } from './outcome.ts';
import { readTable, type RowTable } from './row-table.ts';

const own = ['command', ...addedColumns];
const textOf = ({ words }: ListedCommand) => shellCommand(['docsctl', ...words]);
/** As a result file has it. */
const keyOf = (command: ListedCommand) => withoutFormula(textOf(command)).trim();

/** The results of an earlier run, by command. */
class EarlierResults {
  readonly #done = new Map<string, number>();
  readonly #started = new Set<string>();

  constructor(rows: readonly (readonly [command: string, result: string])[]) {
    for (const [command, result] of rows) {
      if (result === 'done') this.#done.set(command, (this.#done.get(command) ?? 0) + 1);
      if (result === 'started' || result === 'interrupted') this.#started.add(command);
      else this.#started.delete(command);
    }
  }

  /** Whether a command was done. Each result is for one row, because several rows may have the same command. */
  takes(command: ListedCommand): boolean {
    const count = this.#done.get(keyOf(command)) ?? 0;
    this.#done.set(keyOf(command), count - 1);
    return count > 0;
  }

  /** Whether a command was started, and it is not known whether it was done. */
  hasStarted = (command: ListedCommand): boolean => this.#started.has(keyOf(command));
}

/**
 * A CSV file with the command and the result of each row. Results are added while the commands run, so that a run that was
 * killed can be continued: a row is done if the file has its command as done.
 */
export class RowResults {
  readonly #file: string;
  readonly #table: ResultTable;
  readonly #header: readonly string[];
  /** Indexes of the columns that are copied from the input. */
  readonly #copied: readonly number[];
  readonly #cells: ReadonlyMap<number, readonly string[]>;
  /** By line of the input, in its order. */
  readonly #results = new Map<number, readonly string[]>();
  #isOpen = false;

  /** @throws UsageError if the file exists and does not contain results */
  constructor(file: string, { header, rows }: RowTable) {
    this.#file = file;
    this.#table = new ResultTable(file);
    this.#copied = [...header.keys()].filter((index) => !own.includes(header[index]?.toLowerCase() ?? ''));
    this.#header = [...this.#copied.map((index) => header[index] ?? ''), ...own];
    this.#cells = new Map(rows.map(({ line, cells }) => [line, cells]));
  }

  /** What an earlier run wrote to the file. @throws UsageError if it is not the result file of such a run */
  earlier(): EarlierResults {
    if (!existsSync(this.#file)) return new EarlierResults([]);
    const { header, rows } = readTable(fileText(this.#file, '--result'), this.#file);
    const [command, result] = [header.indexOf('command'), header.indexOf('result')];
    if (command === -1)
      throw new UsageError(
        `--resume: ${this.#file} has no column "command".`,
        'Name the result file of "docsctl each".',
      );
    return new EarlierResults(rows.map(({ cells }) => [cells[command] ?? '', cells[result] ?? '']));
  }

  /** Replaces the file. @param done commands of an earlier run, which do not run again */
  async open(done: readonly ListedCommand[], open: readonly ListedCommand[]): Promise<void> {
    for (const command of done) this.#set(command.line, textOf(command), 'done');
    await this.#table.write([this.#header, ...this.#results.values()]);
    for (const command of open) this.#set(command.line, textOf(command), 'not tried');
    this.#isOpen = true;
  }

  start(command: ListedCommand): void {
    this.#append(command.line, textOf(command), 'started');
  }

  add(result: Result): void {
    const { line, command } = result;
    if (result.result === 'not-run') return;
    const { status, error } = result;
    const word = status === 0 ? 'done' : isInterruption(status) ? 'interrupted' : 'failed';
    this.#append(line, command, word, status === 0 ? '' : (error?.message ?? `status ${status}`));
  }

  /** Writes the rows in the order of the input. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    const rows = [...this.#results].toSorted(([a], [b]) => a - b).map(([, row]) => row);
    await this.#table.write([this.#header, ...rows]);
  }

  #set(line: number, ...results: string[]): readonly string[] {
    const cells = this.#cells.get(line) ?? [];
    const row = [...this.#copied.map((index) => cells[index] ?? ''), ...results];
    while (row.length < this.#header.length) row.push('');
    this.#results.set(line, row);
    return row;
  }

  #append(line: number, ...results: string[]): void {
    const row = this.#set(line, ...results);
    this.#table.append(stringify([row.map(withoutFormula)]));
  }
}
