import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serveBytes } from '../client/support.ts';
import { contentSpace, outline, png } from '../support/content-space.ts';
import { isLong } from '../support/long-form.ts';

const data = (type: string, text: string) => `data:${type};base64,${Buffer.from(text).toString('base64')}`;

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A small site: pages by their path; anything else is 404. */
const site = (pages: Record<string, string>) =>
  serve((request, response) => {
    const page = pages[request.url!];
    if (page === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  });

const html = (title: string, body: string) =>
  `<!doctype html><html><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;

test('a website is imported with its pages, links between them, and counts', async () => {
  const base = await site({
    '/docs/': html('Docs', '<p>See <a href="install.html#run">how to install</a> and <a href="use.html">use</a>.</p>'),
    '/docs/install.html': html('Install', '<h2 id="run">Run</h2><p>Back to <a href="./">the start</a>.</p>'),
    '/docs/use.html': html('Use', '<p>Nothing here.</p>'),
  });
  const { call, content, path, pages, insert, space } = await contentSpace({ allowPrivateImports: true });
  await insert('Before');

  const answer = await call('POST', `${content}/import`, { url: `${base}/docs/`, source: 'website' });

  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    revision: (await call('GET', path)).body.revision,
    importedResources: 3,
    totalResources: 3,
  });
  expect(answer.headers.location).toBe(`http://localhost:4000/v1/spaces/${space}/content`);
  const titles = JSON.stringify(outline(await pages()));
  expect(titles).toMatch(/^\["Before",/);
  for (const title of ['Docs', 'Install', 'Use']) expect(titles).toContain(title);
  const links = (await call('GET', `${path}/links`)).body;
  expect(links.stats).toEqual({ total: links.count, broken: { total: 0 } });
  expect(links.items.map((item: any) => item.targetReference.kind)).toEqual(links.items.map(() => 'page'));
  expect((await call('GET', `${path}/search?query=nothing`)).body.count).toBe(1);
});

test('limits of pages and depth are those of the instance', async () => {
  const chain = Object.fromEntries(
    Array.from({ length: 6 }, (_, index) => [
      `/d/${index === 0 ? '' : index}`,
      html(`Page ${index}`, `<p>Number ${index} <a href="/d/${index + 1}">next</a></p>`),
    ]),
  );
  const base = await site(chain);
  const imported = async (importLimits: object) => {
    const { call, content } = await contentSpace({ allowPrivateImports: true, importLimits });
    return (await call('POST', `${content}/import`, { url: `${base}/d/`, source: 'website' })).body;
  };

  expect(await imported({ pages: 2 })).toMatchObject({ importedResources: 2, totalResources: 3 });
  expect((await imported({ depth: 3 })).importedResources).toBe(4);
  expect((await imported({})).importedResources).toBe(6);
});

if (isLong)
  test('a page may have more links than a function call can have arguments', async () => {
    const links = Array.from({ length: 130_000 }, (_, index) => `<a href=${index}></a>`).join('');
    const base = await site({ '/d/': html('Start', '<a href="links">Links</a>'), '/d/links': html('Links', links) });
    const { call, content } = await contentSpace({
      allowPrivateImports: true,
      importLimits: { pages: 2 },
      textLimits: { timeMs: 30_000, memoryBytes: 1024 * 1024 * 1024 },
    });

    const answer = await call('POST', `${content}/import`, { url: `${base}/d/`, source: 'website' });

    expect(answer.body).toMatchObject({ importedResources: 2 });
  });

test('a page of a website beyond the limits of a text is skipped, and counted', async () => {
  const paragraphs = '<p>a</p>'.repeat(20_000);
  const base = await site({ '/d/': html('Start', '<a href="long">Long</a>'), '/d/long': html('Long', paragraphs) });
  const { call, content, pages } = await contentSpace({ allowPrivateImports: true, textLimits: { timeMs: 50 } });

  const { body } = await call('POST', `${content}/import`, { url: `${base}/d/`, source: 'website' });

  expect(outline(await pages())).toEqual(['Start']);
  expect(body).toMatchObject({ importedResources: 1, totalResources: 2 });
});

test('a zip of Markdown becomes nested pages and files', async () => {
  const { call, content, pages, path } = await contentSpace();
  const zip = zipSync({
    'README.md': Buffer.from('# Welcome\n\n[Install](guides/install.md)\n'),
    'guides/README.md': Buffer.from('# Guides\n\n![Pump](../assets/pump.png)\n'),
    'guides/install.md': Buffer.from('Do it.\n'),
    'assets/pump.png': png(4, 3),
  });
  const url = `data:application/zip;base64,${Buffer.from(zip).toString('base64')}`;

  const { body } = await call('POST', `${content}/import`, { url, source: 'zip' });

  expect(body).toMatchObject({ importedResources: 4, totalResources: 4 });
  expect(JSON.stringify(outline(await pages()))).toContain('["Guides",["');
  expect((await call('GET', `${content}/files`)).body.items).toMatchObject([
    { name: expect.stringContaining('pump.png'), contentType: 'image/png', dimensions: { width: 4, height: 3 } },
  ]);
  expect((await call('GET', `${path}/links`)).body.stats.broken.total).toBe(0);
});

