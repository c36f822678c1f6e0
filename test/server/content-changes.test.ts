import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from '../support/property.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { contentSpace, outline, png } from '../support/content-space.ts';
import { isLong, runs } from '../support/long-form.ts';
import { connectionOf, onPostgres } from '../support/engine.ts';

const insert = (title: string, more: object = {}) => ({ operation: 'insert_page', title, document: {}, ...more });
const update = (page: string, more: object) => ({ operation: 'update_page', page, ...more });
const remove = (page: string) => ({ operation: 'delete_page', page });
const revert = (page: string, revision?: string) => ({ operation: 'revert_page', page, revision });

/** The first fault of a refused change. */
const fault = ({ error }: any) => [error?.code, error?.details?.[0]?.path, error?.details?.[0]?.rule];

describe('answers', () => {
  test('a change returns the changed object, or on request the changes', async () => {
    const { call, content, path, request } = await contentSpace();
    const cr = await request();

    const short = await call('POST', `${cr}/content`, { changes: [insert('One')] });
    const long = await call('POST', `${cr}/content?compat=false`, { changes: [insert('Two', { ref: 'two' })] });
    const main = await call('POST', content, { changes: [insert('Three')] });

    expect(short.body).toMatchObject({ object: 'change-request', number: 1, status: 'draft' });
    expect(long.body.changeRequest.revision).not.toBe(short.body.revision);
    expect(long.body.changes).toEqual([
      {
        object: 'created_page',
        ref: 'two',
        page: {
          object: 'page',
          id: expect.stringMatching(/^[A-Za-z]\w{11}$/),
          urls: { location: expect.stringContaining(`${path}/change-requests/`) },
        },
      },
    ]);
    expect(long.body.insertedFiles).toEqual([]);
    expect(main.body).toMatchObject({ object: 'space', id: path.split('/')[3] });
    const { location } = long.body.changes[0].page.urls;
    expect((await call('GET', new URL(location).pathname)).body.title).toBe('Two');
  });

  test('each changed page is listed once, in the order of its first change', async () => {
    const { change, insert: add } = await contentSpace();
    const kept = await add('Kept');
    const gone = await add('Gone');
    const below = await add('Below', { into: gone });

    const { body } = await change([
      insert('New', { ref: 'new' }),
      update(kept, { title: 'Renamed' }),
      remove(gone),
      update('new', { emoji: '🔧' }),
      insert('Short-lived', { ref: 'short' }),
      remove('short'),
      update(kept, { description: 'Twice' }),
    ]);

    expect(body.changes.map((each: any) => [each.object, each.page.id ?? each.page])).toEqual([
      ['created_page', expect.any(String)],
      ['updated_page', kept],
      ['deleted_page', gone],
      ['deleted_page', below],
      ['deleted_page', expect.any(String)],
    ]);
  });

  test('a request stores who worked on it and when', async () => {
    const { call, path, request, user, as, change, clock } = await contentSpace();
    const cr = await request();
    const writer = await user({ role: 'edit' });
    clock.advance(60_000);
    await change([insert('One')], cr, as(writer));

    const mine = await call('GET', `${path}/change-requests?status=draft&contributor=${writer}`);

    expect(mine.body.items).toMatchObject([{ number: 1, updatedAt: '2026-03-01T08:01:00.000Z', outdated: false }]);
  });
});

