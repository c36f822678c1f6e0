import { atLeast, highest, type RoleName } from '../../contract/access.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { invites } from '../../contract/invites.ts';
import { collectionsById } from '../../store/collections.ts';
import * as store from '../../store/invites.ts';
import { findCollection, findMember, findSpace } from '../../store/lookups.ts';
import { changeMember } from '../../store/members.ts';
import { addMember } from '../../store/orgs.ts';
import { spacesById } from '../../store/spaces.ts';
import type { Db } from '../../store/store.ts';
import { createUser, findUserByEmail } from '../../store/users.ts';
import { presentCollection } from '../content/spaces/collections.ts';
import { asking } from '../content/spaces/placement.ts';
import type { OrgAt, Scope } from '../engine/context.ts';
import { Forbidden, Invalid } from '../engine/errors.ts';
import { implement } from '../engine/implement.ts';
import { levelsIn } from './levels.ts';
import { paged } from '../engine/paging.ts';
import { presentSpaces } from '../content/spaces/spaces.ts';

type Invite = AnswerOf<typeof invites.viewLink>;

const present = async (scope: Omit<Scope, 'now'>, org: OrgAt, row: store.InviteRow): Promise<Invite> =>
  (await presentInvites(scope, org, [row]))[0]!;

async function presentInvites(
  { db, base, caller }: Omit<Scope, 'now'>,
  org: OrgAt,
  rows: store.InviteRow[],
): Promise<Invite[]> {
  const levels = await levelsIn(db, asking(org, caller.id));
  const spaces = await spacesById(db, ids(rows, 'space'));
  const shown = await presentSpaces(
    { db, base },
    spaces.map((space) => ({ ...space, level: levels('space', space) })),
  );
  const collections = await collectionsById(db, ids(rows, 'collection'));
  return rows.map((row) => {
    const common = { object: 'invite' as const, id: row.id };
    const collection = collections.find(({ id }) => id === row.collection);
    if (collection) {
      const level = levels('collection', collection)!;
      return {
        ...common,
        level: row.level,
        redundant: covers(level, row.level),
        collection: presentCollection(base, { ...collection, level }),
      };
    }
    const at = spaces.findIndex(({ id }) => id === row.space);
    if (at >= 0) {
      const redundant = covers(levels('space', spaces[at]!), row.level);
      return { ...common, level: row.level, redundant, space: shown[at]! };
    }
    return { ...common, role: row.level, redundant: covers(org.caller_role, row.level) };
  });
}

const ids = (rows: store.InviteRow[], key: 'space' | 'collection') => [
  ...new Set(rows.flatMap((row) => row[key] ?? [])),
];

/** Whether somebody with `held` gains nothing by `given`. */
const covers = (held: RoleName | null, given: RoleName | null) => given === null || atLeast(held, given);

async function refuseWithoutLinks({ at: { org } }: { at: { org: OrgAt } }): Promise<void> {
  if (org.invite_links === 1) return;
  throw new Forbidden(
    'Invite links are turned off in this organization. An administrator can turn them on in its settings.',
    'invite-links-disabled',
  );
}

/** What a new link leads to; faults name the part of the body. */
async function targetOf(db: Db, org: OrgAt, body: { space: string } | { collection: string } | { role: unknown }) {
  if ('space' in body) {
    const space = await findSpace(db, body.space);
    if (space?.organization !== org.id || space.deleted_at !== null) {
      throw new Invalid('/space', 'names no space of this organization');
    }
    return { space: space.id, collection: null };
  }
  if ('collection' in body) {
    const collection = await findCollection(db, body.collection);
    if (collection?.organization !== org.id)
      throw new Invalid('/collection', 'names no collection of this organization');
    return { space: null, collection: collection.id };
  }
  return { space: null, collection: null };
}

const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

export const handlers = implement(invites, {
  async send({ db, at: { org }, body, now }) {
    const domains = new Set((JSON.parse(org.email_domains) as string[]).map((domain) => domain.toLowerCase()));
    const users = new Set<string>();
    const failed = new Set<string>();
    let invited = 0;
    for (const item of body.emails) {
      const { email, role } = typeof item === 'string' ? { email: item, role: body.role } : item;
      if (body.sso && !domains.has(domainOf(email))) {
        failed.add(email);
        continue;
      }
      const user = (await findUserByEmail(db, email)) ?? (await createUser(db, { email, now }));
      users.add(user.id);
      if (await findMember(db, org.id, user.id)) continue;
      await addMember(db, {
        organization: org.id,
        user: user.id,
        role: role === undefined ? org.default_role : role,
        sso: Number(body.sso),
        now,
      });
      invited++;
    }
    return { users: [...users], invited, failedSSOEmails: [...failed] };
  },

  accept: {
    permit: refuseWithoutLinks,
    async handle({ db, at: { org, invite }, caller, now }) {
      const toContent = invite.space !== null || invite.collection !== null;
      const given = toContent ? null : invite.level;
      if (org.caller_user === null) {
        await addMember(db, { organization: org.id, user: caller.id, role: given, now });
      } else {
        await changeMember(db, org.id, caller.id, { role: highest(org.caller_role, given) });
      }
      if (toContent) await store.raiseGrant(db, invite, caller.id);
      return {};
    },
  },

  listLinks: ({ db, at: { org }, page, base, caller }) =>
    paged(page, {
      rows: (after, limit) => store.listInvites(db, org.id, after, limit),
      keyTypes: ['string', 'string'],
      key: (row) => [row.created_at, row.id],
      count: () => store.countInvites(db, org.id),
      present: (rows) => presentInvites({ db, base, caller }, org, rows),
    }),

  createLink: {
    permit: refuseWithoutLinks,
    async handle({ db, at: { org }, body, base, caller, now }) {
      const row = await store.createInvite(db, {
        organization: org.id,
        ...(await targetOf(db, org, body)),
        level: 'role' in body ? body.role : body.level,
        created_at: now,
      });
      return present({ db, base, caller }, org, row);
    },
  },

  viewLink: ({ db, at: { org, invite }, base, caller }) => present({ db, base, caller }, org, invite),

  async editLink({ db, at: { org, invite }, body, base, caller }) {
    const toContent = invite.space !== null || invite.collection !== null;
    if (toContent && body.role !== undefined) {
      throw new Invalid(
        '/role',
        'is for invites to the organization; this one leads to content, give level',
        'unexpected',
      );
    }
    if (!toContent && body.level !== undefined) {
      throw new Invalid(
        '/level',
        'is for invites to content; this one leads to the organization, give role',
        'unexpected',
      );
    }
    const level = toContent ? body.level : body.role;
    if (level === undefined) return present({ db, base, caller }, org, invite);
    await store.changeInvite(db, invite.id, level);
    return present({ db, base, caller }, org, { ...invite, level });
  },

  async deleteLink({ db, at: { invite } }) {
    await store.deleteInvite(db, invite.id);
  },
});
