import { expect, test } from 'vitest';
import { testInstance } from '../support/instance.ts';
import { rejection } from '../support/reject.ts';
import { makeSectionedSite, makeSite, makeSpace } from '../support/sites.ts';

test('the first section moves the site spaces outside sections to a section of their own, which is the default', async () => {
  const service = await testInstance();
  const { call } = service;
  const { path, siteSpaces } = await makeSite(service, ['Guide', 'Reference']);
  await call('PATCH', path, { defaultSiteSpace: siteSpaces[1] });
  const blog = await makeSpace(service, 'Blog');

  const added = await call('POST', `${path}/sections`, { spaceId: blog, icon: 'pen' });

  expect(added.status).toBe(201);
  expect(added.headers.location).toBe(`http://localhost:4000${path}/sections/${added.body.id}`);
  expect(added.body).toMatchObject({
    object: 'site-section',
    title: 'Blog',
    path: 'blog',
    icon: 'pen',
    default: false,
    urls: {},
  });
  expect(added.body.siteSpaces).toMatchObject([{ title: 'Blog', path: 'blog', section: added.body.id, default: true }]);
  const { items, count } = (await call('GET', `${path}/sections`)).body;
  expect(count).toBe(2);
  expect(items[0]).toMatchObject({ title: 'Reference', path: 'reference', default: true });
  expect(items[0].siteSpaces.map((item: any) => [item.id, item.default])).toEqual([
    [siteSpaces[0], false],
    [siteSpaces[1], true],
  ]);
  expect(items[1]).toEqual(added.body);
});

test('in a site without site spaces the first section is the default', async () => {
  const service = await testInstance();
  const { path } = await makeSite(service, []);

  const added = await service.call('POST', `${path}/sections`, { spaceId: await makeSpace(service, 'A'), title: null });

  expect(added.body).toMatchObject({ title: 'Section', path: 'section', default: true });
  expect((await service.call('GET', `${path}/sections`)).body.count).toBe(1);
});

test('paths of new sections are unique in the site; a path that is taken is refused', async () => {
  const service = await testInstance();
  const { call } = service;
  const { path, sections } = await makeSectionedSite(service, ['Guide', 'Guide', 'Guide']);
  const paths = async () => (await call('GET', `${path}/sections`)).body.items.map((item: any) => item.path);

  expect(await paths()).toEqual(['guide', 'guide-2', 'guide-3']);
  expect(rejection(await call('PATCH', `${path}/sections/${sections[1]}`, { path: 'guide', title: 'Nope' }))).toEqual([
    409,
    'already-exists',
  ]);
  expect((await call('PATCH', `${path}/sections/${sections[1]}`, { path: 'guides/all' })).body).toMatchObject({
    path: 'guides/all',
    title: 'Guide',
  });
  expect((await call('PATCH', `${path}/sections/${sections[1]}`, { path: 'guides/all' })).status).toBe(200);
});

test('settings of a section can be changed, null clears, members that are not sent stay', async () => {
  const service = await testInstance();
  const { call } = service;
  const { path, sections } = await makeSectionedSite(service, ['Guide']);
  const section = `${path}/sections/${sections[0]}`;
  const second = (
    await call('POST', `${path}/site-spaces`, { spaceId: await makeSpace(service, 'More'), sectionId: sections[0] })
  ).body;

  const all = { condition: 'visitor.claims.beta', icon: 'book', description: 'Step by step' };
  const changed = await call('PATCH', section, { ...all, title: 'Guides', defaultSiteSpace: second.id });
  expect(changed.body).toMatchObject({ ...all, title: 'Guides' });
  expect(changed.body.siteSpaces.map((item: any) => item.default)).toEqual([false, true]);
  expect((await call('PATCH', section, {})).body).toEqual(changed.body);

  const cleared = (await call('PATCH', section, { condition: null, icon: null, description: null })).body;
  expect(Object.keys(all).filter((key) => key in cleared)).toEqual([]);
  expect(cleared.title).toBe('Guides');

  const other = (await call('POST', `${path}/sections`, { spaceId: await makeSpace(service, 'Other') })).body;
  expect(rejection(await call('PATCH', section, { defaultSiteSpace: other.siteSpaces[0].id, title: 'Never' }))).toEqual(
    [400, 'validation', '/defaultSiteSpace reference'],
  );
});

