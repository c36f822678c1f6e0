import { paramNames } from '../../contract/path.ts';
import { type Endpoint, type ParamsOf, pathWith } from '../../contract/endpoint.ts';
import { type Field, fieldsOf } from '../../contract/fields.ts';
import { objectNamedBy, type ScopeName } from '../../contract/objects.ts';
import { isWebAddress } from '../naming/reading.ts';
import { explicitOrganization } from '../naming/scope-in-use.ts';
import type { Setting } from '../settings/session.ts';
import { UsageError, missingValue, emptyValue } from '../program/failure.ts';
import {
  type Answer,
  argumentsOf,
  type Call,
  type DerivedFlag,
  type Fields,
  type Invocation,
  idOf,
} from './command.ts';
import { argumentFields, clearable, kebab, paramOf, place, refuseUnknown, valueOf } from './flags.ts';
import { requireOrganization, scopeOf } from './invocation.ts';
import { jsonValue } from './read-input.ts';

/** An invocation of a command of an endpoint, whatever its arguments and flags are. */
type InvocationOf<E extends Endpoint | undefined> = Invocation<Invocation['args'], {}, E>;

/** The endpoint of this run: that of change requests where `--cr` is given. */
export function endpointOf({ command, flags, path }: InvocationOf<Endpoint | undefined>): Endpoint {
  const endpoint =
    flags.cr !== undefined && command.changeRequestEndpoint ? command.changeRequestEndpoint : command.endpoint;
  if (!endpoint) throw new Error(`The command "${path}" has no endpoint.`);
  return endpoint;
}

/**
 * Path parameters from arguments, `--cr` and the context.
 *
 * @param item one value of the argument that takes several
 * @param shared what all values of that argument have in common, from `sharedParamsOf`
 * @throws UsageError for what is missing or empty
 */
export function paramsOf<E extends Endpoint | undefined>(
  invocation: InvocationOf<E>,
  item?: string,
  shared?: Record<string, string>,
): Promise<ParamsOf<NonNullable<E>>>;
export async function paramsOf(
  invocation: InvocationOf<Endpoint | undefined>,
  item?: string,
  shared: Record<string, string> = {},
): Promise<Record<string, string>> {
  const { path } = endpointOf(invocation);
  const names = paramNames(path);
  const own = await withAddresses(invocation, names, paramsFromInput(invocation, names, item));
  const params = { ...shared, ...own };
  for (const name of names) params[name] ??= await missingParam(invocation, name, params);
  refuseEmpty(params, names);
  // Throws for "." and ".." before the first of several requests is sent.
  pathWith(path, params);
  // In the order of the path.
  return Object.fromEntries(names.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]])));
}

/**
 * All path parameters but one: what the values of the argument that takes several have in common. What is missing is
 * asked for here, once.
 *
 * @param param the path parameter that the argument fills
 */
export async function sharedParamsOf(invocation: Invocation, param: string): Promise<Record<string, string>> {
  const all = paramNames(endpointOf(invocation).path);
  // Each of the requests would be refused.
  if (!all.includes('orgId')) await requireOrganization(invocation);
  const names = all.filter((name) => name !== param);
  const params = await withAddresses(invocation, names, paramsFromInput(invocation, names));
  for (const name of names) params[name] ??= await missingParam(invocation, name, params);
  refuseEmpty(params, names);
  return params;
}

function paramsFromInput({ command, args, flags }: InvocationOf<Endpoint | undefined>, names: string[], item?: string) {
  const params: Record<string, string> = {};
  for (const { name, variadic } of argumentsOf(command.use)) {
    const param = paramOf(name, names, command.input?.params);
    const value = variadic ? item : args[name];
    if (param !== undefined && names.includes(param) && typeof value === 'string') params[param] = value;
  }
  if (flags.cr !== undefined && names.includes('changeRequestId')) params.changeRequestId ??= flags.cr;
  return params;
}

/** What a flag names; for an organization, the environment too. */
const explicitScope = async (
  { session, flags }: InvocationOf<Endpoint | undefined>,
  scope: ScopeName,
): Promise<Setting | undefined> =>
  scope === 'org'
    ? explicitOrganization({ session, flags })
    : flags[scope] === undefined
      ? undefined
      : session.scope(scope, flags[scope]);

/**
 * The parameters, with what the addresses among them tell of others: the address of a change request contains its space.
 *
 * @throws UsageError if a flag names another one
 */
