import { expect, test } from 'vitest';
import { type TestInstance, testInstance } from '../support/instance.ts';
import { rejection } from '../support/reject.ts';
import { makeSectionedSite, makeSite, makeSpace } from '../support/sites.ts';

const ids = (answer: { body: any }) => answer.body.items.map((item: any) => item.id);
const titles = (answer: { body: any }) => answer.body.items.map((item: any) => item.title);

test('a new site has default values', async () => {
  const { call, org, orgPath } = await testInstance();

  const made = await call('POST', `${orgPath}/sites`, {});

  const { id } = made.body;
  expect(made.headers.location).toBe(`http://localhost:4000/v1/orgs/${org}/sites/${id}`);
  expect(made.body).toEqual({
    object: 'site',
    id,
    type: 'basic',
    title: 'Untitled site',
    basename: 'untitled-site',
    visibility: 'public',
    published: false,
    siteSpaces: 0,
    createdAt: '2026-03-01T08:00:00.000Z',
    adaptiveContent: { enabled: false },
    features: [{ id: 'sites-pdf-export', plan: 'premium', frozen: true }],
    urls: { location: made.headers.location, app: `http://localhost:4000/o/${org}/sites/${id}` },
  });
  expect((await call('GET', `${orgPath}/sites/${id}`)).body).toEqual(made.body);
});

test('the basename comes from the title, with a number when it is taken in the organization', async () => {
  const { call, orgPath, otherOrg } = await testInstance();
  const make = async (title: string) => (await call('POST', `${orgPath}/sites`, { title })).body.basename;

  expect(await make('Pump & Valve: Handbook!')).toBe('pump-valve-handbook');
  expect(await make('pump valve handbook')).toBe('pump-valve-handbook-2');
  expect(await make('Pump valve handbook')).toBe('pump-valve-handbook-3');
  expect(await make('!!')).toBe('site');
  const other = await otherOrg();
  const elsewhere = await other.call('POST', `/v1/orgs/${other.org}/sites`, { title: 'Pump valve handbook' });
  expect(elsewhere.body.basename).toBe('pump-valve-handbook');
});

test('spaces can be chosen, created empty, or created with a sample page', async () => {
  const service = await testInstance();
  const { call, orgPath } = service;
  const [one, two] = [await makeSpace(service, 'One'), await makeSpace(service, 'Two')];

  const created = await call('POST', `${orgPath}/sites`, { spaces: [two, one] });
  const siteSpaces = await call('GET', `${orgPath}/sites/${created.body.id}/site-spaces`);
  expect(created.body.siteSpaces).toBe(2);
  expect(siteSpaces.body.items.map((item: any) => [item.title, item.path, item.default])).toEqual([
    ['Two', 'two', true],
    ['One', 'one', false],
  ]);

  for (const [spaces, pages] of [
    ['empty', 0],
    ['sample', 1],
  ] as const) {
    const made = await call('POST', `${orgPath}/sites`, { title: 'Manual', spaces });
    const [siteSpace] = (await call('GET', `${orgPath}/sites/${made.body.id}/site-spaces`)).body.items;
    expect(siteSpace).toMatchObject({ title: 'Manual', default: true, space: { title: 'Manual' } });
    const content = await call('GET', `/v1/spaces/${siteSpace.space.id}/content/pages`);
    expect(content.body.pages).toHaveLength(pages);
  }
});

test('an unknown or deleted space, or one of another organization, is refused', async () => {
  const service = await testInstance();
  const { call, orgPath, otherOrg } = service;
  const [good, gone] = [await makeSpace(service), await makeSpace(service)];
  await call('DELETE', `/v1/spaces/${gone}`);
  const other = await otherOrg();
  const foreign = (await other.call('POST', `/v1/orgs/${other.org}/spaces`, {})).body.id;

  for (const bad of ['nonsense', gone, foreign]) {
    const answer = await call('POST', `${orgPath}/sites`, { spaces: [good, bad] });
    expect(rejection(answer)).toEqual([400, 'validation', '/spaces/1 reference']);
  }
  expect((await call('POST', `${orgPath}/sites`, { spaces: 'full' })).status).toBe(400);
  expect((await call('GET', `${orgPath}/sites`)).body.count).toBe(0);
});

