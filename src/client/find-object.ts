import type { Client } from './client.ts';
import { undefinedIfMissing } from './errors/http-error.ts';
import { findEndpoint, idOf, listOf } from '../contract/object-lists.ts';
import { paramNames } from '../contract/path.ts';

/** An object as returned by its endpoint or its list; undefined if it does not exist. */
export async function objectAt(
  client: Pick<Client, 'call' | 'items'>,
  path: string,
  params: Record<string, string>,
): Promise<unknown> {
  // Other services may return objects without an ID.
  if (Object.values(params).includes('')) return undefined;
  const view = await findEndpoint(path);
  if (view && !view.paged) return client.call(view, { params }).catch(undefinedIfMissing);
  const param = paramNames(path).at(-1) ?? '';
  const list = await listOf(param, path);
  if (!list) return undefined;
  for await (const item of client.items(list.endpoint, { params }))
    if (idOf(item, param) === params[param]) return item;
  return undefined;
}

/** Whether the contract has an endpoint that shows the object at a path, or a list with it. */
export async function isShown(path: string): Promise<boolean> {
  const view = await findEndpoint(path);
  if (view && !view.paged) return true;
  const list = await listOf(paramNames(path).at(-1) ?? '', path);
  return list !== undefined && list.itemsOf === undefined;
}
