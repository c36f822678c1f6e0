import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decode as decodePng } from 'fast-png';
import { expect } from 'vitest';
import type { Home } from '../support/cli.ts';
import { test as base } from '../support/in-process.ts';
import { writeFiles } from '../support/write-files.ts';

const docs = {
  'docs/README.md': '# Home\n\n[The pump](guide/pump.md#parts), ![Pump](.gitbook/assets/pump.png)\n',
  'docs/guide/README.md': '# Guide\n',
  'docs/guide/pump.md': '---\ndescription: Its parts\n---\n\n# Pump\n\n## Parts\n\nA valve. [Home](../README.md)\n',
  'docs/guide/secret.md': '---\nhidden: true\n---\n\n# Secret\n',
  'docs/.gitbook/assets/pump.png': 'png',
  'docs/.gitbook.yaml': 'redirects:\n  old/pump: guide/pump.md\n',
};

interface Exported {
  read(path: string): Promise<string>;
  names(): Promise<string[]>;
}

const test = base.extend<{ exported: Exported }>({
  exported: [
    async ({ home }, use) => {
      await writeFiles(home.dir, docs);
      await use(filesIn(home, 'public'));
    },
    { auto: true },
  ],
});

const filesIn = ({ dir }: Pick<Home, 'dir'>, name: string): Exported => ({
  read: (path) => readFile(join(dir, name, path), 'utf8'),
  names: async () => {
    const entries = await readdir(join(dir, name), { recursive: true, withFileTypes: true });
    return entries
      .filter((each) => each.isFile())
      .map((each) => join(each.parentPath, each.name).slice(join(dir, name).length + 1));
  },
});

test('a folder becomes pages that link to each other by relative addresses', async ({ docsctl, exported }) => {
  const run = await docsctl('sites', 'export', 'docs', '--out', 'public', '--check');

  expect(run).toMatchObject({ exitCode: 0, stdout: '' });
  expect(await exported.read('index.html')).toContain('href="guide/pump.html#parts"');
  expect(await exported.read('guide/pump.html')).toContain('href="../index.html"');
  expect(await exported.read('guide/pump.md')).toMatch(/^# Pump\n\n## Parts\n/);
  expect(await exported.read('old/pump/index.html')).toContain('url=../../guide/pump.html');
  expect(await exported.read('_redirects')).toBe('/old/pump /guide/pump.html 301\n');
  const names = await exported.names();
  expect(names).toContainEqual(expect.stringMatching(/^assets\/files\/pump-[\da-f]{10}\.png$/));
  expect(names).toEqual(expect.arrayContaining(['404.html', 'robots.txt', 'llms.txt', 'llms-full.txt', '_headers']));
  expect(names).not.toContain('sitemap.xml');
});

test('a hidden page has its file, and no list has it', async ({ docsctl, exported }) => {
  await docsctl('sites', 'export', 'docs', '--out', 'public', '--base-url', 'https://docs.example/base/');

  expect(await exported.read('guide/secret.html')).toContain('<meta name="robots" content="noindex"');
  const lists = ['sitemap.xml', 'llms.txt', 'llms-full.txt', 'assets/search.json', 'index.html'];
  for (const name of lists) expect.soft((await exported.read(name)).toLowerCase(), name).not.toContain('secret');
  expect(await exported.read('sitemap.xml')).toContain('<loc>https://docs.example/base/guide/pump.html</loc>');
  expect(await exported.read('404.html')).toContain('href="/base/index.html"');
  expect(await exported.read('_redirects')).toBe('/base/old/pump /base/guide/pump.html 301\n');
});

test('services that show links get a picture of the title, or of the site if letters are missing', async ({
  docsctl,
  exported,
  home,
}) => {
  await writeFiles(home.dir, {
    'docs/guide/ja.md': '# ポンプ\n',
    'docs/guide/long.md': `# ${'Very long titles '.repeat(40)}\n`,
    'docs/guide/word.md': `# ${'x'.repeat(200)}\n`,
  });
  const pictureIn = async (page: string) =>
    /<meta property="og:image" content="https:\/\/docs\.example\/base\/([^"]+)"/.exec(await exported.read(page))?.[1] ??
    '';

  await docsctl('sites', 'export', 'docs', '--out', 'public', '--base-url', 'https://docs.example/base/');
  const [first, pump, ja, long, word] = await Promise.all(
    ['index.html', 'guide/pump.html', 'guide/ja.html', 'guide/long.html', 'guide/word.html'].map(pictureIn),
  );

  expect(new Set([first, pump, long]).size).toBe(3);
  expect([ja, word]).toEqual([first, first]);
  for (const file of [first, pump, long]) {
    const { width, height, palette, data } = decodePng(await readFile(join(home.dir, 'public', file!)));
    expect([width, height, palette?.length]).toEqual([1200, 630, 16]);
    expect(new Set(data).size).toBeGreaterThan(20);
  }
  const again = await docsctl('sites', 'export', 'docs', '--out', 'public', '--base-url', 'https://docs.example/base/');
  expect(again.stderr).toContain('0 files written, 0 removed');
  await writeFiles(home.dir, { 'docs/guide/pump.md': '# Pump\n\nOther words.\n' });
  const changed = await docsctl(
    'sites',
    'export',
    'docs',
    '--out',
    'public',
    '--base-url',
    'https://docs.example/base/',
  );
  expect(changed.stderr).toContain(' 0 removed');
  expect((await exported.names()).filter((name) => name.includes('social')).length).toBeGreaterThanOrEqual(3);
  await docsctl('sites', 'export', 'docs', '--out', 'public');
  expect(await exported.read('index.html')).not.toContain('og:image');
  expect((await exported.names()).filter((name) => name.includes('social'))).toEqual([]);
});

