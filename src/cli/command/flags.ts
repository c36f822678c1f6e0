import { paramNames } from '../../contract/path.ts';
import { isObject } from '../../shared/is-object.ts';
import { nearest } from '../../shared/suggest.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { decodeText, type Field, fieldOf, fieldsOf } from '../../contract/fields.ts';
import { type ObjectParam, paramOfArgument } from '../../contract/objects.ts';
import { roles } from '../../contract/access.ts';
import { UsageError, emptyValue } from '../program/failure.ts';
import { camel, pointersOf } from './pointer.ts';
import { argumentsOf, type Command, type CommandInput, type DerivedFlag } from './command.ts';

/** A field that can be set to null, with `--clear <name>` or with its own switch. */
export interface Clearable {
  name: string;
  path: string[];
  /** Named for what null means: `--root`. */
  switch?: string;
}

/** `ssoURL` is `sso-url`, `defaultLevel` is `default-level`. */
export const kebab = (name: string) =>
  name
    .replace(/(?<=[A-Z])(?=[A-Z][a-z])/g, '-')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();

/** The path parameter that an argument fills. */
export const paramOf = (name: string, names: readonly string[], params: Record<string, string> = {}) =>
  params[name] ?? paramOfArgument(name, names);

/** The part of a command that decides its arguments and flags. */
type Shape = Pick<Command, 'use' | 'input'>;

/** The fields of query and body that arguments fill, under the names of the arguments. */
export function argumentFields(endpoint: Endpoint, { use, input: { params = {}, without = [] } = {} }: Shape) {
  const names = paramNames(endpoint.path);
  const fields = new Map<string, DerivedFlag>();
  if (without === 'all') return fields;
  for (const { name } of argumentsOf(use)) {
    if (names.includes(paramOf(name, names, params) ?? '')) continue;
    const fieldNames = new Set([params[name], name, `${name}Id`]);
    const flag = allFlags(endpoint, {}).find(
      ({ path: [field = '', ...nested] }) => nested.length === 0 && fieldNames.has(field) && !without.includes(field),
    );
    if (flag) fields.set(name, flag);
  }
  return fields;
}

/** The flags of the fields in the query and body of an endpoint. */
export function flagsOf(endpoint: Endpoint, shape: Shape): DerivedFlag[] {
  const filled = new Set([...argumentFields(endpoint, shape).values()].map(({ path }) => path[0]));
  const lists = new Set(replacedLists(endpoint));
  return allFlags(endpoint, shape.input)
    .filter(({ path }) => !filled.has(path[0]))
    .map((flag) => (lists.has(flag.path.join('.')) ? { ...flag, description: replacing(flag.description) } : flag));
}

const replacing = (description: string) =>
  description.replace(/( \(repeatable[^()]*\))?$/, (notes) => `; it replaces the whole list${notes}`);

/**
 * The fields of an edit that replace a whole list: those that the service shows as a list too. What only adds to a list,
 * or removes from it, has no field of its name in the answer.
 */
export function replacedLists(endpoint: Endpoint): string[] {
  if (endpoint.method !== 'PATCH' && endpoint.method !== 'PUT') return [];
  const lists = Object.entries(fieldsOf(endpoint).body?.members ?? {}).filter(([, { kind }]) => kind === 'array');
  // The schema of the answer is large: it is read only if it is needed.
  if (lists.length === 0 || !endpoint.answer) return [];
  const { members: shown = {} } = fieldOf(endpoint.answer());
  return lists.flatMap(([name]) => (shown[name]?.kind === 'array' ? [name] : []));
}

/** Query parameters of all lists: their flags are in `pagingOptions`. */
const paging = new Set(['page', 'limit']);
const nestedLevels = 2;

function allFlags(
  endpoint: Endpoint,
  { without = [], names = {} }: Pick<CommandInput, 'without' | 'names'> = {},
): DerivedFlag[] {
  if (without === 'all') return [];
  const query = Object.entries(fieldsOf(endpoint).query).filter(([name]) => !(endpoint.paged && paging.has(name)));
  const skipped = new Set(without);
  const of = (where: Where, members: [string, Field][]) =>
    members.flatMap(([name, field]) => (skipped.has(name) ? [] : flagsFor(where, [name], field, names)));
  return [...of(endpoint.paged ? 'list query' : 'query', query), ...of('body', Object.entries(bodyMembers(endpoint)))];
}

const bodyMembers = (endpoint: Endpoint) => fieldsOf(endpoint).body?.members ?? {};

type Names = Record<string, string>;

type Where = 'query' | 'body' | 'list query';

