import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { settingsFiles } from '../../src/content/folder/folder-settings.ts';
import { checkFolderAt } from '../../src/site/folder/check-threads.ts';
import { FolderPages } from '../../src/site/folder/folder-pages.ts';
import { folderSiteAround } from '../../src/site/folder/folder-site.ts';
import type { FolderAddresses } from '../../src/site/folder/root-addresses.ts';
import { FolderSearch } from '../../src/site/folder/search-folder.ts';
import { SiteFolder } from '../../src/site/folder/site-folder.ts';
import type { FolderPage } from '../../src/site/folder/space-folder.ts';
import { writeFiles } from '../support/write-files.ts';

async function folderOf(files: Record<string, string>) {
  const path = await mkdtemp(join(tmpdir(), 'docsctl-folder-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  await writeFiles(path, files);
  const site = new SiteFolder(path);
  const addresses: FolderAddresses = {
    page: (page, anchor = '') => `/${site.addressOf(page)}${anchor && `#${anchor}`}`,
    file: (file) => `/files/${file}`,
    specification: (file, format) => `/specifications/${file}.${format}`,
    markdown: (page) => `/${site.addressOf(page)}.md`,
  };
  const pages = new FolderPages(site, addresses);
  const pageAt = (address: string): FolderPage => {
    const answer = site.find(address);
    if (answer?.kind !== 'page') throw new Error(`There is no page at ${address}.`);
    return answer.page;
  };
  const htmlAt = async (address: string) => (await pages.page(pageAt(address))).html;
  /** Writes files, or removes those without a text. */
  const change = async (changes: Record<string, string | undefined>) => {
    for (const [file, text] of Object.entries(changes)) {
      if (text === undefined) await rm(join(path, file));
      else await writeFiles(path, { [file]: text });
    }
    site.update(new Set(Object.keys(changes)), true);
  };
  return { path, site, addresses, pages, pageAt, htmlAt, change };
}

const problemsOf = async (site: SiteFolder) =>
  (await checkFolderAt({ path: site.disk.path, optionalRules: [], signal: new AbortController().signal })).problems.map(
    ({ file, line, rule }) => `${file}:${line ?? ''} ${rule}`,
  );

test('pages have the order and the addresses of SUMMARY.md', async () => {
  const { site, addresses, pageAt } = await folderOf({
    'SUMMARY.md': '# Contents\n\n* [Home](README.md)\n* [Guides](guides/README.md)\n  * [Install](guides/install.md)\n',
    'README.md': '# Pumps\n',
    'guides/README.md': '# All guides\n',
    'guides/install.md': '---\ntitle: Install it\nicon: wrench\n---\n\nText\n',
  });

  const around = await folderSiteAround(site, pageAt('guides/install'), addresses, {
    name: 'Docs',
    assets: { folder: '/' },
  });

  expect(around.navigation).toMatchObject([
    { title: 'Pumps', href: '/' },
    { title: 'All guides', isOpen: true, children: [{ title: 'Install it', icon: 'wrench', isCurrent: true }] },
  ]);
});

test('docs.yaml gives sections, groups and variants', async () => {
  const space = (path: string, directory: string, more = '') =>
    `{ type: space, title: ${path}, path: ${path}, ${more} content: { directory: ./${directory} } }`;
  const { site, addresses, pageAt } = await folderOf({
    'docs.yaml': `site:
  title: Pump docs
  structure:
    - type: section
      title: Manual
      path: manual
      default: true
      children: [${space('v2', 'manual', 'default: true,')}, ${space('v1', 'old')}]
    - type: section-group
      title: More
      children:
        - { type: section, title: News, path: news, children: [${space('news', 'news')}] }
`,
    'manual/README.md': '# Manual\n\n[News](../news/README.md)\n',
    'old/README.md': '# Old manual\n',
    'news/README.md': '# News\n',
    'news/first.md': '# First\n',
  });

  const around = await folderSiteAround(site, pageAt(''), addresses, { name: 'Docs', assets: { folder: '/' } });

  expect(around.title).toBe('Pump docs');
  expect(around.sections).toMatchObject([
    { title: 'Manual', href: '/', isCurrent: true },
    { title: 'More', sections: [{ title: 'News', href: '/news' }] },
  ]);
  expect(around.variants).toMatchObject([
    { title: 'v2', href: '/', isCurrent: true },
    { title: 'v1', href: '/v1' },
  ]);
  expect(pageAt('news/first').file).toBe('news/first.md');
  expect(await problemsOf(site)).toEqual([]);
});

test('a page is rendered anew when something it shows has changed, and only then', async () => {
  const { pages, htmlAt, change } = await folderOf({
    'README.md':
      '# Home\n\n[](guide.md) ![](pump.png)\n\n{% include ".gitbook/includes/note.md" %}\n\n<code class="expression">space.vars.version</code>\n',
    'guide.md': '# Guide\n',
    'other.md': '# Other\n',
    'pump.png': 'one',
    '.gitbook/includes/note.md': 'A note.\n',
    '.gitbook/vars.yaml': 'version: 1.0.1\n',
  });
  expect(await htmlAt('')).toContain('A note.');
  const renderings = async (changes: Record<string, string | undefined>) => {
    const before = pages.count;
    await change(changes);
    const html = await htmlAt('');
    return { html, count: pages.count - before };
  };

  expect(await renderings({ 'other.md': '# Quite another\n' })).toMatchObject({ count: 0 });
  expect(await renderings({ 'guide.md': '# Guide\n\nMore text.\n' })).toMatchObject({ count: 0 });
  expect(await renderings({ 'guide.md': '# New guide\n' })).toMatchObject({ count: 1 });
  expect(await renderings({ '.gitbook/includes/note.md': 'A warning.\n' })).toMatchObject({
    count: 1,
    html: expect.stringContaining('A warning.'),
  });
  expect(await renderings({ '.gitbook/vars.yaml': 'version: 2.0.2\n' })).toMatchObject({
    count: 1,
    html: expect.stringContaining('2.0.2'),
  });
  expect(await renderings({ 'pump.png': 'another picture' })).toMatchObject({ count: 1 });
  expect(await renderings({ 'guide.md': undefined })).toMatchObject({ count: 1 });
});

test('a page that is renamed or new is there at once', async () => {
  const { site, change, pageAt } = await folderOf({ 'README.md': '# Home\n', 'a.md': '# A\n' });
  expect(pageAt('a').title).toBe('A');

  await change({ 'a.md': undefined, 'b.md': '# B\n' });

  expect(pageAt('b').title).toBe('B');
  expect(site.find('a')).toBeUndefined();
});

test('what is wrong is found with its file and line', async () => {
  const { path, site } = await folderOf({
    '.gitbook.yaml':
      'structure:\n  summary: SUMMARY.md\nredirects:\n  old: guide.md\n  old: README.md\n  guide: README.md\n  gone: missing.md\n  away: https://example.com/\n',
    'SUMMARY.md':
      '# Contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n* [Nothing](nothing.md)\n* [Again](guide.md)\n',
    'README.md':
      '# Home\n\nText\n\n[a](guide.md#steps) [b](guide.md#nowhere) [c](nothing.md) [d](unlisted.md)\n\n![](none.png)\n',
    'guide.md': '---\ntitle: [\n---\n\n# Guide\n\n## Steps\n\n[back](./#home) [old](/old)\n',
    'unlisted.md': '# Unlisted\n',
    'Picture.png': '',
    'picture.png': '',
  });
  await symlink('/etc/hostname', join(path, 'link.txt'));
  await writeFile(join(path, 'latin.md'), Buffer.from([0x63, 0xe9]));

  expect(await problemsOf(new SiteFolder(site.disk.path))).toEqual([
    '.gitbook.yaml:5 redirect-repeated',
    '.gitbook.yaml:6 redirect-hides-page',
    '.gitbook.yaml:7 redirect-target',
    'README.md:5 missing-anchor',
    'README.md:5 broken-link',
    'README.md:5 broken-link',
    'README.md:7 missing-file',
    'SUMMARY.md:5 summary-missing',
    'SUMMARY.md:6 summary-repeated',
    'guide.md:3 front-matter',
    'latin.md: unreadable-file',
    'link.txt: symbolic-link',
    'picture.png: same-name',
    'unlisted.md:1 not-in-summary',
  ]);
});

test('an entry for an API reference that makes no pages is a problem', async () => {
  const entry = (indent: string) => `${indent}- \`\`\`yaml\n${indent}  type: builtin:openapi\n${indent}  \`\`\`\n`;
  const { site } = await folderOf({
    'SUMMARY.md': `* [Home](README.md)\n${entry('  ')}${entry('  ')}\n## API\n\n${entry('')}\n---\n\n${entry('')}`,
    'README.md': '# Home\n',
  });

  expect((await problemsOf(site)).filter((line) => line.includes('summary-unused'))).toEqual([
    'SUMMARY.md:5 summary-unused',
    'SUMMARY.md:17 summary-unused',
  ]);
});

test('headings are found in included texts, by their own ids, and by ids in HTML', async () => {
  const { site } = await folderOf({
    'SUMMARY.md':
      '* [Home](README.md)\n* [Guide](guide.md)\n* [API](api.md)\n  * ```yaml\n    type: builtin:openapi\n    ```\n',
    'README.md':
      '# Home\n\n[1](guide.md#from-the-note) [2](guide.md#own) [3](guide.md#html) [4](api.md#post-pets) [5](#below)\n\n## Below\n',
    'guide.md':
      '# Guide\n\n{% include "note.md" %}\n\n## Named <a href="#own" id="own"></a>\n\n<div id="html">x</div>\n'.replace(
        'note.md',
        '.gitbook/includes/note.md',
      ),
    'api.md': '# API\n',
    '.gitbook/includes/note.md': '## From the note\n',
  });

  expect(await problemsOf(site)).toEqual([]);
});

test('buttons and texts have their icons, and a dot for those of a larger set', async () => {
  const { htmlAt } = await folderOf({
    'README.md':
      '# Start\n\n<a href="a.md" class="button primary" data-icon="rocket">Go</a> <i class="fa-no-such-thing">:x:</i>\n',
    'a.md': '# A\n',
    'SUMMARY.md': '* [Start](README.md)\n* [A](a.md)\n',
  });

  const html = await htmlAt('');

  expect(html).toMatch(/<a href="\/a" class="button button-primary"><svg class="icon"[^>]*><path d="/);
  expect(html).toContain('<span class="icon icon-unknown" title="no-such-thing"></span>');
});

test('what stands around the pages of a large folder is read once for all of them', async () => {
  const files = Array.from({ length: 60 }, (_, n) => [`group/page-${n}.md`, `# Page ${n}\n`]);
  const { site, addresses } = await folderOf({
    'README.md': '# Home\n',
    'group/README.md': '# Group\n',
    ...Object.fromEntries(files),
  });
  let asked = 0;
  const counted: FolderAddresses = {
    ...addresses,
    page(page, anchor) {
      asked += 1;
      return addresses.page(page, anchor);
    },
  };
  const parts = { name: 'Docs', assets: { folder: '/' } };

  const pages = site.spaces.flatMap((space) => site.folderOf(space).pages);
  const around = await Array.fromAsync(
    pages,
    async (page) => (await folderSiteAround(site, page, counted, parts)).navigation,
  );

  expect(pages).toHaveLength(62);
  expect(asked).toBeLessThan(4 * pages.length);
  const current = around.map((items) => JSON.stringify(items).match(/"isCurrent":true/g)?.length);
  expect(current).toEqual(pages.map(() => 1));
});

test('a saved page is read and rendered alone, however many others there are', async () => {
  const others = Array.from({ length: 300 }, (_, n) => [`page-${n}.md`, `# Page ${n}\n\n[Home](README.md#news)\n`]);
  const { site, pages, pageAt } = await folderOf({
    'README.md': '# Home\n\n## News\n\n[Page 1](page-1.md#page-1)\n',
    ...Object.fromEntries(others),
  });
  await pages.page(pageAt(''));
  await pages.page(pageAt('page-7'));
  const read = vi.spyOn(site.disk, 'bytes');
  const names = vi.spyOn(site.disk, 'refresh');
  const files = () => new Set(read.mock.calls.map(([file]) => file));
  const { count } = pages;

  await save('page-7.md', '# Page 7\n\n[Home](README.md#news) changed\n');
  expect((await pages.page(pageAt('page-7'))).html).toContain('changed');
  expect(files()).toEqual(new Set(['page-7.md']));
  expect(pages.count).toBe(count + 1);

  // All pages show a title, and none but its own has to be read for it.
  await save('page-7.md', '# Seven\n');
  await pages.page(pageAt(''));
  await pages.page(pageAt('page-7'));
  expect(files()).toEqual(new Set(['page-7.md', 'SUMMARY.md', ...settingsFiles]));
  expect(pages.count).toBe(count + 2);
  expect(names).not.toHaveBeenCalled();

  async function save(file: string, text: string) {
    read.mockClear();
    await writeFiles(site.disk.path, { [file]: text });
    site.update(new Set([file]), false);
  }
});

const referenceEntry = `  * \`\`\`yaml
    type: builtin:openapi
    props: { models: true, grouping: by-operation, downloadLink: true }
    dependencies: { spec: { ref: { kind: openapi, spec: valves } } }
    \`\`\`
`;
const valves = {
  openapi: '3.1.0',
  info: { title: 'Valves', version: '1' },
  tags: [{ name: 'Valves' }, { name: 'Parts', parent: 'Valves' }],
  paths: {
    '/valves/{id}': { get: { tags: ['Valves'], operationId: 'getValve', summary: 'Get a valve', responses: {} } },
    '/parts': { get: { tags: ['Parts'], summary: 'List parts', responses: {} } },
  },
  components: { schemas: { Valve: { type: 'object', properties: { size: { type: 'integer' } } } } },
};

test('SUMMARY.md asks for the pages of an API reference, which have addresses, places and anchors as others', async () => {
  const { site, addresses, pageAt, pages, htmlAt, change } = await folderOf({
    'SUMMARY.md': `* [Home](README.md)\n* [API](api/README.md)\n${referenceEntry}* [After](after.md)\n`,
    'README.md':
      '# Home\n\n[a](api/valves/getvalve) [b](api/valves/parts) [c](api/nothing) [d](api/valves#none) [e](api/valves#get-valves-id)\n',
    'api/README.md': '# API\n',
    'after.md': '# After\n',
    'valves.json': JSON.stringify(valves),
  });

  expect(pageAt('api').space.pages.map(({ path }) => path)).toEqual([
    'readme', 'api', 'api/overview', 'api/valves', 'api/valves/getvalve', 'api/valves/parts',
    'api/valves/parts/get-parts', 'api/schemas', 'api/schemas/valve', 'after',
  ]); // prettier-ignore
  expect(await htmlAt('api/valves/getvalve')).toContain('/valves');
  expect(await htmlAt('api/overview')).toContain('href="/files/valves.json" download');
  expect(await htmlAt('api/valves')).toContain('href="/api/valves/getvalve"');
  expect(await problemsOf(site)).toEqual(['README.md:3 broken-link', 'README.md:3 missing-anchor']);
  const { navigation } = await folderSiteAround(site, pageAt('api/valves/getvalve'), addresses, {
    name: '',
    assets: { folder: '' },
  });
  expect(navigation[1]).toMatchObject({
    isOpen: true,
    children: [{}, { title: 'Valves', isOpen: true, children: [{ badge: 'GET', isCurrent: true }, {}] }, {}],
  });
  const found = await new FolderSearch().search({ folder: site, pages, addresses }, 'valve size');
  expect(found.results.map(({ href }) => href)).toContain('/api/schemas/valve');

  valves.paths['/parts'].get.summary = 'All parts';
  await change({ 'valves.json': JSON.stringify(valves) });
  expect(pageAt('api/valves/parts/get-parts').title).toBe('All parts');
  expect(await htmlAt('api/valves/parts')).toContain('All parts');
});

test('without the description in the folder, links below the entry of its reference are left to the service', async () => {
  const { site } = await folderOf({
    'SUMMARY.md': `* [Home](README.md)\n* [API](api/README.md)\n${referenceEntry}`,
    'README.md': '# Home\n\n[d](api#none)\n',
    'api/README.md': '# API\n',
  });

  expect(await problemsOf(site)).toEqual([]);
});
