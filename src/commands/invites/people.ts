import type { Invocation } from '../../cli/command/command.ts';
import type { ArgsOf } from '../../cli/command/define.ts';
import type { PeopleFile, PersonRow } from '../../people/people-file.ts';

/** A person to invite. Without a role, the default applies. The line is undefined for people in arguments. */
export type Person = Pick<PersonRow, 'name' | 'role' | 'sso'> & Partial<Pick<PersonRow, 'line'>>;

export interface People
  extends Pick<PeopleFile, 'rejected'>, Partial<Pick<PeopleFile, 'header' | 'records' | 'ignored'>> {
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

interface Flags {
  from?: string | undefined;
  role?: string | undefined;
  sso?: boolean | undefined;
  updateRoles?: boolean | undefined;
  result?: string | undefined;
}

export type SendInvocation = Invocation<ArgsOf<'send [email...]'>, Flags>;

/** The command that invites the same people again. */
export const commandFor = (
  { globals, flags: { updateRoles, result } }: SendInvocation,
  { addresses, from, role, sso, org }: Flags & { addresses: readonly string[]; org?: string | undefined },
): string[] => [
  'docsctl',
  'invites',
  'send',
  ...addresses,
  ...(from === undefined ? [] : ['--from', from]),
  ...(role === undefined ? [] : ['--role', role]),
  ...(sso === undefined ? [] : [sso ? '--sso' : '--no-sso']),
  ...(updateRoles ? ['--update-roles'] : []),
  ...(result === undefined ? [] : ['--result', result]),
  ...(org === undefined ? [] : ['--org', org]),
  ...(globals.profile === undefined ? [] : ['--profile', globals.profile]),
];