test('removing a section removes its site spaces; another one becomes the default', async () => {
  const service = await testInstance();
  const { call } = service;
  const { path, sections } = await makeSectionedSite(service, ['One', 'Two', 'Three']);
  await call('POST', `${path}/sections/${sections[2]}/move`, {
    position: { before: { type: 'site-section', siteSection: sections[1] } },
  });

  expect((await call('DELETE', `${path}/sections/${sections[0]}`)).status).toBe(205);

  const { items } = (await call('GET', `${path}/sections`)).body;
  expect(items.map((item: any) => [item.title, item.default])).toEqual([
    ['Three', true],
    ['Two', false],
  ]);
  expect((await call('GET', path)).body.siteSpaces).toBe(2);
  // Handed on for good: what moves to the front later does not take it.
  await call('POST', `${path}/sections/${sections[2]}/move`);
  expect((await call('GET', `${path}/sections`)).body.items[1]).toMatchObject({ title: 'Three', default: true });
  for (const id of sections.slice(1)) expect((await call('DELETE', `${path}/sections/${id}`)).status).toBe(205);
  expect((await call('GET', path)).body).toMatchObject({ siteSpaces: 0 });
});

test('a section moves next to another one, or to the end', async () => {
  const service = await testInstance();
  const { call } = service;
  const { path, sections } = await makeSectionedSite(service, ['A0', 'B0', 'C0', 'D0']);
  const [a, b, c, d] = sections as [string, string, string, string];
  const order = async () =>
    (await call('GET', `${path}/sections`)).body.items.map((item: any) => item.title[0]).join('');
  const pointerTo = (id: string) => ({ type: 'site-section', siteSection: id });
  const move = (id: string, position?: object) => call('POST', `${path}/sections/${id}/move`, position && { position });

  expect((await move(a)).body).toMatchObject({ id: a, default: true });
  expect(await order()).toBe('BCDA');
  await move(d, { before: pointerTo(b) });
  expect(await order()).toBe('DBCA');
  await move(d, { after: pointerTo(b) });
  expect(await order()).toBe('BDCA');
  await move(a, { after: pointerTo(b), before: pointerTo(d) });
  expect(await order()).toBe('BADC');
  expect((await move(a, { after: pointerTo(b) })).status).toBe(200);
  expect((await move(c, {})).status).toBe(200);
  expect(await order()).toBe('BADC');

  const other = await makeSectionedSite(service, ['X0']);
  expect(rejection(await move(a, { before: pointerTo(other.sections[0]!) }))[2]).toBe('/position/before reference');
  expect(rejection(await move(a, { after: pointerTo(a) }))[2]).toBe('/position/after reference');
  expect(rejection(await move(a, { after: pointerTo(b), before: pointerTo(c) }))).toEqual([
    400,
    'validation',
    '/position conflict',
  ]);
  expect(rejection(await move(a, { before: { type: 'site-space', siteSection: b } }))[2]).toBe(
    '/position/before/type enum',
  );
  expect(await order()).toBe('BADC');
});

test('sections are listed page by page, also when one is removed', async () => {
  const service = await testInstance();
  const { call } = service;
  const { path, sections } = await makeSectionedSite(service, ['A0', 'B0', 'C0', 'D0']);

  const first = await call('GET', `${path}/sections?limit=2`);
  await call('DELETE', `${path}/sections/${sections[1]}`);
  const second = await call('GET', `${path}/sections?limit=2&page=${first.body.next.page}`);

  expect(second.body.items.map((item: any) => item.title)).toEqual(['C0', 'D0']);
  expect(second.body).toMatchObject({ count: 3 });
  expect(second.body.next).toBeUndefined();
});

test('a section of another site is not found', async () => {
  const service = await testInstance();
  const { call } = service;
  const one = await makeSectionedSite(service, ['A0']);
  const two = await makeSite(service);

  for (const [method, tail] of [
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/move'],
  ] as const) {
    expect((await call(method, `${two.path}/sections/${one.sections[0]}${tail}`)).status).toBe(404);
  }
});
