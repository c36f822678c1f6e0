import { changeRequestComments, comments } from '../../../contract/comments.ts';
import * as store from '../../../store/comments.ts';
import type { Scope } from '../../engine/context.ts';
import { type Handlers, implement } from '../../engine/implement.ts';
import { paged } from '../../engine/paging.ts';
import { bodyChange, markdownFrom } from './comment-bodies.ts';
import { permitChange, permitDeletion } from './comment-permissions.ts';
import { targetColumns } from './comment-targets.ts';
import { commentedRevision, type CommentsPlace, presentComment, presentComments } from './present-comments.ts';
import { changeReactions } from './reactions.ts';
import { replyHandlers } from './replies.ts';

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

export const handlers = implement(comments, { ...commentHandlers, ...replyHandlers });
export const changeRequestHandlers = implement(changeRequestComments, { ...commentHandlers, ...replyHandlers });
