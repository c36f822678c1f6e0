import type { Endpoint } from '../../contract/endpoint.ts';
import { fieldsOf } from '../../contract/fields.ts';
import { checkValue } from '../../contract/validation-issues.ts';
import { isObject } from '../../shared/is-object.ts';
import { valueAt } from '../../shared/value-at.ts';
import { shownField } from '../../contract/changes.ts';
import { objectAt as readObject } from '../../client/find-object.ts';
import { paramNames } from '../../contract/path.ts';
import type { ChangeCall, Inverse, MadeChange, Params, Reader, State, Undo } from './inverse.ts';
import { unknownId, unknownState } from './inverse.ts';

/** An object as returned by its endpoint or its list; undefined if it does not exist or was deleted. */
export async function objectAt({ client }: Reader, path: string, params: Params): Promise<unknown> {
  const object = await readObject(client, path, params);
  return isDeleted(object) ? undefined : object;
}

/** Whether it is a space that was deleted: it can still be read. */
export const isDeleted = (object: unknown): boolean => valueAt(object, 'deletedAt') != null;

interface EditOptions {
  /** Reads fields that the object does not contain, or contains in another form. */
  shown?: Record<string, (object: unknown, reader: Reader, call: ChangeCall) => unknown>;
  /** The field that the undo restores last, with a separate request. */
  last?: string;
  /** Why a particular change cannot be undone. */
  never?(change: MadeChange): string | undefined;
}

/** The inverse of a request that sets fields: the same request with the previous values. */
export function edit({ shown = {}, last, never }: EditOptions = {}): Inverse {
  const stateOf = async (reader: Reader, call: ChangeCall, object: unknown) => {
    if (object === undefined) return undefined;
    const state: State = {};
    for (const field of Object.keys(call.body)) {
      const read = shown[field];
      state[field] = (read ? await read(object, reader, call) : shownField(call.endpoint, field, object)) ?? null;
    }
    return state;
  };
  const now = async (reader: Reader, call: ChangeCall) =>
    stateOf(reader, call, await objectAt(reader, call.endpoint.path, call.params));
  return {
    before: (reader, call) => (call.current ? stateOf(reader, call, call.current) : now(reader, call)),
    now,
    after(answer, { endpoint, body }) {
      if (!isObject(answer) || Object.keys(body).some((field) => field in shown)) return undefined;
      return Object.fromEntries(Object.keys(body).map((field) => [field, shownField(endpoint, field, answer) ?? null]));
    },
    undo(change) {
      const reason = never?.(change);
      return reason === undefined ? undoEdit(change, last) : { reason };
    },
  };
}

function undoEdit({ endpoint, params, before, after }: MadeChange, last: string | undefined): Undo {
  if (!before || !after) return unknownState;
  const changed = Object.keys(before).filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  if (changed.length === 0) return [];
  const fields =
    endpoint.method === 'PUT'
      ? Object.keys(before).filter((field) => changed.includes(field) || before[field] !== null)
      : changed;
  const body: State = {};
  for (const field of fields) body[field] = before[field];
  for (const field of fields.filter((name) => body[name] === null)) {
    // A text may be empty, but an empty ID names nothing.
    const values = isReference(endpoint, field) ? [null] : [null, '', false];
    const value = values.find((nothing) => accepts(endpoint, { ...body, [field]: nothing }));
    if (value === undefined) return { reason: `"${field}" was not set before, and the service cannot clear it` };
    body[field] = value;
  }
  return [fields.filter((field) => field !== last), fields.filter((field) => field === last)]
    .filter((names) => names.length > 0)
    .map((names) => ({ endpoint, params, body: Object.fromEntries(names.map((name) => [name, body[name]])) }));
}

const isReference = (endpoint: Endpoint, field: string) =>
  fieldsOf(endpoint).body?.members?.[field]?.object !== undefined;

function accepts({ body: schema }: Endpoint, body: State): boolean {
  return schema !== undefined && checkValue(schema(), body).success;
}

/** The inverse of a request that replaces an object as a whole. */
export function replace(member?: string): Inverse {
  const read = async (reader: Reader, { endpoint, params }: ChangeCall) =>
    stateOf(await objectAt(reader, endpoint.path, params));
  const stateOf = (object: unknown): State | undefined => {
    if (!isObject(object)) return undefined;
    return member === undefined ? object : { [member]: object[member] };
  };
  return {
    before: read,
    now: read,
    after: stateOf,
    undo: ({ endpoint, params, before }) =>
      before
        ? [{ endpoint, params, body: before }]
        : { reason: 'there was none before, and the service cannot delete it' },
  };
}

/** Members that change without anybody editing the object. */
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

/** The members of a new object that are compared to detect changes. */
export const essenceOf = (object: unknown): State | undefined =>
  isObject(object)
    ? Object.fromEntries(Object.entries(object).filter(([name, value]) => !volatile.has(name) && value !== undefined))
    : undefined;

interface CreateOptions {
  /** The endpoint that removes the object. */
  remove: Endpoint;
  /** The path parameter of the object. */
  param: string;
  /** Reads further members to compare. */
  more?(reader: Reader, params: Params): Promise<State>;
  never?(change: MadeChange): string | undefined;
  note?: string;
}

/** The inverse of a request that creates an object: its deletion. */
export function create({ remove, param, more, never, note }: CreateOptions): Inverse {
  const paramsOf = ({ params, id = '' }: MadeChange): Params => ({ ...params, [param]: id });
  return {
    async now(reader, change) {
      const params = paramsOf(change);
      const state = essenceOf(await objectAt(reader, remove.path, params));
      return state && { ...state, ...(await more?.(reader, params)) };
    },
    undo(change) {
      const reason = change.id === undefined ? unknownId.reason : never?.(change);
      return reason === undefined ? [{ endpoint: remove, params: onlyOf(remove, paramsOf(change)) }] : { reason };
    },
    ...(note !== undefined && { note }),
  };
}

const onlyOf = ({ path }: Endpoint, params: Params): Params =>
  Object.fromEntries(Object.entries(params).filter(([name]) => paramNames(path).includes(name)));
