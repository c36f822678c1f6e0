import type { RoleName } from '../../contract/access.ts';
import { emailAddress } from '../../contract/schema.ts';
import { nearest } from '../../shared/suggest.ts';
import { readCsv } from '../shared/csv-file.ts';
import { roleOf, roleWords } from '../shared/roles.ts';

/** A row of a company's directory. */
export interface DirectoryRow {
  line: number;
  /** In lower case. */
  email: string;
  role?: RoleName | null;
  sso?: boolean;
  /** Teams as they are written; undefined where the file has no such column. */
  teams?: string[];
}

/** A row with which nothing is done. */
export interface RefusedRow {
  line: number;
  /** As it is written. */
  email: string;
  reason: string;
}

export interface Directory {
  rows: DirectoryRow[];
  refused: RefusedRow[];
  header: string[];
  records: ReadonlyMap<number, string[]>;
}

const headings: Record<string, 'email' | 'role' | 'teams' | 'sso'> = {
  email: 'email',
  'e-mail': 'email',
  'email address': 'email',
  'e-mail address': 'email',
  mail: 'email',
  user: 'email',
  member: 'email',
  role: 'role',
  team: 'teams',
  teams: 'teams',
  group: 'teams',
  groups: 'teams',
  sso: 'sso',
};
const yes = new Set(['true', 'yes', 'y', '1', 'x']);
const no = new Set(['false', 'no', 'n', '0']);

/** Reads people from a CSV file; without a header, its columns are email, role, teams and sso. @throws UsageError */
export function readDirectory(text: string, file: string): Directory {
  const address = emailAddress();
  const isAddress = (cell: string) => address.safeParse(cell).success;
  const { header, rows: records } = readCsv(text, file, {
    headings,
    order: ['email', 'role', 'teams', 'sso'],
    isFirst: isAddress,
    required: ['email'],
  });
  const rows: DirectoryRow[] = [];
  const refused: RefusedRow[] = [];
  const lines = new Map<string, number>();
  for (const { line, cells } of records) {
    const row = rowOf(line, cells, isAddress);
    const before = 'reason' in row ? undefined : lines.get(row.email);
    if ('reason' in row) refused.push(row);
    else if (before !== undefined)
      refused.push({ line, email: cells.email ?? '', reason: `is already in line ${before}` });
    else {
      lines.set(row.email, line);
      rows.push(row);
    }
  }
  return { rows, refused, header, records: new Map(records.map(({ line, record }) => [line, record])) };
}

function rowOf(
  line: number,
  { email = '', role = '', teams, sso = '' }: Partial<Record<'email' | 'role' | 'teams' | 'sso', string>>,
  isAddress: (text: string) => boolean,
): DirectoryRow | RefusedRow {
  const refuse = (reason: string): RefusedRow => ({ line, email, reason });
  if (email === '') return refuse('the address is missing');
  if (!isAddress(email)) return refuse('is not an email address');
  const word = role.toLowerCase();
  if (word !== '' && !roleWords.includes(word)) {
    const near = nearest(word, roleWords);
    return refuse(
      `role "${role}" is not one of ${roleWords.join(', ')}${near === undefined ? '' : `; did you mean "${near}"?`}`,
    );
  }
  const answer = sso.toLowerCase();
  if (answer !== '' && !yes.has(answer) && !no.has(answer)) return refuse(`sso must be true or false, not "${sso}"`);
  return {
    line,
    email: email.toLowerCase(),
    ...(word !== '' && { role: roleOf(word) }),
    ...(answer !== '' && { sso: yes.has(answer) }),
    ...(teams !== undefined && { teams: teamsIn(teams) }),
  };
}

// Titles of teams have blanks, and sometimes commas: a cell with semicolons has no other separator.
const teamsIn = (cell: string): string[] => [
  ...new Set(
    cell
      .split(/[;|\n]/.test(cell) ? /[;|\n]/ : ',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
];
