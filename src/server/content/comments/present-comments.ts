import type { comments } from '../../../contract/comments.ts';
import type { AnswerOf } from '../../../contract/endpoint.ts';
import { getFrom } from '../../../shared/get-from.ts';
import * as store from '../../../store/comments.ts';
import { parseJson } from '../../../store/json.ts';
import type { Row } from '../../../store/tables.ts';
import { usersById } from '../../../store/users.ts';
import type { Context, Objects } from '../../engine/context.ts';
import { presentUser } from '../../organizations/users.ts';
import { type Format, presentBodies } from './comment-bodies.ts';
import { permissionsOn } from './comment-permissions.ts';
import { outdatedComments } from './comment-targets.ts';

type Comment = AnswerOf<typeof comments.view>;
type Reply = AnswerOf<typeof comments.viewReply>;

/** Where comments are: on main content, or on a change request. */
export type CommentsPlace = Pick<Objects, 'space'> & { changeRequest?: Row<'change_request'> | undefined };

type Viewing = Pick<Context, 'db' | 'base' | 'caller' | 'texts'> & { objects: CommentsPlace };

const locationOf = (base: string, { space, changeRequest }: CommentsPlace) =>
  `${base}/v1/spaces/${space.id}${changeRequest ? `/change-requests/${changeRequest.id}` : ''}/comments`;

/** The content that comments are about: that of the space, or of the change request. */
export const commentedRevision = ({ space, changeRequest }: CommentsPlace) => changeRequest?.revision ?? space.revision;

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

export const presentComments = async (viewing: Viewing, rows: store.CommentRow[], format?: Format) =>
  rows.map(await commentPresenter(viewing, rows, format));

export const presentComment = async (viewing: Viewing, row: store.CommentRow, format?: Format) =>
  (await commentPresenter(viewing, [row], format))(row);

async function replyPresenter(viewing: Viewing, rows: store.ReplyRow[], format: Format) {
  const { present } = await postPresenter(viewing, rows, format);
  return (row: store.ReplyRow): Reply => ({
    object: 'comment-reply',
    ...present(row),
    urls: { location: `${locationOf(viewing.base, viewing.objects)}/${row.comment}/replies/${row.id}` },
  });
}

export const presentReplies = async (viewing: Viewing, rows: store.ReplyRow[], format?: Format) =>
  rows.map(await replyPresenter(viewing, rows, format));

export const presentReply = async (viewing: Viewing, row: store.ReplyRow, format?: Format) =>
  (await replyPresenter(viewing, [row], format))(row);
