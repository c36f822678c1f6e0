import type { Client } from '../client/client.ts';
import { objectAt } from '../client/find-object.ts';
import { changeRequests } from '../contract/change-requests.ts';
import { changeRequestContent } from '../contract/change-request-content.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { type Field, fieldsOf } from '../contract/fields.ts';
import { listOf } from '../contract/object-lists.ts';
import { choiceOf } from '../contract/object-titles.ts';
import { objectNamedBy, viewPathOf } from '../contract/objects.ts';
import { paramNames, pathUpTo } from '../contract/path.ts';
import { hasMembers } from '../shared/is-object.ts';

type Params = Record<string, string>;

/** From this number on, the objects of a kind are read as a list instead of one by one. */
const maxSingle = 8;
/** Beyond this, the people in one request are recorded with their IDs only. */
const maxNamed = 200;

/** A push of content sends few requests; what it has read has the titles that it needs. */
const readsNothing: ReadonlySet<Endpoint> = new Set<Endpoint>([changeRequests.create, changeRequestContent.change]);

/** The titles of the objects that changes are about, by their IDs. Each object is read at most once in a run. */
export class Titles {
  readonly #client: Client;
  readonly #titles = new Map<string, Promise<string | undefined>>();
  readonly #read = new Map<string, number>();
  readonly #lists = new Map<string, Promise<Map<string, string>>>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** Remembers an object that was read anyway. @param param the path parameter that names it, if it is known */
  learn(object: unknown, param = ''): void {
    const { value, title } = choiceOf(object, param);
    if (value !== '' && title !== value) this.#titles.set(`${param} ${value}`, Promise.resolve(title));
  }

  /** The titles of everything that a call names, by ID. */
  async of(endpoint: Endpoint, params: Params, body: unknown): Promise<Record<string, string>> {
    const { path, creates } = endpoint;
    const named = paramNames(path)
      .filter((param) => param !== creates && param !== 'orgId')
      .map((param) => ({ param, id: params[param] ?? '', path: pathUpTo(path, param) }));
    const fields = body === undefined ? undefined : fieldsOf(endpoint).body;
    const inBody = fields ? idsIn(body, fields) : [];
    for (const { param, id } of inBody.slice(0, maxNamed)) {
      const kind = objectNamedBy(param);
      if (kind) named.push({ param, id, path: viewPathOf(param, kind) });
    }
    const titles: Record<string, string> = {};
    const take = async ({ param, id, path: objectPath }: (typeof named)[number]) => {
      const known = this.#titles.get(`${param} ${id}`) ?? this.#titles.get(` ${id}`);
      const load = () => this.#titleOf(param, id, { path: objectPath, params: { ...params, [param]: id } });
      const title = await (known ?? (readsNothing.has(endpoint) ? undefined : load()));
      if (title !== undefined) titles[id] = title;
    };
    await Promise.all(named.map(take));
    return titles;
  }

  #titleOf(param: string, id: string, place: { path: string; params: Params }): Promise<string | undefined> {
    const key = `${param} ${id}`;
    const title =
      this.#titles.get(key) ?? this.#titles.get(` ${id}`) ?? this.#load(param, id, place).catch(() => undefined);
    this.#titles.set(key, title);
    return title;
  }

  async #load(
    param: string,
    id: string,
    { path, params }: { path: string; params: Params },
  ): Promise<string | undefined> {
    // An invite link is its own secret, and other kinds have no title.
    if (param === 'inviteId' || paramNames(path).some((name) => (params[name] ?? '') === '')) return undefined;
    const count = (this.#read.get(param) ?? 0) + 1;
    this.#read.set(param, count);
    const list = count > maxSingle ? await this.#list(param, path, params) : undefined;
    if (list) return list.get(id);
    // The member of a team is shown by the list of the team only.
    const viewPath = param === 'userId' ? '/v1/orgs/{orgId}/members/{userId}' : path;
    const object = await objectAt(this.#client, viewPath, params);
    const title = object === undefined ? undefined : choiceOf(object, param).title;
    return title === id ? undefined : title;
  }

  async #list(param: string, path: string, params: Params): Promise<Map<string, string> | undefined> {
    const list = await listOf(param, param === 'userId' ? '' : path);
    if (!list || list.itemsOf) return undefined;
    const { endpoint } = list;
    const load = async () => {
      const titles = new Map<string, string>();
      for await (const item of this.#client.items(endpoint, { params })) {
        const { value, title } = choiceOf(item, param);
        titles.set(value, title);
      }
      return titles;
    };
    const key = JSON.stringify([endpoint.path, paramNames(endpoint.path).map((name) => params[name])]);
    const titles = this.#lists.get(key) ?? load();
    this.#lists.set(key, titles);
    return titles;
  }
}

/** The IDs of objects in a body, with their kinds. */
function idsIn(value: unknown, { object, item, members = {}, kind }: Field): { param: string; id: string }[] {
  if (kind === 'record' && object && hasMembers(value))
    return Object.keys(value).map((id) => ({ param: object.param, id }));
  if (object && typeof value === 'string') return [{ param: object.param, id: value }];
  if (Array.isArray(value)) return item ? value.flatMap((each) => idsIn(each, item)) : [];
  if (!hasMembers(value)) return [];
  return Object.entries(members).flatMap(([name, member]) => idsIn(value[name], member));
}
