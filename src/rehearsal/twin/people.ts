import type { RoleName } from '../../contract/access.ts';
import type { User } from '../../contract/common.ts';
import type { AnswerOf, ItemOf } from '../../contract/endpoint.ts';
import type { invites } from '../../contract/invites.ts';
import type { members } from '../../contract/members.ts';
import type { orgs } from '../../contract/orgs.ts';
import type { sso } from '../../contract/sso.ts';
import type { teams } from '../../contract/teams.ts';
import { jsonText } from '../../store/json.ts';
import { setEmailDomains } from '../../store/orgs.ts';
import type { Db } from '../../store/store.ts';
import { titleKey } from '../../store/teams.ts';
import type { z } from 'zod/mini';

type Organization = AnswerOf<typeof orgs.view>;
type Person = z.output<ReturnType<typeof User>>;

export async function writeOrganization(db: Db, org: Organization): Promise<void> {
  await db
    .insertInto('organization')
    .values({
      id: org.id,
      title: org.title,
      hostname: org.hostname ?? null,
      type: org.type,
      use_case: org.useCase ?? null,
      community_type: org.communityType ?? null,
      default_role: org.defaultRole ?? null,
      default_content: org.defaultContent ? jsonText(org.defaultContent) : null,
      logo: org.urls.logo ?? null,
      sso: Number(org.sso ?? false),
      ai: Number(org.ai ?? false),
      invite_links: Number(org.inviteLinks),
      plan: org.plan,
      billing: org.billing ? jsonText(org.billing) : null,
      trial: jsonText(org.trial),
      custom_hostname: org.customHostname ?? null,
      blocked: org.blocked ? jsonText(org.blocked) : null,
      billing_migration: org.internal_billingMigration ? jsonText(org.internal_billingMigration) : null,
      created_at: org.createdAt,
    })
    .execute();
  await setEmailDomains(db, org.id, org.emailDomains);
}

/** Writes people who are not there yet: members, and those who left and whose comments are still there. */
export async function writeUsers(db: Db, people: readonly Person[], createdAt: string): Promise<void> {
  for (const { id, displayName, email, photoURL } of people)
    await db
      .insertInto('user')
      .values({
        id,
        display_name: displayName,
        // Every user of an instance has an address; this one reaches nobody.
        email: email ?? `${id}@hidden.invalid`,
        photo_url: photoURL ?? null,
        created_at: createdAt,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

export async function writeMembers(
  db: Db,
  organization: string,
  list: readonly ItemOf<typeof members.list>[],
): Promise<void> {
  for (const { id, user, role, disabled, sso: isSso, joinedAt, lastSeenAt } of list) {
    await writeUsers(db, [user], joinedAt);
    await db
      .insertInto('member')
      .values({
        organization,
        user: id,
        role,
        disabled: Number(disabled),
        sso: Number(isSso),
        joined_at: joinedAt,
        last_seen_at: lastSeenAt ?? null,
      })
      .execute();
  }
}

/** The level that somebody was given on a space. */
export interface Grant {
  user: string;
  space: string;
  level: RoleName;
}

export async function writeGrants(db: Db, organization: string, grants: readonly Grant[]): Promise<void> {
  for (const grant of grants)
    await db
      .insertInto('content_grant')
      .values({ ...grant, organization, collection: null })
      .execute();
}

export interface TeamWithMembers {
  team: ItemOf<typeof teams.list>;
  members: { user: string; role: 'owner' | 'member' }[];
}

export async function writeTeam(db: Db, organization: string, { team, members: list }: TeamWithMembers): Promise<void> {
  const { id, title, createdAt } = team;
  await db
    .insertInto('team')
    .values({ id, organization, title, title_key: titleKey(title), created_at: createdAt })
    .execute();
  for (const member of list)
    await db
      .insertInto('team_member')
      .values({ team: id, ...member })
      .execute();
}

/** @param hasTeam whether a team is there */
export async function writeProviders(
  db: Db,
  organization: string,
  list: readonly ItemOf<typeof sso.listProviders>[],
  hasTeam: (id: string) => boolean,
): Promise<void> {
  for (const { id, label, ssoURL, entityID, certificate, defaultTeam, defaultRole, createdAt } of list)
    await db
      .insertInto('saml_provider')
      .values({
        id,
        organization,
        label,
        sso_url: ssoURL,
        entity_id: entityID,
        certificate,
        default_team: defaultTeam && hasTeam(defaultTeam.id) ? defaultTeam.id : null,
        default_role: defaultRole,
        created_at: createdAt,
      })
      .execute();
}

/**
 * Writes link invites.
 *
 * @param list newest first; the service does not tell when they were made, so that only their order is kept
 */
export async function writeInvites(
  db: Db,
  organization: Pick<Organization, 'id' | 'createdAt'>,
  list: readonly ItemOf<typeof invites.listLinks>[],
): Promise<void> {
  const start = Date.parse(organization.createdAt);
  for (const [index, invite] of list.entries())
    await db
      .insertInto('invite')
      .values({
        id: invite.id,
        organization: organization.id,
        space: 'space' in invite ? invite.space.id : null,
        collection: 'collection' in invite ? invite.collection.id : null,
        level: 'role' in invite ? invite.role : invite.level,
        created_at: new Date(start + list.length - index).toISOString(),
      })
      .execute();
}
