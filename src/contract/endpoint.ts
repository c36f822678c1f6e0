import * as z from 'zod/mini';
import type { Access } from './access.ts';
import { hasDotSegment, InvalidPathParameter } from './path.ts';
import { lazy } from './schema.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Route = `${Method} ${string}`;
type Shape = Record<string, z.ZodMiniType>;

/** One endpoint as its author writes it: everything that routing, validation, the client, flags and documents need. */
export interface Definition {
  /** Method and path, `GET /v1/...`, with `{name}` for path parameters. */
  route: Route;
  /** One sentence in the imperative: users read it in help and in the reference. */
  summary: string;
  description?: string;
  /** What the caller must be allowed to do. */
  access: Access;
  /** Query parameters, without `page` and `limit`, which every endpoint with `items` has. */
  query?: () => Shape;
  body?: () => z.ZodMiniType;
  /** The answer's object. Absent together with `items`: an answer without a body. */
  response?: () => z.ZodMiniType;
  /** The items of a paged list: the envelope is added. */
  items?: () => z.ZodMiniType;
  /** Members of the list's envelope beside `next`, `count` and `items`. */
  envelope?: () => Shape;
  /** Success status if it is not 200. */
  status?: 200 | 201 | 204 | 205;
  /** A PUT that may be retried if it is unknown whether it arrived. GET and DELETE always may. */
  repeatable?: true;
  /** Largest body in bytes if it is not 10 MiB. */
  maxBody?: number;
  /** The path parameter whose object a PUT makes when it is not there. */
  creates?: string;
  /** A deleted space still answers here, to its administrators. */
  ofDeleted?: true;
}

export type Endpoint<D extends Definition = Definition> = Omit<
  D,
  'route' | 'query' | 'body' | 'response' | 'items' | 'envelope'
> & {
  /** `group.key`, which is also the operation id of the OpenAPI document. */
  readonly name: string;
  readonly group: string;
  readonly method: MethodIn<D['route']>;
  readonly path: PathIn<D['route']>;
  readonly definition: D;
  readonly paged: boolean;
  readonly query: () => z.ZodMiniObject<Shape>;
  readonly body: Definition['body'];
  /** The whole answer, a list's envelope included. */
  readonly answer: (() => z.ZodMiniType) | undefined;
  readonly items: Definition['items'];
};

type MethodIn<R extends Route> = R extends `${infer M extends Method} ${string}` ? M : Method;
type PathIn<R extends Route> = R extends `${Method} ${infer P}` ? P : string;

type Names<Path extends string> = string extends Path
  ? string
  : Path extends `${string}{${infer Name}}${infer Rest}`
    ? Name | Names<Rest>
    : never;

/** Path parameters of an endpoint; any name if the path is built from a prefix. */
export type ParamsOf<E> = E extends { path: infer P extends string } ? { [K in Names<P>]: string } : never;
export type PathOf<E> = E extends { path: infer P extends string } ? P : string;

type Paging = { page?: string | undefined; limit?: number | undefined };
type DefinitionOf<E> = E extends { definition: infer D } ? D : never;
type Built<T> = T extends () => infer S ? S : undefined;
type OutputOf<T> = Built<T> extends z.core.$ZodType ? z.output<Built<T>> : never;
type InputOf<T> = Built<T> extends z.core.$ZodType ? z.input<Built<T>> : never;
type ShapeOutput<T> = Built<T> extends Shape ? z.output<z.ZodMiniObject<Built<T>>> : {};
type ShapeInput<T> = Built<T> extends Shape ? z.input<z.ZodMiniObject<Built<T>>> : {};
type Given<D, K extends string> = D extends { [P in K]: infer T } ? T : undefined;

export type ItemOf<E> = OutputOf<Given<DefinitionOf<E>, 'items'>>;
export type QueryOf<E> = ShapeOutput<Given<DefinitionOf<E>, 'query'>> &
  (Given<DefinitionOf<E>, 'items'> extends undefined ? {} : { page?: string; limit: number });
export type QueryInput<E> = ShapeInput<Given<DefinitionOf<E>, 'query'>> &
  (Given<DefinitionOf<E>, 'items'> extends undefined ? {} : Paging);
export type BodyOf<E> = OutputOf<Given<DefinitionOf<E>, 'body'>>;
export type BodyInput<E> = InputOf<Given<DefinitionOf<E>, 'body'>>;
interface List<Item> {
  next?: { page: string };
  count: number;
  items: Item[];
}
export type AnswerOf<E> =
  Given<DefinitionOf<E>, 'items'> extends undefined
    ? Given<DefinitionOf<E>, 'response'> extends undefined
      ? undefined
      : OutputOf<Given<DefinitionOf<E>, 'response'>>
    : List<ItemOf<E>> & ShapeOutput<Given<DefinitionOf<E>, 'envelope'>>;

const defaultLimit = 50;
export const maxLimit = 1000;

const paging = lazy(() => ({
  page: z.optional(z.string().check(z.describe('Token of the page to fetch.'))),
  limit: z._default(
    z.number().check(z.int(), z.gte(0), z.lte(maxLimit), z.describe('Results per page.')),
    defaultLimit,
  ),
}));

/** Turns definitions into endpoints. Schemas stay unbuilt until a request or a command needs them. */
export function endpoints<const T extends Record<string, Definition>>(
  group: string,
  definitions: T,
): { [K in keyof T]: Endpoint<T[K]> } {
  return Object.fromEntries(
    Object.entries(definitions).map(([key, definition]) => [key, endpoint(group, key, definition)]),
  ) as { [K in keyof T]: Endpoint<T[K]> };
}

function endpoint(group: string, key: string, definition: Definition): Endpoint {
  const { route, query, body, response, items, envelope, ...rest } = definition;
  const [method, path] = route.split(' ') as [Method, string];
  return {
    ...rest,
    method,
    path,
    definition,
    group,
    name: `${group}.${key}`,
    paged: items !== undefined,
    query: lazy(() => z.object({ ...query?.(), ...(items ? paging() : {}) })),
    body: body && lazy(body),
    items: items && lazy(items),
    answer: items
      ? lazy(() =>
          z.object({
            next: z.optional(z.object({ page: z.string() })),
            count: z.number(),
            items: z.array(items()),
            ...envelope?.(),
          }),
        )
      : response && lazy(response),
  };
}

/**
 * The path with its parameters filled in; a missing one is a programming error.
 *
 * @throws InvalidPathParameter for `.` and `..`: encoding them does not help, proxies decode before they resolve
 */
export function pathWith(path: string, params: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`Path parameter ${name} of ${path} was not given.`);
    if (hasDotSegment(value)) throw new InvalidPathParameter(name, value);
    return encodeURIComponent(value);
  });
}
