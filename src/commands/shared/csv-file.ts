import { parse } from 'csv-parse/sync';
import { UsageError } from '../../cli/program/failure.ts';
import { conflictLine, conflictMessage } from '../../shared/conflict-marks.ts';

/** A row of a CSV file. */
export interface CsvRow<Name extends string> {
  line: number;
  /** All of its cells, as they are in the file. */
  record: string[];
  /** The cells of the known columns; empty where a row has none. */
  cells: Partial<Record<Name, string>>;
}

export interface CsvFile<Name extends string> {
  /** The names of all columns, in the order of the cells. */
  header: string[];
  rows: CsvRow<Name>[];
}

interface CsvShape<Name extends string> {
  /** The known columns by their headings, in lower case. */
  headings: Record<string, Name>;
  /** The columns of a file without a header, in their order; the first must be what `isFirst` accepts. */
  order: readonly Name[];
  isFirst: (cell: string) => boolean;
  /** A file has one of these columns. */
  required: readonly Name[];
}

/**
 * The rows of a CSV file. Separators may be commas, semicolons or tabs. Without a header, the columns are those of
 * `order`.
 *
 * @throws UsageError where it is no such file
 */
export function readCsv<Name extends string>(text: string, file: string, shape: CsvShape<Name>): CsvFile<Name> {
  const [firstLine = ''] = text.replace(/^\uFEFF/, '').split(/\r?\n/, 1);
  const records = recordsOf(text, separatorOf(firstLine), file);
  const first = (records[0]?.record ?? []).map((name) => name.trim());
  const named = first.map((name) => shape.headings[name.toLowerCase()]);
  const hasHeader = named.some((name) => name !== undefined && shape.required.includes(name));
  if (!hasHeader && !shape.isFirst(first[0] ?? '')) {
    const others = shape.order.filter((name) => !shape.required.includes(name));
    throw new UsageError(
      `${file} has no column ${shape.required.map((name) => `"${name}"`).join(' or ')}.`,
      `Its first line must name the columns: ${shape.required.join(' or ')}, and optionally ${others.join(' and ')}. It is: ${firstLine.slice(0, 100) || '(empty)'}`,
    );
  }
  const header = hasHeader ? first : [...shape.order].slice(0, first.length);
  const columns = hasHeader ? named : shape.order;
  const rows = (hasHeader ? records.slice(1) : records).map(({ record, line }): CsvRow<Name> => {
    const cells: Partial<Record<Name, string>> = {};
    for (const [index, name] of columns.entries()) if (name) cells[name] ??= cellText(record[index]);
    return { line, record, cells };
  });
  return { header, rows };
}

/** A text that a spreadsheet would compute has an apostrophe before it in files that docsctl writes. */
const cellText = (cell = '') => cell.trim().replace(/^'(?=[=+\-@])/, '');

interface CsvRecord {
  record: string[];
  line: number;
}

function recordsOf(text: string, delimiter: string, file: string): CsvRecord[] {
  const line = conflictLine(text);
  if (line !== undefined) throw new UsageError(`${file}:${line}: ${conflictMessage}`);
  const rows: CsvRecord[] = [];
  try {
    parse(text, {
      bom: true,
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      // A record that spans lines has the number of the line it ends on.
      on_record(record: string[], { lines: line }) {
        rows.push({ record, line });
        return null;
      },
    });
    return rows;
  } catch (error) {
    throw new UsageError(
      `${file} is not valid CSV: ${error instanceof Error ? error.message : String(error)}.`,
      'A quote may be missing. Fix it, or save it again as CSV.',
    );
  }
}

function separatorOf(header: string): string {
  const count = (separator: string) => header.split(separator).length;
  return [',', ';', '\t'].reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}