describe('inserting pages', () => {
  test('a title in the text wins over the given one', async () => {
    const { change, pages } = await contentSpace();
    await change([
      insert('Given', { document: { markdown: '# Heading\n\nText' } }),
      insert('Given', { document: { markdown: '---\ntitle: Front matter\n---\n# Heading\n' } }),
      insert('Given', { document: { markdown: 'Text\n\n# Later heading' } }),
      { operation: 'insert_page', document: {} },
    ]);

    expect((await pages()).map((page: any) => [page.title, page.slug])).toEqual([
      ['Heading', 'heading'],
      ['Front matter', 'front-matter'],
      ['Given', 'given'],
      ['Untitled', 'untitled'],
    ]);
  });

  test('all members of a page are kept', async () => {
    const { call, content, insert: add } = await contentSpace();
    const members = {
      slug: 'pump-1',
      emoji: '🔧',
      icon: 'wrench',
      description: 'How',
      hidden: true,
      noIndex: true,
      noRobotsIndex: true,
    };
    const page = await add('Pump', members);

    expect((await call('GET', `${content}/page/${page}`)).body).toMatchObject({
      ...members,
      title: 'Pump',
      path: 'pump-1',
    });
  });

  test('pages go where `into` and `at` say', async () => {
    const { change, insert: add, pages } = await contentSpace();
    const a = await add('A');
    await add('C');
    await change([
      insert('B', { at: 1 }),
      insert('D', { at: 99 }),
      insert('0', { at: 0 }),
      insert('A1', { into: a }),
      insert('A0', { into: a, at: 0 }),
    ]);

    expect(outline(await pages())).toEqual(['0', ['A', ['A0', 'A1']], 'B', 'C', 'D']);
  });

  test('many pages put in the same place keep their order', async () => {
    const { insert: add, pages } = await contentSpace();
    for (let i = 0; i < 40; i++) await add(`P${i}`, { at: Math.floor(i / 2) });

    const titles = (await pages()).map((page: any) => page.title);
    const expected: string[] = [];
    for (let i = 0; i < 40; i++) expected.splice(Math.floor(i / 2), 0, `P${i}`);
    expect(titles).toEqual(expected);
  });

  test('a slug from a title is made unique, a slug of the request is not', async () => {
    const { change, insert: add, pages } = await contentSpace();
    await add('Intro');
    const asked = await change([insert('Other', { slug: 'intro' })]);
    await change([insert('Intro'), insert('Intro'), insert('Fixed', { slug: 'intro-4' }), insert('Intro')]);

    expect(fault(asked)).toEqual([400, '/changes/0/slug', 'unique']);
    expect((await pages()).map((page: any) => page.slug)).toEqual([
      'intro',
      'intro-2',
      'intro-3',
      'intro-4',
      'intro-5',
    ]);
  });

  test('slugs can be exchanged in one request', async () => {
    const { change, insert: add, pages } = await contentSpace();
    const a = await add('A');
    const b = await add('B');
    const { status } = await change([update(a, { slug: 'b' }), update(b, { slug: 'a' })]);

    expect(status).toBe(200);
    expect((await pages()).map((page: any) => page.slug)).toEqual(['b', 'a']);
  });

  test('a tree is accepted as well as Markdown', async () => {
    const { call, content, change } = await contentSpace();
    const text = (value: string, marks: object[] = []) => ({
      object: 'text',
      leaves: [{ object: 'leaf', text: value, marks }],
    });
    const block = (type: string, nodes: object[]) => ({ object: 'block', type, data: {}, nodes });
    const tree = {
      object: 'document',
      data: {},
      nodes: [
        block('heading-1', [text('Valves')]),
        block('paragraph', [text('Open them '), text('slowly', [{ object: 'mark', type: 'bold' }])]),
      ],
    };
    const { body } = await change([insert('X', { document: { document: tree } }), insert('Y', { document: tree })]);

    for (const [index, each] of body.changes.entries()) {
      const page = (await call('GET', `${content}/page/${each.page.id}?format=markdown`)).body;
      expect([index, page.title, page.markdown]).toEqual([index, 'Valves', '# Valves\n\nOpen them **slowly**\n']);
    }
  });

  test('any Markdown is returned byte for byte', async () => {
    const { change, markdown } = await contentSpace();
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[-#*_>`|[\]() \n\r\tab&<!~:\\]*$/)),
        async (text) => {
          fc.pre(text.isWellFormed() && !text.includes('\0'));
          const { body } = await change([insert('X', { document: { markdown: text } })]);
          expect(await markdown(body.changes[0].page.id)).toBe(text);
        },
      ),
      { numRuns: runs(50, 500) },
    );
  });

  test('links by the names of the request become links by id', async () => {
    const { change, markdown } = await contentSpace();
    const { body } = await change([
      insert('A', {
        ref: 'a',
        document: {
          markdown: '[b](./b.md#run) ![p](./pump) [c](./c.md) [web](https://x.example/./b.md)\n\n`[b](./b.md)`\n',
        },
      }),
      insert('B', { ref: 'b', document: { markdown: '[up](./a.md)' } }),
      { operation: 'insert_files', files: [{ name: 'pump.png', base64: '', contentType: 'image/png', ref: 'pump' }] },
    ]);
    const [a, b] = body.changes.map((each: any) => each.page.id);
    const file = body.insertedFiles[0].id;

    expect(await markdown(a)).toBe(
      `[b](/pages/${b}#run) ![p](/files/${file}) [c](./c.md) [web](https://x.example/./b.md)\n\n\`[b](./b.md)\`\n`,
    );
    expect(await markdown(b)).toBe(`[up](/pages/${a})`);
  });
});

