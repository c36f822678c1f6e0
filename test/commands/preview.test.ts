import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { execa } from 'execa';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, expect, onTestFinished } from 'vitest';
import { accessibilityFindings } from '../browser/support.ts';
import { openBrowser } from '../support/browser.ts';
import { bin, type Home, test } from '../support/cli.ts';
import { writeFiles } from '../support/write-files.ts';

interface Preview {
  url: string;
  log(): string;
  /** Sends SIGINT and waits. @returns the exit status */
  interrupt(): Promise<number>;
  get(path: string): Promise<Response>;
}

async function preview(home: Home, ...words: string[]): Promise<Preview> {
  const child = execa(process.execPath, [bin, 'preview', '--json', '--port', '0', ...words], {
    cwd: home.dir,
    env: home.env,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    buffer: false,
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await child;
  });
  let log = '';
  child.stderr!.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout!.once('data', (chunk: Buffer) => resolve(chunk.toString()));
    child.then((result) => reject(new Error(`preview ended with ${result.exitCode}: ${log}`)), reject);
  });
  const { url } = JSON.parse(line);
  return {
    url,
    log: () => log,
    get: (path) => fetch(url + path, { redirect: 'manual' }),
    async interrupt() {
      child.kill('SIGINT');
      return (await child).exitCode ?? -1;
    },
  };
}

/** Sends a path as it is, which fetch would change. */
const statusOf = (url: string, path: string, headers: Record<string, string> = {}) =>
  new Promise<number>((resolve, reject) => {
    request(url, { path, headers }, (response) => resolve(response.resume().statusCode ?? 0))
      .on('error', reject)
      .end();
  });

const docs = {
  'docs/SUMMARY.md': '# Contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n',
  'docs/README.md': '# Home\n\n{% include ".gitbook/includes/note.md" %}\n\n[missing](none.md) ![](picture.svg)\n',
  'docs/guide.md': `# Guide\n\n${'A line of the guide.\n\n'.repeat(200)}## End\n\nThe last words.\n`,
  'docs/picture.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  'docs/.gitbook/includes/note.md': 'The first note.\n',
  'docs/.gitbook.yaml': 'redirects:\n  old/guide: guide.md\n',
  'docs/.env': 'SECRET=1\n',
  'secret.txt': 'secret',
};

