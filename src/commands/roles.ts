import { roles, type RoleName } from '../contract/access.ts';
import type { Choice } from '../cli/prompt.ts';

const meanings: Record<RoleName, string> = {
  admin: 'everything: content, people, settings',
  create: 'make, move and delete spaces, collections and sites',
  review: 'review and merge change requests',
  edit: 'edit content, live or through change requests',
  comment: 'read and take part in discussions',
  read: 'read',
};
const guest = 'only what is shared with them';

/** Words for a role on the command line. */
export const roleWords = [...roles.toReversed(), 'guest'];

/** The role that a word stands for. */
export const roleOf = (word: string): RoleName | null => (word === 'guest' ? null : (word as RoleName));

export const wordOf = (role: RoleName | null): string => role ?? 'guest';

export const meaningOf = (word: string): string => (word === 'guest' ? guest : meanings[word as RoleName]);

/** Roles to choose from, with what each may do. */
export const roleChoices: Choice<string>[] = roleWords.map((word) => ({
  value: word,
  title: word,
  note: meaningOf(word),
}));
