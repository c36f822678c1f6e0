import type { AnswerOf, BodyOf } from '../../contract/endpoint.ts';
import type { ValidationIssue } from '../../contract/errors.ts';
import { sso } from '../../contract/sso.ts';
import { withoutUndefined } from '../../shared/without-undefined.ts';
import * as store from '../../store/sso.ts';
import type { Db } from '../../store/store.ts';
import { getTeam, isTeamOf } from '../../store/teams.ts';
import type { LoadedOrg, Scope } from '../engine/context.ts';
import { Invalid } from '../engine/errors.ts';
import { implement } from '../engine/implement.ts';
import { paged } from '../engine/paging.ts';
import { presentTeam } from './teams.ts';

type Provider = AnswerOf<typeof sso.viewProvider>;

/** Addresses to set up the identity provider with. */
const serviceOf = (base: string, id: string): Provider['service'] => ({
  acsURL: `${base}/saml/${id}/acs`,
  startURL: `${base}/saml/${id}/login`,
  entityID: `${base}/saml/${id}`,
});

type Viewing = Pick<Scope, 'db' | 'base' | 'caller'>;

async function present({ db, base, caller }: Viewing, org: LoadedOrg, row: store.ProviderRow): Promise<Provider> {
  return {
    object: 'saml-provider',
    id: row.id,
    label: row.label,
    ssoURL: row.sso_url,
    entityID: row.entity_id,
    certificate: row.certificate,
    defaultTeam:
      row.default_team === null ? undefined : presentTeam(org, await getTeam(db, row.default_team, caller.id)),
    defaultRole: row.default_role,
    createdAt: row.created_at,
    service: serviceOf(base, row.id),
    urls: { location: `${base}/v1/orgs/${org.id}/saml/${row.id}` },
  };
}

/** Whether this is an X.509 certificate, as PEM or as the bare Base64 of SAML metadata. */
export function isCertificate(text: string): boolean {
  const base64 = text.replace(/\s+/g, '');
  const der = /^[A-Za-z0-9+/]+={0,2}$/.test(base64) ? Buffer.from(base64, 'base64') : undefined;
  try {
    const { X509Certificate } = process.getBuiltinModule('node:crypto');
    return new X509Certificate(der ?? text).serialNumber !== '';
  } catch {
    return false;
  }
}

/** @throws Invalid for what is not a certificate, and for what is not a team of the organization */
async function assertValidSettings(db: Db, org: LoadedOrg, body: BodyOf<typeof sso.editProvider>): Promise<void> {
  const issues: ValidationIssue[] = [];
  if (body.certificate && !isCertificate(body.certificate)) {
    issues.push({
      in: 'body',
      path: '/certificate',
      rule: 'format',
      message: 'must be an X.509 certificate, as PEM or bare Base64',
    });
  }
  if (body.defaultTeam !== undefined && !(await isTeamOf(db, org.id, body.defaultTeam))) {
    issues.push({
      in: 'body',
      path: '/defaultTeam',
      rule: 'reference',
      message: 'is not a team of this organization',
    });
  }
  if (issues.length > 0) throw new Invalid(issues);
}

const isComplete = (row: store.ProviderRow) => row.sso_url !== '' && row.entity_id !== '' && row.certificate !== '';

export const handlers = implement(sso, {
  listProviders: ({ db, objects: { org }, page, base, caller }) =>
    paged(page, {
      rows: (after, limit) => store.listProviders(db, org.id, after, limit),
      keyTypes: ['string', 'string'],
      key: (row) => [row.created_at, row.id],
      count: () => store.countProviders(db, org.id),
      present: (rows) => Promise.all(rows.map((row) => present({ db, base, caller }, org, row))),
    }),

  async createProvider({ db, objects: { org }, body, base, caller, now }) {
    await assertValidSettings(db, org, body);
    const row = await store.createProvider(db, {
      organization: org.id,
      label: body.label,
      sso_url: body.ssoURL ?? '',
      entity_id: body.entityID ?? '',
      certificate: body.certificate ?? '',
      default_team: body.defaultTeam ?? null,
      default_role: body.defaultRole === undefined ? (org.default_role ?? 'read') : body.defaultRole,
      created_at: now,
    });
    return present({ db, base, caller }, org, row);
  },

  viewProvider: ({ db, objects: { org, provider }, base, caller }) => present({ db, base, caller }, org, provider),

  async editProvider({ db, objects: { org, provider }, body, base, caller }) {
    await assertValidSettings(db, org, body);
    const change = withoutUndefined({
      label: body.label,
      sso_url: body.ssoURL,
      entity_id: body.entityID,
      certificate: body.certificate,
      default_team: body.defaultTeam,
      default_role: body.defaultRole,
    });
    await store.changeProvider(db, provider.id, change);
    return present({ db, base, caller }, org, { ...provider, ...change });
  },

  async deleteProvider({ db, objects: { provider } }) {
    await store.deleteProvider(db, provider.id);
  },

  async logins({ db, objects: { org }, base }) {
    const providers = (await store.listProviders(db, org.id, undefined, -1)).filter(isComplete);
    return {
      items: providers.map(({ id, label }) => ({ id, label, startURL: serviceOf(base, id).startURL })),
    };
  },
});
