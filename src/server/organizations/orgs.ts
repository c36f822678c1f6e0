import * as store from '../../store/orgs.ts';
import type { AnswerOf, BodyOf } from '../../contract/endpoint.ts';
import { orgs } from '../../contract/orgs.ts';
import { jsonText, parseJson } from '../../store/json.ts';
import { findOrganization } from '../../store/lookups.ts';
import { changeMember } from '../../store/members.ts';
import type { Db } from '../../store/store.ts';
import { organizationPermissions } from '../engine/access.ts';
import type { Caller, LoadedOrg, Scope } from '../engine/context.ts';
import { Invalid, NotFound } from '../engine/errors.ts';
import { implement } from '../engine/implement.ts';
import { paged } from '../engine/paging.ts';
import { secretOf } from '../engine/secrets.ts';
import { writeUnique } from '../engine/write-unique.ts';
import { createOrganization } from './bootstrap.ts';

type Organization = AnswerOf<typeof orgs.view>;

export async function presentOrganization(scope: Scope, row: LoadedOrg): Promise<Organization> {
  const { db, base, caller, now } = scope;
  const isMember = row.caller_user !== null;
  return {
    object: 'organization',
    id: row.id,
    title: row.title,
    createdAt: row.created_at,
    emailDomains: parseJson(row.email_domains),
    hostname: row.hostname ?? undefined,
    type: row.type,
    useCase: row.use_case ?? undefined,
    communityType: row.community_type ?? undefined,
    defaultRole: row.default_role,
    defaultContent: row.default_content === null ? undefined : parseJson(row.default_content),
    sso: row.sso === 1,
    ai: row.ai === 1,
    inviteLinks: row.invite_links === 1,
    plan: row.plan,
    billing: isMember && row.billing !== null ? parseJson(row.billing) : undefined,
    urls: { location: `${base}/v1/orgs/${row.id}`, app: `${base}/o/${row.id}`, logo: row.logo ?? undefined },
    trial: trialAt(now, parseJson(row.trial)),
    customHostname: row.custom_hostname ?? undefined,
    blocked: row.blocked === null ? undefined : parseJson(row.blocked),
    internal_isOnNewTrial: true,
    internal_billingMigration: row.billing_migration === null ? undefined : parseJson(row.billing_migration),
    permissions: isMember
      ? organizationPermissions(row.caller_role, await store.ownsTeam(db, row.id, caller.id))
      : { ...organizationPermissions(null, false), view: false },
  };
}

/** A trial that was not ended expires at its end date. */
function trialAt(now: string, trial: Organization['trial']): Organization['trial'] {
  const isOver = trial.status === 'active' && trial.endDate !== undefined && trial.endDate <= now;
  return isOver ? { ...trial, status: 'expired' } : trial;
}

async function presentById(scope: Scope, id: string): Promise<Organization> {
  const row = await findOrganization(scope.db, id, scope.caller.id);
  if (!row) throw new NotFound('organization', id);
  return presentOrganization(scope, row);
}

/** The columns that a change sets. */
const columnsOf = ({ defaultContent, defaultRole, inviteLinks, ...body }: BodyOf<typeof orgs.edit>) => ({
  title: body.title,
  hostname: body.hostname,
  default_role: defaultRole,
  default_content: defaultContent ? jsonText(defaultContent) : defaultContent,
  logo: body.logo,
  sso: numberOf(body.sso),
  ai: numberOf(body.ai),
  invite_links: numberOf(inviteLinks),
});

const numberOf = (value: boolean | undefined) => (value === undefined ? undefined : Number(value));

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
    const { id } = await createOrganization(db, {
      title: body.title,
      created_at: now,
      type: body.type ?? 'business',
      use_case: body.useCase ?? null,
    });
    if (body.emailDomains) await store.setEmailDomains(db, id, distinct(body.emailDomains));
    await store.addMember(db, { organization: id, user: caller.id, role: 'admin', now });
    return presentById(context, id);
  },

  view: (context) => presentOrganization(context, context.objects.org),

  async edit(context) {
    const { db, objects, body } = context;
    const { org } = objects;
    const { defaultContent, hostname, emailDomains } = body;
    if (defaultContent && !(await siteExists(context, org.id, defaultContent.site)))
      throw new Invalid('/defaultContent/site', 'is not a site of this organization');
    await writeUnique(`Another organization has the hostname ${hostname} already. Choose another one.`, () =>
      store.changeOrganization(db, org.id, columnsOf(body)),
    );
    if (emailDomains) await store.setEmailDomains(db, org.id, distinct(emailDomains));
    return presentById(context, org.id);
  },

  async byDomain(context) {
    const rows = await store.organizationsOfDomain(context.db, context.params.emailDomain, context.caller.id);
    return { organizations: await Promise.all(rows.map((row) => presentOrganization(context, row))) };
  },

  async ping({ db, objects: { org }, caller, now }) {
    await changeMember(db, org.id, caller.id, { last_seen_at: now });
    return { serviceVisitorClaims: await visitorClaims(db, { org, caller, now }) };
  },
});

// Upper and lower case make no difference in domains.
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

const crypto = () => process.getBuiltinModule('node:crypto');
const lifetimeSeconds = 3600;

interface Visit {
  org: LoadedOrg;
  caller: Caller;
  now: string;
}

/**
 * A JWT (HS256, one hour) with which a published site knows its visitor. Undefined if no published site of the
 * organization uses it: adaptive content and visitor authentication do.
 */
async function visitorClaims(db: Db, { org, caller, now }: Visit): Promise<string | undefined> {
  const site = await db
    .selectFrom('site')
    .select('id')
    .where('organization', '=', org.id)
    .where('published', '=', 1)
    .where((eb) => eb.or([eb('adaptive_content', '=', 1), eb('visibility', '=', 'visitor-auth')]))
    .executeTakeFirst();
  if (!site) return undefined;
  const issuedAt = Math.floor(Date.parse(now) / 1000);
  const claims = {
    sub: caller.id,
    email: caller.email,
    name: caller.display_name,
    org: org.id,
    iat: issuedAt,
    exp: issuedAt + lifetimeSeconds,
  };
  const unsigned = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  const hmac = crypto().createHmac('sha256', await secretOf(db, 'visitor'));
  return `${unsigned}.${hmac.update(unsigned).digest('base64url')}`;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
