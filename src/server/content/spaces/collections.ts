import type { RoleName } from '../../../contract/access.ts';
import { collections } from '../../../contract/collections.ts';
import type { AnswerOf } from '../../../contract/endpoint.ts';
import * as store from '../../../store/collections.ts';
import { placedCollections, spacesById, spacesIn } from '../../../store/spaces.ts';
import type { Row } from '../../../store/tables.ts';
import { collectionPermissions } from '../../engine/access.ts';
import {
  asking,
  moveContent,
  permitCreation,
  permitMove,
  permitTransfer,
  assertVisibleParent,
  transfer,
} from './placement.ts';
import type { OrgAt, Scope } from '../../engine/context.ts';
import { implement } from '../../engine/implement.ts';
import { levelOn, levelsIn } from '../../organizations/levels.ts';
import { optional } from '../../organizations/orgs.ts';
import { pagedArray } from '../../engine/paging.ts';
import { inTreeOrder, presentSpaces } from './spaces.ts';

type Collection = AnswerOf<typeof collections.view>;

/** A collection as the caller sees it; `level` is the caller's on it. */
export const presentCollection = (base: string, row: Row<'collection'> & { level: RoleName }): Collection => ({
  object: 'collection',
  id: row.id,
  title: row.title,
  ...optional('description', row.description),
  organization: row.organization,
  ...optional('parent', row.parent),
  defaultLevel: row.default_level,
  urls: {
    location: `${base}/v1/collections/${row.id}`,
    app: `${base}/o/${row.organization}/c/${row.id}`,
  },
  permissions: collectionPermissions(row.level),
});

/** The collection after a change of its place, where the caller's level may be another. */
async function presentAgain({ db, base, caller }: Omit<Scope, 'now'>, org: OrgAt, id: string): Promise<Collection> {
  const row = await store.getCollection(db, id);
  return presentCollection(base, { ...row, level: (await levelOn(db, asking(org, caller.id), 'collection', row))! });
}

export const handlers = implement(collections, {
  async list({ db, at: { org }, query, page, base, caller }) {
    const levels = await levelsIn(db, asking(org, caller.id));
    const all = await placedCollections(db, org.id);
    const seen = all.filter((row) => (query.nested || row.parent === null) && levels('collection', row) !== null);
    return pagedArray(page, inTreeOrder(seen, all), {
      keyTypes: [['number', 'string']],
      key: (row) => row.key,
      present: async (some) => {
        const full = await store.collectionsById(
          db,
          some.map((row) => row.id),
        );
        return full.map((row) => presentCollection(base, { ...row, level: levels('collection', row)! }));
      },
    });
  },

  create: {
    permit: permitCreation,
    async handle({ db, at, caller, body, base, now }) {
      await assertVisibleParent({ db, caller, at }, body.parent);
      const { id } = await store.createCollection(db, {
        organization: at.org.id,
        parent: body.parent ?? null,
        title: body.title ?? 'Untitled',
        now,
      });
      return presentAgain({ db, base, caller }, at.org, id);
    },
  },

  view: async ({ at: { collection }, base }) => presentCollection(base, collection),

  async edit({ db, at: { collection }, body, base }) {
    const row = await store.changeCollection(db, collection.id, {
      ...optional('title', body.title),
      ...optional('description', body.description),
      ...(body.defaultLevel === undefined ? {} : { default_level: body.defaultLevel }),
    });
    return presentCollection(base, { ...row, level: collection.level });
  },

  async delete({ db, at: { collection } }) {
    await store.dissolveCollection(db, collection);
  },

  async spaces({ db, at: { org, collection }, page, base, caller }) {
    const levels = await levelsIn(db, asking(org, caller.id));
    const rows = (await spacesIn(db, collection.id)).filter((row) => levels('space', row) !== null);
    return pagedArray(page, rows, {
      keyTypes: ['number', 'string'],
      key: (row) => [row.position, row.id],
      present: async (some) => {
        const full = await spacesById(
          db,
          some.map((row) => row.id),
        );
        return presentSpaces(
          { db, base },
          full.map((row) => ({ ...row, level: levels('space', row)! })),
        );
      },
    });
  },

  move: {
    permit: (asked) => permitMove(asked, asked.at.collection),
    async handle({ db, at, caller, body, base }) {
      await moveContent({ db, caller, at }, { ...at.collection, table: 'collection' }, body);
      return presentAgain({ db, base, caller }, at.org, at.collection.id);
    },
  },

  transfer: {
    permit: permitTransfer,
    async handle({ db, at: { collection }, caller, body, base }) {
      const org = await transfer({ db, caller }, { ...collection, table: 'collection' }, body.organization);
      return presentAgain({ db, base, caller }, org, collection.id);
    },
  },
});
