import type { Client } from '../../client/client.ts';
import { HttpError } from '../../client/errors/http-error.ts';
import { invites } from '../../contract/invites.ts';
import { type Collections, collectionsAbove, type Space } from '../../organization/access/reasons.ts';

/**
 * Sentences about the invite links that give a level on spaces: whoever has such a link may join. Where the caller may not
 * see invite links, a sentence says so.
 */
export async function inviteLinkNotes(
  client: Client,
  orgId: string,
  spaces: ReadonlyMap<string, Space>,
  collections: Collections,
): Promise<string[]> {
  const above = new Set(
    [...spaces.values()].flatMap((space) => collectionsAbove(space, collections).above.map(({ id }) => id)),
  );
  const notes: string[] = [];
  try {
    for await (const invite of client.items(invites.listLinks, { params: { orgId } })) {
      if ('space' in invite && spaces.has(invite.space.id))
        notes.push(noteOf(invite.id, invite.level, `the space "${invite.space.title}"`));
      if ('collection' in invite && above.has(invite.collection.id))
        notes.push(noteOf(invite.id, invite.level, `the collection "${invite.collection.title}"`));
    }
  } catch (error) {
    if (!(error instanceof HttpError && error.status === 403)) throw error;
    return ['Invite links were not checked, because only administrators of the organization can see them.'];
  }
  return notes;
}

const noteOf = (id: string, level: string | null, where: string) =>
  `Invite link ${id}: anyone who has it gets ${level === null ? 'no level' : `the level ${level}`} on ${where}.`;
