import { HttpError } from '../../client/errors/http-error.ts';
import { atLeast, highest, type RoleName } from '../../contract/access.ts';
import { members } from '../../contract/members.ts';
import type { LevelRow } from '../files/levels.ts';
import type { Collection, Space } from './content.ts';
import { addressOf, type Member } from './people.ts';
import { compareTexts, type Reading, readEach } from './reading.ts';

/**
 * The members whose levels must be asked for. Administrators can do everything, and a guest without spaces nothing; of all
 * others, the service tells the levels member by member only.
 */
export const askedMembers = (list: readonly Member[], spaceList: readonly Space[]): Member[] =>
  spaceList.length === 0 ? [] : list.filter(({ role, spaces }) => role !== 'admin' && (role !== null || spaces > 0));

/**
 * levels.csv: what members can do on spaces beyond their role and the default levels. The service does not tell where a
 * level comes from: one on a collection is in the rows of each space in it.
 */
export async function readLevels(
  reading: Reading,
  asked: readonly Member[],
  collectionList: readonly Collection[],
): Promise<LevelRow[]> {
  const { client, orgId, names } = reading;
  const defaults = new Map(collectionList.map((collection) => [collection.id, collection]));
  const rows = await readEach(reading, 'levels of members', asked, async (member) => {
    const granted: LevelRow[] = [];
    try {
      const params = { orgId, userId: member.id };
      for await (const { permission, space } of client.items(members.spaces, { params }))
        if (!atLeast(givenLevel(member.role, space, defaults), permission))
          granted.push({
            email: addressOf(member),
            space: names.find('spaces', space.id) ?? space.id,
            level: permission,
          });
    } catch (error) {
      // Somebody removed the member meanwhile.
      if (!(error instanceof HttpError && error.status === 404)) throw error;
    }
    return granted;
  });
  return rows
    .flat()
    .toSorted((one, other) => compareTexts(one.email, other.email) || compareTexts(one.space, other.space));
}

/** The level that a role and the default levels give; guests have neither. */
function givenLevel(
  role: RoleName | null,
  { defaultLevel, parent }: Pick<Space, 'defaultLevel' | 'parent'>,
  collections: ReadonlyMap<string, Collection>,
): RoleName | null {
  if (role === null) return null;
  let level = highest(role, defaultLevel);
  const above = new Set<Collection>();
  for (let id = parent; id !== undefined;) {
    const collection = collections.get(id);
    // A service that shows a circle must not keep this from ending.
    if (!collection || above.has(collection)) break;
    above.add(collection);
    level = highest(level, collection.defaultLevel);
    id = collection.parent;
  }
  return level;
}
