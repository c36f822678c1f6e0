import type { FileProblem, Places } from '../files/problems.ts';
import { isObject } from '../../shared/is-object.ts';
import type { Lock } from '../lock.ts';
import {
  changeKindOf,
  collectionsIn,
  contentPath,
  files,
  kinds,
  type NamedKind,
  namedKinds,
  type Organization,
  pathOf,
} from '../parts.ts';
import type { Secrets } from '../plan/variables.ts';
import { type Hashes, hashesOf, hashOf, linkKeyAfter, objectsOf } from './hashes.ts';
import { objectIn, type State } from './state.ts';

/** An object whose name in the files changed. */
export interface Rename {
  kind: NamedKind;
  from: string;
  to: string;
}

/** Names of one kind that are gone and new: some of them may be the same objects. */
export interface PossibleRenames {
  kind: NamedKind;
  gone: string[];
  added: string[];
}

/** The former names of objects, by kind and name. */
export type Moved = ReadonlyMap<NamedKind, ReadonlyMap<string, string>>;

/** Takes the former names out of the objects: they only matter for the names. */
export function takeMoved(organization: Organization): Moved {
  const taken = new Map<NamedKind, Map<string, string>>();
  const take = (kind: NamedKind, name: string, object: { moved?: string | undefined }) => {
    const { moved } = object;
    delete object.moved;
    if (moved === undefined) return;
    const names = taken.get(kind) ?? new Map<string, string>();
    taken.set(kind, names.set(name, moved));
  };
  for (const kind of namedKinds) {
    if (kind === 'collections')
      for (const { node } of collectionsIn(organization.collections?.collections)) take(kind, node.name, node);
    else for (const [name, object] of organization[kind] ?? []) take(kind, name, object);
  }
  return taken;
}

interface Known {
  lock: Lock;
  state: State | undefined;
}

interface Files {
  organization: Organization;
  moved: Moved;
  /** Hashes of the files by path. */
  hashes: ReadonlyMap<string, string>;
  secrets: Secrets;
}

/**
 * The objects that the files have under another name than before: those that say so with `moved`, and those with the title
 * or the text of an object whose name is gone, if no other object could be meant. If only one name of a kind is gone and one
 * is new, they may differ in the title if everything else is the same, and no other object would have the same by chance.
 */
export function findRenames(
  { lock, state }: Known,
  { organization, moved, hashes, secrets }: Files,
): { renames: Rename[]; possible: PossibleRenames[] } {
  const possible: PossibleRenames[] = [];
  const all = namedKinds.flatMap((kind) => {
    if (kinds[changeKindOf[kind]].objects(organization) === undefined) return [];
    const objects = objectsOf(organization, changeKindOf[kind]);
    const known = lock.ids[kind];
    const gone = new Set([...known.keys()].filter((name) => !objects.has(name)));
    const added = new Set([...objects.keys()].filter((name) => name !== '' && !known.has(name)));
    const renames: Rename[] = [];
    const rename = (from: string, to: string) => {
      renames.push({ kind, from, to });
      gone.delete(from);
      added.delete(to);
    };
    for (const [to, from] of moved.get(kind) ?? []) if (gone.has(from) && added.has(to)) rename(from, to);
    const titles = new Map([...added].map((name) => [name, hashOf(...titleOf(kind, objects.get(name)), secrets)]));
    const baseOf = (name: string) => state && objectIn(state, changeKindOf[kind], name)?.base;
    const isSame = (from: string, to: string) => {
      const file = kind === 'collections' ? undefined : lock.files.get(pathOf(kind, from));
      if (file !== undefined && file === hashes.get(pathOf(kind, to))) return true;
      return baseOf(from)?.has(titles.get(to) ?? '') ?? false;
    };
    for (const to of added) {
      const [from, ...others] = [...gone].filter((name) => isSame(name, to));
      if (from === undefined || others.length > 0) continue;
      if ([...added].every((name) => name === to || !isSame(from, name))) rename(from, to);
    }
    const [[from, ...moreGone], [to, ...moreAdded]] = [[...gone], [...added]];
    if (from !== undefined && to !== undefined && moreGone.length + moreAdded.length === 0) {
      const object = objects.get(to);
      const now = hashesOf(changeKindOf[kind], object, secrets);
      if (isDistinct(kind, object) && differsOnlyIn(titles.get(to), now, baseOf(from))) rename(from, to);
    }
    if (gone.size > 0 && added.size > 0) possible.push({ kind, gone: [...gone], added: [...added] });
    return renames;
  });
  return { renames: all, possible };
}