async function withAddresses(
  invocation: InvocationOf<Endpoint | undefined>,
  names: string[],
  params: Record<string, string>,
) {
  const addresses = Object.entries(params).filter(([, text]) => isWebAddress(text));
  if (addresses.length === 0) return params;
  const lookup = await (await invocation.names()).lookup();
  const all = { ...params };
  for (const [param, address] of addresses) {
    for (const [name, id] of Object.entries(await lookup.paramsAt(address, param))) {
      const scope = objectNamedBy(name)?.scope;
      const other = scope && (await explicitScope(invocation, scope));
      if (
        other &&
        other.value !== id &&
        (await lookup.idOrNameOf({ param: name, text: other.value, params: {} })) !== id
      )
        throw new UsageError(
          `${other.source} ${other.value} is not what the address ${address} is in.`,
          `Leave ${other.source} out.`,
        );
      if (names.includes(name) && (name === param || all[name] === undefined)) all[name] = id;
    }
  }
  return all;
}

/** The path parameter that neither an argument nor a flag gives: from the context, or from a person. @throws UsageError */
export async function missingParam(
  invocation: InvocationOf<Endpoint | undefined>,
  name: string,
  params: Record<string, string>,
): Promise<string> {
  const scope = objectNamedBy(name)?.scope;
  if (scope) return scopeOf(invocation, scope);
  if (invocation.io.interactive) return invocation.pick(name, params);
  throw missingValue(`<${argumentName(name)}>`, invocation.path);
}

const argumentName = (param: string) => kebab(param.replace(/Id$/, ''));

/** An empty parameter would turn the path into that of the list. */
function refuseEmpty(params: Record<string, string>, names: string[]): void {
  const empty = names.find((name) => params[name]?.trim() === '');
  if (empty === undefined) return;
  throw emptyValue(`The ${argumentName(empty)}`);
}

/** Query and body from arguments, flags, `--data` and `--clear`. */
export async function inputOf(
  invocation: Invocation,
  params: Record<string, string> = {},
): Promise<Pick<Call, 'query' | 'body'>> {
  const { args, derived, flags, values, command } = invocation;
  const endpoint = endpointOf(invocation);
  const { body: schema } = fieldsOf(endpoint);
  const query: Fields = {};
  const body: Fields = flags.data === undefined ? {} : bodyOfData(flags.data, schema);
  const put = (flag: DerivedFlag, value: unknown) => {
    const [name = ''] = flag.path;
    if (flag.in === 'query') query[name] = value;
    else place(body, flag.path, value, schema);
  };
  for (const [name, flag] of argumentFields(endpoint, command)) {
    if (args[name] !== undefined) put(flag, valueOf(flag, args[name], jsonValue));
  }
  for (const flag of derived) {
    const value = values[flag.attribute];
    if (value !== undefined) put(flag, await flagValue(invocation, flag, value, params));
  }
  for (const path of clearedPaths(invocation, endpoint)) place(body, path, null, schema);
  Object.assign(body, await command.input?.body?.(invocation, params));
  Object.assign(query, await command.input?.query?.(invocation));
  refuseMissing(invocation, endpoint, { ...query, ...body });
  if (needsChange(invocation, endpoint) && flags.data === undefined && Object.keys(body).length === 0)
    throw noChange(invocation);
  await command.input?.check?.(invocation, body);
  return { query, body: endpoint.body ? body : undefined };
}

/** Whether a request that changes nothing is a mistake. */
export const needsChange = ({ command }: Invocation, { method }: Endpoint): boolean =>
  method === 'PATCH' || command.input?.needsChange === true;

export const noChange = ({ command, derived }: Invocation): UsageError => {
  const own = (command.flags ?? []).filter(({ sets }) => sets).map(({ flags }) => flags.replace(/ .*/, ''));
  const flags = [...derived.map(({ long }) => long), ...own];
  return new UsageError('No change given.', `Pass at least one of ${flags.join(', ')}.`);
};

/** The object of `--data`. @throws UsageError */
function bodyOfData(text: string, schema: Field | undefined): Fields {
  const value = jsonValue(text, '--data');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError('--data must be a JSON object.');
  const body: Fields = { ...value };
  refuseUnknown(body, schema);
  return body;
}

