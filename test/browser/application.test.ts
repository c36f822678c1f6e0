// @module-tag browser
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { type AppService, openApp } from '../support/app.ts';
import { type Home, makeHome, removeHome, serve, type Served } from '../support/cli.ts';
import { accessibilityFindings } from './support.ts';

let browser: Browser;
let home: Home;
let served: Served;
beforeAll(async () => {
  [browser, home] = await Promise.all([openBrowser(), makeHome()]);
  served = await serve(home, '--seed', 'demo');
});
afterAll(async () => {
  await served.stop();
  await browser.close();
  await removeHome(home);
});

interface Opened {
  page: Page;
  context: BrowserContext;
  /** Errors in the console, violations of the policy, and requests to other hosts. */
  faults: string[];
}

async function openPage(url: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && origin !== new URL(url).origin) faults.push(`request to ${origin}`);
  });
  await page.goto(url);
  return { page, context, faults };
}

/** The link that `docsctl open` gives when it finds no browser. */
async function linkOf(...words: string[]): Promise<string> {
  const { stderr } = await home.docsctl('open', ...words);
  const [link] = /http:\S+\/sign-in\?\S+/.exec(stderr) ?? [];
  if (link === undefined) throw new Error(`No link: ${stderr}`);
  return link;
}

test('a push is followed from its printed address to the merge, without JavaScript', async () => {
  const folder = join(home.dir, 'docs');
  await mkdir(folder);
  const space = (await home.docsctl('spaces', 'create', '--title', 'Pumps', '--jq', '.id')).stdout.trim();
  await writeFile(join(folder, 'README.md'), '# Pump\n\nIt starts slowly.\n');
  expect((await home.docsctl('content', 'push', folder, '--space', space, '--merge')).exitCode).toBe(0);
  await writeFile(join(folder, 'README.md'), '# Pump\n\nIt starts quickly.\n');
  const push = await home.docsctl('content', 'push', folder, '--space', space, '--new', 'Start faster', '-o', 'json');
  expect(push.exitCode).toBe(0);
  const [address = ''] = /http:\/\/[^"\s]+\/cr\/\d+/.exec(push.stdout + push.stderr) ?? [];
  const number = /\d+$/.exec(address)?.[0] ?? '';
  await home.docsctl('cr', 'open', number, '--space', space);

  const { page, context, faults } = await openPage(address, { javaScriptEnabled: false });
  await expect(page.locator('code').textContent()).resolves.toBe(`docsctl open cr ${number} --space ${space}`);
  await page.goto(await linkOf('cr', number, '--space', space));
  await page.waitForURL(address);
  expect(await page.locator('del').first().textContent()).toContain('slowly');
  await page.getByLabel('Comment', { exact: true }).fill('Which pump?');
  await page.getByRole('button', { name: 'Comment' }).click();
  expect(await page.getByRole('status').textContent()).toContain('Your comment was posted.');
  await page.getByRole('button', { name: 'Resolve' }).click();
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Merge' }).click();
  expect(await page.getByRole('status').textContent()).toContain('The change request was merged.');
  expect((await home.docsctl('cr', 'view', number, '--space', space, '--jq', '.status')).stdout.trim()).toBe('merged');
  // The first request was without a session.
  expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
  expect(served.log()).not.toMatch(/code=|token=/);
  await context.close();
});

test('the first page after a link on another site works, and the code is not in the history', async () => {
  const link = await linkOf('org');
  const other = await openPage(`data:text/html,<a href="${link.replaceAll('&', '&amp;')}">open</a>`);
  await other.page.getByText('open').click();
  await other.page.waitForURL(/\/o\/\w+$/);
  expect(await other.page.locator('h1').textContent()).toBe('Lumen Docs');
  await other.page.goBack();
  expect(other.page.url()).toMatch(/^data:/);
  // An address of the application on another site, with the session of before.
  await other.page.goto(`data:text/html,<a href="${served.url}/o/${served.organization}/people">people</a>`);
  await other.page.getByText('people').click();
  await other.page.waitForURL(/\/people$/);
  expect(await other.page.locator('h1').textContent()).toBe('People');
  await other.context.close();
});

const inDemo = (): string[] => {
  const at = `/o/${served.organization}`;
  const space = `${at}/s/handbook0001`;
  return [
    at,
    space,
    `${space}/~requests`,
    `${space}/~comments`,
    `${space}/~revisions`,
    `${space}/cr/1`,
    `${space}/cr/4`,
    `${space}/cr/1/install-the-pump/first-run`,
    `${at}/c/products0001`,
    `${at}/sites`,
    `${at}/sites/lumensite001`,
    `${at}/openapi`,
    `${at}/openapi/pumps`,
    `${at}/openapi/pumps/~versions`,
    `${at}/people`,
    `${at}/people/member000002`,
    `${at}/search?q=pump`,
    `${at}/none`,
    '/sign-out',
    '/sign-in',
  ];
};

test.each(['light', 'dark'] as const)('axe finds nothing in %s mode', async (colorScheme) => {
  const { page, context } = await openPage(await linkOf('org'), { colorScheme });
  await page.waitForURL(/\/o\//);
  for (const path of inDemo()) {
    await page.goto(served.url + path);
    expect([path, await accessibilityFindings(page)]).toEqual([path, []]);
  }
  await context.close();
});

test('pages are small, keep to their policy, and do not scroll sideways from 390 to 1440 px', async () => {
  const { page, context, faults } = await openPage(await linkOf('org'));
  await page.waitForURL(/\/o\//);
  for (const path of inDemo().filter((each) => !each.endsWith('/none'))) {
    for (const width of [390, 768, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      const response = await page.goto(served.url + path);
      expect([path, response?.status()]).toEqual([path, 200]);
      expect((await response!.body()).length).toBeLessThan(60_000);
      const [content, visible] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      expect([path, width, content]).toEqual([path, width, visible]);
    }
  }
  expect(faults).toEqual([]);
  await context.close();
});

test('hostile titles, pages, comments, specifications and names run nothing', async () => {
  const service = await openApp();
  try {
    await hostile(service);
  } finally {
    await service.close();
  }
});

async function hostile(service: AppService): Promise<void> {
  const { call, orgPath, org } = service;
  const script = '<script>alert(1)</script><img src=x onerror=alert(2)>"\'><svg onload=alert(3)>';
  const text = `${script}\n\n[link](javascript:alert(4)) ![](javascript:alert(5))\n\n<iframe src="javascript:alert(6)"></iframe>\n\n<details open ontoggle=alert(7)><summary>x</summary></details>\n`;
  const user = await service.user({ role: 'admin', name: script });
  const as = service.as(user);
  await call('PATCH', orgPath, { title: script });
  const space = (await as('POST', `${orgPath}/spaces`, { title: script.slice(0, 50) })).body.id;
  await as('POST', `${orgPath}/collections`, { title: script.slice(0, 50) });
  const site = (await as('POST', `${orgPath}/sites`, { title: script, spaces: [space] })).body.id;
  await as('POST', `/v1/spaces/${space}/content`, {
    changes: [{ operation: 'insert_page', title: script, document: { markdown: text } }],
  });
  await as('POST', `/v1/spaces/${space}/change-requests`, { subject: script });
  const [{ id: page, path }] = (await as('GET', `/v1/spaces/${space}/content/pages`)).body.pages;
  await as('POST', `/v1/spaces/${space}/change-requests/1/content`, {
    changes: [
      { operation: 'update_page', page, title: `x${script}`, document: { markdown: `${text}${text}new ${script}` } },
    ],
  });
  await as('PATCH', `/v1/spaces/${space}/change-requests/1`, { status: 'open' });
  for (const prefix of [`/v1/spaces/${space}`, `/v1/spaces/${space}/change-requests/1`]) {
    const comment = (await as('POST', `${prefix}/comments`, { page, body: { markdown: text } })).body.id;
    await as('POST', `${prefix}/comments/${comment}/replies`, { body: { markdown: text } });
  }
  await as('POST', `/v1/spaces/${space}/content`, {
    changes: [{ operation: 'update_page', page, document: { markdown: `main ${script}` } }],
  });
  const description = (more: object) => ({
    openapi: '3.0.0',
    info: { title: script, version: script, description: text },
    paths: { [`/${script}`]: { get: { summary: script, description: text, tags: [script], ...more, responses: {} } } },
  });
  const put = async (more: object) => {
    await as('PUT', `${orgPath}/openapi/bad`, { source: { text: JSON.stringify(description(more)) } });
    await service.instance.background.drain();
  };
  await put({});
  const { lastVersion: old } = (await as('GET', `${orgPath}/openapi/bad`)).body;
  service.clock.advance(1000);
  await put({
    parameters: [{ name: script, in: 'query', required: true, description: text, schema: { type: 'string' } }],
  });
  const { lastVersion: now } = (await as('GET', `${orgPath}/openapi/bad`)).body;
  expect(now).not.toBe(old);

  const { page: tab, context, faults } = await openPage(service.url + (await service.linkFor(user, `/o/${org}`)));
  await tab.waitForURL(/\/o\//);
  const { revision } = (await as('GET', `/v1/spaces/${space}`)).body;
  const at = `/o/${org}`;
  for (const address of [
    '/?all',
    at,
    `${at}/s/${space}`,
    `${at}/s/${space}/~requests`,
    `${at}/s/${space}/~comments`,
    `${at}/s/${space}/~revisions`,
    `${at}/s/${space}/r/${revision}`,
    `${at}/s/${space}/cr/1`,
    `${at}/s/${space}/cr/1/~comments`,
    `${at}/s/${space}/cr/1/${path}`,
    `${at}/sites/${site}`,
    `${at}/openapi/bad`,
    `${at}/openapi/bad/~versions`,
    `${at}/openapi/bad/~diff?old=${old}&new=${now}`,
    `${at}/people?search=${encodeURIComponent(script)}`,
    `${at}/people/${user}`,
    `${at}/search?q=${encodeURIComponent(script)}`,
  ]) {
    const response = await tab.goto(service.url + address);
    expect([address, response?.status()]).toEqual([address, 200]);
    const running = await tab.evaluate(
      () =>
        [
          ...document.querySelectorAll('script:not([src]), iframe, [href^="javascript:" i], [src^="javascript:" i]'),
        ].concat(
          [...document.querySelectorAll('*')].filter((each) =>
            each.getAttributeNames().some((name) => name.startsWith('on')),
          ),
        ).length,
    );
    expect([address, running]).toEqual([address, 0]);
  }
  expect(faults).toEqual([]);
  expect(service.errors).toEqual([]);
  await context.close();
}
