import { isObject } from '../../shared/is-object.ts';
import type { ValidationIssue } from '../../contract/errors.ts';
import { Invalid } from './errors.ts';

/** An error for a text with the character U+0000 in a database that cannot hold it. @param path JSON pointer or name */
export const unstorableText = (path: string, place: ValidationIssue['in']) =>
  new Invalid([
    {
      in: place,
      path,
      rule: 'pattern',
      message: 'must not contain the character U+0000, which the database cannot hold',
    },
  ]);

/** @throws Invalid if a text in a body or among query parameters has the character U+0000 */
export function assertStorable(value: unknown, place: 'body' | 'query', path = ''): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw unstorableText(path, place);
  } else if (isObject(value) || Array.isArray(value)) {
    for (const [key, member] of Object.entries(value)) {
      const name = key.replaceAll('~', '~0').replaceAll('/', '~1');
      assertStorable(member, place, place === 'query' ? key : `${path}/${name}`);
    }
  }
}
