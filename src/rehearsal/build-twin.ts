import { orgs } from '../contract/orgs.ts';
import { users } from '../contract/users.ts';
import { writeOrganization, writeUsers } from './twin/people.ts';
import { markTwin, type TwinSource } from './twin/twin-file.ts';
import { copyContents } from './read-content.ts';
import { copyFields, copyInvites, copyLevels, copyMembers, copyTeams } from './read-people.ts';
import { copyPlaces } from './read-places.ts';
import { copySites, copySpecifications, copyTranslations } from './read-publishing.ts';
import type { TwinReading } from './reading.ts';

/** How much a twin has. */
export interface TwinCounts {
  members: number;
  teams: number;
  collections: number;
  spaces: number;
  sites: number;
}

/** Reads an organization and writes it, with its ids, into the database of the twin. */
export async function buildTwin(reading: TwinReading, source: TwinSource): Promise<TwinCounts> {
  const { client, orgId, twin } = reading;
  const org = await client.call(orgs.view, { params: { orgId } });
  const caller = await client.call(users.current, {});
  await twin.write(async (db) => {
    await writeOrganization(db, org);
    await writeUsers(db, [caller], org.createdAt);
    // Commands on the twin are run by who made it, with the same role.
    await markTwin(db, source, caller.id);
  });
  const { total, people } = await copyMembers(reading, org, caller);
  const fieldIds = await copyFields(reading);
  const teams = await copyTeams(reading);
  const { spaces, collections } = await copyPlaces(reading, org, fieldIds);
  const spaceIds = new Set(spaces.map(({ id }) => id));
  const collectionsById = new Map(collections.map((collection) => [collection.id, collection]));
  const hasSpace = (id: string) => spaceIds.has(id);
  await copyLevels(reading, people, { collections: collectionsById, hasSpace });
  await copyContents(reading, spaces, caller.id);
  const sites = await copySites(reading, hasSpace);
  await copySpecifications(reading);
  await copyTranslations(reading);
  await copyInvites(reading, org, (id) => spaceIds.has(id) || collectionsById.has(id));
  return { members: total, teams, collections: collections.length, spaces: spaces.length, sites };
}