test('sites are listed newest first, by every filter and page by page', async () => {
  const service = await testInstance();
  const { call, orgPath, clock } = service;
  const space = await makeSpace(service);
  const made: any[] = [];
  for (const body of [
    { title: 'Alpha', type: 'premium' },
    { title: 'Beta 100%', type: 'ultimate', spaces: [space] },
    { title: 'ALPHABET' },
  ]) {
    made.push((await call('POST', `${orgPath}/sites`, body)).body);
    clock.advance(1000);
  }
  await call('POST', `${orgPath}/sites/${made[1].id}/publish`);
  const list = (query: string) => call('GET', `${orgPath}/sites?${query}`);

  expect(titles(await list(''))).toEqual(['ALPHABET', 'Beta 100%', 'Alpha']);
  expect(titles(await list('title=alpha'))).toEqual(['ALPHABET', 'Alpha']);
  expect(titles(await list('title=%25'))).toEqual(['Beta 100%']);
  expect(titles(await list('type=basic&type=premium'))).toEqual(['ALPHABET', 'Alpha']);
  expect(titles(await list('published=true'))).toEqual(['Beta 100%']);
  expect(titles(await list('published=false'))).toEqual(['ALPHABET', 'Alpha']);
  expect(titles(await list(`space=${space}`))).toEqual(['Beta 100%']);
  expect((await list(`space=${space}&published=false`)).body).toEqual({ count: 0, items: [] });
  expect(rejection(await list('type=grand'))).toEqual([400, 'validation', 'type.0 enum']);
  expect(rejection(await list('published=yes'))).toEqual([400, 'validation', 'published type']);

  const first = await list('limit=2');
  expect(first.body.count).toBe(3);
  clock.advance(1000);
  await call('POST', `${orgPath}/sites`, { title: 'Newer' });
  const second = await list(`limit=2&page=${first.body.next.page}`);
  expect(titles(second)).toEqual(['Alpha']);
  expect(second.body.next).toBeUndefined();
});

test('settings can be changed, and members that are not sent stay', async () => {
  const { call, orgPath } = await testInstance();
  const { body: site } = await call('POST', `${orgPath}/sites`, { title: 'Docs', type: 'premium' });
  const path = `${orgPath}/sites/${site.id}`;

  const changed = await call('PATCH', path, {
    title: 'Manual',
    visibility: 'visitor-auth',
    basename: 'man',
    adaptiveContent: { enabled: true },
    proxy: 'lumen.example/docs',
    hostname: 'not.settable.example',
    published: true,
  });

  expect(changed.body).toEqual({
    ...site,
    title: 'Manual',
    visibility: 'visitor-auth',
    basename: 'man',
    adaptiveContent: { enabled: true },
    proxy: {
      origin: 'lumen.example/docs',
      target: `http://localhost:4000/published/${site.urls.location.split('/')[5]}/man/`,
    },
    features: [
      { id: 'sites-custom-subdirectory', plan: 'premium', frozen: false },
      { id: 'sites-pdf-export', plan: 'premium', frozen: false },
      { id: 'sites-visitor-authentication', plan: 'ultimate', frozen: true },
      { id: 'sites-adaptive-content', plan: 'ultimate', frozen: true },
    ],
  });
  expect((await call('PATCH', path, {})).body).toEqual(changed.body);
  const cleared = await call('PATCH', path, { proxy: null });
  expect(cleared.body.proxy).toBeUndefined();
  expect(cleared.body.title).toBe('Manual');
});

