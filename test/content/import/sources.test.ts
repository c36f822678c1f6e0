import { zipSync } from 'fflate';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unzip } from '../../../src/content/import/archive.ts';
import type { Imported } from '../../../src/content/import/imported.ts';
import type { SourceOptions } from '../../../src/content/import/options.ts';
import { importFrom } from '../../../src/content/import/sources.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==',
  'base64',
);
const page = (title: string, body: string, menu = '') =>
  `<!doctype html><html><head><title>${title} | Pump docs</title><style>.x{}</style></head><body><header><a href="/">Home</a></header>
   <nav class="sidebar">${menu}</nav><main><article>${body}</article></main><footer><a href="/docs/imprint.html">Imprint</a></footer><script>alert(1)</script></body></html>`;

const menu = `<p class="caption">Guides</p><ul><li><a href="/docs/">Start</a></li><li><a href="/docs/install.html">Install</a>
  <ul><li><a href="/docs/linux.html">Linux</a></li></ul></li></ul>
  <h3>API</h3><ul><li><a href="/docs/api/users">Users</a></li><li><a href="https://other.example/x">Elsewhere</a></li></ul>`;

const site: Record<string, string | Buffer | { redirect: string } | { status: number }> = {
  '/robots.txt': 'User-agent: *\nDisallow: /docs/secret\n',
  '/docs/': page(
    'Start',
    `<h1>Pump <em>docs</em> <a class="headerlink" href="#pump-docs">¶</a></h1><p>See <a href="install.html#options-2">install</a>,
     <a href="/docs/moved">moved</a>, <a href="secret.html">secret</a>, <a href="/blog/">blog</a>, <a href="gone.html">gone</a>, <a href="data.zip">zip</a>.</p>
     <img src="../img/pump.png" alt="A pump"><img src="../img/missing.png" alt="m"><img src="/img/fake.png" alt="f">`,
    menu,
  ),
  '/docs/install.html': page(
    'Install',
    `<h1 id="install">Install</h1><h2 id="options-1">Options</h2><p id="here">One <a href="#options-2">two</a> <a href="./">back</a></p>
     <div class="section" id="options-2"><h2>Options</h2><table><thead><tr><th>Flag</th><th>Text</th></tr></thead><tr><td><code>-a|b</code></td><td><p>One</p><p>two</p></td></tr></table></div>
     <div class="admonition warning"><p class="admonition-title">Warning</p><p>Hot.</p></div>
     <dl><dt>-v</dt><dt>--verbose</dt><dd>Say more.</dd></dl><div class="highlight-js"><pre class="language-js"><span>let</span> a;\n</pre></div>`,
    menu,
  ),
  '/docs/linux.html': page('Linux', '<p>No heading, <a href="/docs/index.html">start</a>.</p>'),
  '/docs/api/users': page(
    'Users',
    '<h1>Users</h1><p>List <a href="groups">groups</a> <a href="deep/one.html">1</a> <a href="deep/two.html">2</a></p>',
  ),
  '/docs/api/groups': page('Groups', '<h1>Groups</h1><p>x</p>'),
  '/docs/api/deep/one.html': page('One', '<h1>One</h1><p>x</p>'),
  '/docs/api/deep/two.html': page('Two', '<h1>Two</h1><p>y</p>'),
  '/docs/imprint.html': page('Imprint', '<h1>Imprint</h1><p>We</p>'),
  '/docs/moved': { redirect: '/docs/install.html' },
  '/docs/secret.html': page('Secret', '<h1>Secret</h1>'),
  '/docs/gone.html': { status: 404 },
  '/img/pump.png': png,
  '/img/fake.png': '<html>not found</html>',
  '/blog/': page('Blog', '<h1>Blog</h1>'),
  '/readme.md': '# Read me\n\n[a](other.md) ![p](img/pump.png) ![gone](img/missing.png)\n',
  '/plain.html':
    '<html><body><div class=menu><a href=a>a</a><a href=b>b</a></div><div><h1>Plain</h1><p>Words <a href="#x">x</a> that are many and make the page.</p><h2 id=x>Part</h2></div></body></html>',
};

