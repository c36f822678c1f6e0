import { atLeast, highest, type RoleName } from '../../contract/access.ts';
import type { AnswerOf, BodyOf } from '../../contract/endpoint.ts';
import { invites } from '../../contract/invites.ts';
import { collectionsById } from '../../store/collections.ts';
import * as store from '../../store/invites.ts';
import { parseJson } from '../../store/json.ts';
import { findCollection, findMember, findSpace } from '../../store/lookups.ts';
import { changeMember } from '../../store/members.ts';
import { addMember } from '../../store/orgs.ts';
import { spacesById } from '../../store/spaces.ts';
import type { Db } from '../../store/store.ts';
import { createUser, findUserByEmail } from '../../store/users.ts';
import { presentCollection } from '../content/spaces/collections.ts';
import type { LoadedOrg, Scope } from '../engine/context.ts';
import { Forbidden, Invalid } from '../engine/errors.ts';
import { implement } from '../engine/implement.ts';
import { visibleRows, withLevels } from './levels.ts';
import { viewerIn } from './viewer.ts';
import { pagedByCreated } from '../engine/paging.ts';
import { presentSpaces } from '../content/spaces/spaces.ts';

type Invite = AnswerOf<typeof invites.viewLink>;
type Viewing = Omit<Scope, 'now'>;

const present = async (scope: Viewing, org: LoadedOrg, row: store.InviteRow): Promise<Invite> =>
  (await invitePresenter(scope, org, [row]))(row);

/** Loads what these invites lead to. */
async function invitePresenter({ db, base, caller }: Viewing, org: LoadedOrg, rows: store.InviteRow[]) {
  const viewer = viewerIn(org, caller.id);
  const spaces = await withLevels(db, viewer, 'space', await spacesById(db, idsIn(rows, 'space')));
  const spaceLevels = new Map(spaces.map((space) => [space.id, space.level]));
  const presentedSpaces = await presentSpaces({ db, base }, spaces);
  const collections = await visibleRows(db, viewer, 'collection', await collectionsById(db, idsIn(rows, 'collection')));
  return (row: store.InviteRow): Invite => {
    const common = { object: 'invite' as const, id: row.id };
    const collection = collections.find(({ id }) => id === row.collection);
    if (collection) {
      const redundant = covers(collection.level, row.level);
      return { ...common, level: row.level, redundant, collection: presentCollection(base, collection) };
    }
    const space = presentedSpaces.find(({ id }) => id === row.space);
    if (space) {
      const redundant = covers(spaceLevels.get(space.id), row.level);
      return { ...common, level: row.level, redundant, space };
    }
    return { ...common, role: row.level, redundant: covers(org.caller_role, row.level) };
  };
}

const idsIn = (rows: store.InviteRow[], column: 'space' | 'collection') => rows.flatMap((row) => row[column] ?? []);

/** Whether an invite gives nothing to somebody who has this level. */
const covers = (level: RoleName | null | undefined, invited: RoleName | null) =>
  invited === null || atLeast(level, invited);

async function assertLinksEnabled({ objects: { org } }: { objects: { org: LoadedOrg } }): Promise<void> {
  if (org.invite_links === 1) return;
  throw new Forbidden(
    'Invite links are turned off in this organization. An administrator can turn them on in its settings.',
    'invite-links-disabled',
  );
}

/** What a new link leads to. @throws Invalid for a space or collection of another organization */
async function targetOf(db: Db, org: LoadedOrg, body: { space: string } | { collection: string } | { role: unknown }) {
  if ('space' in body) {
    const space = await findSpace(db, body.space);
    if (space?.organization !== org.id || space.deleted_at !== null)
      throw new Invalid('/space', 'is not a space of this organization');
    return { space: space.id, collection: null };
  }
  if ('collection' in body) {
    const collection = await findCollection(db, body.collection);
    if (collection?.organization !== org.id)
      throw new Invalid('/collection', 'is not a collection of this organization');
    return { space: null, collection: collection.id };
  }
  return { space: null, collection: null };
}

const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** To a space or a collection, not to the organization. */
const isToContent = ({ space, collection }: store.InviteRow) => space !== null || collection !== null;

/** @throws Invalid for the member that the other kind of invite has */
function newLevelFrom(invite: store.InviteRow, { role, level }: BodyOf<typeof invites.editLink>) {
  if (isToContent(invite)) {
    if (role === undefined) return level;
    throw new Invalid('/role', 'is for invites to the organization; this one is to content, use level', 'unexpected');
  }
  if (level === undefined) return role;
  throw new Invalid('/level', 'is for invites to content; this one is to the organization, use role', 'unexpected');
}

export const handlers = implement(invites, {
  async send({ db, objects: { org }, body, now }) {
    const domains = new Set(parseJson(org.email_domains).map((domain) => domain.toLowerCase()));
    const users = new Set<string>();
    const failedSSOEmails = new Set<string>();
    let invited = 0;
    for (const item of body.emails) {
      const { email, role = org.default_role } = typeof item === 'string' ? { email: item, role: body.role } : item;
      if (body.sso && !domains.has(domainOf(email))) {
        failedSSOEmails.add(email);
        continue;
      }
      const user = (await findUserByEmail(db, email)) ?? (await createUser(db, { email, now }));
      users.add(user.id);
      if (await findMember(db, org.id, user.id)) continue;
      await addMember(db, { organization: org.id, user: user.id, role, sso: Number(body.sso), now });
      invited++;
    }
    return { users: [...users], invited, failedSSOEmails: [...failedSSOEmails] };
  },

  accept: {
    permit: assertLinksEnabled,
    async handle({ db, objects: { org, invite }, caller, now }) {
      const role = isToContent(invite) ? null : invite.level;
      if (org.caller_user === null) {
        await addMember(db, { organization: org.id, user: caller.id, role, now });
      } else {
        await changeMember(db, org.id, caller.id, { role: highest(org.caller_role, role) });
      }
      if (isToContent(invite)) await store.raiseGrant(db, invite, caller.id);
      return {};
    },
  },

  listLinks: (context) => {
    const { org } = context.objects;
    return pagedByCreated(context, store.byCreated, org.id, async (rows) =>
      rows.map(await invitePresenter(context, org, rows)),
    );
  },

  createLink: {
    permit: assertLinksEnabled,
    async handle(context) {
      const { db, objects, body, now } = context;
      const { org } = objects;
      const row = await store.createInvite(db, {
        organization: org.id,
        ...(await targetOf(db, org, body)),
        level: 'role' in body ? body.role : body.level,
        created_at: now,
      });
      return present(context, org, row);
    },
  },

  viewLink: (context) => present(context, context.objects.org, context.objects.invite),

  async editLink(context) {
    const { db, objects, body } = context;
    const { org, invite } = objects;
    return present(context, org, await store.changeInvite(db, invite.id, { level: newLevelFrom(invite, body) }));
  },

  deleteLink: ({ db, objects: { invite } }) => store.deleteInvite(db, invite.id),
});
