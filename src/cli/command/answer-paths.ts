import type * as z from 'zod/mini';
import type { Endpoint } from '../../contract/endpoint.ts';
import { type Field, fieldOf } from '../../contract/fields.ts';

/** Deeper members are not listed; an answer that has them may still be asked for them. */
const depth = 6;

/**
 * Every path below the items or the object that a command prints of its endpoint's answer, those of all branches of a
 * union. `*` matches the index of an item, or any name.
 *
 * @param member the part of the answer that is printed; all of it by default
 */
export function answerPaths(endpoint: Endpoint, member: string | undefined): string[] {
  const schema = endpoint.items ?? endpoint.answer;
  if (!schema) return [];
  return [...new Set(pathsBelow(memberOf(fieldOf(schema(), depth), member), ''))];
}

/** As `answerPaths`, for what a hand-written command prints: an object or a list. */
export const printedPaths = (schema: z.core.$ZodType): string[] => [...new Set(pathsBelow(fieldOf(schema, depth), ''))];

function memberOf(field: Field, member: string | undefined): Field {
  if (member === undefined) return field;
  if (field.branches) return { ...field, branches: field.branches.map((branch) => memberOf(branch, member)) };
  const selected = field.members?.[member];
  return selected?.item ?? selected ?? field;
}

function pathsBelow({ kind, members = {}, branches = [], item }: Field, prefix: string): string[] {
  if (kind === 'record') return [`${prefix}*`];
  // Anything may be there.
  if (kind === 'unknown' && prefix !== '') return [`${prefix}*`, `${prefix}*.*`];
  return [
    ...Object.entries(members).flatMap(([name, member]) => [prefix + name, ...pathsBelow(member, `${prefix}${name}.`)]),
    ...branches.flatMap((branch) => pathsBelow(branch, prefix)),
    ...(item && prefix === '' ? pathsBelow(item, '') : []),
    ...(item && prefix !== '' ? [`${prefix}*`, ...pathsBelow(item, `${prefix}*.`)] : []),
  ];
}