let server: Server;
let base: string;
const asked: string[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url!);
    const resource = site[request.url!];
    if (resource === undefined) response.writeHead(404).end('secret 404');
    else if (typeof resource === 'object' && 'redirect' in resource)
      response.writeHead(302, { location: resource.redirect }).end();
    else if (typeof resource === 'object' && 'status' in resource) response.writeHead(resource.status).end();
    else {
      const type = /\.txt$|\.md$/.test(request.url!)
        ? 'text/plain'
        : request.url!.endsWith('png')
          ? 'image/png'
          : 'text/html; charset=utf-8';
      response.writeHead(200, { 'content-type': type }).end(resource);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const inside: SourceOptions = { allowPrivate: true };
const outline = ({ pages }: Imported) => {
  const depth = (ref: string | null): number =>
    ref === null ? 0 : 1 + depth(pages.find((each) => each.ref === ref)!.parent);
  return pages.map((each) => `${'  '.repeat(depth(each.parent))}${each.slug}: ${each.title}`);
};
const textOf = (imported: Imported, title: string) => imported.pages.find((each) => each.title === title)!.markdown;

describe('a website', () => {
  test('is imported completely: tree from menus, content as Markdown, links and images', async () => {
    asked.length = 0;
    const imported = await importFrom('website', `${base}/docs/`, inside);
    expect(outline(imported)).toEqual([
      'guides: Guides',
      '  docs: Pump docs',
      '  install: Install',
      '    linux: Linux',
      'api: API',
      '  users: Users',
      '  groups: Groups',
      '  deep: Deep',
      '    one: One',
      '    two: Two',
      'imprint: Imprint',
    ]);
    expect(textOf(imported, 'Pump docs')).toBe(
      `# Pump _docs_\n\nSee [install](./install.md#options-1), [moved](./install.md), [secret](${base}/docs/secret.html), [blog](${base}/blog/), [gone](${base}/docs/gone.html), [zip](${base}/docs/data.zip).\n\n![A pump](./pump.png)![m](${base}/img/missing.png)![f](${base}/img/fake.png)\n`,
    );
    expect(textOf(imported, 'Install')).toBe(
      '# Install\n\n## Options\n\nOne [two](#options-1) [back](./docs.md)\n\n## Options\n\n| Flag | Text |\n| - | - |\n| `-a\\|b` | One<br>two |\n\n> **Warning**\n>\n> Hot.\n\n- **-v**, **--verbose**\n\n  Say more.\n\n```js\nlet a;\n```\n',
    );
    expect(textOf(imported, 'Linux')).toBe('# Linux\n\nNo heading, [start](./docs.md).\n');
    expect(imported.files).toEqual([{ ref: 'pump.png', name: 'pump.png', contentType: 'image/png', bytes: png }]);
    expect(asked).not.toContain('/docs/secret.html');
    expect(asked).not.toContain('/blog/');
    expect(asked).not.toContain('/docs/data.zip');
    expect(asked.filter((url) => url === '/docs/install.html')).toHaveLength(2);
    expect(imported.total).toBeGreaterThan(imported.pages.length + imported.files.length);
  });

  test('is imported in the same way every time', async () => {
    const [one, two] = await Promise.all([1, 2].map(() => importFrom('website', `${base}/docs/`, inside)));
    expect(one).toEqual(two);
  });

  test('stops at its budgets', async () => {
    const few = await importFrom('website', `${base}/docs/`, { ...inside, website: { maxPages: 3 } });
    expect(few.pages.filter(({ markdown }) => !/^# (?:Guides|API)\n$/.test(markdown))).toHaveLength(3);
    const flat = await importFrom('website', `${base}/docs/`, { ...inside, website: { maxDepth: 1 } });
    expect(flat.pages.map(({ title }) => title)).not.toContain('Groups');
    const onePage = await importFrom('website', `${base}/docs/api/users`, inside);
    expect(onePage.pages.map(({ title }) => title)).toEqual(['Users']);
  });

  test.each([
    ['/docs/secret.html', 'blocked'],
    ['/docs/gone.html', 'status'],
    ['/img/pump.png', 'unreadable'],
  ])('%s cannot be its start', async (path, code) => {
    await expect(importFrom('website', base + path, inside)).rejects.toMatchObject({ name: 'ImportFailure', code });
  });

  test('in a private network is refused', async () => {
    asked.length = 0;
    await expect(importFrom('website', `${base}/docs/`)).rejects.toMatchObject({ code: 'blocked' });
    expect(asked).toEqual([]);
  });
});

describe('a single file', () => {
  test('of Markdown', async () => {
    const imported = await importFrom('markdown', `${base}/readme.md`, inside);
    expect(imported.pages).toEqual([
      {
        ref: 'read-me',
        title: 'Read me',
        slug: 'read-me',
        parent: null,
        markdown: `# Read me\n\n[a](other.md) ![p](./pump.png) ![gone](img/missing.png)\n`,
      },
    ]);
    expect(imported.files.map(({ name }) => name)).toEqual(['pump.png']);
    expect(imported.total).toBe(3);
  });

  test('from a data: address', async () => {
    const { pages } = await importFrom('markdown', 'data:text/markdown,Text%0A%0A%23%23%20Later');
    expect(pages).toMatchObject([{ title: 'Later', markdown: 'Text\n\n## Later' }]);
    const html = await importFrom(
      'html',
      `data:text/html;base64,${Buffer.from('<h1>Hé</h1><p><a href="x.html">x</a>').toString('base64')}`,
    );
    expect(html.pages).toMatchObject([{ title: 'Hé', markdown: '# Hé\n\n[x](x.html)\n' }]);
  });

  test('of HTML', async () => {
    const { pages } = await importFrom('html', `${base}/plain.html`, inside);
    expect(pages).toMatchObject([
      { title: 'Plain', markdown: '# Plain\n\nWords [x](#part) that are many and make the page.\n\n## Part\n' },
    ]);
  });

  test('nested too deeply is refused without a crash', async () => {
    const deep = `data:text/html;base64,${Buffer.from('<div>'.repeat(20_000)).toString('base64')}`;
    const outcome = await importFrom('html', deep).catch((error: unknown) => error);
    expect(outcome).toSatisfy(
      (each: { name?: string; pages?: unknown }) => each.name === 'ImportFailure' || Boolean(each.pages),
    );
  });

  test('of an unknown kind is refused with the kinds that work', async () => {
    await expect(importFrom('wordpress', `${base}/docs/`, inside)).rejects.toThrow(
      'website, html, markdown, docx, zip',
    );
  });
});

const dataUrl = (bytes: Uint8Array) => `data:application/zip;base64,${Buffer.from(bytes).toString('base64')}`;
const zip = (files: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([path, content]) => [
        path,
        typeof content === 'string' ? Buffer.from(content) : content,
      ]),
    ),
  );

describe('a zip archive', () => {
  test('gives nested pages, its pictures and links', async () => {
    const imported = await importFrom(
      'zip',
      dataUrl(
        zip({
          'docs-main/README.md': '# Home\n\n[i](guides/install.md#x) [g](guides/) ![p](img/pump.png) [gone](gone.md)\n',
          'docs-main/guides/index.md': '---\ntitle: Guides\ndescription: All\n---\n[h](../README.md)\n',
          'docs-main/guides/install.md': 'Text ![p](../img/pump.png)\n',
          'docs-main/img/pump.png': png,
          'docs-main/img/unused.png': png,
        }),
      ),
    );
    expect(outline(imported)).toEqual(['readme: Home', 'guides: Guides', '  install: Install']);
    expect(imported.pages.map(({ markdown }) => markdown)).toEqual([
      '# Home\n\n[i](./install.md#x) [g](./guides.md) ![p](./pump.png) [gone](gone.md)\n',
      '---\ntitle: Guides\ndescription: All\n---\n[h](./readme.md)\n',
      'Text ![p](./pump.png)\n',
    ]);
    expect(imported.pages[1]!.description).toBe('All');
    expect(imported.files).toEqual([{ ref: 'pump.png', name: 'pump.png', contentType: 'image/png', bytes: png }]);
  });

  test('with a path outside of it, with too much content, or in another format is refused', async () => {
    await expect(importFrom('zip', dataUrl(zip({ '../evil.md': 'x' })))).rejects.toThrow('leads out of it');
    await expect(importFrom('zip', dataUrl(zip({ '/etc/evil.md': 'x' })))).rejects.toThrow('leads out of it');
    const large = zip({ 'a.md': Buffer.alloc(600), 'b.md': Buffer.alloc(600) });
    await expect(unzip(large, { limits: { maxBytes: 1_000, maxEntries: 9 } })).rejects.toMatchObject({
      code: 'too-large',
    });
    await expect(unzip(large, { limits: { maxBytes: 2_000, maxEntries: 1 } })).rejects.toMatchObject({
      code: 'too-large',
    });
    await expect(importFrom('zip', dataUrl(Buffer.from('no zip')))).rejects.toMatchObject({ code: 'unreadable' });
    await expect(importFrom('zip', dataUrl(zip({ 'a.txt': 'x' })))).rejects.toThrow('no pages');
  });

  test('with a wrong size is refused', async () => {
    const bytes = zip({ 'a.md': Buffer.alloc(1_000_000) });
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let offset = 0; offset < bytes.length - 46; offset += 1) {
      if (view.getUint32(offset, true) === 0x02_01_4b_50) view.setUint32(offset + 24, 10, true);
    }
    await expect(importFrom('zip', dataUrl(bytes))).rejects.toMatchObject({ code: 'unreadable' });
  });
});

