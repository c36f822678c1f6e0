import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testInstance } from '../support/instance.ts';
import { insertPage } from '../support/page-writes.ts';
import { rejection } from '../support/reject.ts';
import { makeSite, makeSpace } from '../support/sites.ts';

const pair = (light: string, dark = light) => ({ light, dark });

test('a new site has the default settings, and its own title until another is set', async () => {
  const service = await testInstance();
  const { call } = service;
  const { path } = await makeSite(service);

  const { body } = await call('GET', `${path}/customization`);

  expect(body).toMatchObject({
    title: 'Docs',
    styling: { theme: 'clean', font: 'Inter', primaryColor: { light: '#346DDB', dark: '#7BA3F0' } },
    favicon: { emoji: '📘' },
    header: { links: [] },
    footer: { groups: [] },
    themes: { default: 'light', toggeable: true },
    pdf: { enabled: true },
    insights: { trackingCookie: true },
  });
  expect('copyright' in body.footer).toBe(false);
  await call('PATCH', path, { title: 'Renamed' });
  expect((await call('GET', `${path}/customization`)).body).toEqual({ ...body, title: 'Renamed' });
  expect((await call('PUT', `${path}/customization`, { ...body, title: 'Own' })).body.title).toBe('Own');
  await call('PATCH', path, { title: 'Again' });
  expect((await call('GET', `${path}/customization`)).body.title).toBe('Own');
});

test('all settings are stored as sent, and shown by the published site', async () => {
  const service = await testInstance();
  const { call } = service;
  const { path, spaces } = await makeSite(service);
  await call('POST', `${path}/publish`);
  const { body: before } = await call('GET', `${path}/customization`);
  const picture = pair('https://cdn.example/light.png', 'https://cdn.example/dark.png');
  const settings = {
    ...before,
    title: 'Lumen',
    styling: { ...before.styling, tint: { color: pair('#abc', '#ABCDEF') }, corners: 'circular', font: 'FiraSans' },
    internationalization: { locale: 'pt-br' },
    favicon: { icon: picture },
    header: {
      logo: picture,
      backgroundColor: pair('#fff', '#000'),
      linkColor: pair('#123456'),
      links: [
        { title: 'Sheet', style: 'button-primary', to: { kind: 'file', file: 'Fi6Hj9kLa3Sd' }, links: [] },
        {
          title: 'More',
          to: null,
          condition: 'visitor.claims.beta',
          links: [{ title: 'Handbook', to: { kind: 'space', space: spaces[0] } }],
        },
      ],
    },
    footer: {
      logo: picture,
      groups: [{ title: 'Shop', links: [{ title: 'Shop', to: { kind: 'url', url: 'https://pumps.example/' } }] }],
      copyright: '2026 Lumen',
    },
    announcement: {
      enabled: true,
      message: 'New',
      link: { title: 'See', to: { kind: 'anchor', anchor: 'new' } },
      style: 'info',
    },
    privacyPolicy: { url: 'https://lumen.example/privacy' },
    socialPreview: { url: 'https://lumen.example/social.png' },
    advancedCustomization: { enabled: true },
    insights: { trackingCookie: false },
  };

  const set = await call('PUT', `${path}/customization`, settings);

  expect(set.status).toBe(200);
  expect(set.body).toEqual(settings);
  expect((await call('GET', `${path}/customization`)).body).toEqual(settings);
  expect((await call('GET', `${path}/published`)).body.customizations).toEqual({ site: settings, siteSpaces: {} });
  expect((await call('GET', `${path}/site-spaces`)).body.items[0].hasAdvancedCustomizationFeature).toBe(true);
  const sparse = await call('PUT', `${path}/customization`, { ...settings, insights: {}, unknown: 1 });
  expect(sparse.body).toEqual({ ...settings, insights: { trackingCookie: true } });
});

