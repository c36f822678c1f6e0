// @module-tag browser
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { encode } from 'fast-png';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportFolder } from './exported-folder.ts';
import { ThreadedPreview } from '../../src/site/preview/threaded-preview.ts';
import { servePreview } from '../../src/site/preview/preview-server.ts';
import { openBrowser } from '../support/browser.ts';
import { accessibilityFindings } from './support.ts';

const picture = (width: number) =>
  encode({ width, height: 40, channels: 1, data: new Uint8Array(width * 40).fill(90) });

let folder: string;
let browser: Browser;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docsctl-media-'));
  await exportFolder(folder, {
    'README.md':
      '# Media\n\n![A wide picture](wide.png)\n\n![A small picture](small.png)\n\n{% embed url="https://www.youtube.com/watch?v=1" %}\n',
    'wide.png': picture(2400),
    'small.png': picture(40),
  });
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

test('images that are larger than shown open in full size, with the keyboard too', async () => {
  const page = await open();
  const zoom = page.getByRole('button', { name: 'Enlarge the image: A wide picture' });
  await zoom.waitFor();
  expect(await page.locator('.zoom').count()).toBe(1);

  await zoom.press('Enter');
  expect(await page.locator('dialog[open] img').evaluate((image) => image.clientWidth)).toBeGreaterThan(1200);
  expect(await accessibilityFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  expect(await zoom.evaluate((button) => button === document.activeElement)).toBe(true);
});

test.each([390, 1280])('at %d pixels, a video is a panel that loads nothing', async (width) => {
  for (const scheme of ['light', 'dark'] as const) {
    const page = await open(width, scheme);
    const box = (await page.locator('.embed-video').boundingBox())!;
    expect(box.width / box.height).toBeCloseTo(16 / 9, 1);
    expect(await page.locator('.embed-video').getAttribute('href')).toBe('https://www.youtube.com/watch?v=1');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect(await accessibilityFindings(page)).toEqual([]);
  }
});

test('a preview replaces the content of a page without loading it again', async () => {
  const docs = join(folder, 'live');
  const other = join(docs, 'README.md');
  await mkdir(docs);
  await writeFile(other, '# Home\n\nOne.\n\n```js\na\n```\n');
  const preview = new ThreadedPreview(docs, () => {});
  const server = await servePreview(preview, { port: 0, onError() {} });
  try {
    const page = await browser.newPage();
    await page.goto(`${server.url}/`);
    await page.evaluate(() => document.body.setAttribute('data-same', ''));
    for (const word of ['Two', 'Three']) {
      await writeFile(other, `# Home\n\n${word}.\n\n\`\`\`js\nb\n\`\`\`\n`);
      await preview.update({ paths: new Set(['README.md']), hasOtherNames: false });
      await page.getByText(`${word}.`).waitFor();
    }
    expect(await page.locator('body[data-same]').count()).toBe(1);
    expect(await page.locator('.copy-code').count()).toBe(1);

    // A new title changes the contents.
    await writeFile(other, '# Other\n\nFour.\n');
    await preview.update({ paths: new Set(['README.md']), hasOtherNames: false });
    await page.getByText('Four.').waitFor();
    expect(await page.locator('body[data-same]').count()).toBe(0);
  } finally {
    await server.stop();
    await preview.close();
  }
});
