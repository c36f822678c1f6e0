import { appendFileSync, existsSync, statSync } from 'node:fs';
import { join, parse } from 'node:path';
import { writeFileAtomic } from '../../../shared/atomic-write.ts';
import { fileReason } from '../../../shared/file-reason.ts';
import { withoutFormula } from '../../output/delimited.ts';
import { UsageError, refused } from '../../program/failure.ts';
import { fileText } from '../read-input.ts';

/** The columns that a result file adds to those of its input. */
export const addedColumns = ['result', 'reason'];

/** A CSV file with one result in each row, which replaces the results of an earlier run. */
export class ResultTable {
  #file: string;
  /** What this command has written: another command may write to the same file. */
  #written: { inode: number; bytes: number } | undefined;

  /** @throws UsageError if the file exists and does not contain results */
  constructor(file: string) {
    this.#file = file;
    refuseOther(file);
  }

  async write(rows: readonly (readonly string[])[]): Promise<void> {
    const { stringify } = await import('csv-stringify/sync');
    const text = stringify(rows.map((row) => row.map(withoutFormula)));
    const before = this.#file;
    if (this.#isOfAnother()) this.#file = freeName(before);
    try {
      await writeFileAtomic(this.#file, text);
    } catch (error) {
      throw unwritable(this.#file, error);
    }
    this.#written = { inode: statSync(this.#file).ino, bytes: Buffer.byteLength(text) };
    if (this.#file === before) return;
    throw refused(
      `--result: another command has written to ${before} at the same time.`,
      `The results of this command are in ${this.#file}.`,
    );
  }

  /** Adds rows in CSV to what was written. @throws UsageError */
  append(text: string): void {
    try {
      appendFileSync(this.#file, text);
    } catch (error) {
      throw unwritable(this.#file, error);
    }
    if (this.#written) this.#written.bytes += Buffer.byteLength(text);
  }

  #isOfAnother(): boolean {
    const now = this.#written && statSync(this.#file, { throwIfNoEntry: false });
    return now?.isFile() === true && (now.ino !== this.#written?.inode || now.size !== this.#written.bytes);
  }
}

/** `done-2.csv` for `done.csv`. */
function freeName(file: string): string {
  const { dir, name, ext } = parse(file);
  for (let number = 2; ; number++) {
    const other = join(dir, `${name}-${number}${ext}`);
    if (!existsSync(other)) return other;
  }
}

const unwritable = (file: string, error: unknown) =>
  new UsageError(
    `--result: ${file} cannot be written: ${fileReason(error, 'folder')}.`,
    'Name a file in a folder that you can write to.',
  );

function refuseOther(file: string): void {
  if (!existsSync(file)) return;
  const [header = ''] = fileText(file, '--result').split(/\r?\n/, 1);
  if (header.trim() === '' || addedColumns.every((column) => header.split(/[,;\t]/).includes(column))) return;
  throw new UsageError(
    `--result: ${file} already exists and does not contain results.`,
    'Name another file, or remove this one first.',
  );
}
