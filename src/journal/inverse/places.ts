import { isDeepStrictEqual } from 'node:util';
import { collections } from '../../contract/collections.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { sectionGroups } from '../../contract/section-groups.ts';
import { sites } from '../../contract/sites.ts';
import { spaces } from '../../contract/spaces.ts';
import { isObject } from '../../shared/is-object.ts';
import {
  Answers,
  type ChangeCall,
  type Inverse,
  type Params,
  type Reader,
  type State,
  states,
  undoRequest,
  type UndoRequest,
  unknownId,
  unknownPlace,
} from './inverse.ts';
import { isDeleted } from './objects.ts';

interface Item {
  type: 'space' | 'collection';
  id: string;
  parent: string | null;
  /** Whether the service does not list where it is among its siblings. */
  isVague?: boolean;
}

const trees = new Answers<Item[]>();

/** The spaces and collections of an organization; those under the same parent are in their order. */
async function readTree({ client }: Reader, orgId: string): Promise<Item[]> {
  const [spaceList, collectionList] = await Promise.all([
    Array.fromAsync(client.items(spaces.list, { params: { orgId } })),
    Array.fromAsync(client.items(collections.list, { params: { orgId } })),
  ]);
  const above = new Map(collectionList.map(({ id, parent }) => [id, parent ?? null]));
  const items: Item[] = [];
  const placed = new Set<string>();
  const place = (item: Item) => {
    if (placed.has(item.id)) return;
    placed.add(item.id);
    items.push(item);
  };
  const placeCollection = (id: string) => place({ type: 'collection', id, parent: above.get(id) ?? null });
  // In the list of spaces, those of a collection are at the place of the collection.
  for (const { id, parent } of spaceList) {
    for (const collection of pathTo(parent, above)) placeCollection(collection);
    place({ type: 'space', id, parent: parent ?? null });
  }
  // The place of a collection without spaces is only known among collections.
  const known = new Set(items.map(({ parent }) => parent));
  for (const { id, parent = null } of collectionList)
    place({ type: 'collection', id, parent, isVague: known.has(parent) });
  return items;
}

function pathTo(collection: string | undefined, above: ReadonlyMap<string, string | null>): string[] {
  const path: string[] = [];
  for (let id = collection; id != null && !path.includes(id); id = above.get(id) ?? undefined) path.unshift(id);
  return path;
}

const pointerTo = (item: Item | undefined) =>
  item && (item.type === 'space' ? { type: 'space', space: item.id } : { type: 'collection', collection: item.id });

async function placeOf(reader: Reader, params: Params): Promise<State | undefined> {
  const { spaceId, collectionId = '' } = params;
  const { client } = reader;
  const object =
    spaceId === undefined
      ? await client.call(collections.view, { params: { collectionId } })
      : await client.call(spaces.view, { params: { spaceId } });
  if (isDeleted(object)) return undefined;
  const { organization, parent = null, id } = object;
  const tree = await trees.get(reader, organization, () => readTree(reader, organization));
  const level = tree.filter((item) => item.parent === parent);
  if (level.find((item) => item.id === id)?.isVague) return { parent, place: 'unknown' };
  const siblings = level.filter(({ isVague }) => !isVague);
  const index = siblings.findIndex((item) => item.id === id);
  return {
    parent,
    after: pointerTo(siblings[index - 1]) ?? null,
    before: pointerTo(siblings[index + 1]) ?? null,
  };
}

function undoMove({ endpoint, params }: ChangeCall, before: State): UndoRequest[] {
  const { parent, before: next = null, after: previous = null } = before;
  const position = previous === null ? (next === null ? {} : { before: next }) : { after: previous };
  return [undoRequest(endpoint, params, { parent, position })];
}

/** Moves a space or collection back. */
export const placeInTree: Inverse = {
  ...states((reader, { params }) => placeOf(reader, params)),
  undo(change) {
    const { before, after } = change;
    if (!before) return unknownPlace;
    if (!isDeepStrictEqual(before, after)) return undoMove(change, before);
    // The service refuses a move to the same place.
    return isUnknown(before) ? { reason: `it moved among spaces, and ${vaguePlace}` } : [];
  },
  note: ({ before }) => (before && isUnknown(before) ? `it moves to the end: ${vaguePlace}` : undefined),
};

const vaguePlace = 'the service does not list the place of a collection without spaces';
const isUnknown = (place: State) => place['place'] === 'unknown';

type Structure = AnswerOf<typeof sites.structure>;
type ItemType = 'site-space' | 'site-section' | 'site-section-group';

/** The place of an item of a site: in a group or section, and between two others. */
interface Place {
  type: ItemType;
  /** The section group or section that contains it; null for none. */
  in: string | null;
  after: Pointer | null;
  before: Pointer | null;
}
interface Pointer {
  type: ItemType;
  id: string;
}

