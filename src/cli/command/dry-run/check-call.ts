import { HttpError, undefinedIfMissing } from '../../../client/errors/http-error.ts';
import { deniedText, lackingUnder } from '../../../contract/access.ts';
import { collections } from '../../../contract/collections.ts';
import { type Change, changesOf, replacesAll } from '../../../contract/changes.ts';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { type Reason, reasons, type ValidationIssue } from '../../../contract/errors.ts';
import { members } from '../../../contract/members.ts';
import { orgs } from '../../../contract/orgs.ts';
import { spaces } from '../../../contract/spaces.ts';
import { checkValue, markMissing, maxIssues, validationIssues } from '../../../contract/validation-issues.ts';
import { isObject } from '../../../shared/is-object.ts';
import { valueAt } from '../../../shared/value-at.ts';
import { findEndpoint } from '../../../contract/object-lists.ts';
import type { Fields, Invocation } from '../command.ts';
import { paramNames } from '../../../contract/path.ts';
import { unstorableIn, unstorableMessage } from '../../../contract/unstorable.ts';
import { refusalOf } from './state-rules.ts';
import { flagAt, lookUp, nameOfObject, notFound, objectPathOf, type Params, read } from './named-objects.ts';

/** What a write is about, and what it would do. */
export interface Effect {
  /** Absent if the call makes something new. */
  object?: { id: string; title: string };
  /** What an edit changes; empty if nothing would change. */
  changes?: readonly Change[];
}

/** Checks a write, and finds what it is about and what it would change. @throws HttpError as the service would answer */
export async function effectOf(invocation: Invocation, call: UnsentCall): Promise<Effect> {
  const { endpoint, params, body } = call;
  const object = await checkCall(invocation, call);
  const shown = await findEndpoint(endpoint.path);
  const param = paramNames(objectPathOf(endpoint.path)).at(-1);
  const isNew = shown?.paged === true || object === undefined || param === undefined;
  return {
    ...(isNew ? {} : { object: nameOfObject(object, param) }),
    ...(isEdit(endpoint, shown) && isObject(body)
      ? { changes: changesOf(endpoint, body, await present(invocation, endpoint, params, object, shown)) }
      : {}),
  };
}

/** Whether the body holds fields of what there is, rather than of something new. */
const isEdit = (endpoint: Endpoint, shown: Endpoint | undefined) =>
  endpoint.method === 'PATCH' || (endpoint.method === 'PUT' && shown?.paged !== true);

/** The current state of what an edit changes; undefined if it does not exist yet: a site has no schema until one is set. */
const present = async (
  invocation: Invocation,
  endpoint: Endpoint,
  params: Params,
  object: unknown,
  shown: Endpoint | undefined,
): Promise<unknown> =>
  shown && replacesAll(endpoint) ? read(invocation, shown, params).catch(undefinedIfMissing) : object;

/** A write that is not sent. */
interface UnsentCall {
  endpoint: Endpoint;
  params: Params;
  body?: unknown;
}

/**
 * Checks what can be checked with GET requests before a write, in the order in which the service does: the objects that
 * its address names, the caller's permission, the values of the body, the state of the object.
 *
 * @returns the object that the call is about, if the service shows it
 * @throws HttpError as the service would answer
 */
export async function checkCall(invocation: Invocation, { endpoint, params, body }: UnsentCall): Promise<unknown> {
  const object = await subjectOf(invocation, endpoint, params);
  const fields = isObject(body) ? body : {};
  await checkPermission(invocation, endpoint, params);
  await checkPlace(invocation, endpoint, params, object, fields);
  checkComment(endpoint, object, fields);
  checkBody(endpoint, body);
  refuse(endpoint.method === 'DELETE' && flagAt(object, 'permissions.delete') === false, 'forbidden', notYours);
  refuse(
    endpoint.path.endsWith('/transfer') && fields.organization === valueAt(object, 'organization'),
    'no-change',
    'It is in this organization already.',
  );
  await checkState(endpoint, { invocation, params, object, body: fields });
  await checkLastAdmin(invocation, endpoint, params, object, fields);
  return object;
}

const notYours = 'Permission denied: this needs the permission "delete" on it. Ask an administrator for it.';

async function subjectOf(invocation: Invocation, endpoint: Endpoint, params: Params): Promise<unknown> {
  if (endpoint.path.endsWith('/teams/{teamId}/members/{userId}')) {
    // The service looks for the member in the organization, and in the team only after it has checked the permission.
    await lookUp(invocation, '/v1/orgs/{orgId}/teams/{teamId}', params);
    const member = await lookUp(invocation, '/v1/orgs/{orgId}/members/{userId}', params);
    await checkPermission(invocation, endpoint, params);
    if (endpoint.method === 'DELETE') return lookUp(invocation, endpoint.path, params);
    return (await lookUp(invocation, endpoint.path, params, 'userId')) ?? member;
  }
  const object = await lookUp(invocation, endpoint.path, params, endpoint.creates);
  const param = paramNames(objectPathOf(endpoint.path)).at(-1) ?? '';
  // A deleted space is shown, and nothing but restoring is possible with it.
  if (valueAt(object, 'deletedAt') !== undefined && !endpoint.ofDeleted) throw notFound(param, params[param] ?? '');
  return object;
}

