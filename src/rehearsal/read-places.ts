import { collections } from '../contract/collections.ts';
import { fields } from '../contract/custom-fields.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import type { orgs } from '../contract/orgs.ts';
import { spaces } from '../contract/spaces.ts';
import { getFrom } from '../shared/get-from.ts';
import { type Collection, ordersOf, type Space } from '../organization/service/content.ts';
import { readEach } from '../organization/service/reading.ts';
import { writeCollections, writeFieldValues, writeSpace } from './twin/places.ts';
import { readable, type TwinReading } from './reading.ts';

export interface CopiedPlaces {
  spaces: Space[];
  collections: Collection[];
}

/** Collections, and spaces without their content. @param fieldIds ids of custom fields by their names */
export async function copyPlaces(
  reading: TwinReading,
  org: AnswerOf<typeof orgs.view>,
  fieldIds: ReadonlyMap<string, string>,
): Promise<CopiedPlaces> {
  const { client, orgId, twin, leftOut } = reading;
  const params = { orgId };
  const listed = await Array.fromAsync(client.items(collections.list, { params }));
  const visible = new Set(listed.map(({ id }) => id));
  // What is in a collection that the caller cannot see stands on the top level of the twin.
  const place = <Item extends { parent?: string | undefined }>({ parent, ...item }: Item) => {
    if (parent !== undefined && !visible.has(parent)) leftOut.refuse('collection above a space');
    return { ...item, ...(parent !== undefined && visible.has(parent) && { parent }) };
  };
  const collectionList: Collection[] = listed.map(place);
  const spaceList: Space[] = (await Array.fromAsync(client.items(spaces.list, { params }))).map(place);
  const deleted = await readable(
    reading,
    'list of deleted spaces',
    () => Array.fromAsync(client.items(spaces.list, { params, query: { deleted: true } })),
    [],
  );
  leftOut.hide('deleted spaces that could be restored', deleted.length);
  const placeOf = placesIn(reading, collectionList, spaceList);
  await twin.write(async (db) => {
    await writeCollections(db, collectionList, placeOf, org.createdAt);
    for (const space of spaceList)
      await writeSpace(db, space, { place: placeOf(space.id), parent: space.parent ?? null });
  });
  if (fieldIds.size > 0) await copyFieldValues(reading, spaceList, fieldIds);
  return { spaces: spaceList, collections: collectionList };
}

function placesIn(reading: TwinReading, collectionList: readonly Collection[], spaceList: readonly Space[]) {
  const { names } = reading;
  const byId = <Item extends { id: string }>(list: readonly Item[]) => list.map(({ id }) => ({ id, title: id }));
  names.nameTogether(['collections', byId(collectionList)], ['spaces', byId(spaceList)]);
  const ids = new Map([...names.ids.collections, ...names.ids.spaces]);
  const places = new Map<string, number>();
  for (const order of ordersOf(reading, collectionList, spaceList).values())
    for (const [index, name] of order.entries()) places.set(getFrom(ids, name), index);
  return (id: string) => getFrom(places, id);
}

async function copyFieldValues(
  reading: TwinReading,
  list: readonly Space[],
  fieldIds: ReadonlyMap<string, string>,
): Promise<void> {
  const { client, twin } = reading;
  await readEach(reading, 'custom fields of spaces', list, async ({ id }) => {
    const all = () => client.call(fields.viewValues, { params: { spaceId: id } });
    const values = (await readable(reading, 'custom fields of a space', all, [])).flatMap(({ customField, value }) => {
      const field = fieldIds.get(customField.name);
      return value === undefined || field === undefined ? [] : [{ field, value }];
    });
    if (values.length > 0) await twin.write((db) => writeFieldValues(db, id, values));
  });
}
