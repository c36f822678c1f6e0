// @module-tag browser
import { createServer, type Server } from 'node:http';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningPreview, servePreview } from '../../src/site/preview/preview-server.ts';
import { ReferencePreview } from '../../src/site/preview/reference-preview.ts';
import { parseText } from '../../src/openapi/parse/syntax.ts';
import { Reference } from '../../src/site/reference/index.ts';
import { accessibilityFindings } from './support.ts';
import { openBrowser } from '../support/browser.ts';

let api: Server;
let running: RunningPreview;
let browser: Browser;
let received: string[] = [];

beforeAll(async () => {
  api = createServer((request, response) => {
    received.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`);
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
    response.writeHead(200, { ...headers, 'content-type': 'application/json' }).end('{"name":"seven"}');
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  const address = api.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const text = readFileSync(new URL('pumps.yaml', import.meta.url), 'utf8');
  const document = parseText(text.replace('https://{region}.pumps.example/v1', `http://127.0.0.1:${port}`));
  const source = new ReferencePreview(new Reference({ document }), { hasTryIt: true });
  running = await servePreview(source, { port: 0, onError: (error) => console.error(error) });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await running.stop();
  api.closeAllConnections();
  api.close();
});

async function open(path: string, options: Parameters<Browser['newContext']>[0] = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && origin !== running.url) faults.push(`request to ${origin}`);
  });
  await page.goto(`${running.url}/${path}`, { waitUntil: 'load' });
  return { page, faults, [Symbol.asyncDispose]: () => context.close() };
}

const hasSidewaysScroll = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);

test.each(['light', 'dark'] as const)('axe finds nothing on pages of a reference in %s mode', async (colorScheme) => {
  for (const path of ['', 'pumps', 'schemas/pump']) {
    await using opened = await open(path, { colorScheme });
    await opened.page.evaluate(() => document.querySelectorAll('details').forEach((part) => (part.open = true)));
    expect([path, await accessibilityFindings(opened.page)]).toEqual([path, []]);
    expect(opened.faults).toEqual([]);
  }
});

test('pages of a reference have no sideways scroll on small screens, and can be read without JavaScript', async () => {
  for (const path of ['', 'pumps', 'webhooks', 'schemas', 'schemas/pump']) {
    await using opened = await open(path, { viewport: { width: 390, height: 844 } });
    expect([path, await hasSidewaysScroll(opened.page)]).toEqual([path, false]);
  }
  await using opened = await open('pumps', { javaScriptEnabled: false });
  expect(await opened.page.locator(':is(.tab-panel, .api-sample):visible').count()).toBeGreaterThan(4);
  await opened.page.locator('.api-nested > summary').first().click();
  expect(await opened.page.locator('.api-nested[open]').count()).toBe(1);
});

test('a request is sent from the page to the server of the description, with a token that is not kept', async () => {
  received = [];
  await using opened = await open('pumps');
  const { page } = opened;
  const form = page.locator('.api-try').first();
  await form.locator('summary').click();
  await form.locator('input[type="password"]').fill('secret');
  await form.locator('[data-name="limit"]').fill('3');
  await form.locator('button').click();
  await page.waitForSelector('.api-answer pre');

  expect(await form.locator('.api-answer').textContent()).toContain('"name": "seven"');
  expect(received.filter((line) => line.startsWith('GET'))).toEqual(['GET /pumps?limit=3 Bearer secret']);
  await page.reload();
  expect(await form.locator('input[type="password"]').inputValue()).toBe('');
  expect(await page.evaluate(() => JSON.stringify(localStorage) + JSON.stringify(sessionStorage))).not.toContain(
    'secret',
  );
  // The description names no other server, and the policy of the page allows none.
  const blocked = await page.evaluate(() => fetch('http://127.0.0.1:1/').catch((error: Error) => error.message));
  expect(opened.faults.some((fault) => fault.includes('Content Security Policy'))).toBe(true);
  expect(blocked).toContain('Failed to fetch');
});

test('keys alone reach and use every part of a page of a reference', async () => {
  await using opened = await open('pumps');
  const { page } = opened;
  const wanted = await page.evaluate(() => {
    const parts = document.querySelectorAll<HTMLElement>('a[href], button, summary, input, select, textarea');
    const shown = [...parts].filter((part) => part.checkVisibility({ visibilityProperty: true }) && part.tabIndex >= 0);
    return shown.map((part, index) => (part.dataset.stop = String(index)));
  });
  expect(wanted.length).toBeGreaterThan(30);

  const reached = new Set<string | undefined>();
  const unmarked: string[] = [];
  for (let press = 0; press < wanted.length + 20; press++) {
    await page.keyboard.press('Tab');
    const [stop, hasMark, html] = await page.evaluate((): [string | undefined, boolean, string] => {
      const part = document.activeElement as HTMLElement;
      const { outlineStyle, boxShadow } = getComputedStyle(part);
      return [part.dataset.stop, outlineStyle !== 'none' || boxShadow !== 'none', part.outerHTML.slice(0, 80)];
    });
    if (stop !== undefined && !hasMark) unmarked.push(html);
    reached.add(stop);
  }
  expect(wanted.filter((stop) => !reached.has(stop))).toEqual([]);
  expect(unmarked).toEqual([]);

  const answers = page.getByRole('tablist').filter({ has: page.getByRole('tab', { name: 'Other' }) });
  const tabs = answers.getByRole('tab');
  await tabs.first().focus();
  await page.keyboard.press('ArrowRight');
  expect(await tabs.nth(1).getAttribute('aria-selected')).toBe('true');
  const nested = page.locator('.api-nested > summary').first();
  await nested.focus();
  await page.keyboard.press('Enter');
  expect(await page.locator('.api-nested[open]').count()).toBe(1);
  expect(opened.faults).toEqual([]);
});
