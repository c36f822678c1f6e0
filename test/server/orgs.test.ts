import { expect, test } from 'vitest';
import { jsonText } from '../../src/store/json.ts';
import { testInstance } from '../support/instance.ts';

const faults = (answer: any) => answer.error.details.map(({ path, rule }: any) => `${path} ${rule}`);

test('whoever creates an organization is its administrator; it starts with default values', async () => {
  const { user, as, instance } = await testInstance();
  const ada = as(await user());

  const made = await ada('POST', '/v1/orgs', {
    title: 'Lumen',
    useCase: 'productDocs',
    emailDomains: ['lumen.example'],
  });

  const location = `${instance.base}/v1/orgs/${made.body.id}`;
  expect([made.status, made.headers.location]).toEqual([201, location]);
  expect(made.body).toEqual({
    object: 'organization',
    id: made.body.id,
    title: 'Lumen',
    createdAt: '2026-03-01T08:00:00.000Z',
    emailDomains: ['lumen.example'],
    type: 'business',
    useCase: 'productDocs',
    defaultRole: null,
    sso: false,
    ai: false,
    inviteLinks: true,
    plan: 'free_2024',
    urls: { location, app: `${instance.base}/o/${made.body.id}` },
    trial: { status: 'notapplicable' },
    internal_isOnNewTrial: true,
    permissions: {
      view: true,
      admin: true,
      ownTeam: false,
      createContent: true,
      createOpenAPISpec: true,
      viewBilling: true,
      listMembers: true,
      listTeams: true,
      listIntegrations: true,
    },
  });
  expect(faults(await ada('POST', '/v1/orgs', { type: 'club', emailDomains: ['no domain'] }))).toEqual([
    '/title required',
    '/emailDomains/0 pattern',
    '/type enum',
  ]);
});

test('permissions follow the role', async () => {
  const { user, as, orgPath } = await testInstance();
  const permissionsOf = async (role: 'create' | 'read' | null) =>
    Object.entries((await as(await user({ role }))('GET', orgPath)).body.permissions)
      .filter(([, may]) => may)
      .map(([name]) => name)
      .join(' ');

  expect(await permissionsOf('create')).toBe(
    'view createContent createOpenAPISpec listMembers listTeams listIntegrations',
  );
  expect(await permissionsOf('read')).toBe('view listMembers listTeams');
  expect(await permissionsOf(null)).toBe('view');
});

test('organizations are listed by title, ignoring case beyond ASCII too, page by page', async () => {
  const { user, as } = await testInstance();
  const ada = as(await user());
  const made = ['ärzte', 'beta', 'Äzz', 'Alpha', 'Ägypten'];
  for (const title of made) await ada('POST', '/v1/orgs', { title });

  const seen: string[] = [];
  for (let page = ''; ;) {
    const { body } = await ada('GET', `/v1/orgs?limit=1${page}`);
    expect(body.count).toBe(5);
    seen.push(body.items[0].title);
    if (!body.next) break;
    page = `&page=${body.next.page}`;
  }
  expect(seen).toEqual(['Alpha', 'beta', 'Ägypten', 'ärzte', 'Äzz']);
});

test('settings can be changed one by one; null clears some of them', async () => {
  const { call, orgPath } = await testInstance();
  const site = (await call('POST', `${orgPath}/sites`, { title: 'Docs' })).body.id;
  const change = {
    title: 'Lumen',
    emailDomains: ['Lumen.example', 'lumen.EXAMPLE', 'b.example'],
    hostname: 'lumen',
    defaultRole: 'comment',
    defaultContent: { type: 'site', site },
    logo: 'https://cdn.example/logo.svg',
    sso: true,
    ai: true,
    inviteLinks: false,
  };
  const before = (await call('GET', orgPath)).body;

  const after = (await call('PATCH', orgPath, change)).body;

  const { logo, emailDomains: _, ...same } = change;
  expect(after).toEqual({
    ...before,
    ...same,
    emailDomains: ['lumen.EXAMPLE', 'b.example'],
    urls: { ...before.urls, logo },
  });
  expect((await call('PATCH', orgPath, {})).body).toEqual(after);
  const cleared = (await call('PATCH', orgPath, { logo: null, defaultContent: null, defaultRole: null })).body;
  expect(cleared.urls).toEqual(before.urls);
  expect(cleared).not.toHaveProperty('defaultContent');
  expect(cleared.defaultRole).toBeNull();
  expect(
    faults(
      await call('PATCH', orgPath, {
        title: null,
        hostname: null,
        sso: null,
        logo: 'cdn',
        defaultContent: { type: 'space', site },
        plan: 'pro',
      }),
    ),
  ).toEqual(['/title type', '/hostname type', '/defaultContent/type enum', '/logo format', '/sso type']);
});

test('the default content must be a site of the organization', async () => {
  const { call, orgPath, otherOrg } = await testInstance();
  const other = await otherOrg();
  const foreign = (await other.call('POST', `/v1/orgs/${other.org}/sites`, { title: 'Docs' })).body.id;

  for (const site of [foreign, 'nothing']) {
    expect(faults(await call('PATCH', orgPath, { defaultContent: { type: 'site', site } }))).toEqual([
      '/defaultContent/site reference',
    ]);
  }
});

