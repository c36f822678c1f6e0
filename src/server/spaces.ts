import type { AnswerOf } from '../contract/endpoint.ts';
import { atLeast, type RoleName } from '../contract/access.ts';
import { spaces } from '../contract/spaces.ts';
import { findCollection } from '../store/lookups.ts';
import * as store from '../store/spaces.ts';
import type { Db } from '../store/store.ts';
import type { Row } from '../store/tables.ts';
import { spacePermissions } from './access.ts';
import { forbidden } from './access.ts';
import type { Caller, MemberAt, OrgAt, Scope } from './context.ts';
import { Invalid } from './faults.ts';
import { implement } from './implement.ts';
import { levelOn, levelsIn } from './levels.ts';
import { type Key, type Listed, pagedArray, type PageRequest } from './paging.ts';
import { opennessOf } from './publications.ts';
import { roleIn } from './resolve.ts';

type Space = AnswerOf<typeof spaces.view>;

/** Spaces as the caller sees them; `level` is the caller's on each, null where a site shows what the caller may not open. */
export async function presentSpaces(
  { db, base, shareKey }: Pick<Scope, 'db' | 'base'> & { shareKey?: string | undefined },
  rows: (Row<'space'> & { level: RoleName | null })[],
): Promise<Space[]> {
  const openness = await opennessOf(
    { db, base },
    rows.map((row) => row.id),
    shareKey,
  );
  return rows.map((row) => ({
    object: 'space',
    id: row.id,
    title: row.title,
    emoji: row.emoji,
    visibility: openness(row.id).visibility,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(row.deleted_at === null ? {} : { deletedAt: row.deleted_at }),
    editMode: row.edit_mode as Space['editMode'],
    urls: {
      location: `${base}/v1/spaces/${row.id}`,
      app: `${base}/o/${row.organization}/s/${row.id}`,
      ...openness(row.id).urls,
    },
    organization: row.organization,
    ...(row.parent === null ? {} : { parent: row.parent }),
    ...(row.git_sync === null ? {} : { gitSync: JSON.parse(row.git_sync) }),
    ...(row.visitor_auth === null ? {} : { visitorAuth: JSON.parse(row.visitor_auth) }),
    revision: row.revision,
    defaultLevel: row.default_level,
    comments: row.comments,
    changeRequests: row.change_requests,
    changeRequestsOpen: row.change_requests_open,
    changeRequestsDraft: row.change_requests_draft,
    permissions: spacePermissions(row.level),
  }));
}

export const presentSpace = async (
  scope: Parameters<typeof presentSpaces>[0],
  row: Row<'space'> & { level: RoleName },
): Promise<Space> => (await presentSpaces(scope, [row]))[0]!;

export const asking = (org: OrgAt, user: string) => ({ organization: org.id, user, role: roleIn(org) });

interface Ordered extends store.Placed {
  key: Key;
}

/** Spaces in the order of the tree, collections gone through where they stand. */
export function inTreeOrder(spaces: store.Placed[], collections: store.Placed[]): Ordered[] {
  const above = new Map(collections.map((collection) => [collection.id, collection]));
  const keys = new Map<string, Key>();
  const keyOf = (item: store.Placed): Key => {
    const known = keys.get(item.id);
    if (known) return known;
    const parent = item.parent === null ? undefined : above.get(item.parent);
    const key = [...(parent ? keyOf(parent) : []), item.position, item.id];
    keys.set(item.id, key);
    return key;
  };
  return spaces.map((space) => ({ ...space, key: keyOf(space) })).toSorted((a, b) => compare(a.key, b.key));
}

function compare(a: Key, b: Key): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1;
  }
  return a.length - b.length;
}

interface MembersSpaces {
  db: Db;
  base: string;
  caller: Caller;
  org: OrgAt;
  member: MemberAt;
  page: PageRequest;
  order: 'asc' | 'desc';
}

