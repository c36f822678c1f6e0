import { existsSync } from 'node:fs';
import { withoutFormula } from '../../cli/output/delimited.ts';
import { fileText } from '../../cli/command/read-input.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { writeFileAtomic } from '../../shared/atomic-write.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { wordOf } from './roles.ts';
import type { RoleName } from '../../contract/access.ts';

/** What became of one row of a file. */
export interface RowResult {
  /** Who is meant, as it was given. */
  name: string;
  role?: RoleName | null | undefined;
  outcome: string;
  reason?: string | undefined;
  /** Line of the file; absent for people of the command line. */
  line?: number | undefined;
}

interface Source {
  /** The first column where people come from the command line. */
  nameColumn: string;
  header?: readonly string[] | undefined;
  /** The role of rows without one, as it is asked for. */
  role?: string | undefined;
  /** The cells of the file, by line. */
  records?: ReadonlyMap<number, readonly string[]> | undefined;
}

const added = ['result', 'reason'];
/** The outcomes of people who have what their row asks for. */
const reached = new Set(['invited', 'changed', 'unchanged', 'member already']);

/**
 * A file with what became of each row: the columns of the file that was read, with `result` and `reason`. It can be read
 * again instead of that file.
 *
 * @throws UsageError for a file that is there and has no results
 */
export class ResultFile {
  readonly #file: string;
  readonly #header: string[];
  /** Places of the columns that are taken over. */
  readonly #kept: number[];
  readonly #source: Source;

  constructor(file: string, source: Source) {
    this.#file = file;
    this.#source = source;
    const header = source.header ?? [source.nameColumn];
    this.#kept = [...header.keys()].filter((index) => !added.includes(header[index]?.toLowerCase() ?? ''));
    const names = this.#kept.map((index) => header[index] ?? '');
    this.#header = names.some(isRoleColumn) ? names : [...names, 'role'];
    refuseOther(file);
  }

  async write(results: readonly RowResult[]): Promise<void> {
    const { stringify } = await import('csv-stringify/sync');
    const rows = [[...this.#header, ...added], ...results.map((result) => this.#rowOf(result))];
    const text = stringify(rows.map((row) => row.map(withoutFormula)));
    try {
      await writeFileAtomic(this.#file, text);
    } catch (error) {
      throw new UsageError(
        `--result: ${this.#file} cannot be written: ${fileReason(error, 'folder')}.`,
        'Name a file in a folder that you can write to.',
      );
    }
  }

  #rowOf({ name, role, outcome, reason = '', line }: RowResult): string[] {
    const record = line === undefined ? undefined : this.#source.records?.get(line);
    const cells = record ? this.#kept.map((index) => record[index] ?? '') : [name];
    // A role that is not given stays open as long as it is not what the person has: the file is read again.
    const received = role === undefined || !reached.has(outcome) ? (this.#source.role ?? '') : wordOf(role);
    return [
      ...this.#header.map((column, index) => cells[index] || (isRoleColumn(column) ? received : '')),
      outcome,
      reason,
    ];
  }
}

const isRoleColumn = (name: string) => name.trim().toLowerCase() === 'role';

function refuseOther(file: string): void {
  if (!existsSync(file)) return;
  const [header = ''] = fileText(file, '--result').split(/\r?\n/, 1);
  if (header.trim() === '' || added.every((column) => header.split(/[,;\t]/).includes(column))) return;
  throw new UsageError(
    `--result: ${file} exists, and is no file of results.`,
    'Name another file, or remove this one first.',
  );
}
