import { type comments, maxBodyLength } from '../../../contract/comments.ts';
import type { AnswerOf, BodyOf } from '../../../contract/endpoint.ts';
import type { Context } from '../../engine/context.ts';
import { Invalid } from '../../engine/errors.ts';
import { jsonValue } from '../../engine/json-text.ts';

export type BodyInput = BodyOf<typeof comments.create>['body'];
export type Format = 'document' | 'markdown' | undefined;

type Body = AnswerOf<typeof comments.view>['body'];

/** The Markdown of a body. @throws Invalid for a tree that is invalid, blank, or too long */
export async function markdownFrom({ markdown, document }: BodyInput, texts: Context['texts']): Promise<string> {
  if (markdown !== undefined) return markdown;
  const result = await texts.run('fromTree', document, { what: 'The text of /body/document', key: 'body' });
  if (result.issues) {
    throw new Invalid(
      result.issues.map(({ path, message }) => ({ in: 'body', path: `/body/document${path}`, rule: 'type', message })),
    );
  }
  const text = result.markdown;
  if (text.trim() === '') throw new Invalid('/body/document', 'must not be blank', 'minLength');
  if ([...text].length > maxBodyLength)
    throw new Invalid('/body/document', `must be at most ${maxBodyLength} characters of Markdown`, 'maxLength');
  return text;
}

interface Post {
  id: string;
  body: string;
  edited_at: string | null;
}

/** The bodies by the ids of their comments or replies. */
export async function presentBodies(
  texts: Context['texts'],
  posts: Post[],
  format: Format,
): Promise<Map<string, Body>> {
  if (format !== 'document') return new Map(posts.map(({ id, body }) => [id, { markdown: body }]));
  const trees = await texts.run(
    'toTrees',
    posts.map(({ body }) => body),
    { what: 'The text of a comment', key: posts.map(({ id, edited_at }) => `${id} ${edited_at}`).join() },
  );
  return new Map(posts.map(({ id }, index) => [id, { document: jsonValue(trees[index]!) }]));
}

/** The columns of a changed text; none if the text is the same. */
export async function bodyChange(
  row: { body: string },
  body: BodyInput | undefined,
  { now, texts }: Pick<Context, 'now' | 'texts'>,
) {
  const markdown = body === undefined ? row.body : await markdownFrom(body, texts);
  return markdown === row.body ? {} : { body: markdown, edited_at: now };
}
