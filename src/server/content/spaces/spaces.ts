import type { AnswerOf } from '../../../contract/endpoint.ts';
import type { RoleName } from '../../../contract/access.ts';
import { spaces } from '../../../contract/spaces.ts';
import { withoutUndefined } from '../../../shared/without-undefined.ts';
import { collectionsAbove, type InTree, inTreeOrder } from '../../../store/content-tree.ts';
import { parseJson } from '../../../store/json.ts';
import { countGrantedSpaces } from '../../../store/members.ts';
import { retainedSince } from '../../../store/retention.ts';
import * as store from '../../../store/spaces.ts';
import type { Db } from '../../../store/store.ts';
import type { Row } from '../../../store/tables.ts';
import { spacePermissions } from '../../engine/access.ts';
import type { Caller, LoadedMember, LoadedOrg, Scope } from '../../engine/context.ts';
import { Conflict } from '../../engine/errors.ts';
import { implement } from '../../engine/implement.ts';
import { type Listed, paged, pagedArray, type PageRequest } from '../../engine/paging.ts';
import { levelOn, type Viewer, visibleRows, withLevels } from '../../organizations/levels.ts';
import { viewerIn } from '../../organizations/viewer.ts';
import { publicationState } from '../../sites/publications.ts';
import {
  assertVisibleParent,
  moveContent,
  permitCreation,
  permitMove,
  permitTransfer,
  permitUnder,
  transfer,
} from './placement.ts';
import { treeKeyTypes, visibleTree } from './visible-tree.ts';

type Space = AnswerOf<typeof spaces.view>;

/** `level` is the caller's; null if a site shows a space that the caller cannot open. */
type LeveledSpace = Row<'space'> & { level: RoleName | null };

interface Presenting extends Pick<Scope, 'db' | 'base'> {
  shareKey?: string | undefined;
}

/** Loads how these spaces are published. */
async function spacePresenter({ db, base, shareKey }: Presenting, spaceIds: string[]) {
  const publicationOf = await publicationState({ db, base }, spaceIds, shareKey);
  return (row: LeveledSpace): Space => ({
    object: 'space',
    id: row.id,
    title: row.title,
    emoji: row.emoji,
    visibility: publicationOf(row.id).visibility,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    deletedAt: row.deleted_at ?? undefined,
    editMode: row.edit_mode,
    urls: {
      location: `${base}/v1/spaces/${row.id}`,
      app: `${base}/o/${row.organization}/s/${row.id}`,
      ...publicationOf(row.id).urls,
    },
    organization: row.organization,
    parent: row.parent ?? undefined,
    gitSync: row.git_sync === null ? undefined : parseJson(row.git_sync),
    visitorAuth: row.visitor_auth === null ? undefined : parseJson(row.visitor_auth),
    revision: row.revision,
    defaultLevel: row.default_level,
    comments: row.comments,
    changeRequests: row.change_requests,
    changeRequestsOpen: row.change_requests_open,
    changeRequestsDraft: row.change_requests_draft,
    permissions: spacePermissions(row.level),
  });
}

export async function presentSpaces(presenting: Presenting, rows: LeveledSpace[]): Promise<Space[]> {
  const presenter = await spacePresenter(
    presenting,
    rows.map((row) => row.id),
  );
  return rows.map(presenter);
}

export const presentSpace = async (presenting: Presenting, row: LeveledSpace): Promise<Space> =>
  (await spacePresenter(presenting, [row.id]))(row);

/** Those of the spaces that can be seen, in the given order. */
export async function presentVisibleSpaces(
  { db, base }: Pick<Scope, 'db' | 'base'>,
  viewer: Viewer,
  items: { id: string }[],
): Promise<Space[]> {
  const rows = await store.spacesById(
    db,
    items.map(({ id }) => id),
  );
  return presentSpaces({ db, base }, await visibleRows(db, viewer, 'space', rows));
}

/** Reads the space and the caller's level again: both may differ after it was moved. */
async function presentById(scope: Pick<Scope, 'db' | 'base' | 'caller'>, org: LoadedOrg, id: string): Promise<Space> {
  const row = await store.getSpace(scope.db, id);
  const level = await levelOn(scope.db, viewerIn(org, scope.caller.id), 'space', row);
  return presentSpace(scope, { ...row, level });
}

interface SpacesOfMember {
  db: Db;
  base: string;
  caller: Caller;
  org: LoadedOrg;
  member: LoadedMember;
  page: PageRequest;
  order: 'asc' | 'desc';
}

