import { type Endpoint, maxLimit } from '../../contract/endpoint.ts';
import type { ErrorBody } from '../../contract/errors.ts';
import { isBusy } from '../../store/connection.ts';
import { findCaller, findUser } from '../../store/lookups.ts';
import type { Db } from '../../store/store.ts';
import { permit } from './permit.ts';
import type { Caller, Context } from './context.ts';
import { DomainError, NotFound, Unauthenticated } from './errors.ts';
import type { AnyHandler } from './implement.ts';
import type { Instance } from './instance.ts';
import { writeJson } from './json-text.ts';
import { decodeToken, encodeToken, type Listed, type PageRequest } from './paging.ts';
import { bodyLimit, checkBody, type InstanceRequest, type InstanceResponse, readBody, readQuery } from './request.ts';
import { resolve } from './resolve.ts';
import { RequestTexts } from './request-texts.ts';
import type { FindRoute, Found, Route } from './routes.ts';
import { hashToken } from './tokens.ts';

const json = 'application/json; charset=utf-8';

/** What `open-instance.ts` connects, because the engine must not import rules. */
export interface Routing {
  findRoute: FindRoute;
  /** Answers addresses outside `/v1`; undefined for an address that does not exist. */
  publicRoute(instance: Instance, request: InstanceRequest): Promise<InstanceResponse | undefined>;
}

/** Answers one request, whichever transport brought it. Never throws. */
export async function handle(
  instance: Instance,
  { findRoute, publicRoute }: Routing,
  request: InstanceRequest,
  requestId: string,
): Promise<InstanceResponse> {
  let found: RouteFound | undefined;
  try {
    if (!request.path.startsWith('/v1/')) {
      const answered = await publicRoute(instance, request);
      if (answered) return marked(answered, requestId);
    }
    found = await routeOf(findRoute, request);
    return marked(await answer(instance, request, found.route, found.params), requestId, found);
  } catch (error) {
    return marked(failure(instance, error, requestId), requestId, found);
  }
}

/**
 * Judges a request by its address and token alone, before its body is read. Never throws.
 *
 * @returns the answer that refuses it
 */
export async function refuseEarly(
  instance: Instance,
  { findRoute }: Routing,
  request: InstanceRequest,
  requestId: string,
): Promise<InstanceResponse | undefined> {
  let found: RouteFound | undefined;
  try {
    found = await routeOf(findRoute, request);
    await instance.store.read((db) => identify(db, request, timeOf(instance, request)));
    return undefined;
  } catch (error) {
    return marked(failure(instance, error, requestId), requestId, found);
  }
}

export async function bodyLimitOf({ findRoute }: Routing, method: string, path: string): Promise<number> {
  const found = await findRoute(method, path);
  return bodyLimit(found.kind === 'route' ? found.route.endpoint : undefined);
}

type RouteFound = Extract<Found, { kind: 'route' }>;

/** @throws NotFound, or DomainError `method-not-allowed` */
async function routeOf(findRoute: FindRoute, request: InstanceRequest): Promise<RouteFound> {
  const found = await findRoute(request.method, request.path);
  if (found.kind === 'none') throw new NotFound('address in this service');
  if (found.kind === 'method') {
    const allow = found.allow.join(', ');
    const message = `This address does not answer ${request.method}, only ${allow}.`;
    throw new DomainError('method-not-allowed', message, undefined, { allow });
  }
  return found;
}

function marked(response: InstanceResponse, requestId: string, found?: RouteFound): InstanceResponse {
  response.headers['x-request-id'] = requestId;
  if (found) response.route = found.route.endpoint.path;
  return response;
}

async function answer(
  instance: Instance,
  request: InstanceRequest,
  route: Route,
  params: Record<string, string>,
): Promise<InstanceResponse> {
  const { endpoint, handler } = route;
  const now = timeOf(instance, request);
  const reply: Context['reply'] = {};
  let caller: Caller | undefined;
  let body: Record<string, unknown> | undefined;
  const texts = new RequestTexts(instance.texts, () => caller?.id ?? '');

  const contextIn = async (db: Db): Promise<Context> => {
    caller ??= await identify(db, request, now);
    body ??= readBody(endpoint, request);
    const at = await resolve(db, caller, endpoint, params, now);
    permit(endpoint.access, at);
    if (typeof handler === 'object') await handler.permit?.({ db, caller, at: at as Context['at'], body });
    const query = readQuery(endpoint, request.query);
    return {
      db,
      caller,
      at: at as Context['at'],
      params: params as Context['params'],
      query: query as Context['query'],
      body: checkBody(endpoint, body) as Context['body'],
      now,
      base: instance.base,
      page: pageOf(endpoint, request, query),
      instance,
      texts,
      reply,
    };
  };

  const turn = endpoint.method === 'GET' ? instance.store.read : instance.store.write;
  const result = await run(handler, contextIn, turn, instance, texts);
  return success(endpoint, request, result, reply, instance.base);
}

