import * as z from 'zod/mini';
import { dateTime, flags, lazy, order, text, User } from './common.ts';
import { endpoints } from './endpoint.ts';
import { Tree } from './pages.ts';
import { routesUnder } from './path.ts';
import { about, emoji, list, reference } from './schema.ts';

/** Longest body in characters of Markdown. */
export const maxBodyLength = 10_000;

const Reactions = () =>
  z.array(
    z.object({
      emoji: z.string(),
      count: z.number(),
      users: z.array(z.object({ user: User(), reactedAt: dateTime() })),
    }),
  );

const Body = lazy(() => z.union([z.object({ markdown: z.string() }), z.object({ document: Tree() })]));
const permissions = () => flags('view', 'edit', 'reply', 'delete');

export const Comment = lazy(() =>
  z.object({
    object: z.literal('comment'),
    id: z.string(),
    postedBy: User(),
    postedAt: dateTime(),
    editedAt: z.optional(dateTime()),
    reactions: Reactions(),
    replies: z.number(),
    body: Body(),
    target: z.object({
      node: z.optional(z.object({ id: z.string(), preview: z.string() })),
      changeRequest: z.optional(z.string()),
      review: z.optional(z.string()),
      page: z.optional(
        z.object({
          id: z.string(),
          title: z.string(),
          emoji: z.optional(z.string()),
          icon: z.optional(z.string()),
          createdAt: z.optional(dateTime()),
          updatedAt: z.optional(dateTime()),
          path: z.string(),
          outdated: z.boolean(),
        }),
      ),
      space: z.string(),
      revision: z.string(),
    }),
    urls: z.object({ location: z.string() }),
    permissions: permissions(),
    status: z.enum(['open', 'resolved']),
    resolvedAt: z.optional(dateTime()),
    resolvedBy: z.optional(User()),
  }),
);

export const CommentReply = lazy(() =>
  z.object({
    object: z.literal('comment-reply'),
    id: z.string(),
    postedBy: User(),
    postedAt: dateTime(),
    editedAt: z.optional(dateTime()),
    reactions: Reactions(),
    body: Body(),
    urls: z.object({ location: z.string() }),
    permissions: permissions(),
  }),
);

const body = () =>
  z
    .object({
      markdown: z.optional(
        text({ max: maxBodyLength }, 'Text in Markdown, at most 10000 characters.').check(
          z.refine((markdown) => markdown.trim() !== '', {
            params: { rule: 'minLength' },
            message: 'must not be blank',
          }),
        ),
      ),
      document: z.optional(about(z.record(z.string(), z.unknown()), 'Text as a document tree, instead of Markdown.')),
    })
    .check(
      z.refine(({ markdown, document }) => markdown === undefined || document === undefined, {
        params: { rule: 'conflict' },
        message: 'must have markdown or document, not both',
      }),
      z.refine(({ markdown, document }) => markdown !== undefined || document !== undefined, {
        params: { rule: 'required' },
        message: 'must have markdown or document',
      }),
      z.describe('Text: {"markdown": "..."} or {"document": <tree>}.'),
    );

const changes = () => ({
  body: z.optional(body()),
  addedReactions: z.optional(about(list(emoji()), 'Emoji to add as a reaction.')),
  removedReactions: z.optional(about(list(emoji()), 'Emoji to remove; an emoji in both lists is removed.')),
});

const format = () => ({
  format: z.optional(about(z.enum(['document', 'markdown']), 'Return text as Markdown or as a document tree.')),
});

const newComment = () =>
  z
    .object({
      node: z.optional(about(z.string(), 'Block of the page to comment on.')),
      page: z.optional(reference('pageId', 'Page to comment on.')),
      body: body(),
    })
    .check(
      z.refine(({ node, page }) => node === undefined || page !== undefined, {
        params: { rule: 'required' },
        path: ['page'],
        message: 'is required with node',
      }),
    );

const commentEndpoints = (prefix: string) => {
  const under = routesUnder(prefix);
  return {
    list: {
      route: under('GET', ''),
      summary: 'List comments.',
      access: 'space.view',
      query: () => ({
        order: order(),
        status: z._default(about(z.enum(['all', 'open', 'resolved']), 'Only comments with this status.'), 'all'),
        ...format(),
        targetPage: z.optional(reference('pageId', 'Only comments on this page.')),
      }),
      items: Comment,
    },
    create: {
      route: under('POST', ''),
      summary: 'Post a comment.',
      access: 'space.comment',
      body: newComment,
      response: Comment,
    },
    view: {
      route: under('GET', '/{commentId}'),
      summary: 'Show a comment.',
      access: 'space.view',
      query: format,
      response: Comment,
    },
    edit: {
      route: under('PUT', '/{commentId}'),
      summary: 'Edit a comment, react to it, resolve or reopen it.',
      description: 'Only the author can change the text; reacting and resolving require permission to comment.',
      access: 'space.view',
      repeatable: true,
      body: () =>
        z.object({ resolved: z.optional(about(z.boolean(), 'Resolve or reopen the comment.')), ...changes() }),
      response: Comment,
    },
    delete: {
      route: under('DELETE', '/{commentId}'),
      summary: 'Delete a comment and its replies.',
      description: 'Only the author and administrators of the space can do this.',
      access: 'space.view',
      status: 205,
    },
  } as const;
};

const replyEndpoints = (prefix: string) => {
  const under = routesUnder(prefix);
  return {
    listReplies: {
      route: under('GET', '/{commentId}/replies'),
      summary: 'List replies to a comment.',
      access: 'space.view',
      query: format,
      items: CommentReply,
    },
    createReply: {
      route: under('POST', '/{commentId}/replies'),
      summary: 'Reply to a comment.',
      access: 'space.comment',
      query: format,
      body: () => z.object({ body: body() }),
      response: CommentReply,
    },
    viewReply: {
      route: under('GET', '/{commentId}/replies/{commentReplyId}'),
      summary: 'Show a reply.',
      access: 'space.view',
      query: format,
      response: CommentReply,
    },
    editReply: {
      route: under('PUT', '/{commentId}/replies/{commentReplyId}'),
      summary: 'Edit a reply or react to it.',
      description: 'Only the author can change the text; reacting requires permission to comment.',
      access: 'space.view',
      repeatable: true,
      body: () => z.object(changes()),
      response: CommentReply,
    },
    deleteReply: {
      route: under('DELETE', '/{commentId}/replies/{commentReplyId}'),
      summary: 'Delete a reply.',
      description: 'Only the author and administrators of the space can do this.',
      access: 'space.view',
      status: 205,
    },
  } as const;
};

/** The comments of main content and those of a change request obey the same rules. */
const family = (prefix: string) => ({ ...commentEndpoints(prefix), ...replyEndpoints(prefix) });

export const comments = endpoints('comments', family('/v1/spaces/{spaceId}/comments'));
export const changeRequestComments = endpoints(
  'changeRequestComments',
  family('/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments'),
);