function refuse(condition: boolean, reason: Reason, message: string, details?: ValidationIssue[]): void {
  if (!condition) return;
  throw new HttpError({ status: reasons[reason], reason, message, ...(details ? { details } : {}) });
}

/** The objects whose `permissions` decide, by the first word of an endpoint's `access`. */
const deciding: Record<string, string> = {
  organization: '/v1/orgs/{orgId}',
  space: '/v1/spaces/{spaceId}',
  collection: '/v1/collections/{collectionId}',
  team: '/v1/orgs/{orgId}/teams/{teamId}',
};

/** Permissions of the contract that the objects show under another name. */
const shownAs: Record<string, string> = { 'organization.read': 'listMembers' };

export const checkPermission = async (invocation: Invocation, endpoint: Endpoint, params: Params): Promise<void> =>
  refuseLacking(await lackingFor(invocation, endpoint, params));

type Lacking = [object: string, permission: string] | undefined;

const refuseLacking = (lacking: Lacking) =>
  refuse(lacking !== undefined, 'forbidden', lacking ? deniedText(...lacking) : '');

/** The permission that the caller lacks. What a service does not tell in `permissions` is not lacking. */
async function lackingFor(invocation: Invocation, { access, path }: Endpoint, params: Params): Promise<Lacking> {
  const [kind = '', permission = ''] = access.split('.');
  const address = deciding[kind];
  if (address === undefined || !paramNames(address).every((name) => paramNames(path).includes(name))) return undefined;
  const view = await findEndpoint(address);
  if (!view) return undefined;
  const isAllowed = flagAt(await read(invocation, view, params), `permissions.${shownAs[access] ?? permission}`);
  return isAllowed === false ? [kind, permission] : undefined;
}

const placed = new Set([
  spaces.create.name,
  spaces.duplicate.name,
  spaces.move.name,
  collections.create.name,
  collections.move.name,
]);

/** Spaces and collections need a permission where they go: in the organization, or on the collection. */
async function checkPlace(
  invocation: Invocation,
  { name }: Endpoint,
  params: Params,
  object: unknown,
  { parent }: Fields,
): Promise<void> {
  if (!placed.has(name)) return;
  const isMove = name === spaces.move.name || name === collections.move.name;
  if (isMove && (parent === undefined || (valueAt(object, 'parent') ?? null) === parent)) return;
  const client = await invocation.client();
  if (name === spaces.duplicate.name) parent = valueAt(object, 'parent');
  const orgId = params['orgId'] ?? String(valueAt(object, 'organization'));
  const { permissions } = await client.call(orgs.view, { params: { orgId } });
  refuseLacking(
    await lackingUnder(typeof parent === 'string' ? parent : null, {
      inOrganization: permissions.createContent,
      async inCollection(collectionId) {
        const collection = await lookUp(invocation, collections.view.path, { collectionId }, 'collectionId');
        return flagAt(collection, 'permissions.create') === true;
      },
    }),
  );
}

/** Only authors change the texts of comments and replies. */
function checkComment({ method }: Endpoint, object: unknown, { body }: Fields): void {
  const kind = String(valueAt(object, 'object'));
  if (method === 'DELETE' || (kind !== 'comment' && kind !== 'comment-reply')) return;
  const isAuthors = method !== 'POST' && body !== undefined;
  refuse(
    flagAt(object, `permissions.${isAuthors ? 'edit' : 'reply'}`) === false,
    'forbidden',
    isAuthors ? deniedText(kind.replace('comment-', ''), 'edit') : deniedText('space', 'comment'),
  );
}

async function checkState({ name }: Endpoint, call: Parameters<typeof refusalOf>[1]): Promise<void> {
  const refusal = await refusalOf(name, call);
  if (!refusal) return;
  const { reason, message, path } = refusal;
  if (path === undefined) refuse(true, reason, message);
  else refuseField(path, message, 'reference');
}

/** A text that cannot be stored is refused before anything else. */
export function checkTexts(body: unknown): void {
  const path = unstorableIn(body);
  if (path !== undefined) refuseField(path, unstorableMessage, 'format');
}

const refuseField = (path: string, message: string, rule: ValidationIssue['rule']): void =>
  refuse(true, 'validation', `The request body is not valid: ${path} ${message}.`, [
    { in: 'body', path, rule, message },
  ]);

function checkBody({ body: schema }: Endpoint, body: unknown): void {
  if (!schema) return;
  const result = checkValue(schema(), body ?? {});
  if (result.success) return;
  const issues = validationIssues('body', markMissing(body ?? {}, result.issues)).slice(0, maxIssues);
  const text = issues.map(({ path, message }) => `${path || 'the value'} ${message}`).join('; ');
  refuse(true, 'validation', `The request body is not valid: ${text}.`, issues);
}

async function checkLastAdmin(
  invocation: Invocation,
  { name }: Endpoint,
  { orgId = '' }: Params,
  member: unknown,
  { role = 'admin' }: Fields,
): Promise<void> {
  const isLost = name === members.remove.name || (name === members.edit.name && role !== 'admin');
  if (!isLost || valueAt(member, 'role') !== 'admin') return;
  const client = await invocation.client();
  const { count } = await client.call(members.list, { params: { orgId }, query: { role: 'admin', limit: 0 } });
  refuse(
    count <= 1,
    'last-admin',
    'This is the last administrator of the organization. Make another member administrator first.',
  );
}
