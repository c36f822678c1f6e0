import type { Client } from '../../../client/client.ts';
import { HttpError } from '../../../client/errors/http-error.ts';
import { type Endpoint, pathWith } from '../../../contract/endpoint.ts';
import { reasons } from '../../../contract/errors.ts';
import { nounOf } from '../../../contract/objects.ts';
import { valueAt } from '../../../shared/value-at.ts';
import { findEndpoint, listOf } from '../../../contract/object-lists.ts';
import { choiceOf } from '../../naming/titles.ts';
import type { Invocation } from '../command.ts';
import { paramNames } from '../../../contract/path.ts';

export type Params = Record<string, string>;

/** The path up to its last parameter: the object that a call is about, where it names one. */
export const objectPathOf = (path: string) => path.slice(0, path.lastIndexOf('}') + 1);

const answers = new WeakMap<Invocation, Map<string, Promise<unknown>>>();

/** Within one run each address is read once. */
function once<T>(invocation: Invocation, address: string, load: (client: Client) => Promise<T>): Promise<unknown> {
  let known = answers.get(invocation);
  if (!known) answers.set(invocation, (known = new Map()));
  let answer = known.get(address);
  if (!answer) known.set(address, (answer = invocation.client().then(load)));
  return answer;
}

/** What a GET answers. */
export const read = (invocation: Invocation, endpoint: Endpoint, params: Params): Promise<unknown> =>
  once(invocation, pathWith(endpoint.path, params), (client) => client.call(endpoint, { params }));

async function itemInList(invocation: Invocation, endpoint: Endpoint, param: string, params: Params): Promise<unknown> {
  const items = await once(invocation, pathWith(endpoint.path, params), async (client) => {
    const byId = new Map<string | undefined, unknown>();
    for await (const item of client.items(endpoint, { params })) byId.set(choiceOf(item, param).value, item);
    return byId;
  });
  return items instanceof Map ? items.get(params[param]) : undefined;
}

/**
 * Looks up every object that a path names.
 *
 * @returns the last one; undefined where there is no address to look it up at, or where `mayLack` names its parameter
 * @throws HttpError with status 404, as the service answers it
 */
export async function lookUp(invocation: Invocation, path: string, params: Params, mayLack?: string): Promise<unknown> {
  const objectPath = objectPathOf(path);
  const names = paramNames(objectPath);
  const param = names.at(-1);
  if (param === undefined) return undefined;
  const { object, seen } = await lookUpOne(invocation, objectPath, param, params, mayLack);
  const unseen = names.slice(0, -1).findLast((name) => !seen.includes(name));
  // The object does not stand below all that the path names: a section of a group is found in its site.
  if (unseen !== undefined)
    await lookUp(invocation, path.slice(0, path.indexOf(`{${unseen}}`) + unseen.length + 2), params);
  return object;
}

interface LookUp {
  object?: unknown;
  /** The parameters of the path that it was found at. */
  seen: string[];
}

async function lookUpOne(
  invocation: Invocation,
  objectPath: string,
  param: string,
  params: Params,
  mayLack?: string,
): Promise<LookUp> {
  const view = await findEndpoint(objectPath);
  if (view && !view.paged) {
    const seen = paramNames(view.path);
    try {
      return { object: await read(invocation, view, params), seen };
    } catch (error) {
      const isMissing = error instanceof HttpError && error.status === reasons['not-found'];
      // The object above may be missing too.
      if (isMissing && mayLack === param) return { seen: [] };
      throw error;
    }
  }
  const list = await listOf(param, objectPath);
  if (!list || list.itemsOf) return { seen: [] };
  const seen = [...paramNames(list.endpoint.path), param];
  const object = await itemInList(invocation, list.endpoint, param, params);
  if (object !== undefined) return { object, seen };
  if (mayLack === param) return { seen };
  throw notFound(param, params[param] ?? '');
}

/** The answer of the service for an object that is not there. */
export const notFound = (param: string, id: string) =>
  new HttpError({ status: reasons['not-found'], reason: 'not-found', message: missingText(nounOf(param), id) });

const missingText = (noun: string, id: string) =>
  `${noun[0]?.toUpperCase()}${noun.slice(1)} ${JSON.stringify(id)} not found, or permission denied.`;

/** The id of a looked-up object and the title that people know it by. */
export function nameOfObject(object: unknown, param: string): { id: string; title: string } {
  const { value, title } = choiceOf(object, param);
  return { id: value, title };
}

/** A member of an object that is true or false; undefined where it has none. */
export function flagAt(object: unknown, path: string): boolean | undefined {
  const value = valueAt(object, path);
  return typeof value === 'boolean' ? value : undefined;
}
