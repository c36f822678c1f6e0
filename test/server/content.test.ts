import { describe, expect, test } from 'vitest';
import { jsonText } from '../../src/store/json.ts';
import { contentSpace, outline, png } from '../support/content-space.ts';

const insert = (title: string, more: object = {}) => ({ operation: 'insert_page', title, document: {}, ...more });

async function guides() {
  const made = await contentSpace();
  const { body } = await made.change([
    insert('Guides', { ref: 'guides', emoji: '📘', description: 'All of them' }),
    insert('Install', {
      ref: 'install',
      into: 'guides',
      document: { markdown: '# Install\n\nClose the **valve** first.\n' },
    }),
    insert('First run', { into: 'install' }),
    insert('Reference'),
    {
      operation: 'insert_files',
      files: [{ name: 'pump.png', contentType: 'image/png', base64: png(3, 2).toString('base64') }],
    },
  ]);
  const [guide, install, run, reference] = body.changes.map((change: any) => change.page.id);
  return { ...made, guide, install, run, reference, file: body.insertedFiles[0] };
}

test('a new space has one empty revision', async () => {
  const { call, content } = await contentSpace();

  const { status, body } = await call('GET', content);

  expect(status).toBe(200);
  expect(body).toMatchObject({
    object: 'revision',
    parents: [],
    pages: [],
    files: [],
    reusableContents: [],
    type: 'edits',
  });
});

test('a revision has the whole tree of pages and the files', async () => {
  const { call, content, path, file } = await guides();

  const { body } = await call('GET', content);

  expect(outline(body.pages)).toEqual([['Guides', [['Install', ['First run']]]], 'Reference']);
  expect(body.files).toEqual([file]);
  expect(body.id).toBe((await call('GET', path)).body.revision);
  expect(body.parents).toHaveLength(1);
});

test('a page has its path, its layout and defaults', async () => {
  const { call, content, install, run, org, space } = await guides();

  const { body } = await call('GET', `${content}/page/${install}`);

  expect(body).toMatchObject({
    id: install,
    type: 'document',
    title: 'Install',
    slug: 'install',
    path: 'guides/install',
    urls: { app: `http://localhost:4000/o/${org}/s/${space}/guides/install` },
    layout: {
      cover: true,
      coverSize: 'hero',
      title: true,
      description: true,
      tableOfContents: true,
      outline: true,
      pagination: true,
    },
    hidden: false,
    noIndex: false,
    noRobotsIndex: false,
    createdAt: '2026-03-01T08:00:00.000Z',
  });
  expect(body.documentId).toMatch(/^\w{12}$/);
  expect(body.pages.map((page: any) => [page.id, page.path])).toEqual([[run, 'guides/install/first-run']]);
  expect(body).not.toHaveProperty('markdown');
  expect(body).not.toHaveProperty('description');
});

test('the address of a page in the application is valid, whatever its path', async () => {
  const { call, content, insert: add } = await contentSpace();
  const page = await add('Pumpe öffnen', { slug: '入口-"1"' });
  const { path, urls } = (await call('GET', `${content}/page/${page}`)).body;

  expect(path).toBe('入口-"1"');
  expect(urls.app).toMatch(/\/%E5%85%A5%E5%8F%A3-%221%22$/);
  expect((await call('GET', `${content}/path/${encodeURIComponent(path)}`)).body.id).toBe(page);
});

test('an empty page has no document, and returns an empty text', async () => {
  const { call, content, run } = await guides();

  expect((await call('GET', `${content}/page/${run}`)).body).not.toHaveProperty('documentId');
  expect((await call('GET', `${content}/page/${run}?format=markdown`)).body.markdown).toBe('');
  expect((await call('GET', `${content}/page/${run}?format=document`)).body.document).toEqual({
    object: 'document',
    data: {},
    nodes: [],
  });
});

test('format gives the text as Markdown or as a tree', async () => {
  const { call, content, install } = await guides();

  const markdown = await call('GET', `${content}/page/${install}?format=markdown`);
  const tree = await call('GET', `${content}/page/${install}?format=document`);
  const other = await call('GET', `${content}/page/${install}?format=html`);

  expect(markdown.body.markdown).toBe('# Install\n\nClose the **valve** first.\n');
  expect(tree.body.document.nodes.map((node: any) => node.type)).toEqual(['heading-1', 'paragraph']);
  expect(tree.body).not.toHaveProperty('markdown');
  expect([other.status, other.error.details?.[0]?.path]).toEqual([400, 'format']);
});

