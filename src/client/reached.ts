import { changesOf } from '../contract/changes.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { isObject } from '../shared/is-object.ts';
import { valueAt } from '../shared/value-at.ts';
import type { Client } from './client.ts';
import { isShown, objectAt } from './find-object.ts';

interface Write {
  endpoint: Endpoint;
  params: Record<string, string>;
  body?: unknown;
}

/** What an object looks like when a write that sets no fields is done, by endpoint. */
const doneWhen: Record<string, (object: unknown) => boolean> = {
  'members.markSso': (member) => valueAt(member, 'sso') === true,
  'spaces.restore': (space) => space !== undefined && valueAt(space, 'deletedAt') === undefined,
};

/** The path up to its last parameter: the object that a write is about. */
const objectPathOf = (path: string) => path.slice(0, path.lastIndexOf('}') + 1);

/**
 * Reads whether the service already has what a write asks for: the object is gone, or has the values.
 *
 * @returns the object, or `{ gone: true }`; undefined if it does not, or if the service does not show it
 */
export async function reached(
  client: Pick<Client, 'call' | 'items'>,
  { endpoint, params, body }: Write,
): Promise<{ object: unknown } | undefined> {
  const path = objectPathOf(endpoint.path);
  const { method, name } = endpoint;
  const special = doneWhen[name];
  const isEdit = (method === 'PATCH' || method === 'PUT') && isObject(body) && Object.keys(body).length > 0;
  if ((method !== 'DELETE' && !special && !isEdit) || path === '' || !(await isShown(path))) return undefined;
  // A PUT to a part of an object is not shown by the object.
  if (isEdit && !special && path !== endpoint.path) return undefined;
  const object = await objectAt(client, path, params);
  const isGone = object === undefined || valueAt(object, 'deletedAt') !== undefined;
  if (method === 'DELETE') return isGone && path === endpoint.path ? { object: undefined } : undefined;
  if (isGone) return undefined;
  if (special) return special(object) ? { object } : undefined;
  return isObject(body) && changesOf(endpoint, body, object).length === 0 ? { object } : undefined;
}
