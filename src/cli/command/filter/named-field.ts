import { nearest } from '../../../shared/suggest.ts';
import type { CommandError } from '../../program/failure.ts';
import type { ItemFields } from './field-type.ts';
import type { FieldType } from './types.ts';

const maxListed = 40;

/** The type of a field. @throws the refusal where no item of the list can have it, with the nearest name and all others */
export function fieldNamed(
  name: string,
  fields: ItemFields,
  refuse: (problem: string, hint: string) => CommandError,
): FieldType {
  const type = fields.typeOf(name);
  if (type) return type;
  const { paths } = fields;
  const near = nearestPath(name, paths);
  const rest = paths.length > maxListed ? `, and ${paths.length - maxListed} more` : '';
  throw refuse(
    `there is no field "${name}"`,
    `${near === undefined ? '' : `Did you mean "${near}"? `}Fields: ${paths.slice(0, maxListed).join(', ')}${rest}.`,
  );
}

const lastOf = (path: string) => path.slice(path.lastIndexOf('.') + 1);

/** People write `email` for `user.email`. */
function nearestPath(name: string, paths: readonly string[]): string | undefined {
  const sameEnd = paths.find((path) => lastOf(path).toLowerCase() === lastOf(name).toLowerCase());
  return sameEnd ?? nearest(name, paths);
}
