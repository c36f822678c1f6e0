import { paramNames, pathUpTo } from '../../contract/path.ts';
import type { Client } from '../../client/client.ts';
import { undefinedIfMissing } from '../../client/errors/http-error.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { objectNamedBy, type ObjectKind, objects, type ScopeName, viewPathOf } from '../../contract/objects.ts';
import { valueAt } from '../../shared/value-at.ts';
import { CommandError, UsageError, exit } from '../program/failure.ts';
import { paramsOfAddress } from './address.ts';
import {
  ambiguous,
  type Candidate,
  candidatesOf,
  comparable,
  matching,
  publishedAbove,
  suggestion,
  unnamed,
} from './candidates.ts';
import { personIn, titleWithId } from '../../shared/person-form.ts';
import { findEndpoint, listOf } from '../../contract/object-lists.ts';
import { isWebAddress, needsLookup, readingOf } from './reading.ts';
import { choiceOf } from '../../contract/object-titles.ts';

type Params = Record<string, string>;

/** A text that names an object, and what surrounds it. */
export interface NameText {
  /** The kind of object, as a path parameter. */
  param: string;
  text: string;
  /** Parameters of the request that are known to be ids. */
  params: Params;
  /** Path of the request: pages of a change request are listed there. */
  path?: string;
}

export interface LookupContext {
  client: Client;
  /** The setting of a scope; undefined if there is none. Nothing is asked. */
  setting(name: ScopeName): Promise<string | undefined>;
}

/** Shorter beginnings of an address would be those of most members. */
const minStart = 3;
/** The items that a page has at most. */
const pageSize = 1000;

/** Finds ids by what people call the objects. What was read is kept for the run. */
export class NameLookup {
  readonly #context: LookupContext;
  readonly #lists = new Map<string, Promise<Candidate[]>>();
  readonly #objects = new Map<string, Promise<unknown>>();
  /** How many names of a kind are to be looked up, by path parameter. */
  readonly #expected = new Map<string, number>();

  constructor(context: LookupContext) {
    this.#context = context;
  }

  /** Announces that many objects of a kind are looked up: a list is then read once, if that takes fewer requests. */
  expect(param: string, count: number): void {
    this.#expected.set(param, count);
  }

