import type { Endpoint } from '../../contract/endpoint.ts';
import { checkValue } from '../../contract/validation-issues.ts';
import { isObject } from '../../shared/is-object.ts';
import { shownField } from '../../contract/changes.ts';
import { findEndpoint, idOf, listOf } from '../../contract/object-lists.ts';
import { paramNames } from '../../contract/path.ts';
import type { Inverse, MadeChange, Params, Reader, State, Undo } from './inverse.ts';
import { unlessMissing } from './inverse.ts';

/** An object as the service shows it, or as its list does; undefined where there is none. */
export async function objectAt({ client }: Reader, path: string, params: Params): Promise<unknown> {
  // An answer of another service may have no id.
  if (Object.values(params).includes('')) return undefined;
  const view = await findEndpoint(path);
  if (view && !view.paged) return unlessMissing(client.call(view, { params }));
  const param = paramNames(path).at(-1) ?? '';
  const list = await listOf(param, path);
  if (!list) return undefined;
  for await (const item of client.items(list.endpoint, { params }))
    if (idOf(item, param) === params[param]) return item;
  return undefined;
}

interface EditOptions {
  /** What the object does not show of a field, or shows in another form. */
  shown?: Record<string, (object: unknown, reader: Reader, params: Params) => unknown>;
  /** Why a change cannot be taken back, where it depends on the change. */
  never?(change: MadeChange): string | undefined;
}

/** The inverse of a request that sets fields: the same request with the values from before. */
export function edit({ shown = {}, never }: EditOptions = {}): Inverse {
  const stateOf = async (reader: Reader, endpoint: Endpoint, params: Params, body: State, object: unknown) => {
    if (object === undefined) return undefined;
    const state: State = {};
    for (const field of Object.keys(body)) {
      const read = shown[field];
      state[field] = (read ? await read(object, reader, params) : shownField(endpoint, field, object)) ?? null;
    }
    return state;
  };
  const read = async (reader: Reader, { endpoint, params, body }: Pick<MadeChange, 'endpoint' | 'params' | 'body'>) =>
    stateOf(reader, endpoint, params, body, await objectAt(reader, endpoint.path, params));
  return {
    before: async (reader, call) =>
      call.current ? stateOf(reader, call.endpoint, call.params, call.body, call.current) : read(reader, call),
    now: read,
    after(answer, { endpoint, body }) {
      if (!isObject(answer) || Object.keys(body).some((field) => field in shown)) return undefined;
      return Object.fromEntries(Object.keys(body).map((field) => [field, shownField(endpoint, field, answer) ?? null]));
    },
    undo(change) {
      const reason = never?.(change);
      return reason === undefined ? undoEdit(change) : { reason };
    },
  };
}

function undoEdit({ endpoint, params, before, after }: MadeChange): Undo {
  if (!before || !after) return { reason: 'what it was before is not known' };
  const changed = Object.keys(before).filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  if (changed.length === 0) return [];
  const fields = endpoint.method === 'PUT' ? Object.keys(before) : changed;
  const body: State = {};
  for (const field of fields) body[field] = before[field];
  for (const field of fields.filter((name) => body[name] === null)) {
    const value = [null, '', false].find((nothing) => accepts(endpoint, { ...body, [field]: nothing }));
    if (value !== undefined) body[field] = value;
    else if (!changed.includes(field)) delete body[field];
    else return { reason: `"${field}" was not set before, and the service does not take it away` };
  }
  return [{ endpoint, params, body }];
}

function accepts({ body: schema }: Endpoint, body: State): boolean {
  return schema !== undefined && checkValue(schema(), body).success;
}

/** The inverse of a request that replaces the whole of what its address shows. */
export function replace(member?: string): Inverse {
  const read = async ({ client }: Reader, { endpoint, params }: Pick<MadeChange, 'endpoint' | 'params'>) => {
    const view = await findEndpoint(endpoint.path);
    const object = view && (await unlessMissing(client.call(view, { params })));
    return stateOf(object);
  };
  const stateOf = (object: unknown): State | undefined => {
    if (!isObject(object)) return undefined;
    return member === undefined ? object : { [member]: object[member] };
  };
  return {
    before: read,
    now: read,
    after: stateOf,
    undo: ({ endpoint, params, before }) =>
      before ? [{ endpoint, params, body: before }] : { reason: 'there was none before, and the service deletes none' },
  };
}

/** Members of objects that others change without meaning to change the object. */
const volatile = new Set([
  'updatedAt',
  'lastSeenAt',
  'urls',
  'permissions',
  'comments',
  'changeRequests',
  'changeRequestsOpen',
  'changeRequestsDraft',
  'features',
  'processingState',
  'lastProcessedAt',
  'lastProcessErrorCode',
  'lastVersion',
  'outdated',
  'redundant',
  'reactions',
  'visibility',
]);

/** What is compared of a new object, to see whether somebody changed it. */
export const essenceOf = (object: unknown): State | undefined =>
  isObject(object)
    ? Object.fromEntries(Object.entries(object).filter(([name, value]) => !volatile.has(name) && value !== undefined))
    : undefined;

interface CreateOptions {
  /** The endpoint that removes what was made. */
  remove: Endpoint;
  /** The path parameter of what was made. */
  param: string;
  /** Where the id is, if not at `id`. */
  idKey?: string;
  /** What was made with it, and what else is read of it: members that are compared too. */
  more?(reader: Reader, params: Params): Promise<State>;
  never?(change: MadeChange): string | undefined;
  note?: string;
}

/** The inverse of a request that makes an object: its deletion. */
export function create({ remove, param, more, never, note }: CreateOptions): Inverse {
  const paramsOf = ({ params, id = '' }: MadeChange): Params => ({ ...params, [param]: id });
  return {
    async now(reader, change) {
      const params = paramsOf(change);
      const state = essenceOf(await objectAt(reader, remove.path, params));
      return state && { ...state, ...(await more?.(reader, params)) };
    },
    undo(change) {
      const reason = change.id === undefined ? 'the id of what it made is not known' : never?.(change);
      return reason === undefined ? [{ endpoint: remove, params: onlyOf(remove, paramsOf(change)) }] : { reason };
    },
    ...(note !== undefined && { note }),
  };
}

const onlyOf = ({ path }: Endpoint, params: Params): Params =>
  Object.fromEntries(paramNames(path).map((name) => [name, params[name] ?? '']));
