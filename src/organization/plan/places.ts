import { collections } from '../../contract/collections.ts';
import { fields as customFields } from '../../contract/custom-fields.ts';
import { spaces } from '../../contract/spaces.ts';
import { longestIncreasingSubsequence } from '../../shared/longest-increasing-subsequence.ts';
import { collectionsIn } from '../files/references.ts';
import type { CollectionNode, CollectionsFile, SpaceFile } from '../files/schemas.ts';
import type { Organization } from '../organization.ts';
import { changedFields, type NewStep, step } from './change.ts';
import type { Draft } from './draft.ts';

interface PlacedCollection {
  node: CollectionNode;
  parent: string | null;
}

const placedIn = (file: CollectionsFile | undefined): Map<string, PlacedCollection> =>
  new Map([...collectionsIn(file?.collections)].map(({ node, parent }) => [node.name, { node, parent }]));

/** collections.yaml: the collections, parents before what is in them. Their places are planned by `planMoves`. */
export function planCollections(draft: Draft): void {
  const { desired, current, orgId } = draft.input;
  if (!desired.collections) return;
  const file = 'collections.yaml';
  const present = placedIn(current.collections);
  for (const [name, { node, parent }] of placedIn(desired.collections)) {
    const before = present.get(name)?.node;
    present.delete(name);
    const { title, description, defaultLevel } = node;
    const fields = changedFields(before && { ...before }, { title, description, defaultLevel });
    if (before && fields.length === 0) continue;
    const steps: NewStep[] = [];
    if (!before) {
      const body = { title: title ?? name, ...(parent !== null && { parent: draft.idOf('collections', parent) }) };
      steps.push(
        step(collections.create, { orgId }, { body, makes: { [`collection/${name}`]: 'id' }, phase: 'collections' }),
      );
    }
    const changed = new Set(fields.map(({ field }) => field));
    const body = {
      ...(before && changed.has('title') && { title }),
      ...(changed.has('description') && { description }),
      ...(changed.has('defaultLevel') && { defaultLevel }),
    };
    const params = { collectionId: draft.idOf('collections', name) };
    if (Object.keys(body).length > 0) steps.push(step(collections.edit, params, { body, phase: 'collectionSettings' }));
    draft.add({ kind: 'collection', name, action: before ? 'update' : 'create', fields, file }, steps);
  }
  // What is deleted first is in what is deleted later.
  for (const name of [...present.keys()].toReversed())
    draft.remove(
      { kind: 'collection', name, file },
      step(collections.delete, { collectionId: draft.idOf('collections', name) }, { phase: 'deleteCollections' }),
    );
}

const settings = ['title', 'emoji', 'editMode', 'defaultLevel'] as const;

/** spaces/<name>/space.yaml, without the content. */
export function planSpaces(draft: Draft): void {
  const { desired, current } = draft.input;
  if (!desired.spaces) return;
  const present = new Map(current.spaces);
  for (const [name, space] of desired.spaces) {
    planSpace(draft, name, space, present.get(name));
    present.delete(name);
  }
  for (const name of present.keys()) {
    if (draft.input.contents?.has(name)) continue;
    draft.remove(
      { kind: 'space', name, file: `spaces/${name}/space.yaml` },
      step(spaces.delete, { spaceId: draft.idOf('spaces', name) }, { phase: 'deleteSpaces' }),
    );
  }
}

function planSpace(draft: Draft, name: string, space: SpaceFile, before: SpaceFile | undefined): void {
  const { orgId } = draft.input;
  const file = `spaces/${name}/space.yaml`;
  const { customFields: values = {}, collection, visibility, ...wanted } = space;
  // The files of others may have changed it: that of the space says what it was.
  const isStale = draft.input.unchanged.has(file);
  if (before && visibility !== undefined && visibility !== before.visibility && !isStale)
    draft.refuse(
      file,
      ['visibility'],
      `the visibility follows from the sites that the space is in; it is ${before.visibility}`,
    );
  const changedValues = changedFields(before?.customFields ?? {}, values);
  const fields = [
    ...changedFields(before && { ...before }, wanted),
    ...changedValues.map(({ field, ...each }) => ({ ...each, field: `customFields.${field}` })),
  ];
  if (before && fields.length === 0) return;
  const steps: NewStep[] = [];
  const changed = new Set(fields.map(({ field }) => field));
  if (!before) {
    const { title = name, emoji, editMode } = wanted;
    const parent = collection == null ? {} : { parent: draft.idOf('collections', collection) };
    const body = { title, emoji, editMode, ...parent };
    steps.push(step(spaces.create, { orgId }, { body, makes: { [`space/${name}`]: 'id' }, phase: 'spaces' }));
  }
  const params = { spaceId: draft.idOf('spaces', name) };
  const sent = settings.filter((field) => changed.has(field) && (before || field === 'defaultLevel'));
  if (sent.length > 0) {
    const body = Object.fromEntries(sent.map((field) => [field, wanted[field]]));
    steps.push(step(spaces.edit, params, { body, phase: 'spaceSettings' }));
  }
  if (changedValues.length > 0) {
    const body = {
      values: Object.fromEntries(changedValues.map(({ field }) => [field, { value: values[field] ?? null }])),
    };
    steps.push(step(customFields.setValues, params, { body, phase: 'spaceSettings' }));
  }
  draft.add({ kind: 'space', name, action: before ? 'update' : 'create', fields, file }, steps);
}

