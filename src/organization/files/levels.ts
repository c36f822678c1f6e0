import { stringify } from 'csv-stringify/sync';
import { type RoleName, roles } from '../../contract/access.ts';
import { nearest } from '../../shared/suggest.ts';
import type { FileProblem } from './problems.ts';
import { csvRecords } from './read-members.ts';

/** A level that was granted to a member on a space. */
export interface LevelRow {
  email: string;
  /** The name of the space. */
  space: string;
  level: RoleName;
}

export const levelsFile = 'levels.csv';
const columns = ['email', 'space', 'level'] as const;

export const levelsCsv = (rows: readonly LevelRow[]): string =>
  stringify([[...columns], ...rows.map(({ email, space, level }) => [email, space, level])], {
    record_delimiter: '\n',
  });

/** The rows of levels.csv. Problems are added, never thrown. */
export function readLevelRows(text: string, problems: FileProblem[]): LevelRow[] {
  const refuse = (line: number, message: string) => void problems.push({ file: levelsFile, line, message });
  const records = csvRecords(levelsFile, text, problems);
  const [header, ...rest] = records;
  const names = header?.record.map((name) => name.trim().toLowerCase()) ?? [];
  for (const name of names) {
    if (columns.some((each) => each === name)) continue;
    const near = nearest(name, columns);
    refuse(
      1,
      `unknown column "${name}"${near === undefined ? `; there are ${columns.join(', ')}` : `; did you mean "${near}"?`}`,
    );
  }
  for (const name of columns) if (!names.includes(name)) refuse(1, `there is no column "${name}"`);
  if (problems.some(({ file }) => file === levelsFile)) return [];
  const seen = new Map<string, number>();
  return rest.flatMap(({ record, line }): LevelRow[] => {
    const cell = (name: (typeof columns)[number]) => record[names.indexOf(name)]?.trim() ?? '';
    const [email, space] = [cell('email').toLowerCase(), cell('space')];
    const level = roles.find((each) => each === cell('level'));
    if (email === '' || space === '') refuse(line, 'a row needs an email and a space');
    else if (level === undefined) refuse(line, `level "${cell('level')}" is not one of ${roles.join(', ')}`);
    else {
      const before = seen.get(`${email} ${space}`);
      if (before !== undefined) refuse(line, `${email} on ${space} is in line ${before} already`);
      seen.set(`${email} ${space}`, before ?? line);
      return [{ email, space, level }];
    }
    return [];
  });
}
