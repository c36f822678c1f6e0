import { atLeast, roles, type RoleName } from '../contract/access.ts';

const meanings: Record<RoleName, string> = {
  admin: 'everything: content, people, settings',
  create: 'create, move and delete spaces, collections and sites',
  review: 'review and merge change requests',
  edit: 'edit content, live or through change requests',
  comment: 'read and take part in discussions',
  read: 'read',
};
const guestMeaning = 'only what is shared with them';

/** Whether a role gives less than another. Null is the role of guests. */
export const isLower = (next: RoleName | null, current: RoleName | null): boolean =>
  current !== null && !atLeast(next, current);

export const isRole = (value: unknown): value is RoleName => roles.some((name) => name === value);

/** The roles on the command line. */
export const roleWords = [...roles.toReversed(), 'guest'];

/** The role with this name; null for a guest. @throws Error for other words, which flags reject before */
export function roleOf(word: string): RoleName | null {
  if (word === 'guest') return null;
  const role = roles.find((name) => name === word);
  if (role === undefined) throw new Error(`"${word}" is not a role.`);
  return role;
}

export const wordOf = (role: RoleName | null): string => role ?? 'guest';

export function meaningOf(word: string): string {
  const role = roleOf(word);
  return role === null ? guestMeaning : meanings[role];
}

/** The roles with a description of each, for a prompt. */
export const roleChoices = roleWords.map((word) => ({ value: word, title: word, note: meaningOf(word) }));