/** One level of the tree: names of collections and spaces in their order, by the name of their parent. */
type Levels = Map<string | null, string[]>;
interface Tree {
  levels: Levels;
  /** Collections without spaces below. */
  empty: Set<string | null>;
}

/**
 * Puts collections and spaces where the files say, with as few moves as there can be. What the files do not name stays
 * where it is, and so do collections without spaces below: the service does not tell where these stand.
 */
export function planMoves(draft: Draft): void {
  const { desired, current, prune } = draft.input;
  if (!desired.collections && !desired.spaces) return;
  const { levels: before, empty: emptyBefore } = treeOf(current);
  const placeBefore = placesOf(before);
  const collectionsAfter = desired.collections ?? current.collections;
  const kept = prune && desired.spaces ? [] : (current.spaces ?? []);
  const { levels: after, empty } = treeOf({
    collections: collectionsAfter,
    spaces: new Map(
      [...kept, ...(desired.spaces ?? [])].map(([name, space]) => [name, withPlace(space, current.spaces?.get(name))]),
    ),
  });
  const isCollection = new Set(placedIn(collectionsAfter).keys());
  // Each new object is created at the end of its parent.
  const creationOrder = [...isCollection, ...(desired.spaces ?? new Map()).keys()];
  const isNamed = (name: string) => isCollection.has(name) || (desired.spaces ?? current.spaces)?.has(name) === true;
  for (const [parent, all] of after) {
    const names = all.filter((name) => isNamed(name) && !empty.has(name));
    // Where a collection stands that has its first space now is not known: it is put into its place.
    const knownBefore = (before.get(parent) ?? []).filter((name) => !emptyBefore.has(name));
    const created = creationOrder.filter((name) => !placeBefore.has(name) && names.includes(name));
    const there = new Map([...knownBefore, ...created].map((name, index) => [name, index]));
    const staying = stayingOf(names, there);
    for (const [index, name] of names.entries()) {
      const old = placeBefore.get(name);
      const from = old ? old.parent : parent;
      if (from === parent && staying.has(name)) continue;
      const previous = names[index - 1];
      // What does not stay is placed later.
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

/** Those of the names that need no move to come into this order. */
function stayingOf(names: readonly string[], places: ReadonlyMap<string, number>): Set<string> {
  const present = names.filter((name) => places.has(name));
  return new Set(longestIncreasingSubsequence(present, (name) => places.get(name) ?? 0));
}

const withPlace = (space: SpaceFile, before: SpaceFile | undefined): SpaceFile => ({
  ...space,
  collection: space.collection === undefined ? (before?.collection ?? null) : space.collection,
});

function treeOf({ collections: file, spaces: files }: Pick<Organization, 'collections' | 'spaces'>): Tree {
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
    const names = [...ordered, ...inside.filter((name) => !ordered.includes(name))];
    levels.set(parent, [...names.filter((name) => !empty.has(name)), ...names.filter((name) => empty.has(name))]);
  }
  return { levels, empty };
}

/** Collections with no space below: the service does not tell where among the spaces they stand, so they count as last. */
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
  // Items are placed from the first to the last, so the previous one is where it belongs.
  const position =
    previous !== undefined ? { after: pointer(previous) } : next !== undefined ? { before: pointer(next) } : {};
  const body = { parent: parent === null ? null : draft.idOf('collections', parent), position };
  const isSpace = !isCollection.has(name);
  const fields =
    from === parent
      ? [{ field: 'order', after: previous === undefined ? 'first' : `after ${previous}` }]
      : [{ field: 'collection', before: from ?? null, after: parent }];
  const file = from === parent || !isSpace ? 'collections.yaml' : `spaces/${name}/space.yaml`;
  draft.add({ kind: isSpace ? 'space' : 'collection', name, action: 'move', fields, file }, [
    isSpace
      ? step(spaces.move, { spaceId: draft.idOf('spaces', name) }, { body, phase: 'moves' })
      : step(collections.move, { collectionId: draft.idOf('collections', name) }, { body, phase: 'moves' }),
  ]);
}
