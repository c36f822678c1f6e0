import type * as z from 'zod/mini';
import { globalRegistry as registry } from 'zod/mini';
import { isObject } from '../shared/is-object.ts';
import { definitionOf } from './definition.ts';

type LengthIssue = z.core.$ZodIssueTooBig;

/** Of a text whose schema has no limit. */
const maxText = 10_000;
/** Of the names in a record. */
const maxName = 256;

/**
 * Lists and records in a value that are longer than the schema allows, and texts without a limit of their own that are very
 * long. What is in such a list is not looked at.
 */
export function lengthIssues(schema: z.core.$ZodType, value: unknown, path: PropertyKey[] = []): LengthIssue[] {
  const def = definitionOf(schema);
  switch (def.type) {
    case 'string': {
      const isTooLong = typeof value === 'string' && value.length > maxText && !hasLimit(schema);
      return isTooLong ? [issue('string', maxText, path)] : [];
    }
    case 'array': {
      if (!Array.isArray(value)) return [];
      const max = maxItemsOf(def);
      if (value.length > max) return [issue('array', max, path)];
      return value.flatMap((item, index) => lengthIssues(def.element, item, [...path, index]));
    }
    case 'record': {
      if (!isObject(value)) return [];
      const { maxProperties: max = Infinity } = registry.get(schema) ?? {};
      const members = Object.entries(value);
      if (typeof max === 'number' && members.length > max) return [issue('record', max, path)];
      // The names are part of the message of other issues.
      if (members.some(([key]) => key.length > maxName)) return [issue('key', maxName, path)];
      return members.flatMap(([key, member]) => lengthIssues(def.valueType, member, [...path, key]));
    }
    case 'object':
      if (!isObject(value)) return [];
      return Object.entries(def.shape).flatMap(([key, member]) => lengthIssues(member, value[key], [...path, key]));
    case 'union': {
      const branches = def.options
        .filter((option) => mayHold(option, value))
        .map((option) => lengthIssues(option, value, path));
      return branches.find(({ length }) => length === 0) ?? branches[0] ?? [];
    }
    case 'lazy':
      return lengthIssues(def.getter(), value, path);
    default:
      return 'innerType' in def ? lengthIssues(def.innerType, value, path) : [];
  }
}

/** Whether a value of the schema may be a list, or an object, as this value is. */
function mayHold(schema: z.core.$ZodType, value: unknown): boolean {
  const def = definitionOf(schema);
  switch (def.type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
    case 'record':
      return isObject(value);
    case 'union':
      return def.options.some((option) => mayHold(option, value));
    case 'lazy':
      return mayHold(def.getter(), value);
    case 'unknown':
      return true;
    default:
      return 'innerType' in def && mayHold(def.innerType, value);
  }
}

const hasLimit = (schema: z.core.$ZodType) => registry.get(schema)?.maxLength !== undefined;

function maxItemsOf({ checks = [] }: z.core.$ZodArrayDef): number {
  for (const { _zod } of checks) if (isMaxLength(_zod.def)) return _zod.def.maximum;
  return Infinity;
}

const isMaxLength = (def: z.core.$ZodCheckDef): def is z.core.$ZodCheckMaxLengthDef => def.check === 'max_length';

const issue = (origin: 'string' | 'array' | 'record' | 'key', maximum: number, path: PropertyKey[]): LengthIssue => ({
  code: 'too_big',
  origin,
  maximum,
  inclusive: true,
  path,
  input: undefined,
  message: '',
});
