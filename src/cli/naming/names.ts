import { HttpError, isMissing } from '../../client/errors/http-error.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { ValidationIssue } from '../../contract/errors.ts';
import { type Field, fieldsOf } from '../../contract/fields.ts';
import { nounOf, objectNamedBy, objects } from '../../contract/objects.ts';
import { paramNames } from '../../contract/path.ts';
import type { Referenced } from '../../contract/schema.ts';
import { hasMembers } from '../../shared/is-object.ts';
import { pointerTo } from '../../shared/json-pointer.ts';
import { valueAt } from '../../shared/value-at.ts';
import { withoutUndefined } from '../../shared/without-undefined.ts';
import { CommandError, UsageError, exit } from '../program/failure.ts';
import type { Setting } from '../settings/session.ts';
import type { LookupContext, NameLookup, NameText } from './lookup.ts';
import { needsLookup } from './reading.ts';

type Params = Record<string, string>;

/** The parts of a request that may hold names. */
export interface NamedInput extends RequestInput {
  params?: unknown;
}

interface NamesContext extends LookupContext {
  /** The organization that a flag or the environment names. */
  organization(): Promise<Setting | undefined>;
}

/**
 * Turns names in requests into ids. A text that may be an id is sent as it is, and looked up only when the service
 * refuses exactly that object: a request with ids costs nothing more.
 */
export class Names {
  readonly #context: NamesContext;
  #lookup: Promise<NameLookup> | undefined;
  /** Ids by their names, of objects that were looked up. */
  readonly #ids = new Map<string, string>();
  /** The organizations of spaces and collections that were listed: they need no request. */
  readonly #owners = new Map<string, string>();

  constructor(context: NamesContext) {
    this.#context = context;
  }