test('Markdown and HTML are imported from data addresses, at the end of the pages', async () => {
  const { call, content, pages, markdown, insert } = await contentSpace();
  await insert('First');
  await call('POST', `${content}/import`, {
    url: data('text/markdown', '# Pumps\n\nOpen the *valve*.\n'),
    source: 'markdown',
  });
  await call('POST', `${content}/import`, {
    url: `data:text/html,${encodeURIComponent(html('Valves', '<p>They <b>close</b>.</p>'))}`,
    source: 'html',
  });

  const tree = await pages();
  expect(outline(tree)).toEqual(['First', 'Pumps', 'Valves']);
  expect(await markdown(tree[1].id)).toBe('# Pumps\n\nOpen the *valve*.\n');
  expect(await markdown(tree[2].id)).toContain('**close**');
});

test('addresses with invalid percent-encoding are imported unchanged', async () => {
  const body =
    '<p><a href="#%E0%A4%A">here</a> <a href="%E0%A4%A.html">there</a> <a href="/d//%5B/[/x/%E0">deep</a></p>';
  const base = await site({
    '/d/': html('Start', body),
    '/d/%E0%A4%A.html': html('Odd', '<p>One</p>'),
    '/d//%5B/[/x/%E0': html('Deep', '<p>Two</p>'),
    '//[/x/y': html('Bracket', '<p>Three</p>'),
    '//[/x/z': html('Bracket 2', '<p>Four</p>'),
    '/': html('Root', '<a href="/.//[/x/y">y</a> <a href="/.//[/x/z">z</a>'),
  });
  const { call, content, pages } = await contentSpace({ allowPrivateImports: true });

  const asPage = await call('POST', `${content}/import`, { url: `${base}/d/`, source: 'html' });
  const asSite = await call('POST', `${content}/import`, { url: `${base}/d/`, source: 'website' });
  const atRoot = await call('POST', `${content}/import`, { url: `${base}/`, source: 'website' });

  expect([asPage.status, asSite.status, atRoot.status]).toEqual([201, 201, 201]);
  expect(asSite.body.importedResources).toBe(3);
  expect(JSON.stringify(outline(await pages()))).toMatch(/^\["Start",/);
});

test('an import into a request returns its location', async () => {
  const { call, request, pages, user, as } = await contentSpace();
  const cr = await request();
  const editor = await user({ role: 'edit' });

  const answer = await as(editor)('POST', `${cr}/content/import`, {
    url: data('text/markdown', '# Mine'),
    source: 'markdown',
  });

  expect(answer.status).toBe(201);
  expect(answer.body.revision).toBe((await call('GET', cr)).body.revision);
  expect(answer.headers.location).toMatch(/\/change-requests\/\w+\/content$/);
  expect(outline(await pages(cr))).toEqual(['Mine']);
  expect(await pages()).toEqual([]);
  const drafts = await call('GET', `${cr.replace(/\/\d+$/, '')}?status=draft&contributor=${editor}`);
  expect(drafts.body.count).toBe(1);
});

test('exports of other programs are archives, of which pages that are not imported count as found', async () => {
  const { call, content } = await contentSpace();
  for (const source of ['confluence', 'github-wiki', 'notion', 'google-docs']) {
    const archive = zipSync({ 'Home.md': strToU8('[[FAQ]]'), 'FAQ.md': strToU8('x'), 'Old.rst': strToU8('x') });
    const url = `data:application/zip;base64,${Buffer.from(archive).toString('base64')}`;
    const { status, body } = await call('POST', `${content}/import`, { url, source });
    expect([source, status, body.importedResources, body.totalResources]).toEqual([source, 201, 2, 3]);
  }
});

describe('refused', () => {
  const markdown = { url: 'data:,x', source: 'markdown' };

  test('bad values', async () => {
    const { call, content } = await contentSpace();
    const cases: [object, string, string][] = [
      [{}, '/url', 'required'],
      [{ url: 'data:,x' }, '/source', 'required'],
      [{ url: 'data:,x', source: 'gopher' }, '/source', 'enum'],
      [{ url: 'ftp://x.example/', source: 'html' }, '/url', 'format'],
      [{ url: 'docs', source: 'html' }, '/url', 'format'],
      [{ url: 7, source: 'html' }, '/url', 'type'],
      [{ url: 'data:,x', source: 'website' }, '/url', 'format'],
    ];
    for (const [body, path, rule] of cases) {
      const { status, error } = await call('POST', `${content}/import`, body);
      expect([status, error.details?.[0]?.path, error.details?.[0]?.rule]).toEqual([400, path, rule]);
    }
  });

  test('locked spaces, merged and archived requests', async () => {
    const { call, path, content, request } = await contentSpace();
    const cr = await request({ open: true });
    const archived = await request();
    await call('PATCH', archived, { status: 'archived' });
    await call('POST', `${cr}/merge`);
    await call('PATCH', path, { editMode: 'locked' });

    for (const contentPath of [content, `${cr}/content`, `${archived}/content`]) {
      const { status, error } = await call('POST', `${contentPath}/import`, markdown);
      expect([status, error.reason]).toEqual([409, 'invalid-state']);
    }
    const open = await request();
    expect((await call('POST', `${open}/content/import`, markdown)).status).toBe(201);
  });

  test('addresses that cannot be reached or read, and private ones; nothing is changed', async () => {
    const base = await site({});
    const strict = await contentSpace();
    const loose = await contentSpace({ allowPrivateImports: true });
    const before = (await loose.call('GET', loose.path)).body.revision;
    const attempts = [
      [strict, `${base}/`, 'html'],
      [strict, 'http://[::ffff:7f00:1]:1/', 'website'],
      [loose, `${base}/`, 'website'],
      [loose, `${base}/`, 'markdown'],
      [loose, 'data:application/zip,nonsense', 'zip'],
    ] as const;
    for (const [{ call, content }, url, source] of attempts) {
      const { status, error } = await call('POST', `${content}/import`, { url, source });
      expect([url, status, error.reason]).toEqual([url, 422, 'import-failed']);
    }
    expect((await loose.call('GET', loose.path)).body.revision).toBe(before);
  });
});

test('permission for imports from private networks is for no other addresses', async () => {
  const asked: string[] = [];
  const base = await serve((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'text/plain' }).end('# X');
  });
  const { call, content, org, change } = await contentSpace({ allowPrivateImports: true });
  const spec = `/v1/orgs/${org}/openapi/pumps`;
  await call('PUT', spec, { source: { url: `${base}/spec` } });
  await expect.poll(async () => (await call('GET', spec)).body.processingState).toBe('complete');
  const inserted = await change([{ operation: 'insert_files', files: [{ name: 'b.png', url: `${base}/file` }] }]);
  const page = `data:text/markdown,${encodeURIComponent(`![](${base}/image)`)}`;
  const ofData = await call('POST', `${content}/import`, { url: page, source: 'markdown' });

  expect(inserted.status).toBe(422);
  expect(ofData.status).toBe(201);
  expect(asked).toEqual([]);
  expect((await call('POST', `${content}/import`, { url: `${base}/x.md`, source: 'markdown' })).status).toBe(201);
  expect(asked).toEqual(['/x.md']);
});

