import { roles } from '../../../contract/access.ts';
import type { Field } from '../../../contract/fields.ts';
import { nearest } from '../../../shared/suggest.ts';
import { pathNamed } from '../../output/column-name.ts';
import type { Column } from '../../output/index.ts';
import type { CommandError } from '../../program/failure.ts';
import { isRole, nullRoleWord } from '../flags.ts';
import type { FieldType } from './types.ts';

/** The fields that the items of a list have. */
export interface ItemFields {
  typeOf(path: string): FieldType | undefined;
  /** The path of the field that a name means: a path, the header of a column, or the end of its path. */
  named(name: string): string;
  /** The paths of the single values, those of the upper levels first. */
  paths: readonly string[];
  /** The values at a path: none if it is absent, several if there is a list on the way. */
  valuesAt(item: unknown, path: string): unknown[];
}

/** The fields that the contract gives the items, and the columns that a command computes. */
export function contractFields(item: Field, columns: readonly Column[], named = columns): ItemFields {
  const computed = columnFields(columns.filter(({ key, value }) => value && !typeAt(item, key.split('.'), key)));
  const typeOf = (path: string) => typeAt(item, path.split('.'), path) ?? computed.typeOf(path);
  return {
    typeOf,
    named: (name) => (typeOf(name) ? name : (pathNamed(name, named) ?? name)),
    paths: [...leavesOf(item), ...computed.paths],
    valuesAt: (object, path) =>
      computed.typeOf(path) ? computed.valuesAt(object, path) : valuesBelow(object, path.split('.')),
  };
}

/** The fields of a list that no endpoint describes: its columns. */
export function columnFields(columns: readonly Column[]): ItemFields {
  const byKey = new Map(columns.map((column) => [column.key, column]));
  return {
    typeOf: (path) => {
      const column = byKey.get(path);
      return column && { ...typeOfColumn(column), nullable: true, many: column.kind === 'list' };
    },
    named: (name) => (byKey.has(name) ? name : (pathNamed(name, columns) ?? name)),
    paths: [...byKey.keys()],
    valuesAt(item, path) {
      const column = byKey.get(path);
      return column?.value ? flat(column.value(item)) : valuesBelow(item, path.split('.'));
    },
  };
}

function typeOfColumn({ kind, value }: Column): Omit<FieldType, 'nullable' | 'many'> {
  if (kind === 'date' || kind === 'boolean' || kind === 'number') return { kind };
  if (kind === 'role') return { kind: 'word', words: roles, ranks: roles, nullWord: nullRoleWord('role') };
  return { kind: value ? 'any' : 'text' };
}

function typeAt(field: Field, parts: readonly string[], name: string): FieldType | undefined {
  const nullable = field.nullable || field.optional;
  if (field.kind === 'array') {
    const inner = field.item && typeAt(field.item, parts, name);
    return inner && { ...inner, nullable: true, many: true };
  }
  if (field.kind === 'union') return typeOfBranches(field, parts, name);
  const [first, ...rest] = parts;
  if (first === undefined) return typeOfLeaf(field, nullable, name);
  if (field.kind === 'record' || field.kind === 'unknown') return { kind: 'any', nullable: true, many: false };
  const members = field.members ?? {};
  const member = Object.hasOwn(members, first) ? members[first] : undefined;
  const inner = member && typeAt(member, rest, first);
  return inner && { ...inner, nullable: inner.nullable || nullable };
}

/** A field of a union is optional if not all of its branches have it, and may be anything if they do not agree. */
function typeOfBranches(
  { branches = [], nullable, optional }: Field,
  parts: readonly string[],
  name: string,
): FieldType | undefined {
  const types = branches.map((branch) => typeAt(branch, parts, name));
  const existing = types.filter((type) => type !== undefined);
  const [first] = existing;
  if (first === undefined) return undefined;
  const isSame = existing.every(({ kind, ranks }) => kind === first.kind && Boolean(ranks) === Boolean(first.ranks));
  const words = [...new Set(existing.flatMap((type) => type.words ?? []))];
  return {
    ...(isSame
      ? first
      : { kind: existing.every(({ kind }) => kind === 'word') ? ('word' as const) : ('any' as const) }),
    ...(words.length > 0 ? { words } : {}),
    nullable: nullable || optional || existing.length < types.length || existing.some((each) => each.nullable),
    many: existing.some(({ many }) => many),
  };
}

function typeOfLeaf({ kind, values, format }: Field, nullable: boolean, name: string): FieldType {
  const base = { nullable, many: false };
  switch (kind) {
    case 'number':
    case 'boolean':
    case 'object':
      return { ...base, kind };
    case 'string':
      return { ...base, kind: format === 'date-time' ? 'date' : 'text' };
    case 'enum': {
      const ranks = isRole(values) ? { ranks: roles, ...(nullable ? { nullWord: nullRoleWord(name) } : {}) } : {};
      return { ...base, kind: 'word', words: values ?? [], ...ranks };
    }
    default:
      return { ...base, kind: 'any' };
  }
}

/** The paths of the values that can be compared, level by level. A member with one possible value says nothing. */
function leavesOf(item: Field): string[] {
  const paths: string[] = [];
  let level = [{ path: '', field: item }];
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { path, field } of level) {
      if (field.item) next.push({ path, field: field.item });
      else if (field.branches) next.push(...field.branches.map((branch) => ({ path, field: branch })));
      else if (field.kind === 'object')
        for (const [name, member] of Object.entries(field.members ?? {}))
          next.push({ path: path === '' ? name : `${path}.${name}`, field: member });
      else if (path !== '') paths.push(path);
    }
    level = next;
  }
  return [...new Set(paths)].filter((path) => typeAt(item, path.split('.'), path)?.words?.length !== 1);
}

function valuesBelow(value: unknown, parts: readonly string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => valuesBelow(each, parts));
  const [first, ...rest] = parts;
  if (first === undefined) return flat(value);
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, first)) return [];
  return valuesBelow(Reflect.get(value, first), rest);
}

const flat = (value: unknown): unknown[] =>
  Array.isArray(value) ? value.flatMap(flat) : value === undefined ? [] : [value];

const maxListed = 40;
const maxNear = 3;

/** The type of a field. @throws the refusal if no item of the list can have it, with the nearest name and all others */
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
