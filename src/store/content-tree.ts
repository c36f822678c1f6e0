import { sql } from 'kysely';
import type { RoleName } from '../contract/access.ts';
import { query, queryFor } from './query.ts';
import { jsonList } from './sql.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

/** Spaces and collections in the order of the tree, read from a place in it onward. */

type Kind = 'space' | 'collection';

/** The columns that the order and levels of a space or collection depend on. */
export interface Placed {
  id: string;
  parent: string | null;
  position: number;
  default_level: RoleName | null;
}

/** Alternating positions and IDs, from the top level down to an item. The contents of a collection come after it. */
export type TreeKey = readonly (number | string)[];

export type InTree<P extends Placed = Placed> = P & { key: TreeKey };

/** A collection and the size of its content at any depth. */
export type CountedCollection = Placed & Pick<Row<'collection'>, 'spaces_below' | 'collections_below'>;

const columns = ['id', 'parent', 'position', 'default_level'] as const;
const counts = ['spaces_below', 'collections_below'] as const;

const above = query<{ ids: string }, CountedCollection>((db, p) =>
  db
    .withRecursive('line', (cte) =>
      cte
        .selectFrom('collection')
        .select([...columns, ...counts])
        .where('id', 'in', jsonList(db, p.ids))
        .union((all) =>
          all
            .selectFrom('collection as c')
            .innerJoin('line', 'line.parent', 'c.id')
            .select(['c.id', 'c.parent', 'c.position', 'c.default_level', 'c.spaces_below', 'c.collections_below']),
        ),
    )
    .selectFrom('line')
    .selectAll(),
);

/** These collections and all above them, by ID. */
export async function collectionsAbove(
  db: Db,
  ids: Iterable<string | null>,
): Promise<ReadonlyMap<string, CountedCollection>> {
  const distinct = [...new Set(ids)].filter((id) => id !== null);
  const rows = distinct.length > 0 ? await above.all(db, { ids: JSON.stringify(distinct) }) : [];
  return new Map(rows.map((row) => [row.id, row]));
}

/** @param collections all above the items; items in other collections count as top level */
export function inTreeOrder<P extends Placed>(
  items: readonly P[],
  collections: ReadonlyMap<string, Placed>,
): InTree<P>[] {
  const keys = new Map<string, TreeKey>();
  const keyOf = (item: Placed): TreeKey => {
    const existing = keys.get(item.id);
    if (existing) return existing;
    const parent = item.parent === null ? undefined : collections.get(item.parent);
    const key = [...(parent ? keyOf(parent) : []), item.position, item.id];
    keys.set(item.id, key);
    return key;
  };
  return items.map((item) => ({ ...item, key: keyOf(item) })).toSorted((a, b) => compareTreeKeys(a.key, b.key));
}

/** Compares two keys. A collection comes before its contents. */
export function compareTreeKeys(a: TreeKey, b: TreeKey): number {
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (part !== other) return part < other ? -1 : 1;
  }
  return a.length - b.length;
}

/** A space or collection and the size of its content, which is 0 for a space. */
export interface Child extends CountedCollection {
  kind: Kind;
}

interface Siblings {
  organization: string;
  parent: string | null;
  afterPosition: number | null;
  afterId: string | null;
  limit: number;
}

interface ChildrenVariant {
  listed: Kind;
  /** At the top level. */
  isTop: boolean;
  isContinued: boolean;
}

/** What a list of spaces or collections visits in one parent. For spaces, collections without any are skipped. */
const children = queryFor<ChildrenVariant, Siblings, Child>(({ listed, isTop, isContinued }, db, p) => {
  const after = isContinued ? sql`and (position, id) > (${p.afterPosition}, ${p.afterId})` : sql``;
  const here = sql`organization = ${p.organization} and ${isTop ? sql`parent is null` : sql`parent = ${p.parent}`} ${after}`;
  const collections = sql`select 'collection' as kind, id, parent, position, default_level, spaces_below, collections_below
    from collection where ${here}`;
  const spaces = sql`select 'space' as kind, id, parent, position, default_level, 0 as spaces_below, 0 as collections_below
    from space where ${here} and deleted_at is null`;
  const branches = listed === 'space' ? [spaces, sql`${collections} and spaces_below > 0`] : [collections];
  return sql<Child>`${db.dialect.firstOf(branches, sql`order by position, id limit ${p.limit}`)}`;
});