function flagsFor(where: Where, path: string[], field: Field, names: Names): DerivedFlag[] {
  if (isPosition(field)) return positionFlags(path, field);
  if (field.kind === 'object' && path.length <= nestedLevels) {
    return Object.entries(field.members ?? {}).flatMap(([name, member]) =>
      isConstant(member) ? [] : flagsFor(where, [...path, name], member, names),
    );
  }
  return [flagFor(where, path, field, names)];
}

/** A member with one possible value needs no flag: it is set when a sibling is. */
const isConstant = ({ kind, values }: Field) => kind === 'enum' && values?.length === 1;

/** A position before or after a sibling: `{ before, after }`. */
const isPosition = ({ kind, members = {} }: Field) =>
  kind === 'object' && Object.keys(members).join() === 'before,after';

function positionFlags(path: string[], field: Field): DerivedFlag[] {
  return Object.entries(field.members ?? {}).map(([side, member]) => {
    const pointers = pointersOf(member);
    const kinds = pointers.map(({ type }) => type.replace(/^site-/, '').replace('-', ' '));
    return {
      long: `--${side}`,
      attribute: side,
      in: 'body',
      path: [...path, side],
      field: member,
      value: kinds.length === 1 ? kinds[0]?.replace(' ', '-') : 'sibling',
      description: `place it directly ${side} this ${kinds.join(' or ')}`,
      repeatable: false,
      pointers,
    };
  });
}

function flagFor(where: Where, path: string[], field: Field, names: Names): DerivedFlag {
  const name = names[path.join('.')] ?? path.map(kebab).join('-');
  const words = field.kind === 'union' ? wordsOf(field) : undefined;
  const item = (field.kind === 'array' ? field.item : undefined) ?? field;
  const values = item.kind === 'enum' ? (item.values ?? []) : undefined;
  const fieldName = path.at(-1) ?? '';
  const nullWord = isRole(values) && field.nullable ? nullRoleWord(fieldName) : undefined;
  const isFilter = where === 'list query' && canRepeat(fieldName, field);
  const others = isFilter && hidesOthers(field) ? ['all'] : [];
  const choices = values && [...values, ...(nullWord ? [nullWord] : []), ...others];
  return {
    long: `--${name}`,
    attribute: camel(name),
    in: where === 'body' ? 'body' : 'query',
    path,
    field,
    ...(field.kind === 'boolean' ? {} : { value: placeholder(field, item, choices) }),
    description: describe(field, Boolean(words) || isFilter),
    repeatable: field.kind === 'array' || words !== undefined || isFilter,
    ...(choices ? { choices } : {}),
    ...(nullWord === undefined ? {} : { nullWord }),
  };
}

/** Whether these are the words for the roles. */
export const isRole = (words: readonly string[] | undefined): boolean =>
  words?.length === roles.length && roles.every((role) => words.includes(role));

/** A null level means no access, a null role means guest. */
export const nullRoleWord = (fieldName: string): string => (/level$/i.test(fieldName) ? 'none' : 'guest');

/** A parameter of a list that lets through the items with one value: of several values, the list has the items of each. */
const canRepeat = (name: string, { kind, object }: Field) =>
  kind === 'enum' ? /^(role|status)$/.test(name) : kind === 'string' && object !== undefined;

/** Without the parameter, the service lists only some of the items. */
const hidesOthers = ({ values = [], default: fallback }: Field) => fallback !== undefined && !values.includes('all');

/** The words of a field that is either a list of texts or one of some words. */
function wordsOf({ branches = [] }: Field): string[] | undefined {
  const isList = branches.some(({ kind, item }) => kind === 'array' && item?.kind === 'string');
  return isList && branches.length === 2 ? branches.find(({ kind }) => kind === 'enum')?.values : undefined;
}

/** The object that a field's value names, or each of its values, as a path parameter. */
export function objectOfField({ object, item, branches = [] }: Field): ObjectParam | undefined {
  return object?.param ?? item?.object?.param ?? branches.map(objectOfField).find((param) => param !== undefined);
}

function placeholder(field: Field, item: Field, choices: string[] | undefined): string {
  const object = objectOfField(field);
  if (object !== undefined) return kebab(object.replace(/Id$/, ''));
  if (choices) return 'word';
  if (item.kind === 'number') return 'number';
  if (item.kind !== 'string') return 'json';
  return 'text';
}

