/** The types of what an endpoint receives and answers. */
export interface ExchangedTypes {
  /** Names of its path parameters. */
  params: string;
  query: object;
  /** `never` where it has none. */
  body: unknown;
  /** An item of its list; `never` where it answers with no list. */
  item: unknown;
  answer: unknown;
}

declare const exchanged: unique symbol;

/** One endpoint of the service, to pass to a client's methods. */
export interface Endpoint<X extends ExchangedTypes = ExchangedTypes> {
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
  /** Whether it answers with pages of a list. */
  readonly paged: boolean;
  /** Success status where it is not 200. */
  readonly status?: 200 | 201 | 204 | 205;
  /** A PUT that may be sent again when nobody knows whether it arrived. */
  readonly repeatable?: true;
  /** Only for types: the property does not exist at run time. */
  readonly [exchanged]?: X;
}

type Of<E> = E extends Endpoint<infer X> ? X : never;

export type ParamsOf<E> = { [K in Of<E>['params']]: string };
export type QueryInput<E> = Of<E>['query'];
export type BodyInput<E> = Of<E>['body'];
export type ItemOf<E> = Of<E>['item'];
export type AnswerOf<E> = Of<E>['answer'];