async function run(
  handler: AnyHandler,
  contextIn: (db: Db) => Promise<Context>,
  turn: Instance['store']['read'],
  instance: Instance,
  texts: RequestTexts,
): Promise<unknown> {
  if (typeof handler === 'function') return texts.within(() => turn(async (db) => handler(await contextIn(db))));
  const prepared = await handler.prepare?.(await instance.store.read(contextIn));
  return texts.within(() => turn(async (db) => handler.handle(await contextIn(db), prepared)));
}

const timeOf = (instance: Instance, request: InstanceRequest) => new Date(request.now ?? instance.now()).toISOString();

async function identify(db: Db, request: InstanceRequest, now: string): Promise<Caller> {
  const caller = request.as === undefined ? await byToken(db, request, now) : await findUser(db, request.as);
  if (!caller)
    throw new Unauthenticated('The token is unknown, expired or revoked. Sign in again, or ask for a new one.');
  return caller;
}

function byToken(db: Db, request: InstanceRequest, now: string): Promise<Caller | undefined> {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) throw new Unauthenticated('A token is needed: send Authorization: Bearer <token>.');
  return findCaller(db, hashToken(token), now);
}

function pageOf(endpoint: Endpoint, request: InstanceRequest, query: Record<string, unknown>): PageRequest {
  if (!endpoint.paged) return { limit: maxLimit, after: undefined };
  const token = query.page as string | undefined;
  return {
    limit: query.limit as number,
    after: token === undefined ? undefined : decodeToken(scopeOf(request), token),
  };
}

/** What a page token is good for: this list, these filters. */
function scopeOf(request: InstanceRequest): string {
  const filters = [...request.query].filter(([name]) => name !== 'page' && name !== 'limit');
  return JSON.stringify([request.path, filters.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}

function success(
  endpoint: Endpoint,
  request: InstanceRequest,
  result: unknown,
  reply: Context['reply'],
  base: string,
): InstanceResponse {
  const status = reply.status ?? endpoint.status ?? 200;
  if (status === 204) return { status, headers: {}, body: '' };
  if (status === 205) return { status, headers: { 'content-length': '0' }, body: '' };
  const answer = endpoint.paged ? envelope(request, result as Listed<unknown>) : result;
  const headers: Record<string, string> = { 'content-type': json };
  if (status === 201) headers.location = reply.location ?? locationOf(answer, `${base}${request.path}`);
  return { status, headers, body: writeJson(answer ?? {}) };
}

function envelope(request: InstanceRequest, { items, count, next, envelope: more }: Listed<unknown>) {
  return { ...(next ? { next: { page: encodeToken(scopeOf(request), next) } } : {}), count, ...more, items };
}

function locationOf(answer: unknown, address: string): string {
  const { urls, id } = answer as { urls?: { location?: string }; id?: string };
  return urls?.location ?? (id === undefined ? address : `${address}/${id}`);
}

function failure(instance: Instance, error: unknown, requestId: string): InstanceResponse {
  const told = error instanceof DomainError ? error : unexpected(instance, error, requestId);
  const body: ErrorBody = {
    error: {
      code: told.status,
      message: told.message,
      reason: told.reason,
      ...(told.details ? { details: told.details } : {}),
      requestId,
    },
  };
  return { status: told.status, headers: { 'content-type': json, ...told.headers }, body: JSON.stringify(body) };
}

/** Whatever is no domain error is a fault of ours: logged with its stack, told without its text. */
function unexpected(instance: Instance, error: unknown, requestId: string): DomainError {
  if (isBusy(error)) {
    return new DomainError('unavailable', 'The database is busy with another process. Try again.', undefined, {
      'retry-after': '1',
    });
  }
  if (isFull(error)) {
    return new DomainError(
      'unavailable',
      'The disk of this instance is full, so nothing can be written. Make room and try again.',
      undefined,
      { 'retry-after': '30' },
    );
  }
  instance.log.fault(requestId, error);
  return new DomainError(
    'internal',
    'The service met a fault of its own. Nothing was changed; the request id helps to find it in the log.',
  );
}

// SQLITE_FULL, and SQLITE_IOERR when the write-ahead log itself meets the end of the disk.
function isFull(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode;
  return code !== undefined && ((code & 0xff) === 13 || (code & 0xff) === 10);
}
