import { expect, test } from 'vitest';
import { testInstance } from '../support/instance.ts';
import { makeSectionedSite, makeSite, makeSpace } from '../support/sites.ts';

const published = 'http://localhost:4000/published';

test('share links can be created, renamed, switched off and deleted, and are listed newest first', async () => {
  const service = await testInstance();
  const { call, org, clock } = service;
  const { path } = await makeSite(service);
  const links = `${path}/share-links`;

  const made = await call('POST', links, { name: 'Press' });
  expect(made.status).toBe(201);
  expect(made.headers.location).toBe(`http://localhost:4000${links}/${made.body.id}`);
  const { id, urls, ...rest } = made.body;
  expect(rest).toEqual({
    object: 'share-link',
    createdAt: '2026-03-01T08:00:00.000Z',
    name: 'Press',
    active: true,
  });
  expect(urls.published).toMatch(new RegExp(`^${published}/${org}/docs/[A-Za-z0-9]{24}$`));

  clock.advance(1000);
  const second = (await call('POST', links, { name: '' })).body;
  const page = await call('GET', `${links}?limit=1`);
  expect(page.body).toMatchObject({ count: 2, items: [{ id: second.id }] });
  expect((await call('GET', `${links}?page=${page.body.next.page}`)).body.items).toEqual([made.body]);

  const changed = await call('PATCH', `${links}/${id}`, { name: 'Old press', active: false });
  expect(changed.body).toEqual({ ...made.body, name: 'Old press', active: false });
  expect((await call('PATCH', `${links}/${id}`, {})).body).toEqual(changed.body);
  expect((await call('DELETE', `${links}/${id}`)).status).toBe(205);
  expect((await call('DELETE', `${links}/${id}`)).status).toBe(404);
  expect((await call('GET', links)).body.count).toBe(1);
  const other = await makeSite(service);
  expect((await call('PATCH', `${other.path}/share-links/${second.id}`, {})).status).toBe(404);
});

test('published addresses: none before publishing, defaults left out, then parts by their paths', async () => {
  const service = await testInstance();
  const { call, org, orgPath } = service;
  const { path, sections } = await makeSectionedSite(service, ['Guides', 'Reference']);
  await call('PATCH', `${path}/sections/${sections[1]}`, { path: 'ref&more' });
  const addresses = async () =>
    (await call('GET', `${path}/sections`)).body.items.flatMap((item: any) => [
      item.urls.published,
      item.siteSpaces[0].urls.published,
      item.siteSpaces[0].space.urls.published,
      item.siteSpaces[0].space.urls.public,
    ]);

  expect(await addresses()).toEqual(Array.from({ length: 8 }));
  await call('POST', `${path}/publish`);
  const site = `${published}/${org}/docs/`;
  const second = `${site}ref%26more/`;
  expect(await addresses()).toEqual([site, site, site, site, second, second, second, second]);

  const third = await call('POST', `${orgPath}/spaces`, { title: 'Variant' });
  await call('POST', `${path}/site-spaces`, { spaceId: third.body.id, sectionId: sections[1] });
  const variant = (await call('GET', `${path}/site-spaces`)).body.items[2];
  expect([variant.urls.published, variant.space.urls.published]).toEqual([`${second}variant/`, `${second}variant/`]);

  await call('PATCH', orgPath, { hostname: 'lumen' });
  expect((await call('GET', path)).body.urls.published).toBe(`${published}/lumen/docs/`);
  await call('PATCH', path, { proxy: 'lumen.example/docs' });
  expect((await call('GET', path)).body.urls.published).toBe('https://lumen.example/docs/');
  expect((await addresses())[4]).toBe('https://lumen.example/docs/ref%26more/');
});

