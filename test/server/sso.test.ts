import { expect, test } from 'vitest';
import { certificate } from '../support/certificate.ts';
import { testInstance } from '../support/instance.ts';

const bare = certificate.split('\n').slice(1, -2).join('');
const whole = { ssoURL: 'https://id.lumen.example/sso', entityID: 'urn:lumen', certificate };

async function service() {
  const made = await testInstance();
  const saml = `${made.orgPath}/saml`;
  const create = async (body: object) => made.call('POST', saml, body);
  return { ...made, saml, create };
}

test('a provider is complete; members that were not sent are empty', async () => {
  const { create, call, saml, instance } = await service();

  const made = await create({ label: 'Lumen ID' });

  const { id } = made.body;
  const location = `${instance.base}${saml}/${id}`;
  expect([made.status, made.headers.location]).toEqual([201, location]);
  expect(made.body).toEqual({
    object: 'saml-provider',
    id,
    label: 'Lumen ID',
    ssoURL: '',
    entityID: '',
    certificate: '',
    defaultRole: 'read',
    createdAt: '2026-03-01T08:00:00.000Z',
    service: {
      acsURL: `${instance.base}/saml/${id}/acs`,
      startURL: `${instance.base}/saml/${id}/login`,
      entityID: `${instance.base}/saml/${id}`,
    },
    urls: { location },
  });
  expect((await call('GET', `${saml}/${id}`)).body).toEqual(made.body);
});

test("the default role is the one given, else the organization's, else read", async () => {
  const { create, call, orgPath } = await service();

  expect((await create({ label: 'a', defaultRole: null })).body.defaultRole).toBeNull();
  await call('PATCH', orgPath, { defaultRole: 'edit' });
  expect((await create({ label: 'b' })).body.defaultRole).toBe('edit');
  expect((await create({ label: 'c', defaultRole: 'admin' })).body.defaultRole).toBe('admin');
});

test('a certificate is any text of up to 10,000 characters, stored as sent: it is checked by whoever uses it', async () => {
  const { create, call, saml } = await service();
  const described = '-----BEGIN CERTIFICATE-----\nMIIBinvented\n-----END CERTIFICATE-----';
  const { id } = (await create({ label: 'a', certificate })).body;

  expect((await call('GET', `${saml}/${id}`)).body.certificate).toBe(certificate);
  for (const text of [described, bare, bare.replace(/(.{60})/g, '$1\r\n'), `\n${certificate}\n`, 'none yet', '']) {
    expect((await call('PATCH', `${saml}/${id}`, { certificate: text })).body.certificate).toBe(text);
  }
  expect((await create({ label: 'b', certificate: 'x'.repeat(10_000) })).status).toBe(201);
  const { error } = await call('PATCH', `${saml}/${id}`, { certificate: 'x'.repeat(10_001) });
  expect(error.details).toMatchObject([{ path: '/certificate', rule: 'maxLength' }]);
});

test('all invalid values are reported at once', async () => {
  const { create, call, saml } = await service();

  const shapes = await create({ ssoURL: 'ftp://id.lumen.example', defaultRole: 'boss' });
  expect(shapes.error.details?.map(({ path, rule }) => `${path} ${rule}`)).toEqual([
    '/label required',
    '/ssoURL format',
    '/defaultRole enum',
  ]);
  const meanings = await create({ label: 'a', defaultTeam: 'nothing' });
  expect(meanings.error.details?.map(({ path, rule }) => `${path} ${rule}`)).toEqual(['/defaultTeam reference']);
  expect((await call('GET', saml)).body.count).toBe(0);
});

test('the default team is a whole object, and empty after the team is deleted', async () => {
  const { create, call, saml, orgPath, otherOrg } = await service();
  const team = (await call('PUT', `${orgPath}/teams`, { title: 'Writers' })).body;
  const { id } = (await create({ label: 'a', defaultTeam: team.id })).body;

  expect((await call('GET', `${saml}/${id}`)).body.defaultTeam).toEqual(team);
  await call('DELETE', `${orgPath}/teams/${team.id}`);
  expect((await call('GET', `${saml}/${id}`)).body).not.toHaveProperty('defaultTeam');
  const other = await otherOrg();
  const foreign = (await other.call('PUT', `/v1/orgs/${other.org}/teams`, { title: 'Other' })).body.id;
  expect((await call('PATCH', `${saml}/${id}`, { defaultTeam: foreign })).error.details).toMatchObject([
    { rule: 'reference' },
  ]);
});

test('edits keep members that are not sent; deleted providers cannot be found', async () => {
  const { create, call, saml } = await service();
  const made = (await create({ label: 'a', ...whole })).body;
  const path = `${saml}/${made.id}`;

  expect((await call('PATCH', path, { label: 'b', entityID: '' })).body).toEqual({ ...made, label: 'b', entityID: '' });
  expect((await call('PATCH', path)).body.label).toBe('b');
  expect((await call('PATCH', path, { label: '' })).error.details).toMatchObject([
    { path: '/label', rule: 'minLength' },
  ]);
  expect((await call('DELETE', path)).status).toBe(204);
  for (const method of ['GET', 'PATCH', 'DELETE']) expect((await call(method, path)).status).toBe(404);
});

test('providers are listed oldest first; anybody can list the complete ones to sign in', async () => {
  const { create, call, saml, clock, as, user, orgPath, instance } = await service();
  const ids: string[] = [];
  for (const body of [whole, {}, { ...whole, certificate: '' }, whole]) {
    ids.push((await create({ label: `p${ids.length}`, ...body })).body.id);
    clock.advance(1000);
  }

  const first = await call('GET', `${saml}?limit=3`);
  const rest = await call('GET', `${saml}?limit=3&page=${first.body.next.page}`);
  expect([first, rest].flatMap(({ body }) => body.items.map((item: any) => item.id))).toEqual(ids);
  expect(first.body.count).toBe(4);
  const outsider = await user();
  expect((await as(outsider)('GET', `${orgPath}/sso`)).body).toEqual({
    items: [0, 3].map((index) => ({
      id: ids[index],
      label: `p${index}`,
      startURL: `${instance.base}/saml/${ids[index]}/login`,
    })),
  });
  expect((await call('GET', '/v1/orgs/nothing/sso')).status).toBe(404);
});

test('only administrators manage SAML, each in one organization', async () => {
  const { create, saml, user, as, otherOrg } = await service();
  const { id } = (await create({ label: 'a' })).body;
  const creator = as(await user({ role: 'create' }));
  const other = await otherOrg();

  for (const [method, path] of [
    ['GET', saml],
    ['POST', saml],
    ['GET', `${saml}/${id}`],
    ['PATCH', `${saml}/${id}`],
    ['DELETE', `${saml}/${id}`],
  ] as const) {
    expect((await creator(method, path)).status).toBe(403);
    expect((await other.call(method, path)).status).toBe(404);
  }
  expect((await other.call('GET', `/v1/orgs/${other.org}/saml/${id}`)).status).toBe(404);
});