test('the basename of another site of the organization is refused', async () => {
  const { call, orgPath } = await testInstance();
  const { body: one } = await call('POST', `${orgPath}/sites`, { title: 'One' });
  const { body: two } = await call('POST', `${orgPath}/sites`, { title: 'Two' });

  const taken = await call('PATCH', `${orgPath}/sites/${two.id}`, { basename: 'one', title: 'Changed' });

  expect(rejection(taken)).toEqual([409, 'already-exists']);
  expect((await call('GET', `${orgPath}/sites/${two.id}`)).body.title).toBe('Two');
  expect((await call('PATCH', `${orgPath}/sites/${one.id}`, { basename: 'one' })).status).toBe(200);
});

test('a site without site spaces cannot be published; publishing and unpublishing can be repeated', async () => {
  const service = await testInstance();
  const { call } = service;
  const bare = await makeSite(service, []);
  expect(rejection(await call('POST', `${bare.path}/publish`))).toEqual([409, 'invalid-state']);

  const { path, spaces } = await makeSite(service);
  for (const turn of [1, 2]) {
    const published = await call('POST', `${path}/publish`);
    expect([turn, published.body.published, published.body.urls.published]).toEqual([
      turn,
      true,
      `http://localhost:4000/published/${service.org}/docs-2/`,
    ]);
  }
  expect((await call('GET', `${path}/published`)).status).toBe(200);
  for (const turn of [1, 2]) {
    const back = await call('POST', `${path}/unpublish`);
    expect([turn, back.body.published, back.body.urls.published]).toEqual([turn, false, undefined]);
  }
  expect(rejection(await call('GET', `${path}/published`))).toEqual([404, 'not-found']);

  await call('DELETE', `/v1/spaces/${spaces[0]}`);
  expect(rejection(await call('POST', `${path}/publish`))).toEqual([409, 'invalid-state']);
});

test('the default section and site space can be set, and must be in the site and section', async () => {
  const service = await testInstance();
  const { call } = service;
  const { path, siteSpaces } = await makeSite(service, ['A', 'B']);
  const firsts = async () =>
    (await call('GET', `${path}/site-spaces`)).body.items.map((item: any) => [item.title, item.default]);

  await call('PATCH', path, { defaultSiteSpace: siteSpaces[1] });
  expect(await firsts()).toEqual([
    ['A', false],
    ['B', true],
  ]);
  expect(ids(await call('GET', `${path}/site-spaces?default=true`))).toEqual([siteSpaces[1]]);
  expect(ids(await call('GET', `${path}/site-spaces?default=false`))).toEqual([siteSpaces[0]]);

  const section = (await call('POST', `${path}/sections`, { spaceId: await makeSpace(service, 'C') })).body;
  const inC = section.siteSpaces[0].id;
  expect(rejection(await call('PATCH', path, { defaultSiteSpace: inC }))).toEqual([
    400,
    'validation',
    '/defaultSiteSpace reference',
  ]);
  expect((await call('PATCH', path, { defaultSiteSection: section.id, defaultSiteSpace: inC })).status).toBe(200);
  expect(ids(await call('GET', `${path}/site-spaces?default=true`))).toEqual([inC]);
  expect(rejection(await call('PATCH', path, { defaultSiteSection: inC }))).toEqual([
    400,
    'validation',
    '/defaultSiteSection reference',
  ]);
  expect(rejection(await call('PATCH', path, { defaultSiteSpace: siteSpaces[0] }))[2]).toBe(
    '/defaultSiteSpace reference',
  );
});

test('deleting a site deletes its parts, keeps its spaces, and clears the default content of the organization', async () => {
  const service = await testInstance();
  const { call, orgPath } = service;
  const { id, path, spaces } = await makeSite(service);
  await call('POST', `${path}/publish`);
  await call('PATCH', orgPath, { defaultContent: { type: 'site', site: id } });

  expect((await call('DELETE', path)).status).toBe(205);

  expect((await call('GET', path)).status).toBe(404);
  expect((await call('DELETE', path)).status).toBe(404);
  expect((await call('GET', `/v1/spaces/${spaces[0]}`)).body.visibility).toBe('private');
  expect((await call('GET', orgPath)).body.defaultContent).toBeUndefined();
});

