import { HttpError } from '../../client/errors/http-error.ts';
import { type Endpoint, maxLimit } from '../../contract/endpoint.ts';
import { objectNamedBy } from '../../contract/objects.ts';
import { paramNames } from '../../contract/path.ts';
import type { Titles } from '../output/index.ts';
import { valueAt } from '../../shared/value-at.ts';
import type { Invocation } from './command.ts';
import { onlyOrganization, scopeSetting } from './invocation.ts';

/** How many objects of a kind are looked at. The ids of others are shown as they are. */
const maxObjects = 10_000;

/**
 * Titles of the objects that an answer names by id, from the list of the objects: read once for each kind of object, and
 * only up to the last one that is needed.
 */
export function createTitles(invocation: Invocation, params: Record<string, string>): Titles {
  const titles = new Map<string, Map<string, string>>();
  /** Lists of which no more is read. */
  const done = new Set<string>();
  return {
    async load(param, ids, item) {
      const loaded = titles.get(param) ?? new Map<string, string>();
      titles.set(param, loaded);
      const missing = new Set(ids.filter((id) => !loaded.has(id)));
      const known: Record<string, string> = { ...organizationOf(item), ...params };
      const list = `${param} ${known['orgId'] ?? ''}`;
      if (missing.size === 0 || done.has(list)) return;
      // An id that the list does not have is not looked for again.
      for (const id of missing) loaded.set(id, id);
      await loadTitles(invocation, param, known, missing, loaded);
      // Not all were found: another list would show the same objects.
      if (missing.size > 0) done.add(list);
    },
    titleOf: (param, id) => titles.get(param)?.get(id),
  };
}

async function loadTitles(
  invocation: Invocation,
  param: string,
  knownParams: Record<string, string>,
  missing: Set<string>,
  loaded: Map<string, string>,
): Promise<void> {
  const [{ listOf }, { choiceOf }] = await Promise.all([
    import('../../contract/object-lists.ts'),
    import('../naming/titles.ts'),
  ]);
  const list = await listOf(param);
  if (!list || list.itemsOf) return;
  const params = await paramsOfList(invocation, list.endpoint, knownParams);
  if (!params) return;
  const client = await invocation.client();
  try {
    for await (const { items } of client.pages(list.endpoint, { params }, { pageSize: maxLimit, limit: maxObjects })) {
      for (const { value, title } of items.map((item) => choiceOf(item, param))) {
        loaded.set(value, title);
        missing.delete(value);
      }
      if (missing.size === 0) return;
    }
  } catch (error) {
    // The result is printed all the same, for example where the caller may not see the list.
    if (!(error instanceof HttpError)) throw error;
  }
}

const organizationOf = (item: unknown): Record<string, string> => {
  const id = valueAt(item, 'organization');
  return typeof id === 'string' ? { orgId: id } : {};
};

/** The parameters of a list; undefined if one is not known. Nothing is asked. */
async function paramsOfList(
  invocation: Invocation,
  { path }: Endpoint,
  knownParams: Record<string, string>,
): Promise<Record<string, string> | undefined> {
  const params: Record<string, string> = {};
  for (const name of paramNames(path)) {
    const scope = objectNamedBy(name)?.scope;
    const value =
      knownParams[name] ??
      (scope && (await scopeSetting(invocation, scope, { ask: false })).setting?.value) ??
      (scope === 'org' ? await onlyOrganization(await invocation.client()) : undefined);
    if (value === undefined) return undefined;
    params[name] = value;
  }
  return params;
}
