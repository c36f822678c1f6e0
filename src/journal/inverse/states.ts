import { fields } from '../../contract/custom-fields.ts';
import { findEndpoint } from '../../contract/object-lists.ts';
import { openapi } from '../../contract/openapi.ts';
import { sites } from '../../contract/sites.ts';
import { spaces } from '../../contract/spaces.ts';
import { users } from '../../contract/users.ts';
import { isObject } from '../../shared/is-object.ts';
import {
  type ChangeCall,
  type Inverse,
  type Params,
  type Reader,
  type State,
  undoRequest,
  unlessMissing,
} from './inverse.ts';

const publication = async ({ client }: Reader, { orgId = '', siteId = '' }: Params): Promise<State | undefined> => {
  const site = await unlessMissing(client.call(sites.view, { params: { orgId, siteId } }));
  return site && { published: site.published };
};

/** A site is published, or not, as before. */
export const published: Inverse = {
  before: (reader, { params }) => publication(reader, params),
  now: (reader, { params }) => publication(reader, params),
  after: (answer) => (isObject(answer) ? { published: answer['published'] } : undefined),
  undo({ params: { orgId = '', siteId = '' }, before, after }) {
    if (!before) return { reason: 'what it was before is not known' };
    if (before['published'] === after?.['published']) return [];
    return [undoRequest(before['published'] === true ? sites.publish : sites.unpublish, { orgId, siteId })];
  },
};

const deletion = async ({ client }: Reader, { spaceId = '' }: Params): Promise<State | undefined> => {
  const space = await unlessMissing(client.call(spaces.view, { params: { spaceId } }));
  return space && { title: space.title, deleted: space.deletedAt !== undefined };
};

const dayMs = 24 * 60 * 60 * 1000;
const restorableDays = 7;

/** A deleted space is restored. */
export const deleteSpace: Inverse = {
  before: (reader, { params }) => deletion(reader, params),
  now: (reader, { params }) => deletion(reader, params),
  undo({ params: { spaceId = '' }, started }) {
    const isGone = Date.now() - Date.parse(started) > restorableDays * dayMs;
    if (isGone) return { reason: `a space can be restored for ${restorableDays} days only` };
    return [undoRequest(spaces.restore, { spaceId })];
  },
};

/** A restored space is deleted again. */
export const restoreSpace: Inverse = {
  now: (reader, { params }) => deletion(reader, params),
  undo: ({ params: { spaceId = '' } }) => [undoRequest(spaces.delete, { spaceId })],
};

const valuesOf = async ({ client }: Reader, { params, body }: Pick<ChangeCall, 'params' | 'body'>): Promise<State> => {
  const { spaceId = '' } = params;
  const list = await client.call(fields.viewValues, { params: { spaceId } });
  const values = new Map(list.map(({ customField, value }) => [customField.name, value]));
  const names = isObject(body['values']) ? Object.keys(body['values']) : [];
  return Object.fromEntries(names.map((name) => [name, values.get(name) ?? null]));
};

/** Values of custom fields are set back. */
export const fieldValues: Inverse = {
  before: valuesOf,
  now: valuesOf,
  undo({ params: { spaceId = '' }, before, after = {} }) {
    if (!before) return { reason: 'the values from before are not known' };
    const changed = Object.entries(before).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(after[name]),
    );
    if (changed.length === 0) return [];
    const values = Object.fromEntries(changed.map(([name, value]) => [name, { value }]));
    return [undoRequest(fields.setValues, { spaceId }, { values })];
  },
};

/** How often a specification was published; a version that is still processed counts too. */
async function publications({ client }: Reader, params: Params): Promise<State> {
  const { orgId = '', specSlug = '' } = params;
  const spec = await unlessMissing(client.call(openapi.view, { params: { orgId, specSlug } }));
  if (!spec) return { published: 'never' };
  const { count } = await client.call(openapi.versions, { params: { orgId, specSlug }, query: { limit: 0 } });
  return { published: count > 1 ? 'several times' : 'once' };
}

const slugOf = ({ params, body }: Pick<ChangeCall, 'params' | 'body'>): Params => ({
  ...params,
  specSlug: params['specSlug'] ?? String(body['slug']),
});

/** A specification that was new is deleted; a version of an older one stays. */
export const specification: Inverse = {
  before: (reader, call) => publications(reader, slugOf(call)),
  now: (reader, change) => publications(reader, slugOf(change)),
  undo({ params, body, before }) {
    if (before?.['published'] !== 'never')
      return {
        reason:
          'a published version stays; "docsctl openapi download --version" has the text of an older one, to be published again',
      };
    const { orgId = '', specSlug = '' } = slugOf({ params, body });
    return [undoRequest(openapi.delete, { orgId, specSlug })];
  },
};

/** What a call changes of a comment or a reply: its text, its state, and the reactions of the caller. */
async function commentState({ client }: Reader, { endpoint, params, body }: ChangeCall): Promise<State | undefined> {
  const view = await findEndpoint(endpoint.path);
  const comment = view && (await unlessMissing(client.call(view, { params, query: { format: 'markdown' } })));
  if (!isObject(comment)) return undefined;
  const { body: text, status, reactions } = comment;
  const { id } = await client.call(users.current, {});
  return {
    ...('body' in body && { body: text }),
    ...('resolved' in body && { resolved: status === 'resolved' }),
    ...(('addedReactions' in body || 'removedReactions' in body) && { reactions: reactionsOf(reactions, id) }),
  };
}

function reactionsOf(reactions: unknown, caller: string): string[] {
  if (!Array.isArray(reactions)) return [];
  return reactions.flatMap((reaction: unknown) => {
    if (!isObject(reaction) || !Array.isArray(reaction['users'])) return [];
    const isOwn = reaction['users'].some(
      (entry: unknown) => isObject(entry) && isObject(entry['user']) && entry['user']['id'] === caller,
    );
    return isOwn ? [String(reaction['emoji'])] : [];
  });
}

const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** A comment or a reply is set back. */
export const editComment: Inverse = {
  before: commentState,
  now: commentState,
  undo({ endpoint, params, before, after }) {
    if (!before || !after) return { reason: 'what it was before is not known' };
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
};
