import { isObject } from '../../shared/is-object.ts';
import type { NamedKind } from '../organization.ts';
import type { Names } from '../names.ts';

/** The members of a reference that hold the id of an object with a name. */
const kinds: Record<string, NamedKind> = { space: 'spaces', collection: 'collections' };

/** A copy of the settings of a site in which references have names of spaces and collections for ids. */
export const withNamesForIds = (settings: unknown, names: Names): Record<string, unknown> =>
  replaced(settings, (kind, id) => names.find(kind, id) ?? id);

/** A copy in which references have ids for names. @param idOf undefined: no object has the name */
export const withIdsForNames = (
  settings: unknown,
  idOf: (kind: NamedKind, name: string) => string,
): Record<string, unknown> => replaced(settings, idOf);

function replaced(settings: unknown, replace: (kind: NamedKind, value: string) => string): Record<string, unknown> {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    if (!isObject(value)) return value;
    const isReference = typeof value['kind'] === 'string';
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => {
        const kind = kinds[key];
        return [key, isReference && kind && typeof member === 'string' ? replace(kind, member) : copy(member)];
      }),
    );
  };
  const result = copy(settings);
  return isObject(result) ? result : {};
}
