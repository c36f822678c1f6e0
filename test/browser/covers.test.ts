// @module-tag browser
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { encode } from 'fast-png';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { exportFolder } from './exported-folder.ts';

const picture = (gray: number) =>
  encode({ width: 640, height: 480, channels: 1, data: new Uint8Array(640 * 480).fill(gray) });

const cards = `<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target></th><th data-hidden data-card-cover></th><th data-hidden data-card-cover-dark></th></tr></thead><tbody><tr><td><strong>Install</strong></td><td><a href="sized.md">sized.md</a></td><td><a href="light.png">light.png</a></td><td><a href="dark.png">dark.png</a></td></tr></tbody></table>`;

const front = (more: string) => `---\ncover: light.png\ncoverDark: dark.png\n${more}---\n`;

let folder: string;
let browser: Browser;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docsctl-covers-'));
  await exportFolder(folder, {
    'README.md': `${front('')}# Home\n\nText.\n\n${cards}\n`,
    'sized.md': `${front('coverHeight: 333\n')}# Sized\n`,
    'band.md': `${front('layout:\n  cover:\n    visible: true\n    size: background\n')}# Band\n`,
    'full.md': `${front('coverHeight: 200\nlayout:\n  cover:\n    size: full\n')}# Full\n`,
    'light.png': picture(220),
    'dark.png': picture(40),
  });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true });
});

async function open(file: string, colorScheme: 'light' | 'dark' = 'light', width = 1280): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
  await page.goto(pathToFileURL(join(folder, 'out', file)).href);
  return page;
}

const visibleFiles = (page: Page, selector: string) =>
  page.evaluate(
    (images) =>
      [...document.querySelectorAll<HTMLImageElement>(images)]
        .filter((image) => image.checkVisibility())
        .map((image) => (image.src.split('/').at(-1) ?? '').split('-')[0]),
    selector,
  );

const boxOf = (page: Page, selector: string) =>
  page.evaluate((one) => document.querySelector(one)!.getBoundingClientRect().toJSON(), selector);

test.each(['light', 'dark'] as const)(
  'a card shows the cover of the %s theme, edge to edge at 16:9',
  async (scheme) => {
    const page = await open('index.html', scheme);
    await page.locator('.card').scrollIntoViewIfNeeded();

    expect(await visibleFiles(page, '.card-cover')).toEqual([scheme]);
    const card = await boxOf(page, '.card');
    const cover = await boxOf(page, `.card-cover.image-${scheme}`);
    expect(cover.y - card.y).toBe(1);
    expect(card.width - cover.width).toBe(2);
    expect(cover.width / cover.height).toBeCloseTo(16 / 9, 1);
  },
);

test('the whole card is a link', async () => {
  const page = await open('index.html');
  const card = await boxOf(page, '.card');

  await page.locator('.card').scrollIntoViewIfNeeded();
  await page.locator('.card').click({ position: { x: card.width / 2, y: 20 } });

  expect(page.url()).toMatch(/sized\.html$/);
});

test.each([320, 390, 600])('covers fit into a screen of %d pixels', async (width) => {
  for (const file of ['index.html', 'sized.html', 'band.html', 'full.html']) {
    const page = await open(file, 'light', width);
    expect([file, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([file, width]);
  }
});

test('coverHeight sets the height of a cover', async () => {
  expect((await boxOf(await open('sized.html'), '.cover')).height).toBe(333);
  expect((await boxOf(await open('full.html'), '.cover')).height).toBe(200);
});

test('a background cover is a band behind the title', async () => {
  const page = await open('band.html', 'dark');
  const cover = await boxOf(page, '.cover');
  const title = await boxOf(page, 'h1');

  expect(title.top).toBeGreaterThan(cover.top);
  expect(title.bottom).toBeLessThan(cover.bottom);
  expect(await visibleFiles(page, '.cover img')).toEqual(['dark']);
});
