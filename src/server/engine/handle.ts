import { type Endpoint, maxLimit } from '../../contract/endpoint.ts';
import { instanceHeader } from '../../contract/instance.ts';
import { version } from '../../shared/version.ts';
import { findCaller, findUser } from '../../store/lookups.ts';
import type { Db, WritePlace } from '../../store/store.ts';
import type { Caller, Context } from './context.ts';
import { DomainError, NotFound, Unauthenticated } from './errors.ts';
import type { AnyContext, AnyHandler } from './implement.ts';
import type { Instance } from './instance.ts';
import { decodeToken, type PageRequest } from './paging.ts';
import { permit } from './permit.ts';
import { bodyLimit } from './read-body.ts';
import { type ReceivedBody, receiveBody } from './receive-body.ts';
import { type InstanceRequest, type InstanceResponse, readQuery } from './request.ts';
import { RequestTexts } from './request-texts.ts';
import { resolve } from './resolve.ts';
import { assertStorable } from './stored-text.ts';
import { errorResponse, listScope, successResponse } from './response.ts';
import type { FindRoute, FoundRoute } from './routes.ts';
import { hashToken } from './tokens.ts';

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
  let route: FoundRoute | undefined;
  try {
    if (!request.path.startsWith('/v1/')) {
      const response = await publicRoute(instance, request);
      if (response) return addRequestId(response, requestId);
    }
    route = await getRoute(findRoute, request);
    return addRequestId(await answer(instance, request, route), requestId, route);
  } catch (error) {
    return addRequestId(errorResponse(instance, error, requestId), requestId, route);
  }
}

/**
 * Checks the address and the token of a request before its body is read. Never throws.
 *
 * @returns the response that refuses it
 */
export async function refuseEarly(
  instance: Instance,
  { findRoute }: Routing,
  request: InstanceRequest,
  requestId: string,
): Promise<InstanceResponse | undefined> {
  let route: FoundRoute | undefined;
  try {
    route = await getRoute(findRoute, request);
    await instance.store.read((db) => identify(db, request, timeOf(instance, request)));
    return undefined;
  } catch (error) {
    return addRequestId(errorResponse(instance, error, requestId), requestId, route);
  }
}

export async function bodyLimitOf({ findRoute }: Routing, method: string, path: string): Promise<number> {
  const route = await findRoute(method, path);
  return bodyLimit(route.kind === 'route' ? route.endpoint : undefined);
}

/** @throws NotFound, or DomainError `method-not-allowed` */
async function getRoute(findRoute: FindRoute, { method, path }: InstanceRequest): Promise<FoundRoute> {
  const route = await findRoute(method, path);
  if (route.kind === 'none') throw new NotFound('address');
  if (route.kind === 'method') {
    const allow = route.allow.join(', ');
    const message = `The method ${method} is not allowed at this address. Allowed: ${allow}.`;
    throw new DomainError('method-not-allowed', message, undefined, { allow });
  }
  return route;
}

function addRequestId(response: InstanceResponse, requestId: string, route?: FoundRoute): InstanceResponse {
  response.headers['x-request-id'] = requestId;
  response.headers[instanceHeader] = version;
  if (route) response.route = route.endpoint.path;
  return response;
}

async function answer(
  instance: Instance,
  request: InstanceRequest,
  { endpoint, handler, params }: FoundRoute,
): Promise<InstanceResponse> {
  const now = timeOf(instance, request);
  let reply: Context['reply'] = {};
  let caller: Caller | undefined;
  let body: ReceivedBody | undefined;
  let afterCommit: (() => void)[] = [];
  const texts = new RequestTexts(instance.texts, () => caller?.id ?? '');

  const contextIn = async (db: Db): Promise<AnyContext> => {
    // What an attempt before this one wrote is undone.
    afterCommit = [];
    reply = {};
    caller ??= await identify(db, request, now);
    body ??= await receiveBody(endpoint, request, texts);
    const objects = await resolve(db, caller, endpoint, params, now);
    permit(endpoint.access, objects);
    if (typeof handler === 'object') await handler.permit?.({ db, caller, objects, body: body.outline });
    const query = readQuery(endpoint, request.query);
    const values = body.check();
    if (!db.dialect.holdsNul) {
      assertStorable(values, 'body');
      assertStorable(query, 'query');
    }
    return {
      db,
      caller,
      objects,
      params,
      query,
      body: values,
      now,
      base: instance.base,
      page: pageOf(endpoint, request, query),
      instance,
      request,
      texts,
      afterCommit: (work) => void afterCommit.push(work),
      reply,
    };
  };

  const { store } = instance;
  const transaction = <T>(work: (db: Db) => Promise<T>) =>
    endpoint.method === 'GET' ? store.read(work) : store.write(work, placeOf(endpoint, params));
  const result = await run(handler, contextIn, transaction, instance, texts);
  for (const work of afterCommit) work();
  return successResponse(endpoint, request, result, reply, instance.base);
}

async function run(
  handler: AnyHandler,
  contextIn: (db: Db) => Promise<AnyContext>,
  transaction: Instance['store']['read'],
  instance: Instance,
  texts: RequestTexts,
): Promise<unknown> {
  if (typeof handler === 'function') {
    return texts.within(() => transaction(async (db) => handler(await contextIn(db))));
  }
  const prepared = await handler.prepare?.(await texts.within(() => instance.store.read(contextIn)));
  return texts.within(() => transaction(async (db) => handler.handle(await contextIn(db), prepared)));
}

/** These write only content and comments of the space, and its change requests. */
const inSpace = /^\/v1\/spaces\/\{spaceId\}\/(?:content|change-requests|comments)\b/;

function placeOf({ path }: Endpoint, { spaceId, orgId, collectionId }: Record<string, string>): WritePlace | undefined {
  if (spaceId !== undefined) return { kind: inSpace.test(path) ? 'content' : 'space', id: spaceId };
  if (orgId !== undefined) return { kind: 'organization', id: orgId };
  return collectionId === undefined ? undefined : { kind: 'collection', id: collectionId };
}

const timeOf = (instance: Instance, request: InstanceRequest) => new Date(request.now ?? instance.now()).toISOString();

/** The caller of a request. @throws Unauthenticated */
export async function identify(db: Db, request: InstanceRequest, now: string): Promise<Caller> {
  const caller = request.as === undefined ? await findByToken(db, request, now) : await findUser(db, request.as);
  if (!caller)
    throw new Unauthenticated('The token is unknown, expired or revoked. Sign in again, or ask for a new one.');
  return caller;
}

/** The token of a request. */
export const bearerOf = ({ headers }: InstanceRequest): string | undefined =>
  /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];

function findByToken(db: Db, request: InstanceRequest, now: string): Promise<Caller | undefined> {
  const token = bearerOf(request);
  if (token === undefined) throw new Unauthenticated('A token is needed: send Authorization: Bearer <token>.');
  return findCaller(db, hashToken(token), now);
}

function pageOf(endpoint: Endpoint, request: InstanceRequest, query: Record<string, unknown>): PageRequest {
  const { page, limit } = query;
  if (!endpoint.paged || typeof limit !== 'number') return { limit: maxLimit, after: undefined };
  return { limit, after: typeof page === 'string' ? decodeToken(listScope(request), page) : undefined };
}