describe('updating pages', () => {
  test('members that are not sent stay', async () => {
    const { call, content, change, insert: add, clock } = await contentSpace();
    const page = await add('Pump', { emoji: '🔧', description: 'How', document: { markdown: 'Text' } });
    clock.advance(5000);
    await change([update(page, { title: 'New' })]);

    const { body } = await call('GET', `${content}/page/${page}?format=markdown`);
    expect(body).toMatchObject({ title: 'New', slug: 'pump', emoji: '🔧', description: 'How', markdown: 'Text' });
    expect([body.createdAt, body.updatedAt]).toEqual(['2026-03-01T08:00:00.000Z', '2026-03-01T08:00:05.000Z']);
  });

  test('null removes emoji, icon and description, {} the text', async () => {
    const { call, content, change, insert: add } = await contentSpace();
    const page = await add('Pump', { emoji: '🔧', icon: 'wrench', description: 'How', document: { markdown: 'Text' } });
    await change([update(page, { emoji: null, icon: null, description: null, document: {} })]);

    const { body } = await call('GET', `${content}/page/${page}`);
    for (const member of ['emoji', 'icon', 'description', 'documentId']) expect(body).not.toHaveProperty(member);
  });

  test('the same text keeps its document, another one makes another', async () => {
    const { call, content, change, insert: add, clock } = await contentSpace();
    const page = await add('Pump', { document: { markdown: 'Text' } });
    const readPage = async () => (await call('GET', `${content}/page/${page}`)).body;
    const first = await readPage();
    clock.advance(1000);
    await change([update(page, { document: { markdown: 'Text' }, title: 'Pump' })]);
    expect(await readPage()).toEqual(first);
    await change([update(page, { document: { markdown: 'Other' } })]);
    expect((await readPage()).documentId).not.toBe(first.documentId);
    expect((await readPage()).updatedAt).not.toBe(first.updatedAt);
  });

  test('a page moves among its siblings, under another, and to the top', async () => {
    const { change, insert: add, pages } = await contentSpace();
    const [a, b, c] = [await add('A'), await add('B'), await add('C')];
    await change([update(c, { at: 0 })]);
    expect(outline(await pages())).toEqual(['C', 'A', 'B']);
    await change([update(c, { into: b }), update(a, { into: b, at: 0 })]);
    expect(outline(await pages())).toEqual([['B', ['A', 'C']]]);
    await change([update(a, { into: null })]);
    expect(outline(await pages())).toEqual([['B', ['C']], 'A']);
    await change([update(a, { title: 'A!' })]);
    expect(outline(await pages())).toEqual([['B', ['C']], 'A!']);
  });

  test('the paths of subpages follow a move', async () => {
    const { call, content, change, insert: add } = await contentSpace();
    const a = await add('A');
    const below = await add('Below', { into: a });
    const b = await add('B');
    await change([update(a, { into: b })]);

    expect((await call('GET', `${content}/page/${below}`)).body.path).toBe('b/a/below');
    expect((await call('GET', `${content}/path/b/a/below`)).body.id).toBe(below);
  });

  test('a moved page gets another slug where its own is taken', async () => {
    const { call, content, change, insert: add } = await contentSpace();
    const parent = await add('Parent');
    await add('Intro', { into: parent });
    const intro = await add('Intro');
    await change([update(intro, { into: parent })]);

    expect((await call('GET', `${content}/page/${intro}`)).body.path).toBe('parent/intro-2');
  });

  test('a page cannot move under itself or a page below it', async () => {
    const { change, insert: add } = await contentSpace();
    const a = await add('A');
    const below = await add('Below', { into: a });

    expect(fault(await change([update(a, { into: a })]))).toEqual([400, '/changes/0/into', 'reference']);
    expect(fault(await change([update(a, { into: below })]))).toEqual([400, '/changes/0/into', 'reference']);
  });

  test('pages nest fifty levels deep and no deeper', async () => {
    const { change, insert: add } = await contentSpace();
    const chain = Array.from({ length: 50 }, (_, index) =>
      insert(`L${index}`, { ref: `l${index}`, ...(index > 0 ? { into: `l${index - 1}` } : {}) }),
    );
    const { status, body } = await change(chain);
    expect(status).toBe(200);
    const [top, deepest] = [body.changes[0].page.id, body.changes[49].page.id];
    const other = await add('Other');

    expect(fault(await change([insert('Too deep', { into: deepest })]))).toEqual([400, '/changes/0/into', 'maximum']);
    expect(fault(await change([update(top, { into: other })]))).toEqual([400, '/changes/0/into', 'maximum']);
  });
});

