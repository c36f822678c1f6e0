import type { RoleName } from '../../contract/access.ts';
import { emailAddress } from '../../contract/schema.ts';
import { readCsv } from '../shared/csv-file.ts';
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
  /** The columns of the file, and its cells by line. */
  header?: readonly string[];
  records?: ReadonlyMap<number, readonly string[]>;
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
 * People of a CSV file; without a header, the columns are email, role and sso.
 *
 * @throws UsageError where it is no such file
 */
export function readPeople(text: string, file: string): People {
  const { header, rows } = readCsv(text, file, {
    headings,
    order: ['email', 'role', 'sso'],
    isFirst: isAddress,
    required: ['email'],
  });
  const result: People = {
    people: [],
    rejected: [],
    header,
    records: new Map(rows.map(({ line, record }) => [line, record])),
  };
  for (const { cells, line } of rows) {
    const person = personOf(cells, line);
    if ('reason' in person) result.rejected.push(person);
    else result.people.push(person);
  }
  return result;
}

function personOf(
  { email = '', role = '', sso = '' }: Partial<Record<string, string>>,
  line: number,
): Person | RejectedPerson {
  const reject = (reason: string): RejectedPerson => ({ email, reason, line });
  if (email === '') return reject('the address is missing');
  if (!isAddress(email)) return reject('not an email address');
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
