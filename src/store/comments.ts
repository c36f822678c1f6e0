import { sql } from 'kysely';
import { filterQuery, type Marked, query, queryFor } from './query.ts';
import { rowsById } from './rows.ts';
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

const matching = (db: Db, p: Marked<FilterParams>, has: (name: 'status' | 'page') => boolean) =>
  db
    .selectFrom('comment')
    .where('space', '=', p.space)
    .where(sql`coalesce(change_request, '')`, '=', p.changeRequest)
    .$if(has('status'), (q) => q.where('status', '=', p.status))
    .$if(has('page'), (q) => q.where('page', '=', p.page));

const list = queryFor<{ order: Direction }, FilterParams & PageParams, CommentRow>(({ order }, db, p, has) =>
  matching(db, p, has)
    .selectAll()
    .$if(has('afterId'), (q) => q.where(keyset(['posted_at', 'id'], order, p)))
    .orderBy('posted_at', order)
    .orderBy('id', order)
    .limit(p.limit),
);

const count = filterQuery<FilterParams, { count: number }>((db, p, has) => matching(db, p, has).select(countRows));

const paramsOf = ({ space, changeRequest, status, page }: CommentFilter): FilterParams => ({
  space,
  changeRequest: changeRequest ?? '',
  status: status === 'all' ? undefined : status,
  page,
});

/** Comments after a key of `posted_at` and `id`, sorted by the time they were posted. */
export const listComments = (
  db: Db,
  filter: CommentFilter,
  order: Direction,
  after: PageKey | undefined,
  limit: number,
): Promise<CommentRow[]> => list({ order }).all(db, { ...paramsOf(filter), ...pageParams(after, limit) });

export const countComments = async (db: Db, filter: CommentFilter): Promise<number> =>
  (await count.one(db, paramsOf(filter))).count;

export const { insert: insertComment, change: changeComment, delete: deleteComment } = rowsById('comment');
export const { insert: insertReply, change: changeReply, delete: deleteReply } = rowsById('comment_reply');

const replies = filterQuery<PageParams & { comment: string }, ReplyRow>((db, p, has) =>
  db
    .selectFrom('comment_reply')
    .selectAll()
    .where('comment', '=', p.comment)
    .$if(has('afterId'), (q) => q.where(keyset(['posted_at', 'id'], 'asc', p)))
    .orderBy('posted_at')
    .orderBy('id')
    .limit(p.limit),
);

/** The replies to a comment after a key of `posted_at` and `id`, oldest first. */
export const listReplies = (db: Db, comment: string, after: PageKey | undefined, limit: number) =>
  replies.all(db, { comment, ...pageParams(after, limit) });

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