  /**
   * The ID that a text names.
   *
   * @throws CommandError (status 5) if it names nothing, UsageError if it names several
   */
  async idOf(printed: NameText): Promise<string> {
    const name = printed.param === 'userId' ? { ...printed, text: personIn(printed.text) } : printed;
    const { param, text } = name;
    if (isWebAddress(text)) return this.#idAt(name);
    const form = titleWithId(text);
    // A title may end with parentheses, too.
    if (form && (await this.titleOf({ ...name, text: form.id })) === form.title) return form.id;
    const reading = readingOf(text);
    if (reading.by === 'id') return reading.text;
    if (param === 'userId' && text === '@me') return this.#callerId();
    if (param === 'changeRequestId' && /^#\d+$/.test(text)) return text.slice(1);
    return this.#only(name, matching(await this.#candidates(name, reading.text), reading));
  }

  /** The id in a text that may be an id: itself if there is such an object. @throws as `idOf` */
  async idOrNameOf(name: NameText): Promise<string> {
    if (needsLookup(name.text)) return this.idOf(name);
    return (await this.titleOf(name)) === undefined ? this.idOf(name) : name.text;
  }

  /** The ID that a text is or names; undefined if there is no such object. @throws UsageError if there are several */
  async find(name: NameText): Promise<string | undefined> {
    return this.idOrNameOf(name).catch((error: unknown) => {
      if (error instanceof CommandError && error.exitCode === exit.notFound) return undefined;
      throw error;
    });
  }

  /**
   * Whether an organization has the space or site that a text names. An id costs one request.
   *
   * @throws CommandError (status 5) if there is no such organization
   */
  async isInOrganization({ param, text }: Pick<NameText, 'param' | 'text'>, organization: string): Promise<boolean> {
    const owner = needsLookup(text) ? undefined : await this.organizationOf({ [param]: text });
    if (owner === organization) return true;
    const orgId = await this.idOrNameOf({ param: 'orgId', text: organization, params: {} });
    if (owner !== undefined) return owner === orgId;
    const id = await this.find({ param, text, params: { orgId } });
    // An address leads to an object in any organization.
    return id !== undefined && ((await this.organizationOf({ [param]: id })) ?? orgId) === orgId;
  }

  /** The title of the object that a text is the id of; undefined if there is none. */
  async titleOf(name: NameText): Promise<string | undefined> {
    const { param, text: id, params } = name;
    const view = await findEndpoint(viewPathIn(name));
    if (!view) {
      const candidates = await this.#candidates(name);
      return candidates.find((candidate) => candidate.id === id)?.title;
    }
    const [whole] = await this.#paramsFor(view.path, { ...params, [param]: id });
    const object = whole && (await this.#object(view.path, whole));
    return object === undefined ? undefined : choiceOf(object, param).title;
  }

  /** What to say about a text that is neither an id nor a name. */
  async hintFor(name: NameText): Promise<string> {
    return suggestion(name.text, kindOf(name.param), await this.#similar(name));
  }

  /** The path parameters in an address: the objects that it leads through. */
  async paramsAt(address: string, param: string): Promise<Params> {
    const params = paramsOfAddress(address);
    if (Object.keys(params).length > 0 || param !== 'pageId') return params;
    const space = publishedAbove(await this.#candidates({ param: 'spaceId', text: address, params: {} }), address);
    const prefix = space?.addresses.find((each) => comparable(address).startsWith(comparable(each)));
    if (!space || prefix === undefined) return {};
    const path = comparable(address).slice(comparable(prefix).length).replace(/^\//, '');
    return { spaceId: space.id, pageId: `path:${path}` };
  }

  async #idAt(name: NameText): Promise<string> {
    const { param, text, params } = name;
    const inAddress = await this.paramsAt(text, param);
    const { [param]: value, ...others } = inAddress;
    if (value !== undefined)
      return needsLookup(value) ? this.idOf({ ...name, text: value, params: { ...params, ...others } }) : value;
    const [last] = Object.keys(inAddress).slice(-1);
    const { noun } = kindOf(param);
    if (last !== undefined)
      throw new UsageError(
        `"${text}" is the address of a ${kindOf(last).noun}, not of a ${noun}.`,
        `Use its id or its own address.`,
      );
    const candidates = await this.#candidates(name);
    const above = param === 'siteId' || param === 'spaceId' ? publishedAbove(candidates, text) : undefined;
    return this.#only(name, above ? [above] : matching(candidates, readingOf(text)));
  }

  async #only(name: NameText, matches: Candidate[]): Promise<string> {
    const [match, ...others] = matches;
    const kind = kindOf(name.param);
    if (match === undefined) throw unnamed(name.text, kind, await this.#similar(name));
    if (others.length > 0) throw ambiguous(name.text, kind, await this.#placed(name, matches));
    return match.id;
  }

  /** The objects that a name may mean. @param text what a filter of the service is given, if it has one */
  async #candidates(name: NameText, text?: string): Promise<Candidate[]> {
    const { param, params } = name;
    const filter = kindOf(param).names?.filter;
    // A team lists its members only; a name may be that of anybody.
    const list = await listOf(param, param === 'userId' ? undefined : viewPathIn(name));
    if (!list) return [];
    const isWhole = await this.#readsWhole(param, list.endpoint, params);
    const query = {
      ...(filter !== undefined && text !== undefined && !isWhole ? { [filter]: text } : {}),
      // A space that is to be restored is among the deleted ones.
      ...(name.path?.endsWith('/restore') ? { deleted: true } : {}),
    };
    const sets = await this.#paramsFor(list.endpoint.path, params);
    const lists = sets.map((set) => {
      const key = JSON.stringify([list.endpoint.path, set, query]);
      const candidates =
        this.#lists.get(key) ?? candidatesOf(this.#context.client, list, param, { params: set, query });
      this.#lists.set(key, candidates);
      return candidates;
    });
    return (await Promise.all(lists)).flat();
  }

  /** Whether reading the whole list takes fewer requests than a search for each name. */
  async #readsWhole(param: string, endpoint: Endpoint, params: Params): Promise<boolean> {
    const expected = this.#expected.get(param) ?? 0;
    const [set] = expected > 1 && endpoint.paged ? await this.#paramsFor(endpoint.path, params) : [];
    if (!set) return false;
    const key = JSON.stringify(['count', endpoint.path, set]);
    const count = this.#objects.get(key) ?? this.#context.client.call(endpoint, { params: set, query: { limit: 0 } });
    this.#objects.set(key, count);
    return expected > Math.ceil(Number(valueAt(await count, 'count')) / pageSize);
  }

  /** Objects whose name may be misspelt. */
  async #similar(name: NameText): Promise<Candidate[]> {
    if (name.param !== 'userId') return this.#candidates(name);
    const term = readingOf(name.text).text.split('@')[0] ?? '';
    // A misspelt address has the same beginning, as a rule.
    const start = term.slice(0, Math.max(minStart, Math.floor(term.length / 2)));
    return start.length < minStart ? [] : this.#candidates(name, start);
  }

  /** Candidates with the titles of the collections or sections that they are in. */
  async #placed(name: NameText, candidates: Candidate[]) {
    const holder = {
      spaceId: 'collectionId',
      collectionId: 'collectionId',
      siteSpaceId: 'siteSectionId',
      siteSectionId: 'siteSectionGroupId',
    }[name.param];
    const placed = candidates.map(async (candidate) => {
      const { parent } = candidate;
      if (holder === undefined || parent === undefined) return candidate;
      const title = await this.titleOf({ param: holder, text: parent, params: name.params });
      return { ...candidate, place: title ?? parent };
    });
    return Promise.all(placed);
  }

  /** The parameters of a path, from those of the request and from the settings: several if several are possible. */
  async #paramsFor(path: string, params: Params): Promise<Params[]> {
    let sets: Params[] = [{}];
    for (const param of paramNames(path)) {
      const value = params[param];
      const ids = value === undefined ? await this.#surrounding(param, params) : [value];
      sets = sets.flatMap((set) => ids.map((id) => ({ ...set, [param]: id })));
    }
    return sets;
  }

