import { parse } from 'csv-parse/sync';

/** A row of a CSV file. */
export interface CsvRow {
  /** The line of the file on which it starts. */
  line: number;
  cells: string[];
}

/** Spreadsheets in many countries save semicolons. */
const separators = [',', ';', '\t'];

/**
 * The rows of a CSV file, without empty lines. The separator is the most frequent one in the first line.
 *
 * @throws an error with the reason if the text is not CSV
 */
export function readCsv(text: string): CsvRow[] {
  const [first = ''] = text.replace(/^\uFEFF/, '').split(/\r?\n/, 1);
  const count = (separator: string) => first.split(separator).length;
  const delimiter = separators.reduce((best, each) => (count(each) > count(best) ? each : best));
  const rows: CsvRow[] = [];
  let next = 1;
  parse(text, {
    bom: true,
    delimiter,
    relax_column_count: true,
    on_record(cells: string[], { lines }) {
      if (cells.length > 1 || cells[0] !== '') rows.push({ line: next, cells });
      next = lines + 1;
      return null;
    },
  });
  return rows;
}

/** A cell without the apostrophe that spreadsheets and docsctl put before text that begins like a formula. */
export const cellText = (cell = ''): string => cell.trim().replace(/^'(?=[=+\-@])/, '');
