import { collections } from '../../contract/collections.ts';
import { fields as customFields } from '../../contract/custom-fields.ts';
import { spaces } from '../../contract/spaces.ts';
import { longestIncreasingSubsequence } from '../../shared/longest-increasing-subsequence.ts';
import type { CollectionsFile, SpaceFile } from '../files/schemas.ts';
import { collectionsIn, kinds, type Organization } from '../parts.ts';
import { topLevel } from '../state/hashes.ts';
import { bodyOf, changedFields, isEmpty, type NewStep, step } from './change.ts';
import type { Draft } from './draft.ts';

/** collections.yaml, parents before their children. `planMoves` plans their places. */
export function planCollections(draft: Draft): void {
  const { orgId } = draft.input;
  const removed: string[] = [];
  draft.each(
    kinds.collection.objects,
    (name, { title, description, defaultLevel, parent }, before) => {
      const fields = changedFields(before, { title, description, defaultLevel });
      if (before && fields.length === 0) return;
      const steps: NewStep[] = [];
      if (!before) {
        const body = { title: title ?? name, ...(parent !== null && { parent: draft.idOf('collections', parent) }) };
        const makes = { [`collection/${name}`]: 'id' };
        steps.push(step(collections.create, { orgId }, { body, makes, phase: 'collections' }));
      }
      const body = bodyOf(fields, [...(before ? ['title'] : []), 'description', 'defaultLevel']);
      const params = { collectionId: draft.idOf('collections', name) };
      if (!isEmpty(body)) steps.push(step(collections.edit, params, { body, phase: 'collectionSettings' }));
      draft.add({ kind: 'collection', name, action: before ? 'update' : 'create', fields }, steps);
    },
    (name) => removed.unshift(name),
  );
  // Children are deleted before their parents.
  for (const name of removed) {
    const params = { collectionId: draft.idOf('collections', name) };
    draft.remove({ kind: 'collection', name }, step(collections.delete, params, { phase: 'deleteCollections' }));
  }
}

/** spaces/<name>/space.yaml, without the content. */
export function planSpaces(draft: Draft): void {
  draft.each(
    kinds.space.objects,
    (name, space, before) => planSpace(draft, name, space, before),
    (name) => {
      if (draft.input.contents.has(name)) return;
      const params = { spaceId: draft.idOf('spaces', name) };
      draft.remove({ kind: 'space', name }, step(spaces.delete, params, { phase: 'deleteSpaces' }));
    },
  );
}

function planSpace(draft: Draft, name: string, space: SpaceFile, before: SpaceFile | undefined): void {
  const { orgId, baseline } = draft.input;
  const file = `spaces/${name}/space.yaml`;
  const { customFields: values = {}, collection, visibility, ...settings } = space;
  // The visibility in an unchanged file is only outdated: changes of other files may have changed the actual one.
  if (
    before &&
    visibility !== undefined &&
    visibility !== before.visibility &&
    !baseline.isUnchanged('space', name, 'visibility')
  )
    draft.refuse(
      file,
      ['visibility'],
      `the visibility is determined by the sites that contain the space; it is ${before.visibility}`,
    );
  const changed = changedFields(before, settings);
  const changedValues = changedFields(before?.customFields ?? {}, values);
  const fields = [
    ...changed,
    ...changedValues.map(({ field, ...each }) => ({ ...each, field: `customFields.${field}` })),
  ];
  if (before && fields.length === 0) return;
  const steps: NewStep[] = [];
  if (!before) {
    const { title = name, emoji, editMode } = settings;
    const parent = collection == null ? {} : { parent: draft.idOf('collections', collection) };
    const body = { title, emoji, editMode, ...parent };
    steps.push(step(spaces.create, { orgId }, { body, makes: { [`space/${name}`]: 'id' }, phase: 'spaces' }));
  }
  const params = { spaceId: draft.idOf('spaces', name) };
  const body = bodyOf(changed, [...(before ? ['title', 'emoji', 'editMode'] : []), 'defaultLevel']);
  if (!isEmpty(body)) steps.push(step(spaces.edit, params, { body, phase: 'spaceSettings' }));
  if (changedValues.length > 0) {
    const entries = changedValues.map(({ field }) => [field, { value: values[field]! }] as const);
    const set = { values: Object.fromEntries(entries) };
    steps.push(step(customFields.setValues, params, { body: set, phase: 'spaceSettings' }));
  }
  draft.add({ kind: 'space', name, action: before ? 'update' : 'create', fields }, steps);
}

const placedIn = (file: CollectionsFile | undefined) =>
  new Map([...collectionsIn(file?.collections)].map((placed) => [placed.node.name, placed]));

/** One level of the tree: names of collections and spaces in their order, by the name of their parent. */
type Levels = Map<string | null, string[]>;
interface Tree {
  levels: Levels;
  /** Collections without spaces below. */
  empty: Set<string | null>;
}

/**
 * Moves collections and spaces to their places in the files, with as few moves as possible. Objects that the files do not
 * mention stay where they are. So do collections without spaces below them, because the service does not report their
 * places.
 */
