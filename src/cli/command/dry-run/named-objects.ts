import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../../../client/client.ts';
import { HttpError, isMissing } from '../../../client/errors/http-error.ts';
import { type Endpoint, pathWith } from '../../../contract/endpoint.ts';
import { reasons } from '../../../contract/errors.ts';
import { nounOf } from '../../../contract/objects.ts';
import { valueAt } from '../../../shared/value-at.ts';
import { findEndpoint, listOf } from '../../../contract/object-lists.ts';
import { choiceOf } from '../../../contract/object-titles.ts';
import type { Call, Invocation } from '../command.ts';
import { paramNames, pathUpTo } from '../../../contract/path.ts';

export type Params = Record<string, string>;

/** The path up to its last parameter: the object that a call is about, if it names one. */
export const objectPathOf = (path: string) => path.slice(0, path.lastIndexOf('}') + 1);

const answers = new WeakMap<Invocation, Map<string, Promise<unknown>>>();

/** Within one run each address is read once. */
function once<T>(invocation: Invocation, address: string, load: (client: Client) => Promise<T>): Promise<unknown> {
  const ofRun = answers.get(invocation) ?? new Map<string, Promise<unknown>>();
  answers.set(invocation, ofRun);
  const answer = ofRun.get(address) ?? invocation.client().then(load);
  ofRun.set(address, answer);
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
 * @returns the last one; undefined if there is no address to look it up at, or if `mayLack` names its parameter
 * @throws HttpError with status 404, as the service answers it
 */
export async function lookUp(invocation: Invocation, path: string, params: Params, mayLack?: string): Promise<unknown> {
  const objectPath = objectPathOf(path);
  const names = paramNames(objectPath);
  const param = names.at(-1);
  if (param === undefined) return undefined;
  const { object, seen } = await lookUpOne(invocation, objectPath, param, params, mayLack);
  const unseen = names.slice(0, -1).findLast((name) => !seen.includes(name));
  // The object is not below everything that the path names: a section of a group is found in its site.
  if (unseen !== undefined) await lookUp(invocation, pathUpTo(path, unseen), params);
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
      // The object above may be missing, too.
      if (isMissing(error) && mayLack === param) return { seen: [] };
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

/** A member of an object that is true or false; undefined if it has none. */
export function flagAt(object: unknown, path: string): boolean | undefined {
  const value = valueAt(object, path);
  return typeof value === 'boolean' ? value : undefined;
}

/**
 * Looks up what a call is about, with ids if the call has names. Texts that may be ids are taken as such, and looked up
 * as names only if there is no such object.
 */
export async function withNames<Part extends Pick<Call, 'endpoint' | 'params'>, Found>(
  invocation: Invocation,
  call: Part,
  find: (named: Part) => Promise<Found>,
): Promise<Found> {
  const names = await invocation.names();
  const prepared = { ...call, ...(await names.prepare(call.endpoint, call)) };
  try {
    const found = await find(prepared);
    // A title may have been looked up on the way.
    const named = { ...prepared, ...(await names.prepare(call.endpoint, prepared)) };
    return isDeepStrictEqual(named, prepared) ? found : await find(named);
  } catch (error) {
    if (!isMissing(error)) throw error;
    return find({ ...prepared, ...(await names.resolve(call.endpoint, prepared)) });
  }
}
