import { type Endpoint, pathWith } from '../contract/endpoint.ts';
import { askedOf, encodeQuery, type Field, fieldOf } from '../contract/fields.ts';
import {
  argumentFields,
  clearable,
  type DerivedFlag,
  kebab,
  paramNames,
  paramOf,
  place,
  refuseUnknown,
  valueOf,
} from './derive.ts';
import { exit } from './exit.ts';
import { CommandError, UsageError } from './failure.ts';
import type { Globals } from './globals.ts';
import { type Invocation, jsonGiven, outputOptions, print, scopeOf } from './invocation.ts';
import {
  createListOutput,
  createProgress,
  createRawListOutput,
  type ListOutput,
  passesThrough,
  visibleLines,
} from './output/index.ts';
import { embeddedFile } from './session.ts';
import { argumentsOf } from './tree.ts';

/** What goes to the service. */
export interface Call {
  endpoint: Endpoint;
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: Record<string, unknown> | undefined;
}

const scopes: Record<string, 'org' | 'space' | 'site'> = { orgId: 'org', spaceId: 'space', siteId: 'site' };

/** The endpoint of this run: a change request's own where `--cr` is given. */
export const endpointOf = ({ command, flags }: Invocation): Endpoint =>
  (flags.cr !== undefined && command.twin ? command.twin : command.endpoint)!;

/** Path parameters, from arguments, `--cr` and the context. */
export async function paramsOf(invocation: Invocation, one?: string): Promise<Record<string, string>> {
  const { command, args, flags } = invocation;
  const endpoint = endpointOf(invocation);
  const names = paramNames(endpoint.path);
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
  // Without it the path would be that of the list.
  const empty = names.find((name) => params[name]!.trim() === '');
  if (empty !== undefined) {
    throw new UsageError(
      `The ${kebab(empty.replace(/Id$/, ''))} is empty.`,
      'Perhaps a variable of the shell that should hold its id is not set.',
    );
  }
  // In the order of the path, which is the order in which they are looked up.
  return Object.fromEntries(names.map((name) => [name, params[name]!]));
}

/** Query and body from arguments, flags, `--data` and `--clear`. */
export async function inputOf(
  invocation: Invocation,
  params: Record<string, string> = {},
): Promise<Pick<Call, 'query' | 'body'>> {
  const { args, derived, flags, command } = invocation;
  const endpoint = endpointOf(invocation);
  const { body: schema } = askedOf(endpoint);
  const query: Record<string, unknown> = {};
  const body: Record<string, unknown> = {};
  if (flags.data !== undefined) {
    const given = jsonGiven(flags.data, '--data');
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      throw new UsageError('--data must be a JSON object.');
    refuseUnknown(given as Record<string, unknown>, schema);
    Object.assign(body, given);
  }
  const put = (flag: DerivedFlag, value: unknown) => {
    if (flag.in === 'query') query[flag.path[0]!] = value;
    else place(body, flag.path, value, schema);
  };
  for (const [name, flag] of argumentFields(endpoint, command)) {
    if (args[name] !== undefined) put(flag, valueOf(flag, args[name], jsonGiven));
  }
  for (const flag of derived) {
    const given = flags[flag.attribute];
    if (given === undefined) continue;
    put(flag, flag.pointers ? await neighbour(invocation, flag, given, params) : valueOf(flag, given, jsonGiven));
  }
  for (const path of clearedBy(invocation, endpoint)) place(body, path, null, schema);
  Object.assign(body, await command.body?.(invocation));
  Object.assign(query, await command.query?.(invocation));
  refuseMissing(invocation, endpoint, { ...query, ...body });
  if (endpoint.method === 'PATCH' && flags.data === undefined && Object.keys(body).length === 0) {
    throw new UsageError(
      'Nothing is given that should change.',
      `Give at least one of ${derived.map(({ long }) => long).join(', ')}.`,
    );
  }
  return { query, body: endpoint.body ? body : undefined };
}

async function neighbour(
  { client }: Invocation,
  { long, pointers }: DerivedFlag,
  text: string,
  params: Record<string, string>,
) {
  const { pointerFor } = await import('./pointer.ts');
  return pointerFor({ flag: long, text, pointers: pointers!, params, client });
}

/** The paths that `--clear` and switches of their own set to null. @throws UsageError */
function clearedBy({ flags, command }: Invocation, endpoint: Endpoint): string[][] {
  const known = clearable(endpoint, command);
  const named = ((flags.clear as string[] | undefined) ?? []).map((name) => {
    const found = known.find((candidate) => candidate.name === kebab(name) && !candidate.switch);
    if (found) return found.path;
    throw new UsageError(
      `--clear: "${name}" cannot be cleared here.`,
      `What can be: ${known.map((candidate) => candidate.name).join(', ')}.`,
    );
  });
  const switched = known.filter((candidate) => candidate.switch && flags[candidate.switch.slice(2)]);
  return [...named, ...switched.map(({ path }) => path)];
}