async function flagValue(
  invocation: Invocation,
  flag: DerivedFlag,
  value: unknown,
  params: Record<string, string>,
): Promise<unknown> {
  if (!flag.pointers) return withPeople(invocation, flag, valueOf(flag, value, jsonValue), params);
  const { pointerFor } = await import('./pointer.ts');
  const { names } = invocation;
  const endpoint = endpointOf(invocation);
  return pointerFor({ flag: flag.long, text: String(value), pointers: flag.pointers, endpoint, params, names });
}

/** A value with the IDs of the members whom selectors such as `team:Writers` select, in a flag that takes several people. */
async function withPeople(
  invocation: Invocation,
  { field }: DerivedFlag,
  value: unknown,
  params: Record<string, string>,
) {
  if (field.item?.object?.param !== 'userId' || !Array.isArray(value)) return value;
  const { peopleOfFlag } = await import('./batch/people.ts');
  return peopleOfFlag(invocation, value.map(String), params);
}

/** The paths that `--clear` and switches such as `--root` set to null. @throws UsageError */
function clearedPaths({ flags, values, command }: Invocation, endpoint: Endpoint): string[][] {
  const candidates = clearable(endpoint, command);
  const named = (flags.clear ?? []).map((name) => {
    const field = candidates.find((candidate) => candidate.name === kebab(name) && !candidate.switch);
    if (field) return field.path;
    throw new UsageError(
      `--clear: "${name}" cannot be cleared here.`,
      `Fields that can be cleared: ${candidates.map((candidate) => candidate.name).join(', ')}.`,
    );
  });
  const switched = candidates.filter((candidate) => candidate.switch && values[candidate.switch.slice(2)]);
  return [...named, ...switched.map(({ path }) => path)];
}

function refuseMissing(invocation: Invocation, endpoint: Endpoint, input: Fields): void {
  const missing = requiredInputs(invocation, endpoint).filter(({ field }) => input[field] === undefined);
  if (missing.length > 0) throw missingInput(invocation, missing);
}

/** What sets a required field of the request. */
export interface RequiredInput {
  /** Its first member in the query or the body. */
  field: string;
  flag: DerivedFlag;
  /** The argument that fills it instead of the flag. */
  argument?: string;
}

/** The flags and arguments of the required fields; without those that the command sets itself. */
export function requiredInputs({ command, derived }: Invocation, endpoint: Endpoint): RequiredInput[] {
  const { query, body } = fieldsOf(endpoint);
  const filled = [...argumentFields(endpoint, command)];
  return Object.entries({ ...query, ...body?.members })
    .filter(([, field]) => !field.optional)
    .flatMap(([field]): RequiredInput[] => {
      const [argument, filling] = filled.find(([, { path }]) => path[0] === field) ?? [];
      if (argument !== undefined && filling) return [{ field, argument, flag: filling }];
      const flag = derived.find(({ path }) => path[0] === field);
      return flag ? [{ field, flag }] : [];
    });
}

/** The error that names flags and arguments without a value. */
export function missingInput({ path }: Invocation, missing: readonly RequiredInput[]): UsageError {
  const names = missing.map(({ argument, flag }) => (argument === undefined ? flag.long : `<${argument}>`));
  return new UsageError(
    `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} missing.`,
    `See "docsctl ${path} --help".`,
    'missing-value',
  );
}

/** The one call of this run, typed by the command's endpoint. */
export function callOf<E extends Endpoint | undefined>(invocation: InvocationOf<E>): Promise<Call<NonNullable<E>>>;
export async function callOf(invocation: Invocation): Promise<Call> {
  const params = await paramsOf(invocation);
  return { endpoint: endpointOf(invocation), params, ...(await inputOf(invocation, params)) };
}

/** Sends one call, with a progress line when it takes long. */
export function send<E extends Endpoint>(
  invocation: InvocationOf<Endpoint | undefined>,
  call: Call<E>,
): Promise<Answer<E>>;
export async function send(invocation: Invocation, { endpoint, params, query, body }: Call): Promise<unknown> {
  const client = await invocation.client();
  const progress = invocation.io.progress('Waiting for the service');
  try {
    return await client.call(endpoint, { params, query, body });
  } finally {
    progress.stop();
  }
}

/** The remark on standard error after a call without an answer. */
export function doneText({ command, path }: Invocation, { params }: Call): string {
  const id = idOf({ params });
  return (command.output?.done ?? `${path} ${id}: done.`).replace('{}', id);
}
