import { nearest } from '../../shared/suggest.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { decodeText, type Field, fieldsOf } from '../../contract/fields.ts';
import { paramOfArgument } from '../../contract/objects.ts';
import { roles } from '../../contract/access.ts';
import { UsageError } from '../program/failure.ts';
import { pointersOf } from './pointer.ts';
import { argumentsOf, type Command, type CommandInput, type DerivedFlag } from './command.ts';

export type { DerivedFlag };

/** Something that can be set to null: with `--clear <name>`, or with a switch of its own. */
export interface Clearable {
  name: string;
  path: string[];
  /** `--root`, which says what null means here. */
  switch?: string;
}

/** `ssoURL` is `sso-url`, `defaultLevel` is `default-level`. */
export const kebab = (name: string) =>
  name
    .replace(/(?<=[A-Z])(?=[A-Z][a-z])/g, '-')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();

const camel = (dashed: string) => dashed.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The path parameter that an argument fills. */
export const paramOf = (name: string, names: readonly string[], own: Record<string, string> = {}) =>
  own[name] ?? paramOfArgument(name, names);

/** Names of the parameters of a path, in its order. */
export const paramNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);

/** What of a command decides its arguments and flags. */
type Shape = Pick<Command, 'use' | 'input'>;

/** The fields of query and body that arguments fill, under the names of the arguments. */
export function argumentFields(endpoint: Endpoint, { use, input: { params = {}, without = [] } = {} }: Shape) {
  const names = paramNames(endpoint.path);
  const found = new Map<string, DerivedFlag>();
  if (without === 'all') return found;
  for (const { name } of argumentsOf(use)) {
    if (names.includes(paramOf(name, names, params) ?? '')) continue;
    const wanted = new Set([params[name], name, `${name}Id`]);
    const flag = allFlags(endpoint, {}).find(
      ({ path }) => path.length === 1 && wanted.has(path[0]!) && !without.includes(path[0]!),
    );
    if (flag) found.set(name, flag);
  }
  return found;
}

/** Every flag that an endpoint's query and body give. */
export function flagsOf(endpoint: Endpoint, shape: Shape): DerivedFlag[] {
  const filled = new Set([...argumentFields(endpoint, shape).values()].map(({ path }) => path[0]));
  return allFlags(endpoint, shape.input).filter(({ path }) => !filled.has(path[0]));
}

/** Query parameters that lists have everywhere, under flags of their own. */
const paging = new Set(['page', 'limit']);
const nestedLevels = 2;

function allFlags(
  endpoint: Endpoint,
  { without = [], names = {} }: Pick<CommandInput, 'without' | 'names'> = {},
): DerivedFlag[] {
  if (without === 'all') return [];
  const query = Object.entries(fieldsOf(endpoint).query).filter(([name]) => !(endpoint.paged && paging.has(name)));
  const skipped = new Set(without);
  const of = (where: 'query' | 'body', members: [string, Field][]) =>
    members.flatMap(([name, field]) => (skipped.has(name) ? [] : flagsFor(where, [name], field, names)));
  return [...of('query', query), ...of('body', Object.entries(bodyMembers(endpoint)))];
}

const bodyMembers = (endpoint: Endpoint) => fieldsOf(endpoint).body?.members ?? {};

type Names = Record<string, string>;

function flagsFor(where: 'query' | 'body', path: string[], field: Field, names: Names): DerivedFlag[] {
  if (isPlace(field)) return placeFlags(path, field);
  if (field.kind === 'object' && path.length <= nestedLevels) {
    return Object.entries(field.members!).flatMap(([name, member]) =>
      isConstant(member) ? [] : flagsFor(where, [...path, name], member, names),
    );
  }
  return [flagFor(where, path, field, names)];
}

/** A member with one possible value needs no flag: it is set when a sibling is. */
const isConstant = (field: Field) => field.kind === 'enum' && field.values!.length === 1;

/** A place beside a neighbour: `{ before, after }`. */
const isPlace = ({ kind, members = {} }: Field) => kind === 'object' && Object.keys(members).join() === 'before,after';

function placeFlags(path: string[], field: Field): DerivedFlag[] {
  return Object.entries(field.members!).map(([side, member]) => {
    const pointers = pointersOf(member);
    const kinds = pointers.map(({ type }) => type.replace(/^site-/, '').replace('-', ' '));
    return {
      long: `--${side}`,
      attribute: side,
      in: 'body',
      path: [...path, side],
      field: member,
      value: 'id',
      description: `put it directly ${side} this ${kinds.join(' or ')}`,
      repeatable: false,
      pointers,
    };
  });
}

function flagFor(where: 'query' | 'body', path: string[], field: Field, names: Names): DerivedFlag {
  const name = names[path.join('.')] ?? path.map(kebab).join('-');
  const words = field.kind === 'union' ? wordsOf(field) : undefined;
  const item = field.kind === 'array' ? field.item! : field;
  const isRole = item.kind === 'enum' && item.values!.length === roles.length && roles.every(isIn(item.values!));
  // A level that is null gives nothing, a role that is null makes a guest.
  const nullWord = isRole && field.nullable ? (/level$/i.test(path.at(-1)!) ? 'none' : 'guest') : undefined;
  const choices = item.kind === 'enum' ? [...item.values!, ...(nullWord ? [nullWord] : [])] : undefined;
  return {
    long: `--${name}`,
    attribute: camel(name),
    in: where,
    path,
    field,
    ...(field.kind === 'boolean' ? {} : { value: words ? 'id' : placeholder(path.at(-1)!, item, choices) }),
    description: describe(field, Boolean(words)),
    repeatable: field.kind === 'array' || words !== undefined,
    ...(choices ? { choices } : {}),
    ...(nullWord === undefined ? {} : { nullWord }),
  };
}

