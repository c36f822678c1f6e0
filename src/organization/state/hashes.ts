import { createHash } from 'node:crypto';
import { isObject } from '../../shared/is-object.ts';
import { type ChangeKind, kinds, type Organization } from '../parts.ts';
import { type Secrets, withNames } from '../plan/variables.ts';
import { copyCounter } from '../site-keys.ts';

/** Short hashes of the fields of an object in the files, each with its value. */
export type Hashes = ReadonlySet<string>;

/** Records whose entries change independently of each other. */
export const divided: Partial<Record<ChangeKind, string>> = { team: 'members', space: 'customFields' };

/** The hashes of all fields of an object that the files contain. */
export const hashesOf = (kind: ChangeKind, object: unknown, secrets: Secrets): Hashes =>
  new Set(partsOf(kind, object).map(([field, value]) => hashOf(field, value, secrets)));

/** The fields of an object that the files contain, and the entries of its record, with their values. */
export function partsOf(kind: ChangeKind, object: unknown): [field: string, value: unknown][] {
  if (!isObject(object)) return [['', object]];
  return Object.entries(object).flatMap(([field, value]): [string, unknown][] => {
    if (value === undefined) return [];
    if (field !== divided[kind] || !isObject(value)) return [[field, value]];
    return Object.entries(value).map(([key, item]) => [`${field}.${key}`, item]);
  });
}

/**
 * The hash of a field with its value. A collision between two values of one field has a probability of 2^-48, and would
 * only mislabel a change. The values of variables are not hashed, because short ones could be guessed.
 */
export function hashOf(field: string, value: unknown, secrets: Secrets): string {
  const [named] = Object.values(withNames({ value }, secrets));
  return createHash('sha256')
    .update(JSON.stringify([field, sorted(named)]))
    .digest('base64url')
    .slice(0, 8);
}

/** Equal values have equal JSON. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value ?? null;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}

/** The name under which the order of the top level is kept. No collection has it. */
export const topLevel = '';

const cached = new WeakMap<Organization, Map<ChangeKind, Map<string, unknown>>>();

/** The objects of one kind in the files by name. Several with the same name are one. They must not change afterwards. */
export function objectsOf(organization: Organization, kind: ChangeKind): Map<string, unknown> {
  const all = cached.get(organization) ?? new Map<ChangeKind, Map<string, unknown>>();
  cached.set(organization, all);
  const objects = all.get(kind) ?? objectsIn(organization, kind);
  all.set(kind, objects);
  return objects;
}

function objectsIn(organization: Organization, kind: ChangeKind): Map<string, unknown> {
  const all: [name: string, object: unknown][] = kinds[kind].objects(organization) ?? [];
  // The name of the organization is its title, which may change.
  if (kind === 'organization') return new Map(all.map(([, object]) => ['', object]));
  const order = organization.collections?.order;
  if (kind === 'collection' && order) all.push([topLevel, { order }]);
  if (kind === 'team') return new Map(all.map(([name, team]) => [name, withLowerCase(team)]));
  if (kind === 'invite link') return numbered(all);
  const groups = Map.groupBy(all, ([name]) => name);
  return new Map(
    [...groups].map(([name, list]) => [name, list.length === 1 ? list[0]![1] : list.map(([, each]) => each)]),
  );
}

/** The field of the file that a change of a plan is about: `structure` for `structure.guides.title`. */
export function fieldInFile(kind: ChangeKind, field: string): string {
  const [first = ''] = field.split('.', 1);
  return first === divided[kind] ? field : first;
}

/** Addresses are compared in lower case. */
function withLowerCase(team: unknown): unknown {
  if (!isObject(team) || !isObject(team['members'])) return team;
  const roles = Object.entries(team['members']).map(([email, role]) => [email.toLowerCase(), role]);
  return { ...team, members: Object.fromEntries(roles) };
}

/** The name of an invite link among those to the same place with the same level. */
export const linkKey = (name: string, level: unknown, index: number): string =>
  JSON.stringify([name, level ?? null, index]);

/** The key of an invite link after a space or collection was renamed. */
export function linkKeyAfter(key: string, { from, to }: { from: string; to: string }): string {
  const [before, after] = [from, to].map((name) => JSON.stringify([name]).slice(0, -1) + ',');
  return key.startsWith(before!) ? after + key.slice(before!.length) : key;
}

function numbered(links: readonly [name: string, link: unknown][]): Map<string, unknown> {
  const copyOf = copyCounter();
  return new Map(
    links.map(([name, link]) => {
      const level = isObject(link) ? (link['role'] ?? link['level']) : undefined;
      return [linkKey(name, level, copyOf(linkKey(name, level, 0))), link];
    }),
  );
}
