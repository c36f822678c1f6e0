import { withoutCredentials } from '../../client/address.ts';
import { requireOrganization, scopeOf } from '../../cli/command/invocation.ts';
import { paramsOfAddress } from '../../cli/naming/address.ts';
import { needsLookup } from '../../cli/naming/reading.ts';
import { fileBytes } from '../../cli/command/read-input.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { encodeQuery } from '../../contract/fields.ts';
import { groupOf } from '../../contract/groups.ts';
import type { ScopeName } from '../../contract/objects.ts';
import { dotSegmentRefusal, hasDotSegment } from '../../contract/path.ts';
import { parseFields } from './fields.ts';
import type { ApiInvocation } from './options.ts';

export interface ApiRequest {
  method: string;
  /** A path below the address of the service, or a full URL. */
  path: string;
  headers: Record<string, string>;
  body: unknown;
  /** The path with IDs instead of names in its placeholders; undefined if it has none. */
  pathWithIds?(): Promise<string>;
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The request in the arguments and flags. @throws UsageError */
export async function requestFor(invocation: ApiInvocation): Promise<ApiRequest> {
  const { args, flags } = invocation;
  const [first, second] = [args.method, args.path].filter((word) => word !== undefined);
  if (first === undefined) throw new UsageError('<path> is missing.', 'For example: docsctl api orgs.');
  if (second === undefined && methods.has(first))
    throw new UsageError('<path> is missing.', `For example: docsctl api ${first} orgs.`);
  const fields = parseFields(flags.field, flags.typed);
  const hasFields = Object.keys(fields).length > 0;
  const hasInput = flags.input !== undefined;
  const defaultMethod = (hasFields || hasInput) && !flags.paginate ? 'POST' : 'GET';
  const method = second === undefined ? defaultMethod : first.toUpperCase();
  if (!methods.has(method))
    throw new UsageError(`"${first}" is not an HTTP method.`, `Use one of ${[...methods].join(', ')}.`);
  if (flags.paginate && (method !== 'GET' || hasInput))
    throw new UsageError('--paginate works with GET only, and without --input.');
  const text = second ?? first;
  const fieldsAreQuery = hasInput || method === 'GET' || method === 'HEAD';
  const pathWith = async (idOf: ScopeId) => {
    const path = await pathFor(text, idOf);
    return fieldsAreQuery ? withQuery(path, fields) : path;
  };
  const path = await pathWith((scope) => scopeId(invocation, scope, needsLookup));
  await refuseOtherOrganization(invocation, path);
  const hasPlaceholder = scopes.some((scope) => text.includes(`{${scope}}`));
  return {
    method,
    path,
    ...(hasPlaceholder ? { pathWithIds: () => pathWith((scope) => scopeId(invocation, scope, () => true)) } : {}),
    headers: headersFrom(flags.H),
    body: bodyFor(flags.input, fieldsAreQuery || !hasFields ? undefined : fields),
  };
}

const bodyFor = (input: string | undefined, fields: Record<string, unknown> | undefined) =>
  input === undefined ? fields : fileBytes(input, '--input');

/** @throws UsageError if the path belongs to another organization than --org; CommandError if --org does not exist */
async function refuseOtherOrganization(invocation: ApiInvocation, path: string): Promise<void> {
  if (invocation.flags.org === undefined || !URL.canParse(path, 'http://localhost')) return;
  const { orgId, ...params } = paramsOfAddress(new URL(path, 'http://localhost').href);
  const [above = ''] = Object.keys(params);
  if (orgId === undefined) await (await invocation.names()).assertOrganization({ path: `/v1/{${above}}` }, params);
  const organization = await requireOrganization(invocation);
  if (orgId !== undefined && orgId !== organization && orgId !== invocation.flags.org)
    throw new UsageError(`The path belongs to the organization ${orgId}, not to "${invocation.flags.org}" (--org).`);
}

const scopes = ['org', 'space', 'site'] as const;

type ScopeId = (scope: ScopeName) => Promise<string>;

async function scopeId(
  invocation: ApiInvocation,
  scope: ScopeName,
  isLookedUp: (text: string) => boolean,
): Promise<string> {
  const text = await scopeOf(invocation, scope);
  if (!isLookedUp(text)) return text;
  const lookup = await (await invocation.names()).lookup();
  return lookup.idOrNameOf({ param: `${scope}Id`, text, params: {} });
}

/** The path relative to the address of the service, without placeholders. */
async function pathFor(text: string, idOf: ScopeId): Promise<string> {
  let path = /^https?:/i.test(text) ? text : belowVersion(text);
  for (const scope of scopes) {
    if (path.includes(`{${scope}}`)) path = path.replaceAll(`{${scope}}`, encodeURIComponent(await idOf(scope)));
  }
  if (hasDotSegment(path.replace(/[?#].*$/s, '')))
    throw new UsageError(
      `<path>: ${dotSegmentRefusal(withoutCredentials(path))}`,
      'Write the path without "." and "..".',
    );
  return path;
}

/** `user` and `/user` become `/v1/user`. Paths outside the API, such as `/files/...`, stay unchanged. */
function belowVersion(text: string): string {
  const path = text.replace(/^\//, '');
  if (path.startsWith('v1/')) return `/${path}`;
  const isOfApi = !text.startsWith('/') || groupOf(path.replace(/[?#].*/s, '').split('/')) !== undefined;
  return isOfApi ? `/v1/${path}` : text;
}

function withQuery(path: string, fields: Record<string, unknown>): string {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      throw new UsageError(`${name}: a query cannot have nested fields.`);
  }
  const query = encodeQuery(fields);
  return path.includes('?') ? path + query.replace('?', '&') : path + query;
}

function headersFrom(texts: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name, value = ''] = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/.exec(text) ?? [];
      if (name !== undefined) return [name.toLowerCase(), value.trimStart()];
      throw new UsageError(
        `-H: "${text}" is not in the form name:value.`,
        'For example -H "Accept: application/json".',
      );
    }),
  );
}
