import { fields } from '../../contract/custom-fields.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { openapi } from '../../contract/openapi.ts';
import { maxItems } from '../../contract/schema.ts';
import { sites } from '../../contract/sites.ts';
import { spaces } from '../../contract/spaces.ts';
import { teams } from '../../contract/teams.ts';
import { users } from '../../contract/users.ts';
import { undefinedIfMissing } from '../../client/errors/http-error.ts';
import { isObject } from '../../shared/is-object.ts';
import { valueAt } from '../../shared/value-at.ts';
import { isDeleted } from './objects.ts';
import {
  type ChangeCall,
  type Inverse,
  type Params,
  type Reader,
  type State,
  states,
  undoRequest,
  unknownState,
} from './inverse.ts';

const publication = async ({ client }: Reader, { orgId = '', siteId = '' }: Params): Promise<State> => {
  const site = await client.call(sites.view, { params: { orgId, siteId } });
  return { published: site.published };
};

/** Publishes or unpublishes a site again. */
export const published: Inverse = {
  ...states((reader, { params }) => publication(reader, params)),
  after(answer) {
    const value = valueAt(answer, 'published');
    return typeof value === 'boolean' ? { published: value } : undefined;
  },
  undo({ params: { orgId = '', siteId = '' }, before, after }) {
    if (!before) return unknownState;
    if (before['published'] === after?.['published']) return [];
    return [undoRequest(before['published'] === true ? sites.publish : sites.unpublish, { orgId, siteId })];
  },
};

const deletion = async ({ client }: Reader, { spaceId = '' }: Params): Promise<State> => {
  const space = await client.call(spaces.view, { params: { spaceId } });
  return { title: space.title, deleted: isDeleted(space) };
};

const dayMs = 24 * 60 * 60 * 1000;
const restorableDays = 7;

/** Restores a deleted space. */
export const deleteSpace: Inverse = {
  ...states((reader, { params }) => deletion(reader, params)),
  undo({ params: { spaceId = '' }, started }) {
    const isGone = Date.now() - Date.parse(started) > restorableDays * dayMs;
    if (isGone) return { reason: `a space can only be restored for ${restorableDays} days` };
    return [undoRequest(spaces.restore, { spaceId })];
  },
};

/** Deletes a restored space again. */
export const restoreSpace: Inverse = {
  now: (reader, { params }) => deletion(reader, params),
  undo: ({ params: { spaceId = '' } }) => [undoRequest(spaces.delete, { spaceId })],
};

const valuesOf = async ({ client }: Reader, { params, body }: Pick<ChangeCall, 'params' | 'body'>): Promise<State> => {
  const { spaceId = '' } = params;
  const list = await client.call(fields.viewValues, { params: { spaceId } });
  const values = new Map(list.map(({ customField, value }) => [customField.name, value]));
  return Object.fromEntries(keysOf(body['values']).map((name) => [name, values.get(name) ?? null]));
};

const keysOf = (value: unknown): string[] => (isObject(value) ? Object.keys(value) : []);
const itemsOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textsIn = (value: unknown): string[] => itemsOf(value).filter((item) => typeof item === 'string');

/** Sets custom fields to their previous values. */
export const fieldValues: Inverse = {
  ...states(valuesOf),
  undo({ params: { spaceId = '' }, before, after = {} }) {
    if (!before) return unknownState;
    const changed = Object.entries(before).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(after[name]),
    );
    if (changed.length === 0) return [];
    const values = Object.fromEntries(changed.map(([name, value]) => [name, { value }]));
    return [undoRequest(fields.setValues, { spaceId }, { values })];
  },
};

/** How often a specification was published. Versions that are still being processed count, too. */
async function publications({ client }: Reader, params: Params): Promise<State> {
  const { orgId = '', specSlug = '' } = params;
  const spec = await client.call(openapi.view, { params: { orgId, specSlug } }).catch(undefinedIfMissing);
  if (!spec) return { published: 'never' };
  const { count } = await client.call(openapi.versions, { params: { orgId, specSlug }, query: { limit: 0 } });
  return { published: count > 1 ? 'several times' : 'once' };
}

const slugOf = ({ params, body }: Pick<ChangeCall, 'params' | 'body'>): Params => ({
  ...params,
  specSlug: params['specSlug'] ?? String(body['slug']),
});

