import { type Endpoint, pathWith } from '../contract/endpoint.ts';
import { encodeQuery, fieldOf } from '../contract/fields.ts';
import { clearable, kebab, place, refuseUnknown, valueOf } from './derive.ts';
import { UsageError } from './failure.ts';
import { type Invocation, jsonGiven, outputOptions, print, scopeOf } from './invocation.ts';
import { createListOutput, createProgress } from './output/index.ts';
import { argumentsOf } from './tree.ts';

/** What goes to the service. */
export interface Call {
  endpoint: Endpoint;
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: Record<string, unknown> | undefined;
}

const scopes: Record<string, 'org' | 'space' | 'site'> = { orgId: 'org', spaceId: 'space', siteId: 'site' };

/** Arguments whose name does not tell the path parameter by itself. */
const argumentParams: Record<string, string> = {
  cr: 'changeRequestId',
  section: 'siteSectionId',
  group: 'siteSectionGroupId',
  'site-space': 'siteSpaceId',
  link: 'shareLinkId',
  provider: 'samlProviderId',
  slug: 'specSlug',
  field: 'fieldName',
  domain: 'emailDomain',
  reply: 'commentReplyId',
  translation: 'translationSettingsId',
};

/** The path parameter that an argument fills. */
export const paramOf = (name: string, names: readonly string[], own: Record<string, string> = {}) =>
  own[name] ?? [argumentParams[name], `${name}Id`, name].find((param) => param !== undefined && names.includes(param));

/** The endpoint of this run: a change request's own where `--cr` is given. */
export const endpointOf = ({ command, flags }: Invocation): Endpoint =>
  (flags.cr !== undefined && command.twin ? command.twin : command.endpoint)!;

/** Path parameters, from arguments, `--cr` and the context. */
export async function paramsOf(invocation: Invocation, one?: string): Promise<Record<string, string>> {
  const { command, args, flags } = invocation;
  const endpoint = endpointOf(invocation);
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  const params: Record<string, string> = {};
  for (const { name, variadic } of argumentsOf(command.use)) {
    const param = paramOf(name, names, command.params);
    const value = variadic ? one : args[name];
    if (param !== undefined && names.includes(param) && typeof value === 'string') params[param] = value;
  }
  if (flags.cr !== undefined && names.includes('changeRequestId')) params.changeRequestId ??= flags.cr;
  for (const name of names) {
    if (params[name] !== undefined) continue;
    const scope = scopes[name];
    if (scope) params[name] = await scopeOf(invocation, scope);
    else if (invocation.io.interactive) {
      const { chooseParam } = await import('./choose.ts');
      params[name] = await chooseParam(invocation, name, params);
    } else
      throw new UsageError(
        `<${kebab(name.replace(/Id$/, ''))}> is missing.`,
        `See "docsctl ${invocation.path} --help".`,
      );
  }
  // In the order of the path, which is the order in which they are looked up.
  return Object.fromEntries(names.map((name) => [name, params[name]!]));
}

/** Query and body from flags, `--data` and `--clear`. */
export async function inputOf(invocation: Invocation): Promise<Pick<Call, 'query' | 'body'>> {
  const { derived, flags, command } = invocation;
  const endpoint = endpointOf(invocation);
  const schema = endpoint.body ? fieldOf(endpoint.body()) : undefined;
  const query: Record<string, unknown> = {};
  const body: Record<string, unknown> = {};
  if (flags.data !== undefined) {
    const given = jsonGiven(flags.data, '--data');
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      throw new UsageError('--data must be a JSON object.');
    refuseUnknown(given as Record<string, unknown>, schema);
    Object.assign(body, given);
  }
  for (const flag of derived) {
    const given = flags[flag.attribute];
    if (given === undefined) continue;
    const value = valueOf(flag, given, jsonGiven);
    if (flag.in === 'query') query[flag.path[0]!] = value;
    else place(body, flag.path, value, schema);
  }
  for (const name of (flags.clear as string[] | undefined) ?? []) {
    const known = clearable(derived);
    const flag = known.find((candidate) => candidate.long === `--${kebab(name)}`);
    if (!flag) {
      throw new UsageError(
        `--clear: "${name}" cannot be cleared here.`,
        `What can be: ${known.map((candidate) => candidate.long.slice(2)).join(', ')}.`,
      );
    }
    place(body, flag.path, null, schema);
  }
  Object.assign(body, await command.body?.(invocation));
  Object.assign(query, command.query?.(invocation));
  return { query, body: endpoint.body ? body : undefined };
}

