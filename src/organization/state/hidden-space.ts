import { setTimeout } from 'node:timers/promises';
import type { Client } from '../../client/client.ts';
import { undefinedIfMissing } from '../../client/errors/http-error.ts';
import type { ItemOf } from '../../contract/endpoint.ts';
import { spaces } from '../../contract/spaces.ts';
import { isHiddenSpace } from '../../shared/state-title.ts';

export type Space = ItemOf<typeof spaces.list>;

/** The spaces in which docsctl keeps its own data, as far as the caller sees them. */
export const hiddenSpaces = (client: Client, orgId: string): Promise<Space[]> =>
  spacesWith(client, orgId, isHiddenSpace);

async function spacesWith(client: Client, orgId: string, isWanted: (space: Space) => boolean): Promise<Space[]> {
  const list: Space[] = [];
  for await (const space of client.items(spaces.list, { params: { orgId } })) if (isWanted(space)) list.push(space);
  return list;
}

/** The spaces of an organization with a title, oldest first. */
export async function spacesTitled(client: Client, orgId: string, title: string): Promise<Space[]> {
  const list = await spacesWith(client, orgId, (space) => space.title === title);
  const keyOf = ({ createdAt, id }: Space) => `${createdAt} ${id}`;
  return list.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

export const deleteSpace = (client: Client, spaceId: string) =>
  client.call(spaces.delete, { params: { spaceId }, unrecorded: true }).catch(undefinedIfMissing);

interface Creation<Found extends { id: string }> {
  orgId: string;
  title: string;
  find(): Promise<Found | undefined>;
  /** Whether a space with the title is the hidden one. */
  isFound(space: Space): boolean;
  /** Makes a space with another title, which nobody finds yet. */
  make(): Promise<Found>;
}

/** Creates a hidden space, unless somebody else does. @throws HttpError if the caller may not */
export async function createAlone<Found extends { id: string }>(
  client: Client,
  { orgId, title, find, isFound, make }: Creation<Found>,
): Promise<Found> {
  for (;;) {
    const found = await find();
    if (found) return found;
    const own = await make();
    const other = await find();
    if (!other) {
      const body = { title, defaultLevel: null };
      await client.call(spaces.edit, { params: { spaceId: own.id }, body, unrecorded: true });
      const all = await spacesTitled(client, orgId, title);
      if (all.every((space) => space.id === own.id || !isFound(space))) return own;
    }
    // Several commands created it at once. A command that sees another one deletes its own.
    await deleteSpace(client, own.id);
    if (other) return other;
    await setTimeout(Math.random() * 500);
  }
}