/** Told before anything is sent, with the flag or argument by name. */
function refuseMissing(invocation: Invocation, endpoint: Endpoint, given: Record<string, unknown>): void {
  const { command, derived, path } = invocation;
  const asked = askedOf(endpoint);
  const members = { ...asked.query, ...asked.body?.members };
  const filled = new Map([...argumentFields(endpoint, command)].map(([name, flag]) => [flag.path[0], name]));
  const missing = Object.keys(members)
    .filter((name) => !members[name]!.optional && given[name] === undefined)
    .map((name) => {
      const argument = filled.get(name);
      return argument === undefined ? derived.find((flag) => flag.path[0] === name)?.long : `<${argument}>`;
    })
    .filter((name) => name !== undefined);
  if (missing.length === 0) return;
  throw new UsageError(
    `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing.`,
    `See "docsctl ${path} --help".`,
  );
}

/** Runs a command that an endpoint describes. */
export async function runDerived(invocation: Invocation): Promise<void> {
  const variadic = argumentsOf(invocation.command.use).find((arg) => arg.variadic);
  if (variadic) {
    const { runMany } = await import('./many.ts');
    return runMany(invocation, variadic.name);
  }
  const call = await callOf(invocation);
  if (invocation.globals.dryRun) return printRequest(invocation, call);
  await confirmed(invocation, [call]);
  if (call.endpoint.paged) return list(invocation, call);
  const answer = await send(invocation, call);
  if (answer === undefined || (invocation.command.done !== undefined && isEmpty(answer)))
    return invocation.io.note(doneText(invocation, call));
  await printAnswer(invocation, call.endpoint, answer);
}

/** The one call of this run. */
export async function callOf(invocation: Invocation): Promise<Call> {
  const params = await paramsOf(invocation);
  return { endpoint: endpointOf(invocation), params, ...(await inputOf(invocation, params)) };
}

/** Asks where the command says so. @throws UsageError without a terminal and without --yes; CommandError for a no */
export async function confirmed(invocation: Invocation, calls: Call[]): Promise<void> {
  const { confirm: asked } = invocation.command;
  if (!asked || !calls.some(({ body = {} }) => asked.when?.(body) ?? true)) return;
  const { confirm } = await import('./confirm.ts');
  await confirm(invocation, calls);
}

/** Prints what the service answered, a list that comes whole as a list. */
export async function printAnswer(invocation: Invocation, endpoint: Endpoint, answer: unknown): Promise<void> {
  const { command } = invocation;
  const shown = command.select ? command.select(answer) : answer;
  if (!Array.isArray(shown)) return print(invocation, shown, undefined, optionsFor(invocation, endpoint));
  const output = await listOutput(invocation, optionsFor(invocation, endpoint), invocation.io.out);
  await output.page(shown);
  await output.end();
}

/** How this run prints, with what the contract knows of the answer. */
export function optionsFor(invocation: Invocation, endpoint: Endpoint) {
  const { globals, command } = invocation;
  const schema = globals.columns === undefined ? undefined : (endpoint.items ?? endpoint.answer);
  return outputOptions(invocation, {
    ...(command.idKey === undefined ? {} : { idKey: command.idKey }),
    ...(schema === undefined ? {} : { known: pathsIn(fieldOf(schema())) }),
  });
}