/** What a member can see, with the member's level and the caller's permissions. */
export async function listSpacesOf({
  db,
  base,
  caller,
  org,
  member,
  page,
  order,
}: MembersSpaces): Promise<Listed<{ permission: RoleName; space: Space }>> {
  const theirs = await levelsIn(db, { organization: org.id, user: member.user, role: member.role });
  const mine = await levelsIn(db, asking(org, caller.id));
  const seen = (
    await store.spacesById(
      db,
      (await store.placedSpaces(db, org.id)).filter((row) => theirs('space', row) !== null).map((row) => row.id),
    )
  ).toSorted((a, b) => (a.created_at < b.created_at || (a.created_at === b.created_at && a.id < b.id) ? -1 : 1));
  const sign = order === 'asc' ? 1 : -1;
  if (order === 'desc') seen.reverse();
  return pagedArray(page, seen, {
    // Times as numbers, so that one comparison serves both directions.
    key: (row) => [sign * Date.parse(row.created_at), row.id],
    present: async (rows) => {
      const presented = await presentSpaces(
        { db, base },
        rows.map((row) => ({ ...row, level: mine('space', row) ?? 'read' })),
      );
      return presented.map((space, at) => ({ permission: theirs('space', rows[at]!)!, space }));
    },
  });
}

export const handlers = implement(spaces, {
  async list({ db, at: { org }, query, page, base, caller }) {
    const levels = await levelsIn(db, asking(org, caller.id));
    const rows = query.deleted
      ? (await store.deletedSpaces(db, org.id)).filter((row) => levels('space', row) === 'admin')
      : (await store.placedSpaces(db, org.id)).filter((row) => levels('space', row) !== null);
    return pagedArray(page, inTreeOrder(rows, await store.placedCollections(db, org.id)), {
      key: (row) => row.key,
      present: async (some) => {
        const full = await store.spacesById(
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

  async create({ db, at: { org }, body, base, caller, now }) {
    const parent = await parentFor(db, org, caller.id, body.parent ?? null);
    const row = await store.createSpace(db, {
      organization: org.id,
      parent,
      title: body.title ?? 'Untitled',
      emoji: body.emoji ?? '📄',
      editMode: body.editMode ?? 'live',
      author: caller.id,
      now,
    });
    const level = (await levelOn(db, asking(org, caller.id), 'space', row)) ?? 'read';
    return presentSpace({ db, base }, { ...row, level });
  },

  view: ({ db, at: { space }, query, base }) => presentSpace({ db, base, shareKey: query.shareKey }, space),

  async edit({ db, at: { space }, body, base, now }) {
    const { title, emoji, editMode, defaultLevel } = body;
    const change = {
      ...(title === undefined ? {} : { title }),
      ...(emoji === undefined ? {} : { emoji }),
      ...(editMode === undefined ? {} : { edit_mode: editMode }),
      ...(defaultLevel === undefined ? {} : { default_level: defaultLevel }),
    };
    const row =
      Object.keys(change).length > 0 ? await store.changeSpace(db, space.id, { ...change, updated_at: now }) : space;
    return presentSpace({ db, base }, { ...row, level: space.level });
  },

  async delete({ db, at: { space }, now }) {
    await store.changeSpace(db, space.id, { deleted_at: now });
  },
});

/**
 * Where a new space or collection goes: creating content in the organization, or on the parent, must be allowed.
 *
 * @throws Invalid for a parent that is not there; Forbidden
 */
export async function parentFor(db: Db, org: OrgAt, caller: string, parent: string | null): Promise<string | null> {
  const mayAnywhere = atLeast(org.caller_role, 'create');
  if (parent === null) {
    if (!mayAnywhere) throw forbidden('organization', 'createContent');
    return null;
  }
  const collection = await findCollection(db, parent);
  const level =
    collection?.organization === org.id ? await levelOn(db, asking(org, caller), 'collection', collection) : null;
  if (level === null) throw new Invalid('/parent', `names no collection of this organization that you can see`);
  if (!mayAnywhere && !atLeast(level, 'create')) throw forbidden('collection', 'create');
  return parent;
}
