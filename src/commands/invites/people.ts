import type { PeopleFile, PersonRow } from '../shared/people-file.ts';

/** A person to invite. Without a role, the default applies. The line is undefined for people in arguments. */
export type Person = Pick<PersonRow, 'name' | 'role' | 'sso'> & Partial<Pick<PersonRow, 'line'>>;

export interface People extends Pick<PeopleFile, 'rejected'>, Partial<Pick<PeopleFile, 'header' | 'records'>> {
  rows: Person[];
}

export const fileShape = { name: 'email', columns: ['role', 'sso'] } as const;

/** The addresses in a line that was typed or pasted: separated by commas, semicolons or spaces, with names before `<...>`. */
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