describe('a Word document', () => {
  const paragraph = (text: string, style?: string) =>
    `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}<w:r><w:t>${text}</w:t></w:r></w:p>`;
  const docx = (body: string) =>
    zip({
      '[Content_Types].xml':
        '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
      '_rels/.rels':
        '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
      'word/_rels/document.xml.rels':
        '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="i1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="media/pump.png"/></Relationships>',
      'word/media/pump.png': png,
      'word/styles.xml':
        '<?xml version="1.0"?><w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style><w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/></w:style></w:styles>',
      'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><w:body>${body}</w:body></w:document>`,
    });
  const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;

  test('gives a page with headings, tables and pictures', async () => {
    const imported = await importFrom(
      'docx',
      dataUrl(
        docx(
          paragraph('Pump manual', 'Title') +
            paragraph('Install', 'Heading1') +
            paragraph('Close the valve.') +
            `<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr>${cell('Part')}${cell('Number')}</w:tr><w:tr>${cell('Valve')}${cell('7')}</w:tr></w:tbl>` +
            '<w:p><w:r><w:drawing><wp:inline><wp:docPr descr="A pump"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="i1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>',
        ),
      ),
    );
    expect(imported.pages).toEqual([
      {
        ref: 'pump-manual',
        title: 'Pump manual',
        slug: 'pump-manual',
        parent: null,
        markdown:
          '# Pump manual\n\n# Install\n\nClose the valve.\n\n| Part | Number |\n| - | - |\n| Valve | 7 |\n\n![A pump](./image.png)\n',
      },
    ]);
    expect(imported.files).toMatchObject([{ ref: 'image.png', contentType: 'image/png' }]);
  });

  test('in another format is refused', async () => {
    await expect(importFrom('docx', dataUrl(zip({ 'a.txt': 'x' })))).rejects.toMatchObject({ code: 'unreadable' });
  });
});
