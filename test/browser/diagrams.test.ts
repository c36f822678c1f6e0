// @module-tag browser
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FolderPreview } from '../../src/site/preview/folder-preview.ts';
import { type RunningPreview, servePreview } from '../../src/site/preview/preview-server.ts';
import { exportSite } from '../../src/site/static/export-site.ts';
import { OutputFolder } from '../../src/site/static/output-folder.ts';
import { StaticFolder } from '../../src/site/static/static-folder.ts';
import { openBrowser } from '../support/browser.ts';
import { standInMermaid } from '../support/mermaid.ts';
import { writeFiles } from '../support/write-files.ts';
import { accessibilityFindings } from './support.ts';

const fence = '```';
const docs = {
  'docs/SUMMARY.md': '# Contents\n\n* [Home](README.md)\n* [Plain](plain.md)\n',
  'docs/README.md': `# Home\n\n[A page that is missing](none.md)\n\n${fence}mermaid\ngraph TD; A-->B\n${fence}\n\n${fence}mermaid\nmistake\n${fence}\n`,
  'docs/plain.md': '# Plain\n\nNo diagram.\n',
};
const types: Record<string, string> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
};

let home: string;
let preview: RunningPreview;
let host: Server;
let browser: Browser;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'docsctl-diagrams-'));
  await writeFiles(home, { ...docs, ...standInMermaid('docs/node_modules/mermaid') });
  const folder = join(home, 'docs');
  preview = await servePreview(new FolderPreview(folder, { onProblems() {}, onMissingMermaid() {} }), {
    port: 0,
    onError(error) {
      throw error;
    },
  });
  const out = join(home, 'out');
  await exportSite(new StaticFolder(folder), new OutputFolder(out, { overwrite: false, dryRun: false }), {
    baseUrl: undefined,
    fingerprint: '',
    renderer: 'test',
    onPage() {},
  });
  const policy = /Content-Security-Policy: (.*)/.exec(await readFile(join(out, '_headers'), 'utf8'))?.[1] ?? '';
  host = createServer(async ({ url = '/' }, response) => {
    const path = url === '/' ? 'index.html' : url.slice(1).replace(/\?.*/, '');
    const bytes = await readFile(join(out, path)).catch(() => undefined);
    response.writeHead(bytes ? 200 : 404, {
      'content-type': types[extname(path)] ?? 'application/octet-stream',
      'content-security-policy': policy,
    });
    response.end(bytes);
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  host?.close();
  await preview?.stop();
  await rm(home, { recursive: true });
});

async function open(url: string, options: BrowserContextOptions = {}): Promise<{ page: Page; faults: string[] }> {
  const page = await (await browser.newContext(options)).newPage();
  const faults: string[] = [];
  page.on('console', (message) => faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(url);
  return { page, faults };
}

const exported = () => `http://127.0.0.1:${(host.address() as AddressInfo).port}/`;

test.each([
  ['a preview', () => preview.url],
  ['an export', exported],
])('diagrams of %s become pictures under its policy, beside their sources', async (_, address) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, faults } = await open(address(), { colorScheme });
    const figures = page.locator('figure.diagram');
    await figures.nth(1).locator('figcaption', { hasText: 'mistake on line 1' }).waitFor();

    const picture = figures.first().locator('img:visible');
    expect(await picture.count()).toBe(1);
    expect(await picture.getAttribute('alt')).toBe('Flow. From A to B');
    expect(await picture.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])).toEqual([
      120, 40,
    ]);
    const svg = decodeURIComponent((await picture.getAttribute('src')) ?? '');
    // The width was measured with a style of the diagram.
    expect(svg).toContain(`data-theme="${colorScheme === 'dark' ? 'dark' : 'default'}" data-measured="77"`);
    expect(await figures.first().locator('pre').isVisible()).toBe(false);
    await figures.first().locator('summary').click();
    expect(await figures.first().locator('pre').innerText()).toContain('graph TD; A-->B');
    expect(await page.locator('iframe').count()).toBe(0);
    // A preview shows what is wrong.
    expect(await page.locator('.problems').count()).toBe(address() === preview.url ? 1 : 0);
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(faults).toEqual([]);
    expect(
      await page.evaluate(() => {
        const style = document.createElement('style');
        style.textContent = 'body { outline: 9px solid }';
        document.body.append(style);
        return getComputedStyle(document.body).outlineWidth;
      }),
    ).not.toBe('9px');
    await page.context().close();
  }
});

test('pages without diagrams load nothing of it, and without JavaScript the source is there with a note', async () => {
  const { page } = await open(new URL('plain', preview.url).href);
  expect(await page.content()).not.toContain('mermaid');
  const { page: plain } = await open(preview.url, { javaScriptEnabled: false });
  expect(await plain.locator('figure.diagram figcaption').first().textContent()).toContain('shown as its source');
});

test('only the files of the package are served', async () => {
  await writeFile(join(home, 'docs/node_modules/mermaid/dist/secret.txt'), 'secret');
  const script = /\/~docsctl\/assets\/mermaid-[^"]*draw\.js/.exec(await (await fetch(preview.url)).text())?.[0] ?? '';
  const statusOf = async (name: string) => (await fetch(new URL(name, preview.url + script))).status;
  expect(await statusOf('package/chunks/mermaid.esm.min/part.mjs')).toBe(200);
  expect(await statusOf('package/secret.txt')).toBe(404);
  expect(await statusOf('package/chunks/mermaid.esm.min/..%2f..%2fsecret.txt')).toBe(400);
});
