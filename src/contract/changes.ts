import { isDeepStrictEqual } from 'node:util';
import type { Endpoint } from './endpoint.ts';
import { type Field, fieldOf, fieldsOf } from './fields.ts';
import { isObject } from '../shared/is-object.ts';
import { valueAt } from '../shared/value-at.ts';

/** What a write changes in one field. */
export interface Change {
  /** Path of the field in the body. */
  field: string;
  /** Absent if the service does not show the field. */
  before?: unknown;
  after: unknown;
}

/** Fields that the service shows elsewhere than it takes them. */
const shownAt: Record<string, Record<string, (object: unknown) => unknown>> = {
  'orgs.edit': { logo: (org) => valueAt(org, 'urls.logo') },
  'sites.edit': { proxy: (site) => valueAt(site, 'proxy.origin') },
  'teams.setMember': { role: (membership) => valueAt(membership, 'team.role') },
  'comments.edit': { resolved: (comment) => valueAt(comment, 'status') === 'resolved' },
  'changeRequestComments.edit': { resolved: (comment) => valueAt(comment, 'status') === 'resolved' },
};

/** What an object shows of a field that a write takes; the ID if it shows a whole object. */
export function shownField({ name }: Endpoint, field: string, object: unknown): unknown {
  const read = shownAt[name]?.[field];
  const value = read ? read(object) : valueAt(object, field);
  return isObject(value) && typeof value.id === 'string' ? value.id : value;
}

/** Whether a write replaces the whole of what its address shows: fields that the body leaves out are removed. */
export const replacesAll = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) =>
  method === 'PUT' && !path.endsWith('}');

/**
 * What a write would change, field by field.
 *
 * @param object as the service shows it now; undefined if there is none
 */
export function changesOf(endpoint: Endpoint, body: Record<string, unknown>, object: unknown): Change[] {
  const shownFields = endpoint.answer ? (fieldOf(endpoint.answer()).members ?? {}) : {};
  const special = shownAt[endpoint.name] ?? {};
  const removed = replacesAll(endpoint) ? namesIn(fieldsOf(endpoint).body) : [];
  const names = [...new Set([...Object.keys(body), ...removed])];
  return names.flatMap((name) => {
    const after = body[name];
    const read = special[name];
    if (!read && !Object.hasOwn(shownFields, name)) return after === undefined ? [] : [{ field: name, after }];
    const before = read ? read(object) : valueAt(object, name);
    return changesIn(name, before, after, replacesAll(endpoint));
  });
}

const namesIn = (field: Field | undefined) => Object.keys(field?.members ?? {});

/** @param whole whether members that `after` leaves out are removed */
export function changesIn(field: string, before: unknown, after: unknown, whole = true): Change[] {
  if (isObject(before) && isObject(after)) {
    const names = new Set([...(whole ? Object.keys(before) : []), ...Object.keys(after)]);
    return [...names].flatMap((name) => changesIn(`${field}.${name}`, before[name], after[name], whole));
  }
  // The service shows an object in place of the ID that it takes.
  const shown = isObject(before) && typeof after === 'string' && 'id' in before ? before.id : before;
  return isDeepStrictEqual(shown ?? null, after ?? null)
    ? []
    : [{ field, before: shown ?? null, after: after ?? null }];
}
