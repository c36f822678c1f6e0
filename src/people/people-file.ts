import type { Port } from '../client/port.ts';
import type { RoleName } from '../contract/access.ts';
import { emailAddress } from '../contract/schema.ts';
import { conflictLine, conflictMessage } from '../shared/conflict-marks.ts';
import { cellText, type CsvRow, readCsv } from '../shared/csv.ts';
import { EngineError } from '../shared/engine-error.ts';
import { messageOf } from '../shared/error-text.ts';
import { nearest } from '../shared/suggest.ts';
import { personIn } from '../shared/person-form.ts';
import { roleOf, roleWords } from './roles.ts';

/** A row of a CSV file of people. */
export interface PersonRow {
  line: number;
  /** The email address or, in a file of members, the ID. */
  name: string;
  /** Null for a guest. */
  role?: RoleName | null;
  sso?: boolean;
  /** Titles of teams; undefined if the file has no such column. */
  teams?: string[];
  /** Who takes over. */
  to?: string;
}

/** A row that cannot be used. */
export interface RejectedRow {
  line?: number | undefined;
  name: string;
  reason: string;
}

export interface PeopleFile {
  rows: PersonRow[];
  rejected: RejectedRow[];
  /** The names of all columns. */
  header: string[];
  /** Remarks about columns that are not used. */
  ignored: string[];
  /** The cells of each row, by line. */
  records: ReadonlyMap<number, string[]>;
}

type Column = 'name' | 'role' | 'sso' | 'teams' | 'to';

interface Shape {
  /** The title of the first column. A `user` column may also contain IDs. */
  name: 'email' | 'user';
  /** Other titles of that column. */
  otherNames?: readonly string[];
  /** The columns after the first, in the order of a file without a header. */
  columns: readonly Exclude<Column, 'name'>[];
}

const emailTitles = new Set(['email', 'e-mail', 'email address', 'e-mail address']);
const teamTitles = new Set(['team', 'teams', 'group', 'groups']);
const yes = new Set(['true', 'yes', 'y', '1', 'x']);
const no = new Set(['false', 'no', 'n', '0', '']);

let address: ReturnType<typeof emailAddress> | undefined;
export const isAddress = (text: string): boolean => (address ??= emailAddress()).safeParse(text).success;

/**
 * Reads people from a CSV file. Separators may be commas, semicolons or tabs. The header is optional.
 *
 * @throws EngineError if the text is not CSV, or has neither a header nor people in its first column
 */
export function readPeopleFile(text: string, file: string, shape: Shape): PeopleFile {
  const [firstLine = ''] = text.replace(/^\uFEFF/, '').split(/\r?\n/, 1);
  const records = recordsOf(text, file);
  const first = (records[0]?.cells ?? []).map((title) => title.trim());
  const columns = first.map((title) => columnOf(title.toLowerCase(), shape));
  const hasHeader = columns.includes('name');
  const titles = [shape.name, ...shape.columns];
  if (!hasHeader && !(shape.name === 'email' ? isAddress(personIn(first[0] ?? '')) : first[0]?.includes('@'))) {
    throw new EngineError('usage', `${file} has no column "${shape.name}".`, {
      hint: `Its first line must name the columns: ${shape.name}, and optionally ${shape.columns.join(' and ')}. It is: ${firstLine.slice(0, 100) || '(empty)'}`,
    });
  }
  const people: PeopleFile = {
    rows: [],
    rejected: [],
    header: hasHeader ? first : titles.slice(0, first.length),
    ignored: hasHeader ? ignoredColumns(first, columns, titles) : [],
    records: new Map(records.map(({ line, cells }) => [line, cells])),
  };
  for (const { line, cells: texts } of hasHeader ? records.slice(1) : records) {
    const cells: Partial<Record<Column, string>> = {};
    for (const [index, column] of (hasHeader ? columns : (['name', ...shape.columns] as const)).entries())
      if (column) cells[column] ??= cellText(texts[index]);
    if (cells.name !== undefined) cells.name = personIn(cells.name);
    const row = rowOf(line, cells, shape);
    if ('reason' in row) people.rejected.push(row);
    else people.rows.push(row);
  }
  return people;
}

/** Columns that result files have beside those of their input. */
const ofResults = new Set(['result', 'reason', 'line']);

