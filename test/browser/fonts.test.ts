// @module-tag browser
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportFolder } from './exported-folder.ts';
import { openBrowser } from '../support/browser.ts';
import { type Served, serveDemoSite } from './support.ts';

const files = { 'README.md': '# Home\n\nText with `code`.\n' };
let folder: string;
let browser: Browser;
let served: Served;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docsctl-fonts-'));
  await exportFolder(join(folder, 'with'), files);
  await exportFolder(join(folder, 'without'), files, { hasSystemFonts: true });
  browser = await openBrowser();
  served = await serveDemoSite();
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
  await rm(folder, { recursive: true });
});

const fontsIn = async (name: string) =>
  (await readdir(join(folder, name, 'out/assets'))).filter((file) => file.endsWith('.woff2'));

test('a page is drawn with the fonts of the site, which are loaded early', async () => {
  await using opened = await served.open();
  const { page, faults } = opened;
  const loaded = await page.evaluate(async () => {
    await document.fonts.ready;
    return [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family);
  });
  expect(loaded.map((family) => family.replaceAll('"', ''))).toEqual(['Inter Variable', 'JetBrains Mono Variable']);
  const familyOf = (selector: string) =>
    page.evaluate((one) => getComputedStyle(document.querySelector(one)!).fontFamily, selector);
  expect(await familyOf('.text p')).toMatch(/^"Inter Variable", Inter, ui-sans-serif/);
  expect(await familyOf('.text pre code')).toMatch(/^"JetBrains Mono Variable", ui-monospace/);
  expect(await page.locator('link[rel="preload"][as="font"]').count()).toBe(2);
  expect(faults).toEqual([]);
});

test('an export has two small fonts, and works from a folder', async () => {
  const fonts = await fontsIn('with');
  expect(fonts).toHaveLength(2);
  let size = 0;
  for (const font of fonts) size += (await stat(join(folder, 'with/out/assets', font))).size;
  expect(size).toBeLessThan(120_000);

  const page = await browser.newPage();
  await page.goto(pathToFileURL(join(folder, 'with/out/index.html')).href);
  expect(await page.locator('h1').textContent()).toBe('Home');
});

test('with system fonts, an export has and names none', async () => {
  expect(await fontsIn('without')).toEqual([]);
  const page = await browser.newPage();
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await page.goto(pathToFileURL(join(folder, 'without/out/index.html')).href);
  expect(requested.filter((url) => url.endsWith('.woff2'))).toEqual([]);
  const family = await page.evaluate(() => getComputedStyle(document.body).fontFamily);
  expect(family).toMatch(/^ui-sans-serif/);
});
