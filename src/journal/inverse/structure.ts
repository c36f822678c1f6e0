import type { AnswerOf } from '../../contract/endpoint.ts';
import { sectionGroups } from '../../contract/section-groups.ts';
import { sites } from '../../contract/sites.ts';
import { isObject } from '../../shared/is-object.ts';
import {
  Answers,
  type ChangeCall,
  type Inverse,
  type Params,
  type Reader,
  type State,
  type Undo,
  type UndoRequest,
  undoRequest,
} from './inverse.ts';

type Structure = AnswerOf<typeof sites.structure>;
type ItemType = 'site-space' | 'site-section' | 'site-section-group';

/** Where an item of a site stands: in a group or section, and between two others. */
interface Place {
  type: ItemType;
  /** The section group or section that it is in; null for none. */
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

const pointerTo = ({ object, id }: { object: ItemType; id: string }): Pointer => ({ type: object, id });

/** All items of a site by id, with their places. */
function placesIn(structure: Structure): Map<string, Place> {
  const places = new Map<string, Place>();
  const add = (container: string | null, items: readonly { object: ItemType; id: string }[]) => {
    for (const [index, item] of items.entries()) {
      const [previous, next] = [items[index - 1], items[index + 1]];
      places.set(item.id, {
        type: item.object,
        in: container,
        after: previous ? pointerTo(previous) : null,
        before: next ? pointerTo(next) : null,
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
  // A section is taken out of the group that the path names too.
  const id = endpoint.path.includes('{siteSectionId}') ? params['siteSectionId'] : undefined;
  const moved = id ?? params['siteSpaceId'] ?? params['siteSectionGroupId'];
  return moved === undefined ? [] : [moved];
}

async function placesOf(reader: Reader, call: Pick<ChangeCall, 'params' | 'body' | 'endpoint'>): Promise<State> {
  const places = placesIn(await structureOf(reader, call.params));
  return Object.fromEntries(itemsOf(call).map((id) => [id, places.get(id) ?? null]));
}

const isPlace = (value: unknown): value is Place => isObject(value) && typeof value['type'] === 'string';

/** The requests that bring items back to their places: each after the one that it followed. */
function backToPlaces(params: Params, before: State, after: State): UndoRequest[] {
  const { orgId = '', siteId = '' } = params;
  const site = { orgId, siteId };
  const pending = new Map(Object.entries(before).filter(([, place]) => isPlace(place)));
  const requests: UndoRequest[] = [];
  while (pending.size > 0) {
    const [id, place] =
      [...pending].find(([, each]) => isPlace(each) && !pending.has(each.after?.id ?? '')) ?? [...pending][0] ?? [];
    if (id === undefined || !isPlace(place)) break;
    pending.delete(id);
    const now = after[id];
    const container = isPlace(now) ? now.in : null;
    if (place.type === 'site-section' && container !== place.in) {
      if (place.in !== null)
        requests.push(undoRequest(sectionGroups.add, { ...site, siteSectionGroupId: place.in }, { sectionId: id }));
      else if (container !== null)
        requests.push(undoRequest(sectionGroups.remove, { ...site, siteSectionGroupId: container, siteSectionId: id }));
    }
    const position = place.after ? { after: place.after } : place.before ? { before: place.before } : undefined;
    if (position) requests.push(undoRequest(sites.sort, site, { item: { type: place.type, id }, position }));
  }
  return requests;
}

function undoPlaces(params: Params, before: State | undefined, after: State | undefined): Undo {
  if (!before || !after) return { reason: 'where it was before is not known' };
  return JSON.stringify(before) === JSON.stringify(after) ? [] : backToPlaces(params, before, after);
}

/** Items of a site go back to their places, and to their section groups. */
export const placeInSite: Inverse = {
  before: placesOf,
  now: placesOf,
  undo: ({ params, before, after }) => undoPlaces(params, before, after),
};

/** A section group is deleted, and its sections go back to where they were. */
export const createGroup: Inverse = {
  before: placesOf,
  async now(reader, change) {
    const places = placesIn(await structureOf(reader, change.params));
    if (change.id === undefined || !places.has(change.id)) return undefined;
    const sections = [...places].filter(([, place]) => place.in === change.id).map(([id]) => id);
    return { ...(await placesOf(reader, change)), group: sections };
  },
  undo({ params, before = {}, id }) {
    if (id === undefined) return { reason: 'the id of what it made is not known' };
    const { orgId = '', siteId = '' } = params;
    return [
      undoRequest(sectionGroups.delete, { orgId, siteId, siteSectionGroupId: id }),
      ...backToPlaces(params, before, {}),
    ];
  },
};
