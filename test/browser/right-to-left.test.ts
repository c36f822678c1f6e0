// @module-tag browser
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FolderPreview } from '../../src/site/preview/folder-preview.ts';
import { type RunningPreview, servePreview } from '../../src/site/preview/preview-server.ts';
import { openBrowser } from '../support/browser.ts';
import { writeFiles } from '../support/write-files.ts';
import { accessibilityFindings } from './support.ts';

const fence = '```';

const arabic = `# المضخات

تُعايَر المضخة مرة واحدة باستخدام الأمر \`pumps calibrate --all\` عند تركيبها.

## قبل البدء

{% hint style="warning" %}
أغلق الصمام أولاً.
{% endhint %}

${fence}js
const pump = await openPump({ host: '10.0.0.7' }); // first
${fence}

## الإصدارات

{% updates %}
{% update date="2026-02-03" %}
إصدار جديد.
{% endupdate %}
{% endupdates %}
`;
const hebrew = `# משאבות

מכיילים את המשאבה עם \`pumps calibrate --all\` פעם אחת.

## לפני שמתחילים

סגרו את השסתום.

## כיול

${fence}js
const pump = await openPump({ host: '10.0.0.7' }); // first
${fence}
`;
const space = (language: string) =>
  `{ type: space, title: ${language}, path: ${language}, content: { directory: ./${language}, language: ${language} } }`;

let folder: string;
let preview: RunningPreview;
let browser: Browser;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docsctl-rtl-'));
  await writeFiles(folder, {
    'docs.yaml': `site:\n  title: Pumps\n  structure: [${space('ar')}, ${space('he')}]\n`,
    'ar/README.md': arabic,
    'he/README.md': hebrew,
  });
  const source = new FolderPreview(folder, { onProblems() {}, onMissingMermaid() {} });
  preview = await servePreview(source, { port: 0, onError() {} });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await preview?.stop();
  await rm(folder, { recursive: true });
});

test.each([
  ['ar', '/', 'في هذه الصفحة', '3 فبراير 2026'],
  ['he', '/he', 'בדף זה', ''],
])('pages in %s are laid out from right to left, and code is not', async (language, path, onThisPage, date) => {
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on('console', (message) => faults.push(message.text()));
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(preview.url + path);
    const root = page.locator('html');
    expect([await root.getAttribute('dir'), await root.getAttribute('lang')]).toEqual(['rtl', language]);
    expect(await page.locator('body').textContent()).toContain(onThisPage);
    expect(await page.locator('main').textContent()).toContain(date);
    const rightOf = (name: string) =>
      page
        .locator(name)
        .first()
        .evaluate((at) => at.getBoundingClientRect().right);
    if (width > 1000) expect(await rightOf('.contents')).toBeGreaterThan(await rightOf('main'));
    expect(await rightOf('.text p')).toBeCloseTo(await rightOf('.text'), 0);
    expect(await page.locator('.code pre').evaluate((pre) => getComputedStyle(pre).direction)).toBe('ltr');
    expect(
      await page
        .locator('p code')
        .first()
        .evaluate((at) => getComputedStyle(at).direction),
    ).toBe('ltr');
    // The button must not lie on the beginning of the code.
    expect((await rightOf('.code')) - (await rightOf('.copy-code'))).toBeLessThan(20);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
  }
  expect(faults).toEqual([]);
  await page.close();
});
