import { EngineError } from '../shared/engine-error.ts';
import { isObject } from '../shared/is-object.ts';
import { notDate, type TeamFileText, Until } from './files/schemas.ts';
import { files, type Organization, pathOf } from './parts.ts';

/** The last day of a membership or level in the files. */
export interface Term {
  kind: 'member' | 'team' | 'level';
  /** In lower case. */
  email: string;
  /** The name of the team or space. */
  place?: string;
  /** ISO date. The next apply after it ends what has the term. */
  until: string;
}

/** What ends because of the terms in the files. */
export interface Expiry {
  expired: readonly Term[];
  /** What ends soon. */
  ending: readonly Term[];
  /** What should have ended and is kept, and why. */
  kept: readonly { term: Term; reason: string }[];
}

export const noExpiry: Expiry = { expired: [], ending: [], kept: [] };

/** How many days before their end terms are announced. */
const noticeDays = 14;

const todayVariable = 'DOCSCTL_TODAY';

/** The date in UTC that terms are compared with. @throws EngineError if the variable is not a date */
export function todayIn(env: Readonly<Record<string, string | undefined>>): string {
  const today = env[todayVariable] ?? new Date().toISOString().slice(0, 10);
  if (Until().safeParse(today).success) return today;
  throw new EngineError('usage', `${todayVariable} ${notDate}, not "${today}".`);
}

/** Takes the terms out of the objects, which then look like those of the service. */
export function takeTerms(organization: Organization): Term[] {
  const terms: Term[] = [];
  const take = (row: { until?: string | undefined }, term: Omit<Term, 'until'>) => {
    const { until } = row;
    delete row.until;
    if (until !== undefined) terms.push({ ...term, until });
  };
  for (const row of organization.members ?? []) take(row, { kind: 'member', email: row.email });
  for (const [team, file] of organization.teams ?? []) {
    // As in the text of the file.
    const { members = {} } = file as TeamFileText;
    const roles = Object.entries(members).map(([email, member]) => {
      if (typeof member === 'string') return [email, member] as const;
      take(member, { kind: 'team', email: email.toLowerCase(), place: team });
      return [email, member.role] as const;
    });
    if (file.members) file.members = Object.fromEntries(roles);
  }
  for (const row of organization.levels ?? []) take(row, { kind: 'level', email: row.email, place: row.space });
  return terms;
}

/**
 * Removes from the files what has ended. The last administrator, and the last owner of a team, are kept: nobody could manage
 * the organization or the team after them.
 */
export function expire(organization: Organization, terms: readonly Term[], today: string): Expiry {
  const past = terms.filter(({ until }) => until < today);
  const soon = new Date(Date.parse(today) + noticeDays * 86_400_000).toISOString().slice(0, 10);
  const ending = terms.filter(({ until }) => until >= today && until <= soon);
  const kept = keptOf(organization, past);
  const expired = past.filter((term) => !kept.some((each) => each.term === term));
  const leaving = new Set(expired.flatMap(({ kind, email }) => (kind === 'member' ? [email] : [])));
  if (organization.members) organization.members = organization.members.filter(({ email }) => !leaving.has(email));
  for (const [team, file] of organization.teams ?? []) {
    if (!file.members) continue;
    const gone = endingIn(team, expired);
    const roles = Object.entries(file.members).filter(([email]) => !gone.has(email.toLowerCase()));
    file.members = Object.fromEntries(roles);
  }
  const levels = new Set(expired.flatMap((term) => (term.kind === 'level' ? [`${term.email} ${term.place}`] : [])));
  if (organization.levels)
    organization.levels = organization.levels.filter(({ email, space }) => !levels.has(`${email} ${space}`));
  return { expired, ending, kept };
}

/** The addresses of those who leave a team, or the organization. */
const endingIn = (team: string, terms: readonly Term[]): ReadonlySet<string> =>
  new Set(terms.flatMap(({ kind, email, place }) => (kind === 'member' || place === team ? [email] : [])));

