import { comments } from '../../contract/comments.ts';
import type { ItemOf } from '../../contract/endpoint.ts';
import { type Reading, readEach } from './reading.ts';

type Comment = ItemOf<typeof comments.list>;
type Reply = ItemOf<typeof comments.listReplies>;

/** One comment in comments/<space>.yaml: for reading, as nobody can write in the name of others. */
export interface CommentEntry {
  page: string | undefined;
  by: string;
  at: string;
  status: string;
  text: string;
  replies: { by: string; at: string; text: string }[];
}

/** The comments on the main content of a space, oldest first. */
export async function readComments(reading: Reading, spaceId: string): Promise<CommentEntry[]> {
  const { client } = reading;
  const query = { order: 'asc' as const, format: 'markdown' as const };
  const list = await Array.fromAsync(client.items(comments.list, { params: { spaceId }, query }));
  return readEach(reading, 'comments', list, async (comment) => {
    const params = { spaceId, commentId: comment.id };
    const replies =
      comment.replies === 0
        ? []
        : await Array.fromAsync(client.items(comments.listReplies, { params, query: { format: 'markdown' } }));
    return {
      page: comment.target.page?.path,
      ...entryOf(comment),
      status: comment.status,
      replies: replies.map(entryOf),
    };
  });
}

const entryOf = ({ postedBy, postedAt, body }: Comment | Reply) => ({
  by: postedBy.email ?? postedBy.displayName,
  at: postedAt,
  text: 'markdown' in body ? body.markdown : '',
});
