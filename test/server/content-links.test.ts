import { describe, expect, test } from 'vitest';
import { contentSpace, png } from '../support/content-space.ts';

const page = (title: string, markdown: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown },
  ...more,
});
const file = (name: string, ref: string) => ({
  operation: 'insert_files',
  files: [{ name, base64: png(1, 1).toString('base64'), contentType: 'image/png', ref }],
});

/** Status, relation and target of link items, in short. */
const short = (items: any[]) =>
  items.map(({ status, relation, targetReference: target, locationReferences }) => [
    status,
    relation === 'reference' ? '' : relation,
    target?.url ?? target?.page?.path ?? target?.file?.name ?? target?.kind ?? '',
    ...(target?.internalLocation ? [`#${target.internalLocation.anchor}`] : []),
    locationReferences.length,
  ]);

async function handbook() {
  const made = await contentSpace();
  const { body } = await made.change([
    page('Home', '[Guides](guides/) [pump](guides/install.md#run)\n\n![Pump](./pump) <https://x.example/>\n', {
      ref: 'home',
    }),
    page('Guides', '[Install](install.md), [again](./install.md), [lost](lost.md)', { ref: 'guides' }),
    page('Install', '[Up](README.md) [home](../home.md) [own](#run) [id](/pages/home)\n\n## Run\n', { into: 'guides' }),
    file('pump.png', 'pump'),
  ]);
  const [home, guides, install] = body.changes.map((each: any) => each.page.id);
  const links = async (query = '', where = made.path) => (await made.call('GET', `${where}/links${query}`)).body;
  return { ...made, home, guides, install, file: body.insertedFiles[0], links };
}

describe('links of a space', () => {
  test('are those of links and images, each target once, in page order', async () => {
    const { links } = await handbook();

    const { items, count, stats } = await links();

    expect(short(items)).toEqual([
      ['ok', '', 'guides', 2],
      ['ok', '', 'guides/install', '#run', 2],
      ['ok', 'dependsOn', 'pump.png', 1],
      ['ok', '', 'https://x.example/', 1],
      ['ok', '', 'guides/install', 2],
      ['broken', '', 'lost.md', 1],
      ['ok', '', 'home', 2],
    ]);
    expect(count).toBe(7);
    expect(stats).toEqual({ total: 7, broken: { total: 1 } });
  });

  test('the filter does not change the stats', async () => {
    const { links, call, path } = await handbook();

    expect(await links('?status=broken')).toMatchObject({ count: 1, stats: { total: 7, broken: { total: 1 } } });
    expect(await links('?status=ok&limit=0')).toMatchObject({ count: 6, items: [], stats: { total: 7 } });
    expect((await links('?status=in-app')).items).toEqual([]);
    expect((await call('GET', `${path}/links?status=lost`)).status).toBe(400);
  });

  test('paging gives every link once', async () => {
    const { links } = await handbook();
    const all = short((await links()).items);
    const seen: unknown[] = [];
    for (let next = ''; ;) {
      const body = await links(`?limit=2${next}`);
      seen.push(...short(body.items));
      if (!body.next) break;
      next = `&page=${body.next.page}`;
    }
    expect(seen).toEqual(all);
  });

  test('references contain whole objects of limited size', async () => {
    const { links, org, space, home, call, content } = await handbook();

    const [first] = (await links()).items;

    expect(first.targetReference).toMatchObject({ kind: 'page', organization: { id: org }, space: { id: space } });
    const [location] = first.locationReferences;
    expect(location).toMatchObject({
      kind: 'page',
      page: { id: home, path: 'home', pages: [] },
      internalLocation: { type: 'node', node: expect.any(String) },
      versionContext: {
        type: 'revision',
        revision: { id: (await call('GET', content)).body.id, pages: [], files: [] },
      },
    });
  });

  test('addresses of the application have a status of their own', async () => {
    const { insert, path, links, call } = await handbook();
    const { urls } = (await call('GET', path)).body;
    await insert('App', { document: { markdown: `[app](${urls.app}/home) [not](http://localhost:40001/)` } });

    expect(short((await links('?status=in-app')).items)).toEqual([['in-app', '', `${urls.app}/home`, 1]]);
  });

  test('people, spaces, collections and specifications are found by their ids', async () => {
    const { insert, call, orgPath, org, admin, as, user, path, space, instance } = await handbook();
    const other = (await call('POST', `${orgPath}/spaces`, { title: 'Other' })).body;
    const collection = (await call('POST', `${orgPath}/collections`, { title: 'All' })).body;
    await call('POST', `${orgPath}/openapi`, { slug: 'pets', source: { text: '{"openapi":"3.1.0"}' } });
    const deep = (await call('POST', `/v1/spaces/${other.id}/content?compat=false`, { changes: [page('Deep', 'x')] }))
      .body.changes[0].page.id;
    await insert('Refs', {
      document: {
        markdown: [
          `/users/${admin}`,
          `/spaces/${other.id}`,
          `/spaces/${other.id}/pages/${deep}`,
          `/collections/${collection.id}`,
          '/openapi/pets',
          '/openapi/none',
          `/spaces/nowherenowh1`,
          '/users/Nobody123456',
        ]
          .map((url) => `[x](${url})`)
          .join('\n\n'),
      },
    });
    const refs = async (as_: typeof call) =>
      (await as_('GET', `${path}/links?limit=100`)).body.items
        .slice(7)
        .map((item: any) => [item.status, item.targetReference?.kind]);

    expect(await refs(call)).toEqual([
      ['ok', 'user'],
      ['ok', 'space'],
      ['ok', 'page'],
      ['ok', 'collection'],
      ['ok', 'openapi'],
      ['broken', 'url'],
      ['broken', 'url'],
      ['broken', 'url'],
    ]);
    // What is there and not the caller's to see is not broken; it only is not shown.
    const guest = await user({ role: null });
    await instance.store.write((db) =>
      db
        .insertInto('content_grant')
        .values({ user: guest, organization: org, space, collection: null, level: 'read' })
        .execute(),
    );
    expect((await refs(as(guest))).slice(1, 4)).toEqual([
      ['ok', undefined],
      ['ok', undefined],
      ['ok', undefined],
    ]);
  });
});