/** Every path below a field, those of all branches of a union. */
export function pathsIn({ members = {}, branches = [] }: Field, prefix = ''): string[] {
  const own = Object.entries(members).flatMap(([name, member]) => [
    prefix + name,
    ...pathsIn(member, `${prefix}${name}.`),
  ]);
  return [...new Set([...own, ...branches.flatMap((branch) => pathsIn(branch, prefix))])];
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
export const printRequest = (invocation: Invocation, call: Call): Promise<void> => printRequests(invocation, [call]);

/** As `printRequest`, for several: as JSON they are one array. */
export async function printRequests(invocation: Invocation, calls: readonly Call[]): Promise<void> {
  const address = (await invocation.session.address()).value;
  await printWires(
    invocation,
    calls.map(({ endpoint, params, query, body }) => ({
      method: endpoint.method,
      url: `${address.replace(/\/$/, '')}${pathWith(endpoint.path, params)}${encodeQuery(query)}`,
      ...(body === undefined ? {} : { body }),
    })),
  );
}

interface Wire {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Words that pick something out of an answer, which a request has nothing of. */
const picksOut = ({ output, jq, columns }: Globals) => output === 'id' || jq !== undefined || columns !== undefined;

/**
 * Requests as text, or as JSON or YAML where that is asked for. A script that picks values out of the answer would take
 * a request for one: then standard output stays empty, and the request is told on standard error.
 */
export async function printWires(invocation: Invocation, requests: readonly Wire[]): Promise<void> {
  const { globals, io } = invocation;
  const sink = picksOut(globals) ? io.err : io.out;
  const shown = requests.map(({ body, ...rest }) => ({
    ...rest,
    ...(body === undefined ? {} : { body: body instanceof Uint8Array ? Buffer.from(body).toString() : body }),
  }));
  const { output: format } = globals;
  if (format === 'json' || format === 'jsonl' || format === 'yaml') {
    const { printObject } = await import('./output/index.ts');
    return printObject({ ...io.screen, format }, shown.length === 1 ? shown[0] : shown, [], sink);
  }
  const isShown = io.screen.terminal || sink === io.err;
  for (const request of shown) await sink.write(isShown ? visibleLines(wireText(request)) : wireText(request));
}

function wireText({ method, url, headers = {}, body }: Wire): string {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  const lines = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  if (text !== undefined) lines.push(...(lines.length > 1 ? [''] : []), text.replace(/\n$/, ''));
  return `${lines.join('\n')}\n`;
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
  const options = optionsFor(invocation, endpoint);
  const client = await invocation.client();
  const progress = createProgress('Reading', { lively: io.lively });
  const { failOn } = command;
  const unwanted = new Set(failOn ? (flags.failOn as string[] | undefined) : []);
  let found = 0;
  const sink = progress.above(io.out);
  const raw =
    passesThrough(options) && !command.select && unwanted.size === 0 ? createRawListOutput(options, sink) : undefined;
  const parsed = raw ? undefined : await listOutput(invocation, options, sink);
  const output = (raw ?? parsed)!;
  let done = 0;
  try {
    const pages = client.pages(endpoint, { params, query } as never, {
      pageSize: flags.pageSize ?? pageSizeFor(limit, options.terminal, await isEmbedded(invocation)),
      raw: raw !== undefined,
      ...(limit === undefined ? {} : { limit }),
      ...(flags.page === undefined ? {} : { page: flags.page }),
    });
    for await (const page of pages) {
      const { size, count } = page;
      done += size;
      if (raw) await raw.page(page.raw!);
      else {
        const items = page.items as any[];
        if (unwanted.size > 0) found += items.filter((item) => unwanted.has(item[failOn!.key])).length;
        await parsed!.page(command.select ? items.map(command.select) : items);
      }
      progress.count(done, limit === undefined || count === undefined ? count : Math.min(count, limit));
    }
    await output.end();
  } catch (error) {
    await output.abort();
    throw error;
  } finally {
    progress.stop();
  }
  // In other formats an empty list is plain to see, or to be read by a program.
  const isTable = options.format === 'table' || (options.format === undefined && options.terminal);
  if (done === 0 && isTable && options.jq === undefined) await io.note('Nothing found.');
  if (found > 0) {
    throw new CommandError(
      `${found} of ${done} ${done === 1 ? 'link' : 'links'} ${found === 1 ? 'is' : 'are'} ${[...unwanted].join(' or ')}.`,
      {
        exitCode: exit.checkSaidNo,
      },
    );
  }
}

// A short list costs one request either way; a long one costs fewer requests with larger pages. In-process a request
// costs next to nothing, and smaller pages take less memory.
const pageSizeFor = (limit: number | undefined, isTerminal: boolean, isInProcess: boolean) =>
  isTerminal && limit === undefined ? 200 : Math.max(1, Math.min(limit ?? 1000, isInProcess ? 500 : 1000));

const isEmbedded = async ({ session }: Invocation) =>
  embeddedFile((await session.address()).value, session.env) !== undefined;

async function listOutput(
  invocation: Invocation,
  options: ReturnType<typeof outputOptions>,
  sink: Invocation['io']['out'],
): Promise<ListOutput> {
  const columns = invocation.command.columns ?? [{ key: 'id', kind: 'id' as const }];
  const { tree } = invocation.command;
  if (!tree) return createListOutput(options, columns, sink);
  const { createTreeOutput } = await import('./output/index.ts');
  if ('children' in tree) return createTreeOutput(options, columns, sink, tree.children);
  // Only a picture of the tree needs all of it: everywhere else the items stand as they come.
  const isPicture = options.format === 'table' || (options.format === undefined && options.terminal);
  if (!isPicture || options.jq !== undefined) return createListOutput(options, columns, sink);
  return gathered(tree.parent, (children) => createTreeOutput(options, columns, sink, children));
}

/** Holds a flat list back until its end, and then prints it as the tree that its items say they are. */
function gathered(
  parentOf: (item: any) => string | undefined,
  open: (children: (item: any) => unknown[] | undefined) => ListOutput,
): ListOutput {
  const items: any[] = [];
  return {
    async page(more) {
      items.push(...more);
    },
    async end() {
      const ids = new Set(items.map(({ id }) => id));
      const below = Map.groupBy(items, (item) => {
        const parent = parentOf(item);
        return parent !== undefined && ids.has(parent) ? parent : '';
      });
      const output = open(({ id }) => below.get(id));
      await output.page(below.get('') ?? []);
      await output.end();
    },
    async abort() {},
  };
}