test('a page is found by its path, slashes encoded or not', async () => {
  const { call, content, run } = await guides();

  for (const path of ['guides/install/first-run', 'guides%2Finstall%2Ffirst-run']) {
    expect((await call('GET', `${content}/path/${path}`)).body.id).toBe(run);
  }
  expect((await call('GET', `${content}/path/guides/first-run`)).status).toBe(404);
});

test('metadata and computed are switches that change nothing where there is none', async () => {
  const { call, content } = await guides();

  const plain = await call('GET', `${content}/pages`);
  const bare = await call('GET', `${content}/pages?metadata=false&computed=false`);

  expect(bare.body).toEqual(plain.body);
  expect((await call('GET', `${content}/pages?metadata=no`)).status).toBe(400);
});

test('metadata=false leaves out the git metadata of a revision', async () => {
  const { call, content, instance } = await guides();
  const git = { oid: '4c1d0e9a', message: 'Add', createdByGitBook: false };
  await instance.store.write((db) =>
    db
      .updateTable('revision')
      .set({ git: jsonText(git) })
      .execute(),
  );

  expect((await call('GET', content)).body.git).toEqual(git);
  expect((await call('GET', `${content}?metadata=false`)).body).not.toHaveProperty('git');
});

test('old revisions stay as they were', async () => {
  const { call, path, content, change, install, reference } = await guides();
  const before = (await call('GET', content)).body;
  const file = before.files[0].id;
  await change([
    { operation: 'update_page', page: install, title: 'Set up', document: { markdown: 'Gone.' }, into: null },
    { operation: 'delete_page', page: reference },
  ]);
  const old = `${path}/revisions/${before.id}`;

  expect((await call('GET', old)).body.pages.map((page: any) => page.title)).toEqual(['Guides', 'Reference']);
  expect(outline((await call('GET', `${old}/pages`)).body.pages)).toEqual([
    ['Guides', [['Install', ['First run']]]],
    'Reference',
  ]);
  expect((await call('GET', `${old}/page/${install}?format=markdown`)).body.markdown).toContain('valve');
  expect((await call('GET', `${old}/path/guides/install`)).body.id).toBe(install);
  expect((await call('GET', `${old}/files`)).body.count).toBe(1);
  expect((await call('GET', `${old}/files/${file}`)).body.name).toBe('pump.png');
  expect(outline((await call('GET', `${content}/pages`)).body.pages)).toEqual(['Guides', ['Set up', ['First run']]]);
});

test('a revision of another space, or none, is not found', async () => {
  const { call, path, orgPath } = await contentSpace();
  const other = (await call('POST', `${orgPath}/spaces`, {})).body;

  expect((await call('GET', `${path}/revisions/${other.revision}`)).status).toBe(404);
  expect((await call('GET', `${path}/revisions/nowhere`)).error.reason).toBe('not-found');
});

test('every change makes a revision whose parent is the one before', async () => {
  const { call, content, path, insert: add, clock } = await contentSpace();
  const first = (await call('GET', content)).body;
  clock.advance(1000);
  await add('One');

  const second = (await call('GET', content)).body;

  expect(second.parents).toEqual([first.id]);
  expect(second.createdAt).toBe('2026-03-01T08:00:01.000Z');
  expect((await call('GET', path)).body).toMatchObject({ revision: second.id, updatedAt: second.createdAt });
});

test('a request sees main content as it was when it branched off', async () => {
  const { call, path, request, insert: add, pages } = await contentSpace();
  await add('Before');
  const cr = await request();
  await add('After');
  await add('Mine', {}, cr);

  expect(outline(await pages(cr))).toEqual(['Before', 'Mine']);
  expect(outline(await pages())).toEqual(['Before', 'After']);
  const revision = (await call('GET', `${cr}/content`)).body;
  expect(revision.id).toBe((await call('GET', cr)).body.revision);
  expect((await call('GET', `${path}/revisions/${revision.id}/pages`)).body.pages).toHaveLength(2);
});