/** Deletes a new specification. Published versions of existing ones cannot be removed. */
export const specification: Inverse = {
  ...states((reader, call) => publications(reader, slugOf(call))),
  undo({ params, body, before }) {
    if (!before) return unknownState;
    if (before['published'] !== 'never')
      return {
        reason:
          'published versions cannot be removed; "docsctl openapi download --version" gets an older one, which you can publish again',
      };
    const { orgId = '', specSlug = '' } = slugOf({ params, body });
    return [undoRequest(openapi.delete, { orgId, specSlug })];
  },
};

/** The parts of a comment or reply that a call changes: its text, status, and the reactions of the caller. */
async function commentState({ client }: Reader, view: Endpoint, { params, body }: ChangeCall): Promise<State> {
  const comment = await client.call(view, { params, query: { format: 'markdown' } });
  const { id } = await client.call(users.current, {});
  return {
    ...('body' in body && { body: valueAt(comment, 'body') }),
    ...('resolved' in body && { resolved: valueAt(comment, 'status') === 'resolved' }),
    ...(('addedReactions' in body || 'removedReactions' in body) && { reactions: reactionsOf(comment, id) }),
  };
}

const reactionsOf = (comment: unknown, caller: string): string[] =>
  itemsOf(valueAt(comment, 'reactions'))
    .filter((reaction) => itemsOf(valueAt(reaction, 'users')).some((entry) => valueAt(entry, 'user.id') === caller))
    .map((reaction) => String(valueAt(reaction, 'emoji')));

/** Restores a comment or reply. @param view the endpoint that shows it */
export const editComment = (view: Endpoint): Inverse => ({
  ...states((reader, call) => commentState(reader, view, call)),
  undo({ endpoint, params, before, after }) {
    if (!before || !after) return unknownState;
    const body: State = {};
    for (const field of ['body', 'resolved'])
      if (JSON.stringify(before[field]) !== JSON.stringify(after[field])) body[field] = before[field];
    const [old, now] = [textsIn(before['reactions']), textsIn(after['reactions'])];
    const added = old.filter((emoji) => !now.includes(emoji));
    const removed = now.filter((emoji) => !old.includes(emoji));
    if (added.length > 0) body['addedReactions'] = added;
    if (removed.length > 0) body['removedReactions'] = removed;
    return Object.keys(body).length === 0 ? [] : [{ endpoint, params, body }];
  },
});

interface Membership {
  id: string;
  role: string;
}

/** The memberships of people by their names in a request, which are IDs or addresses; null if they are not in the team. */
async function membershipsOf(
  { client }: Reader,
  { orgId = '', teamId = '' }: Params,
  names: readonly string[],
): Promise<State> {
  const state: State = Object.fromEntries(names.map((name) => [name, null]));
  const count = new Set(names.map((name) => name.toLowerCase())).size;
  for await (const { organization, team } of client.items(teams.listMembers, { params: { orgId, teamId } })) {
    const membership: Membership = { id: organization.id, role: team.role };
    for (const name of names)
      if (name === organization.id || name.toLowerCase() === organization.user.email?.toLowerCase())
        state[name] = membership;
    if (Object.values(state).filter((each) => each !== null).length === count) break;
  }
  return state;
}

/** The people that a change of a team names. */
function namesIn({ params, body }: Pick<ChangeCall, 'params' | 'body'>): string[] {
  if (params['userId'] !== undefined) return [params['userId']];
  return [...new Set([...textsIn(body['add']), ...keysOf(body['memberships']), ...textsIn(body['remove'])])];
}

const isMembership = (value: unknown): value is Membership => isObject(value) && typeof value['id'] === 'string';

/** Restores the memberships of a team. */
export const teamMembers: Inverse = {
  ...states((reader, call) => membershipsOf(reader, call.params, namesIn(call))),
  undo({ params, before, after = {} }) {
    if (!before) return unknownState;
    const { orgId = '', teamId = '' } = params;
    const roles: [string, { role: string }][] = [];
    const remove: string[] = [];
    for (const [name, membership] of Object.entries(before)) {
      if (JSON.stringify(membership) === JSON.stringify(after[name])) continue;
      if (isMembership(membership)) roles.push([membership.id, { role: membership.role }]);
      else remove.push(name);
    }
    const requests = [];
    for (let start = 0; start < Math.max(roles.length, remove.length); start += maxItems) {
      const some = roles.slice(start, start + maxItems);
      const others = remove.slice(start, start + maxItems);
      const body = {
        ...(some.length > 0 && { memberships: Object.fromEntries(some) }),
        ...(others.length > 0 && { remove: others }),
      };
      requests.push(undoRequest(teams.updateMembers, { orgId, teamId }, body));
    }
    return requests;
  },
};
