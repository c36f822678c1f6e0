import { collections } from '../../contract/collections.ts';
import { fields } from '../../contract/custom-fields.ts';
import type { ItemOf } from '../../contract/endpoint.ts';
import type { spaces } from '../../contract/spaces.ts';
import type { CollectionNode, CollectionsFile, SpaceFile } from '../files/schemas.ts';
import { compareTexts, type Reading, readEach, sortedByName } from './reading.ts';

export type Collection = ItemOf<typeof collections.list>;
export type Space = ItemOf<typeof spaces.list>;

/** collections.yaml. @param orders names by the collection they are in, "" being the top level */
export function collectionsFile(
  { names }: Reading,
  list: readonly Collection[],
  orders: ReadonlyMap<string, string[]>,
): CollectionsFile {
  const children = Map.groupBy(list, ({ parent }) => parent ?? '');
  const nodesIn = (parent: string): CollectionNode[] =>
    (children.get(parent) ?? []).map(({ id, title, description, defaultLevel }) => ({
      name: names.nameOf('collections', id),
      title,
      description: description ?? '',
      defaultLevel,
      order: orders.get(id) ?? [],
      collections: nodesIn(id),
    }));
  return { order: orders.get('') ?? [], collections: nodesIn('') };
}

/**
 * The order of spaces and collections under each parent: the list of spaces has those of a collection where the collection
 * stands among its siblings.
 */
export function ordersOf(
  { names }: Reading,
  collectionList: readonly Collection[],
  spaceList: readonly Space[],
): Map<string, string[]> {
  const above = new Map(collectionList.map(({ id, parent }) => [id, parent ?? '']));
  const orders = new Map<string, string[]>();
  const placed = new Set<string>();
  const place = (parent: string, name: string) => {
    const order = orders.get(parent) ?? [];
    orders.set(parent, order);
    if (placed.has(`${parent}/${name}`)) return;
    placed.add(`${parent}/${name}`);
    order.push(name);
  };
  for (const { id, parent } of spaceList) {
    for (const collection of pathTo(parent, above))
      place(above.get(collection) ?? '', names.nameOf('collections', collection));
    place(parent ?? '', names.nameOf('spaces', id));
  }
  for (const { id, parent } of collectionList) place(parent ?? '', names.nameOf('collections', id));
  return orders;
}

/** The collections from the top level down to one. */
function pathTo(collection: string | undefined, above: ReadonlyMap<string, string>): string[] {
  const path: string[] = [];
  for (let id = collection; id !== undefined && id !== '' && !path.includes(id); id = above.get(id)) path.unshift(id);
  return path;
}

/** spaces/<name>/space.yaml. @param hasFields whether the organization has custom fields */
export async function readSpaces(
  reading: Reading,
  list: readonly Space[],
  hasFields: boolean,
): Promise<Map<string, SpaceFile>> {
  const { client, names } = reading;
  const files = await readEach(reading, 'spaces', list, async (space) => {
    const { id, title, emoji, visibility, editMode, defaultLevel, parent } = space;
    const values = hasFields ? await client.call(fields.viewValues, { params: { spaceId: id } }) : [];
    const customFields = values
      .flatMap(({ customField, value }) => (value === undefined ? [] : [[customField.name, value] as const]))
      .toSorted(([one], [other]) => compareTexts(one, other));
    return [
      names.nameOf('spaces', id),
      {
        title,
        emoji,
        editMode: editMode ?? 'live',
        defaultLevel,
        visibility,
        collection: parent === undefined ? null : (names.find('collections', parent) ?? null),
        customFields: Object.fromEntries(customFields),
      },
    ] as const;
  });
  return sortedByName(files);
}