test('a space that is locked while the import runs is not changed', async () => {
  const made = await contentSpace({ allowPrivateImports: true });
  const { call, path, content, pages } = made;
  const base = await serve((_, response) => {
    void call('PATCH', path, { editMode: 'locked' }).then(() =>
      response.writeHead(200, { 'content-type': 'text/markdown' }).end('# Late'),
    );
  });

  const { status, error } = await call('POST', `${content}/import`, { url: `${base}/late.md`, source: 'markdown' });

  expect([status, error.reason]).toEqual([409, 'invalid-state']);
  expect(await pages()).toEqual([]);
});

test('an address that switches protocols ends an import of each source, and the description of an API', async () => {
  await using elsewhere = await serveBytes('HTTP/1.1 101 x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  const { call, content, org } = await contentSpace({ allowPrivateImports: true, allowPrivateSources: true });

  for (const source of ['website', 'markdown', 'html', 'docx', 'zip']) {
    const { status, error } = await call('POST', `${content}/import`, { url: `${elsewhere.url}/x`, source });
    expect([source, status, error.message]).toEqual([source, 422, expect.stringContaining('another protocol (101)')]);
  }
  const spec = `/v1/orgs/${org}/openapi/pumps`;
  await call('PUT', spec, { source: { url: `${elsewhere.url}/spec.yaml` } });
  await expect.poll(async () => (await call('GET', spec)).body.processingState).toBe('complete');
  expect((await call('GET', spec)).body.lastProcessErrorCode).toBe('FETCH_ERROR');
});
