import type { AnswerOf } from '../../contract/endpoint.ts';
import { orgs } from '../../contract/orgs.ts';
import { isUniqueViolation } from '../../store/connection.ts';
import { findOrganization } from '../../store/lookups.ts';
import { changeMember } from '../../store/members.ts';
import * as store from '../../store/orgs.ts';
import type { Row } from '../../store/tables.ts';
import { organizationPermissions } from '../engine/access.ts';
import { visitorClaims } from './visitor-claims.ts';
import type { OrgAt, Scope } from '../engine/context.ts';
import { Conflict, Invalid } from '../engine/errors.ts';
import { createOrganization } from './bootstrap.ts';
import { implement } from '../engine/implement.ts';
import { paged } from '../engine/paging.ts';

type Organization = AnswerOf<typeof orgs.view>;

export async function presentOrganization({ db, base, caller, now }: Scope, row: OrgAt): Promise<Organization> {
  const member = row.caller_user !== null;
  const trial = JSON.parse(row.trial) as Organization['trial'];
  return {
    object: 'organization',
    id: row.id,
    title: row.title,
    createdAt: row.created_at,
    emailDomains: JSON.parse(row.email_domains),
    ...optional('hostname', row.hostname),
    type: row.type as Organization['type'],
    ...optional('useCase', row.use_case as Organization['useCase'] | null),
    ...optional('communityType', row.community_type as Organization['communityType'] | null),
    defaultRole: row.default_role,
    ...optional('defaultContent', parsed(row.default_content)),
    sso: row.sso === 1,
    ai: row.ai === 1,
    inviteLinks: row.invite_links === 1,
    plan: row.plan as Organization['plan'],
    ...(member ? optional('billing', parsed(row.billing)) : {}),
    urls: { location: `${base}/v1/orgs/${row.id}`, app: `${base}/o/${row.id}`, ...optional('logo', row.logo) },
    // A trial that nobody ended runs out by itself.
    trial:
      trial.status === 'active' && trial.endDate !== undefined && trial.endDate <= now
        ? { ...trial, status: 'expired' }
        : trial,
    ...optional('customHostname', row.custom_hostname),
    ...optional('blocked', parsed(row.blocked)),
    internal_isOnNewTrial: true,
    ...optional('internal_billingMigration', parsed(row.billing_migration)),
    permissions: member
      ? organizationPermissions(row.caller_role, await store.ownsTeam(db, row.id, caller.id))
      : { ...organizationPermissions(null, false), view: false },
  };
}

const parsed = (text: string | null) => (text === null ? null : JSON.parse(text));

/** A member of an answer that is left out where it has no value. */
export const optional = <K extends string, V>(key: K, value: V | null | undefined): { [P in K]?: V } =>
  (value === null || value === undefined ? {} : { [key]: value }) as { [P in K]?: V };

const again = async (scope: Scope, id: string) =>
  presentOrganization(scope, (await findOrganization(scope.db, id, scope.caller.id))!);

export const handlers = implement(orgs, {
  list: ({ db, caller, base, now, page }) =>
    paged(page, {
      rows: (after, limit) => store.listOrganizations(db, caller.id, after, limit),
      keyTypes: ['string', 'string'],
      key: (row) => [row.title.toLowerCase(), row.id],
      count: () => store.countOrganizations(db, caller.id),
      present: (rows) => Promise.all(rows.map((row) => presentOrganization({ db, caller, base, now }, row))),
    }),

  async create(context) {
    const { db, caller, body, now } = context;
    const id = await createOrganization(db, {
      title: body.title,
      now,
      type: body.type ?? 'business',
      useCase: body.useCase ?? null,
    });
    if (body.emailDomains) await store.setEmailDomains(db, id, distinct(body.emailDomains));
    await store.addMember(db, { organization: id, user: caller.id, role: 'admin', now });
    return again(context, id);
  },

  view: (context) => presentOrganization(context, context.at.org),

  async edit(context) {
    const {
      db,
      at: { org },
      body,
    } = context;
    const { title, emailDomains, hostname, defaultRole, defaultContent, logo, sso, ai, inviteLinks } = body;
    if (defaultContent && !(await siteExists(context, org.id, defaultContent.site))) {
      throw new Invalid('/defaultContent/site', 'names no site of this organization');
    }
    const change: Partial<Row<'organization'>> = {
      ...optional('title', title),
      ...optional('hostname', hostname),
      ...(defaultRole === undefined ? {} : { default_role: defaultRole }),
      ...(defaultContent === undefined ? {} : { default_content: defaultContent && JSON.stringify(defaultContent) }),
      ...(logo === undefined ? {} : { logo }),
      ...(sso === undefined ? {} : { sso: Number(sso) }),
      ...(ai === undefined ? {} : { ai: Number(ai) }),
      ...(inviteLinks === undefined ? {} : { invite_links: Number(inviteLinks) }),
    };
    try {
      await store.changeOrganization(db, org.id, change);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new Conflict(
        'already-exists',
        `The hostname ${hostname} is taken by another organization. Choose another one.`,
      );
    }
    if (emailDomains) await store.setEmailDomains(db, org.id, distinct(emailDomains));
    return again(context, org.id);
  },

  async byDomain(context) {
    const rows = await store.organizationsOfDomain(context.db, context.params.emailDomain, context.caller.id);
    return { organizations: await Promise.all(rows.map((row) => presentOrganization(context, row))) };
  },

  async ping({ db, at: { org }, caller, now }) {
    await changeMember(db, org.id, caller.id, { last_seen_at: now });
    return optional('serviceVisitorClaims', await visitorClaims(db, { org, caller, now }));
  },
});

// Domains are the same whatever their case.
const distinct = (domains: string[]) => [...new Map(domains.map((domain) => [domain.toLowerCase(), domain])).values()];

async function siteExists({ db }: Pick<Scope, 'db'>, organization: string, site: string): Promise<boolean> {
  const row = await db
    .selectFrom('site')
    .select('id')
    .where('id', '=', site)
    .where('organization', '=', organization)
    .executeTakeFirst();
  return row !== undefined;
}
