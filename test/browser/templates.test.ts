// @module-tag browser
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FolderPreview } from '../../src/site/preview/folder-preview.ts';
import { type RunningPreview, servePreview } from '../../src/site/preview/preview-server.ts';
import { ReferencePreview } from '../../src/site/preview/reference-preview.ts';
import { Reference } from '../../src/site/reference/index.ts';
import { exportSite } from '../../src/site/static/export-site.ts';
import { OutputFolder } from '../../src/site/static/output-folder.ts';
import { StaticFolder } from '../../src/site/static/static-folder.ts';
import { openBrowser } from '../support/browser.ts';
import { writeFiles } from '../support/write-files.ts';
import { allBlocks } from './demo-site.ts';
import { accessibilityFindings } from './support.ts';

/* The templates that `site.test.ts`, `reference.test.ts` and `try-it.test.ts` do not open. */

const updates =
  '# News\n\n{% updates format="short" %}\n{% update date="2026-10-01" tags="a,b" %}\n## Faster\n\nAll of it.\n{% endupdate %}\n{% endupdates %}\n';
const prompt =
  '# Ask\n\n{% prompt description="Ask" defaultExpanded="full" openInAIProviders="true" %}\n```\nSay hello.\n```\n{% endprompt %}\n';
const operations = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [
    `/a-rather-long-path/${index}/{of}/the/service`,
    { get: { tags: ['All'] } },
  ]),
);
const types: Record<string, string> = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript' };

let home: string;
let host: Server;
let browser: Browser;
const running: RunningPreview[] = [];
const pages: [name: string, address: string][] = [];

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'docsctl-templates-'));
  const folder = join(home, 'docs');
  await writeFiles(folder, {
    'SUMMARY.md': '# Contents\n\n* [Blocks](README.md)\n* [News](news.md)\n* [Ask](ask.md)\n',
    'README.md': `# Blocks\n\n${allBlocks}\n\n[Nothing](none.md)\n`,
    'news.md': updates,
    'ask.md': prompt,
  });
  const onError = (error: unknown) => {
    throw error;
  };
  const preview = await servePreview(new FolderPreview(folder, { onProblems() {}, onMissingMermaid() {} }), {
    port: 0,
    onError,
  });
  const document = { openapi: '3.1.0', info: { title: 'All', version: '1' }, paths: operations };
  const source = new ReferencePreview(new Reference({ document }), { hasTryIt: true });
  const reference = await servePreview(source, { port: 0, onError });
  running.push(preview, reference);
  const out = join(home, 'out');
  await exportSite(new StaticFolder(folder), new OutputFolder(out, { overwrite: false, dryRun: false }), {
    baseUrl: undefined,
    fingerprint: '',
    renderer: 'test',
    onPage() {},
  });
  host = createServer(async ({ url = '/' }, response) => {
    const path = url.endsWith('/') ? `${url}index.html` : url.replace(/\?.*/, '');
    const bytes = await readFile(join(out, path)).catch(() => undefined);
    response.writeHead(bytes ? 200 : 404, { 'content-type': types[extname(path)] ?? 'text/html' }).end(bytes);
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  const exported = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  pages.push(
    ['preview with problems', preview.url],
    ['updates', `${preview.url}/news`],
    ['prompt', `${preview.url}/ask`],
    ['list of operations', `${reference.url}/all`],
    ['operation', `${reference.url}/all/get-a-rather-long-path-3-of-the-service`],
    ['static export', `${exported}/`],
    ['not found in a static export', `${exported}/404.html`],
  );
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  host?.close();
  for (const each of running) await each.stop();
  await rm(home, { recursive: true });
});

test.each(['light', 'dark'] as const)('axe finds nothing on the other templates in %s mode', async (colorScheme) => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme });
  for (const [name, address] of pages) {
    await page.goto(address);
    await page.evaluate(() => document.querySelectorAll('details').forEach((part) => (part.open = true)));
    expect([name, await page.locator('h1').count()]).toEqual([name, 1]);
    expect([name, await accessibilityFindings(page)]).toEqual([name, []]);
  }
  await page.close();
});

test('no template has sideways scroll from 320 to 2560 pixels', async () => {
  const page = await browser.newPage();
  for (const [name, address] of pages) {
    await page.goto(address);
    for (const width of [320, 390, 768, 1280, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([name, width, tooWide]).toEqual([name, width, 0]);
    }
  }
  await page.close();
});

test('on paper every template has its text, and nothing that only screens need', async () => {
  const page = await browser.newPage();
  await page.emulateMedia({ media: 'print' });
  for (const [name, address] of pages) {
    await page.goto(address);
    expect([name, await page.locator('h1').isVisible()]).toEqual([name, true]);
    for (const part of ['.header', '.contents', '.problems', '.api-try', '.prompt-providers', '.pagination']) {
      expect([name, part, await page.locator(part).first().isVisible()]).toEqual([name, part, false]);
    }
  }
  await page.close();
});
