import { paramNames } from '../../contract/path.ts';
import type { Client } from '../../client/client.ts';
import { type Endpoint, maxLimit } from '../../contract/endpoint.ts';
import { fieldsOf } from '../../contract/fields.ts';
import { nounOf, objectNamedBy, objects } from '../../contract/objects.ts';
import { findIn } from '../prompt/paged-choices.ts';
import { UsageError, missingValue } from '../program/failure.ts';
import type { Invocation } from './command.ts';
import { scopeOf } from './invocation.ts';
import { type Candidate, candidateOf } from '../naming/candidates.ts';
import { listOf } from '../../contract/object-lists.ts';
import { choiceOf } from '../../contract/object-titles.ts';
import { openPrompt } from '../prompt/open-prompt.ts';
import type { Choice } from '../prompt/prompt.ts';
import { endpointOf } from './request.ts';

const pageSize = 50;

/** Lets a person choose what a path parameter names. @throws UsageError if nothing can be listed */
export async function chooseParam(
  invocation: Invocation,
  param: string,
  params: Record<string, string>,
): Promise<string> {
  const path = pathOf(invocation);
  const list = await listOf(param, path);
  if (!list) throw missingValue(`<${param.replace(/Id$/, '')}>`, invocation.path);
  return chooseFrom(invocation, list.endpoint, {
    noun: nounOf(param),
    params: await paramsOfList(invocation, list.endpoint, params),
    // A space that is to be restored is among the deleted ones.
    query: path?.endsWith('/restore') ? { deleted: true } : {},
    choice: (item) => choiceOf(item, param),
    itemsOf: list.itemsOf,
  });
}

/** The objects that a path parameter may name, for completions, page after page; nothing is asked. */
export async function* suggest(
  invocation: Invocation,
  param: string,
  params: Record<string, string>,
): AsyncGenerator<Candidate[]> {
  const path = pathOf(invocation);
  const isInChangeRequest = path === undefined && param === 'pageId' && params.changeRequestId !== undefined;
  const list = await listOf(param, isInChangeRequest ? objects.pageId.open.inChangeRequest : path);
  if (!list) return;
  const source = {
    noun: nounOf(param),
    params: await paramsOfList(invocation, list.endpoint, params),
    choice: (item: unknown) => candidateOf(item, param),
    itemsOf: list.itemsOf,
  };
  yield* pagesOf(await invocation.client(), list.endpoint, source, {}, maxLimit);
}

const pathOf = (invocation: Invocation) => (invocation.command.endpoint ? endpointOf(invocation).path : undefined);

interface Source<Chosen> {
  /** What the items are called: `team`. */
  noun: string;
  params: Record<string, string>;
  query?: Record<string, unknown>;
  choice(item: unknown): Chosen;
  /** For a list that is not paged. */
  itemsOf?: (answer: unknown) => unknown[];
}

/** A searchable list of what an endpoint lists. @throws UsageError if the list is empty */
async function chooseFrom(invocation: Invocation, endpoint: Endpoint, source: Source<Choice<string>>): Promise<string> {
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

async function* pagesOf<Chosen>(
  client: Client,
  endpoint: Endpoint,
  source: Source<Chosen>,
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
