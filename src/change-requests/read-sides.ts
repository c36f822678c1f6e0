import { undefinedIfMissing } from '../client/errors/http-error.ts';
import type { Client } from '../client/client.ts';
import { changeRequestContent } from '../contract/change-request-content.ts';
import type { changeRequests } from '../contract/change-requests.ts';
import { content } from '../contract/content.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import { revisions } from '../contract/revisions.ts';
import { spaces } from '../contract/spaces.ts';

export type ChangeRequest = AnswerOf<typeof changeRequests.view>;
export type Revision = AnswerOf<typeof revisions.view>;

/** One side of a comparison: a revision, and the texts of its pages. */
export interface Side {
  revision: Revision;
  textOf(pageId: string): Promise<string>;
}

/** Which main content a change request is compared with. */
export type Base = 'base' | 'current main content';

const query = { metadata: false } as const;
const textQuery = { format: 'markdown', ...query } as const;

/**
 * Both sides of a change request: the main content that it started from, or was last updated from, and its own content.
 * A service that does not show old revisions is asked for the current main content.
 */
export async function readSides(
  client: Client,
  spaceId: string,
  request: ChangeRequest,
): Promise<{ before: Side; after: Side; base: Base }> {
  const params = { spaceId, changeRequestId: request.id };
  const [{ side: before, base }, revision] = await Promise.all([
    baseOf(client, spaceId, request.revisionMergedAncestor ?? request.revisionInitial),
    client.call(changeRequestContent.view, { params, query }),
  ]);
  const after: Side = {
    revision,
    textOf: async (pageId) =>
      markdownOf(await client.call(changeRequestContent.page, { params: { ...params, pageId }, query: textQuery })),
  };
  return { before, after, base };
}

/** The current main content, as one revision, regardless of later writes. */
export async function currentMain(client: Client, spaceId: string): Promise<Side> {
  const { revision } = await client.call(spaces.view, { params: { spaceId } });
  return (await baseOf(client, spaceId, revision)).side;
}

/** The content of a revision. @throws HttpError if the service does not show it */
export async function readRevision(client: Client, spaceId: string, revisionId: string): Promise<Side> {
  const params = { spaceId, revisionId };
  const revision = await client.call(revisions.view, { params, query });
  const textOf = async (pageId: string) =>
    markdownOf(await client.call(revisions.page, { params: { ...params, pageId }, query: textQuery }));
  return { revision, textOf };
}

async function baseOf(client: Client, spaceId: string, revisionId: string): Promise<{ side: Side; base: Base }> {
  try {
    return { side: await readRevision(client, spaceId, revisionId), base: 'base' };
  } catch (error) {
    undefinedIfMissing(error);
  }
  const revision = await client.call(content.view, { params: { spaceId }, query });
  const textOf = async (pageId: string) =>
    markdownOf(await client.call(content.page, { params: { spaceId, pageId }, query: textQuery }));
  return { side: { revision, textOf }, base: 'current main content' };
}

const markdownOf = (page: AnswerOf<typeof revisions.page>) => (page.type === 'document' ? (page.markdown ?? '') : '');
