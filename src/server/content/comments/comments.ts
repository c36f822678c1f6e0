import * as store from '../../../store/comments.ts';
import { changeRequestComments, comments } from '../../../contract/comments.ts';
import type { AnswerOf } from '../../../contract/endpoint.ts';
import { getFrom } from '../../../shared/get-from.ts';
import { parseJson } from '../../../store/json.ts';
import type { Row } from '../../../store/tables.ts';
import { usersById } from '../../../store/users.ts';
import type { Context, Objects, Scope } from '../../engine/context.ts';
import { type Handlers, implement } from '../../engine/implement.ts';
import { paged } from '../../engine/paging.ts';
import { presentUser } from '../../organizations/users.ts';
import { type Format, bodyChange, markdownFrom, presentBodies } from './comment-bodies.ts';
import { permissionsOn, permitChange, permitDeletion } from './comment-permissions.ts';
import { outdatedComments, targetColumns } from './comment-targets.ts';

type CommentHandlers = Pick<Handlers<typeof comments>, 'list' | 'create' | 'view' | 'edit' | 'delete'>;

const changeRequestIdOf = ({ changeRequest }: CommentsPlace) => changeRequest?.id ?? null;

/** The columns of a resolved or reopened comment; none if it is that already. */
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

interface ReactionChange {
  addedReactions?: string[] | undefined;
  removedReactions?: string[] | undefined;
}

/** Changes the caller's reactions. @param target id of a comment or reply */
async function changeReactions(
  { db, caller, now }: Pick<Scope, 'db' | 'caller' | 'now'>,
  target: string,
  { addedReactions, removedReactions }: ReactionChange,
): Promise<void> {
  await store.addReactions(db, { target, user: caller.id, reacted_at: now }, [...new Set(addedReactions)]);
  await store.removeReactions(db, { target, user: caller.id }, [...new Set(removedReactions)]);
}

type Comment = AnswerOf<typeof comments.view>;
type Reply = AnswerOf<typeof comments.viewReply>;

/** Where comments are: on main content, or on a change request. */
type CommentsPlace = Pick<Objects, 'space'> & { changeRequest?: Row<'change_request'> | undefined };

type Viewing = Pick<Context, 'db' | 'base' | 'caller' | 'texts'> & { objects: CommentsPlace };

const locationOf = (base: string, { space, changeRequest }: CommentsPlace) =>
  `${base}/v1/spaces/${space.id}${changeRequest ? `/change-requests/${changeRequest.id}` : ''}/comments`;

/** The content that comments are about: that of the space, or of the change request. */
const commentedRevision = ({ space, changeRequest }: CommentsPlace) => changeRequest?.revision ?? space.revision;

type Users = Map<string, Row<'user'>>;

function presentReactions(base: string, rows: store.ReactionRow[], users: Users): Comment['reactions'] {
  return [...Map.groupBy(rows, (row) => row.emoji)].map(([emoji, reactions]) => ({
    emoji,
    count: reactions.length,
    users: reactions.map((row) => ({ user: presentUser(base, getFrom(users, row.user)), reactedAt: row.reacted_at })),
  }));
}

/** A comment or a reply. */
type PostRow = Pick<store.CommentRow, 'id' | 'posted_by' | 'posted_at' | 'edited_at' | 'body'>;

/** Loads what comments or replies are presented with. @param otherUsers ids of more users to load */
async function postPresenter(viewing: Viewing, rows: PostRow[], format: Format, otherUsers: string[] = []) {
  const { db, base, texts } = viewing;
  const reactions = await store.reactionsTo(
    db,
    rows.map((row) => row.id),
  );
  const users = await usersById(db, [
    ...rows.map((row) => row.posted_by),
    ...[...reactions.values()].flat().map((row) => row.user),
    ...otherUsers,
  ]);
  const bodies = await presentBodies(texts, rows, format);
  const userOf = (id: string) => presentUser(base, getFrom(users, id));
  const present = (row: PostRow) => ({
    id: row.id,
    postedBy: userOf(row.posted_by),
    postedAt: row.posted_at,
    editedAt: row.edited_at ?? undefined,
    reactions: presentReactions(base, reactions.get(row.id) ?? [], users),
    body: getFrom(bodies, row.id),
    permissions: permissionsOn(viewing, row.posted_by),
  });
  return { present, userOf };
}

async function commentPresenter(viewing: Viewing, rows: store.CommentRow[], format: Format) {
  const { db, base, objects } = viewing;
  const resolvers = rows.flatMap((row) => row.resolved_by ?? []);
  const { present, userOf } = await postPresenter(viewing, rows, format, resolvers);
  const outdated = await outdatedComments(db, commentedRevision(objects), rows);
  return (row: store.CommentRow): Comment => ({
    object: 'comment',
    ...present(row),
    replies: row.replies,
    target: presentTarget(row, outdated.has(row.id)),
    urls: { location: `${locationOf(base, objects)}/${row.id}` },
    status: row.status,
    resolvedAt: row.resolved_at ?? undefined,
    resolvedBy: row.resolved_by === null ? undefined : userOf(row.resolved_by),
  });
}

const presentTarget = (row: store.CommentRow, outdated: boolean): Comment['target'] => ({
  node: row.node === null ? undefined : { id: row.node, preview: row.preview ?? '' },
  changeRequest: row.change_request ?? undefined,
  page: row.page_snapshot === null ? undefined : { ...parseJson(row.page_snapshot).page, outdated },
  space: row.space,
  revision: row.revision,
});

const presentComments = async (viewing: Viewing, rows: store.CommentRow[], format?: Format) =>
  rows.map(await commentPresenter(viewing, rows, format));

const presentComment = async (viewing: Viewing, row: store.CommentRow, format?: Format) =>
  (await commentPresenter(viewing, [row], format))(row);

async function replyPresenter(viewing: Viewing, rows: store.ReplyRow[], format: Format) {
  const { present } = await postPresenter(viewing, rows, format);
  return (row: store.ReplyRow): Reply => ({
    object: 'comment-reply',
    ...present(row),
    urls: { location: `${locationOf(viewing.base, viewing.objects)}/${row.comment}/replies/${row.id}` },
  });
}

const presentReplies = async (viewing: Viewing, rows: store.ReplyRow[], format?: Format) =>
  rows.map(await replyPresenter(viewing, rows, format));

const presentReply = async (viewing: Viewing, row: store.ReplyRow, format?: Format) =>
  (await replyPresenter(viewing, [row], format))(row);
