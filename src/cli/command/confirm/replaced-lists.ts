import type { Endpoint } from '../../../contract/endpoint.ts';
import { fieldOf, fieldsOf } from '../../../contract/fields.ts';

/**
 * The fields of an edit that replace a whole list: those that the service shows as a list too. What only adds to a list,
 * or removes from it, has no field of its name in the answer.
 */
export function replacedLists(endpoint: Endpoint): string[] {
  if (endpoint.method !== 'PATCH' && endpoint.method !== 'PUT') return [];
  const lists = Object.entries(fieldsOf(endpoint).body?.members ?? {}).filter(([, { kind }]) => kind === 'array');
  // The schema of the answer is large: it is read only where it is needed.
  if (lists.length === 0 || !endpoint.answer) return [];
  const { members: shown = {} } = fieldOf(endpoint.answer());
  return lists.flatMap(([name]) => (shown[name]?.kind === 'array' ? [name] : []));
}
