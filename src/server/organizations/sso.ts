import type { AnswerOf } from '../../contract/endpoint.ts';
import { sso } from '../../contract/sso.ts';
import * as store from '../../store/sso.ts';
import { allRows } from '../../store/sql.ts';
import type { Db } from '../../store/store.ts';
import { getTeam, isTeamOf } from '../../store/teams.ts';
import type { LoadedOrg, Scope } from '../engine/context.ts';
import { Invalid } from '../engine/errors.ts';
import { implement } from '../engine/implement.ts';
import { pagedByCreated } from '../engine/paging.ts';
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

/** @throws Invalid for what is not a team of the organization */
async function assertTeam(db: Db, org: LoadedOrg, team: string | undefined): Promise<void> {
  if (team === undefined || (await isTeamOf(db, org.id, team))) return;
  throw new Invalid('/defaultTeam', 'is not a team of this organization');
}

const isComplete = (row: store.ProviderRow) => row.sso_url !== '' && row.entity_id !== '' && row.certificate !== '';

export const handlers = implement(sso, {
  listProviders: (context) => {
    const { org } = context.objects;
    return pagedByCreated(context, store.byCreated, org.id, (rows) =>
      Promise.all(rows.map((row) => present(context, org, row))),
    );
  },

  async createProvider(context) {
    const { db, objects, body, now } = context;
    const { org } = objects;
    await assertTeam(db, org, body.defaultTeam);
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
    return present(context, org, row);
  },

  viewProvider: (context) => present(context, context.objects.org, context.objects.provider),

  async editProvider(context) {
    const { db, objects, body } = context;
    const { org, provider } = objects;
    await assertTeam(db, org, body.defaultTeam);
    const row = await store.changeProvider(db, provider.id, {
      label: body.label,
      sso_url: body.ssoURL,
      entity_id: body.entityID,
      certificate: body.certificate,
      default_team: body.defaultTeam,
      default_role: body.defaultRole,
    });
    return present(context, org, row);
  },

  deleteProvider: ({ db, objects: { provider } }) => store.deleteProvider(db, provider.id),

  async logins({ db, objects: { org }, base }) {
    const providers = (await store.byCreated.list(db, org.id, undefined, allRows)).filter(isComplete);
    return {
      items: providers.map(({ id, label }) => ({ id, label, startURL: serviceOf(base, id).startURL })),
    };
  },
});