export function planMoves(draft: Draft): void {
  const { desired, current, prune } = draft.input;
  if (!desired.collections && !desired.spaces) return;
  const { levels: before, empty: emptyBefore } = treeOf(current);
  const placeBefore = placesOf(before);
  const collectionsAfter = desired.collections ?? current.collections;
  const kept = prune && desired.spaces ? [] : (current.spaces ?? []);
  const spacesAfter = new Map(
    [...kept, ...(desired.spaces ?? [])].map(([name, space]) => [name, withPlace(space, current.spaces?.get(name))]),
  );
  const { levels: after, empty } = treeOf({ collections: collectionsAfter, spaces: spacesAfter }, before);
  const isCollection = new Set(placedIn(collectionsAfter).keys());
  // Each new object is created at the end of its parent.
  const creationOrder = [...isCollection, ...(desired.spaces ?? new Map()).keys()];
  const isNamed = (name: string) => isCollection.has(name) || (desired.spaces ?? current.spaces)?.has(name) === true;
  for (const [parent, all] of after) {
    const names = all.filter((name) => isNamed(name) && !empty.has(name));
    // The place of a collection that just got its first space is not known, so it is moved in any case.
    const knownBefore = (before.get(parent) ?? []).filter((name) => !emptyBefore.has(name));
    const created = creationOrder.filter((name) => !placeBefore.has(name) && names.includes(name));
    const placesNow = new Map([...knownBefore, ...created].map((name, index) => [name, index]));
    const staying = stayingOf(names, placesNow);
    for (const [index, name] of names.entries()) {
      const old = placeBefore.get(name);
      const from = old ? old.parent : parent;
      if (from === parent && staying.has(name)) continue;
      const previous = names[index - 1];
      // The others are moved later.
      const next = names.slice(index + 1).find((each) => staying.has(each));
      move(draft, { name, parent, from, previous, next, isCollection });
    }
    for (const name of all.filter((each) => empty.has(each))) {
      const old = placeBefore.get(name);
      if (old !== undefined && old.parent !== parent)
        move(draft, { name, parent, from: old.parent, previous: undefined, next: undefined, isCollection });
    }
  }
}

/** The names that can stay while the others are moved into this order. */
function stayingOf(names: readonly string[], places: ReadonlyMap<string, number>): Set<string> {
  const present = names.filter((name) => places.has(name));
  return new Set(longestIncreasingSubsequence(present, (name) => places.get(name)!));
}

const withPlace = (space: SpaceFile, before: SpaceFile | undefined): SpaceFile => ({
  ...space,
  collection: space.collection === undefined ? (before?.collection ?? null) : space.collection,
});

/** @param before the levels whose order is kept where the files have none */
function treeOf(
  { collections: file, spaces: files }: Pick<Organization, 'collections' | 'spaces'>,
  before: Levels = new Map(),
): Tree {
  const levels: Levels = new Map();
  const parents = new Map<string, string | null>();
  const orders = new Map<string | null, readonly string[]>([[null, file?.order ?? []]]);
  for (const [name, { node, parent }] of placedIn(file)) {
    parents.set(name, parent);
    orders.set(name, node.order ?? []);
  }
  for (const [name, { collection }] of files ?? []) parents.set(name, collection ?? null);
  const empty = emptyCollections(parents, orders);
  for (const [parent, order] of orders) {
    const inside = [...parents].filter(([, each]) => each === parent).map(([name]) => name);
    const ordered = order.filter((name) => parents.get(name) === parent);
    const others = new Set(inside.filter((name) => !ordered.includes(name)));
    // New ones follow.
    const present = (before.get(parent) ?? []).filter((name) => others.has(name));
    const names = [...ordered, ...new Set([...present, ...others])];
    levels.set(parent, [...names.filter((name) => !empty.has(name)), ...names.filter((name) => empty.has(name))]);
  }
  return { levels, empty };
}

/** Collections with no space below. They count as last, because the service does not report their places among spaces. */
function emptyCollections(
  parents: ReadonlyMap<string, string | null>,
  orders: ReadonlyMap<string | null, unknown>,
): Set<string | null> {
  const empty = new Set(orders.keys());
  for (const name of parents.keys()) {
    if (orders.has(name)) continue;
    for (let above = parents.get(name); above != null && empty.delete(above);) above = parents.get(above);
  }
  return empty;
}

const placesOf = (levels: Levels) =>
  new Map([...levels].flatMap(([parent, names]) => names.map((name) => [name, { parent }] as const)));

interface Move {
  name: string;
  parent: string | null;
  from: string | null | undefined;
  previous: string | undefined;
  next: string | undefined;
  isCollection: ReadonlySet<string>;
}

function move(draft: Draft, { name, parent, from, previous, isCollection, next }: Move): void {
  const pointer = (neighbour: string) =>
    isCollection.has(neighbour)
      ? { type: 'collection' as const, collection: draft.idOf('collections', neighbour) }
      : { type: 'space' as const, space: draft.idOf('spaces', neighbour) };
  // Items are moved from the first to the last, so the previous one is already in its place.
  const position =
    previous !== undefined ? { after: pointer(previous) } : next !== undefined ? { before: pointer(next) } : {};
  const body = { parent: parent === null ? null : draft.idOf('collections', parent), position };
  const isSpace = !isCollection.has(name);
  const fields =
    from === parent
      ? [{ field: 'order', after: previous === undefined ? 'first' : `after ${previous}` }]
      : [{ field: 'collection', before: from ?? null, after: parent }];
  const file = from === parent || !isSpace ? 'collections.yaml' : `spaces/${name}/space.yaml`;
  const kind = isSpace ? 'space' : 'collection';
  const { baseline } = draft.input;
  const isDrift =
    from === parent
      ? baseline.isUnchanged('collection', parent ?? topLevel, 'order')
      : baseline.isUnchanged(kind, name, isSpace ? 'collection' : 'parent');
  draft.add({ kind, name, action: 'move', fields, file, isDrift }, [
    isSpace
      ? step(spaces.move, { spaceId: draft.idOf('spaces', name) }, { body, phase: 'moves' })
      : step(collections.move, { collectionId: draft.idOf('collections', name) }, { body, phase: 'moves' }),
  ]);
}
