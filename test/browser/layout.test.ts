// @module-tag browser
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportFolder } from './exported-folder.ts';
import { openBrowser } from '../support/browser.ts';

let folder: string;
let browser: Browser;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docsctl-layout-'));
  await exportFolder(folder, {
    'README.md': '# Home\n\nText.\n\n## First\n\nText.\n\n## Second\n\nText.\n',
    'short.md': '# Short\n\nText.\n',
    'small.md': '# Small\n\n#### First\n\nText.\n\n#### Second\n\n##### Third\n\nText.\n',
    'mixed.md': '# Mixed\n\n## First\n\n### Second\n\n#### Third\n\nText.\n',
  });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true });
});

async function open(file: string, width = 1440): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  await page.goto(pathToFileURL(join(folder, 'out', file)).href);
  return page;
}

test.each([390, 1024, 1280, 1440])('at %d pixels, the text begins at the same place on all pages', async (width) => {
  const lefts = new Set<number>();
  for (const file of ['index.html', 'short.html', 'small.html']) {
    const page = await open(file, width);
    lefts.add(await page.evaluate(() => document.querySelector('.text')!.getBoundingClientRect().left));
  }
  expect(lefts.size).toBe(1);
});

test('the outline lists small headings only on pages without larger ones', async () => {
  expect(await (await open('small.html')).locator('.outline a').allTextContents()).toEqual(['First', 'Second']);
  expect(await (await open('mixed.html')).locator('.outline a').allTextContents()).toEqual(['First', 'Second']);
});
