import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { roles } from '../../contract/access.ts';
import { validationIssues } from '../../contract/validation-issues.ts';
import { messageOf } from '../../shared/error-text.ts';
import { nearest } from '../../shared/suggest.ts';
import { files, levelsFile } from '../parts.ts';
import type { FileProblem } from './problems.ts';
import { type LevelRow, MemberRow, notDate, Until } from './schemas.ts';

const membersFile = files.members.file;
const memberColumns = ['email', 'role', 'sso', 'teams'];
const levelColumns = ['email', 'space', 'level'];
/** Columns that only people fill. */
const ownColumns = ['until'];
const requiredColumns = ['email', 'role'];

type Refuse = (message: string, line?: number) => void;

const refuserFor =
  (file: string, problems: FileProblem[]): Refuse =>
  (message, line) =>
    void problems.push({ file, line, message });

/** The rows of members.csv. @param lines receives the line of each address, including rows with problems */
export function readMembers(text: string, lines: Map<string, number>, problems: FileProblem[]): MemberRow[] {
  const refuse = refuserFor(membersFile, problems);
  return csvRows(text, { columns: memberColumns, required: requiredColumns }, refuse).rows.flatMap(
    ({ cells, line }) => {
      const email = cells['email']?.toLowerCase() ?? '';
      refuseDouble(lines, email, line, refuse);
      return memberRow(email, cells, (message) => refuse(message, line)) ?? [];
    },
  );
}

function memberRow(
  email: string,
  { role: roleText = '', sso, teams, until }: Record<string, string>,
  refuse: Refuse,
): MemberRow | undefined {
  const role = roleText === 'guest' ? null : roles.find((each) => each === roleText);
  const isSsoValid = sso === undefined || ['true', 'false', ''].includes(sso);
  if (role === undefined) refuse(`role "${roleText}" is not one of guest, ${roles.join(', ')}`);
  if (!isSsoValid) refuse(`sso "${sso}" is neither true nor false`);
  if (role === undefined || !isSsoValid) return undefined;
  const row = {
    email,
    role,
    ...(sso !== undefined && sso !== '' && { sso: sso === 'true' }),
    ...(teams !== undefined && { teams: teams.split(/[\s;,]+/).filter((name) => name !== '') }),
    ...(until && { until }),
  };
  const result = MemberRow().safeParse(row);
  if (result.success) return result.data;
  for (const { path, message } of validationIssues('body', result.error.issues)) refuse(`${path.slice(1)} ${message}`);
  return undefined;
}

/** The rows of levels.csv. */
export function readLevels(text: string, problems: FileProblem[]): LevelRow[] {
  const refuse = refuserFor(levelsFile, problems);
  const lines = new Map<string, number>();
  return csvRows(text, { columns: levelColumns, required: levelColumns }, refuse).rows.flatMap(({ cells, line }) => {
    const { email: address = '', space = '', level: levelText = '', until } = cells;
    const email = address.toLowerCase();
    const level = roles.find((each) => each === levelText);
    if (email === '' || space === '') refuse('a row needs an email and a space', line);
    else if (level === undefined) refuse(`level "${levelText}" is not one of ${roles.join(', ')}`, line);
    else if (until && !Until().safeParse(until).success) refuse(`until ${notDate}`, line);
    else {
      refuseDouble(lines, `${email} on ${space}`, line, refuse);
      return [{ email, space, level, ...(until && { until }) }];
    }
    return [];
  });
}

function refuseDouble(lines: Map<string, number>, key: string, line: number, refuse: Refuse): void {
  const before = lines.get(key);
  if (before !== undefined) refuse(`${key} is already in line ${before}`, line);
  lines.set(key, before ?? line);
}

/** The columns of a CSV file, and its rows with a cell for each; none if columns are wrong. */
function csvRows(
  text: string,
  { columns, required }: { columns: readonly string[]; required: readonly string[] },
  refuse: Refuse,
): { names: readonly string[]; rows: { cells: Record<string, string>; line: number }[] } {
  const records: { record: string[]; line: number }[] = [];
  try {
    parse(text, {
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      on_record(record: string[], { lines: line }) {
        records.push({ record, line });
        return null;
      },
    });
  } catch (error) {
    refuse(`is not CSV: ${messageOf(error)}`);
    return { names: [], rows: [] };
  }
  const [header, ...rest] = records;
  const names = header?.record.map((name) => name.trim().toLowerCase()) ?? [];
  const all = [...columns, ...ownColumns];
  const unknown = names.filter((name) => !all.includes(name));
  const missing = required.filter((name) => !names.includes(name));
  for (const name of unknown) {
    const near = nearest(name, all);
    const hint = near === undefined ? `the columns are ${all.join(', ')}` : `did you mean "${near}"?`;
    refuse(`unknown column "${name}"; ${hint}`, 1);
  }
  for (const name of missing) refuse(`column "${name}" is missing`, 1);
  if (unknown.length + missing.length > 0) return { names: [], rows: [] };
  const cellsOf = (record: string[]) =>
    Object.fromEntries(names.map((name, index) => [name, record[index]?.trim() ?? '']));
  return { names, rows: rest.map(({ record, line }) => ({ cells: cellsOf(record), line })) };
}

const csvText = (rows: string[][]) => stringify(rows, { record_delimiter: '\n' });

/** The text of members.csv. A role is a word, as `members list --role` accepts it. */
export const membersCsv = (members: readonly MemberRow[]): string =>
  csvText([
    memberColumns,
    ...members.map(({ email, role, sso = false, teams = [] }) => [
      email,
      role ?? 'guest',
      String(sso),
      teams.join(' '),
    ]),
  ]);

/** The files with rows, what identifies a row, and the columns of a new file. */
const tables: Readonly<
  Record<
    string,
    { columns: readonly string[]; required: readonly string[]; key: readonly string[]; ofNew: readonly string[] }
  >
> = {
  // The files of the teams have the memberships.
  [membersFile]: {
    columns: memberColumns,
    required: requiredColumns,
    key: ['email'],
    ofNew: memberColumns.filter((name) => name !== 'teams'),
  },
  [levelsFile]: { columns: levelColumns, required: levelColumns, key: ['email', 'space'], ofNew: levelColumns },
};

/** The rows of an export in the columns and the order of a file. New ones are at the end. */
export function editCsv(file: string, before: string, after: string): string {
  const table = tables[file];
  if (!table) return after;
  const problems: FileProblem[] = [];
  const rowsOf = (text: string) => csvRows(text, table, refuserFor(file, problems));
  const [{ names, rows: old }, { rows: next }] = [rowsOf(before), rowsOf(after)];
  if (problems.length > 0 && before !== '') return after;
  const columns = names.length > 0 ? names : table.ofNew;
  const keyOf = (cells: Record<string, string>) => JSON.stringify(table.key.map((name) => cells[name]?.toLowerCase()));
  const rows = new Map(next.map(({ cells }) => [keyOf(cells), cells]));
  const present = old.flatMap(({ cells }): Record<string, string>[] => {
    const row = rows.get(keyOf(cells));
    rows.delete(keyOf(cells));
    return row ? [{ ...cells, ...row, email: cells['email'] ?? '' }] : [];
  });
  return csvText([
    [...columns],
    ...[...present, ...rows.values()].map((cells) => columns.map((name) => cells[name] ?? '')),
  ]);
}

export const levelsCsv = (rows: readonly LevelRow[]): string =>
  csvText([levelColumns, ...rows.map(({ email, space, level }) => [email, space, level])]);