test('a hostname belongs to one organization', async () => {
  const { call, orgPath, otherOrg } = await testInstance();
  const other = await otherOrg();
  await other.call('PATCH', `/v1/orgs/${other.org}`, { hostname: 'taken' });

  const answer = await call('PATCH', orgPath, { hostname: 'taken', title: 'Changed' });

  expect([answer.status, answer.error.reason]).toEqual([409, 'already-exists']);
  expect((await call('GET', orgPath)).body.title).not.toBe('Changed');
  expect((await other.call('PATCH', `/v1/orgs/${other.org}`, { hostname: 'taken' })).status).toBe(200);
});

test('organizations are found by email domain, ignoring case, also by people who are not members', async () => {
  const { call, orgPath, user, as, otherOrg } = await testInstance();
  const other = await otherOrg();
  await call('PATCH', orgPath, { title: 'Zeta', emailDomains: ['Lumen.example'] });
  await other.call('PATCH', `/v1/orgs/${other.org}`, { title: 'alpha', emailDomains: ['lumen.example', 'b.example'] });
  const outsider = as(await user());

  const organizations = (await outsider('GET', '/v1/email-domains/LUMEN.example/orgs')).body.organizations;

  expect(organizations.map((item: any) => [item.title, item.permissions.view])).toEqual([
    ['alpha', false],
    ['Zeta', false],
  ]);
  expect((await call('GET', '/v1/email-domains/c.example/orgs')).body).toEqual({ organizations: [] });
  await other.call('PATCH', `/v1/orgs/${other.org}`, { emailDomains: [] });
  expect((await call('GET', '/v1/email-domains/b.example/orgs')).body).toEqual({ organizations: [] });
});

test('a trial expires at its end date; billing is for members only', async () => {
  const { call, org, orgPath, instance, clock, user, as } = await testInstance();
  const billing = {
    interval: 'yearly' as const,
    endDate: '2027-01-01T00:00:00.000Z',
    hasPaymentFailed: false,
    isScheduledToCancel: false,
  };
  const trial = { status: 'active' as const, endDate: '2026-03-01T09:00:00.000Z' };
  await instance.store.write((db) =>
    db
      .updateTable('organization')
      .set({ trial: jsonText(trial), billing: jsonText(billing) })
      .where('id', '=', org)
      .execute(),
  );
  await call('PATCH', orgPath, { emailDomains: ['lumen.example'] });

  expect((await call('GET', orgPath)).body).toMatchObject({ trial, billing });
  clock.advance(3_600_000);
  expect((await call('GET', orgPath)).body.trial).toEqual({ ...trial, status: 'expired' });
  const [seen] = (await as(await user())('GET', '/v1/email-domains/lumen.example/orgs')).body.organizations;
  expect(seen).not.toHaveProperty('billing');
});

test('a blocked organization can be read, but not changed', async () => {
  const { call, org, orgPath, instance } = await testInstance();
  const space = (await call('POST', `${orgPath}/spaces`)).body.id;
  await instance.store.write((db) =>
    db
      .updateTable('organization')
      .set({ blocked: jsonText({ reason: 'security' }) })
      .where('id', '=', org)
      .execute(),
  );

  expect((await call('GET', orgPath)).body.blocked).toEqual({ reason: 'security' });
  expect((await call('GET', `/v1/spaces/${space}`)).status).toBe(200);
  for (const [method, path] of [
    ['PATCH', orgPath],
    ['POST', `${orgPath}/spaces`],
    ['DELETE', `/v1/spaces/${space}`],
    ['POST', `${orgPath}/ping`],
  ] as const) {
    const answer = await call(method, path);
    expect([answer.status, answer.error.reason]).toEqual([403, 'organization-blocked']);
  }
});

test('a ping sets the time of the last visit, and returns claims where a published site uses them', async () => {
  const { call, orgPath, admin, clock, org } = await testInstance();
  clock.advance(5000);

  expect((await call('POST', `${orgPath}/ping`)).body).toEqual({});
  expect((await call('GET', `${orgPath}/members/${admin}`)).body.lastSeenAt).toBe('2026-03-01T08:00:05.000Z');

  const space = (await call('POST', `${orgPath}/spaces`)).body.id;
  const site = (await call('POST', `${orgPath}/sites`, { title: 'Docs', visibility: 'visitor-auth', spaces: [space] }))
    .body.id;
  expect((await call('POST', `${orgPath}/ping`)).body).toEqual({});
  await call('POST', `${orgPath}/sites/${site}/publish`);
  const { serviceVisitorClaims } = (await call('POST', `${orgPath}/ping`)).body;
  const [head, claims] = serviceVisitorClaims
    .split('.')
    .map((part: string) => Buffer.from(part, 'base64url').toString());
  expect(JSON.parse(head)).toEqual({ alg: 'HS256', typ: 'JWT' });
  const { iat, exp, ...who } = JSON.parse(claims);
  expect(who).toEqual({ sub: admin, email: 'admin@localhost', name: 'Local Admin', org });
  expect([iat * 1000, exp - iat]).toEqual([Date.parse('2026-03-01T08:00:05.000Z'), 3600]);
});
