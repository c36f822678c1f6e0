import type { Endpoint } from '../contract/endpoint.ts';
import { decodeText, type Field, askedOf } from '../contract/fields.ts';
import { roles } from '../contract/access.ts';
import { UsageError } from './failure.ts';
import { type Pointer, pointersOf } from './pointer.ts';
import { argumentsOf, type Command } from './tree.ts';

/** A flag made from a field of a query or a body. */
export interface DerivedFlag {
  /** `--default-level` */
  long: string;
  /** As commander names its value: `defaultLevel`. */
  attribute: string;
  in: 'query' | 'body';
  /** Where the value goes: `['defaultContent', 'site']`. */
  path: string[];
  field: Field;
  /** Placeholder of the value; absent for a switch. */
  value?: string;
  description: string;
  choices?: string[];
  /** May be given several times, and takes commas. */
  repeatable: boolean;
  /** The word that stands for null, where null is one of the roles. */
  nullWord?: string;
  /** What the value may name, where it is a neighbour that something is put beside. */
  pointers?: Pointer[];
}

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
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();

const camel = (dashed: string) => dashed.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Arguments whose name does not tell the path parameter by itself. */
const argumentParams: Record<string, string> = {
  cr: 'changeRequestId',
  section: 'siteSectionId',
  group: 'siteSectionGroupId',
  'site-space': 'siteSpaceId',
  link: 'shareLinkId',
  provider: 'samlProviderId',
  slug: 'specSlug',
  field: 'fieldName',
  name: 'fieldName',
  domain: 'emailDomain',
  reply: 'commentReplyId',
  translation: 'translationSettingsId',
};

/** The path parameter that an argument fills. */
export const paramOf = (name: string, names: readonly string[], own: Record<string, string> = {}) =>
  own[name] ?? [argumentParams[name], `${name}Id`, name].find((param) => param !== undefined && names.includes(param));

/** Names of the parameters of a path, in its order. */
export const paramNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);

type Shaping = Pick<Command, 'use' | 'params' | 'without' | 'names'>;

/** The fields of query and body that arguments fill, under the names of the arguments. */
export function argumentFields(endpoint: Endpoint, { use, params = {}, without = [] }: Shaping) {
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
export function flagsOf(endpoint: Endpoint, shaping: Shaping): DerivedFlag[] {
  const filled = new Set([...argumentFields(endpoint, shaping).values()].map(({ path }) => path[0]));
  return allFlags(endpoint, shaping).filter(({ path }) => !filled.has(path[0]));
}

/** Query parameters that lists have everywhere, under flags of their own. */
const paging = new Set(['page', 'limit']);
const nestedLevels = 2;

function allFlags(endpoint: Endpoint, { without = [], names = {} }: Partial<Shaping>): DerivedFlag[] {
  if (without === 'all') return [];
  const query = Object.entries(askedOf(endpoint).query).filter(([name]) => !(endpoint.paged && paging.has(name)));
  const skipped = new Set(without);
  const of = (where: 'query' | 'body', members: [string, Field][]) =>
    members.flatMap(([name, field]) => (skipped.has(name) ? [] : flagsFor(where, [name], field, names)));
  return [...of('query', query), ...of('body', Object.entries(bodyMembers(endpoint)))];
}

const bodyMembers = (endpoint: Endpoint) => askedOf(endpoint).body?.members ?? {};

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
export function clearable(endpoint: Endpoint, { without = [], names = {} }: Shaping): Clearable[] {
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

/** The name that takes the fewest edits, if few are enough. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const ranked = names.map((name) => ({ name, distance: distance(word.toLowerCase(), name.toLowerCase()) }));
  const best = ranked.toSorted((a, b) => a.distance - b.distance)[0];
  // In a short word two changes make another one.
  const enough = word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3));
  return best && best.distance <= enough ? best.name : undefined;
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length]!;
}
