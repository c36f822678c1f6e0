import type { Endpoint } from '../../../contract/endpoint.ts';
import { HttpError } from '../../../client/errors/http-error.ts';
import { reasons } from '../../../contract/errors.ts';
import { isObject } from '../../../shared/is-object.ts';
import { type Change, changesOf, replacesAll } from '../../../contract/changes.ts';
import { checkCall, type UnsentCall } from './check-call.ts';
import { findEndpoint } from '../../../contract/object-lists.ts';
import type { Invocation } from '../command.ts';
import { paramNames } from '../../../contract/path.ts';
import { nameOfObject, objectPathOf, type Params, read } from './named-objects.ts';

/** What a write is about, and what it would do. */
export interface Effect {
  /** Absent where the call makes something new. */
  object?: { id: string; title: string };
  /** What an edit changes; empty where nothing would change. */
  changes?: readonly Change[];
}

/** Checks a write, and finds what it is about and what it would change. @throws HttpError as the service would answer */
export async function effectOf(invocation: Invocation, call: UnsentCall): Promise<Effect> {
  const { endpoint, params, body } = call;
  const object = await checkCall(invocation, call);
  const shown = await findEndpoint(endpoint.path);
  const param = paramNames(objectPathOf(endpoint.path)).at(-1);
  const isNew = shown?.paged === true || object === undefined || param === undefined;
  return {
    ...(isNew ? {} : { object: nameOfObject(object, param) }),
    ...(isEdit(endpoint, shown) && isObject(body)
      ? { changes: changesOf(endpoint, body, await present(invocation, endpoint, params, object, shown)) }
      : {}),
  };
}

/** Whether the body holds fields of what there is, rather than of something new. */
const isEdit = (endpoint: Endpoint, shown: Endpoint | undefined) =>
  endpoint.method === 'PATCH' || (endpoint.method === 'PUT' && shown?.paged !== true);

/** What an edit changes, as it is now; undefined where it is not there yet. */
async function present(
  invocation: Invocation,
  endpoint: Endpoint,
  params: Params,
  object: unknown,
  shown: Endpoint | undefined,
): Promise<unknown> {
  if (!shown || !replacesAll(endpoint)) return object;
  try {
    return await read(invocation, shown, params);
  } catch (error) {
    // A schema is not there until it is set; the site is.
    if (error instanceof HttpError && error.status === reasons['not-found']) return undefined;
    throw error;
  }
}
