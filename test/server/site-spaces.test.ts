import { expect, test } from 'vitest';
import { testInstance } from '../support/instance.ts';
import { rejection } from '../support/reject.ts';
import { makeSectionedSite, makeSite, makeSpace } from '../support/sites.ts';

test('a space is added at the end, with a unique path, to the root, a section, or the default section', async () => {
  const service = await testInstance();
  const { call } = service;
  const plain = await makeSite(service, ['Guide']);
  const again = await call('POST', `${plain.path}/site-spaces`, { spaceId: await makeSpace(service, 'Guide') });
  expect(again.status).toBe(201);
  expect(again.headers.location).toBe(`http://localhost:4000${plain.path}/site-spaces/${again.body.id}`);
  expect(again.body).toMatchObject({
    object: 'site-space',
    title: 'Guide',
    path: 'guide-2',
    default: false,
    hasAdvancedCustomizationFeature: false,
    urls: {},
  });
  expect('section' in again.body).toBe(false);

  const { path, sections } = await makeSectionedSite(service, ['A0', 'B0']);
  const spaceId = await makeSpace(service, 'C0');
  const inDefault = await call('POST', `${path}/site-spaces`, { spaceId });
  expect(inDefault.body).toMatchObject({ section: sections[0], path: 'c0' });
  const inSecond = await call('POST', `${path}/site-spaces`, { spaceId, sectionId: sections[1] });
  expect(inSecond.body).toMatchObject({ section: sections[1], path: 'c0' });
  expect((await call('GET', `${path}/site-spaces`)).body.items.map((item: any) => item.title)).toEqual([
    'A0',
    'C0',
    'B0',
    'C0',
  ]);

  const bad = await call('POST', `${path}/site-spaces`, { spaceId, sectionId: 'nonsense' });
  expect(rejection(bad)).toEqual([400, 'validation', '/sectionId reference']);
  expect(rejection(await call('POST', `${path}/site-spaces`, { spaceId: 'nonsense' }))[2]).toBe('/spaceId reference');
});

test('path and condition can be changed; a path must be unique in the section', async () => {
  const service = await testInstance();
  const { call } = service;
  const { path, siteSpaces } = await makeSite(service, ['A0', 'B0']);
  const second = `${path}/site-spaces/${siteSpaces[1]}`;

  expect(rejection(await call('PATCH', second, { path: 'a0' }))).toEqual([409, 'already-exists']);
  const changed = await call('PATCH', second, { path: 'b', condition: 'visitor.claims.beta' });
  expect(changed.body).toMatchObject({ path: 'b', condition: 'visitor.claims.beta' });
  expect((await call('PATCH', second, { path: 'b' })).body).toEqual(changed.body);
  expect('condition' in (await call('PATCH', second, { condition: null })).body).toBe(false);
});

test('removing the default makes another one the default; the only site space of a section cannot be removed', async () => {
  const service = await testInstance();
  const { call } = service;
  const { path, siteSpaces } = await makeSite(service, ['A0', 'B0', 'C0']);
  const list = async () =>
    (await call('GET', `${path}/site-spaces`)).body.items.map((item: any) => [item.title, item.default]);

  expect((await call('DELETE', `${path}/site-spaces/${siteSpaces[0]}`)).status).toBe(205);
  expect(await list()).toEqual([
    ['B0', true],
    ['C0', false],
  ]);
  await call('POST', `${path}/site-spaces/${siteSpaces[1]}/move`);
  expect(await list()).toEqual([
    ['C0', false],
    ['B0', true],
  ]);
  for (const id of siteSpaces.slice(1)) await call('DELETE', `${path}/site-spaces/${id}`);
  expect((await call('GET', path)).body.siteSpaces).toBe(0);

  const sectioned = await makeSectionedSite(service, ['A0', 'B0']);
  const [first] = (await call('GET', `${sectioned.path}/site-spaces`)).body.items;
  expect(rejection(await call('DELETE', `${sectioned.path}/site-spaces/${first.id}`))).toEqual([409, 'invalid-state']);
});

test('a site space moves within its section only', async () => {
  const service = await testInstance();
  const { call } = service;
  const { path, siteSpaces } = await makeSite(service, ['A0', 'B0', 'C0']);
  const [a, b, c] = siteSpaces as [string, string, string];
  const order = async () =>
    (await call('GET', `${path}/site-spaces`)).body.items.map((item: any) => item.title[0]).join('');
  const pointerTo = (siteSpace: string) => ({ type: 'site-space', siteSpace });
  const move = (id: string, position?: object) =>
    call('POST', `${path}/site-spaces/${id}/move`, position && { position });

  expect((await move(a)).body).toMatchObject({ id: a, default: true });
  expect(await order()).toBe('BCA');
  await move(a, { before: pointerTo(b) });
  expect(await order()).toBe('ABC');
  await move(a, { after: pointerTo(b), before: pointerTo(c) });
  expect(await order()).toBe('BAC');
  expect((await move(a, { after: pointerTo(b) })).status).toBe(200);
  expect(rejection(await move(a, { after: pointerTo(a) }))[2]).toBe('/position/after reference');
  expect(rejection(await move(a, { after: pointerTo(c), before: pointerTo(b) }))[2]).toBe('/position conflict');

  const section = (await call('POST', `${path}/sections`, { spaceId: await makeSpace(service, 'D0') })).body;
  expect(rejection(await move(a, { before: pointerTo(section.siteSpaces[0].id) }))[2]).toBe(
    '/position/before reference',
  );
});