/** Runs a command that an endpoint describes. */
export async function runDerived(invocation: Invocation): Promise<void> {
  const variadic = argumentsOf(invocation.command.use).find((arg) => arg.variadic);
  if (variadic) {
    const { runMany } = await import('./many.ts');
    return runMany(invocation, variadic.name);
  }
  const call: Call = {
    endpoint: endpointOf(invocation),
    params: await paramsOf(invocation),
    ...(await inputOf(invocation)),
  };
  if (invocation.globals.dryRun) return printRequest(invocation, call);
  if (invocation.command.confirm) {
    const { confirm } = await import('./confirm.ts');
    await confirm(invocation, [call]);
  }
  if (call.endpoint.paged) return list(invocation, call);
  const answer = await send(invocation, call);
  if (answer === undefined || (invocation.command.done !== undefined && isEmpty(answer)))
    return invocation.io.note(doneText(invocation, call));
  await print(invocation, invocation.command.select ? invocation.command.select(answer) : answer);
}

const isEmpty = (answer: unknown) => typeof answer === 'object' && answer !== null && Object.keys(answer).length === 0;

/** One call, with a sign of life where it takes long. */
export async function send(invocation: Invocation, call: Call): Promise<unknown> {
  const client = await invocation.client();
  const progress = createProgress('Waiting for the service', { lively: invocation.io.lively });
  try {
    return await client.call(call.endpoint, { params: call.params, query: call.query, body: call.body } as never);
  } finally {
    progress.stop();
  }
}

export function doneText({ command, path }: Invocation, { params }: Call): string {
  const id = Object.values(params).at(-1) ?? '';
  return (command.done ?? `${path} ${id}: done.`).replace('{}', id);
}

/** Method, address and body as they would be sent. Nothing is sent. */
export async function printRequest(invocation: Invocation, { endpoint, params, query, body }: Call): Promise<void> {
  const address = (await invocation.session.address()).value;
  const request = {
    method: endpoint.method,
    url: `${address.replace(/\/$/, '')}${pathWith(endpoint.path, params)}${encodeQuery(query)}`,
    ...(body === undefined ? {} : { body }),
  };
  if (invocation.globals.output !== undefined || invocation.globals.jq !== undefined) return print(invocation, request);
  const text = `${request.method} ${request.url}\n${body === undefined ? '' : `${JSON.stringify(body, null, 2)}\n`}`;
  await invocation.io.out.write(text);
}

/** A list, page after page, to its end or to `--limit`. */
export async function list(
  invocation: Invocation,
  { endpoint, params, query }: Pick<Call, 'endpoint' | 'params' | 'query'>,
): Promise<void> {
  const { flags, io, command } = invocation;
  const limit = flags.limit as number | undefined;
  if (flags.pageSize !== undefined && (flags.pageSize < 1 || flags.pageSize > 1000))
    throw new UsageError('--page-size must be from 1 to 1000.');
  const options = outputOptions(invocation);
  const client = await invocation.client();
  const progress = createProgress('Reading', { lively: io.lively });
  const output = await listOutput(invocation, options, progress.above(io.out));
  let done = 0;
  try {
    const pages = client.pages(endpoint, { params, query } as never, {
      pageSize: flags.pageSize ?? pageSizeFor(limit, options.terminal),
      ...(limit === undefined ? {} : { limit }),
      ...(flags.page === undefined ? {} : { page: flags.page }),
    });
    for await (const { items, count } of pages) {
      done += items.length;
      await output.page(command.select ? items.map(command.select) : (items as unknown[]));
      progress.count(done, limit === undefined || count === undefined ? count : Math.min(count, limit));
    }
    await output.end();
  } catch (error) {
    await output.abort();
    throw error;
  } finally {
    progress.stop();
  }
  if (done === 0 && options.terminal && options.format === undefined) await io.note('Nothing found.');
}

// A short list costs one request either way; a long one costs fewer requests with larger pages.
const pageSizeFor = (limit: number | undefined, isTerminal: boolean) =>
  isTerminal && limit === undefined ? 200 : Math.max(1, Math.min(limit ?? 1000, 1000));

async function listOutput(
  invocation: Invocation,
  options: ReturnType<typeof outputOptions>,
  sink: Invocation['io']['out'],
) {
  const columns = invocation.command.columns ?? [{ key: 'id', kind: 'id' as const }];
  const { tree } = invocation.command;
  if (!tree || !('children' in tree)) return createListOutput(options, columns, sink);
  const { createTreeOutput } = await import('./output/index.ts');
  return createTreeOutput(options, columns, sink, tree.children);
}
