import type { comments } from '../../../contract/comments.ts';
import * as store from '../../../store/comments.ts';
import type { Handlers } from '../../engine/implement.ts';
import { paged } from '../../engine/paging.ts';
import { bodyChange, markdownFrom } from './comment-bodies.ts';
import { permitChange, permitDeletion } from './comment-permissions.ts';
import { presentReplies, presentReply } from './present-comments.ts';
import { changeReactions } from './reactions.ts';

type ReplyHandlers = Pick<
  Handlers<typeof comments>,
  'listReplies' | 'createReply' | 'viewReply' | 'editReply' | 'deleteReply'
>;

export const replyHandlers: ReplyHandlers = {
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
