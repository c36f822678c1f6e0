import type { CollectionNode, CollectionsFile, SpaceFile } from '../files/schemas.ts';
import type { Collection, readFieldValues, Space } from './read-service.ts';
import { compareTexts, type Naming, sortedByName } from './reading.ts';

/** collections.yaml */
export function collectionsFile(
  { names }: Naming,
  list: readonly Collection[],
  spaceList: readonly Space[],
): CollectionsFile {
  const orders = ordersOf(list, spaceList);
  const orderIn = (parent: string) => (orders.get(parent) ?? []).map(({ kind, id }) => names.nameOf(kind, id));
  const children = Map.groupBy(list, ({ parent }) => parent ?? '');
  const nodesIn = (parent: string): CollectionNode[] =>
    (children.get(parent) ?? []).map(({ id, title, description, defaultLevel }) => ({
      name: names.nameOf('collections', id),
      title,
      description: description ?? '',
      defaultLevel,
      order: orderIn(id),
      collections: nodesIn(id),
    }));
  return { order: orderIn(''), collections: nodesIn('') };
}

interface Placed {
  kind: 'collections' | 'spaces';
  id: string;
}

/**
 * The order of spaces and collections under each parent, "" being the top level: the list of spaces has those of a
 * collection where the collection is among its siblings.
 */
export function ordersOf(
  collectionList: readonly Pick<Collection, 'id' | 'parent'>[],
  spaceList: readonly Pick<Space, 'id' | 'parent'>[],
): Map<string, Placed[]> {
  const above = new Map(collectionList.map(({ id, parent }) => [id, parent ?? '']));
  const orders = new Map<string, Placed[]>();
  const placed = new Set<string>();
  const place = (parent: string, kind: Placed['kind'], id: string) => {
    if (placed.has(`${kind}/${id}`)) return;
    placed.add(`${kind}/${id}`);
    const order = orders.get(parent) ?? [];
    orders.set(parent, order);
    order.push({ kind, id });
  };
  for (const { id, parent } of spaceList) {
    for (const collection of pathTo(parent, above)) place(above.get(collection) ?? '', 'collections', collection);
    place(parent ?? '', 'spaces', id);
  }
  for (const { id, parent } of collectionList) place(parent ?? '', 'collections', id);
  return orders;
}

/** The collections from the top level down to one. */
function pathTo(collection: string | undefined, above: ReadonlyMap<string, string>): string[] {
  const path: string[] = [];
  for (let id = collection; id !== undefined && id !== '' && !path.includes(id); id = above.get(id)) path.unshift(id);
  return path;
}

/** spaces/<name>/space.yaml */
export function spaceFiles(
  { names }: Naming,
  list: readonly Space[],
  fieldValues: Awaited<ReturnType<typeof readFieldValues>>,
): Map<string, SpaceFile> {
  const files = list.map(({ id, title, emoji, visibility, editMode, defaultLevel, parent }) => {
    const values = (fieldValues.get(id) ?? []).map(({ name, value }) => [name, value] as const);
    return [
      names.nameOf('spaces', id),
      {
        title,
        emoji,
        editMode: editMode ?? 'live',
        defaultLevel,
        visibility,
        collection: parent === undefined ? null : (names.find('collections', parent) ?? null),
        customFields: Object.fromEntries(values.toSorted(([one], [other]) => compareTexts(one, other))),
      },
    ] as const;
  });
  return sortedByName(files);
}
