import type { RawAnswer } from '../../client/client.ts';
import { withoutCredentials } from '../../client/address.ts';
import { HttpError } from '../../client/errors/http-error.ts';
import { createRedactor } from '../../client/secrets.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { fileBytes, fileText, type Invocation, outputOptions, print, scopeOf } from '../../cli/command/invocation.ts';
import { createListOutput, createProgress, visibleLines } from '../../cli/output/index.ts';
import { printWireRequests } from '../../cli/command/run.ts';
import { dotSegmentRefusal, hasDotSegment } from '../../contract/path.ts';
import { encodeQuery } from '../../contract/fields.ts';
import { groupOf } from '../../contract/groups.ts';

interface Request {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Sends one request, or with `--paginate` as many as a list has pages. */
export async function request(invocation: Invocation): Promise<void> {
  const { flags, globals } = invocation;
  const wanted = await requestOf(invocation);
  if (globals.dryRun) {
    const { value } = await invocation.session.address();
    const headers =
      Object.keys(wanted.headers).length > 0 ? { headers: createRedactor([]).headers(wanted.headers) } : {};
    return printWireRequests(invocation, [
      {
        method: wanted.method,
        url: /^https?:/i.test(wanted.path) ? wanted.path : value.replace(/\/$/, '') + wanted.path,
        ...headers,
        ...(wanted.body === undefined ? {} : { body: wanted.body }),
      },
    ]);
  }
  if (flags.paginate) return paginate(invocation, wanted);
  await printRaw(invocation, await send(invocation, wanted));
}

async function requestOf(invocation: Invocation): Promise<Request> {
  const { args, flags } = invocation;
  const words = [args.method, args.path].filter((word): word is string => typeof word === 'string');
  if (words.length === 0) throw new UsageError('<path> is missing.', 'For example: docsctl api orgs.');
  const [first, second] = words as [string, string?];
  if (second === undefined && methods.has(first)) throw new UsageError('<path> is missing.', `${first} what?`);
  const fields = fieldsOf(invocation);
  const hasBody = flags.input !== undefined;
  const isFilled = Object.keys(fields).length > 0;
  const usual = (isFilled || hasBody) && !flags.paginate ? 'POST' : 'GET';
  const method = second === undefined ? usual : first.toUpperCase();
  if (!methods.has(method)) throw new UsageError(`"${first}" is no method.`, `There are ${[...methods].join(', ')}.`);
  if (flags.paginate && (method !== 'GET' || hasBody))
    throw new UsageError('--paginate goes with GET and fields only.');
  const isQuery = hasBody || method === 'GET' || method === 'HEAD';
  const path = await pathOf(invocation, second ?? first);
  if (hasDotSegment(path.replace(/[?#].*$/s, '')))
    throw new UsageError(`<path>: ${dotSegmentRefusal(withoutCredentials(path))}`, 'Write the path as it is meant.');
  return {
    method,
    path: isQuery ? withQuery(path, fields) : path,
    headers: headersOf(flags.H as string[] | undefined),
    body: hasBody ? fileBytes(flags.input, '--input') : isQuery || !isFilled ? undefined : fields,
  };
}

const scopes = ['org', 'space', 'site'] as const;

/** `user` and `/user` are `/v1/user`; `/files/...` and what else is no path of the API stays as it is. */
function belowVersion(given: string): string {
  const path = given.replace(/^\//, '');
  if (path.startsWith('v1/')) return `/${path}`;
  const isOfApi = !given.startsWith('/') || groupOf(path.replace(/[?#].*/s, '').split('/')) !== undefined;
  return isOfApi ? `/v1/${path}` : given;
}

/** The path below the address of the service, with the context filled in. */
async function pathOf(invocation: Invocation, given: string): Promise<string> {
  let path = /^https?:/i.test(given) ? given : belowVersion(given);
  for (const scope of scopes) {
    if (path.includes(`{${scope}}`))
      path = path.replaceAll(`{${scope}}`, encodeURIComponent(await scopeOf(invocation, scope)));
  }
  return path;
}

function withQuery(path: string, fields: Record<string, unknown>): string {
  const values = Object.entries(fields).map(([name, value]) => {
    const isPlain = typeof value !== 'object' || value === null || Array.isArray(value);
    if (isPlain) return [name, value] as const;
    throw new UsageError(`${name}: a query takes no nested fields.`);
  });
  const query = encodeQuery(Object.fromEntries(values));
  return path.includes('?') ? path + query.replace('?', '&') : path + query;
}

function headersOf(given: string[] = []): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/.exec(text) ?? [];
      if (name !== undefined) return [name.toLowerCase(), value!.trimStart()];
      throw new UsageError(`-H: "${text}" is not name: value.`, 'For example -H "Accept: application/json".');
    }),
  );
}

/** `-f` and `-F` as one object. @throws UsageError */
function fieldsOf({ flags }: Invocation): Record<string, unknown> {
  const fields: Record<string, unknown> = Object.create(null);
  const given = [
    ...((flags.field as string[] | undefined) ?? []).map((text) => [text, (value: string): unknown => value] as const),
    ...((flags.typed as string[] | undefined) ?? []).map((text) => [text, typedValue] as const),
  ];
  for (const [text, read] of given) {
    const at = text.indexOf('=');
    if (at < 1) throw new UsageError(`"${text}" is not key=value.`, 'For example -f title=Pumps.');
    put(fields, stepsOf(text.slice(0, at)), read(text.slice(at + 1)), text);
  }
  return fields;
}

/** `a[b][]` is `a`, `b`, and the end of a list. */
function stepsOf(key: string): string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(key);
  if (!match) throw new UsageError(`"${key}" is no key.`, 'Keys are a, a[b], a[b][c] or a[].');
  return [match[1]!, ...[...match[2]!.matchAll(/\[([^[\]]*)\]/g)].map((step) => step[1]!)];
}

type Container = Record<string, unknown> | unknown[];

function put(target: Container, [step, ...rest]: string[], value: unknown, text: string): void {
  const isList = Array.isArray(target);
  if (isList !== (step === ''))
    throw new UsageError(`"${text}" goes into a ${isList ? 'list' : 'field'} that is none.`);
  if (rest.length === 0) {
    if (isList) target.push(value);
    else target[step!] = value;
    return;
  }
  const make = (): Container => (rest[0] === '' ? [] : Object.create(null));
  if (isList) {
    // `a[][b]=1 a[][c]=2` fill one object, until a key comes again.
    const last = target.at(-1);
    const fits = rest[0] !== '' && isContainer(last) && !Array.isArray(last) && !(rest[0]! in last);
    const inner = fits ? last : make();
    if (!fits) target.push(inner);
    return put(inner, rest, value, text);
  }
  const inner = (target[step!] ??= make());
  if (!isContainer(inner)) throw new UsageError(`"${text}" goes into a field that holds a value already.`);
  put(inner, rest, value, text);
}

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

/** What `-F` reads a value as. */
function typedValue(text: string): unknown {
  if (text.startsWith('@')) return fileText(text.slice(1), '-F');
  if (!/^(true|false|null|-?\d+(\.\d+)?([eE][+-]?\d+)?|[[{"].*)$/s.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch (error) {
    // Numbers such as 007 are texts to JSON.
    if (/^-?\d/.test(text)) return text;
    throw new UsageError(`-F: "${text}" is not JSON: ${(error as Error).message}`, 'Give text as it stands with -f.');
  }
}

async function send(invocation: Invocation, { method, path, headers, body }: Request): Promise<RawAnswer> {
  const client = await invocation.client();
  const progress = createProgress('Waiting for the service', { animated: invocation.io.canAnimate });
  try {
    return await client.request(method, path, {
      headers,
      ...(body === undefined ? {} : { body }),
      forShow: invocation.flags.include === true,
    });
  } catch (error) {
    // What is wrong is told on standard error as always; who asks for the head wants to see what came.
    const { include, paginate: isList } = invocation.flags;
    if (include && !isList && error instanceof HttpError) await invocation.io.out.write(refusalText(error));
    throw error;
  } finally {
    progress.stop();
  }
}

async function printRaw(invocation: Invocation, answer: RawAnswer): Promise<void> {
  const { io, flags, globals } = invocation;
  if (flags.include) await io.out.write(headText(answer));
  if (answer.bytes.byteLength === 0) return;
  const isShaped = globals.output !== undefined || globals.jq !== undefined || globals.columns !== undefined;
  if (answer.body !== undefined && (isShaped || io.screen.terminal)) {
    if (isShaped) return print(invocation, answer.body);
    return print(invocation, answer.body, undefined, outputOptions(invocation, { format: 'json' }));
  }
  if (isShaped) throw new UsageError('The answer is not JSON, so it cannot be printed in another form.');
  const isWhole = answer.body === undefined || answer.text.endsWith('\n');
  if (!io.screen.terminal) return io.out.write(isWhole ? answer.bytes : `${answer.text}\n`);
  await io.out.write(`${visibleLines(answer.text).trimEnd()}\n`);
}

function refusalText(error: HttpError): string {
  const body = typeof error.body === 'string' ? error.body : JSON.stringify(error.body);
  return headText(error) + (body === '' ? '' : visibleLines(`${body.trimEnd()}\n`));
}

const headText = ({ status, headers }: Pick<RawAnswer, 'status' | 'headers'>) =>
  visibleLines(
    [`HTTP ${status}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), '', ''].join('\n'),
  );

/** Prints the items of all pages as one list. */
async function paginate(invocation: Invocation, wanted: Request): Promise<void> {
  const { io, flags } = invocation;
  const first = /[?&]limit=/.test(wanted.path) ? wanted.path : withQuery(wanted.path, { limit: 1000 });
  const options = outputOptions(invocation);
  const isPlain = options.format === undefined && options.columns === undefined;
  const progress = createProgress('Reading', { animated: io.canAnimate });
  const output = createListOutput(isPlain ? { ...options, format: 'json' } : options, [], progress.above(io.out));
  const seen = new Set<string>();
  let done = 0;
  try {
    for (let path: string | undefined = first; path !== undefined;) {
      const answer = await send(invocation, { ...wanted, path });
      const { items, next, count } = listIn(answer.body, wanted.path);
      if (flags.include && seen.size === 0) await io.out.write(headText(answer));
      done += items.length;
      await output.page(items);
      progress.count(done, count);
      if (next !== undefined && seen.has(next)) {
        throw new UsageError(`${wanted.path} gave the same page token twice: the list would never end.`);
      }
      if (next !== undefined) seen.add(next);
      path = next === undefined ? undefined : withQuery(first.replace(/([?&])page=[^&]*&?/, '$1'), { page: next });
    }
    await output.end();
  } catch (error) {
    await output.abort();
    throw error;
  } finally {
    progress.stop();
  }
}

function listIn(body: unknown, path: string): { items: unknown[]; next?: string | undefined; count?: number } {
  const { items, next, count } = (body ?? {}) as { items?: unknown; next?: { page?: unknown }; count?: unknown };
  if (!Array.isArray(items)) throw new UsageError(`${path} answers no list.`, 'Leave --paginate out.');
  return {
    items,
    ...(typeof next?.page === 'string' ? { next: next.page } : {}),
    ...(typeof count === 'number' ? { count } : {}),
  };
}
