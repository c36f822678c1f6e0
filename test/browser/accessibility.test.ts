// @module-tag browser
import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseText } from '../../src/openapi/parse/syntax.ts';
import { FolderPreview } from '../../src/site/preview/folder-preview.ts';
import { type RunningPreview, servePreview } from '../../src/site/preview/preview-server.ts';
import { ReferencePreview } from '../../src/site/preview/reference-preview.ts';
import type { PreviewOutline } from '../../src/site/preview/source.ts';
import { Reference } from '../../src/site/reference/index.ts';
import { openBrowser } from '../support/browser.ts';
import { accessibilityFindings } from './support.ts';

/* Real pages: the documentation of this program, and every page of an API reference. */

let browser: Browser;
let folder: RunningPreview;
let reference: RunningPreview;
const addresses: string[] = [];

beforeAll(async () => {
  const options = {
    port: 0,
    onError(error: unknown) {
      throw error;
    },
  };
  const docs = new FolderPreview('docs', { onProblems() {}, onMissingMermaid() {} });
  folder = await servePreview(docs, options);
  const document = parseText(await readFile('test/browser/pumps.yaml', 'utf8'));
  const source = new ReferencePreview(new Reference({ document }), { hasTryIt: true });
  reference = await servePreview(source, options);
  const hrefsOf = ({ sections }: PreviewOutline) => sections.flatMap(({ pages }) => pages.map(({ href }) => href));
  const commands = hrefsOf(docs.outline()).filter((href) => href.includes('/commands/'));
  addresses.push(
    ...hrefsOf(docs.outline())
      .filter((href) => !commands.slice(2).includes(href))
      .map((href) => folder.url + href),
    ...hrefsOf(source.outline()).map((href) => reference.url + href),
  );
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([folder?.stop(), reference?.stop()]);
});

test.each([
  ['light', 1440],
  ['dark', 390],
] as const)('axe finds nothing on 30 real pages in %s mode, %i pixels wide', async (colorScheme, width) => {
  expect(addresses.length).toBeGreaterThanOrEqual(30);
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  for (const address of addresses) {
    const response = await page.goto(address);
    expect([address, response?.status()]).toEqual([address, 200]);
    expect([address, await accessibilityFindings(page)]).toEqual([address, []]);
  }
  await page.close();
});
