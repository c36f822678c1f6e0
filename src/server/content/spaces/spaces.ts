import type { AnswerOf } from '../../../contract/endpoint.ts';
import type { RoleName } from '../../../contract/access.ts';
import { spaces } from '../../../contract/spaces.ts';
import { retainedSince } from '../../../store/retention.ts';
import * as store from '../../../store/spaces.ts';
import type { Db } from '../../../store/store.ts';
import type { Row } from '../../../store/tables.ts';
import { spacePermissions } from '../../engine/access.ts';
import {
  asking,
  moveContent,
  permitCreation,
  permitMove,
  permitTransfer,
  permitUnder,
  assertVisibleParent,
  transfer,
} from './placement.ts';
import type { Caller, MemberAt, OrgAt, Scope } from '../../engine/context.ts';
import { Conflict } from '../../engine/errors.ts';
import { implement } from '../../engine/implement.ts';
import { levelOn, levelsIn } from '../../organizations/levels.ts';
import { optional } from '../../organizations/orgs.ts';
import { compareKeys, type Key, type Listed, pagedArray, type PageRequest } from '../../engine/paging.ts';
import { publicationState } from '../../sites/publications.ts';

export { asking };

type Space = AnswerOf<typeof spaces.view>;

/** Spaces as the caller sees them; `level` is the caller's on each, null where a site shows what the caller may not open. */
export async function presentSpaces(
  { db, base, shareKey }: Pick<Scope, 'db' | 'base'> & { shareKey?: string | undefined },
  rows: (Row<'space'> & { level: RoleName | null })[],
): Promise<Space[]> {
  const openness = await publicationState(
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
    ...optional('deletedAt', row.deleted_at),
    editMode: row.edit_mode as Space['editMode'],
    urls: {
      location: `${base}/v1/spaces/${row.id}`,
      app: `${base}/o/${row.organization}/s/${row.id}`,
      ...openness(row.id).urls,
    },
    organization: row.organization,
    ...optional('parent', row.parent),
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

/** The space after a change of its place, where the caller's level may be another. */
async function presentAgain(scope: Pick<Scope, 'db' | 'base' | 'caller'>, org: OrgAt, id: string): Promise<Space> {
  const row = await store.getSpace(scope.db, id);
  const level = await levelOn(scope.db, asking(org, scope.caller.id), 'space', row);
  return presentSpace(scope, { ...row, level: level! });
}

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
  const rows = await store.spacesById(
    db,
    (await store.placedSpaces(db, org.id)).filter((row) => theirs('space', row) !== null).map((row) => row.id),
  );
  // Times as numbers, so that one comparison serves both directions.
  const sign = order === 'asc' ? 1 : -1;
  const key = (row: Row<'space'>) => [sign * Date.parse(row.created_at), row.id];
  const seen = rows.toSorted((a, b) => compareKeys(key(a), key(b)));
  return pagedArray(page, seen, {
    keyTypes: ['number', 'string'],
    key,
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
  async list({ db, at: { org }, query, page, base, caller, now }) {
    const levels = await levelsIn(db, asking(org, caller.id));
    const rows = query.deleted
      ? (await store.deletedSpaces(db, org.id, retainedSince(now))).filter((row) => levels('space', row) === 'admin')
      : (await store.placedSpaces(db, org.id)).filter((row) => levels('space', row) !== null);
    return pagedArray(page, inTreeOrder(rows, await store.placedCollections(db, org.id)), {
      keyTypes: [['number', 'string']],
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

  create: {
    permit: permitCreation,
    async handle({ db, at, body, base, caller, now }) {
      await assertVisibleParent({ db, caller, at }, body.parent);
      const { id } = await store.createSpace(db, {
        organization: at.org.id,
        parent: body.parent ?? null,
        title: body.title ?? 'Untitled',
        emoji: body.emoji ?? '📄',
        editMode: body.editMode ?? 'live',
        author: caller.id,
        now,
      });
      return presentAgain({ db, base, caller }, at.org, id);
    },
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

  async restore({ db, at: { space }, base }) {
    if (space.deleted_at === null) {
      throw new Conflict('invalid-state', 'This space is active, not deleted, so there is nothing to restore.');
    }
    const row = await store.changeSpace(db, space.id, { deleted_at: null });
    return presentSpace({ db, base }, { ...row, level: space.level });
  },

  duplicate: {
    permit: (asked) => permitUnder(asked, asked.at.space.parent),
    async handle({ db, at: { org, space }, base, caller, now }) {
      const copy = await store.duplicateSpace(db, space, { author: caller.id, now });
      return presentAgain({ db, base, caller }, org, copy);
    },
  },

  move: {
    permit: (asked) => permitMove(asked, asked.at.space),
    async handle({ db, at, caller, body, base }) {
      await moveContent({ db, caller, at }, { ...at.space, table: 'space' }, body);
      return presentAgain({ db, base, caller }, at.org, at.space.id);
    },
  },

  transfer: {
    permit: permitTransfer,
    async handle({ db, at: { space }, caller, body, base }) {
      const org = await transfer({ db, caller }, { ...space, table: 'space' }, body.organization);
      return presentAgain({ db, base, caller }, org, space.id);
    },
  },
});
