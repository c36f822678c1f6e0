import type { Endpoint } from '../contract/endpoint.ts';
import { decodeText, type Field, fieldOf } from '../contract/fields.ts';
import { roles } from '../contract/access.ts';
import { UsageError } from './failure.ts';

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
  /** Guests: the word that stands for null. */
  guest: boolean;
}

/** `ssoURL` is `sso-url`, `defaultLevel` is `default-level`. */
export const kebab = (name: string) =>
  name
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();

const camel = (dashed: string) => dashed.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Query parameters that lists have everywhere, under flags of their own. */
const paging = new Set(['page', 'limit']);
const nestedLevels = 2;

/** Every flag that an endpoint's query and body give. */
export function flagsOf(endpoint: Endpoint, without: readonly string[] = []): DerivedFlag[] {
  const query = Object.entries(fieldOf(endpoint.query()).members ?? {}).filter(
    ([name]) => !(endpoint.paged && paging.has(name)),
  );
  const body = endpoint.body ? Object.entries(fieldOf(endpoint.body()).members ?? {}) : [];
  const skipped = new Set(without);
  return [
    ...query.flatMap(([name, field]) => (skipped.has(name) ? [] : flagsFor('query', [name], field))),
    ...body.flatMap(([name, field]) => (skipped.has(name) ? [] : flagsFor('body', [name], field))),
  ];
}

function flagsFor(where: 'query' | 'body', path: string[], field: Field): DerivedFlag[] {
  if (field.kind === 'object' && path.length <= nestedLevels) {
    return Object.entries(field.members!).flatMap(([name, member]) =>
      isConstant(member) ? [] : flagsFor(where, [...path, name], member),
    );
  }
  return [flagFor(where, path, field)];
}

/** A member with one possible value needs no flag: it is set when a sibling is. */
const isConstant = (field: Field) => field.kind === 'enum' && field.values!.length === 1;

function flagFor(where: 'query' | 'body', path: string[], field: Field): DerivedFlag {
  const name = path.map(kebab).join('-');
  const item = field.kind === 'array' ? field.item! : field;
  const isRole =
    item.kind === 'enum' && roles.every((role) => item.values!.includes(role)) && item.values!.length === roles.length;
  const guest = isRole && field.nullable;
  const choices = item.kind === 'enum' ? [...item.values!, ...(guest ? ['guest'] : [])] : undefined;
  return {
    long: `--${name}`,
    attribute: camel(name),
    in: where,
    path,
    field,
    ...(field.kind === 'boolean' ? {} : { value: placeholder(item, choices) }),
    description: describe(field),
    ...(choices ? { choices } : {}),
    guest,
  };
}

function placeholder(field: Field, choices: string[] | undefined): string {
  if (choices) return 'word';
  if (field.kind === 'number') return 'number';
  return field.kind === 'string' ? 'text' : 'json';
}

function describe(field: Field): string {
  const given = field.description ?? field.item?.description ?? '';
  // Options read on from their flag; sentences of the contract stand by themselves.
  const text = /^[A-Z][a-z]/.test(given) ? given[0]!.toLowerCase() + given.slice(1) : given;
  const notes = [
    field.kind === 'array' ? 'repeatable, or with commas' : '',
    field.default === undefined ? '' : `default ${String(field.default)}`,
  ];
  const told = notes.filter(Boolean).join('; ');
  return told ? `${text.replace(/\.$/, '')} (${told})` : text.replace(/\.$/, '');
}

/** Fields that `--clear` can set to null. */
export const clearable = (flags: DerivedFlag[]) =>
  flags.filter((flag) => flag.in === 'body' && flag.field.nullable && !flag.guest);

/** The value that a flag's text stands for. @throws UsageError */
export function valueOf(flag: DerivedFlag, given: unknown, readJson: (text: string, what: string) => unknown): unknown {
  if (typeof given === 'boolean') return given;
  if (Array.isArray(given))
    return given.map((one) => single(flag, flag.field.item ?? flag.field, String(one), readJson));
  return single(flag, flag.field, String(given), readJson);
}

function single(
  flag: DerivedFlag,
  field: Field,
  text: string,
  readJson: (text: string, what: string) => unknown,
): unknown {
  if (flag.guest && text === 'guest') return null;
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
  return best && best.distance <= Math.max(1, Math.floor(word.length / 3)) ? best.name : undefined;
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
