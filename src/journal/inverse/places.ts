import { collections } from '../../contract/collections.ts';
import { spaces } from '../../contract/spaces.ts';
import {
  Answers,
  type ChangeCall,
  type Inverse,
  type Params,
  type Reader,
  type State,
  type UndoRequest,
  undoRequest,
  unlessMissing,
} from './inverse.ts';

interface Item {
  type: 'space' | 'collection';
  id: string;
  parent: string | null;
}

/** The spaces and collections of an organization under each parent, in their order. */
type Levels = Map<string | null, Item[]>;

const trees = new Answers<Levels>();

async function readLevels({ client }: Reader, orgId: string): Promise<Levels> {
  const [spaceList, collectionList] = await Promise.all([
    Array.fromAsync(client.items(spaces.list, { params: { orgId } })),
    Array.fromAsync(client.items(collections.list, { params: { orgId } })),
  ]);
  const above = new Map(collectionList.map(({ id, parent }) => [id, parent ?? null]));
  const levels: Levels = new Map();
  const placed = new Set<string>();
  const place = (item: Item) => {
    if (placed.has(item.id)) return;
    placed.add(item.id);
    levels.set(item.parent, [...(levels.get(item.parent) ?? []), item]);
  };
  const placeCollection = (id: string) => place({ type: 'collection', id, parent: above.get(id) ?? null });
  // The list of spaces has those of a collection where the collection stands among its siblings.
  for (const { id, parent } of spaceList) {
    for (const collection of pathTo(parent, above)) placeCollection(collection);
    place({ type: 'space', id, parent: parent ?? null });
  }
  // The place of one without spaces is known among collections only.
  for (const { id } of collectionList) placeCollection(id);
  return levels;
}

function pathTo(collection: string | undefined, above: ReadonlyMap<string, string | null>): string[] {
  const path: string[] = [];
  for (let id = collection; id != null && !path.includes(id); id = above.get(id) ?? undefined) path.unshift(id);
  return path;
}

const pointerTo = (item: Item | undefined) =>
  item && (item.type === 'space' ? { type: 'space', space: item.id } : { type: 'collection', collection: item.id });

async function placeOf(reader: Reader, params: Params): Promise<State | undefined> {
  const { spaceId, collectionId } = params;
  const { client } = reader;
  const object =
    spaceId === undefined
      ? await unlessMissing(client.call(collections.view, { params: { collectionId: collectionId ?? '' } }))
      : await unlessMissing(client.call(spaces.view, { params: { spaceId } }));
  if (!object) return undefined;
  const { organization, parent = null, id } = object;
  const levels = await trees.get(reader, organization, () => readLevels(reader, organization));
  const siblings = levels.get(parent) ?? [];
  const index = siblings.findIndex((item) => item.id === id);
  return {
    parent,
    after: pointerTo(siblings[index - 1]) ?? null,
    before: pointerTo(siblings[index + 1]) ?? null,
  };
}

function undoMove({ endpoint, params }: ChangeCall, before: State | undefined): UndoRequest[] {
  if (!before) return [];
  const { parent, before: next, after: previous } = before;
  const position = previous === null ? (next === null ? {} : { before: next }) : { after: previous };
  return [undoRequest(endpoint, params, { parent, position })];
}

/** A space or collection goes back to its place. */
export const placeInTree: Inverse = {
  before: (reader, { params }) => placeOf(reader, params),
  now: (reader, { params }) => placeOf(reader, params),
  undo: (change) => (change.before ? undoMove(change, change.before) : { reason: 'where it was before is not known' }),
};