describe('links of a page', () => {
  test('are those of that page only', async () => {
    const { call, content, guides, install } = await handbook();

    const { body } = await call('GET', `${content}/page/${guides}/links`);
    expect(short(body.items)).toEqual([
      ['ok', '', 'guides/install', 2],
      ['broken', '', 'lost.md', 1],
    ]);
    expect(body.stats).toEqual({ total: 2, broken: { total: 1 } });
    expect(short((await call('GET', `${content}/page/${install}/links`)).body.items)).toEqual([
      ['ok', '', 'guides', 1],
      ['ok', '', 'home', 2],
      ['ok', '', 'guides/install', '#run', 1],
    ]);
  });
});

describe('links of a request', () => {
  test('show which of the broken ones the request breaks', async () => {
    const { change, request, links, install } = await handbook();
    const cr = await request();
    await change([{ operation: 'delete_page', page: install }, page('New', '[no](nothing.md)')], cr);

    const { stats } = await links('', cr);

    expect(stats).toEqual({ total: 8, broken: { total: 5, changeRequest: 4 } });
    expect(short((await links('?brokenContext=space', cr)).items)).toEqual([['broken', '', 'lost.md', 1]]);
    const mine = await links('?brokenContext=change-request', cr);
    expect(mine.items.map((item: any) => item.targetReference.url).toSorted()).toEqual([
      './install.md',
      'guides/install.md#run',
      'install.md',
      'nothing.md',
    ]);
    expect(mine.items[0].locationReferences[0].versionContext).toMatchObject({
      type: 'changeRequest',
      changeRequest: { number: 1 },
    });
    expect((await links()).stats).toEqual({ total: 7, broken: { total: 1 } });
  });
});

