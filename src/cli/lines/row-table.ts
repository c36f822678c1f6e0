import { cellText, type CsvRow, readCsv } from '../../shared/csv.ts';
import { messageOf } from '../../shared/error-text.ts';
import { columnFields } from '../command/filter/field-type.ts';
import { conditionsOf } from '../command/filter/condition.ts';
import type { Column } from '../output/index.ts';
import { UsageError } from '../program/failure.ts';

export interface RowTable {
  header: readonly string[];
  rows: readonly CsvRow[];
}

/**
 * Reads a CSV file with a header. Separators may be commas, semicolons or tabs.
 *
 * @throws UsageError if it is not CSV, or has two columns of the same name
 */
export function readTable(text: string, name: string): RowTable {
  const [first, ...rows] = rowsOf(text, name);
  const header = (first?.cells ?? []).map((title) => title.trim());
  const twice = header.find((title, index) => header.findIndex((other) => isSame(other, title)) !== index);
  if (twice !== undefined)
    throw new UsageError(
      twice === '' ? `${name} has columns without a name.` : `${name} has two columns "${twice}".`,
      'Its first line must name the columns.',
    );
  return { header, rows: rows.map(({ line, cells }) => ({ line, cells: header.map((_, at) => cellText(cells[at])) })) };
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

function rowsOf(text: string, name: string): CsvRow[] {
  try {
    return readCsv(text).filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  } catch (error) {
    throw new UsageError(`${name} is not CSV: ${messageOf(error)}.`, 'A cell with quotes needs quotes around it.');
  }
}

/** The rows of which all conditions are true, such as `role=guest and not team=Writers`. @throws UsageError */
export function rowsWhere({ header, rows }: RowTable, conditions: readonly string[], now = Date.now()): CsvRow[] {
  const columns = header.map((title, index): Column => {
    const kind = kindOf(rows.map(({ cells }) => cells[index] ?? ''));
    return { key: title, title, ...(kind && { kind }), value: (row) => valueOf((row as CsvRow).cells[index], kind) };
  });
  const fields = columnFields(columns);
  try {
    const tests = conditions.flatMap((source) => conditionsOf(source, fields, now));
    return rows.filter((row) => tests.every(({ matches }) => matches(row)));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(error.message.replace(/^--filter/, '--where'), error.hint);
  }
}

const patterns = {
  number: /^-?\d+(?:\.\d+)?$/,
  date: /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/,
} as const;

/** What all cells of a column look like, except for empty ones. */
function kindOf(cells: readonly string[]): 'number' | 'date' | undefined {
  const texts = cells.filter(Boolean);
  if (texts.length === 0) return undefined;
  return (['number', 'date'] as const).find((kind) => texts.every((text) => patterns[kind].test(text)));
}

function valueOf(cell = '', kind: 'number' | 'date' | undefined): unknown {
  if (cell === '') return null;
  return kind === 'number' ? Number(cell) : cell;
}