test('every invalid setting is reported at its place', async () => {
  const service = await testInstance();
  const { call } = service;
  const { path } = await makeSite(service);
  const { body: good } = await call('GET', `${path}/customization`);
  const put = async (change: object) => rejection(await call('PUT', `${path}/customization`, { ...good, ...change }));

  expect(
    await put({
      title: 'x',
      styling: { ...good.styling, theme: 'loud', primaryColor: pair('red', '#12345') },
      favicon: { emoji: '📘', icon: pair('https://a.example/i.png') },
      themes: { default: 'blue', toggeable: 'yes' },
      pdf: {},
      privacyPolicy: { url: 'javascript:alert(1)' },
    }),
  ).toEqual([
    400,
    'validation',
    '/title minLength',
    '/styling/theme enum',
    '/styling/primaryColor/light pattern',
    '/styling/primaryColor/dark pattern',
    '/favicon conflict',
    '/themes/default enum',
    '/themes/toggeable type',
    '/pdf/enabled required',
    '/privacyPolicy/url format',
  ]);
  const { pdf: _, ...lacking } = good;
  expect(rejection(await call('PUT', `${path}/customization`, lacking))).toEqual([400, 'validation', '/pdf required']);
  const header = (to: unknown) => ({ header: { links: [{ title: 'x', to, links: [] }] } });
  expect(await put(header({ kind: 'page' }))).toEqual([400, 'validation', '/header/links/0/to/page required']);
  expect((await put(header({ kind: 'moon' })))[2]).toMatch(/^\/header\/links\/0\/to\/kind /);
  expect((await call('GET', `${path}/customization`)).body).toEqual(good);
});

test('links to spaces, collections and users must be to objects that the caller can see', async () => {
  const service = await testInstance();
  const { call, admin, orgPath, otherOrg } = service;
  const { path } = await makeSite(service);
  const { body: good } = await call('GET', `${path}/customization`);
  const other = await otherOrg();
  const foreign = (await other.call('POST', `/v1/orgs/${other.org}/spaces`, {})).body.id;
  const gone = await makeSpace(service);
  await call('DELETE', `/v1/spaces/${gone}`);
  const collection = (await call('POST', `${orgPath}/collections`, {})).body.id;
  const link = (to: object) => ({ title: 'x', to });

  const bad = await call('PUT', `${path}/customization`, {
    ...good,
    header: {
      links: [
        { ...link({ kind: 'space', space: foreign }), links: [link({ kind: 'user', user: other.admin })] },
        { ...link({ kind: 'page', page: 'Pg4Wq7eRt1Yu', space: gone }), links: [] },
      ],
    },
    footer: { groups: [{ title: '', links: [link({ kind: 'collection', collection: 'nonsense' })] }] },
  });
  expect(rejection(bad)).toEqual([
    400,
    'validation',
    '/header/links/0/to/space reference',
    '/header/links/1/to/space reference',
    '/header/links/0/links/0/to/user reference',
    '/footer/groups/0/links/0/to/collection reference',
  ]);
  const footer = {
    groups: [{ title: '', links: [link({ kind: 'collection', collection }), link({ kind: 'user', user: admin })] }],
  };
  expect((await call('PUT', `${path}/customization`, { ...good, footer })).status).toBe(200);
});

test('pages link to their sources and to assistants if the settings say so', async () => {
  const service = await testInstance();
  const { call, instance } = service;
  const { path, spaces } = await makeSite(service);
  await call('POST', `${path}/publish`);
  const id = await insertPage(service, `/v1/spaces/${spaces[0]}`, 'Pump', 'Text');
  await instance.store.write(async (db) => {
    const gitSync = JSON.stringify({ installationProvider: 'github', url: 'https://github.example/o/r/tree/main' });
    await sql`update space set git_sync = ${gitSync} where id = ${spaces[0]}`.execute(db);
    const extra = JSON.stringify({ git: { oid: 'x', path: 'docs/pump.md' } });
    await sql`update page_version set extra = ${extra} where page = ${id}`.execute(db);
  });
  const { body: settings } = await call('GET', `${path}/customization`);
  const page = async () => {
    const request = { method: 'GET', query: new URLSearchParams(), headers: { accept: 'text/html' } };
    return String((await instance.handle({ ...request, path: `/published/${service.org}/docs/` })).body);
  };
  const hidden = await page();
  expect(hidden).not.toContain('github.example');
  expect(hidden).not.toContain('chatgpt.com');

  const pageActions = { ...settings.pageActions, externalAI: true };
  await call('PUT', `${path}/customization`, { ...settings, git: { showEditLink: true }, pageActions });

  const shown = await page();
  expect(shown).toContain('href="https://github.example/o/r/edit/main/docs/pump.md"');
  const question = encodeURIComponent(
    `Read ${instance.base}/published/${service.org}/docs/pump and answer my questions about this page.`,
  );
  expect(shown).toContain(`href="https://chatgpt.com/?hints=search&amp;q=${question}"`);
  expect(shown).toContain(`href="https://claude.ai/new?q=${question}"`);
});