/** What a member can see: the member's level, and the space with the caller's permissions. */
export async function listSpacesOfMember({
  db,
  base,
  caller,
  org,
  member,
  page,
  order,
}: SpacesOfMember): Promise<Listed<{ permission: RoleName; space: Space }>> {
  const viewer: Viewer = { organization: org.id, user: member.user, role: member.role };
  const isGuest = member.role === null;
  const sign = order === 'asc' ? 1 : -1;
  return paged(page, {
    // Times as numbers, so that one comparison works in both directions.
    keyTypes: ['number', 'string'],
    key: (row: Row<'space'>) => [sign * Date.parse(row.created_at), row.id],
    rows: (after, limit) => {
      const afterKey = after && ([timeText(sign * after[0]), after[1]] as const);
      return store.spacesByCreated(db, { ...viewer, isGuest }, order, afterKey, limit);
    },
    count: async () =>
      isGuest ? ((await countGrantedSpaces(db, org.id, [member.user])).get(member.user) ?? 0) : org.spaces,
    present: async (rowsOfPage) => {
      const presenter = await spacePresenter(
        { db, base },
        rowsOfPage.map((row) => row.id),
      );
      const callerRows = await withLevels(db, viewerIn(org, caller.id), 'space', rowsOfPage);
      const callerLevels = new Map(callerRows.map((row) => [row.id, row.level]));
      const visible = await visibleRows(db, viewer, 'space', rowsOfPage);
      return visible.map((row) => ({
        permission: row.level,
        space: presenter({ ...row, level: callerLevels.get(row.id) ?? 'read' }),
      }));
    },
  });
}

const latestTime = 8.64e15;

/** A time of a page token, which a caller can make up. */
const timeText = (ms: number) => new Date(Math.min(latestTime, Math.max(-latestTime, ms))).toISOString();

/** Deleted spaces that somebody may restore, in the order of the tree. There are few: they are removed after some days. */
async function restorableSpaces(db: Db, viewer: Viewer, now: string): Promise<InTree[]> {
  const deleted = await store.deletedSpaces(db, viewer.organization, retainedSince(now));
  const rows = (await withLevels(db, viewer, 'space', deleted)).filter((row) => row.level === 'admin');
  const parents = await collectionsAbove(
    db,
    rows.map((row) => row.parent),
  );
  return inTreeOrder(rows, parents);
}

export const handlers = implement(spaces, {
  async list({ db, objects: { org }, query, page, base, caller, now }) {
    const viewer = viewerIn(org, caller.id);
    const list = {
      keyTypes: treeKeyTypes,
      key: (row: InTree) => row.key,
      present: (rows: InTree[]) => presentVisibleSpaces({ db, base }, viewer, rows),
    };
    if (query.deleted) return pagedArray(page, await restorableSpaces(db, viewer, now), list);
    return paged(page, { ...list, ...visibleTree(db, viewer, { listed: 'space', nested: true }, org.spaces) });
  },

  create: {
    permit: permitCreation,
    async handle({ db, objects, body, base, caller, now }) {
      await assertVisibleParent({ db, caller, objects }, body.parent);
      const { id } = await store.createSpace(db, {
        organization: objects.org.id,
        parent: body.parent ?? null,
        title: body.title ?? 'Untitled',
        emoji: body.emoji ?? '📄',
        editMode: body.editMode ?? 'live',
        author: caller.id,
        now,
      });
      return presentById({ db, base, caller }, objects.org, id);
    },
  },

  view: ({ db, objects: { space }, query, base }) => presentSpace({ db, base, shareKey: query.shareKey }, space),

  async edit({ db, objects: { space }, body, base, now }) {
    const { title, emoji, editMode, defaultLevel } = body;
    const change = withoutUndefined({ title, emoji, edit_mode: editMode, default_level: defaultLevel });
    if (Object.keys(change).length === 0) return presentSpace({ db, base }, space);
    const row = await store.changeSpace(db, space.id, { ...change, updated_at: now });
    return presentSpace({ db, base }, { ...row, level: space.level });
  },

  async delete({ db, objects: { space }, now }) {
    await store.changeSpace(db, space.id, { deleted_at: now });
  },

  async restore({ db, objects: { space }, base }) {
    if (space.deleted_at === null)
      throw new Conflict('invalid-state', 'This space is not deleted, so it cannot be restored.');
    const row = await store.changeSpace(db, space.id, { deleted_at: null });
    return presentSpace({ db, base }, { ...row, level: space.level });
  },

  duplicate: {
    permit: (asked) => permitUnder(asked, asked.objects.space.parent),
    async handle({ db, objects: { org, space }, base, caller, now }) {
      const copyId = await store.duplicateSpace(db, space, { author: caller.id, now });
      return presentById({ db, base, caller }, org, copyId);
    },
  },

  move: {
    permit: (asked) => permitMove(asked, asked.objects.space),
    async handle({ db, objects, caller, body, base }) {
      await moveContent({ db, caller, objects }, { ...objects.space, table: 'space' }, body);
      return presentById({ db, base, caller }, objects.org, objects.space.id);
    },
  },

  transfer: {
    permit: permitTransfer,
    async handle({ db, objects: { space }, caller, body, base }) {
      const org = await transfer({ db, caller }, { ...space, table: 'space' }, body.organization);
      return presentById({ db, base, caller }, org, space.id);
    },
  },
});
