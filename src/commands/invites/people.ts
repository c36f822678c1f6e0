import { parse } from 'csv-parse/sync';
import type { RoleName } from '../../contract/access.ts';
import { emailAddress } from '../../contract/schema.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { roleOf, roleWords } from '../shared/roles.ts';

/** Somebody to invite. */
export interface Person {
  email: string;
  /** Undefined: the role that is given for everybody; null: a guest. */
  role?: RoleName | null | undefined;
  sso?: boolean | undefined;
  /** Line of the file. */
  line?: number;
}

/** Somebody who cannot be invited, and why. */
export interface RejectedPerson {
  email: string;
  reason: string;
  line?: number;
}

export interface People {
  people: Person[];
  rejected: RejectedPerson[];
}

let address: ReturnType<typeof emailAddress> | undefined;
export const isAddress = (text: string): boolean => (address ??= emailAddress()).safeParse(text).success;

/** Addresses of a line as people type and paste them: with commas, semicolons or blanks between, with names before `<...>`. */
export function addressesIn(text: string): string[] {
  const parts = text.match(/[^,;<>@\n]+|<[^<>]*>|[,;<>@\n]/g) ?? [];
  return parts
    .map((part, index) => {
      if (isBracketed(part)) return ` ${part.slice(1, -1)} `;
      return isBracketed(parts[index + 1]) && !/^[,;<>@\n]/.test(part) ? '' : part;
    })
    .join('')
    .split(/[\s,;]+/)
    .map((word) => word.replace(/^mailto:/i, ''))
    .filter(Boolean);
}

const isBracketed = (part: string | undefined) => part !== undefined && part.startsWith('<') && part.endsWith('>');

/** The same address, however it is spelled. */
export const keyOf = (email: string): string => email.toLowerCase();

const headings: Record<string, 'email' | 'role' | 'sso'> = {
  email: 'email',
  'e-mail': 'email',
  'email address': 'email',
  'e-mail address': 'email',
  role: 'role',
  sso: 'sso',
};
const yes = new Set(['true', 'yes', 'y', '1', 'x']);
const no = new Set(['false', 'no', 'n', '0', '']);

/**
 * People of a CSV file with a header; separators may be commas, semicolons or tabs.
 *
 * @throws UsageError where it is no such file
 */
export function readPeople(text: string, file: string): People {
  const [header = ''] = text.replace(/^\uFEFF/, '').split(/\r?\n/, 1);
  const rows = rowsOf(text, separatorOf(header), file);
  const columns = (rows.shift()?.record ?? []).map((name) => headings[name.trim().toLowerCase()]);
  if (!columns.includes('email')) {
    throw new UsageError(
      `${file} has no column "email".`,
      `Its first line must name the columns: email, and optionally role and sso. It is: ${header.slice(0, 100) || '(empty)'}`,
    );
  }
  const result: People = { people: [], rejected: [] };
  for (const { record, line } of rows) {
    const cells: Partial<Record<'email' | 'role' | 'sso', string>> = {};
    for (const [index, name] of columns.entries()) if (name) cells[name] ??= record[index]?.trim() ?? '';
    const person = personOf(cells, line);
    if ('reason' in person) result.rejected.push(person);
    else result.people.push(person);
  }
  return result;
}

interface Row {
  record: string[];
  line: number;
}

function rowsOf(text: string, delimiter: string, file: string): Row[] {
  const rows: Row[] = [];
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

function personOf(
  { email = '', role = '', sso = '' }: Partial<Record<string, string>>,
  line: number,
): Person | RejectedPerson {
  const reject = (reason: string): RejectedPerson => ({ email, reason, line });
  if (email === '') return reject('there is no address');
  if (!isAddress(email)) return reject('no e-mail address');
  const word = role.toLowerCase();
  if (word !== '' && !roleWords.includes(word)) return reject(`"${role}" is not one of ${roleWords.join(', ')}`);
  const answer = sso.toLowerCase();
  if (!yes.has(answer) && !no.has(answer)) return reject(`sso must be true or false, not "${sso}"`);
  return {
    email,
    line,
    ...(word === '' ? {} : { role: roleOf(word) }),
    ...(answer === '' ? {} : { sso: yes.has(answer) }),
  };
}