test('a folder is served to this machine alone, without an account', async ({ home }) => {
  await writeFiles(home.dir, docs);
  await symlink(join(home.dir, 'secret.txt'), join(home.dir, 'docs', 'link.txt'));

  const { url, get, log, interrupt } = await preview(home, 'docs');
  const page = await get('/');
  const html = await page.text();

  expect(page.headers.get('content-security-policy')).toContain(
    "default-src 'none'; style-src 'self'; script-src 'self'",
  );
  expect(html).toContain('The first note.');
  expect(html).toContain('none.md does not lead to a file in the folder.');
  expect(log()).toContain('docs/README.md:5');
  expect((await get('/old/guide')).headers.get('location')).toBe('/guide');
  expect(await (await get('/guide.md')).text()).toContain('The last words.');
  expect((await get('/nothing')).status).toBe(404);
  const picture = await get('/~docsctl/files/picture.svg');
  expect(picture.headers.get('content-security-policy')).toContain('sandbox');
  const search = await (await get('/~docsctl/search?q=last')).json();
  expect(search).toMatchObject({ results: [{ title: 'Guide', sections: [{ title: 'End', href: '/guide#end' }] }] });
  const lists = { list: await (await get('/llms.txt')).text(), texts: await (await get('/llms-full.txt')).text() };
  expect(lists.list).toContain(`- [Guide](${url}/guide.md)`);
  expect(lists.texts).toMatch(/^# Home\n[^]*\n---\n\n# Guide\n[^]*The last words\.\n\nSource: http/);
  const asked = await fetch(`${url}/guide`, { headers: { accept: 'text/markdown' } });
  expect(await asked.text()).toMatch(/^# Guide\n\n> For language models: [^\n]*\/llms\.txt/);
  const refused = [
    '/~docsctl/files/../../secret.txt',
    '/~docsctl/files/%2e%2e/secret.txt',
    '/~docsctl/files/.env',
    '/~docsctl/files/link.txt',
  ];
  for (const path of refused) expect(await statusOf(url, path)).toBeGreaterThanOrEqual(400);
  expect(await statusOf(url, '/', { host: 'docs.example' })).toBe(421);
  expect(await interrupt()).toBe(0);
});

test('what cannot be shown is an error', async ({ home, docsctl }) => {
  await writeFiles(home.dir, { ...docs, 'api.yaml': 'title: no description\n', 'out/.gitbook.yaml': 'root: ..\n' });
  const { url } = await preview(home, 'docs');

  const taken = await docsctl('preview', 'docs', '--port', new URL(url).port);
  expect(taken).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is used by another program') });
  expect(await docsctl('preview', './none')).toMatchObject({ exitCode: 2 });
  expect(await docsctl('preview', 'docs', '--cr', '1')).toMatchObject({ exitCode: 2 });
  expect(await docsctl('preview', 'api.yaml')).toMatchObject({ exitCode: 2 });
  expect(await docsctl('preview', 'out')).toMatchObject({ exitCode: 2 });
  expect(await docsctl('preview', 'docs', '--port', '70000')).toMatchObject({ exitCode: 2 });
});

test('a change request is shown with what it changes, beside main content', async ({ demo }) => {
  const { get } = await preview(demo, 'handbook0001', '--cr', '1');

  const html = await (await get('/')).text();
  const entry = html.slice(html.lastIndexOf('href="', html.indexOf('method-changed')));
  const changed = /^href="([^"]*)"/.exec(entry)?.[1] ?? '';
  const page = await (await get(changed)).text();
  const comparison = await (await get(`/~compare${changed}`)).text();

  expect(html).toContain('method-added');
  expect(page).toContain('Change request #1 changes this page.');
  expect(comparison).toContain('<h2>Main content</h2>');
  expect(comparison).toContain('<ins>+');
  expect(await (await get('/llms.txt')).text()).toContain(`${changed}.md)`);
  expect(await (await get(`${changed}.md`)).text()).toMatch(/^# [^]*\/llms\.txt/);
  expect(await (await get('/llms-full.txt')).text()).toContain(`${changed}\n`);
  expect(comparison).toMatch(/<(?:ins|del|\w+ class="compare-\w+")[^>]* id="change-1"/);
});

test('a site is shown with its customization', async ({ demo }) => {
  const { get } = await preview(demo, '--site', 'lumensite001');

  const html = await (await get('/')).text();

  expect(html).toContain('Lumen documentation');
  expect(html).toMatch(/href="\/~docsctl\/assets\/look-\w+\.css"/);
});

test(
  'the comparison of a page marks words, jumps between changes, and has both texts beside each other on demand',
  { tags: 'browser' },
  async ({ demo }) => {
    const { url, get } = await preview(demo, 'handbook0001', '--cr', '1');
    const html = await (await get('/')).text();
    const entry = html.slice(html.lastIndexOf('href="', html.indexOf('method-changed')));
    const changed = /^href="([^"]*)"/.exec(entry)?.[1] ?? '';
    const tab = await newTab();
    onTestFinished(() => tab.close());
    await tab.goto(`${url}/~compare${changed}`);
    expect(await accessibilityFindings(tab)).toEqual([]);
    const dark = await newTab({ colorScheme: 'dark' });
    onTestFinished(() => dark.close());
    await dark.goto(tab.url());
    expect(await accessibilityFindings(dark)).toEqual([]);

    await tab.keyboard.press('n');
    expect(await tab.evaluate(() => document.activeElement?.id)).toBe('change-1');
    expect(await tab.locator('.compare-place').textContent()).toMatch(/^1 \/ \d+$/);
    for (const summary of await tab.locator('details.expandable > summary').all()) await summary.click();
    const [left, right] = await tab.evaluate(() =>
      [...document.querySelectorAll('.compare > .column')].map((column) => column.getBoundingClientRect()),
    );
    const colors = await tab.evaluate(() =>
      ['.diff ins', '.diff', '.method-changed', '.method'].map(
        (name) => getComputedStyle(document.querySelector(name)!).backgroundColor,
      ),
    );

    expect([left?.top, (left?.right ?? 0) < (right?.left ?? 0)]).toEqual([right?.top, true]);
    expect(colors[0]).not.toBe(colors[1]);
    expect(await tab.evaluate(() => document.documentElement.scrollWidth === innerWidth)).toBe(true);
  },
);

let opened: Promise<Browser> | undefined;
const newTab = async (options?: BrowserContextOptions) => (await (opened ??= openBrowser())).newPage(options);
afterAll(async () => (await opened)?.close());

/** A tab; `isSame` tells whether the page was not loaded anew since it was opened. */
async function openTab(address: string): Promise<{ tab: Page; isSame(): Promise<boolean> }> {
  const tab = await newTab();
  onTestFinished(() => tab.close());
  const connected = tab.waitForRequest(/~docsctl\/events/);
  await tab.goto(address);
  await connected;
  await tab.evaluate('window.isSame = true');
  return { tab, isSame: async () => (await tab.evaluate('window.isSame === true')) === true };
}

