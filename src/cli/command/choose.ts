import type { Client } from '../../client/client.ts';
import { type Endpoint, maxLimit } from '../../contract/endpoint.ts';
import { fieldsOf } from '../../contract/fields.ts';
import { groupOf, loadGroup } from '../../contract/groups.ts';
import { nounOf, objectNamedBy, objects } from '../../contract/objects.ts';
import { findIn } from '../prompt/paged-choices.ts';
import { UsageError } from '../program/failure.ts';
import type { Call, Invocation } from './command.ts';
import { scopeOf } from './invocation.ts';
import { hasMembers } from '../../shared/is-object.ts';
import { nameOf, valueAt } from '../output/value.ts';
import { openPrompt } from '../prompt/open-prompt.ts';
import type { Choice } from '../prompt/prompt.ts';
import { endpointOf } from './request.ts';

const pageSize = 50;

/** A searchable list of what a path parameter may name. @throws UsageError where nothing can be listed */
export async function chooseParam(
  invocation: Invocation,
  param: string,
  known: Record<string, string>,
): Promise<string> {
  const path = (invocation.command.endpoint ? endpointOf(invocation) : undefined)?.path;
  const found = await listOf(param, path);
  if (!found) {
    throw new UsageError(`<${param.replace(/Id$/, '')}> is missing.`, `See "docsctl ${invocation.path} --help".`);
  }
  const params = await paramsOfList(invocation, found.endpoint, known);
  return chooseFrom(invocation, found.endpoint, {
    what: nounOf(param),
    params,
    // A space that is to be restored is among the deleted ones.
    query: path?.endsWith('/restore') ? { deleted: true } : {},
    choice: (item) => choiceOf(item, param),
    itemsOf: found.itemsOf,
  });
}

/** What a path parameter may name, for completions, page after page; nothing is asked. */
export async function* suggest(
  invocation: Invocation,
  param: string,
  known: Record<string, string>,
): AsyncGenerator<Choice<string>[]> {
  const path = (invocation.command.endpoint ? endpointOf(invocation) : undefined)?.path;
  const isOfRequest = path === undefined && param === 'pageId' && known.changeRequestId !== undefined;
  const found = await listOf(param, isOfRequest ? objects.pageId.open.inChangeRequest : path);
  if (!found) return;
  const source = {
    what: param,
    params: await paramsOfList(invocation, found.endpoint, known),
    choice: (item: unknown) => choiceOf(item, param),
    ...(found.itemsOf ? { itemsOf: found.itemsOf } : {}),
  };
  yield* pagesOf(await invocation.client(), found.endpoint, source, {}, maxLimit);
}

/** What people know the objects of these calls by, where the service tells: from each, else from the list they are in. */
export async function titlesOf(
  invocation: Invocation,
  calls: Pick<Call, 'endpoint' | 'params'>[],
): Promise<(string | undefined)[]> {
  const { path } = calls[0]!.endpoint;
  const own = path.slice(0, path.lastIndexOf('}') + 1);
  const param = own.slice(own.lastIndexOf('{') + 1, -1);
  const client = await invocation.client();
  const known = await endpointsOf(own);
  const view = known.find((endpoint) => endpoint.method === 'GET' && endpoint.path === own);
  if (view)
    return Promise.all(
      calls.map(({ params }) => client.call(view, { params }).then((item) => choiceOf(item, param).title, untold)),
    );
  const list = await listOf(param, own);
  if (!list || list.itemsOf) return [];
  const titles = new Map<string, string>();
  const { params } = calls[0]!;
  try {
    for await (const { items } of client.pages(list.endpoint, { params }, { limit: maxLimit })) {
      for (const { value, title } of items.map((item) => choiceOf(item, param))) titles.set(value, title);
    }
  } catch (error) {
    untold(error);
  }
  return calls.map((call) => titles.get(call.params[param]!));
}

/** What is not there, or not for the caller to see, is told when it is done. */
function untold(error: unknown): undefined {
  if ((error as { status?: number }).status === undefined) throw error;
}

interface Source {
  what: string;
  params: Record<string, string>;
  query?: Record<string, unknown>;
  choice(item: unknown): Choice<string>;
  /** For a list that comes whole. */
  itemsOf?: (answer: unknown) => unknown[];
}

/** A searchable list of what an endpoint lists. @throws UsageError where the list is empty */
export async function chooseFrom(invocation: Invocation, endpoint: Endpoint, source: Source): Promise<string> {
  const client = await invocation.client();
  const filter = ['search', 'title'].find((name) => fieldsOf(endpoint).query[name]?.kind === 'string');
  const find = findIn((term) => pagesOf(client, endpoint, source, filter && term ? { [filter]: term } : {}), {
    serviceFilters: filter !== undefined,
  });
  const { choices } = await find('', 1);
  if (choices.length === 0) throw new UsageError(`There is no ${source.what} to choose.`);
  const prompt = await openPrompt(invocation);
  return prompt.pick({ message: `Which ${source.what}?`, find });
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

/** The list that a parameter's object stands in: the one above it in the command's path, else the one it has by itself. */
export async function listOf(param: string, path: string | undefined): Promise<ListEndpoint | undefined> {
  const at = path?.indexOf(`/{${param}}`) ?? -1;
  const above = at < 0 ? undefined : path!.slice(0, at);
  const list = objectNamedBy(param)?.list;
  return (
    (above === undefined ? undefined : await listAt(above)) ?? (list === undefined ? undefined : await listAt(list))
  );
}

async function endpointsOf(path: string): Promise<Endpoint[]> {
  const name = groupOf(path.split('/').slice(2));
  return name ? Object.values(await loadGroup(name)) : [];
}

async function listAt(path: string): Promise<ListEndpoint | undefined> {
  const known = await endpointsOf(path);
  const at = (wanted: string) => known.find((endpoint) => endpoint.method === 'GET' && endpoint.path === wanted);
  const paged = at(path);
  if (paged?.paged) return { endpoint: paged };
  // A page is at `.../page/<id>`, and all of them are at `.../pages`, as a tree.
  const pages = path.endsWith('/page') ? at(`${path}s`) : undefined;
  if (pages) return { endpoint: pages, itemsOf: pagesBelow };
  return undefined;
}

/** All pages below an answer or a page, each before those below it. */
function pagesBelow(above: unknown): unknown[] {
  const pages = valueAt(above, 'pages');
  return Array.isArray(pages) ? pages.flatMap((page: unknown) => [page, ...pagesBelow(page)]) : [];
}

async function paramsOfList(invocation: Invocation, endpoint: Endpoint, known: Record<string, string>) {
  const params: Record<string, string> = {};
  for (const [, name] of endpoint.path.matchAll(/\{(\w+)\}/g)) {
    const scope = objectNamedBy(name!)?.scope;
    params[name!] =
      known[name!] ??
      (scope ? await scopeOf(invocation, scope) : await chooseParam(invocation, name!, { ...known, ...params }));
  }
  return params;
}

/** The title that people know an object by, and the value that stands for it in a path. */
function choiceOf(item: unknown, param: string): Choice<string> {
  // A member of a team is listed with the role there: the member is one level below.
  if (textAt(item, 'organization.object') === 'member') return choiceOf(valueAt(item, 'organization'), param);
  const value = textAt(item, objectNamedBy(param)?.pathKey ?? 'id') ?? '';
  const title = titleOf(item);
  // A version has no name: its time of creation tells one from another.
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
