import { UnknownName } from '../../client/errors/http-error.ts';
import type { Client } from '../../client/client.ts';
import { nearestOf } from '../../shared/suggest.ts';
import { objectNamedBy, type Names, type ObjectKind } from '../../contract/objects.ts';
import { visible } from '../output/index.ts';
import { CommandError, exit, UsageError } from '../program/failure.ts';
import { valueAt } from '../../shared/value-at.ts';
import type { ListEndpoint } from '../../contract/object-lists.ts';
import { isWebAddress, type Reading } from './reading.ts';
import { choiceOf } from '../../contract/object-titles.ts';

/** An object of a list, with what it can be called. */
export interface Candidate {
  id: string;
  /** What people know it by. */
  title: string;
  titles: string[];
  paths: string[];
  /** Addresses if it can be seen. */
  addresses: string[];
  /** Id of the collection, section or section group that it is in. */
  parent?: string;
}

/** The objects of a list, with only the members that names are compared with. */
export async function candidatesOf(
  client: Client,
  { endpoint, itemsOf }: ListEndpoint,
  param: string,
  input: { params: Record<string, string>; query?: Record<string, unknown> },
): Promise<Candidate[]> {
  if (itemsOf) return itemsOf(await client.call(endpoint, input)).map((item) => candidateOf(item, param));
  const candidates: Candidate[] = [];
  for await (const item of client.items(endpoint, input)) candidates.push(candidateOf(item, param));
  return candidates;
}

export function candidateOf(item: unknown, param: string): Candidate {
  const { value, title } = choiceOf(item, param);
  const names: Names = objectNamedBy(param)?.names ?? {};
  const texts = (paths: readonly string[] = []) => paths.map((path) => textOf(valueAt(item, path))).filter(isText);
  const parent = ['parent', 'section', 'sectionGroup'].map((path) => valueAt(item, path)).find(isText);
  return {
    id: value,
    title,
    titles: texts(names.title),
    paths: texts(names.path),
    addresses: texts(['urls.app', 'urls.location', 'urls.published']),
    ...(parent === undefined ? {} : { parent }),
  };
}

/** The number of a change request is a name of it, too. */
const textOf = (value: unknown) => (typeof value === 'number' ? String(value) : value);
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const folded = (text: string) => text.normalize('NFC').trim().toLowerCase();
/** A path without slashes around it or between its parts beyond one. */
const pathKey = (path: string) => folded(path).split('/').filter(Boolean).join('/');

/** The part of an address that says what it shows: without query, fragment and last slash. */
export const comparable = (address: string): string => {
  const { origin, pathname } = new URL(address);
  return [origin, ...pathname.split('/').filter(Boolean)].join('/').toLowerCase();
};

/** The candidates that a text names. A path is compared before titles are: it is unique if it is one at all. */
export function matching(candidates: readonly Candidate[], { by, text }: Reading): Candidate[] {
  if (isWebAddress(text)) {
    const address = comparable(text);
    return candidates.filter(({ addresses }) => addresses.some((each) => comparable(each) === address));
  }
  const byId = by === 'id' || by === 'any' ? candidates.filter(({ id }) => id === text) : [];
  if (byId.length > 0 || by === 'id') return byId;
  const path = pathKey(text);
  const byPath = by === 'title' ? [] : candidates.filter(({ paths }) => paths.some((each) => pathKey(each) === path));
  if (byPath.length > 0 || by === 'path') return byPath;
  const title = folded(text);
  return candidates.filter(({ titles }) => titles.some((each) => folded(each) === title));
}

/** The candidates whose published address an address lies below: those with the longest one. */
export function publishedAbove(candidates: readonly Candidate[], address: string): Candidate | undefined {
  const target = `${comparable(address)}/`;
  const above = candidates.flatMap((candidate) =>
    candidate.addresses
      .filter((each) => target.startsWith(`${comparable(each)}/`))
      .map((each) => ({ candidate, each })),
  );
  return above.toSorted((a, b) => b.each.length - a.each.length)[0]?.candidate;
}

const maxListed = 5;
const maxSuggested = 3;

/** A candidate with the title of what it is in, for an error. */
export interface Placed extends Candidate {
  place?: string;
}

/** The error for a text that names several objects. */
export function ambiguous(text: string, { noun }: ObjectKind, candidates: readonly Placed[]): UsageError {
  const listed = candidates
    .slice(0, maxListed)
    .map(({ title, id, place }) => `  ${visible(title)} (${id})${place === undefined ? '' : `, in ${visible(place)}`}`);
  const more = candidates.length > maxListed ? [`  and ${candidates.length - maxListed} more`] : [];
  return new UsageError(
    [`"${text}" is the name of ${candidates.length} ${plural(noun)}; nothing was sent:`, ...listed, ...more].join('\n'),
    'Use the id.',
  );
}

/** The error for a text that names nothing. */
export function unnamed(text: string, kind: ObjectKind, candidates: readonly Candidate[]): CommandError {
  const { noun } = kind;
  return new CommandError(`${noun.charAt(0).toUpperCase()}${noun.slice(1)} "${text}" not found.`, {
    exitCode: exit.notFound,
    hint: suggestion(text, kind, candidates),
    cause: new UnknownName(),
  });
}

/** What to do about a name that nothing has: the nearest names, and the command that lists all. */
export function suggestion(text: string, { listCommand }: ObjectKind, candidates: readonly Candidate[]): string {
  const names = candidates.flatMap((candidate) =>
    [...new Set([...candidate.titles, ...candidate.paths, candidate.title])].map((name) => ({
      name,
      id: candidate.id,
    })),
  );
  const near = nearestOf(text, names, ({ name }) => name, maxSuggested);
  const texts = near.map(({ name, id }) => (name === id ? id : `"${visible(name)}" (${id})`));
  const all = `"docsctl ${listCommand}" lists what your token may see.`;
  return texts.length === 0
    ? `${all.charAt(0).toUpperCase()}${all.slice(1)}`
    : `Did you mean ${texts.join(' or ')}? ${all}`;
}

const plural = (noun: string) => (noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`);
