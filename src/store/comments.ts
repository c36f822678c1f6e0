import { sql } from 'kysely';
import { newId } from './ids.ts';
import { type Marked, query, queryFor } from './query.ts';
import { countRows, type Direction, jsonList, keyset, type PageKey, type PageParams, pageParams } from './sql.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

export type CommentRow = Row<'comment'>;
export type ReplyRow = Row<'comment_reply'>;
export type ReactionRow = Row<'reaction'>;

export interface CommentFilter {
  space: string;
  /** Null for the comments on main content. */
  changeRequest: string | null;
  status: 'all' | 'open' | 'resolved';
  page?: string | undefined;
}

interface FilterParams {
  space: string;
  changeRequest: string;
  status?: CommentRow['status'] | undefined;
  page?: string | undefined;
}

type FilterVariant = Record<'status' | 'page', boolean>;
type ListVariant = FilterVariant & { after: boolean; order: Direction };

const matching = ({ status, page }: FilterVariant, db: Db, p: Marked<FilterParams>) =>
  db
    .selectFrom('comment')
    .where('space', '=', p.space)
    .where(sql`coalesce(change_request, '')`, '=', p.changeRequest)
    .$if(status, (q) => q.where('status', '=', p.status))
    .$if(page, (q) => q.where('page', '=', p.page));

const list = queryFor<ListVariant, FilterParams & PageParams, CommentRow>((variant, db, p) =>
  matching(variant, db, p)
    .selectAll()
    .$if(variant.after, (q) => q.where(keyset(['posted_at', 'id'], variant.order, p)))
    .orderBy('posted_at', variant.order)
    .orderBy('id', variant.order)
    .limit(p.limit),
);

const count = queryFor<FilterVariant, FilterParams, { count: number }>((variant, db, p) =>
  matching(variant, db, p).select(countRows),
);

function filterOf({ space, changeRequest, status, page }: CommentFilter) {
  const variant: FilterVariant = { status: status !== 'all', page: page !== undefined };
  const params = { space, changeRequest: changeRequest ?? '', status: status === 'all' ? undefined : status, page };
  return { variant, params };
}

/** Comments after a key of `posted_at` and `id`, sorted by the time they were posted. */
export function listComments(
  db: Db,
  filter: CommentFilter,
  order: Direction,
  after: PageKey | undefined,
  limit: number,
): Promise<CommentRow[]> {
  const { variant, params } = filterOf(filter);
  return list({ ...variant, order, after: after !== undefined }).all(db, { ...params, ...pageParams(after, limit) });
}

export async function countComments(db: Db, filter: CommentFilter): Promise<number> {
  const { variant, params } = filterOf(filter);
  return (await count(variant).one(db, params)).count;
}

const byId = query<{ id: string }, CommentRow>((db, p) => db.selectFrom('comment').selectAll().where('id', '=', p.id));
const getComment = (db: Db, id: string): Promise<CommentRow> => byId.one(db, { id });

export type NewComment = Pick<
  CommentRow,
  | 'space'
  | 'change_request'
  | 'page'
  | 'node'
  | 'preview'
  | 'page_snapshot'
  | 'revision'
  | 'posted_by'
  | 'posted_at'
  | 'body'
>;

export async function insertComment(db: Db, comment: NewComment): Promise<CommentRow> {
  const id = newId();
  await db
    .insertInto('comment')
    .values({ ...comment, id, edited_at: null, resolved_at: null, resolved_by: null })
    .execute();
  return getComment(db, id);
}

export async function changeComment(
  db: Db,
  id: string,
  change: Partial<Pick<CommentRow, 'body' | 'edited_at' | 'status' | 'resolved_at' | 'resolved_by'>>,
): Promise<CommentRow> {
  if (Object.keys(change).length > 0) await db.updateTable('comment').set(change).where('id', '=', id).execute();
  return getComment(db, id);
}

export async function deleteComment(db: Db, id: string): Promise<void> {
  await db.deleteFrom('comment').where('id', '=', id).execute();
}

const replies = queryFor<{ after: boolean }, PageParams & { comment: string }, ReplyRow>((variant, db, p) =>
  db
    .selectFrom('comment_reply')
    .selectAll()
    .where('comment', '=', p.comment)
    .$if(variant.after, (q) => q.where(keyset(['posted_at', 'id'], 'asc', p)))
    .orderBy('posted_at')
    .orderBy('id')
    .limit(p.limit),
);

/** The replies to a comment after a key of `posted_at` and `id`, oldest first. */
export const listReplies = (db: Db, comment: string, after: PageKey | undefined, limit: number) =>
  replies({ after: after !== undefined }).all(db, { comment, ...pageParams(after, limit) });

const replyById = query<{ id: string }, ReplyRow>((db, p) =>
  db.selectFrom('comment_reply').selectAll().where('id', '=', p.id),
);

export async function insertReply(
  db: Db,
  reply: Pick<ReplyRow, 'comment' | 'posted_by' | 'posted_at' | 'body'>,
): Promise<ReplyRow> {
  const id = newId();
  await db
    .insertInto('comment_reply')
    .values({ ...reply, id, edited_at: null })
    .execute();
  return replyById.one(db, { id });
}

export async function changeReply(
  db: Db,
  id: string,
  change: Partial<Pick<ReplyRow, 'body' | 'edited_at'>>,
): Promise<ReplyRow> {
  if (Object.keys(change).length > 0) await db.updateTable('comment_reply').set(change).where('id', '=', id).execute();
  return replyById.one(db, { id });
}

export async function deleteReply(db: Db, id: string): Promise<void> {
  await db.deleteFrom('comment_reply').where('id', '=', id).execute();
}

const reactions = query<{ targets: string }, ReactionRow>(
  (db, p) => sql<ReactionRow>`select * from reaction where target in ${jsonList(db, p.targets)}
      order by reacted_at, emoji, "user"`,
);

/** The reactions to each of these comments or replies, by its id; oldest first. */
export async function reactionsTo(db: Db, targets: string[]): Promise<Map<string, ReactionRow[]>> {
  if (targets.length === 0) return new Map();
  return Map.groupBy(await reactions.all(db, { targets: JSON.stringify(targets) }), (row) => row.target);
}

/** Adds a user's reactions to one comment or reply; those that it has already stay as they are. */
export async function addReactions(db: Db, reaction: Omit<ReactionRow, 'emoji'>, emoji: string[]): Promise<void> {
  if (emoji.length === 0) return;
  await db
    .insertInto('reaction')
    .values(emoji.map((each) => ({ ...reaction, emoji: each })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function removeReactions(
  db: Db,
  { target, user }: Pick<ReactionRow, 'target' | 'user'>,
  emoji: string[],
): Promise<void> {
  if (emoji.length === 0) return;
  await db
    .deleteFrom('reaction')
    .where('target', '=', target)
    .where('user', '=', user)
    .where('emoji', 'in', emoji)
    .execute();
}
