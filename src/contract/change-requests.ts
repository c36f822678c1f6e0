import * as z from 'zod/mini';
import { dateTime, lazy, text, User } from './common.ts';
import { endpoints } from './endpoint.ts';
import { about, reference } from './schema.ts';

export const statuses = ['draft', 'open', 'archived', 'merged'] as const;

export const ChangeRequest = lazy(() =>
  z.object({
    object: z.literal('change-request'),
    id: z.string(),
    number: z.number(),
    status: z.enum(statuses),
    subject: z.string(),
    createdBy: User(),
    createdAt: dateTime(),
    updatedAt: dateTime(),
    revision: z.string(),
    revisionInitial: z.string(),
    revisionMergedAncestor: z.optional(z.string()),
    revisionMerged: z.optional(z.string()),
    comments: z.number(),
    outdated: z.boolean(),
    urls: z.object({ app: z.string(), location: z.string() }),
  }),
);

/** A page that main content and a request both changed, with what either side made of it. */
export const Conflict = lazy(() =>
  z.object({
    page: z.string(),
    title: z.string(),
    kind: z.enum(['content', 'metadata', 'deleted']),
    /** With `content`: the lines that both sides changed, from the line of their common ancestor on. */
    hunks: z.optional(
      z.array(z.object({ line: z.number(), base: z.string(), main: z.string(), changeRequest: z.string() })),
    ),
    /** With `metadata`: what both sides changed. */
    members: z.optional(
      z.array(
        z.object({
          member: z.string(),
          base: z.optional(z.unknown()),
          main: z.optional(z.unknown()),
          changeRequest: z.optional(z.unknown()),
        }),
      ),
    ),
    /** With `deleted`: the side that has the page no more. */
    deletedIn: z.optional(z.enum(['main', 'change-request'])),
  }),
);

const subject = () => text({ max: 100 }, 'Subject of the change, at most 100 characters.');

export const changeRequests = endpoints('changeRequests', {
  list: {
    route: 'GET /v1/spaces/{spaceId}/change-requests',
    summary: 'List the change requests of a space.',
    access: 'space.view',
    query: () => ({
      status: z._default(about(z.enum(statuses), 'Only requests with this status.'), 'open'),
      contributor: z.optional(reference('userId', 'Only requests that this user worked on.')),
    }),
    items: ChangeRequest,
  },
  create: {
    route: 'POST /v1/spaces/{spaceId}/change-requests',
    summary: 'Create a change request as a draft.',
    access: 'space.edit',
    body: () => z.object({ subject: z.optional(subject()) }),
    response: ChangeRequest,
    status: 201,
  },
  view: {
    route: 'GET /v1/spaces/{spaceId}/change-requests/{changeRequestId}',
    summary: 'Show a change request.',
    access: 'space.view',
    response: ChangeRequest,
  },
  edit: {
    route: 'PATCH /v1/spaces/{spaceId}/change-requests/{changeRequestId}',
    summary: 'Change the subject or status of a change request.',
    access: 'space.edit',
    body: () =>
      z.object({
        subject: z.optional(subject()),
        status: z.optional(about(z.enum(['draft', 'open', 'archived']), 'New status; use the merge command to merge.')),
      }),
    response: ChangeRequest,
  },
  merge: {
    route: 'POST /v1/spaces/{spaceId}/change-requests/{changeRequestId}/merge',
    summary: 'Merge an open change request into the main content.',
    access: 'space.merge',
    response: () =>
      z.object({
        revision: z.string(),
        result: z.enum(['merge', 'conflicts']),
        conflicts: z.optional(z.array(Conflict())),
      }),
  },
  update: {
    route: 'POST /v1/spaces/{spaceId}/change-requests/{changeRequestId}/update',
    summary: 'Update a change request with the main content.',
    access: 'space.edit',
    response: () =>
      z.object({
        revision: z.string(),
        result: z.enum(['update', 'conflicts']),
        conflicts: z.optional(z.array(Conflict())),
      }),
  },
});