const collectionThere = query<{ id: string; organization: string; parent: string | null; position: number }, Child>(
  (_, p) => sql<Child>`select 'collection' as kind, id, parent, position, default_level, spaces_below, collections_below
    from collection where id = ${p.id} and organization = ${p.organization} and parent is not distinct from ${p.parent}
      and position = ${p.position}`,
);

export interface TreeList {
  organization: string;
  listed: Kind;
  /** Whether to list the contents of collections too. */
  nested: boolean;
}

/** Lists the tree from a place onward, and reads little more than it returns. */
export class TreeWalk {
  readonly #db: Db;
  readonly #list: TreeList;
  readonly #limit: number;
  readonly items: InTree[] = [];

  constructor(db: Db, list: TreeList, limit: number) {
    this.#db = db;
    this.#list = list;
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.items.length >= this.#limit;
  }

  /**
   * @param key of the parent
   * @param after the rest of a key, from this parent down; only items after it are listed
   */
  async listBelow(parent: string | null, key: TreeKey = [], after: TreeKey = []): Promise<void> {
    let [position, id] = after;
    // Continues in the collection that the key leads to or through. It may have moved since the key was created.
    if (isNumber(position) && isText(id) && this.#list.nested) {
      const place = { organization: this.#list.organization, parent, position, id };
      const collection = await collectionThere.first(this.#db, place);
      if (collection) await this.listBelow(id, [...key, position, id], after.slice(2));
    }
    while (!this.isFull) {
      const limit = this.#limit - this.items.length;
      const batch = await this.#childrenOf(parent, position, id, limit);
      for (const child of batch) {
        await this.add(child, [...key, child.position, child.id]);
        if (this.isFull) return;
      }
      const last = batch.at(-1);
      if (!last || batch.length < limit) return;
      ({ position, id } = last);
    }
  }

  /** Lists an item, if it is of the listed kind, and its contents. */
  async add({ kind, spaces_below, collections_below, ...item }: Child, key: TreeKey): Promise<void> {
    const { listed, nested } = this.#list;
    if (kind === listed) this.items.push({ ...item, key });
    const below = listed === 'space' ? spaces_below : collections_below;
    if (nested && below > 0 && !this.isFull) await this.listBelow(item.id, key);
  }

  #childrenOf(
    parent: string | null,
    position: number | string | undefined,
    id: number | string | undefined,
    limit: number,
  ): Promise<Child[]> {
    const { organization, listed } = this.#list;
    const isContinued = isNumber(position) && isText(id);
    return children({ listed, isTop: parent === null, isContinued }).all(this.#db, {
      organization,
      parent,
      afterPosition: isContinued ? position : null,
      afterId: isContinued ? id : null,
      limit,
    });
  }
}

const isNumber = (part: number | string | undefined): part is number => typeof part === 'number';
const isText = (part: number | string | undefined): part is string => typeof part === 'string';

const granted = query<{ organization: string; user: string }, Child>(
  (_, p) => sql<Child>`select 'space' as kind, s.id, s.parent, s.position, s.default_level,
      0 as spaces_below, 0 as collections_below
    from content_grant g join space s on s.id = g.space
    where g.organization = ${p.organization} and g.user = ${p.user} and g.level is not null
      and s.organization = ${p.organization} and s.deleted_at is null
    union all
    select 'collection', c.id, c.parent, c.position, c.default_level, c.spaces_below, c.collections_below
    from content_grant g join collection c on c.id = g.collection
    where g.organization = ${p.organization} and g.user = ${p.user} and g.level is not null
      and c.organization = ${p.organization}`,
);

/** The grants of a user, in the order of the tree, without those inside another grant. */
export async function grantedRoots(db: Db, organization: string, user: string): Promise<InTree<Child>[]> {
  const items = await granted.all(db, { organization, user });
  const collections = await collectionsAbove(
    db,
    items.map((item) => item.parent),
  );
  const grantedIds = new Set(items.map((item) => item.id));
  const covered = new Map<string, boolean>();
  const isCovered = (id: string | null): boolean => {
    const collection = id === null ? undefined : collections.get(id);
    if (!collection) return false;
    const isGranted = covered.get(collection.id) ?? (grantedIds.has(collection.id) || isCovered(collection.parent));
    covered.set(collection.id, isGranted);
    return isGranted;
  };
  return inTreeOrder(
    items.filter((item) => !isCovered(item.parent)),
    collections,
  );
}
