import { addedColumns, ResultTable } from '../../cli/command/batch/result-table.ts';
import { someFailed } from '../../cli/program/failure.ts';
import { outcomeStyle } from './columns.ts';
import { wordOf } from '../../people/roles.ts';
import type { RoleName } from '../../contract/access.ts';

export type Outcome = keyof typeof outcomeStyle;

/** The result of one row of a file. */
export interface RowResult {
  /** The person, as named in the row. */
  name: string;
  role?: RoleName | null | undefined;
  outcome: Outcome;
  reason?: string | undefined;
  /** Line of the file; undefined for people named on the command line. */
  line?: number | undefined;
}

interface Source {
  /** The first column if people are named on the command line. */
  nameColumn: string;
  header?: readonly string[] | undefined;
  /** The role of rows without one, as given with --role. */
  role?: string | undefined;
  /** The cells of the file, by line. */
  records?: ReadonlyMap<number, readonly string[]> | undefined;
}

/** The outcomes of people who have what their row asks for. */
const reached = new Set<Outcome>(['invited', 'changed', 'unchanged', 'member already']);

/**
 * A CSV file with the result of each row: the columns of the input file, plus `result` and `reason`. It can be used as the
 * input of another run.
 */
export class ResultFile {
  readonly #table: ResultTable;
  readonly #header: string[];
  /** Indexes of the copied columns. */
  readonly #copied: number[];
  readonly #source: Source;

  /** @throws UsageError if the file exists and does not contain results */
  constructor(file: string, source: Source) {
    this.#table = new ResultTable(file);
    this.#source = source;
    const header = source.header ?? [source.nameColumn];
    this.#copied = [...header.keys()].filter((index) => !addedColumns.includes(header[index]?.toLowerCase() ?? ''));
    const names = this.#copied.map((index) => header[index] ?? '');
    this.#header = names.some(isRoleColumn) ? names : [...names, 'role'];
  }

  async write(results: readonly RowResult[]): Promise<void> {
    await this.#table.write([[...this.#header, ...addedColumns], ...results.map((result) => this.#rowOf(result))]);
  }

  #rowOf({ name, role, outcome, reason = '', line }: RowResult): string[] {
    const record = line === undefined ? undefined : this.#source.records?.get(line);
    const cells = record ? this.#copied.map((index) => record[index] ?? '') : [name];
    // The next run reads this file, so a role that the person did not get must not replace the requested one.
    const received = role === undefined || !reached.has(outcome) ? (this.#source.role ?? '') : wordOf(role);
    return [
      ...this.#header.map((column, index) => cells[index] || (isRoleColumn(column) ? received : '')),
      outcome,
      reason,
    ];
  }
}

const isRoleColumn = (name: string) => name.trim().toLowerCase() === 'role';

/** The number of results of each outcome: `3 changed, 1 refused.` */
export function outcomeCounts(results: readonly { outcome: Outcome }[]): string {
  const byOutcome = Map.groupBy(results, ({ outcome }): string => outcome);
  const counts = Object.keys(outcomeStyle).flatMap((outcome) => {
    const list = byOutcome.get(outcome);
    return list ? [`${list.length} ${outcome}`] : [];
  });
  return `${counts.join(', ') || 'The file has no rows'}.`;
}

const bad = new Set<Outcome>(['refused', 'failed', 'unknown']);

/** @throws CommandError if a row was refused or failed, or it is not known whether it was done */
export function assertNoneFailed(results: readonly { outcome: Outcome }[], all = results.length): void {
  const failed = results.filter(({ outcome }) => bad.has(outcome)).length;
  if (failed > 0) throw someFailed(`${failed} of ${all} failed.`);
}