test(
  'a saved file is on the screen, and only the pages that show it are loaded anew',
  { tags: 'browser' },
  async ({ home }) => {
    await writeFiles(home.dir, docs);
    const { url } = await preview(home, 'docs');
    const folder = join(home.dir, 'docs');
    const first = await openTab(`${url}/`);
    const guide = await openTab(`${url}/guide`);

    // The text of a page: its reader stays at the same place.
    await guide.tab.evaluate('scrollTo(0, 3000)');
    await writeFile(join(folder, 'guide.md'), docs['docs/guide.md'].replace('The last words.', 'Other words.'));
    await guide.tab.getByText('Other words.').waitFor({ state: 'attached' });
    await expect.poll(() => guide.tab.evaluate('scrollY')).toBe(3000);
    expect(await first.isSame()).toBe(true);

    // A text that one page includes.
    await guide.tab.evaluate('window.isSame = true');
    await writeFile(join(folder, '.gitbook', 'includes', 'note.md'), 'The second note.\n');
    await first.tab.getByText('The second note.').waitFor();
    expect(await guide.isSame()).toBe(true);

    // The table of contents is on every page.
    await writeFiles(home.dir, {
      'docs/new.md': '# A new page\n',
      'docs/SUMMARY.md': `${docs['docs/SUMMARY.md']}* [New](new.md)\n`,
    });
    await first.tab.getByRole('link', { name: 'A new page' }).first().waitFor();

    // The missing page is there now: the problem is gone.
    expect(await first.tab.locator('.problems').count()).toBe(1);
    await writeFiles(home.dir, {
      'docs/none.md': '# None\n',
      'docs/SUMMARY.md': `${docs['docs/SUMMARY.md']}* [None](none.md)\n`,
    });
    await first.tab.locator('.problems').waitFor({ state: 'detached' });

    // A page that is gone.
    await rm(join(folder, 'guide.md'));
    await guide.tab.locator('.page-not-found').waitFor();
  },
);

test(
  'variables, settings, pictures and descriptions that change reload the pages that show them, and only those',
  { tags: 'browser' },
  async ({ home }) => {
    const description = (summary: string) =>
      `openapi: 3.1.0\ninfo: { title: Pumps, version: "1" }\npaths:\n  /pumps: { get: { summary: ${summary}, responses: {} } }\n`;
    const picture = (width: number) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="10"><rect width="${width}" height="10"/></svg>`;
    await writeFiles(home.dir, {
      'docs/SUMMARY.md': '* [Home](README.md)\n* [Picture](picture.md)\n* [Pumps](pumps.md)\n* [Other](other.md)\n',
      'docs/README.md': '# Home\n\nVersion <code class="expression">space.vars.version</code>.\n',
      'docs/picture.md': '# Picture\n\n![](picture.svg)\n',
      'docs/pumps.md': '# Pumps\n\n{% openapi src="api.yaml" path="/pumps" method="get" %}\n{% endopenapi %}\n',
      'docs/other.md': '# Other\n',
      'docs/picture.svg': picture(20),
      'docs/api.yaml': description('List pumps'),
      'docs/.gitbook/vars.yaml': 'version: one\n',
    });
    const { url, get } = await preview(home, 'docs');
    const first = await openTab(`${url}/`);
    const shown = await openTab(`${url}/picture`);
    const pumps = await openTab(`${url}/pumps`);
    const other = await openTab(`${url}/other`);

    await writeFiles(home.dir, { 'docs/.gitbook/vars.yaml': 'version: two\n' });
    await first.tab.getByText('Version two').waitFor();
    await writeFiles(home.dir, { 'docs/picture.svg': picture(50) });
    await expect.poll(() => shown.tab.evaluate(() => document.querySelector('main img')?.clientWidth)).toBe(50);
    await writeFiles(home.dir, { 'docs/api.yaml': description('All the pumps') });
    await pumps.tab.getByText('All the pumps').first().waitFor();
    expect(await other.isSame()).toBe(true);
    await writeFiles(home.dir, { 'docs/.gitbook.yaml': 'redirects:\n  old: picture.md\n' });
    await expect.poll(async () => (await get('/old')).headers.get('location')).toBe('/picture');
  },
);

test('files that are moved with their folder are found again', { tags: 'browser' }, async ({ home }) => {
  await mkdir(join(home.dir, 'docs'));
  await writeFiles(home.dir, { 'docs/README.md': '# Home\n', 'docs/a/page.md': '# A page\n' });
  const { url, get } = await preview(home, 'docs');
  const { tab } = await openTab(`${url}/`);

  await rename(join(home.dir, 'docs', 'a'), join(home.dir, 'docs', 'b'));

  await tab.locator('a[href="/b/page"]').first().waitFor({ state: 'attached' });
  expect((await get('/a/page')).status).toBe(404);
});

test('a description is shown as its reference, and changes with its files', async ({ home }) => {
  const operation = (title: string) => `get:\n  summary: ${title}\n  responses: {}\n`;
  await writeFiles(home.dir, {
    'api.yaml': 'openapi: 3.1.0\ninfo: { title: Pumps, version: "1" }\npaths:\n  /pumps: { $ref: pumps.yaml }\n',
    'pumps.yaml': operation('List pumps'),
  });
  const { get, log, interrupt } = await preview(home, 'api.yaml');

  expect(await (await get('/operations')).text()).toContain('List pumps');
  expect(await (await get('/llms-full.txt')).text()).toMatch(/# Pumps[^]*List pumps/);
  await writeFile(join(home.dir, 'pumps.yaml'), operation('All the pumps'));
  await expect.poll(async () => (await get('/operations')).text()).toContain('All the pumps');
  await writeFile(join(home.dir, 'pumps.yaml'), 'get: [');
  await expect.poll(log).toContain('pumps.yaml:');
  expect((await get('/none')).status).toBe(404);
  expect(await interrupt()).toBe(0);
});
