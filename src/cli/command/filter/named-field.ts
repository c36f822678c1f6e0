import { nearest } from '../../../shared/suggest.ts';
import type { CommandError } from '../../program/failure.ts';
import type { ItemFields } from './field-type.ts';
import type { FieldType } from './types.ts';

const maxListed = 40;
const maxNear = 3;

/** The type of a field. @throws the refusal where no item of the list can have it, with the nearest name and all others */
export function fieldNamed(
  name: string,
  fields: ItemFields,
  refuse: (problem: string, hint: string) => CommandError,
): FieldType {
  const type = fields.typeOf(name);
  if (type) return type;
  const { paths } = fields;
  const near = nearestPaths(name, paths).map((path) => `"${path}"`);
  const rest = paths.length > maxListed ? `, and ${paths.length - maxListed} more` : '';
  throw refuse(
    `there is no field "${name}"`,
    `${near.length === 0 ? '' : `Did you mean ${near.join(' or ')}? `}Fields: ${paths.slice(0, maxListed).join(', ')}${rest}.`,
  );
}

const lastOf = (path: string) => path.slice(path.lastIndexOf('.') + 1);

/** People write `email` for `user.email`: all fields that end so, else the nearest one. */
function nearestPaths(name: string, paths: readonly string[]): string[] {
  const sameEnd = paths.filter((path) => lastOf(path).toLowerCase() === lastOf(name).toLowerCase());
  if (sameEnd.length > 0) return sameEnd.slice(0, maxNear);
  const near = nearest(name, paths);
  return near === undefined ? [] : [near];
}