function describe(field: Field, isList: boolean): string {
  const sentence = field.description ?? field.item?.description ?? '';
  // Help continues the name of a flag in lower case. What null means is left to --clear.
  const text = (/^[A-Z][a-z]/.test(sentence) ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence)
    .replace(/; null for [^;.]+/, '')
    .replace(/\.$/, '');
  const notes = [
    field.kind === 'array' || isList ? 'repeatable or comma-separated' : '',
    field.default === undefined || field.default === false
      ? ''
      : `default ${field.default === true ? 'yes' : String(field.default)}`,
  ];
  const note = notes.filter(Boolean).join('; ');
  return note ? `${text} (${note})` : text;
}

/** The fields of the body that can be set to null. Roles are not among them: they have a word for null. */
export function clearable(
  endpoint: Endpoint,
  { input: { without = [], names = {} } = {} }: Pick<Command, 'input'>,
): Clearable[] {
  if (without === 'all') return [];
  const skipped = new Set(without);
  const members = Object.entries(bodyMembers(endpoint)).filter(([name]) => !skipped.has(name));
  const isMove = members.some(([, field]) => isPosition(field));
  return members.flatMap(([name, field]) => {
    if (!field.nullable || flagsFor('body', [name], field, names).some(({ nullWord }) => nullWord)) return [];
    const clearName = names[name] ?? kebab(name);
    return [{ name: clearName, path: [name], ...(isMove && name === 'parent' ? { switch: '--root' } : {}) }];
  });
}

type ReadJson = (text: string, what: string) => unknown;

/** The value for the request from what was given to a flag. @throws UsageError */
export function valueOf(flag: DerivedFlag, input: unknown, readJson: ReadJson): unknown {
  if (typeof input === 'boolean') return input;
  if (Array.isArray(input)) {
    const words = wordsOf(flag.field);
    if (words && input.length === 1 && words.includes(input[0])) return input[0];
    if (isFilterFlag(flag)) return filterValue(flag, input.map(String));
    const item = flag.field.item ?? (words ? textField : flag.field);
    return input.map((text) => singleValue(flag, item, String(text), readJson));
  }
  return singleValue(flag, flag.field, String(input), readJson);
}

/** Several values of a parameter that takes one: the list is asked for each. */
const isFilterFlag = ({ in: where, field, repeatable }: DerivedFlag) =>
  where === 'query' && repeatable && (field.kind === 'enum' || field.kind === 'string');

/** One value as itself, several as an array. @throws UsageError if there is none */
function filterValue({ long, field }: DerivedFlag, texts: readonly string[]): unknown {
  if (texts.length === 0) throw emptyValue(long);
  const { values = [] } = field;
  const distinct = [...new Set(texts.flatMap((text) => (text === 'all' && hidesOthers(field) ? values : [text])))];
  return distinct.length === 1 ? distinct[0] : distinct;
}

const textField: Field = { kind: 'string', optional: false, nullable: false };

function singleValue(flag: DerivedFlag, field: Field, text: string, readJson: ReadJson): unknown {
  if (text === flag.nullWord) return null;
  if (['object', 'union', 'record', 'unknown'].includes(field.kind)) return readJson(text, flag.long);
  const value = decodeText(field, text);
  if (field.kind === 'number' && typeof value !== 'number')
    throw new UsageError(`${flag.long}: "${text}" is not a number.`);
  return value;
}

/**
 * Sets the value at a path, and the siblings that have only one possible value.
 *
 * @throws UsageError if `--data` has something else in the place of an object
 */
export function place(
  target: Record<string, unknown>,
  path: string[],
  value: unknown,
  schema: Field | undefined,
): void {
  const [first = '', ...rest] = path;
  if (rest.length === 0) {
    target[first] = value;
    return;
  }
  const member = schema?.members?.[first];
  const before = target[first];
  if (before !== undefined && !isObject(before)) {
    throw new UsageError(
      `--data: "${first}" is not an object, and a flag sets its member "${rest.join('.')}".`,
      `Give the member in --data, or leave "${first}" out there.`,
    );
  }
  const inner = isObject(before) ? before : constantsOf(member);
  target[first] = inner;
  place(inner, rest, value, member);
}

const constantsOf = (field: Field | undefined): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(field?.members ?? {})
      .filter(([, member]) => isConstant(member))
      .map(([name, member]) => [name, member.values?.[0]]),
  );

/** @throws UsageError for members that the endpoint does not have, with the most similar name */
export function refuseUnknown(body: Record<string, unknown>, schema: Field | undefined): void {
  if (schema?.kind !== 'object' || !schema.members) return;
  for (const name of Object.keys(body)) {
    if (name in schema.members) continue;
    const near = nearest(name, Object.keys(schema.members));
    throw new UsageError(
      `--data: unknown field "${name}".`,
      near ? `Did you mean "${near}"?` : `There are: ${Object.keys(schema.members).join(', ')}.`,
    );
  }
}
