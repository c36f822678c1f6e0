import { idOf, ofMember } from './object-lists.ts';
import { hasMembers } from '../shared/is-object.ts';
import { nameOf } from '../shared/name-of.ts';
import { valueAt } from '../shared/value-at.ts';

/** The title of an object for people, and its value in a path. */
export function choiceOf(listed: unknown, param: string): { value: string; title: string } {
  const item = ofMember(listed);
  const value = idOf(item, param) ?? '';
  const title = titleOf(item);
  // A version has no name; its time of creation identifies it.
  return { value, title: (title === textAt(item, 'id') ? textAt(item, 'createdAt') : title) ?? value };
}

function textAt(item: unknown, path: string): string | undefined {
  const value = valueAt(item, path);
  return typeof value === 'string' ? value : undefined;
}

function titleOf(item: unknown): string | undefined {
  const text = (path: string) => textAt(item, path);
  switch (text('object')) {
    case 'member': {
      const email = text('user.email');
      return `${text('user.displayName')}${email === undefined ? '' : ` <${email}>`}`;
    }
    case 'change-request':
      return `#${String(valueAt(item, 'number'))} ${text('subject') || '(no subject)'}`;
    case 'comment':
    case 'comment-reply':
      return text('body.markdown')?.trim().split('\n')[0];
    case 'invite':
      return `${text('role') ?? text('level') ?? 'guest'} of ${text('space.title') ?? text('collection.title') ?? 'the organization'}`;
    default:
      return text('path') !== undefined && text('title') !== undefined && text('type') !== undefined
        ? `${text('title')} (${text('path')})`
        : hasMembers(item)
          ? nameOf(item)
          : undefined;
  }
}
