import type { ObjectKey, ObjectParam, objects } from '../../contract/objects.ts';
import type { BodyOf, Endpoint, ParamsOf, PathOf, QueryOf } from '../../contract/endpoint.ts';
import type { Db } from '../../store/store.ts';
import type { Instance } from './instance.ts';
import type { Caller, Objects } from './load-objects.ts';
import type { PageRequest } from './paging.ts';
import type { InstanceRequest } from './request.ts';
import type { RequestTexts } from './request-texts.ts';

export type { Caller, LoadedCollection, LoadedMember, Objects, LoadedOrg, LoadedSpace } from './load-objects.ts';

type Named<Param> = Param extends ObjectParam
  ? (typeof objects)[Param] extends { key: infer Key extends ObjectKey }
    ? Key
    : never
  : never;
type Implied<Param> = Param extends 'spaceId' | 'collectionId' ? 'org' : never;
type LoadedBy<Params> = Named<keyof Params> | Implied<keyof Params>;

/** The objects an endpoint's path loads; all of them if the path is built from a prefix. */
type ObjectsOf<E> = string extends PathOf<E> ? Objects : Pick<Objects, LoadedBy<ParamsOf<E>>>;

/** What a handler gets. For a write, `db` is already the transaction. */
export interface Context<E = Endpoint> {
  db: Db;
  caller: Caller;
  objects: ObjectsOf<E>;
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  /** The one time of this request, ISO 8601 with milliseconds. */
  now: string;
  /** Base address of the instance as the caller sees it, without a slash at its end. */
  base: string;
  page: PageRequest;
  instance: Instance;
  /** What few handlers look at. */
  request: Pick<InstanceRequest, 'headers' | 'signal'>;
  texts: Pick<RequestTexts, 'run'>;
  /** Does work when what the handler writes is committed, and not if it is undone. */
  afterCommit(work: () => void): void;
  /** Set by a handler whose answer has an `ETag`, no `urls.location`, or another status than the contract's. */
  reply: { location?: string; status?: 200 | 201; etag?: string };
}

/** What most helpers of the rules need of a context. */
export type Scope = Pick<Context, 'db' | 'caller' | 'base' | 'now'>;
