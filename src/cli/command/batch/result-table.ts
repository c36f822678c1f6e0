import { existsSync } from 'node:fs';
import { writeFileAtomic } from '../../../shared/atomic-write.ts';
import { fileReason } from '../../../shared/file-reason.ts';
import { withoutFormula } from '../../output/delimited.ts';
import { UsageError } from '../../program/failure.ts';
import { fileText } from '../read-input.ts';

/** The columns that a result file adds to those of its input. */
export const addedColumns = ['result', 'reason'];

/** A CSV file with one result in each row, which replaces the results of an earlier run. */
export class ResultTable {
  readonly #file: string;

  /** @throws UsageError if the file exists and does not contain results */
  constructor(file: string) {
    this.#file = file;
    refuseOther(file);
  }

  async write(rows: readonly (readonly string[])[]): Promise<void> {
    const { stringify } = await import('csv-stringify/sync');
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
}

function refuseOther(file: string): void {
  if (!existsSync(file)) return;
  const [header = ''] = fileText(file, '--result').split(/\r?\n/, 1);
  if (header.trim() === '' || addedColumns.every((column) => header.split(/[,;\t]/).includes(column))) return;
  throw new UsageError(
    `--result: ${file} already exists and does not contain results.`,
    'Name another file, or remove this one first.',
  );
}