describe('missing content and missing permissions', () => {
  test('unknown pages, files and paths are 404', async () => {
    const { call, content, request } = await guides();
    const cr = await request();
    for (const contentPath of [content, `${cr}/content`]) {
      for (const what of [
        'page/nowhere',
        'page/nowhere/links',
        'page/nowhere/backlinks',
        'files/nowhere',
        'files/nowhere/backlinks',
        'path/no/where',
      ]) {
        expect([what, (await call('GET', `${contentPath}/${what}`)).status]).toEqual([what, 404]);
      }
    }
  });

  test('a page of a request is not in main content', async () => {
    const { call, content, request, insert: add } = await contentSpace();
    const page = await add('Mine', {}, await request());

    expect((await call('GET', `${content}/page/${page}`)).status).toBe(404);
  });

  test('readers read and do not write; outsiders see nothing', async () => {
    const { call, path, content, as, user, change, request } = await guides();
    const cr = await request();
    const reader = as(await user({ role: 'read' }));
    const guest = as(await user({ role: null }));
    const stranger = as(await user());
    const reads = [
      content,
      `${content}/pages`,
      `${content}/files`,
      `${path}/links`,
      `${path}/search?query=valve`,
      `${cr}/content/pages`,
      `${cr}/links`,
      `${cr}/pdf`,
    ];

    for (const read of reads) {
      expect([read, (await reader('GET', read)).status]).toEqual([read, 200]);
      expect([read, (await guest('GET', read)).status]).toEqual([read, 404]);
      expect([read, (await stranger('GET', read)).status]).toEqual([read, 404]);
    }
    for (const where of [path, cr]) {
      expect((await change([insert('No')], where, reader)).error.reason).toBe('forbidden');
      expect((await change([insert('No')], where, stranger)).status).toBe(404);
      expect((await reader('POST', `${where}/content/import`, { url: 'data:,x', source: 'markdown' })).status).toBe(
        403,
      );
    }
    const editor = as(await user({ role: 'edit' }));
    expect((await change([insert('Yes')], path, editor)).status).toBe(200);
    expect((await call('GET', `${content}/pages`)).body.pages).toHaveLength(3);
  });

  test('content of a deleted space is not found', async () => {
    const { call, path, content } = await guides();
    await call('DELETE', path);

    for (const read of [content, `${path}/search?query=valve`, `${path}/links`])
      expect((await call('GET', read)).status).toBe(404);
    await call('POST', `${path}/restore`);
    expect((await call('GET', `${content}/pages`)).body.pages).toHaveLength(2);
  });
});

test('a duplicate has the same pages, files and links, and changes independently', async () => {
  const { call, path, content, install, insert: add, file } = await guides();
  const copy = (await call('POST', `${path}/duplicate`)).body;
  const copied = `/v1/spaces/${copy.id}/content`;
  await add('Only in the original');

  expect(outline((await call('GET', `${copied}/pages`)).body.pages)).toEqual([
    ['Guides', [['Install', ['First run']]]],
    'Reference',
  ]);
  expect((await call('GET', `${copied}/page/${install}?format=markdown`)).body.markdown).toContain('valve');
  expect((await call('GET', `${copied}/files`)).body.items).toEqual([file]);
  expect((await call('GET', `/v1/spaces/${copy.id}/search?query=valve`)).body.count).toBe(1);
  await call('POST', copied, { changes: [{ operation: 'delete_page', page: install }] });
  expect((await call('GET', `${content}/page/${install}`)).status).toBe(200);
});

test('purging a space deletes its texts, except those that a copy shares', async () => {
  const { call, path, content, install, clock, instance } = await guides();
  const kept = (await call('POST', `${path}/duplicate`)).body;
  await call('POST', content, {
    changes: [{ operation: 'update_page', page: install, document: { markdown: 'Only here.' } }],
  });
  await call('DELETE', path);
  clock.advance(8 * 86_400_000);
  const { catchUp } = await import('../../src/server/open-instance.ts');
  await catchUp(instance);

  const texts = await instance.store.read((db) => db.selectFrom('document').select('markdown').execute());
  expect(texts.map((row) => row.markdown)).toEqual(['# Install\n\nClose the **valve** first.\n']);
  expect((await call('GET', `/v1/spaces/${kept.id}/content/page/${install}?format=markdown`)).body.markdown).toContain(
    'valve',
  );
  expect(await instance.store.read((db) => db.selectFrom('blob').select('digest').execute())).toHaveLength(1);
  const { count } = await instance.store.read((db) =>
    db
      .selectFrom('searched_page')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  );
  expect(count).toBe(4);
});