test('another export writes what changed, and removes what it made and is no more', async ({
  docsctl,
  exported,
  home,
}) => {
  await docsctl('sites', 'export', 'docs', '--out', 'public');
  await writeFile(join(home.dir, 'public', 'CNAME'), 'docs.example\n');
  const before = await stat(join(home.dir, 'public', 'guide.html')).catch(() => undefined);

  const same = await docsctl('sites', 'export', 'docs', '--out', 'public', '-o', 'json');
  await rm(join(home.dir, 'docs', 'guide', 'secret.md'));
  await writeFile(join(home.dir, 'docs', 'guide', 'pump.md'), '# Pump\n\n## Parts\n\nTwo valves.\n');
  const planned = await docsctl('sites', 'export', 'docs', '--out', 'public', '--dry-run', '-o', 'json');
  expect(await exported.names()).toContain('guide/secret.html');
  const changed = await docsctl('sites', 'export', 'docs', '--out', 'public', '-o', 'json');

  expect(same.json).toMatchObject({ written: 0, removed: 0, pages: 4 });
  expect(changed.json).toEqual(planned.json);
  expect(changed.json).toMatchObject({ removed: 2, pages: 3 });
  expect(changed.json.written).toBeLessThan(8);
  expect(await exported.read('guide/pump.html')).toContain('Two valves');
  expect(await exported.names()).not.toContain('guide/secret.html');
  expect(await exported.names()).toContain('CNAME');
  const after = await stat(join(home.dir, 'public', 'guide.html')).catch(() => undefined);
  expect(after?.mtimeMs).toBe(before?.mtimeMs);
});

test('a file of the export that somebody changed is written again', async ({ docsctl, exported, home }) => {
  await docsctl('sites', 'export', 'docs', '--out', 'public');
  await writeFile(join(home.dir, 'public', 'index.html'), 'changed');

  const run = await docsctl('sites', 'export', 'docs', '--out', 'public', '-o', 'json');

  expect(run.json).toMatchObject({ written: 1 });
  expect(await exported.read('index.html')).toContain('<!doctype html>');
});

test('a folder with other files is refused, and files in the way are not replaced', async ({ docsctl, home }) => {
  await writeFiles(home.dir, { 'other/index.html': 'mine', 'other/notes.txt': 'mine' });
  const other = filesIn(home, 'other');

  const refused = await docsctl('sites', 'export', 'docs', '--out', 'other');
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is not from an export') });
  expect(await other.read('index.html')).toBe('mine');

  await docsctl('sites', 'export', 'docs', '--out', 'other', '--overwrite');
  expect(await other.read('index.html')).toContain('<!doctype html>');
  expect(await other.read('notes.txt')).toBe('mine');
});

test.for([
  [['docs', '--out', 'docs/public'], 'is inside docs'],
  [['docs', '--out', '.'], 'contains the folder docs.'],
  [['docs'], '--out is missing'],
  [['docs', '--out', 'public', '--base-url', 'docs.example'], '--base-url must be an address'],
  [['docs', '--out', 'public', '--site', 'x'], '--site is for sites'],
] as const)('%s is refused: %s', async ([words, message], { docsctl }) => {
  const run = await docsctl('sites', 'export', ...words);

  expect(run).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
});

test('with --check, what leads nowhere ends it with status 9', async ({ docsctl, home }) => {
  await writeFiles(home.dir, {
    'docs/guide/bad.md': '# Bad\n\n[a](none.md)\n\n[b](pump.md#nothing)\n\n<a href="pump.md#parts">c</a>\n',
  });

  const plain = await docsctl('sites', 'export', 'docs', '--out', 'public');
  const checked = await docsctl('sites', 'export', 'docs', '--out', 'public', '--check');

  expect(plain.exitCode).toBe(0);
  expect(checked.exitCode).toBe(9);
  // The files of the first are as they should be; what is wrong is told all the same.
  for (const { stderr } of [plain, checked]) {
    expect(stderr).toMatch(/^docs\/guide\/bad\.md:3(:\d+)? error none\.md .*\(broken-link\)$/m);
    expect(stderr).toMatch(/^docs\/guide\/bad\.md:5(:\d+)? error .*nothing.*anchor\)$/m);
  }
});

test('with --check, redirects to headings are followed too, also those that are not there', async ({
  docsctl,
  home,
}) => {
  const settings = 'redirects:\n  old/pump: guide/pump.md#parts\n  older/pump: guide/pump.md#nothing\n';
  await writeFiles(home.dir, { 'docs/.gitbook.yaml': settings });

  const checked = await docsctl('sites', 'export', 'docs', '--out', 'public', '--check');

  expect(checked.exitCode).toBe(9);
  expect(checked.stderr.match(/^.* error .*\)$/gm)).toEqual([
    'docs/.gitbook.yaml:3 error /guide/pump#nothing: guide/pump.html has no anchor "nothing". (dead-anchor)',
  ]);
});

test('a damaged manifest removes nothing', async ({ docsctl, home }) => {
  await docsctl('sites', 'export', 'docs', '--out', 'public');
  await writeFile(join(home.dir, 'precious'), 'mine');
  const manifest = { fingerprint: '', files: { '../precious': 'x' }, problems: [] };
  await writeFile(join(home.dir, 'public', '.docsctl-export.json'), JSON.stringify(manifest));

  const run = await docsctl('sites', 'export', 'docs', '--out', 'public');

  expect(run).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is damaged') });
  expect(await readFile(join(home.dir, 'precious'), 'utf8')).toBe('mine');
});
