import * as store from '../../../store/comments.ts';
import { changeRequestComments, comments } from '../../../contract/comments.ts';
import type { Scope } from '../../engine/context.ts';
import { type Handlers, implement } from '../../engine/implement.ts';
import { paged } from '../../engine/paging.ts';
import { bodyChange, markdownFrom } from './comment-bodies.ts';
import { permitChange, permitDeletion } from './comment-permissions.ts';
import { targetColumns } from './comment-targets.ts';
import {
  type CommentsPlace,
  commentedRevision,
  presentComment,
  presentComments,
  presentReplies,
  presentReply,
} from './present-comments.ts';
import { changeReactions } from './reactions.ts';

type CommentHandlers = Pick<Handlers<typeof comments>, 'list' | 'create' | 'view' | 'edit' | 'delete'>;

const changeRequestIdOf = ({ changeRequest }: CommentsPlace) => changeRequest?.id ?? null;

/** The columns of a resolved or reopened comment; none where it is that already. */
function resolution(
  row: store.CommentRow,
  resolved: boolean | undefined,
  { caller, now }: Pick<Scope, 'caller' | 'now'>,
): Partial<store.CommentRow> {
  if (resolved === undefined || resolved === (row.status === 'resolved')) return {};
  return resolved
    ? { status: 'resolved', resolved_at: now, resolved_by: caller.id }
    : { status: 'open', resolved_at: null, resolved_by: null };
}

const commentHandlers: CommentHandlers = {
  list(context) {
    const { db, objects, query, page } = context;
    const filter = {
      space: objects.space.id,
      changeRequest: changeRequestIdOf(objects),
      status: query.status,
      page: query.targetPage,
    };
    return paged(page, {
      rows: (after, limit) => store.listComments(db, filter, query.order, after, limit),
      keyTypes: ['string', 'string'],
      key: (row) => [row.posted_at, row.id],
      count: () => store.countComments(db, filter),
      present: (rows) => presentComments(context, rows, query.format),
    });
  },

  async create(context) {
    const { db, objects, body, caller, now, texts } = context;
    const revision = commentedRevision(objects);
    const target = await targetColumns(context, revision, body);
    const row = await store.insertComment(db, {
      ...target,
      space: objects.space.id,
      change_request: changeRequestIdOf(objects),
      revision,
      posted_by: caller.id,
      posted_at: now,
      body: await markdownFrom(body.body, texts),
    });
    return presentComment(context, row);
  },

  view: (context) => presentComment(context, context.objects.comment, context.query.format),

  edit: {
    permit: (asked) => permitChange(asked, asked.objects.comment.posted_by, 'comment'),
    async handle(context) {
      const { db, objects, body } = context;
      const { comment } = objects;
      const textChange = await bodyChange(comment, body.body, context);
      const change = { ...textChange, ...resolution(comment, body.resolved, context) };
      await changeReactions(context, comment.id, body);
      return presentComment(context, await store.changeComment(db, comment.id, change));
    },
  },

  delete: {
    permit: (asked) => permitDeletion(asked, asked.objects.comment.posted_by, 'comment'),
    handle: ({ db, objects: { comment } }) => store.deleteComment(db, comment.id),
  },
};

type ReplyHandlers = Pick<
  Handlers<typeof comments>,
  'listReplies' | 'createReply' | 'viewReply' | 'editReply' | 'deleteReply'
>;

const replyHandlers: ReplyHandlers = {
  listReplies: (context) =>
    paged(context.page, {
      rows: (after, limit) => store.listReplies(context.db, context.objects.comment.id, after, limit),
      keyTypes: ['string', 'string'],
      key: (row) => [row.posted_at, row.id],
      count: () => context.objects.comment.replies,
      present: (rows) => presentReplies(context, rows, context.query.format),
    }),

  async createReply(context) {
    const { db, objects, body, query, caller, now, texts } = context;
    const row = await store.insertReply(db, {
      comment: objects.comment.id,
      posted_by: caller.id,
      posted_at: now,
      body: await markdownFrom(body.body, texts),
    });
    return presentReply(context, row, query.format);
  },

  viewReply: (context) => presentReply(context, context.objects.reply, context.query.format),

  editReply: {
    permit: (asked) => permitChange(asked, asked.objects.reply.posted_by, 'reply'),
    async handle(context) {
      const { db, objects, body } = context;
      const change = await bodyChange(objects.reply, body.body, context);
      await changeReactions(context, objects.reply.id, body);
      return presentReply(context, await store.changeReply(db, objects.reply.id, change));
    },
  },

  deleteReply: {
    permit: (asked) => permitDeletion(asked, asked.objects.reply.posted_by, 'reply'),
    handle: ({ db, objects: { reply } }) => store.deleteReply(db, reply.id),
  },
};

export const handlers = implement(comments, { ...commentHandlers, ...replyHandlers });
export const changeRequestHandlers = implement(changeRequestComments, { ...commentHandlers, ...replyHandlers });