  /** The ids that a parameter may have which the request does not tell. */
  async #surrounding(param: string, params: Params): Promise<string[]> {
    if (param === 'orgId') {
      const organization = await this.organizationOf(params);
      if (organization !== undefined) return [organization];
    }
    const { scope } = kindOf(param);
    const setting = scope && (await this.#context.setting(scope));
    if (setting !== undefined) return [await this.idOrNameOf({ param, text: setting, params: {} })];
    if (param !== 'orgId') return [];
    return (await this.#candidates({ param, text: '', params: {} })).map(({ id }) => id);
  }

  /** The organization of the space or collection that a request is about; undefined if the service has no such object. */
  async organizationOf(params: Params): Promise<string | undefined> {
    const param = ['spaceId', 'collectionId'].find((each) => params[each] !== undefined);
    if (param === undefined) return undefined;
    const object = await this.#object(viewPathOf(param, kindOf(param)), { [param]: params[param] ?? '' });
    const organization = valueAt(object, 'organization');
    return typeof organization === 'string' ? organization : undefined;
  }

  /** An object by its path; undefined if the service has none. */
  #object(path: string, params: Params): Promise<unknown> {
    const key = JSON.stringify([path, params]);
    const object = this.#objects.get(key) ?? this.#readObject(path, params);
    this.#objects.set(key, object);
    return object;
  }

  async #readObject(path: string, params: Params): Promise<unknown> {
    const view = await findEndpoint(path);
    return view && this.#context.client.call(view, { params }).catch(undefinedIfMissing);
  }

  async #callerId(): Promise<string> {
    const id = valueAt(await this.#object('/v1/user', {}), 'id');
    if (typeof id === 'string') return id;
    throw new UsageError('The service does not tell who you are.', 'Use your id instead of @me.');
  }
}

function kindOf(param: string): ObjectKind {
  const kind = objectNamedBy(param);
  if (kind) return kind;
  throw new Error(`No object is named by ${param}.`);
}

/** The path that shows the object: the request's own up to it, else that of the table of objects. */
function viewPathIn({ param, params, path }: NameText): string {
  if (path !== undefined && param !== 'userId' && paramNames(path).includes(param)) return pathUpTo(path, param);
  if (param === 'pageId' && params.changeRequestId !== undefined) return objects.pageId.open.inChangeRequest;
  return viewPathOf(param, kindOf(param));
}
