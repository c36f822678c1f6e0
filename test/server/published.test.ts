import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { insertPage } from '../support/page-writes.ts';
import { type TestInstance, testInstance } from '../support/instance.ts';
import { makeSectionedSite, makeSite, makeSpace } from '../support/sites.ts';

/** What a browser without a token gets. */
async function browse({ instance }: TestInstance, address: string, accept = 'text/html,*/*') {
  const { pathname } = new URL(address, 'http://localhost:4000');
  const { status, headers, body } = await instance.handle({
    method: 'GET',
    path: pathname,
    query: new URLSearchParams(),
    headers: { accept },
  });
  const html = String(body);
  return {
    status,
    headers,
    html,
    title: /<title>(.*?)<\/title>/.exec(html)?.[1],
    /** Where the links lead, as a browser resolves them. */
    links: [...html.matchAll(/<a\s[^>]*?href="([^"#][^"]*)"/g)].map(
      ([, href]) => new URL(href!, `http://localhost:4000${pathname}`).href,
    ),
  };
}

const root = (service: TestInstance) => `http://localhost:4000/published/${service.org}/docs/`;

test('every published address is answered with a page of the site', async () => {
  const service = await testInstance();
  const { call } = service;
  const { path, sections } = await makeSectionedSite(service, ['Guides', 'Reference & more']);
  await call('POST', `${path}/site-spaces`, { spaceId: await makeSpace(service, 'Variant'), sectionId: sections[1] });
  await call('POST', `${path}/section-groups`, { title: 'Group', sections: [sections[1]] });
  await call('POST', `${path}/publish`);
  const siteSpaces = (await call('GET', `${path}/site-spaces`)).body.items;
  for (const { space } of siteSpaces) await insertPage(service, `/v1/spaces/${space.id}`, `In ${space.title}`, 'Text');

  for (const { title, urls } of siteSpaces) {
    const page = await browse(service, urls.published);
    expect([page.status, page.title]).toEqual([200, `In ${title.replace('&', '&amp;')} – Docs`]);
    for (const other of siteSpaces) {
      const linked = other.title !== 'Variant' || page.links.includes(other.urls.published);
      expect(linked).toBe(title !== 'Guides' || other.title !== 'Variant');
    }
    expect(page.links.slice(0, 4)).toEqual([
      `${root(service)}llms.txt`,
      root(service),
      root(service),
      `${root(service)}reference-more/`,
    ]);
  }
});

test('pages are shown with a table of contents, and links to pages, files and the web', async () => {
  const service = await testInstance();
  const { call } = service;
  const { path, spaces } = await makeSite(service);
  await call('POST', `${path}/publish`);
  const space = `/v1/spaces/${spaces[0]}`;
  const pump = await insertPage(
    service,
    space,
    'Pump',
    '# Pump\n\nSee [the valve](valve.md#open), [web](https://pumps.example/), [bad](javascript:alert(1)).\n\n![out](https://tracker.example/x.png)',
  );
  await insertPage(service, space, 'Valve', '# Valve\n\n## Open\n\nTurn <b>it</b>.', { into: pump });
  await insertPage(service, space, 'Secret', 'Hidden words', { hidden: true });

  const first = await browse(service, root(service));
  expect(first.title).toBe('Pump – Docs');
  expect(first.html.match(/<h1/g)).toHaveLength(1);
  const valve = `${root(service)}pump/valve`;
  expect(first.links).toEqual([
    `${root(service)}llms.txt`,
    root(service),
    `${root(service)}pump`,
    valve,
    `${root(service)}pump.md`,
    `${valve}#open`,
    'https://pumps.example/',
    // A picture of another host is a link: it would show that host who reads the page.
    'https://tracker.example/x.png',
    valve,
  ]);
  expect(first.html).toContain('bad');
  expect(first.html).not.toMatch(/javascript:|<img|Secret/);
  const second = await browse(service, valve);
  expect(second.html).toContain('<h2 id="open">Open<');
  expect(second.html).toContain('Turn <b>it</b>.');
  expect(second.links[2]).toBe(`${root(service)}pump`);
  expect((await browse(service, `${root(service)}secret`)).html).toContain('Hidden words');
  expect((await browse(service, `${root(service)}nothing`)).status).toBe(404);
});

test('pages show variables, reusable texts and pictures as they were pushed last', async () => {
  const service = await testInstance();
  const { path, spaces } = await makeSite(service);
  await service.call('POST', `${path}/publish`);
  const space = `/v1/spaces/${spaces[0]}`;
  const layout = { version: 1, serial: 1, files: { 'vars-2.yaml': '.gitbook/vars.yaml', 'p-2.png': 'assets/p.png' } };
  const files = Object.entries({
    '.gitbook/vars.yaml': 'version: old',
    'vars-2.yaml': 'version: "7.2"',
    '.gitbook/includes/hint.md': 'Reusable words of {% vars.version %}. [The picture](../../assets/p.png)',
    'assets/p.png': 'old',
    'p-2.png': 'new',
    '.docsctl/layout-1.json': JSON.stringify(layout),
  });
  await service.call('POST', `${space}/content`, {
    changes: [
      {
        operation: 'insert_files',
        files: files.map(([name, text]) => ({
          name,
          base64: Buffer.from(text).toString('base64'),
          contentType: name.endsWith('.png') ? 'image/png' : 'text/plain',
        })),
      },
      {
        operation: 'insert_page',
        title: 'Page',
        document: {
          markdown:
            'Version <code class="expression">space.vars.version</code>\n\n{% include ".gitbook/includes/hint.md" %}\n\n![Pump](assets/p.png)\n',
        },
      },
    ],
  });
  const { items } = (await service.call('GET', `${space}/content/files`)).body;

  const { html } = await browse(service, root(service));

  expect(html).toContain('Version 7.2');
  expect(html).toContain('Reusable words');
  const { id } = items.find((file: any) => file.name === 'p-2.png');
  // The policy of pages allows pictures of their own host only.
  expect(html).toContain(`<img src="/files/${id}" alt="Pump"`);
  expect(html).toContain(`<a href="/files/${id}"`);
});

test('no script of a page can run: text is escaped and the policy forbids scripts', async () => {
  const service = await testInstance();
  const { call } = service;
  const evil = '<script>alert(1)</script>"\'&';
  const { path, spaces } = await makeSite(service, [evil], { title: `Docs ${evil}` });
  await call('POST', `${path}/publish`);
  await insertPage(service, `/v1/spaces/${spaces[0]}`, evil, `${evil}\n\n[${evil}](x"onclick="y)\n\n\`${evil}\``, {
    description: evil,
    emoji: '<i>',
  });
  const { basename } = (await call('GET', path)).body;

  const { html, headers } = await browse(service, `/published/${service.org}/${basename}/`);

  expect(html).not.toMatch(/<script(?! (?:(?:type="module"|defer) )?src="\.\/~site\/[\w.-]+"><\/script>)|<i>|"onclick/);
  expect(html).toContain('&lt;script&gt;');
  const policy = headers['content-security-policy']!.replace(new URL(service.instance.base).origin, '<service>');
  expect(await readFile('docs/security.md', 'utf8')).toContain(`\`${policy}\``);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
});

test('the visibility of a site decides who can read it', async () => {
  const service = await testInstance();
  const { call } = service;
  const { path } = await makeSite(service);
  const statusAt = async (address: string) => (await browse(service, address)).status;

  expect(await statusAt(root(service))).toBe(404);
  await call('POST', `${path}/publish`);
  expect(await statusAt(root(service))).toBe(200);
  expect((await browse(service, root(service))).headers['x-robots-tag']).toBeUndefined();
  await call('PATCH', path, { visibility: 'unlisted' });
  expect((await browse(service, root(service))).headers['x-robots-tag']).toBe('noindex');
  await call('PATCH', path, { visibility: 'visitor-auth' });
  expect(await statusAt(root(service))).toBe(401);

  await call('PATCH', path, { visibility: 'share-link' });
  const link = (await call('POST', `${path}/share-links`, { name: 'Press' })).body;
  expect(await statusAt(root(service))).toBe(404);
  expect(await statusAt(`${root(service)}wrong/`)).toBe(404);
  const shared = await browse(service, link.urls.published);
  expect([shared.status, shared.links[0]]).toEqual([200, `${link.urls.published}/`]);
  expect(await statusAt(`${link.urls.published}/`)).toBe(200);
  await call('PATCH', `${path}/share-links/${link.id}`, { active: false });
  expect(await statusAt(link.urls.published)).toBe(404);
});

test('the site is also at the hostname of its organization, and redirects to the address with a slash at the end', async () => {
  const service = await testInstance();
  const { call, orgPath } = service;
  const { path } = await makeSite(service);
  await call('POST', `${path}/publish`);
  await call('PATCH', orgPath, { hostname: 'lumen' });

  expect((await browse(service, '/published/lumen/docs/')).status).toBe(200);
  expect((await browse(service, root(service))).status).toBe(200);
  const bare = await browse(service, '/published/lumen/docs');
  expect([bare.status, bare.headers.location]).toEqual([308, '/published/lumen/docs/']);
  expect((await browse(service, '/published/lumen/%E0%A4%A/')).status).toBe(404);
});

test('programs get the map, the texts and the Markdown of a site, and a hash to ask again with', async () => {
  const service = await testInstance();
  const { call, instance } = service;
  const { path, spaces } = await makeSite(service);
  await call('POST', `${path}/publish`);
  const space = `/v1/spaces/${spaces[0]}`;
  await insertPage(service, space, 'Pump', 'How it works.', { description: 'All of it' });
  await insertPage(service, space, 'Secret', 'Hidden', { hidden: true });
  await insertPage(
    service,
    space,
    'News',
    '{% updates %}\n{% update date="2026-02-01" %}\n## Faster & <b>better</b>\n\nWords\n{% endupdate %}\n{% endupdates %}',
  );
  const get = (name: string) => browse(service, `${root(service)}${name}`, '*/*');

  const map = (await get('sitemap.xml')).html;
  expect([...map.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url)).toEqual([
    `${root(service)}pump`,
    `${root(service)}news`,
  ]);
  expect((await get('llms.txt')).html).toContain(`- [Pump](${root(service)}pump.md): All of it`);
  expect((await get('llms-full.txt')).html).toContain('How it works.');
  expect((await get('pump.md')).html).toBe(
    `# Pump\n\n> For language models: all pages are listed in <${root(service)}llms.txt>.\n\nAll of it\n\nHow it works.`,
  );
  const feed = await get('news/rss.xml');
  expect(feed.headers['content-type']).toBe('application/rss+xml; charset=utf-8');
  expect(feed.html).toContain('<pubDate>Sun, 01 Feb 2026 00:00:00 GMT</pubDate>');
  expect((await get('robots.txt')).html).toContain(`Sitemap: ${root(service)}sitemap.xml`);
  await call('PATCH', path, { visibility: 'unlisted' });
  expect((await get('robots.txt')).html).toContain('Disallow: /');
  const page = await browse(service, `${root(service)}pump`);
  const again = await instance.handle({
    method: 'GET',
    path: new URL(`${root(service)}pump`).pathname,
    query: new URLSearchParams(),
    headers: { accept: 'text/html', 'if-none-match': page.headers.etag! },
  });
  expect([again.status, String(again.body)]).toEqual([304, '']);
});

test('the Markdown of pages links to the Markdown of others, where the text has their IDs', async () => {
  const service = await testInstance();
  const { path, spaces } = await makeSite(service);
  await service.call('POST', `${path}/publish`);
  const space = `/v1/spaces/${spaces[0]}`;
  const valve = await insertPage(service, space, 'Valve', '# Valve');
  const links = `[by path](valve.md) [the valve](/pages/${valve}#open), [gone](/pages/Gone00000001), \`/pages/${valve}\``;
  await insertPage(service, space, 'Pump', `# Pump\n\nSee ${links}.`);

  for (const name of ['pump.md', 'llms-full.txt']) {
    const { html } = await browse(service, `${root(service)}${name}`, '*/*');
    expect(html).toMatch(/\[the valve\]\([^()]*\/valve\.md#open\), \[gone\]/);
    expect(html).toContain(`\`/pages/${valve}\``);
    if (name === 'pump.md') expect(html).toContain(`[by path](${root(service)}valve.md)`);
  }
});

test('what is below a page that is hidden or not indexed is in no list either', async () => {
  const service = await testInstance();
  const { call } = service;
  const { path, spaces } = await makeSite(service);
  await call('POST', `${path}/publish`);
  const space = `/v1/spaces/${spaces[0]}`;
  await insertPage(service, space, 'Start', 'First.');
  const secret = await insertPage(service, space, 'Secret', 'x', { hidden: true });
  await insertPage(service, space, 'Below secret', 'covert words', { into: secret });
  const quiet = await insertPage(service, space, 'Quiet', 'x', { noIndex: true, noRobotsIndex: true });
  await insertPage(service, space, 'Below quiet', 'covert words', { into: quiet });

  for (const name of ['sitemap.xml', 'llms.txt', 'llms-full.txt', '~search']) {
    const { html } = await browse(service, `${root(service)}${name}`, '*/*');
    expect([name, html]).toEqual([name, expect.not.stringMatching(/below-(?:secret|quiet)|covert/)]);
  }
  const { html, headers } = await browse(service, `${root(service)}secret/below-secret`);
  expect(html).toContain('<meta name="robots" content="noindex"');
  expect(headers['x-robots-tag']).toBe('noindex');
  expect((await browse(service, root(service))).html).not.toContain('below-secret');
});

test('the search of a site finds pages that are not hidden, in all its spaces', async () => {
  const service = await testInstance();
  const { call, instance } = service;
  const { path, spaces } = await makeSite(service, ['Guide', 'Other']);
  await call('POST', `${path}/publish`);
  const text = 'Text.\n\n## Valve\n\n{% hint %}\nOpen it.\n{% endhint %}';
  await insertPage(service, `/v1/spaces/${spaces[0]}`, 'Pump', text);
  await insertPage(service, `/v1/spaces/${spaces[0]}`, 'Hidden valve', 'x', { hidden: true });
  await insertPage(service, `/v1/spaces/${spaces[1]}`, 'Old valve', 'x');

  const { body } = await instance.handle({
    method: 'GET',
    path: `/published/${service.org}/docs/~search`,
    query: new URLSearchParams({ q: 'valv' }),
    headers: { accept: 'application/json' },
  });

  const { results } = JSON.parse(String(body));
  expect(results.map(({ title, href }: any) => [title, href])).toEqual([
    ['Old valve', './other/old-valve'],
    ['Pump', './pump'],
  ]);
  expect(results[1].sections).toEqual([{ title: 'Valve', href: './pump#valve', text: expect.any(String) }]);
  expect(results[1].sections[0].text.trim()).toBe('Open it.');
});

test('what a condition hides from a reader is in no Markdown and not found', async () => {
  const service = await testInstance();
  const { path, spaces } = await makeSite(service);
  await service.call('POST', `${path}/publish`);
  const text =
    'For all.\n\n## Prices\n\nAll see it.\n\n{% if visitor.claims.unsigned.plan == "team" %}\nOnly teams: quokka.\n{% endif %}\n';
  await insertPage(service, `/v1/spaces/${spaces[0]}`, 'Plans', text);
  const get = async (name: string, cookie = '') => {
    const { pathname, searchParams } = new URL(name, root(service));
    const headers = { accept: 'application/json', cookie };
    const answer = await service.instance.handle({ method: 'GET', path: pathname, query: searchParams, headers });
    return String(answer.body);
  };
  const { id } = (await service.call('GET', path)).body;
  const ofTeam = `docs-unsigned-${id}=${encodeURIComponent('{"plan":"team"}')}`;

  for (const name of ['plans.md', 'llms-full.txt', '~search?q=see']) {
    expect([name, await get(name)]).toEqual([name, expect.stringContaining('All see it.')]);
  }
  for (const name of ['plans.md', 'llms-full.txt', '~search?q=see', '~search?q=quokka']) {
    expect([name, await get(name)]).toEqual([name, expect.not.stringContaining('quokka')]);
    expect([name, await get(name, ofTeam)]).toEqual([name, expect.stringContaining('quokka')]);
  }
  expect(JSON.parse(await get('~search?q=quokka'))).toEqual({ results: [] });
});

test('a section says its description in a menu, where there is space, and not in its tab', async () => {
  const service = await testInstance();
  const { call } = service;
  const { path, sections } = await makeSectionedSite(service, ['Guides', 'Reference', 'More']);
  for (const [index, id] of sections.entries()) {
    await call('PATCH', `${path}/sections/${id}`, { description: `About ${index}` });
  }
  await call('POST', `${path}/section-groups`, { title: 'Group', sections: [sections[2]] });
  await call('POST', `${path}/publish`);
  const [first] = (await call('GET', `${path}/site-spaces`)).body.items;
  await insertPage(service, `/v1/spaces/${first.space.id}`, 'Start', 'Text');

  const { html } = await browse(service, root(service));

  expect([...html.matchAll(/About \d/g)].map(([text]) => text)).toEqual(['About 2']);
});

test('a page tells other services what to show with a link to it', async () => {
  const service = await testInstance();
  const { path, spaces } = await makeSite(service);
  await service.call('POST', `${path}/publish`);
  await insertPage(service, `/v1/spaces/${spaces[0]}`, 'Pump', 'Text', { description: 'All about "pumps"' });

  const { html } = await browse(service, `${root(service)}pump`);

  const properties = [...html.matchAll(/<meta property="og:(\w+)" content="([^"]*)"/g)].map(([, ...pair]) => pair);
  expect(Object.fromEntries(properties)).toEqual({
    type: 'article',
    title: 'Pump',
    site_name: 'Docs',
    description: 'All about &quot;pumps&quot;',
    url: `${root(service)}pump`,
    image: `${root(service)}pump/social.png`,
  });
});

test('programs get errors as JSON', async () => {
  const service = await testInstance();
  const { call } = service;
  const { path } = await makeSite(service, ['A'], { visibility: 'visitor-auth' });
  await call('POST', `${path}/publish`);

  const missing = await browse(service, '/published/nobody/docs/', '*/*');
  expect(JSON.parse(missing.html).error).toMatchObject({ code: 404, reason: 'not-found' });
  const closed = await browse(service, root(service), 'application/json');
  expect(JSON.parse(closed.html).error).toMatchObject({ code: 401, reason: 'unauthorized' });
});

test('addresses of the application show only the kind of object and the command to view it', async () => {
  const service = await testInstance();
  const { call, org, orgPath } = service;
  const { path, spaces, id } = await makeSite(service, ['Very secret title']);
  const [space] = spaces;
  const request = (await call('POST', `/v1/spaces/${space}/change-requests`, { subject: 'Secret' })).body;
  const collection = (await call('POST', `${orgPath}/collections`, {})).body;
  const commands: [string, string][] = [
    [(await call('GET', orgPath)).body.urls.app, `docsctl orgs view ${org}`],
    [(await call('GET', `/v1/spaces/${space}`)).body.urls.app, `docsctl spaces view ${space}`],
    [request.urls.app, `docsctl cr view 1 --space ${space}`],
    [collection.urls.app, `docsctl collections view ${collection.id}`],
    [(await call('GET', path)).body.urls.app, `docsctl sites view ${id} --org ${org}`],
    [
      `http://localhost:4000/o/${org}/s/${space}/a/b%20&<'`,
      `docsctl api GET &#39;/v1/spaces/${space}/content/path/a/b%20%26%3C&#39;\\&#39;&#39;?format=markdown&#39;`,
    ],
  ];

  for (const [address, command] of commands) {
    const page = await browse(service, address);
    expect([page.status, /<code>(.*?)<\/code>/.exec(page.html)?.[1]]).toEqual([200, command]);
    expect(page.html).not.toMatch(/secret/i);
  }
  for (const address of ['/o/nothing', `/o/${org}/s/nothing`, `/o/${org}/c/${space}`, `/o/${org}/s/${space}/cr/2`]) {
    expect((await browse(service, address)).status).toBe(404);
  }
});

test('without its key, a site with share links answers as one that does not exist', async () => {
  const service = await testInstance();
  const { call, instance, org } = service;
  const { path, spaces, siteSpaces } = await makeSite(service, ['Guide', 'Other'], { visibility: 'share-link' });
  await call('PATCH', `${path}/site-spaces/${siteSpaces[1]}`, { path: 'other' });
  await call('POST', `${path}/publish`);
  await insertPage(service, `/v1/spaces/${spaces[0]}`, 'Intro', 'Text');
  const link = (await call('POST', `${path}/share-links`, { name: 'Press' })).body;
  const off = (await call('POST', `${path}/share-links`, { name: 'Old' })).body;
  await call('PATCH', `${path}/share-links/${off.id}`, { active: false });
  const keyOf = (address: string) => address.split('/').at(-1)!;
  const shared = await browse(service, link.urls.published);
  const assets = [...shared.html.matchAll(/~site\/([\w.-]+)/g)].map(([asset]) => asset);
  const answerTo = async (site: string, rest: string, headers: Record<string, string>) => {
    const { searchParams, pathname } = new URL(`/published/${org}/${site}${rest}`, 'http://localhost:4000');
    const {
      status,
      headers: sent,
      body,
    } = await instance.handle({
      method: 'GET',
      path: pathname,
      query: searchParams,
      headers,
    });
    const text = Buffer.from(body)
      .toString()
      .replaceAll(/"requestId":"[^"]*"/g, '');
    return { status, headers: { ...sent, 'x-request-id': '' }, text: text.replaceAll(`/${site}`, '/SITE') };
  };
  expect(assets.length).toBeGreaterThan(2);

  const guesses = [
    '',
    '/',
    '//',
    '/intro',
    '/intro.md',
    '/intro/',
    '/other',
    '/other/',
    '/intro/rss.xml',
    '/~search?q=text',
    '/sitemap.xml',
    '/robots.txt',
    '/llms.txt',
    '/llms-full.txt',
    '/~site',
    '/~site/',
    '/openapi.json',
    '/?visitor.plan=team',
    '/intro?jwt_token=a.b.c',
    '/%E0%A4%A',
    '/%2F',
    '/~site/look-x.css',
    `/${keyOf(off.urls.published)}/`,
    '/wrong/~site/style.css',
    ...assets.flatMap((asset) => [`/${asset}`, `/wrong/${asset}`, `/${keyOf(off.urls.published)}/${asset}`]),
  ];
  for (const guess of guesses) {
    for (const headers of [
      { accept: 'text/html' },
      { accept: '*/*' },
      { accept: 'text/html', 'if-none-match': '*' },
    ] as Record<string, string>[]) {
      const missing = await answerTo('nowhere', guess, headers);
      expect([guess, missing.status]).toEqual([guess, 404]);
      expect([guess, await answerTo('docs', guess, headers)]).toEqual([guess, missing]);
    }
  }

  for (const asset of assets) expect((await browse(service, `${link.urls.published}/${asset}`)).status).toBe(200);
});

test('programs that ask for Markdown get the page as Markdown, and browsers get HTML', async () => {
  const service = await testInstance();
  const { path, spaces } = await makeSite(service);
  await service.call('POST', `${path}/publish`);
  await insertPage(service, `/v1/spaces/${spaces[0]}`, 'Pump', 'Text');

  for (const page of ['', 'pump']) {
    const markdown = await browse(service, root(service) + page, 'text/markdown, */*;q=0.1');
    expect(markdown.headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(markdown.html).toMatch(/^# Pump\n\n> [^\n]*llms\.txt/);
    expect(markdown.headers['vary']).toBe('accept');
    const html = await browse(service, root(service) + page);
    expect(html.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(html.html).toContain('llms.txt</a>');
  }
});

test('a page has a picture with its title, for services that show links, unless only some may read the site', async () => {
  const service = await testInstance();
  const { call } = service;
  const { path, spaces } = await makeSite(service);
  await insertPage(service, `/v1/spaces/${spaces[0]}`, 'How to start', 'Text');
  await insertPage(service, `/v1/spaces/${spaces[0]}`, '\u4f60\u597d', 'Text');
  await call('POST', `${path}/publish`);
  const pictureOf = async (address: string) =>
    /property="og:image" content="([^"]*)"/.exec((await browse(service, address)).html)?.[1];

  const address = await pictureOf(`${root(service)}how-to-start`);
  const { status, headers, body } = await service.instance.handle({
    method: 'GET',
    path: new URL(address!).pathname,
    query: new URLSearchParams(),
    headers: {},
  });
  const other = await browse(service, (await pictureOf(`${root(service)}\u4f60\u597d`))!);
  await call('PATCH', path, { visibility: 'share-link' });
  const link = (await call('POST', `${path}/share-links`, { name: 'Readers' })).body.urls.published;

  expect(address).toBe(`${root(service)}how-to-start/social.png`);
  const bytes = Buffer.from(body as Uint8Array);
  expect([status, headers['content-type'], bytes.toString('latin1', 1, 4)]).toEqual([200, 'image/png', 'PNG']);
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
  expect(other.status).toBe(200);
  expect(await pictureOf(`${link}how-to-start`)).toBeUndefined();
});