/** Fields that identify an object. Spaces and collections have none: two that differ only in their titles are common. */
const identifying: Partial<Record<NamedKind, string>> = { teams: 'members', sso: 'entityID', sites: 'structure' };

function isDistinct(kind: NamedKind, object: unknown): boolean {
  const field = identifying[kind];
  const value = field !== undefined && isObject(object) ? object[field] : undefined;
  return value instanceof Object ? Object.keys(value).length > 0 : Boolean(value);
}

/** Whether all fields but one are as in the base. */
const differsOnlyIn = (field: string | undefined, now: Hashes, base: Hashes | undefined): boolean =>
  base?.size === now.size && [...now].every((hash) => hash === field || base.has(hash));

/** Former names that no object had, although the new name is unknown, too. */
export function unknownMoves({ moved }: Pick<Files, 'moved'>, { ids }: Pick<Lock, 'ids'>): Rename[] {
  return namedKinds.flatMap((kind) =>
    [...(moved.get(kind) ?? [])].flatMap(([to, from]) =>
      ids[kind].has(from) || ids[kind].has(to) ? [] : [{ kind, from, to }],
    ),
  );
}

/** Mistakes in former names: an object that still has its file was not renamed. */
export function moveProblems(
  { organization, moved }: Pick<Files, 'organization' | 'moved'>,
  places: Places,
): FileProblem[] {
  return namedKinds.flatMap((kind) => {
    const objects = objectsOf(organization, changeKindOf[kind]);
    const file = (name: string) => (kind === 'collections' ? files.collections.file : pathOf(kind, name));
    return [...(moved.get(kind) ?? [])].flatMap(([to, from]) => {
      if (!objects.has(from)) return [];
      const where = kind === 'collections' ? `${file(from)} still has "${from}"` : `${file(from)} still exists`;
      const at = kind === 'collections' ? [] : ['moved'];
      return [places.problem({ file: file(to), at }, `moved: ${from} is no former name of "${to}", because ${where}`)];
    });
  });
}

/** The field with the title of an object, and its value. */
function titleOf(kind: NamedKind, object: unknown): [field: string, value: unknown] {
  const field = kind === 'sso' ? 'label' : 'title';
  return [field, typeof object === 'object' && object !== null ? Reflect.get(object, field) : undefined];
}

/** The lock with the new names. */
export function renamedLock(lock: Lock, renames: readonly Rename[]): Lock {
  const next: Lock = {
    ...lock,
    ids: { ...lock.ids },
    files: new Map(lock.files),
    revisions: new Map(lock.revisions),
    applied: new Map(lock.applied),
    matches: new Map(lock.matches),
  };
  for (const { kind, from, to } of renames) {
    next.ids[kind] = new Map([...next.ids[kind]].map(([name, id]) => [name === from ? to : name, id]));
    if (kind === 'collections') continue;
    renameKey(next.files, pathOf(kind, from), pathOf(kind, to));
    if (kind !== 'spaces') continue;
    renameKey(next.revisions, from, to);
    renameKey(next.applied, from, to);
    renameKey(next.matches, from, to);
    const [before, after] = [`${contentPath(from)}/`, `${contentPath(to)}/`];
    for (const file of Array.from(next.files.keys()))
      if (file.startsWith(before)) renameKey(next.files, file, after + file.slice(before.length));
  }
  return next;
}

/** Gives objects of the state their new names. Those that have them already stay. */
export function renameInState(state: State, renames: readonly Rename[]): void {
  for (const { kind, from, to } of renames) {
    const objects = state.objects.get(changeKindOf[kind]);
    if (objects) renameKey(objects, from, to);
    if (kind === 'spaces') {
      renameKey(state.contents, from, to);
      for (const each of state.sending) if (each.space === from) each.space = to;
    }
    const links = state.objects.get('invite link');
    if (links) for (const key of Array.from(links.keys())) renameKey(links, key, linkKeyAfter(key, { from, to }));
  }
}

function renameKey<Value>(map: Map<string, Value>, from: string, to: string): void {
  const value = map.get(from);
  if (value === undefined || map.has(to)) return;
  map.delete(from);
  map.set(to, value);
}
