import { nearestOf } from '../../shared/suggest.ts';
import { visible } from '../output/index.ts';
import { CommandError, UsageError, exit } from '../program/failure.ts';
import type { ObjectKind } from '../../contract/objects.ts';
import type { Candidate } from './candidates.ts';

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