  /** Loaded when the first name is met. */
  lookup(): Promise<NameLookup> {
    return (this.#lookup ??= import('./lookup.ts').then(({ NameLookup }) => new NameLookup(this.#context)));
  }

  /** The ID that a text is or names in a request to `endpoint`; undefined if there is no such object. */
  async find(endpoint: Endpoint, params: Params, name: Pick<NameText, 'param' | 'text'>): Promise<string | undefined> {
    const lookup = await this.lookup();
    const ids = await this.#eachParam(endpoint, params, (param) => needsLookup(params[param] ?? ''));
    try {
      return await lookup.find({ ...name, params: textsOf(ids.params) });
    } catch (refusal) {
      if (!isMissing(refusal)) throw refusal;
      const { params: checked } = await this.#eachParam(endpoint, params, () => true);
      return lookup.find({ ...name, params: textsOf(checked) });
    }
  }

  /** Announces calls, so that many names are looked up in one list instead of one by one. */
  async expect(endpoint: Endpoint, calls: readonly NamedInput[]): Promise<void> {
    const param = paramNames(endpoint.path).at(-1);
    const names = calls.filter(({ params }) => needsLookup(textsOf(params)[param ?? ''] ?? ''));
    if (param !== undefined && names.length > 1) (await this.lookup()).expect(param, names.length);
  }

  /** The input with ids for everything that cannot be an id, or that was looked up before. */
  async prepare<Input extends NamedInput>(endpoint: Endpoint, input: Input): Promise<Input> {
    const isName = ({ text }: { text: string }) => needsLookup(text);
    const texts = textsOf(input.params);
    const order = paramNames(endpoint.path);
    // To look a name up, the ids of all that it is in are needed.
    const last = referencesIn(endpoint, input).some((each) => isLookedUpHere(each) && isName(each))
      ? order.length
      : order.findLastIndex((param) => needsLookup(texts[param] ?? ''));
    const params = await this.#eachParam(endpoint, texts, (param) => order.indexOf(param) <= last);
    await this.assertOrganization(endpoint, textsOf(params.params));
    return this.#eachReference(endpoint, { ...input, ...params }, isName);
  }

  /**
   * The input with every name looked up and every id checked, whatever the service would say of it: for requests that are
   * shown before they are sent.
   */
  async resolve<Input extends NamedInput>(endpoint: Endpoint, input: Input): Promise<Input> {
    const params = await this.#eachParam(endpoint, input.params, () => true);
    await this.assertOrganization(endpoint, textsOf(params.params));
    return this.#eachReference(endpoint, { ...input, ...params }, () => true);
  }

  /**
   * Checks that the space or collection of a request is in the organization that a flag or the environment names: its path
   * does not tell.
   *
   * @throws UsageError if it is in another one, CommandError (status 5) if there is no such organization
   */
  async assertOrganization({ path }: Pick<Endpoint, 'path'>, params: Params): Promise<void> {
    const param = paramNames(path)[0];
    const id = params[param ?? ''];
    if (id === undefined || (param !== 'spaceId' && param !== 'collectionId')) return;
    const explicit = await this.#context.organization();
    if (explicit === undefined) return;
    const lookup = await this.lookup();
    const owner = this.#owners.get(id) ?? (await lookup.organizationOf({ [param]: id }));
    // The service answers that there is no such object.
    if (owner === undefined) return;
    const { value, source } = explicit;
    if (owner !== value && owner !== (await lookup.idOrNameOf({ param: 'orgId', text: value, params: {} })))
      throw new UsageError(
        `The ${nounOf(param)} ${id} is in the organization ${owner}, not in "${value}" (${source}).`,
        `Name a ${nounOf(param)} of that organization, or leave ${source} out.`,
      );
  }

  /** Whether the answers of an endpoint tell the organizations of spaces or collections. */
  learnsFrom = ({ path }: Endpoint): boolean => path === objects.spaceId.list || path === objects.collectionId.list;

  /** Remembers the organizations of spaces and collections that the service lists or creates. */
  learn(endpoint: Endpoint, items: readonly unknown[]): void {
    if (!this.learnsFrom(endpoint)) return;
    for (const item of items) {
      const [id, owner] = [valueAt(item, 'id'), valueAt(item, 'organization')];
      if (typeof id === 'string' && typeof owner === 'string') this.#owners.set(id, owner);
    }
  }

  /**
   * The input for another attempt after the service refused an object.
   *
   * @throws the refusal, if every object is there; CommandError if something is neither an id nor a name
   */
  async afterRefusal<Input extends NamedInput>(endpoint: Endpoint, input: Input, refusal: unknown): Promise<Input> {
    if (!(refusal instanceof HttpError)) throw refusal;
    const retried = await this.#lookedUp(endpoint, input, refusal);
    if (retried === undefined || isSame(retried, input)) throw refusal;
    return retried;
  }

  async #lookedUp<Input extends NamedInput>(
    endpoint: Endpoint,
    input: Input,
    refusal: HttpError,
  ): Promise<Input | undefined> {
    if (isMissing(refusal))
      return { ...input, ...(await this.#eachParam(endpoint, input.params, () => true, refusal)) };
    if (refusal.status !== 400) return undefined;
    const refused = (refusal.details ?? []).filter(({ rule }) => rule === 'reference');
    if (refusal.details && refused.length === 0) return undefined;
    return this.#eachReference(
      endpoint,
      input,
      (reference) => refusal.details === undefined || refused.some((issue) => isAbout(issue, reference)),
      refusal,
    );
  }

  /** The input of a list that came back empty: its filters name something, or the filter is an error. */
  async afterEmptyList<Input extends NamedInput>(endpoint: Endpoint, input: Input): Promise<Input | undefined> {
    const isFilter = (reference: Reference) => reference.in === 'query';
    const checked = await this.#eachReference(endpoint, input, isFilter);
    return isSame(checked, input) ? undefined : checked;
  }

  async #eachParam(
    { path, creates }: Endpoint,
    params: unknown,
    isLookedUp: (param: string) => boolean,
    refusal?: HttpError,
  ): Promise<{ params?: Params }> {
    if (!hasMembers(params)) return {};
    const ids: Params = {};
    for (const param of paramNames(path)) {
      const text = params[param];
      if (typeof text !== 'string') continue;
      // The object that a PUT makes is not there yet.
      const isFixed = objectNamedBy(param)?.names === undefined || param === creates;
      ids[param] = isFixed ? text : await this.#idOf({ param, text, params: ids, path }, isLookedUp(param), refusal);
    }
    return { params: ids };
  }

  async #eachReference<Input extends NamedInput>(
    endpoint: Endpoint,
    input: Input,
    isLookedUp: (reference: Reference) => boolean,
    refusal?: HttpError,
  ): Promise<Input> {
    const ids = new Map<Reference, string>();
    for (const reference of referencesIn(endpoint, input)) {
      if (!isLookedUpHere(reference)) continue;
      const { param, text } = reference;
      const { path } = endpoint;
      const name = { param, text, params: textsOf(input.params), path };
      ids.set(reference, await this.#idOf(name, isLookedUp(reference), refusal));
    }
    return withReferences(input, ids);
  }

  async #idOf(
    name: { param: string; text: string; params: Params; path: string },
    isLookedUp: boolean,
    refusal?: HttpError,
  ): Promise<string> {
    const key = JSON.stringify([name.param, name.text, name.params]);
    const before = this.#ids.get(key);
    if (before !== undefined || !isLookedUp) return before ?? name.text;
    const lookup = await this.lookup();
    const id = await lookup.idOrNameOf(name).catch((error: unknown) => {
      throw refusal ? insteadOf(refusal, error) : error;
    });
    this.#ids.set(key, id);
    return id;
  }
}

