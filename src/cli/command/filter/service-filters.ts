import type { Endpoint } from '../../../contract/endpoint.ts';
import { type Field, fieldOf, fieldsOf } from '../../../contract/fields.ts';
import type { Fields } from '../command.ts';
import { contractFields } from './field-type.ts';
import { orderOf } from './list-order.ts';
import type { Condition, FieldType, SortKey } from './types.ts';

/** The words of a query parameter that are not words of the field: every state, and null. */
const otherWords = new Set(['all', 'guest']);

/** The query parameters that ask for the value of the field of the same name. */
export function sameFields(endpoint: Endpoint): Map<string, { parameter: Field; type: FieldType }> {
  const item = endpoint.items && contractFields(fieldOf(endpoint.items()), []);
  return new Map(
    Object.entries(fieldsOf(endpoint).query).flatMap(([name, parameter]) => {
      const type = item?.typeOf(name);
      return type && asksFor(parameter, type) ? [[name, { parameter, type }]] : [];
    }),
  );
}

/** Whether a parameter has just the values of a field. A boolean that may be missing could count as false or as neither. */
function asksFor(parameter: Field, { kind, many, nullable, words = [] }: FieldType): boolean {
  if (many) return false;
  if (parameter.kind === 'boolean') return kind === 'boolean' && !nullable;
  const values = ((parameter.kind === 'array' ? parameter.item : parameter)?.values ?? []).filter(
    (word) => !otherWords.has(word),
  );
  return kind === 'word' && values.length === words.length && values.every((word) => words.includes(word));
}

/** The query with the conditions that the service can check, and without the defaults that would hide what they ask for. */
export function withConditions(endpoint: Endpoint, query: Fields, conditions: readonly Condition[]): Fields {
  const result = { ...query };
  const same = conditions.length > 0 ? sameFields(endpoint) : new Map<string, never>();
  for (const [name, { parameter }] of same) {
    const ofField = conditions.filter(({ field }) => field === name);
    if (ofField.length === 0 || query[name] !== undefined) continue;
    const equal = ofField.find(({ operator }) => operator === '=');
    const value = equal && serviceValue(parameter, equal.operand);
    if (value !== undefined) result[name] = value;
    else if (parameter.default !== undefined && parameter.default !== 'all') result[name] = parameter.values;
  }
  return result;
}

function serviceValue(parameter: Field, operand: unknown): unknown {
  if (parameter.kind === 'boolean') return operand;
  if (parameter.kind === 'array') return operand === null ? undefined : [operand];
  const word = operand ?? 'guest';
  return parameter.values?.some((value) => value === word) ? word : undefined;
}

/** The query that has the service sort by a field, if it can without leaving items out; undefined if not. */
export function sortedByService(endpoint: Endpoint, query: Fields, keys: readonly SortKey[]): Fields | undefined {
  const [key, ...more] = keys;
  // Texts are sorted here: a service may have another order for letters with accents.
  if (!key || more.length > 0 || !['date', 'number'].includes(key.type.kind)) return undefined;
  const { order, sort } = fieldsOf(endpoint).query;
  // The service leaves out who was never seen, or it could not sort by that.
  const sorts = sort ? (sort.values ?? []).filter((field) => field === key.field && !key.type.nullable) : [undefined];
  const directions = order ? ['asc', 'desc'] : [undefined];
  return sorts
    .flatMap((field) => directions.map((direction) => ({ ...query, sort: field, order: direction })))
    .map((candidate) => Object.fromEntries(Object.entries(candidate).filter(([, value]) => value !== undefined)))
    .find((candidate) => {
      const given = orderOf(endpoint.name, candidate);
      return given?.field === key.field && given.descending === key.descending;
    });
}