test('features show what is in use', async () => {
  const service = await testInstance();
  const { call } = service;
  const { path } = await makeSite(service, ['A', 'B'], { type: 'sponsored' });
  const features = async () => (await call('GET', path)).body.features.map((feature: any) => feature.id);

  expect(await features()).toEqual(['sites-multivariant-site', 'sites-pdf-export']);
  const settings = (await call('GET', `${path}/customization`)).body;
  await call('PUT', `${path}/customization`, { ...settings, pdf: { enabled: false } });
  await call('POST', `${path}/sections`, { spaceId: await makeSpace(service) });
  expect(await features()).toEqual(['sites-multivariant-site', 'sites-sections']);
  expect((await call('GET', path)).body.features.every((feature: any) => !feature.frozen)).toBe(true);
});

test('a published site shows its structure: site spaces, or sections, flat or in their groups', async () => {
  const service = await testInstance();
  const { call } = service;
  const plain = await makeSite(service, ['A', 'B']);
  await call('POST', `${plain.path}/publish`);
  const { body } = await call('GET', `${plain.path}/published`);
  expect(body.structure.type).toBe('siteSpaces');
  expect(body.structure.structure.map((item: any) => item.title)).toEqual(['A', 'B']);
  expect(body.customizations.siteSpaces).toEqual({});
  expect(body.scripts).toEqual([]);
  expect(body.site).toEqual((await call('GET', plain.path)).body);

  const { path, sections } = await makeSectionedSite(service, ['One', 'Two', 'Three']);
  const group = (await call('POST', `${path}/section-groups`, { title: 'Group', sections: [sections[1]] })).body;
  await call('POST', `${path}/publish`);
  const flat = (await call('GET', `${path}/published`)).body.structure;
  expect(flat.structure.map((item: any) => [item.title, item.sectionGroup])).toEqual([
    ['One', undefined],
    ['Two', group.id],
    ['Three', undefined],
  ]);
  const nested = (await call('GET', `${path}/structure`)).body;
  expect(nested.type).toBe('sections');
  expect(nested.structure.map((item: any) => [item.object, item.title])).toEqual([
    ['site-section', 'One'],
    ['site-section-group', 'Group'],
    ['site-section', 'Three'],
  ]);
  expect(nested.structure[1].sections[0].id).toBe(sections[1]);
});

test('sorting moves any item of the structure and refuses invalid places', async () => {
  const service = await testInstance();
  const { call } = service;
  const { path, sections } = await makeSectionedSite(service, ['One', 'Two', 'Three']);
  const group = (await call('POST', `${path}/section-groups`, { title: 'Group' })).body;
  const order = async () =>
    (await call('GET', `${path}/structure`)).body.structure.map((item: any) => item.title).join(' ');
  const sort = (item: object, position: object) => call('PATCH', `${path}/structure/sort`, { item, position });
  const section = (index: number) => ({ type: 'site-section', id: sections[index] });
  const theGroup = { type: 'site-section-group', id: group.id };

  expect((await sort(section(2), { before: section(0) })).body.object).toBe('site-section');
  expect(await order()).toBe('Three One Two Group');
  expect((await sort(theGroup, { after: section(2) })).body.object).toBe('site-section-group');
  expect(await order()).toBe('Three Group One Two');
  await sort(section(2), { after: theGroup, before: section(0) });
  expect(await order()).toBe('Group Three One Two');
  await sort(section(2), {});
  expect(await order()).toBe('Group One Two Three');

  const siteSpace = (await call('GET', `${path}/site-spaces`)).body.items[0];
  const pointer = { type: 'site-space', id: siteSpace.id };
  expect((await sort(pointer, {})).body).toEqual(siteSpace);
  expect(rejection(await sort(pointer, { before: section(0) }))[2]).toBe('/position/before reference');
  expect(rejection(await sort(section(0), { after: pointer }))[2]).toBe('/position/after reference');
  expect(rejection(await sort({ type: 'site-section', id: group.id }, {}))[2]).toBe('/item/id reference');
  expect(rejection(await sort(section(0), { after: { type: 'site-section', id: group.id } }))[2]).toBe(
    '/position/after reference',
  );
  expect(rejection(await call('PATCH', `${path}/structure/sort`, { position: {} }))[2]).toBe('/item required');
  expect(rejection(await call('PATCH', `${path}/structure/sort`, { item: section(0) }))[2]).toBe('/position required');
});

