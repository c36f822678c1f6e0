import type { Endpoint } from '../../contract/endpoint.ts';
import { nounOf, objectNamedBy, type ObjectKey } from '../../contract/objects.ts';
import type { Db } from '../../store/store.ts';
import { NotFound } from './errors.ts';
import { type Caller, type Loader, loaders, type Lookup, type Objects } from './load-objects.ts';

/**
 * Loads every object that the path names, in its order.
 *
 * @throws NotFound for what does not exist, and for what the caller must not see
 */
export async function resolve(
  db: Db,
  caller: Caller,
  endpoint: Endpoint,
  params: Record<string, string>,
  now: string,
): Promise<Partial<Objects>> {
  const objects: Partial<Objects> = {};
  const lookup: Lookup = { db, now, caller, endpoint, objects };
  for (const [param, id] of Object.entries(params)) {
    const key = objectNamedBy(param)?.key;
    // Without an organization in the path, `userId` is any user, whom the handler looks up.
    if (!isObjectKey(key) || (key === 'member' && !objects.org)) continue;
    const isLoaded = await load(lookup, objects, key, id);
    // A PUT that creates names what does not exist yet.
    if (!isLoaded && endpoint.creates !== param) throw new NotFound(nounOf(param), id);
  }
  return objects;
}

const isObjectKey = (key: string | undefined): key is ObjectKey => key !== undefined && Object.hasOwn(loaders, key);

const loaderOf: { [K in ObjectKey]: Loader<Objects[K]> } = loaders;

async function load<K extends ObjectKey>(
  lookup: Lookup,
  objects: Partial<Objects>,
  key: K,
  id: string,
): Promise<boolean> {
  const object = await loaderOf[key](lookup, id);
  objects[key] = object;
  return object !== undefined;
}