/** What is reported of a lookup after a refusal: what the service said, if the lookup found nothing. */
function insteadOf(refusal: HttpError, error: unknown): unknown {
  if (!(error instanceof CommandError && error.exitCode === exit.notFound))
    return error instanceof HttpError ? refusal : error;
  const { status, reason, details, requestId } = refusal;
  // The service names the first object of the path that it does not know, be it a title that was looked up since.
  const { message } = details === undefined ? error : refusal;
  const hint = refusal.hint ?? error.hint;
  const unnamed = new CommandError(message, { exitCode: exit.notFound, cause: refusal, ...(hint && { hint }) });
  return Object.assign(unnamed, withoutUndefined({ status, reason, details, requestId }));
}

const textsOf = (params: unknown): Params =>
  hasMembers(params)
    ? Object.fromEntries(
        Object.entries(params).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      )
    : {};

/** The service takes the email addresses of some fields as they are. */
const isLookedUpHere = ({ text, takesEmail }: Reference) => !(takesEmail && isEmail(text));

const isEmail = (text: string) => /^[^@\s]+@[^@\s]+$/.test(text);

const isSame = (a: NamedInput, b: NamedInput) => JSON.stringify(a) === JSON.stringify(b);

/** Whether an issue is about a reference, or about what it is in: a position is refused as a whole. */
function isAbout({ path }: ValidationIssue, { in: place, path: parts }: Reference): boolean {
  if (place === 'query') return path === parts[0];
  const pointer = pointerTo(parts);
  return pointer === path || pointer.startsWith(`${path}/`);
}

/** A text in a query or a body that names an object. */
interface Reference extends Referenced {
  in: 'query' | 'body';
  /** Names of members, and indexes, down to it. */
  path: string[];
  text: string;
}

interface RequestInput {
  query?: unknown;
  body?: unknown;
}

/** The texts in query and body that name objects. Only fields that have a value are read. */
function referencesIn(endpoint: Endpoint, { query, body }: RequestInput): Reference[] {
  if (!hasReferenceValues(query) && body === undefined) return [];
  const fields = fieldsOf(endpoint);
  const members: Field = { kind: 'object', optional: false, nullable: false, members: fields.query };
  return [
    ...collect(query, members, []).map((each) => ({ ...each, in: 'query' as const })),
    ...(fields.body ? collect(body, fields.body, []).map((each) => ({ ...each, in: 'body' as const })) : []),
  ];
}

/** Parameters of paging name nothing; lists without others are the most frequent requests. */
const hasReferenceValues = (query: unknown) =>
  hasMembers(query) &&
  Object.keys(query).some((name) => !['page', 'limit'].includes(name) && query[name] !== undefined);

type Unplaced = Omit<Reference, 'in'>;

function collect(value: unknown, field: Field, path: string[]): Unplaced[] {
  const { object, item, members = {}, branches = [], kind } = field;
  if (kind === 'record' && object && hasMembers(value))
    return Object.keys(value).map((text) => ({ ...object, path: [...path, text], text }));
  if (object && typeof value === 'string') return [{ ...object, path, text: value }];
  if (Array.isArray(value)) {
    const of = item ?? branches.find((branch) => branch.item)?.item;
    return of ? value.flatMap((each, index) => collect(each, of, [...path, String(index)])) : [];
  }
  if (branches.length > 0) return uniqueOf(branches.flatMap((branch) => collect(value, branch, path)));
  if (!hasMembers(value)) return [];
  return Object.entries(members).flatMap(([name, member]) => collect(value[name], member, [...path, name]));
}

const uniqueOf = (references: Unplaced[]): Unplaced[] => [
  ...new Map(references.map((reference) => [reference.path.join('\n'), reference])).values(),
];

/** A copy of query and body with other texts at the places of references. */
function withReferences<Input extends RequestInput>(input: Input, texts: ReadonlyMap<Reference, string>): Input {
  const changes = [...texts].filter(([{ text }, id]) => text !== id);
  if (changes.length === 0) return input;
  const copy = structuredClone({ query: input.query, body: input.body });
  for (const [reference, id] of changes) {
    replaceAt(reference.in === 'query' ? copy.query : copy.body, reference.path, reference.text, id);
  }
  return { ...input, ...copy };
}

function replaceAt(target: unknown, [first = '', ...rest]: string[], text: string, id: string): void {
  if (!hasMembers(target)) return;
  const value = target[first];
  if (rest.length > 0) return replaceAt(value, rest, text, id);
  // The key of a record is the text itself; the order of the others stays.
  if (value === text) target[first] = id;
  else {
    const entries = Object.entries(target).map(([key, each]) => [key === first ? id : key, each] as const);
    for (const key of Object.keys(target)) delete target[key];
    Object.assign(target, Object.fromEntries(entries));
  }
}
