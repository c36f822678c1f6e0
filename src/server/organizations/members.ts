import { members } from '../../contract/members.ts';
import { countGrants, listGrants } from '../../store/levels.ts';
import * as store from '../../store/members.ts';
import type { Db } from '../../store/store.ts';
import type { LoadedMember, LoadedOrg } from '../engine/context.ts';
import { Conflict } from '../engine/errors.ts';
import { implement } from '../engine/implement.ts';
import { presentMemberAt, memberPresenter } from './memberships.ts';
import { paged } from '../engine/paging.ts';

/** @throws Conflict if the organization would be left without an administrator */
async function assertNotLastAdmin(db: Db, org: LoadedOrg, member: LoadedMember) {
  if (member.role !== 'admin' || (await store.countAdmins(db, org.id)) > 1) return;
  throw new Conflict(
    'last-admin',
    'This is the last administrator of the organization. Make another member administrator first.',
  );
}

export const handlers = implement(members, {
  list: ({ db, objects: { org }, query, page, base }) =>
    paged(page, {
      rows: (after, limit) => store.listMembers(db, org.id, query, after, limit),
      keyTypes: ['string', 'string'],
      key: (row) => [query.sort === 'lastSeenAt' ? row.last_seen_at : row.joined_at, row.user],
      count: () => store.countMembers(db, org.id, query),
      present: async (rows) => rows.map(await memberPresenter(db, base, org, rows)),
    }),

  view: ({ db, objects, base }) => presentMemberAt(db, base, objects.org, objects.member),

  async edit({ db, objects: { org, member }, body, base }) {
    const { role } = body;
    if (role !== undefined && role !== member.role) {
      if (role !== 'admin') await assertNotLastAdmin(db, org, member);
      await store.changeMember(db, org.id, member.user, { role });
    }
    return presentMemberAt(db, base, org, { ...member, role: role === undefined ? member.role : role });
  },

  async remove({ db, objects: { org, member } }) {
    await assertNotLastAdmin(db, org, member);
    await store.removeMember(db, org.id, member.user);
  },

  async markSso({ db, objects: { org, member }, base }) {
    await store.changeMember(db, org.id, member.user, { sso: 1 });
    return presentMemberAt(db, base, org, { ...member, sso: 1 });
  },

  // Loaded when needed: most calls of this group do without them.
  async spaces({ db, objects: { org, member }, query, page, base, caller }) {
    const { listSpacesOfMember } = await import('../content/spaces/spaces.ts');
    return listSpacesOfMember({ db, base, caller, org, member, page, order: query.order });
  },

  grants: ({ db, objects: { org }, page }) =>
    paged(page, {
      rows: (after, limit) => listGrants(db, org.id, after, limit),
      keyTypes: ['string', 'string'],
      key: ({ user, place }) => [user, place],
      count: () => countGrants(db, org.id),
      present: (rows) =>
        rows.map(({ user, space, collection, level }) => ({
          object: 'grant' as const,
          member: user,
          level,
          ...(space !== null && { space }),
          ...(collection !== null && { collection }),
        })),
    }),

  async teams({ db, objects: { org, member }, query, page, caller }) {
    const { listTeamsOfMember } = await import('./teams.ts');
    return listTeamsOfMember({ db, org, member, page, title: query.title, caller });
  },
});
