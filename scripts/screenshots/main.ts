import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { listen } from '../../src/server/http/listen.ts';
import { openInstance } from '../../src/server/open-instance.ts';
import { openBrowser } from '../../test/support/browser.ts';
import { capture } from './capture.ts';
import { type ExampleSite, makeExampleSite } from './example-site.ts';

// `npm run screenshots` draws the pages of an example site into docs/screenshots/, for a look at every change of the
// styles. `CHROMIUM` names a browser that is not found.
const folder = process.argv[2] ?? join(import.meta.dirname, '..', '..', 'docs', 'screenshots');

interface Shot {
  name: string;
  path: string;
  /** Only while the site is not public. */
  isGate?: boolean;
  act?(page: Page): Promise<void>;
}

const shots: Shot[] = [
  { name: 'start', path: '' },
  { name: 'page', path: 'get-started/quickstart' },
  {
    name: 'search',
    path: 'get-started/quickstart',
    async act(page) {
      await page.keyboard.press('/');
      await page.keyboard.type('station');
      await page.waitForSelector('[role="option"]');
    },
  },
  { name: 'reference', path: 'api-reference/stations' },
  { name: 'not-found', path: 'get-started/quick-start' },
  { name: 'gate', path: '', isGate: true },
];

const sizes = [
  { name: 'wide', width: 1280, height: 900 },
  { name: 'small', width: 390, height: 844 },
];

const address = { host: '127.0.0.1', port: 0 };
const now = Date.parse('2026-11-02T09:42:00Z');
const instance = await openInstance({ file: ':memory:', now: () => now, log: { error: console.error } });
const listening = await listen(instance, address);
instance.base = listening.url;
const browser = await openBrowser();
try {
  mkdirSync(folder, { recursive: true });
  const site = await makeExampleSite(instance);
  for (const shot of shots) await draw(browser, site, shot);
} finally {
  await browser.close();
  await listening.stop();
  await instance.close();
}

async function draw(browser: Browser, site: ExampleSite, { name, path, isGate = false, act }: Shot): Promise<void> {
  await site.setVisibility(isGate ? 'visitor-auth' : 'public');
  for (const size of sizes) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { width, height } = size;
      const page = await browser.newPage({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' });
      await page.goto(listening.url + site.root + path, { waitUntil: 'load' });
      await act?.(page);
      writeFileSync(join(folder, `${name}-${size.name}-${colorScheme}.webp`), await capture(page));
      await page.close();
    }
  }
}
