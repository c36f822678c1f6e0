import type { AnswerOf, Endpoint, ItemOf } from '../../contract/endpoint.ts';
import type { Context, Objects } from './context.ts';
import type { Listed } from './paging.ts';

type Result<E> = E extends { definition: { items: unknown } }
  ? Listed<ItemOf<E>>
  : AnswerOf<E> extends undefined
    ? void
    : AnswerOf<E>;

export type Handler<E> = (context: Context<E>) => Promise<Result<E>>;

/**
 * What a permission can depend on. The body is not validated yet: a missing permission is reported before invalid values.
 * Lists and objects in a large body are empty.
 */
export interface Asked<E = Endpoint> extends Pick<Context<E>, 'db' | 'caller' | 'objects'> {
  body: Record<string, unknown>;
}

/** A handler with work to do before its turn. */
export interface StagedHandler<E, Prepared> {
  /**
   * Where the permission depends on more than the endpoint's `access` word can say.
   *
   * @throws Forbidden
   */
  permit?(asked: Asked<E>): Promise<void>;
  /**
   * The slow part (fetching an address, laying out a PDF), before and outside of the transaction. `context.db` must not
   * be used here: take turns with `context.instance.store.read()`.
   */
  prepare?(context: Context<E>): Promise<Prepared>;
  handle(context: Context<E>, prepared: Prepared): Promise<Result<E>>;
}

export type Handlers<G> = { [K in keyof G]: Handler<G[K]> | StagedHandler<G[K], unknown> };

/** What the engine calls a handler with: the types of its endpoint are lost, its values are checked. */
export interface AnyContext extends Omit<Context, 'objects' | 'params' | 'query' | 'body'> {
  objects: Partial<Objects>;
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
}

export type AnyHandler =
  | ((context: AnyContext) => Promise<unknown>)
  | {
      permit?(asked: Pick<AnyContext, 'db' | 'caller' | 'objects'> & { body: Record<string, unknown> }): Promise<void>;
      prepare?(context: AnyContext): Promise<unknown>;
      handle(context: AnyContext, prepared: unknown): Promise<unknown>;
    };

/** Handlers of a group by the endpoints' keys: a missing one does not compile. */
export function implement<G extends object>(_group: G, handlers: Handlers<G>): Record<string, AnyHandler> {
  return handlers as Record<string, AnyHandler>;
}
