import type { Client } from '../../client/client.ts';
import { type Endpoint, maxLimit } from '../../contract/endpoint.ts';
import { fieldsOf } from '../../contract/fields.ts';
import { groupOf, loadGroup } from '../../contract/groups.ts';
import { nounOf, objectNamedBy, objects } from '../../contract/objects.ts';
import { findIn } from '../prompt/paged-choices.ts';
import { UsageError } from '../program/failure.ts';
import type { Invocation } from './command.ts';
import { paramNames } from './flags.ts';
import { scopeOf } from './invocation.ts';
import { hasMembers } from '../../shared/is-object.ts';
import { nameOf, valueAt } from '../output/value.ts';
import { openPrompt } from '../prompt/open-prompt.ts';
import type { Choice } from '../prompt/prompt.ts';
import { endpointOf } from './request.ts';

const pageSize = 50;

/** Lets a person choose what a path parameter names. @throws UsageError where nothing can be listed */
export async function chooseParam(
  invocation: Invocation,
  param: string,
  params: Record<string, string>,
): Promise<string> {
  const path = pathOf(invocation);
  const list = await listOf(param, path);
  if (!list) {
    throw new UsageError(`<${param.replace(/Id$/, '')}> is missing.`, `See "docsctl ${invocation.path} --help".`);
  }
  return chooseFrom(invocation, list.endpoint, {
    noun: nounOf(param),
    params: await paramsOfList(invocation, list.endpoint, params),
    // A space that is to be restored is among the deleted ones.
    query: path?.endsWith('/restore') ? { deleted: true } : {},
    choice: (item) => choiceOf(item, param),
    itemsOf: list.itemsOf,
  });
}

/** What a path parameter may name, for completions, page after page; nothing is asked. */
export async function* suggest(
  invocation: Invocation,
  param: string,
  params: Record<string, string>,
): AsyncGenerator<Choice<string>[]> {
  const path = pathOf(invocation);
  const isInChangeRequest = path === undefined && param === 'pageId' && params.changeRequestId !== undefined;
  const list = await listOf(param, isInChangeRequest ? objects.pageId.open.inChangeRequest : path);
  if (!list) return;
  const source = {
    noun: nounOf(param),
    params: await paramsOfList(invocation, list.endpoint, params),
    choice: (item: unknown) => choiceOf(item, param),
    itemsOf: list.itemsOf,
  };
  yield* pagesOf(await invocation.client(), list.endpoint, source, {}, maxLimit);
}

const pathOf = (invocation: Invocation) => (invocation.command.endpoint ? endpointOf(invocation).path : undefined);

interface Source {
  /** What the items are called: `team`. */
  noun: string;
  params: Record<string, string>;
  query?: Record<string, unknown>;
  choice(item: unknown): Choice<string>;
  /** For a list that is not paged. */
  itemsOf?: (answer: unknown) => unknown[];
}

/** A searchable list of what an endpoint lists. @throws UsageError where the list is empty */
async function chooseFrom(invocation: Invocation, endpoint: Endpoint, source: Source): Promise<string> {
  const client = await invocation.client();
  const filter = ['search', 'title'].find((name) => fieldsOf(endpoint).query[name]?.kind === 'string');
  const find = findIn((term) => pagesOf(client, endpoint, source, filter && term ? { [filter]: term } : {}), {
    serviceFilters: filter !== undefined,
  });
  const { choices } = await find('', 1);
  if (choices.length === 0) throw new UsageError(`There is no ${source.noun} to choose.`);
  const prompt = await openPrompt(invocation);
  return prompt.pick({ message: `Which ${source.noun}?`, find });
}

async function* pagesOf(
  client: Client,
  endpoint: Endpoint,
  source: Source,
  filter: Record<string, unknown>,
  size = pageSize,
) {
  const input = { params: source.params, query: { ...source.query, ...filter } };
  if (source.itemsOf) {
    const items = source.itemsOf(await client.call(endpoint, input));
    yield items.map((item) => source.choice(item));
    return;
  }
  for await (const { items } of client.pages(endpoint, input, { pageSize: size })) {
    yield items.map((item) => source.choice(item));
  }
}

interface ListEndpoint {
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

/** The endpoint that a GET of a path template calls. */
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

async function paramsOfList(invocation: Invocation, endpoint: Endpoint, pathParams: Record<string, string>) {
  const params: Record<string, string> = {};
  for (const name of paramNames(endpoint.path)) {
    const scope = objectNamedBy(name)?.scope;
    params[name] =
      pathParams[name] ??
      (scope ? await scopeOf(invocation, scope) : await chooseParam(invocation, name, { ...pathParams, ...params }));
  }
  return params;
}

/** The title that people know an object by, and the value that stands for it in a path. */
export function choiceOf(item: unknown, param: string): Choice<string> {
  // Members of a team are listed with their role in it: the member is one level below.
  if (textAt(item, 'organization.object') === 'member') return choiceOf(valueAt(item, 'organization'), param);
  const value = textAt(item, objectNamedBy(param)?.pathKey ?? 'id') ?? '';
  const title = titleOf(item);
  // A version has no name; its time of creation identifies it.
  return { value, title: (title === value ? textAt(item, 'createdAt') : title) ?? value };
}

function textAt(item: unknown, path: string): string | undefined {
  const value = valueAt(item, path);
  return typeof value === 'string' ? value : undefined;
}

function titleOf(item: unknown): string | undefined {
  const text = (path: string) => textAt(item, path);
  switch (text('object')) {
    case 'member': {
      const email = text('user.email');
      return `${text('user.displayName')}${email === undefined ? '' : ` <${email}>`}`;
    }
    case 'change-request':
      return `#${String(valueAt(item, 'number'))} ${text('subject') || '(no subject)'}`;
    case 'comment':
    case 'comment-reply':
      return text('body.markdown')?.trim().split('\n')[0];
    case 'invite':
      return `${text('role') ?? text('level') ?? 'guest'} of ${text('space.title') ?? text('collection.title') ?? 'the organization'}`;
    default:
      return text('path') !== undefined && text('title') !== undefined && text('type') !== undefined
        ? `${text('title')} (${text('path')})`
        : hasMembers(item)
          ? nameOf(item)
          : undefined;
  }
}
