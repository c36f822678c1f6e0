import type { WholeComment } from '../../organization/service/comments.ts';
import { findPage, type PageRow } from '../../store/content.ts';
import { jsonText } from '../../store/json.ts';
import { snapshotOf } from '../../store/snapshots.ts';
import type { Db } from '../../store/store.ts';
import type { PageSnapshot } from '../../store/tables.ts';
import { commentedState } from '../../server/content/comments/comment-targets.ts';
import { writeUsers } from './rows.ts';

type Comment = WholeComment['comment'];
type Reply = WholeComment['replies'][number];

/** Writes comments on the content with this revision. */
export async function writeComments(
  db: Db,
  { space, changeRequest, revision }: { space: string; changeRequest: string | null; revision: string },
  list: readonly WholeComment[],
): Promise<void> {
  const snapshot = list.length > 0 ? await snapshotOf(db, revision) : undefined;
  for (const { comment, replies } of list) {
    const { target } = comment;
    const row = snapshot && target.page?.outdated === false ? await findPage(db, snapshot, target.page.id) : undefined;
    await writePeople(db, comment);
    if (comment.resolvedBy) await writeUsers(db, [comment.resolvedBy], comment.postedAt);
    await db
      .insertInto('comment')
      .values({
        id: comment.id,
        space,
        change_request: changeRequest,
        page: target.page?.id ?? null,
        node: target.node?.id ?? null,
        preview: target.node?.preview ?? null,
        page_snapshot: target.page ? jsonText(snapshotOfPage(target.page, row)) : null,
        revision: target.revision,
        posted_by: comment.postedBy.id,
        posted_at: comment.postedAt,
        edited_at: comment.editedAt ?? null,
        body: bodyOf(comment),
        status: comment.status,
        resolved_at: comment.resolvedAt ?? null,
        resolved_by: comment.resolvedBy?.id ?? null,
      })
      .execute();
    for (const reply of replies) await writeReply(db, comment.id, reply);
  }
}

/** @param row the current page; undefined if it has changed, which the empty state indicates */
function snapshotOfPage(
  { id, title, emoji, icon, createdAt, updatedAt, path }: NonNullable<Comment['target']['page']>,
  row: PageRow | undefined,
): PageSnapshot {
  return { page: { id, title, emoji, icon, createdAt, updatedAt, path }, state: row ? commentedState(row) : '' };
}

async function writeReply(db: Db, comment: string, reply: Reply): Promise<void> {
  await writePeople(db, reply);
  await db
    .insertInto('comment_reply')
    .values({
      id: reply.id,
      comment,
      posted_by: reply.postedBy.id,
      posted_at: reply.postedAt,
      edited_at: reply.editedAt ?? null,
      body: bodyOf(reply),
    })
    .execute();
}

/** Writes the author, and the reactions with their users. */
async function writePeople(db: Db, { id, postedBy, postedAt, reactions }: Comment | Reply): Promise<void> {
  await writeUsers(db, [postedBy], postedAt);
  for (const { emoji, users } of reactions)
    for (const { user, reactedAt } of users) {
      await writeUsers(db, [user], reactedAt);
      await db.insertInto('reaction').values({ target: id, emoji, user: user.id, reacted_at: reactedAt }).execute();
    }
}

const bodyOf = ({ body }: Comment | Reply) => ('markdown' in body ? body.markdown : '');
