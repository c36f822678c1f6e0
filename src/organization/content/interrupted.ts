import type { Client } from '../../client/client.ts';
import { undefinedIfMissing } from '../../client/errors/http-error.ts';
import { changeRequests } from '../../contract/change-requests.ts';
import { recordBase } from '../lock.ts';
import type { Known } from '../state/shared-state.ts';
import type { Sending } from '../state/state.ts';

/**
 * Makes the revisions that applies had merged when they were interrupted the bases of the next comparison, because the shared
 * state does not have them yet.
 *
 * @returns the revisions by name of the space
 */
export async function continueInterrupted(
  client: Client,
  { lock, shared, isCurrent }: Pick<Known, 'lock' | 'shared' | 'isCurrent'>,
): Promise<Map<string, string>> {
  const revisions = new Map<string, string>();
  // An export after the last apply is a newer base.
  if (!shared || isCurrent) return revisions;
  for (const each of shared.state.sending) {
    const spaceId = lock.ids.spaces.get(each.space);
    const revision = spaceId === undefined ? undefined : await mergedRevision(client, spaceId, each);
    if (revision === undefined) continue;
    revisions.set(each.space, revision);
    recordBase(lock, each.space, { revision, base: 'applied' });
  }
  return revisions;
}

async function mergedRevision(
  client: Client,
  spaceId: string,
  { subject, user, after }: Sending,
): Promise<string | undefined> {
  if (after === undefined) return undefined;
  const input = { params: { spaceId }, query: { status: 'merged' } } as const;
  try {
    for await (const request of client.items(changeRequests.list, input)) {
      if (request.number <= after) return undefined;
      if (request.subject === subject && request.createdBy.id === user) return request.revisionMerged;
    }
    return undefined;
  } catch (error) {
    // Somebody deleted the space.
    return undefinedIfMissing(error);
  }
}