function keptOf({ members = [], teams }: Organization, past: readonly Term[]): { term: Term; reason: string }[] {
  const kept = new Map<Term, string>();
  /** Keeps the one of several people who ends last, with everything that they would lose. */
  const keepLast = (people: readonly string[], reason: string, lost: readonly Term[]) => {
    const lastOf = (email: string) => lost.filter((term) => term.email === email);
    const [last] = people.toSorted((one, other) => (untilOf(lastOf(one)) < untilOf(lastOf(other)) ? 1 : -1));
    for (const term of lastOf(last ?? '')) if (!kept.has(term)) kept.set(term, reason);
  };
  const memberTerms = past.filter(({ kind }) => kind === 'member');
  const leaving = new Set(memberTerms.map(({ email }) => email));
  const admins = members.flatMap(({ email, role }) => (role === 'admin' ? [email] : []));
  if (admins.length > 0 && admins.every((email) => leaving.has(email)))
    keepLast(admins, 'nobody else is an administrator', memberTerms);
  for (const [team, file] of teams ?? []) {
    const lost = past.filter(({ kind, place }) => kind === 'member' || (kind === 'team' && place === team));
    const gone = new Set(lost.flatMap((term) => (kept.has(term) ? [] : [term.email])));
    const owners = Object.entries(file.members ?? {}).flatMap(([email, role]) =>
      role === 'owner' ? [email.toLowerCase()] : [],
    );
    if (owners.length > 0 && owners.every((email) => gone.has(email)))
      keepLast(owners, `nobody else owns the team ${team}`, lost);
  }
  return [...kept].map(([term, reason]) => ({ term, reason }));
}

/** The first of the dates on which somebody leaves. */
const untilOf = (terms: readonly Term[]) => terms.map(({ until }) => until).toSorted()[0] ?? '';

/** Whether a member or the membership in a team has ended: a change that no user made in the service. */
export const hasExpired = ({ expired }: Expiry, kind: string, name: string, field?: string): boolean =>
  expired.some(({ kind: what, email, place }) =>
    kind === 'member'
      ? what === 'member' && email === name
      : kind === 'team' && field === `members.${email}` && (what === 'member' || (what === 'team' && place === name)),
  );

/** What has a term, for users: `ann@example.org in the team writers`. */
const termName = ({ kind, email, place }: Term): string =>
  kind === 'member'
    ? `member ${email}`
    : kind === 'team'
      ? `${email} in the team ${place}`
      : `level of ${email} on ${place}`;

/** The file that a term is in. */
const termFile = ({ kind, place = '' }: Term): string =>
  kind === 'member' ? files.members.file : kind === 'team' ? pathOf('teams', place) : files.levels.file;

/** What is in files of which a plan is made. */
export function selectedExpiry({ expired, ending, kept }: Expiry, isSelected: (file: string) => boolean): Expiry {
  const has = (term: Term) => isSelected(termFile(term));
  return { expired: expired.filter(has), ending: ending.filter(has), kept: kept.filter(({ term }) => has(term)) };
}

const maxNamed = 10;

/** Notes for users about what ends soon, and what is kept or cannot be ended. */
export function expiryLines({ ending, kept, expired }: Expiry): string[] {
  const soon = ending
    .toSorted((one, other) => (one.until < other.until ? -1 : 1))
    .map((term) => `${termName(term)} (${term.until})`);
  const more = soon.length > maxNamed ? ` and ${soon.length - maxNamed} more` : '';
  return [
    ...(soon.length > 0 ? [`Ends within ${noticeDays} days: ${soon.slice(0, maxNamed).join(', ')}${more}.`] : []),
    ...kept.map(({ term, reason }) => `Kept although it ended on ${term.until}: ${termName(term)}, because ${reason}.`),
    ...expired.flatMap((term) =>
      term.kind === 'level'
        ? [
            `Ended on ${term.until}: ${termName(term)}. The service has no request that removes a level; remove the member, or change what gives the level.`,
          ]
        : [],
    ),
  ];
}

const lowerCaseKeys = (record: object) =>
  new Map(Object.entries(record).map(([key, value]: [string, unknown]) => [key.toLowerCase(), value]));

/** The roles of an export with the terms of a file, whatever it contains. */
export function withTerms(before: unknown, after: unknown): unknown {
  if (!isObject(before) || !isObject(after)) return after;
  const old = lowerCaseKeys(before);
  return Object.fromEntries(
    Object.entries(after).map(([email, role]) => {
      const member = old.get(email.toLowerCase());
      return [email, isObject(member) ? { ...member, role } : role];
    }),
  );
}
