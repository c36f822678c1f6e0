import { atLeast, highest, type RoleName } from '../../contract/access.ts';
import type { collections } from '../../contract/collections.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { members } from '../../contract/members.ts';
import type { spaces } from '../../contract/spaces.ts';

export type Member = Pick<AnswerOf<typeof members.view>, 'id' | 'user' | 'role' | 'disabled' | 'teams' | 'spaces'>;
export type Space = Pick<AnswerOf<typeof spaces.view>, 'id' | 'title' | 'parent' | 'defaultLevel'>;
export type Collection = Pick<AnswerOf<typeof collections.view>, 'id' | 'title' | 'parent' | 'defaultLevel'>;
export type Collections = ReadonlyMap<string, Collection>;

/** Where a level may come from, as far as the service shows it. */
interface Source {
  level: RoleName | null;
  text: string;
}

/**
 * Why a member has a level on a space: everything that gives this level. The service tells the level and no reason, so it
 * is compared with the role and the default levels. What these do not give was granted.
 */
export function reasonFor(member: Member, space: Space, level: RoleName, collections: Collections): string {
  const sources = sourcesOf(member, space, collections);
  const known = highest(...sources.map((source) => source.level));
  const reasons = sources.filter((source) => source.level === level).map(({ text }) => text);
  // A service with other rules may give less than these: then nothing is known about it.
  if (known !== level && atLeast(known, level)) return 'unknown';
  return reasons.length > 0 ? reasons.join('; ') : grantText(member, space, collections);
}

function sourcesOf({ role }: Member, space: Space, collections: Collections): Source[] {
  if (role === null) return [];
  return [
    { level: role, text: `role ${role}` },
    { level: space.defaultLevel, text: 'default level of the space' },
    ...collectionsAbove(space, collections).above.map(({ title, defaultLevel }) => ({
      level: defaultLevel,
      text: `default level of the collection "${title}"`,
    })),
  ];
}

function grantText({ role, teams }: Member, space: Space, collections: Collections): string {
  return [
    role === null ? 'granted to a guest' : 'granted',
    // The service does not say whether teams give levels.
    ...(teams > 0 ? ['by a team'] : []),
    ...(role !== null && !collectionsAbove(space, collections).complete
      ? ['default level of a collection that you cannot see']
      : []),
  ].join(' or ');
}

/** The collections that a space is in, the lowest first. @returns `complete` is false where one of them is not visible */
export function collectionsAbove(
  { parent }: Pick<Space, 'parent'>,
  collections: Collections,
): { above: Collection[]; complete: boolean } {
  const above: Collection[] = [];
  for (let id = parent; id !== undefined; id = above.at(-1)?.parent) {
    const collection = collections.get(id);
    // A service that shows a circle must not keep this from ending.
    if (!collection || above.includes(collection)) return { above, complete: false };
    above.push(collection);
  }
  return { above, complete: true };
}

/** Why a member has no level on a space. */
export const absenceText = ({ role }: Pick<Member, 'role'>): string =>
  role === null ? 'a guest without a grant there' : 'the service returns no level';
