import * as z from 'zod/mini';
import { dateTime, flags, lazy, position, Role, text } from './common.ts';
import { endpoints } from './endpoint.ts';
import { about, emojis, reference } from './schema.ts';
import { knownWords } from '../shared/words.ts';

export const visibilities = ['public', 'unlisted', 'share-link', 'visitor-auth', 'in-collection', 'private'] as const;
export const spaceTitle = () => text({ max: 50 }, 'Title, at most 50 characters.');
const editMode = () =>
  about(
    z.enum(['live', 'locked']),
    'Whether content can be changed directly (live) or only through change requests (locked).',
  );
export const defaultLevel = () => about(z.nullable(Role()), 'Default level of members; null for none.');

export const Space = lazy(() =>
  z.object({
    object: z.literal('space'),
    id: z.string(),
    title: z.string(),
    emoji: z.string(),
    visibility: z.enum(visibilities),
    createdAt: dateTime(),
    updatedAt: dateTime(),
    deletedAt: z.optional(dateTime()),
    editMode: z.optional(z.enum(['live', 'locked'])),
    urls: z.object({
      location: z.string(),
      app: z.string(),
      published: z.optional(z.string()),
      public: z.optional(z.string()),
      icon: z.optional(z.string()),
    }),
    organization: z.string(),
    parent: z.optional(z.string()),
    gitSync: z.optional(
      z.object({
        repoName: z.optional(z.string()),
        installationProvider: z.optional(z.enum(['github', 'gitlab', 'github-legacy'])),
        integration: z.optional(z.string()),
        url: z.optional(z.string()),
        updatedAt: z.optional(dateTime()),
      }),
    ),
    visitorAuth: z.optional(
      z.object({ backend: z.enum(['custom', 'integration']), integration: z.optional(z.string()) }),
    ),
    revision: z.string(),
    defaultLevel: z.nullable(Role()),
    comments: z.number(),
    changeRequests: z.number(),
    changeRequestsOpen: z.number(),
    changeRequestsDraft: z.number(),
    permissions: flags(...knownWords('view access admin viewInviteLinks edit triggerGitSync comment merge review')),
  }),
);

export const shareKey = () =>
  z.optional(text({ max: 512 }, 'Key of a share link; published addresses in the response contain it.'));

const ContentPointer = () =>
  z.union([
    z.object({ type: z.literal('space'), space: reference('spaceId') }),
    z.object({ type: z.literal('collection'), collection: reference('collectionId') }),
  ]);

/** Body of a move of a space or collection. Both are ordered together under their parent. */
export const move = () =>
  z.object({
    parent: z.optional(
      about(
        z.nullable(reference('collectionId')),
        'Target collection; null for the top level; default: the current one.',
      ),
    ),
    position: z.optional(position(ContentPointer)),
  });

export const transfer = () => z.object({ organization: reference('orgId', 'Target organization.') });

export const spaces = endpoints('spaces', {
  list: {
    route: 'GET /v1/orgs/{orgId}/spaces',
    summary: 'List the spaces of an organization, including those in collections.',
    access: 'member',
    query: () => ({ deleted: z._default(about(z.boolean(), 'Only deleted spaces that you can restore.'), false) }),
    items: Space,
  },
  create: {
    route: 'POST /v1/orgs/{orgId}/spaces',
    summary: 'Create a space.',
    access: 'member',
    body: () =>
      z.object({
        title: z.optional(spaceTitle()),
        emoji: z.optional(emojis('Emoji next to the title.')),
        parent: z.optional(reference('collectionId', 'Collection to create it in.')),
        editMode: z.optional(editMode()),
      }),
    response: Space,
    status: 201,
  },
  view: {
    route: 'GET /v1/spaces/{spaceId}',
    summary: 'Show a space.',
    access: 'space.view',
    query: () => ({ shareKey: shareKey() }),
    response: Space,
    ofDeleted: true,
  },
  edit: {
    route: 'PATCH /v1/spaces/{spaceId}',
    summary: 'Edit a space.',
    access: 'space.admin',
    body: () =>
      z.object({
        title: z.optional(spaceTitle()),
        emoji: z.optional(emojis('Emoji next to the title.')),
        editMode: z.optional(editMode()),
        defaultLevel: z.optional(defaultLevel()),
      }),
    response: Space,
  },
  delete: {
    route: 'DELETE /v1/spaces/{spaceId}',
    summary: 'Delete a space; it can be restored for 7 days.',
    access: 'space.admin',
    status: 205,
  },
  restore: {
    route: 'POST /v1/spaces/{spaceId}/restore',
    summary: 'Restore a space that was deleted in the last 7 days.',
    access: 'space.admin',
    response: Space,
    ofDeleted: true,
  },
  duplicate: {
    route: 'POST /v1/spaces/{spaceId}/duplicate',
    summary: 'Copy a space with its content.',
    access: 'space.view',
    response: Space,
    status: 201,
  },
  move: {
    route: 'POST /v1/spaces/{spaceId}/move',
    summary: 'Move a space.',
    access: 'space.admin',
    body: move,
    response: Space,
  },
  transfer: {
    route: 'POST /v1/spaces/{spaceId}/transfer',
    summary: 'Transfer a space to another organization.',
    access: 'space.admin',
    body: transfer,
    response: Space,
  },
});
