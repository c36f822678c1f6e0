import * as z from 'zod/mini';
import { flags, lazy, Role, text } from './common.ts';
import { endpoints } from './endpoint.ts';
import { about, reference } from './schema.ts';
import { defaultLevel, move, Space, transfer } from './spaces.ts';

const title = () => text({ max: 50 }, 'Title, at most 50 characters.');

export const Collection = lazy(() =>
  z.object({
    object: z.literal('collection'),
    id: z.string(),
    title: z.string(),
    description: z.optional(z.string()),
    organization: z.string(),
    parent: z.optional(z.string()),
    defaultLevel: z.nullable(Role()),
    urls: z.object({ location: z.string(), app: z.string() }),
    permissions: flags('view', 'admin', 'viewInviteLinks', 'create'),
  }),
);

export const collections = endpoints('collections', {
  list: {
    route: 'GET /v1/orgs/{orgId}/collections',
    summary: 'List the collections of an organization.',
    access: 'member',
    query: () => ({ nested: z._default(about(z.boolean(), 'Include nested collections, depth first.'), true) }),
    items: Collection,
  },
  create: {
    route: 'POST /v1/orgs/{orgId}/collections',
    summary: 'Create a collection.',
    access: 'member',
    body: () =>
      z.object({ title: z.optional(title()), parent: z.optional(reference('collectionId', 'Parent collection.')) }),
    response: Collection,
    status: 201,
  },
  view: {
    route: 'GET /v1/collections/{collectionId}',
    summary: 'Show a collection.',
    access: 'collection.view',
    response: Collection,
  },
  edit: {
    route: 'PATCH /v1/collections/{collectionId}',
    summary: 'Edit a collection.',
    access: 'collection.admin',
    body: () =>
      z.object({
        title: z.optional(title()),
        description: z.optional(text({ max: 100 }, 'Description, at most 100 characters.')),
        defaultLevel: z.optional(defaultLevel()),
      }),
    response: Collection,
  },
  delete: {
    route: 'DELETE /v1/collections/{collectionId}',
    summary: 'Delete a collection; its content moves to its parent.',
    access: 'collection.admin',
    status: 205,
  },
  spaces: {
    route: 'GET /v1/collections/{collectionId}/spaces',
    summary: 'List the spaces directly in a collection.',
    access: 'collection.view',
    items: Space,
  },
  move: {
    route: 'POST /v1/collections/{collectionId}/move',
    summary: 'Move a collection with its content.',
    access: 'collection.admin',
    body: move,
    response: Collection,
  },
  transfer: {
    route: 'POST /v1/collections/{collectionId}/transfer',
    summary: 'Transfer a collection with its content to another organization.',
    access: 'collection.admin',
    body: transfer,
    response: Collection,
  },
});