test('site spaces of a deleted space are hidden until it is restored, and purged with it', async () => {
  const service = await testInstance();
  const { call, orgPath, clock } = service;
  const { path, spaces, siteSpaces } = await makeSite(service, ['A0', 'B0', 'C0']);
  await call('POST', `${path}/publish`);
  const list = async () =>
    (await call('GET', `${path}/site-spaces`)).body.items.map((item: any) => [item.title, item.default]);

  await call('DELETE', `/v1/spaces/${spaces[0]}`);

  expect(await list()).toEqual([
    ['B0', true],
    ['C0', false],
  ]);
  expect((await call('GET', path)).body.siteSpaces).toBe(2);
  expect((await call('GET', `${orgPath}/sites?space=${spaces[0]}`)).body.count).toBe(0);
  expect((await call('GET', `/v1/spaces/${spaces[0]}`)).body.visibility).toBe('private');
  for (const [method, tail] of [
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/move'],
  ] as const) {
    expect((await call(method, `${path}/site-spaces/${siteSpaces[0]}${tail}`)).status).toBe(404);
  }
  const beside = { position: { after: { type: 'site-space', siteSpace: siteSpaces[0] } } };
  expect((await call('POST', `${path}/site-spaces/${siteSpaces[1]}/move`, beside)).status).toBe(400);
  expect((await call('PATCH', path, { defaultSiteSpace: siteSpaces[0] })).status).toBe(400);

  await call('POST', `/v1/spaces/${spaces[0]}/restore`);
  expect(await list()).toEqual([
    ['A0', true],
    ['B0', false],
    ['C0', false],
  ]);

  await call('DELETE', `/v1/spaces/${spaces[0]}`);
  clock.advance(8 * 86_400_000);
  const { catchUp } = await import('../../src/server/open-instance.ts');
  await catchUp(service.instance);
  expect(await list()).toEqual([
    ['B0', true],
    ['C0', false],
  ]);
  await call('POST', `${path}/site-spaces/${siteSpaces[1]}/move`);
  expect(await list()).toEqual([
    ['C0', false],
    ['B0', true],
  ]);
});

test('the only visible site space of a section cannot be removed, even if it has hidden ones', async () => {
  const service = await testInstance();
  const { call } = service;
  const { path, sections } = await makeSectionedSite(service, ['A0']);
  const spaceId = await makeSpace(service, 'B0');
  const added = await call('POST', `${path}/site-spaces`, { spaceId, sectionId: sections[0] });
  const [first] = (await call('GET', `${path}/site-spaces`)).body.items;
  await call('DELETE', `/v1/spaces/${spaceId}`);

  expect((await call('DELETE', `${path}/site-spaces/${first.id}`)).status).toBe(409);
  await call('POST', `/v1/spaces/${spaceId}/restore`);
  expect((await call('DELETE', `${path}/site-spaces/${first.id}`)).status).toBe(205);
  expect((await call('GET', `${path}/sections`)).body.items[0].siteSpaces).toMatchObject([
    { id: added.body.id, default: true },
  ]);
});

test('the title of a site space is always its space’s', async () => {
  const service = await testInstance();
  const { call } = service;
  const { path, spaces } = await makeSite(service, ['Before']);

  await call('PATCH', `/v1/spaces/${spaces[0]}`, { title: 'After' });

  expect((await call('GET', `${path}/site-spaces`)).body.items[0]).toMatchObject({ title: 'After', path: 'before' });
});

test('site spaces are listed page by page, section after section', async () => {
  const service = await testInstance();
  const { call } = service;
  const { path, sections } = await makeSectionedSite(service, ['A0', 'B0', 'C0']);
  await call('POST', `${path}/site-spaces`, { spaceId: await makeSpace(service, 'D0'), sectionId: sections[0] });
  await call('POST', `${path}/sections/${sections[2]}/move`, {
    position: { before: { type: 'site-section', siteSection: sections[0] } },
  });

  const seen: string[] = [];
  for (let page = ''; ;) {
    const { body } = await call('GET', `${path}/site-spaces?limit=1${page}`);
    expect(body.count).toBe(4);
    seen.push(...body.items.map((item: any) => item.title));
    if (!body.next) break;
    page = `&page=${body.next.page}`;
  }

  expect(seen).toEqual(['C0', 'A0', 'D0', 'B0']);
});
