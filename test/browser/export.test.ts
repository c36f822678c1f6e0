// @module-tag browser
import { createServer, type Server } from 'node:http';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportSite } from '../../src/site/static/export-site.ts';
import { OutputFolder } from '../../src/site/static/output-folder.ts';
import { StaticFolder } from '../../src/site/static/static-folder.ts';
import { openBrowser } from '../support/browser.ts';
import { root } from '../support/cli.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.svg': 'image/svg+xml',
};

let folder: string;
let server: Server;
let browser: Browser;
let base: string;
let problems: string[];

/** A plain web server with the files below `/docs/`, which sends the policy of `_headers`. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docsctl-export-'));
  const source = new StaticFolder(join(root, 'docs'));
  const output = new OutputFolder(folder, { overwrite: false, dryRun: false });
  const options = { baseUrl: 'https://docs.example/docs', fingerprint: 'docs', renderer: 'test', onPage() {} };
  const exported = await exportSite(source, output, options);
  problems = exported.problems.map(({ file, message }) => `${file}: ${message}`);
  const policy = /Content-Security-Policy: (.*)/.exec(await readFile(join(folder, '_headers'), 'utf8'))?.[1] ?? '';
  server = createServer(async ({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://host');
    const path = decodeURIComponent(pathname.replace(/^\/docs\//, '')).replace(/(^|\/)$/, '$1index.html');
    const bytes = pathname.startsWith('/docs/') ? await readFile(join(folder, path)).catch(() => undefined) : undefined;
    const contentType = types[bytes ? extname(path) : '.html'] ?? 'application/octet-stream';
    response.writeHead(bytes ? 200 : 404, { 'content-type': contentType, 'content-security-policy': policy });
    response.end(bytes ?? (await readFile(join(folder, '404.html'))));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs/`;
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  server?.close();
  await rm(folder, { recursive: true });
});

async function open(path: string, options: BrowserContextOptions = {}): Promise<{ page: Page; faults: string[] }> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })).newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('404 (Not Found)')) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith('data:') && !url.startsWith(base)) faults.push(url);
  });
  await page.goto(base + path, { waitUntil: 'load' });
  return { page, faults };
}

test('the documentation of docsctl has no dead link', () => {
  expect(problems).toEqual([]);
});

test('search finds a page without a server, and leads to it', async () => {
  const { page, faults } = await open('reference/commands/members.html');
  await page.keyboard.press('/');
  await page.keyboard.type('threats');
  await page.locator('.search-results a').first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/security\.html/);

  expect(await page.locator('h1').first().textContent()).toContain('Threats');
  expect(faults).toEqual([]);
});

test.each([true, false])('pages are reached from the contents; with JavaScript: %s', async (javaScriptEnabled) => {
  const { page, faults } = await open('', { javaScriptEnabled });
  await page.locator('.tree a', { hasText: 'docsctl in CI' }).first().click();
  await page.waitForURL(/ci\.html/);
  expect(await page.locator('h1').first().textContent()).toContain('docsctl in CI');
  await page.locator('.pagination-next').click();
  expect(await page.locator('main h1').count()).toBe(1);
  expect(faults).toEqual([]);
});

test('a table of words is as wide as the text', async () => {
  const { page } = await open('automation/deployment.html');
  const tables = await page.locator('.text .table').evaluateAll((all) =>
    all.map((table) => ({
      isWide: table.scrollWidth > table.clientWidth,
      columns: table.querySelectorAll('th').length,
    })),
  );
  expect(tables.length).toBeGreaterThan(3);
  expect(tables.filter(({ isWide }) => isWide)).toEqual([]);
});

test('an address that leads nowhere, at any depth, shows a page that leads back', async () => {
  const { page, faults } = await open('a/b/nothing');
  await page.locator('main a.button').click();
  await page.waitForURL(`${base}index.html`);
  expect(faults).toEqual([]);
});
