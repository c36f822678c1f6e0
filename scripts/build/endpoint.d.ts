/** What an endpoint takes and gives. */
export interface Exchanged {
  /** Names of its path parameters. */
  params: string;
  query: object;
  /** `never` where it takes none. */
  body: unknown;
  /** What its list holds; `never` where it is none. */
  item: unknown;
  answer: unknown;
}

declare const exchanged: unique symbol;

/** One endpoint of the service: what a client is given to call it. */
export interface Endpoint<X extends Exchanged = Exchanged> {
  /** `group.key`, which is also the operation id of the OpenAPI document. */
  readonly name: string;
  readonly group: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `/v1/...` with `{name}` for path parameters. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** What the caller must be allowed to do, such as `space.edit`. */
  readonly access: string;
  /** Whether it answers with a list, page by page. */
  readonly paged: boolean;
  /** Success status where it is not 200. */
  readonly status?: 200 | 201 | 204 | 205;
  /** A PUT that may be sent again when nobody knows whether it arrived. */
  readonly repeatable?: true;
  /** For the types alone: nothing stands there. */
  readonly [exchanged]?: X;
}

type Of<E> = E extends Endpoint<infer X> ? X : never;

export type ParamsOf<E> = { [K in Of<E>['params']]: string };
export type QueryInput<E> = Of<E>['query'];
export type BodyInput<E> = Of<E>['body'];
export type ItemOf<E> = Of<E>['item'];
export type AnswerOf<E> = Of<E>['answer'];
