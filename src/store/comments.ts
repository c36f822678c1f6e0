import { sql } from 'kysely';
import { newId } from './ids.ts';
import { query, queryFor } from './query.ts';
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

interface Params {
  space: string;
  line: string;
  status: string;
  page?: string;
  afterTime?: string;
  afterId?: string;
  limit?: number;
}

type Filtered = Record<'status' | 'page', boolean>;
type Direction = 'asc' | 'desc';

const matching = ({ status, page }: Filtered, db: Db, p: Parameters<Parameters<typeof query<Params>>[0]>[1]) =>
  db
    .selectFrom('comment')
    .where('space', '=', p.space)
    .where(sql`coalesce(change_request, '')`, '=', p.line)
    .$if(status, (q) => q.where('status', '=', p.status))
    .$if(page, (q) => q.where('page', '=', p.page));

const list = queryFor<Filtered & { after: boolean; order: Direction }, Params, CommentRow>((variant, db, p) =>
  matching(variant, db, p)
    .selectAll()
    .$if(variant.after, (q) =>
      q.where((eb) =>
        eb(
          eb.refTuple('posted_at', 'id'),
          variant.order === 'asc' ? '>' : '<',
          eb.tuple(p.afterTime as never, p.afterId as never),
        ),
      ),
    )
    .orderBy('posted_at', variant.order)
    .orderBy('id', variant.order)
    .limit(p.limit),
);

const count = queryFor<Filtered, Params, { count: number }>((variant, db, p) =>
  matching(variant, db, p).select((eb) => eb.fn.countAll<number>().as('count')),
);

const asked = ({ space, changeRequest, status, page }: CommentFilter) => ({
  filtered: { status: status !== 'all', page: page !== undefined },
  params: { space, line: changeRequest ?? '', status, ...(page === undefined ? {} : { page }) },
});

/** By the time they were posted, beyond `after`, a time and an id. */
export function listComments(
  db: Db,
  filter: CommentFilter,
  order: Direction,
  after: readonly unknown[] | undefined,
  limit: number,
): Promise<CommentRow[]> {
  const { filtered, params } = asked(filter);
  return list({ ...filtered, order, after: after !== undefined }).all(db, {
    ...params,
    limit,
    ...(after ? { afterTime: after[0] as string, afterId: after[1] as string } : {}),
  });
}

export async function countComments(db: Db, filter: CommentFilter): Promise<number> {
  const { filtered, params } = asked(filter);
  return (await count(filtered).first(db, params))!.count;
}

const one = query<{ id: string }, CommentRow>((db, p) => db.selectFrom('comment').selectAll().where('id', '=', p.id));
export const getComment = async (db: Db, id: string): Promise<CommentRow> => (await one.first(db, { id }))!;

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

const replies = queryFor<
  { after: boolean },
  { comment: string; afterTime?: string; afterId?: string; limit: number },
  ReplyRow
>((variant, db, p) =>
  db
    .selectFrom('comment_reply')
    .selectAll()
    .where('comment', '=', p.comment)
    .$if(variant.after, (q) =>
      q.where((eb) => eb(eb.refTuple('posted_at', 'id'), '>', eb.tuple(p.afterTime as never, p.afterId as never))),
    )
    .orderBy('posted_at')
    .orderBy('id')
    .limit(p.limit),
);

/** Oldest first, beyond `after`, a time and an id. */
export const listReplies = (db: Db, comment: string, after: readonly unknown[] | undefined, limit: number) =>
  replies({ after: after !== undefined }).all(db, {
    comment,
    limit,
    ...(after ? { afterTime: after[0] as string, afterId: after[1] as string } : {}),
  });

const oneReply = query<{ id: string }, ReplyRow>((db, p) =>
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
  return (await oneReply.first(db, { id }))!;
}

export async function changeReply(
  db: Db,
  id: string,
  change: Partial<Pick<ReplyRow, 'body' | 'edited_at'>>,
): Promise<ReplyRow> {
  if (Object.keys(change).length > 0) await db.updateTable('comment_reply').set(change).where('id', '=', id).execute();
  return (await oneReply.first(db, { id }))!;
}

export async function deleteReply(db: Db, id: string): Promise<void> {
  await db.deleteFrom('comment_reply').where('id', '=', id).execute();
}

const reactions = query<{ targets: string }, ReactionRow>((db, p) => ({
  compile: () =>
    sql<ReactionRow>`select * from reaction where target in (select value from json_each(${p.targets}))
      order by reacted_at, emoji, user`.compile(db),
}));

/** Reactions to comments or replies by the id of what they are to, oldest first. */
export async function reactionsTo(db: Db, targets: string[]): Promise<Map<string, ReactionRow[]>> {
  if (targets.length === 0) return new Map();
  return Map.groupBy(await reactions.all(db, { targets: JSON.stringify(targets) }), (row) => row.target);
}

/** Gives a user's reactions to one comment or reply; those that are there already stay as they are. */
export async function addReactions(db: Db, of: Omit<ReactionRow, 'emoji'>, emoji: string[]): Promise<void> {
  if (emoji.length === 0) return;
  await db
    .insertInto('reaction')
    .values(emoji.map((each) => ({ ...of, emoji: each })))
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
