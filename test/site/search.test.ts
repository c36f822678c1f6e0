import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { expect, onTestFinished, test } from 'vitest';
import { FolderSite } from '../../src/site/folder/folder-site.ts';
import { FolderSearch } from '../../src/site/folder/search-folder.ts';
import { searchIn, type SearchIndex, searchOptions } from '../../src/site/search-index.ts';
import { exportSite } from '../../src/site/static/export-site.ts';
import { OutputFolder } from '../../src/site/static/output-folder.ts';
import { StaticFolder } from '../../src/site/static/static-folder.ts';
import type { SearchAnswer } from '../../src/site/model.ts';
import { testInstance } from '../support/instance.ts';
import { insertPage } from '../support/page-writes.ts';
import { corpus, queries } from '../support/search-corpus.ts';
import { makeSite } from '../support/sites.ts';
import { writeFiles } from '../support/write-files.ts';

type Search = (query: string) => Promise<{ titles: string[]; suggestion?: string | undefined }>;

const answerOf = ({ results, suggestion }: SearchAnswer) => ({ titles: results.map(({ title }) => title), suggestion });

/** The search of a published site, and `spaces search`. */
async function publishedSearches(): Promise<Search[]> {
  const service = await testInstance();
  const site = await makeSite(service, ['Guide']);
  await service.call('POST', `${site.path}/publish`);
  const space = `/v1/spaces/${site.spaces[0]}`;
  for (const [title, text] of Object.entries(corpus)) await insertPage(service, space, title, text);
  const published: Search = async (query) => {
    const { body } = await service.instance.handle({
      method: 'GET',
      path: `/published/${service.org}/docs/~search`,
      query: new URLSearchParams({ q: query }),
      headers: { accept: 'application/json' },
    });
    return answerOf(JSON.parse(String(body)));
  };
  const spaces: Search = async (query) => {
    const { body } = await service.call('GET', `${space}/search?limit=12&query=${encodeURIComponent(query)}`);
    return { titles: body.items.map(({ title }: { title: string }) => title), suggestion: body.suggestion };
  };
  return [published, spaces];
}

/** The search of a preview of a folder, and of its export. */
async function folderSearches(): Promise<Search[]> {
  const path = await mkdtemp(join(tmpdir(), 'docsctl-search-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  const pages = Object.entries(corpus).map(([title, text], index) => ({ title, text, file: `page-${index}.md` }));
  await writeFiles(join(path, 'docs'), {
    'SUMMARY.md': pages.map(({ title, file }) => `* [${title}](${file})\n`).join(''),
    ...Object.fromEntries(pages.map(({ title, text, file }) => [file, `# ${title}\n\n${text}\n`])),
  });
  const site = new FolderSite(join(path, 'docs'));
  const preview = new FolderSearch();
  const source = new StaticFolder(join(path, 'docs'));
  const output = new OutputFolder(join(path, 'out'), { overwrite: false, dryRun: false });
  await exportSite(source, output, { baseUrl: undefined, fingerprint: '', renderer: 'test', onPage() {} });
  const file: SearchIndex = JSON.parse(await readFile(join(path, 'out/assets/search.json'), 'utf8'));
  const engine = MiniSearch.loadJS(file.index, searchOptions);
  return [
    async (query) => answerOf(await preview.search(site, query)),
    async (query) => answerOf(await searchIn(engine, file.pages, query, (href) => href)),
  ];
}

test('questions, misspelled and compound words, scripts without spaces and titles lead to their pages', async () => {
  const [published] = await publishedSearches();
  const missed: unknown[] = [];
  for (const [query, ...titles] of queries) {
    const found = (await published!(query)).titles.slice(0, 3);
    if (!titles.some((title) => found.includes(title))) missed.push({ query, titles, found });
  }

  expect(queries).toHaveLength(40);
  expect(missed).toEqual([]);
});

test('a title that is the query comes first', async () => {
  const [published] = await publishedSearches();
  for (const title of Object.keys(corpus)) expect((await published!(title)).titles[0]).toBe(title);
});

test('previews, exports, sites and spaces have the same results in the same order', async () => {
  const [published, ...others] = [...(await publishedSearches()), ...(await folderSearches())];
  for (const [query] of queries) {
    const expected = await published!(query);
    for (const search of others) expect([query, await search(query)]).toEqual([query, expected]);
  }
});

test('misspelled words are corrected', async () => {
  const [published] = await publishedSearches();

  expect((await published!('custm domian')).suggestion).toBe('custom domain');
  expect((await published!('custom domain')).suggestion).toBeUndefined();
  expect((await published!('xyzzy')).suggestion).toBeUndefined();
});