test('a space has the address of its site space, whatever is default', async () => {
  const service = await testInstance();
  const { call } = service;
  const { path, sections } = await makeSectionedSite(service, ['A0', 'B0', 'C0']);
  const spaceId = await makeSpace(service, 'D0');
  const added = (await call('POST', `${path}/site-spaces`, { spaceId, sectionId: sections[1] })).body.id;
  await call('POST', `${path}/publish`);
  await call('PATCH', path, { defaultSiteSection: sections[1], defaultSiteSpace: added });
  const addresses = async () => {
    const { items } = (await call('GET', `${path}/site-spaces`)).body;
    return items.map(({ title, urls, space }: any) => [title, urls.published, space.urls.published]);
  };
  const both = (title: string, address: string) => [title, address, address];
  const site = `${published}/${service.org}/docs/`;

  expect(await addresses()).toEqual([
    both('A0', `${site}a0/`),
    both('B0', `${site}b0/`),
    both('D0', site),
    both('C0', `${site}c0/`),
  ]);
  await call('DELETE', `/v1/spaces/${spaceId}`);
  expect(await addresses()).toEqual([both('A0', `${site}a0/`), both('B0', site), both('C0', `${site}c0/`)]);
});

test('a share-link site shows its addresses only with the key of an active link', async () => {
  const service = await testInstance();
  const { call } = service;
  const { path, spaces } = await makeSite(service, ['A0', 'B0'], { visibility: 'share-link' });
  await call('POST', `${path}/publish`);
  const link = (await call('POST', `${path}/share-links`, { name: 'Press' })).body;
  const key = link.urls.published.split('/').at(-1);
  const foreign = await makeSite(service, ['X0'], { visibility: 'share-link' });
  const wrong = (await call('POST', `${foreign.path}/share-links`, { name: 'Other' })).body.urls.published
    .split('/')
    .at(-1);
  const publishedUrls = async (query: string) => [
    (await call('GET', `${path}${query}`)).body.urls.published,
    (await call('GET', `${path}/site-spaces${query}`)).body.items[1].urls.published,
    (await call('GET', `${path}/structure${query}`)).body.structure[1].urls.published,
    (await call('GET', `${path}/published${query}`)).body.structure.structure[1].urls.published,
    (await call('GET', `/v1/spaces/${spaces[1]}${query}`)).body.urls.published,
  ];
  const nothing = Array.from({ length: 5 });

  expect(await publishedUrls('')).toEqual(nothing);
  expect(await publishedUrls(`?shareKey=${wrong}`)).toEqual(nothing);
  expect(await publishedUrls('?shareKey=')).toEqual(nothing);
  const below = `${link.urls.published}/b0/`;
  expect(await publishedUrls(`?shareKey=${key}`)).toEqual([`${link.urls.published}/`, below, below, below, below]);
  expect((await call('GET', `/v1/spaces/${spaces[0]}?shareKey=${key}`)).body).toMatchObject({
    visibility: 'share-link',
    urls: { published: `${link.urls.published}/` },
  });
  await call('PATCH', `${path}/share-links/${link.id}`, { active: false });
  expect(await publishedUrls(`?shareKey=${key}`)).toEqual(nothing);
});

test('a space has the widest visibility of the published sites that it is in', async () => {
  const service = await testInstance();
  const { call, orgPath } = service;
  const { path, spaces } = await makeSite(service, ['A0'], { title: 'First', visibility: 'visitor-auth' });
  const sites = [path];
  for (const visibility of ['share-link', 'unlisted', 'public']) {
    const made = await call('POST', `${orgPath}/sites`, { title: visibility, visibility, spaces });
    sites.push(`${orgPath}/sites/${made.body.id}`);
  }
  const space = async () => (await call('GET', `/v1/spaces/${spaces[0]}`)).body;
  const seen = [(await space()).visibility];
  for (const site of sites) {
    await call('POST', `${site}/publish`);
    const { visibility, urls } = await space();
    seen.push(`${visibility} ${urls.published?.split('/').at(-2)} ${urls.public?.split('/').at(-2)}`);
  }

  expect(seen).toEqual([
    'private',
    'visitor-auth first undefined',
    'share-link undefined undefined',
    'unlisted unlisted unlisted',
    'public public public',
  ]);
  await call('POST', `${sites[3]}/unpublish`);
  expect((await space()).visibility).toBe('unlisted');
  const listed = (await call('GET', `${orgPath}/spaces`)).body.items.find((item: any) => item.id === spaces[0]);
  expect(listed).toEqual(await space());
});
