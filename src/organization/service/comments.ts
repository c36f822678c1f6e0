import { type changeRequestComments, comments } from '../../contract/comments.ts';
import type { AnswerOf, ItemOf } from '../../contract/endpoint.ts';
import { readable, readEach, type Reading } from './read-service.ts';

/** A comment with its replies, bodies as Markdown. */
export interface WholeComment {
  comment: ItemOf<typeof comments.list>;
  replies: AnswerOf<typeof comments.viewReply>[];
}

/** The comments of a space or a change request, oldest first. */
export async function readWholeComments(
  reading: Reading,
  family: typeof comments | typeof changeRequestComments,
  place: { spaceId: string; changeRequestId?: string },
): Promise<WholeComment[]> {
  const { client } = reading;
  const params = { changeRequestId: '', ...place };
  const query = { order: 'asc', format: 'markdown' } as const;
  const read = async () => {
    const list = await Array.fromAsync(client.items(family.list, { params, query }));
    return readEach(reading, 'comments', list, async (comment) => {
      const input = { params: { ...params, commentId: comment.id }, query: { format: 'markdown' } as const };
      const replies = comment.replies === 0 ? [] : await Array.fromAsync(client.items(family.listReplies, input));
      return { comment, replies };
    });
  };
  return readable(reading, 'list of comments', read, []);
}

/** A comment in comments/<space>.yaml. The file is only for reading, because nobody can post for other people. */
interface CommentEntry {
  page: string | undefined;
  by: string;
  at: string;
  status: string;
  text: string;
  replies: { by: string; at: string; text: string }[];
}

/** The comments on the main content of a space, oldest first. */
export async function readComments(reading: Reading, spaceId: string): Promise<CommentEntry[]> {
  const list = await readWholeComments(reading, comments, { spaceId });
  return list.map(({ comment, replies }) => ({
    page: comment.target.page?.path,
    ...entryOf(comment),
    status: comment.status,
    replies: replies.map(entryOf),
  }));
}

const entryOf = ({ postedBy, postedAt, body }: WholeComment['comment'] | WholeComment['replies'][number]) => ({
  by: postedBy.email ?? postedBy.displayName,
  at: postedAt,
  text: 'markdown' in body ? body.markdown : '',
});
