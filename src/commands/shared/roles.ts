import { atLeast, roles, type RoleName } from '../../contract/access.ts';
import type { Choice } from '../../cli/prompt/prompt.ts';

const meanings: Record<RoleName, string> = {
  admin: 'everything: content, people, settings',
  create: 'make, move and delete spaces, collections and sites',
  review: 'review and merge change requests',
  edit: 'edit content, live or through change requests',
  comment: 'read and take part in discussions',
  read: 'read',
};
const guestMeaning = 'only what is shared with them';

/** Whether a role gives less than another; null is that of guests. */
export const isLower = (next: RoleName | null, current: RoleName | null): boolean =>
  current !== null && !atLeast(next, current);

export const isRole = (value: unknown): value is RoleName => roles.some((name) => name === value);

/** Words for a role on the command line. */
export const roleWords = [...roles.toReversed(), 'guest'];

/** The role that a word stands for; null for a guest. @throws Error for any other word, which flags do not let through */
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

/** Roles to choose from, with what each may do. */
export const roleChoices: Choice<string>[] = roleWords.map((word) => ({
  value: word,
  title: word,
  note: meaningOf(word),
}));
