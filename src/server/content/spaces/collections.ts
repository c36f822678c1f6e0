import type { RoleName } from '../../../contract/access.ts';
import { collections } from '../../../contract/collections.ts';
import type { AnswerOf } from '../../../contract/endpoint.ts';
import { withoutUndefined } from '../../../shared/without-undefined.ts';
import * as store from '../../../store/collections.ts';
import { spacesIn } from '../../../store/spaces.ts';
import type { Row } from '../../../store/tables.ts';
import { collectionPermissions } from '../../engine/access.ts';
import type { LoadedOrg, Scope } from '../../engine/context.ts';
import { NotFound } from '../../engine/errors.ts';
import { implement } from '../../engine/implement.ts';
import { paged } from '../../engine/paging.ts';
import { levelOn, visibleRows } from '../../organizations/levels.ts';
import { viewerIn } from '../../organizations/viewer.ts';
import { assertVisibleParent, moveContent, permitCreation, permitMove, permitTransfer, transfer } from './placement.ts';
import { presentVisibleSpaces } from './spaces.ts';
import { treeKeyTypes, visibleTree } from './visible-tree.ts';

type Collection = AnswerOf<typeof collections.view>;

/** @param row with the level of the caller */
export const presentCollection = (base: string, row: Row<'collection'> & { level: RoleName }): Collection => ({
  object: 'collection',
  id: row.id,
  title: row.title,
  description: row.description ?? undefined,
  organization: row.organization,
  parent: row.parent ?? undefined,
  defaultLevel: row.default_level,
  urls: { location: `${base}/v1/collections/${row.id}`, app: `${base}/o/${row.organization}/c/${row.id}` },
  permissions: collectionPermissions(row.level),
});

/** Reads the collection and the caller's level again: both may differ after it was moved. */
async function presentById({ db, base, caller }: Omit<Scope, 'now'>, org: LoadedOrg, id: string): Promise<Collection> {
  const row = await store.getCollection(db, id);
  const level = await levelOn(db, viewerIn(org, caller.id), 'collection', row);
  if (level === null) throw new NotFound('collection', id);
  return presentCollection(base, { ...row, level });
}

export const handlers = implement(collections, {
  async list({ db, objects: { org }, query, page, base, caller }) {
    const viewer = viewerIn(org, caller.id);
    const total = query.nested ? org.collections : org.top_collections;
    return paged(page, {
      ...visibleTree(db, viewer, { listed: 'collection', nested: query.nested }, total),
      keyTypes: treeKeyTypes,
      key: (row) => row.key,
      present: async (rowsOfPage) => {
        const rows = await store.collectionsById(
          db,
          rowsOfPage.map((row) => row.id),
        );
        const visible = await visibleRows(db, viewer, 'collection', rows);
        return visible.map((row) => presentCollection(base, row));
      },
    });
  },

  create: {
    permit: permitCreation,
    async handle({ db, objects, caller, body, base, now }) {
      await assertVisibleParent({ db, caller, objects }, body.parent);
      const { id } = await store.createCollection(db, {
        organization: objects.org.id,
        parent: body.parent ?? null,
        title: body.title ?? 'Untitled',
        now,
      });
      return presentById({ db, base, caller }, objects.org, id);
    },
  },

  view: async ({ objects: { collection }, base }) => presentCollection(base, collection),

  async edit({ db, objects: { collection }, body, base }) {
    const { title, description, defaultLevel } = body;
    const change = withoutUndefined({ title, description, default_level: defaultLevel });
    const row = await store.changeCollection(db, collection.id, change);
    return presentCollection(base, { ...row, level: collection.level });
  },

  async delete({ db, objects: { collection } }) {
    await store.dissolveCollection(db, collection);
  },

  // Who sees a collection sees all spaces in it.
  spaces: ({ db, objects: { org, collection }, page, base, caller }) =>
    paged(page, {
      rows: (after, limit) => spacesIn(db, collection, after, limit),
      count: () => collection.spaces,
      keyTypes: ['number', 'string'],
      key: (row) => [row.position, row.id],
      present: (rowsOfPage) => presentVisibleSpaces({ db, base }, viewerIn(org, caller.id), rowsOfPage),
    }),

  move: {
    permit: (asked) => permitMove(asked, asked.objects.collection),
    async handle({ db, objects, caller, body, base }) {
      await moveContent({ db, caller, objects }, { ...objects.collection, table: 'collection' }, body);
      return presentById({ db, base, caller }, objects.org, objects.collection.id);
    },
  },

  transfer: {
    permit: permitTransfer,
    async handle({ db, objects: { collection }, caller, body, base }) {
      const org = await transfer({ db, caller }, { ...collection, table: 'collection' }, body.organization);
      return presentById({ db, base, caller }, org, collection.id);
    },
  },
});