test('any member reads sites, guests too; writing needs createContent; others find nothing', async () => {
  const service = await testInstance();
  const { as, user, otherOrg } = service;
  const { path, siteSpaces, spaces } = await makeSite(service);
  const guest = as(await user({ role: null }));
  const reviewer = as(await user({ role: 'review' }));
  const creator = as(await user({ role: 'create' }));

  expect((await guest('GET', path)).status).toBe(200);
  const [siteSpace] = (await guest('GET', `${path}/site-spaces`)).body.items;
  expect(siteSpace.space.permissions).toMatchObject({ view: false, access: false, edit: false });
  for (const [method, address, body] of writes(service, path, siteSpaces[0]!)) {
    const refused = await reviewer(method, address, body);
    expect([method, address, refused.status]).toEqual([method, address, 403]);
  }
  expect((await creator('PATCH', path, { title: 'By creator' })).status).toBe(200);
  const other = await otherOrg();
  expect((await other.call('GET', path)).status).toBe(404);
  expect((await other.call('GET', path.replace(service.org, other.org))).status).toBe(404);
  expect((await guest('GET', `/v1/spaces/${spaces[0]}`)).status).toBe(404);
});

const writes = ({ orgPath }: TestInstance, path: string, siteSpace: string): [string, string, object?][] => [
  ['POST', `${orgPath}/sites`, {}],
  ['PATCH', path, { title: '' }],
  ['DELETE', path],
  ['POST', `${path}/publish`],
  ['POST', `${path}/unpublish`],
  ['PATCH', `${path}/structure/sort`, {}],
  ['PUT', `${path}/customization`, {}],
  ['PUT', `${path}/adaptive-schema`, {}],
  ['POST', `${path}/sections`, {}],
  ['POST', `${path}/section-groups`, {}],
  ['POST', `${path}/site-spaces`, {}],
  ['PATCH', `${path}/site-spaces/${siteSpace}`, { path: '' }],
  ['DELETE', `${path}/site-spaces/${siteSpace}`],
  ['POST', `${path}/site-spaces/${siteSpace}/move`],
  ['POST', `${path}/share-links`, {}],
];

test('a site space takes the path of one whose space was deleted, which gets another one if it is restored', async () => {
  const service = await testInstance();
  const { call, orgPath } = service;
  const [one, two] = [await makeSpace(service, 'Guide'), await makeSpace(service, 'Guide')];
  const site = (await call('POST', `${orgPath}/sites`, { spaces: [one] })).body.id;
  await call('DELETE', `/v1/spaces/${one}`);
  const added = await call('POST', `${orgPath}/sites/${site}/site-spaces`, { spaceId: two });

  const edited = await call('PATCH', `${orgPath}/sites/${site}/site-spaces/${added.body.id}`, { path: 'guide' });
  await call('POST', `/v1/spaces/${one}/restore`);

  expect([edited.status, edited.body.path]).toEqual([200, 'guide']);
  const { items } = (await call('GET', `${orgPath}/sites/${site}/site-spaces`)).body;
  expect(items.map(({ path, space }: any) => [path, space.id])).toEqual([
    ['guide-3', one],
    ['guide', two],
  ]);
});