describe('deleting and reverting', () => {
  test('deleting a page deletes its subpages', async () => {
    const { change, insert: add, pages } = await contentSpace();
    const a = await add('A');
    await add('Below', { into: await add('Middle', { into: a }) });
    await add('B');
    await change([remove(a)]);

    expect(outline(await pages())).toEqual(['B']);
  });

  test('reverting restores a page from the base of the request', async () => {
    const { call, change, insert: add, request, pages, markdown, clock } = await contentSpace();
    const page = await add('Pump', { document: { markdown: 'Old' } });
    await add('Other');
    const before = (await pages())[0];
    const cr = await request();
    clock.advance(1000);
    await change([update(page, { title: 'New', document: { markdown: 'New' }, at: 1 })], cr);
    const back = await change([revert(page)], cr);

    expect(back.body.changes.map((each: any) => each.object)).toEqual(['updated_page']);
    expect((await pages(cr))[0]).toEqual({ ...before, urls: expect.anything() });
    expect(await markdown(page, cr)).toBe('Old');
    await change([remove(page)], cr);
    await change([revert(page)], cr);
    expect((await call('GET', `${cr}/content/page/${page}`)).body.title).toBe('Pump');
  });

  test('reverting a page that the base does not have deletes it', async () => {
    const { change, insert: add, request, pages } = await contentSpace();
    const cr = await request();
    const page = await add('Mine', {}, cr);
    const { body } = await change([revert(page)], cr);

    expect(body.changes).toEqual([{ object: 'deleted_page', page }]);
    expect(await pages(cr)).toEqual([]);
  });

  test('reverting accepts any revision of the space', async () => {
    const { call, content, change, insert: add, markdown, orgPath } = await contentSpace();
    const page = await add('Pump', { document: { markdown: 'One' } });
    const one = (await call('GET', content)).body.id;
    await change([update(page, { document: { markdown: 'Two' } })]);
    await change([update(page, { document: { markdown: 'Three' } })]);
    await change([revert(page, one)]);
    expect(await markdown(page)).toBe('One');
    await change([revert(page)]);
    expect(await markdown(page)).toBe('Three');

    const other = (await call('POST', `${orgPath}/spaces`, {})).body.revision;
    for (const revision of [other, 'nowhere']) {
      expect(fault(await change([revert(page, revision)]))).toEqual([400, '/changes/0/revision', 'reference']);
    }
  });

  test('a page cannot be reverted to a parent that is deleted', async () => {
    const { change, insert: add, request, pages } = await contentSpace();
    const parent = await add('Parent');
    const below = await add('Below', { into: parent });
    const cr = await request();
    await change([remove(parent)], cr);

    expect(fault(await change([revert(below)], cr))).toEqual([400, '/changes/0/page', 'reference']);
    await change([revert(parent), revert(below)], cr);
    expect(outline(await pages(cr))).toEqual([['Parent', ['Below']]]);
  });
});

