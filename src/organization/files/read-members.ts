import { parse } from 'csv-parse/sync';
import { type RoleName, roles } from '../../contract/access.ts';
import { validationIssues } from '../../contract/validation-issues.ts';
import { nearest } from '../../shared/suggest.ts';
import { memberColumns } from './member-columns.ts';
import type { FileProblem } from './problems.ts';
import { MemberRow } from './schemas.ts';

const file = 'members.csv';

export interface ReadMembers {
  rows: MemberRow[];
  problems: FileProblem[];
  /** Lines by address, of rows with problems too. */
  lines: Map<string, number>;
}

/** The rows of members.csv: `email` and `role`, and where the file has them `sso` and `teams`. */
export function readMembers(text: string): ReadMembers {
  const problems: FileProblem[] = [];
  const records = csvRecords(file, text, problems);
  const [header, ...rest] = records;
  const columns = header?.record.map((name) => name.trim().toLowerCase()) ?? [];
  for (const [index, name] of columns.entries()) {
    if (memberColumns.some((each) => each === name)) continue;
    const near = nearest(name, memberColumns);
    problems.push({
      file,
      line: 1,
      message: `column ${index + 1} is "${name}", and not one of ${memberColumns.join(', ')}${near === undefined ? '' : `; did you mean "${near}"?`}`,
    });
  }
  for (const name of ['email', 'role'])
    if (!columns.includes(name)) problems.push({ file, line: 1, message: `there is no column "${name}"` });
  const lines = new Map<string, number>();
  if (problems.length > 0) return { rows: [], problems, lines };
  const rows = rest.flatMap(({ record, line }): MemberRow[] => {
    const cells = Object.fromEntries(columns.map((name, index) => [name, record[index]?.trim() ?? '']));
    const email = cells['email']?.toLowerCase() ?? '';
    const before = lines.get(email);
    if (before !== undefined) problems.push({ file, line, message: `${email} is in line ${before} already` });
    lines.set(email, before ?? line);
    return rowOf(email, cells, line, problems);
  });
  return { rows, problems, lines };
}

function rowOf(
  email: string,
  { role = '', sso, teams }: Record<string, string>,
  line: number,
  problems: FileProblem[],
): MemberRow[] {
  const found = role === 'guest' ? null : roles.find((each) => each === role);
  const before = problems.length;
  if (found === undefined)
    problems.push({ file, line, message: `role "${role}" is not one of guest, ${roles.join(', ')}` });
  if (sso !== undefined && !['true', 'false', ''].includes(sso))
    problems.push({ file, line, message: `sso "${sso}" is neither true nor false` });
  if (problems.length > before) return [];
  const row = {
    email,
    role: found ?? (null satisfies RoleName | null),
    ...(sso !== undefined && sso !== '' && { sso: sso === 'true' }),
    ...(teams !== undefined && { teams: teams.split(/[\s;,]+/).filter((name) => name !== '') }),
  };
  const result = MemberRow().safeParse(row);
  if (result.success) return [result.data];
  for (const { path, message } of validationIssues('body', result.error.issues))
    problems.push({ file, line, message: `${path.slice(1)} ${message}` });
  return [];
}

/** The records of a CSV file with their lines. */
export function csvRecords(name: string, text: string, problems: FileProblem[]): { record: string[]; line: number }[] {
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
    problems.push({ file: name, message: `is not CSV: ${error instanceof Error ? error.message : String(error)}` });
  }
  return records;
}