/** The columns of a header that mean nothing, with the name that may have been meant. */
function ignoredColumns(
  header: readonly string[],
  columns: readonly (Column | undefined)[],
  titles: readonly string[],
) {
  const left = titles.filter((title) => !header.some((name) => name.toLowerCase() === title));
  return header.flatMap((name, index) => {
    if (columns[index] !== undefined || name === '' || ofResults.has(name.toLowerCase())) return [];
    const near = nearest(name.toLowerCase(), left);
    return [`column "${name}" is ignored${near === undefined ? '' : `; did you mean "${near}"?`}`];
  });
}

function columnOf(title: string, { name, otherNames = [], columns }: Shape): Column | undefined {
  if (title === name || emailTitles.has(title) || otherNames.includes(title)) return 'name';
  return columns.find(
    (column) =>
      title === column || (column === 'teams' && teamTitles.has(title)) || (column === 'to' && title === 'heir'),
  );
}

function recordsOf(text: string, file: string): CsvRow[] {
  const line = conflictLine(text);
  if (line !== undefined) throw new EngineError('usage', `${file}:${line}: ${conflictMessage}`);
  try {
    return readCsv(text);
  } catch (error) {
    throw new EngineError('usage', `${file} is not valid CSV: ${messageOf(error)}.`, {
      hint: 'A quote may be missing. Fix it, or save the file as CSV again.',
    });
  }
}

function rowOf(
  line: number,
  { name = '', role = '', sso = '', teams, to = '' }: Partial<Record<Column, string>>,
  shape: Shape,
): PersonRow | RejectedRow {
  const reject = (reason: string): RejectedRow => ({ line, name, reason });
  if (name === '') return reject(`the ${shape.name === 'email' ? 'address' : 'member'} is missing`);
  if (shape.name === 'email' && !isAddress(name)) return reject('not an email address');
  const word = role.toLowerCase();
  if (word !== '' && !roleWords.includes(word)) {
    const near = nearest(word, roleWords);
    const question = near === undefined ? '' : `; did you mean "${near}"?`;
    return reject(`"${role}" is not one of ${roleWords.join(', ')}${question}`);
  }
  const answer = sso.toLowerCase();
  if (!yes.has(answer) && !no.has(answer)) return reject(`sso must be true or false, not "${sso}"`);
  return {
    line,
    name,
    ...(word !== '' && { role: roleOf(word) }),
    ...(answer !== '' && { sso: yes.has(answer) }),
    ...(teams !== undefined && { teams: teamsIn(teams) }),
    ...(to !== '' && { to: personIn(to) }),
  };
}

/** Titles of teams may contain spaces and commas, so a cell with semicolons is split at these only. */
const teamsIn = (cell: string): string[] => [
  ...new Set(
    cell
      .split(/[;|\n]/.test(cell) ? /[;|\n]/ : ',')
      .map((title) => title.trim())
      .filter(Boolean),
  ),
];

/** Reports the columns of a file that are not used. */
export async function noteIgnored(
  { io }: { io: Pick<Port, 'note'> },
  file: string,
  people: Partial<Pick<PeopleFile, 'ignored'>>,
) {
  for (const remark of people.ignored ?? []) await io.note(`${file}: ${remark}.`.replace('?.', '?'));
}

/** A rejected row as a line of text. */
export const rejectionText = ({ line, name, reason }: RejectedRow): string =>
  `${line === undefined ? '' : `line ${line}: `}${name === '' ? '' : `${name}: `}${reason}`;

/** The rows of people, each once, and the rows that name somebody a second time. */
export interface DistinctRows<Row> {
  rows: Row[];
  repeated: Row[];
  /** Rows with another role than the first. */
  rejected: (Row & { reason: string })[];
}

/** Keeps the first row of each person. @param keyOf the same for rows of the same person */
export function distinctRows<Row extends Partial<PersonRow>>(
  all: readonly Row[],
  keyOf: (row: Row) => string,
): DistinctRows<Row> {
  const first = new Map<string, Row>();
  const result: DistinctRows<Row> = { rows: [], repeated: [], rejected: [] };
  for (const row of all) {
    const before = first.get(keyOf(row));
    if (!before) {
      first.set(keyOf(row), row);
      result.rows.push(row);
    } else if (row.role === undefined || row.role === before.role) result.repeated.push(row);
    else {
      const place = before.line === undefined ? 'before' : `in line ${before.line}`;
      result.rejected.push({ ...row, reason: `is named ${place} with another role` });
    }
  }
  return result;
}
