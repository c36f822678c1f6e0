import type { Client } from '../../../client/client.ts';
import type { Member } from '../../../client/find-members.ts';
import { roles } from '../../../contract/access.ts';
import { members } from '../../../contract/members.ts';
import { teams } from '../../../contract/teams.ts';
import { personIn } from '../../../shared/person-form.ts';
import { nearest } from '../../../shared/suggest.ts';
import { UsageError, notFound } from '../../program/failure.ts';
import type { Invocation } from '../command.ts';
import { momentForms, momentOf } from '../filter/moment.ts';
import { fileText } from '../read-input.ts';

const kinds = ['team', 'role', 'inactive', 'file', 'domain'];
const selector = new Set(kinds);
const roleWords: readonly string[] = [...roles, 'guest'];

/** Whether a text selects people by what they have in common: `team:Writers,!role:guest`. */
export const selectsPeople = (text: string): boolean => termsOf(text).some(({ kind }) => kind !== 'name');

interface Term {
  /** Whether the people are left out. */
  isOut: boolean;
  kind: string;
  value: string;
}

function termsOf(text: string): Term[] {
  return text.split(',').map((part) => {
    const word = part.trim();
    const isOut = word.startsWith('!');
    const rest = isOut ? word.slice(1).trim() : word;
    if (rest === 'all') return { isOut, kind: 'all', value: '' };
    const colon = rest.indexOf(':');
    const kind = rest.slice(0, Math.max(colon, 0));
    return selector.has(kind)
      ? { isOut, kind, value: rest.slice(colon + 1).trim() }
      : { isOut, kind: 'name', value: rest };
  });
}

interface Organization {
  client: Client;
  orgId: string;
  mayBeNobody?: boolean;
}

/** The values of a flag that takes people. Commas have parted them, but may be those of one selector. */
export async function peopleOfFlag(
  { client }: Pick<Invocation, 'client'>,
  values: readonly string[],
  { orgId }: Record<string, string>,
): Promise<string[]> {
  if (orgId === undefined || !values.some(selectsPeople)) return [...values];
  // A list that is in sync has nobody left to remove: team:Writers,!file:people.txt
  const mayBeNobody = values.some((value) => value.startsWith('!'));
  return selectedPeople([values.join(',')], { client: await client(), orgId, mayBeNobody });
}

/**
 * Replaces selectors by the IDs of the members that they select; other texts stay as they are.
 *
 * @throws UsageError for a selector that cannot be read, CommandError (status 5) if one selects nobody
 */
export async function selectedPeople(texts: readonly string[], organization: Organization): Promise<string[]> {
  if (!texts.some(selectsPeople)) return [...texts];
  const all = await Array.fromAsync(organization.client.items(members.list, { params: { orgId: organization.orgId } }));
  const people = new Set<string>();
  for (const text of texts) {
    const chosen = selectsPeople(text) ? await selected(text, all, organization) : [text];
    for (const person of chosen) people.add(person);
  }
  return [...people];
}

async function selected(text: string, all: readonly Member[], organization: Organization): Promise<string[]> {
  const terms = termsOf(text);
  // What begins with people to leave out is about everybody else.
  const people = new Set(terms[0]?.isOut ? all.map(({ id }) => id) : []);
  for (const term of terms) {
    const chosen = await peopleOf(term, all, organization);
    if (term.isOut) refuseUnknown(text, chosen, all);
    for (const person of chosen) {
      if (term.isOut) people.delete(person);
      else people.add(person);
    }
  }
  if (people.size > 0 || organization.mayBeNobody) return [...people];
  throw notFound(`"${text}" selects nobody.`, '"docsctl members list" lists the members with roles and times.');
}

/** A person to leave out who is misspelled must not be changed with the others. @throws CommandError */
function refuseUnknown(text: string, left: readonly string[], all: readonly Member[]): void {
  const ids = new Set(all.map(({ id }) => id));
  const unknown = left.filter((person) => !ids.has(person));
  if (unknown.length === 0) return;
  const named = unknown.slice(0, maxNamed).map((person) => `"${person}"`);
  const more = unknown.length > maxNamed ? ` and ${unknown.length - maxNamed} more` : '';
  throw notFound(
    `"${text}" leaves out ${named.join(', ')}${more}, but no member has this email address or ID.`,
    '"docsctl members list --search" finds people by name and email address.',
  );
}

async function peopleOf({ kind, value }: Term, all: readonly Member[], { client, orgId }: Organization) {
  const idsOf = (passes: (member: Member) => boolean) => all.filter(passes).map(({ id }) => id);
  const domain = value.toLowerCase().replace(/^@/, '');
  switch (kind) {
    case 'all':
      return idsOf(() => true);
    case 'role':
      return idsOf(withRole(value));
    case 'inactive':
      return idsOf(inactiveFor(value));
    case 'domain':
      return idsOf(({ user }) => user.email?.toLowerCase().endsWith(`@${domain}`) ?? false);
    case 'team':
      return Array.fromAsync(
        client.items(teams.listMembers, { params: { orgId, teamId: value } }),
        ({ organization: { id } }) => id,
      );
    case 'file':
      return (await namesIn(value)).map((name) => idOf(name, all));
    default:
      return [idOf(value, all)];
  }
}

/** The ID of a member; a name that no member has stays, so that it is reported with the others. */
function idOf(name: string, all: readonly Member[]): string {
  const text = personIn(name);
  const found = all.find(({ id, user }) => id === text || user.email?.toLowerCase() === text.toLowerCase());
  return found?.id ?? text;
}

/** @throws UsageError */
function withRole(word: string): (member: Member) => boolean {
  if (!roleWords.includes(word)) {
    const near = nearest(word, roleWords);
    throw new UsageError(
      `role:${word}: "${word}" is not one of ${roleWords.join(', ')}.`,
      near === undefined ? undefined : `Did you mean "role:${near}"?`,
    );
  }
  return ({ role }) => (role ?? 'guest') === word;
}

/** Those who never signed in are inactive, too. @throws UsageError */
function inactiveFor(age: string): (member: Member) => boolean {
  const moment = momentOf(age, Date.now());
  if (!moment) throw new UsageError(`inactive:${age}: "${age}" is not ${momentForms}.`, 'For example inactive:90d.');
  return ({ lastSeenAt }) => lastSeenAt === undefined || Date.parse(lastSeenAt) < moment.start;
}

const headers = ['email', 'user', 'id', 'member', 'name'];
const maxNamed = 5;

/** The people of a file: those of its column `email`, `user`, `id` or `member`, or without a header the first cells. */
async function namesIn(file: string): Promise<string[]> {
  const { parse } = await import('csv-parse/sync');
  const records: string[][] = parse(fileText(file), {
    bom: true,
    delimiter: [',', ';', '\t'],
    relax_column_count: true,
    relax_quotes: true,
    trim: true,
  });
  const titles = (records[0] ?? []).map((title) => title.toLowerCase());
  const header = headers.find((title) => titles.includes(title));
  const index = header === undefined ? 0 : titles.indexOf(header);
  return (header === undefined ? records : records.slice(1))
    .map((cells) => (cells[index] ?? '').replace(/^'(?=[=+\-@])/, ''))
    .filter(Boolean);
}