describe('backlinks', () => {
  const titles = (items: any[]) => items.map((item) => item.page.title);

  test('of a page are the pages that link to it, in page order', async () => {
    const { call, content, home, guides, install } = await handbook();
    const backlinkTitles = async (id: string) =>
      titles((await call('GET', `${content}/page/${id}/backlinks`)).body.items);

    expect(await backlinkTitles(install)).toEqual(['Home', 'Guides']);
    expect(await backlinkTitles(guides)).toEqual(['Home', 'Install']);
    expect(await backlinkTitles(home)).toEqual(['Install']);
  });

  test('of a file contain the file', async () => {
    const { call, content, file: pump } = await handbook();

    const { body } = await call('GET', `${content}/files/${pump.id}/backlinks`);

    expect(titles(body.items)).toEqual(['Home']);
    expect(body.items[0]).toMatchObject({ kind: 'page', file: pump, page: { pages: [] } });
    expect(body.count).toBe(1);
  });

  test('follow changes, moves and requests', async () => {
    const { call, content, change, request, guides, install } = await handbook();
    const backlinkTitles = async (id: string, where = content) =>
      titles((await call('GET', `${where}/page/${id}/backlinks`)).body.items);
    const cr = await request();
    await change([{ operation: 'update_page', page: guides, document: { markdown: 'No links.' } }], cr);

    expect(await backlinkTitles(install, `${cr}/content`)).toEqual(['Home']);
    expect(await backlinkTitles(install)).toEqual(['Home', 'Guides']);
    await change([{ operation: 'update_page', page: install, into: null }]);
    expect(await backlinkTitles(install)).toEqual(['Guides']);
  });
});

test('a file is found by its name, whatever folder the text gives', async () => {
  const { change, insert, call, content } = await contentSpace();
  const folder = await insert('Folder');
  const { body } = await change([
    page('Deep', '![a](../assets/pump.png) ![b](.gitbook/assets/my%20pump.png) ![c](gone.png)', { into: folder }),
    file('pump.png', 'a'),
    file('assets/my pump.png', 'b'),
  ]);

  const links = (await call('GET', `${content}/page/${body.changes[0].page.id}/links`)).body.items;
  expect(short(links)).toEqual([
    ['ok', 'dependsOn', 'pump.png', 1],
    ['ok', 'dependsOn', 'assets/my pump.png', 1],
    ['broken', '', 'gone.png', 1],
  ]);
  const backlinks = await call('GET', `${content}/files/${body.insertedFiles[1].id}/backlinks`);
  expect(backlinks.body.count).toBe(1);
});

test('a path of twelve letters is not treated as an id', async () => {
  const { insert, call, path } = await contentSpace();
  await insert('Installation');
  await insert('X', { document: { markdown: '[i](/pages/installation)' } });

  expect(short((await call('GET', `${path}/links`)).body.items)).toEqual([['ok', '', 'installation', 1]]);
});

test('files are found by every form of reference', async () => {
  const { change, call, path, content } = await contentSpace();
  const forms = [
    '<img src="../x (1).png">',
    '<picture><source srcset="x%20(1).png 2x"></picture>',
    '{% file src=".gitbook/assets/x (1).png" %}',
    '---\ncover: x (1).png\n---\n\nText',
  ];
  const { body } = await change([...forms.map((form, index) => page(`Page ${index}`, form)), file('x (1).png', 'x')]);

  const { items } = (await call('GET', `${path}/links`)).body;
  const backlinks = (await call('GET', `${content}/files/${body.insertedFiles[0].id}/backlinks`)).body;

  expect(short(items)).toEqual([
    ['ok', 'dependsOn', 'x (1).png', 3],
    ['ok', '', 'x (1).png', 1],
  ]);
  expect(backlinks.items.map((item: any) => item.page.path)).toEqual(['page-0', 'page-1', 'page-2', 'page-3']);
  const cover = items[0].locationReferences.at(-1);
  expect([cover.page.path, cover.internalLocation]).toEqual(['page-3', undefined]);
});
