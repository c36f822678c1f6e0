// @module-tag browser
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportFolder } from './exported-folder.ts';
import { openBrowser } from '../support/browser.ts';
import { accessibilityFindings } from './support.ts';

const long = 'x'.repeat(200);
const code = `# Code

\`\`\`diff
 same
-${long}
+new
\`\`\`

\`\`\`ts {2}
const a = 1;
const b = 2;
\`\`\`

\`\`\`text
plain
\`\`\`
`;

let folder: string;
let browser: Browser;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docsctl-code-'));
  await exportFolder(folder, { 'README.md': code });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true });
});

async function open(width = 1280, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  await page.goto(pathToFileURL(join(folder, 'out/index.html')).href);
  return page;
}

test.each([390, 1280])('at %d pixels, changed lines of a diff are as wide as its longest line', async (width) => {
  const page = await open(width);
  const [added, deleted] = await page.evaluate(() =>
    ['.line-added', '.line-deleted'].map((line) => document.querySelector(line)!.getBoundingClientRect().width),
  );
  expect(added).toBe(deleted);
  const { lines, height } = await page.evaluate(() => {
    const block = document.querySelector('pre code')!;
    const style = Number.parseFloat(getComputedStyle(block).lineHeight);
    return { lines: block.querySelectorAll('.line').length, height: block.getBoundingClientRect().height / style };
  });
  expect(Math.round(height)).toBe(lines);
});

test('blocks name their language, and axe finds nothing', async () => {
  for (const scheme of ['light', 'dark'] as const) {
    const page = await open(1280, scheme);
    const names = await page
      .locator('.code')
      .evaluateAll((all) => all.map((each) => each.getAttribute('data-language')));
    expect(names).toEqual(['Diff', 'TypeScript', null]);
    expect(await accessibilityFindings(page)).toEqual([]);
  }
});

test('code is copied from a page without a server, and without the clipboard of secure pages', async () => {
  const page = await open();
  for (const isOld of [false, true]) {
    await page.evaluate((without) => {
      document.addEventListener('copy', () => void (document.title = getSelection()!.toString()));
      const clipboard = { writeText: async (text: string) => void (document.title = text) };
      Object.defineProperty(navigator, 'clipboard', { value: without ? undefined : clipboard, configurable: true });
      document.title = '';
    }, isOld);
    await page.locator('.code').nth(1).hover();
    await page.locator('.copy-code').nth(1).click();
    await page.waitForSelector('.copy-code.done');
    if (!isOld) expect(await page.title()).toBe('const a = 1; const b = 2;');
    await page.waitForSelector('.copy-code:not(.done)');
  }
  expect(await page.locator('.copy-page').count()).toBe(0);
});
