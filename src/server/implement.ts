import type { AnswerOf, Definition, Endpoint, ItemOf } from '../contract/endpoint.ts';
import type { Context } from './context.ts';
import type { Listed } from './paging.ts';

type Result<E> = E extends { definition: { items: unknown } }
  ? Listed<ItemOf<E>>
  : AnswerOf<E> extends undefined
    ? void
    : AnswerOf<E>;

export type Handler<E> = (context: Context<E>) => Promise<Result<E>>;

/** A handler whose slow part (fetching an address, laying out a PDF) runs before and outside of the transaction. */
export interface SlowHandler<E, Prepared> {
  /** `context.db` must not be used here: take turns with `context.instance.store.read()`. */
  prepare(context: Context<E>): Promise<Prepared>;
  handle(context: Context<E>, prepared: Prepared): Promise<Result<E>>;
}

export type Handlers<G> = { [K in keyof G]: Handler<G[K]> | SlowHandler<G[K], any> };
export type AnyHandler = Handler<Endpoint<Definition>> | SlowHandler<Endpoint<Definition>, unknown>;

/** Handlers of a group by the endpoints' keys: a missing one does not compile. */
export function implement<G extends object>(_group: G, handlers: Handlers<G>): Record<string, AnyHandler> {
  return handlers as unknown as Record<string, AnyHandler>;
}
