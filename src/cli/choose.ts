import type { Client } from '../client/client.ts';
import { type Endpoint, maxLimit } from '../contract/endpoint.ts';
import { askedOf } from '../contract/fields.ts';
import { groupOf, loadGroup } from '../contract/groups.ts';
import { findIn } from './catalogue.ts';
import { UsageError } from './failure.ts';
import { type Invocation, scopeOf } from './invocation.ts';
import { nameOf } from './output/value.ts';
import { type Choice, openPrompt } from './prompt.ts';
import { type Call, endpointOf } from './run.ts';

type Scope = 'org' | 'space' | 'site';
const scopes: Record<string, Scope> = { orgId: 'org', spaceId: 'space', siteId: 'site' };

/** What a path parameter is called in a question. */
const words: Record<string, string> = {
  orgId: 'organization',
  userId: 'member',
  changeRequestId: 'change request',
  samlProviderId: 'SSO provider',
  siteSectionId: 'section',
  siteSectionGroupId: 'section group',
  siteSpaceId: 'site space',
  shareLinkId: 'share link',
  inviteId: 'invite link',
  specSlug: 'OpenAPI specification',
  fieldName: 'custom field',
  commentReplyId: 'reply',
  translationSettingsId: 'translation settings',
};

/** Lists of objects that may stand in a path without the list they are in before them. */
const lists: Record<string, string> = {
  orgId: '/v1/orgs',
  spaceId: '/v1/orgs/{orgId}/spaces',
  collectionId: '/v1/orgs/{orgId}/collections',
  siteId: '/v1/orgs/{orgId}/sites',
  userId: '/v1/orgs/{orgId}/members',
  teamId: '/v1/orgs/{orgId}/teams',
  siteSectionId: '/v1/orgs/{orgId}/sites/{siteId}/sections',
  changeRequestId: '/v1/spaces/{spaceId}/change-requests',
  pageId: '/v1/spaces/{spaceId}/content/page',
  specSlug: '/v1/orgs/{orgId}/openapi',
  fieldName: '/v1/orgs/{orgId}/custom-fields',
};
const pageOfRequest = '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}';

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
    what: words[param] ?? param.replace(/Id$/, ''),
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
  const found = await listOf(param, isOfRequest ? pageOfRequest : path);
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
  choice(item: any): Choice<string>;
  /** For a list that comes whole. */
  itemsOf?: (answer: any) => unknown[];
}

/** A searchable list of what an endpoint lists. @throws UsageError where the list is empty */
export async function chooseFrom(invocation: Invocation, endpoint: Endpoint, source: Source): Promise<string> {
  const client = await invocation.client();
  const filter = ['search', 'title'].find((name) => askedOf(endpoint).query[name]?.kind === 'string');
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
  const input = { params: source.params, query: { ...source.query, ...filter } } as never;
  if (source.itemsOf) {
    yield source.itemsOf(await client.call(endpoint, input)).map(source.choice);
    return;
  }
  for await (const { items } of client.pages(endpoint, input, { pageSize: size })) yield items.map(source.choice);
}

interface ListEndpoint {
  endpoint: Endpoint;
  itemsOf?: (answer: any) => unknown[];
}

/** The list that a parameter's object stands in: the one above it in the command's path, else the one it has by itself. */
export async function listOf(param: string, path: string | undefined): Promise<ListEndpoint | undefined> {
  const at = path?.indexOf(`/{${param}}`) ?? -1;
  const above = at < 0 ? undefined : path!.slice(0, at);
  return (
    (above === undefined ? undefined : await listAt(above)) ??
    (lists[param] === undefined ? undefined : await listAt(lists[param]))
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
  if (pages) return { endpoint: pages, itemsOf: (answer) => flat(answer.pages) };
  return undefined;
}

interface PageNode {
  pages?: PageNode[];
}
const flat = (pages: PageNode[] = []): PageNode[] => pages.flatMap((page) => [page, ...flat(page.pages)]);

async function paramsOfList(invocation: Invocation, endpoint: Endpoint, known: Record<string, string>) {
  const params: Record<string, string> = {};
  for (const [, name] of endpoint.path.matchAll(/\{(\w+)\}/g)) {
    const scope = scopes[name!];
    params[name!] =
      known[name!] ??
      (scope ? await scopeOf(invocation, scope) : await chooseParam(invocation, name!, { ...known, ...params }));
  }
  return params;
}

/** What a person knows an object by, and what a path calls it. */
function choiceOf(item: any, param: string): Choice<string> {
  // Who is in a team is told together with what they are there.
  if (item.organization?.object === 'member') return choiceOf(item.organization, param);
  const value: string = param === 'specSlug' ? item.slug : param === 'fieldName' ? item.name : item.id;
  const title = titleOf(item);
  // A version has no name: when it was made tells one from another.
  return { value, title: (title === value ? item.createdAt : title) ?? value };
}

function titleOf(item: any): string | undefined {
  switch (item.object) {
    case 'member':
      return `${item.user.displayName}${item.user.email === undefined ? '' : ` <${item.user.email}>`}`;
    case 'change-request':
      return `#${item.number} ${item.subject || '(no subject)'}`;
    case 'comment':
    case 'comment-reply':
      return item.body?.markdown?.trim().split('\n')[0];
    case 'invite':
      return `${item.role ?? item.level ?? 'guest'} of ${item.space?.title ?? item.collection?.title ?? 'the organization'}`;
    default:
      return item.path !== undefined && item.title !== undefined && item.type !== undefined
        ? `${item.title} (${item.path})`
        : nameOf(item);
  }
}

export const choose = (invocation: Invocation, scope: Scope): Promise<string> =>
  chooseParam(invocation, `${scope}Id`, {});