describe('files', () => {
  test('bytes are in the request or at an address; type, size and dimensions are read from them', async () => {
    const server = createServer((_, response) =>
      response.writeHead(200, { 'content-type': 'text/plain' }).end(png(640, 480)),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { call, content, change } = await contentSpace({ allowPrivateSources: true });
    const { body, status } = await change([
      {
        operation: 'insert_files',
        files: [
          {
            name: 'a.txt',
            base64: Buffer.from('hello').toString('base64'),
            contentType: 'text/plain; charset=utf-8',
            ref: 'a',
          },
          { name: 'b.png', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/b` },
        ],
      },
    ]);

    expect(status).toBe(200);
    const [a, b] = body.insertedFiles;
    expect(a).toMatchObject({ name: 'a.txt', contentType: 'text/plain; charset=utf-8', size: 5 });
    expect(a).not.toHaveProperty('dimensions');
    expect(b).toMatchObject({
      name: 'b.png',
      contentType: 'image/png',
      size: 33,
      dimensions: { width: 640, height: 480 },
    });
    expect((await call('GET', `${content}/files/${b.id}`)).body).toEqual(b);
  });

  test('an address in a private network is not fetched, and nothing is changed', async () => {
    const { change, pages } = await contentSpace();
    const answer = await change([
      insert('X'),
      { operation: 'insert_files', files: [{ name: 'x', url: 'http://127.0.0.1:9/x' }] },
    ]);

    expect([answer.status, answer.error.reason]).toEqual([422, 'import-failed']);
    expect(answer.error.message).toContain('"x"');
    expect(await pages()).toEqual([]);
  });

  test('downloadURL returns the bytes to anybody until the space is deleted', async () => {
    const { call, change, instance, path } = await contentSpace();
    const html = Buffer.from('<script>alert(1)</script>').toString('base64');
    const { body } = await change([
      { operation: 'insert_files', files: [{ name: 'Wart "ö".html', base64: html, contentType: 'text/html' }] },
    ]);
    const url = new URL(body.insertedFiles[0].downloadURL);
    const download = () => instance.handle({ method: 'GET', path: url.pathname, query: url.searchParams, headers: {} });

    const { status, headers, body: bytes } = await download();
    expect(status).toBe(200);
    expect(Buffer.from(bytes as Uint8Array).toString()).toBe('<script>alert(1)</script>');
    expect(headers['content-disposition']).toBe(
      `attachment; filename="Wart ___.html"; filename*=UTF-8''Wart%20%22%C3%B6%22.html`,
    );
    expect(headers['content-security-policy']).toContain('sandbox');
    await call('DELETE', path);
    expect((await download()).status).toBe(404);
  });

  test('files are listed by name, in pages', async () => {
    const { call, content, change, request } = await contentSpace();
    const file = (name: string) => ({ name, base64: '', contentType: 'text/plain' });
    await change([{ operation: 'insert_files', files: ['b', 'd', 'a'].map(file) }]);
    const cr = await request();
    await change([{ operation: 'insert_files', files: ['c', 'a'].map(file) }], cr);
    const walk = async (where: string) => {
      const names: string[] = [];
      for (let page = ''; ;) {
        const { body } = await call('GET', `${where}/files?limit=2${page}`);
        names.push(...body.items.map((each: any) => each.name));
        if (!body.next) return [body.count, ...names];
        page = `&page=${body.next.page}`;
      }
    };

    expect(await walk(content)).toEqual([3, 'a', 'b', 'd']);
    expect(await walk(`${cr}/content`)).toEqual([5, 'a', 'a', 'b', 'c', 'd']);
  });
});

describe('bad input', () => {
  test('every invalid value is reported with its place, and nothing is changed', async () => {
    const { change, insert: add, pages } = await contentSpace();
    const page = await add('Here');
    const link = {
      operation: 'insert_files',
      files: [{ name: 'x', base64: '', contentType: 'text/plain', ref: 'twice' }],
    };
    const cases: [object[], unknown[]][] = [
      [[], [400, '/changes', 'minItems']],
      [Array.from({ length: 51 }, () => insert('X')), [400, '/changes', 'maxItems']],
      [[{ operation: 'burn_page' }], [400, '/changes/0/operation', 'enum']],
      [[{ operation: 'insert_page', title: 'X' }], [400, '/changes/0/document', 'required']],
      [[insert('')], [400, '/changes/0/title', 'minLength']],
      [[insert('X', { slug: 'x'.repeat(101) })], [400, '/changes/0/slug', 'maxLength']],
      [[insert('X', { slug: 'a/b' })], [400, '/changes/0/slug', 'pattern']],
      [[insert('X', { slug: '..' })], [400, '/changes/0/slug', 'pattern']],
      [[insert('X', { at: -1 })], [400, '/changes/0/at', 'minimum']],
      [[insert('X', { at: 1.5 })], [400, '/changes/0/at', 'type']],
      [[insert('X', { into: 'nowhere' })], [400, '/changes/0/into', 'reference']],
      [[insert('X', { document: { markdown: 7 } })], [400, '/changes/0/document/markdown', 'type']],
      [[insert('X', { document: { markdown: 'x', document: {} } })], [400, '/changes/0/document', 'conflict']],
      [
        [insert('X', { document: { document: { object: 'document', nodes: [7] } } })],
        [400, '/changes/0/document/document/nodes/0', 'type'],
      ],
      [[insert('X', { ref: '' })], [400, '/changes/0/ref', 'minLength']],
      [
        [insert('X', { ref: 'twice' }), link],
        [400, '/changes/1/files/0/ref', 'unique'],
      ],
      [[update('nowhere', {})], [400, '/changes/0/page', 'reference']],
      [
        [remove(page), update(page, { title: 'X' })],
        [400, '/changes/1/page', 'reference'],
      ],
      [[remove('nowhere')], [400, '/changes/0/page', 'reference']],
      [[revert('nowhere')], [400, '/changes/0/page', 'reference']],
      [[{ operation: 'insert_files', files: [] }], [400, '/changes/0/files', 'minItems']],
      [
        [
          {
            operation: 'insert_files',
            files: Array.from({ length: 21 }, () => ({ name: 'x', url: 'https://x.example' })),
          },
        ],
        [400, '/changes/0/files', 'maxItems'],
      ],
      [
        [{ operation: 'insert_files', files: [{ name: '', url: 'https://x.example' }] }],
        [400, '/changes/0/files/0/name', 'minLength'],
      ],
      [
        [{ operation: 'insert_files', files: [{ name: 'x'.repeat(257), url: 'https://x.example' }] }],
        [400, '/changes/0/files/0/name', 'maxLength'],
      ],
      [[{ operation: 'insert_files', files: [{ name: 'x' }] }], [400, '/changes/0/files/0', 'required']],
      [
        [
          {
            operation: 'insert_files',
            files: [{ name: 'x', url: 'https://x.example', base64: '', contentType: 'a/b' }],
          },
        ],
        [400, '/changes/0/files/0', 'required'],
      ],
      [
        [{ operation: 'insert_files', files: [{ name: 'x', base64: '' }] }],
        [400, '/changes/0/files/0/contentType', 'required'],
      ],
      [
        [{ operation: 'insert_files', files: [{ name: 'x', base64: 'a', contentType: 'a/b' }] }],
        [400, '/changes/0/files/0/base64', 'format'],
      ],
      [
        [{ operation: 'insert_files', files: [{ name: 'x', base64: '', contentType: 'a/b\r\nx: y' }] }],
        [400, '/changes/0/files/0/contentType', 'pattern'],
      ],
      [
        [{ operation: 'insert_files', files: [{ name: 'x', url: 'ftp://x.example' }] }],
        [400, '/changes/0/files/0/url', 'format'],
      ],
    ];
    for (const [changes, expected] of cases) {
      const answer = await change(changes);
      expect([JSON.stringify(changes).slice(0, 80), ...fault(answer)]).toEqual([
        JSON.stringify(changes).slice(0, 80),
        ...expected,
      ]);
    }
    expect(outline(await pages())).toEqual(['Here']);
  });

  test('values at a limit are accepted', async () => {
    const { change, pages } = await contentSpace();
    const bytes = Buffer.alloc(1_000_000).toString('base64');
    const over = Buffer.alloc(1_000_001).toString('base64');
    const file = (base64: string) => ({
      operation: 'insert_files',
      files: [{ name: 'x'.repeat(256), base64, contentType: 'a/b' }],
    });

    expect(
      (
        await change(
          Array.from({ length: 50 }, (_, index) => insert(`P${index}`, { slug: `${index}`.padStart(100, 'x') })),
        )
      ).status,
    ).toBe(200);
    expect((await change([file(bytes)])).status).toBe(200);
    expect(fault(await change([file(over)]))).toEqual([400, '/changes/0/files/0/base64', 'maxLength']);
    expect(await pages()).toHaveLength(50);
  });

  test('when one change is invalid, none is made', async () => {
    const { call, content, change, pages } = await contentSpace();
    const before = (await call('GET', content)).body.id;
    const answer = await change([insert('One'), insert('Two'), remove('nowhere')]);

    expect(fault(answer)).toEqual([400, '/changes/2/page', 'reference']);
    expect(await pages()).toEqual([]);
    expect((await call('GET', content)).body.id).toBe(before);
  });
});

describe('states', () => {
  test('a locked space is changed through requests only', async () => {
    const { call, path, change, request } = await contentSpace();
    await call('PATCH', path, { editMode: 'locked' });
    const direct = await change([insert('X')]);

    expect([direct.status, direct.error.reason]).toEqual([409, 'invalid-state']);
    expect(direct.error.message).toContain('locked');
    expect((await change([insert('X')], await request())).status).toBe(200);
  });

  test('merged and archived requests are not changed any more', async () => {
    const { call, change, request } = await contentSpace();
    const merged = await request({ open: true });
    await call('POST', `${merged}/merge`);
    const archived = await request();
    await call('PATCH', archived, { status: 'archived' });

    for (const [cr, word] of [
      [merged, 'merged'],
      [archived, 'archived'],
    ] as const) {
      const answer = await change([insert('X')], cr);
      expect([answer.status, answer.error.reason]).toEqual([409, 'invalid-state']);
      expect(answer.error.message).toContain(word);
      const fetched = [{ operation: 'insert_files', files: [{ name: 'x', url: 'http://127.0.0.1:9/' }] }];
      expect((await change(fetched, cr)).status).toBe(409);
      expect(fault(await change([insert('')], cr))).toEqual([400, '/changes/0/title', 'minLength']);
      expect(fault(await change([remove('nowhere')], cr))).toEqual([400, '/changes/0/page', 'reference']);
    }
    await call('PATCH', archived, { status: 'draft' });
    expect((await change([insert('X')], archived)).status).toBe(200);
  });
});

if (!onPostgres)
  test('a one-page edit writes as much in a large space as in one of five pages', async () => {
    const written = async (pages: number) => {
      const { change, insert: add, instance } = await contentSpace();
      const page = await add('Edited', { document: { markdown: 'Old [a](https://x.example)' } });
      for (let start = 1; start < pages; start += 50) {
        await change(
          Array.from({ length: Math.min(50, pages - start) }, (_, i) =>
            insert(`P${start + i}`, { document: { markdown: 'Text' } }),
          ),
        );
      }
      const rows = () =>
        connectionOf(instance.store).sqlite.prepare('select total_changes() as rows').get()!.rows as number;
      const before = rows();
      expect((await change([update(page, { document: { markdown: 'New [a](https://x.example)' } })])).status).toBe(200);
      return rows() - before;
    };
    const small = await written(5);
    const large = await written(isLong ? 500 : 100);

    expect(large).toBe(small);
    expect(large).toBeLessThan(25);
  });