const isIn = (values: readonly string[]) => (word: string) => values.includes(word);

/** The words of a field that is a list of texts or one of these words. */
function wordsOf({ branches = [] }: Field): string[] | undefined {
  const isList = branches.some(({ kind, item }) => kind === 'array' && item?.kind === 'string');
  return isList && branches.length === 2 ? branches.find(({ kind }) => kind === 'enum')?.values : undefined;
}

const idLike =
  /^(parent|organization|space|collection|page|targetPage|node|owner|contributor|site|into|members|sections)$|Id$|^default(Site(Space|Section)|Team)$/;

function placeholder(name: string, field: Field, choices: string[] | undefined): string {
  if (choices) return 'word';
  if (field.kind === 'number') return 'number';
  if (field.kind !== 'string') return 'json';
  return idLike.test(name) ? 'id' : 'text';
}

function describe(field: Field, isList: boolean): string {
  const given = field.description ?? field.item?.description ?? '';
  // Options read on from their flag; sentences of the contract stand by themselves. What null means is told by --clear.
  const text = (/^[A-Z][a-z]/.test(given) ? given[0]!.toLowerCase() + given.slice(1) : given)
    .replace(/; null for [^;.]+/, '')
    .replace(/\.$/, '');
  const notes = [
    field.kind === 'array' || isList ? 'repeatable, or with commas' : '',
    field.default === undefined || field.default === false
      ? ''
      : `default ${field.default === true ? 'yes' : String(field.default)}`,
  ];
  const told = notes.filter(Boolean).join('; ');
  return told ? `${text} (${told})` : text;
}

/** What of an endpoint's body can be set to null. Roles are not among it: they have a word for null. */
export function clearable(
  endpoint: Endpoint,
  { input: { without = [], names = {} } = {} }: Pick<Command, 'input'>,
): Clearable[] {
  if (without === 'all') return [];
  const skipped = new Set(without);
  const members = Object.entries(bodyMembers(endpoint)).filter(([name]) => !skipped.has(name));
  const isMove = members.some(([, field]) => isPlace(field));
  return members.flatMap(([name, field]) => {
    if (!field.nullable || flagsFor('body', [name], field, names).some(({ nullWord }) => nullWord)) return [];
    const told = names[name] ?? kebab(name);
    return [{ name: told, path: [name], ...(isMove && name === 'parent' ? { switch: '--root' } : {}) }];
  });
}

/** The value that a flag's text stands for. @throws UsageError */
export function valueOf(flag: DerivedFlag, given: unknown, readJson: (text: string, what: string) => unknown): unknown {
  if (typeof given === 'boolean') return given;
  if (Array.isArray(given)) {
    const words = wordsOf(flag.field);
    if (words && given.length === 1 && words.includes(given[0])) return given[0];
    const item = flag.field.item ?? (words ? textField : flag.field);
    return given.map((one) => single(flag, item, String(one), readJson));
  }
  return single(flag, flag.field, String(given), readJson);
}

const textField: Field = { kind: 'string', optional: false, nullable: false };

function single(
  flag: DerivedFlag,
  field: Field,
  text: string,
  readJson: (text: string, what: string) => unknown,
): unknown {
  if (text === flag.nullWord) return null;
  if (['object', 'union', 'record', 'unknown'].includes(field.kind)) return readJson(text, flag.long);
  const value = decodeText(field, text);
  if (field.kind === 'number' && typeof value !== 'number')
    throw new UsageError(`${flag.long}: "${text}" is not a number.`);
  return value;
}

/** Puts a value where its path says, and fills in the siblings that have only one possible value. */
export function place(
  target: Record<string, unknown>,
  path: string[],
  value: unknown,
  schema: Field | undefined,
): void {
  const [first, ...rest] = path;
  if (rest.length === 0) {
    target[first!] = value;
    return;
  }
  const member = schema?.members?.[first!];
  const inner = (target[first!] ??= constantsOf(member)) as Record<string, unknown>;
  place(inner, rest, value, member);
}

const constantsOf = (field: Field | undefined) =>
  Object.fromEntries(
    Object.entries(field?.members ?? {})
      .filter(([, member]) => isConstant(member))
      .map(([name, member]) => [name, member.values![0]]),
  );

/** @throws UsageError for members that the endpoint does not know, with the nearest name */
export function refuseUnknown(body: Record<string, unknown>, schema: Field | undefined): void {
  if (schema?.kind !== 'object' || !schema.members) return;
  for (const name of Object.keys(body)) {
    if (name in schema.members) continue;
    const near = nearest(name, Object.keys(schema.members));
    throw new UsageError(
      `--data has a field "${name}" that this command does not know.`,
      near ? `Did you mean "${near}"?` : `It knows ${Object.keys(schema.members).join(', ')}.`,
    );
  }
}
