import type { Client } from '../client/client.ts';
import { undefinedIfMissing } from '../client/errors/http-error.ts';
import { readRevision, type Revision, type Side } from '../change-requests/read-sides.ts';

/** Reading more takes too long in a large space. */
const maxRevisions = 100;

/**
 * The revisions before one, newest first.
 *
 * @returns whether these are all: there can be too many, and a service can hide old ones
 */
export async function* earlierRevisions(
  client: Client,
  spaceId: string,
  { parents }: Revision,
): AsyncGenerator<Side, boolean> {
  let [next] = parents;
  for (let count = 0; next !== undefined && count < maxRevisions; count += 1) {
    const side = await find(client, spaceId, next);
    if (!side) return false;
    yield side;
    [next] = side.revision.parents;
  }
  return next === undefined;
}

async function find(client: Client, spaceId: string, revisionId: string): Promise<Side | undefined> {
  try {
    return await readRevision(client, spaceId, revisionId);
  } catch (error) {
    return undefinedIfMissing(error);
  }
}
