import type { Endpoint } from '../../contract/endpoint.ts';
import type { Field } from '../../contract/fields.ts';
import { nounOf } from '../../contract/objects.ts';
import type { Names } from '../naming/names.ts';
import { UsageError, notFound } from '../program/failure.ts';

/** One kind of object that a position (`--before`, `--after`) may name. */
export interface Pointer {
  /** `site-section` */
  type: string;
  /** The member that holds the id: `siteSection`. */
  member: string;
}

/** The kinds of objects that a pointer of the contract may name. */
export function pointersOf({ branches, members = {} }: Field): Pointer[] {
  if (branches) return branches.flatMap(pointersOf);
  const member = Object.keys(members).find((name) => name !== 'type');
  return member === undefined ? [] : (members.type?.values ?? []).map((type) => ({ type, member }));
}

export const camel = (dashed: string) => dashed.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The kind of object that a pointer names, as a path parameter: `siteSectionId`. */
export const paramOfPointer = ({ type }: Pointer): string => `${camel(type)}Id`;

interface PointerText {
  flag: string;
  /** `Sp5Gh8jLm2Qw`, `API`, or `space:API`. */
  text: string;
  pointers: readonly Pointer[];
  /** The request that the position is part of. */
  endpoint: Endpoint;
  params: Record<string, string>;
  names(): Promise<Names>;
}

/**
 * The pointer that a text names. If several kinds are possible and the text does not say which, all of them are looked
 * through.
 *
 * @throws UsageError for a kind that is not possible there, or a name that several objects have; CommandError (status 5)
 *   for a name that none has
 */
export async function pointerFor(pointerText: PointerText): Promise<Record<string, string>> {
  const { flag, text, pointers } = pointerText;
  const [, kind, name = text] = /^(?!(?:id|title|path|https?):)([a-z-]+):(.*)$/s.exec(text) ?? [];
  if (name.trim() === '') throw new UsageError(`${flag}: "${text}" contains no id.`);
  const possible = pointers.filter(({ type }) => kind === undefined || type === kind || type === `site-${kind}`);
  const [first, ...others] = possible;
  if (!first) {
    const kinds = pointers.map(({ type }) => type.replace(/^site-/, '')).join(' or ');
    throw new UsageError(`${flag}: "${kind}" is not possible here, only ${kinds}.`);
  }
  // The client looks these up itself when the service does not know the id.
  if (others.length === 0 && first.member !== 'id') return { type: first.type, [first.member]: name };
  return findPointer({ ...pointerText, text: name, pointers: possible });
}

async function findPointer({
  flag,
  text,
  pointers,
  endpoint,
  params,
  names,
}: PointerText): Promise<Record<string, string>> {
  const all = await names();
  const matches: { pointer: Pointer; id: string }[] = [];
  for (const pointer of pointers) {
    const id = await all.find(endpoint, params, { param: paramOfPointer(pointer), text });
    if (id !== undefined) matches.push({ pointer, id });
  }
  const [match, ...others] = matches;
  const nouns = (each: readonly Pointer[]) => each.map((pointer) => nounOf(paramOfPointer(pointer)));
  if (match === undefined)
    throw notFound(`${flag}: There is no ${nouns(pointers).join(' or ')} "${text}" here, or permission denied.`);
  if (others.length === 0) return { type: match.pointer.type, [match.pointer.member]: match.id };
  const kinds = matches.map(({ pointer, id }) => `${pointer.type.replace(/^site-/, '')}:${id}`);
  throw new UsageError(
    `${flag}: "${text}" is a ${nouns(matches.map(({ pointer }) => pointer)).join(' and a ')}.`,
    `Use ${kinds.join(' or ')}.`,
  );
}