const structures = new Answers<Structure>();

export function structureOf(reader: Reader, params: Params): Promise<Structure> {
  const { orgId = '', siteId = '' } = params;
  return structures.get(reader, siteId, () => reader.client.call(sites.structure, { params: { orgId, siteId } }));
}

const itemPointer = ({ object, id }: { object: ItemType; id: string }): Pointer => ({ type: object, id });

/** The places of all items of a site by ID. */
function placesIn(structure: Structure): Map<string, Place> {
  const places = new Map<string, Place>();
  const add = (container: string | null, items: readonly { object: ItemType; id: string }[]) => {
    for (const [index, item] of items.entries()) {
      const [previous, next] = [items[index - 1], items[index + 1]];
      places.set(item.id, {
        type: item.object,
        in: container,
        after: previous ? itemPointer(previous) : null,
        before: next ? itemPointer(next) : null,
      });
    }
  };
  add(null, structure.structure);
  if (structure.type === 'siteSpaces') return places;
  for (const item of structure.structure) {
    if (item.object === 'site-section-group') add(item.id, item.sections);
    for (const section of item.object === 'site-section-group' ? item.sections : [item])
      add(section.id, section.siteSpaces);
  }
  return places;
}

/** The items whose places a call changes. */
function itemsOf({ params, body, endpoint }: Pick<ChangeCall, 'params' | 'body' | 'endpoint'>): string[] {
  const { item, sectionId, sections } = body;
  if (isObject(item) && typeof item['id'] === 'string') return [item['id']];
  if (typeof sectionId === 'string') return [sectionId];
  if (Array.isArray(sections)) return sections.filter((id) => typeof id === 'string');
  // If a section is removed from its group, the path contains both.
  const id = endpoint.path.includes('{siteSectionId}') ? params['siteSectionId'] : undefined;
  const moved = id ?? params['siteSpaceId'] ?? params['siteSectionGroupId'];
  return moved === undefined ? [] : [moved];
}

async function itemPlaces(reader: Reader, call: Pick<ChangeCall, 'params' | 'body' | 'endpoint'>): Promise<State> {
  const places = placesIn(await structureOf(reader, call.params));
  return Object.fromEntries(itemsOf(call).map((id) => [id, places.get(id)]));
}

const isPlace = (value: unknown): value is Place => isObject(value) && typeof value['type'] === 'string';

/** The requests that move items back, each after the item that it followed. */
function backToPlaces(params: Params, before: State, after: State): UndoRequest[] {
  const { orgId = '', siteId = '' } = params;
  const site = { orgId, siteId };
  const moved = new Set<string>();
  const requests: UndoRequest[] = [];
  const moveBack = (id: string) => {
    const place = before[id];
    if (moved.has(id) || !isPlace(place)) return;
    moved.add(id);
    if (place.after) moveBack(place.after.id);
    const now = after[id];
    const container = isPlace(now) ? now.in : null;
    const isSection = place.type === 'site-section';
    if (isSection && place.in !== null && place.in !== container)
      requests.push(undoRequest(sectionGroups.add, { ...site, siteSectionGroupId: place.in }, { sectionId: id }));
    if (isSection && place.in === null && container !== null)
      requests.push(undoRequest(sectionGroups.remove, { ...site, siteSectionGroupId: container, siteSectionId: id }));
    const position = place.after ? { after: place.after } : place.before ? { before: place.before } : undefined;
    if (position) requests.push(undoRequest(sites.sort, site, { item: { type: place.type, id }, position }));
  };
  for (const id of Object.keys(before)) moveBack(id);
  return requests;
}

/** Moves items of a site back to their places and section groups. */
export const placeInSite: Inverse = {
  ...states(itemPlaces),
  undo({ params, before, after }) {
    if (!before || !after) return unknownPlace;
    return JSON.stringify(before) === JSON.stringify(after) ? [] : backToPlaces(params, before, after);
  },
};

/** Deletes a section group, and moves its sections back. */
export const createGroup: Inverse = {
  before: itemPlaces,
  async now(reader, change) {
    const { params, id: groupId = '' } = change;
    const places = placesIn(await structureOf(reader, params));
    if (!places.has(groupId)) return undefined;
    const sections = [...places].filter(([, place]) => place.in === groupId).map(([id]) => id);
    return { ...(await itemPlaces(reader, change)), group: sections };
  },
  undo({ params, before, id }) {
    if (id === undefined) return unknownId;
    if (!before) return unknownPlace;
    const { orgId = '', siteId = '' } = params;
    return [
      undoRequest(sectionGroups.delete, { orgId, siteId, siteSectionGroupId: id }),
      ...backToPlaces(params, before, {}),
    ];
  },
};
