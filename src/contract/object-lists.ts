import type { Endpoint } from './endpoint.ts';
import { groupOf, loadGroup } from './groups.ts';
import { objectNamedBy } from './objects.ts';
import { valueAt } from '../shared/value-at.ts';

/** What identifies an item of a list in a path; undefined if it has nothing of the kind. */
export function idOf(item: unknown, param: string): string | undefined {
  const value = valueAt(ofMember(item), objectNamedBy(param)?.pathKey ?? 'id');
  return typeof value === 'string' ? value : undefined;
}

/** Members of a team are listed with their role in it: the member is one level below. */
export const ofMember = (item: unknown): unknown =>
  valueAt(item, 'organization.object') === 'member' ? valueAt(item, 'organization') : item;

/** The list that an object is in. */
export interface ListEndpoint {
  endpoint: Endpoint;
  itemsOf?: (answer: unknown) => unknown[];
}

/** The list of the objects that a parameter names: the one above it in the command's path, else that of `objects`. */
export async function listOf(param: string, path = ''): Promise<ListEndpoint | undefined> {
  const index = path.indexOf(`/{${param}}`);
  const above = index < 0 ? undefined : await listAt(path.slice(0, index));
  if (above) return above;
  const list = objectNamedBy(param)?.list;
  return list === undefined ? undefined : listAt(list);
}

export async function findEndpoint(path: string): Promise<Endpoint | undefined> {
  const name = groupOf(path.split('/').slice(2));
  const endpoints = name ? Object.values(await loadGroup(name)) : [];
  return endpoints.find((endpoint) => endpoint.method === 'GET' && endpoint.path === path);
}

async function listAt(path: string): Promise<ListEndpoint | undefined> {
  const endpoint = await findEndpoint(path);
  if (endpoint?.paged) return { endpoint };
  // One page is at `.../page/<id>`; all pages are at `.../pages`, as a tree.
  const pages = path.endsWith('/page') ? await findEndpoint(`${path}s`) : undefined;
  if (pages) return { endpoint: pages, itemsOf: pagesBelow };
  return undefined;
}

/** All pages below an answer or a page, each before its children. */
function pagesBelow(parent: unknown): unknown[] {
  const pages = valueAt(parent, 'pages');
  return Array.isArray(pages) ? pages.flatMap((page: unknown) => [page, ...pagesBelow(page)]) : [];
}
