import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { test } from '../../support/in-process.ts';
import { writeFiles } from '../../support/write-files.ts';

type Docsctl = (...words: string[]) => Promise<{ stdout: string; exitCode: number }>;

async function publish(docsctl: Docsctl, title: string, files: string): Promise<[string, string]> {
  const create = async (...words: string[]) => (await docsctl(...words, '-o', 'id')).stdout.trim();
  const space = await create('spaces', 'create', '--title', title);
  expect((await docsctl('content', 'push', files, '--merge', '--space', space)).exitCode).toBe(0);
  const visibility = ['--visibility', 'public', '--type', 'basic', '--spaces', space];
  const site = await create('sites', 'create', '--title', title, ...visibility);
  expect((await docsctl('sites', 'publish', site)).exitCode).toBe(0);
  return [space, site];
}

const pages = {
  'docs/README.md': '# Home\n',
  'docs/guides.md': '# Guides\n',
  'docs/install.md': '# Install\n\n## Steps\n',
  'docs/SUMMARY.md': '* [Home](README.md)\n* [Guides](guides.md)\n  * [Install](install.md)\n',
};
const flat = { 'docs/SUMMARY.md': '* [Home](README.md)\n* [Guides](guides.md)\n* [Install](install.md)\n' };

test('an address that a change request moves is lost until the site has a redirect', async ({ docsctl, home }) => {
  await writeFiles(home.dir, { ...pages, 'other/README.md': '# Other\n' });
  const [space, site] = await publish(docsctl, 'Moves', 'docs');
  await publish(docsctl, 'Other', 'other');
  const snapshot = await docsctl('urls', 'snapshot', '--all-spaces');
  const before = await docsctl('urls', 'check', '--all-spaces');
  await writeFiles(home.dir, { ...flat, 'docs/install.md': '# Install\n\n## Other\n' });
  const pushed = await docsctl('content', 'push', 'docs', '--new', 'Move', '--space', space);
  const [request] = (await docsctl('cr', 'list', '--space', space, '--status', 'draft', '-o', 'json')).json;
  const number = String(request.number);

  const early = await docsctl('urls', 'check', '--all-spaces');
  const inRequest = await docsctl('urls', 'check', '--cr', number, '--space', space, '--redirects', 'r.csv');
  const merged = await docsctl('cr', 'merge', number, '--space', space, '--open');
  const lost = await docsctl('urls', 'check', '--all-spaces', '--redirects', 'all.csv');
  const ofSite = await docsctl('urls', 'check', '--all-spaces', '--site', site, '--redirects', 'r.csv');
  const redirected = await docsctl('urls', 'check', '--all-spaces', '--site', site, '--known', 'r.csv');

  const message = '/guides/install was published and has neither a page nor a redirect. Redirect it to /install.';
  expect(snapshot.exitCode).toBe(0);
  expect(before).toMatchObject({ exitCode: 0, stdout: '' });
  expect(pushed.exitCode).toBe(0);
  expect(merged.exitCode).toBe(0);
  expect(early).toMatchObject({ exitCode: 0, stdout: '' });
  for (const run of [inRequest, lost, ofSite]) {
    expect(run.exitCode).toBe(9);
    expect(run.stdout).toContain(message);
    expect(run.stderr).toContain('The API does not list the redirects of a site');
  }
  const csv = await readFile(join(home.dir, 'r.csv'), 'utf8');
  expect(csv).toBe('source,destination\n/guides/install,/install\n');
  // With several sites, sources have their hosts.
  expect(await readFile(join(home.dir, 'all.csv'), 'utf8')).toMatch(
    /^source,destination\nhttp.*\/guides\/install,\/install\n$/,
  );
  expect(redirected).toMatchObject({ exitCode: 0, stdout: '' });
});

test('redirects of a published site that lead nowhere, to others or away from pages are findings', async ({
  docsctl,
  home,
}) => {
  await writeFiles(home.dir, pages);
  const [, site] = await publish(docsctl, 'Redirects', 'docs');
  await docsctl('urls', 'snapshot', '--all-spaces');
  const rows = [
    '/a,/b',
    '/b,/guides',
    '/c,/d',
    '/d,/c',
    '/guides,/',
    '/e,/none',
    '/f,https://example.com/x',
    '/g,/guides',
  ];
  await writeFiles(home.dir, { 'known.csv': `source,destination\n${rows.join('\n')}\n`, 'bad.csv': 'a,b\n1,2\n' });

  const run = await docsctl(
    'urls',
    'check',
    '--all-spaces',
    '--site',
    site,
    '--known',
    'known.csv',
    '--format',
    'json',
  );
  const bad = await docsctl('urls', 'check', '--all-spaces', '--known', 'bad.csv');

  expect(run.exitCode).toBe(9);
  const found = run.json as { line: number; rule: string; file: string }[];
  expect(found.map(({ file, line, rule }) => `${file}:${line} ${rule}`)).toEqual([
    'known.csv:2 redirect-chain',
    'known.csv:4 redirect-loop',
    'known.csv:5 redirect-loop',
    'known.csv:6 redirect-hides-page',
    'known.csv:7 redirect-target',
  ]);
  expect(bad.exitCode).toBe(2);
});

test('a site that is no longer published has lost its addresses, and a new site has none to lose', async ({
  docsctl,
  home,
}) => {
  await writeFiles(home.dir, pages);
  const [, site] = await publish(docsctl, 'Ending', 'docs');
  await docsctl('urls', 'snapshot', '--all-spaces');
  await docsctl('sites', 'unpublish', site, '--yes');
  await publish(docsctl, 'Beginning', 'docs');

  const run = await docsctl('urls', 'check', '--all-spaces');
  const named = await docsctl('urls', 'check', '--all-spaces', '--site', site);

  expect(run.exitCode).toBe(9);
  expect(run.stdout).toContain('/guides was published, and the site is not published now. (lost-address)');
  expect(run.stderr).toMatch(/\/beginning is not in the snapshot: run "docsctl urls snapshot --all-spaces" again\./);
  expect(named.exitCode).toBe(2);
});

test('a site at another address is a warning, and a redirect to a page that has moved again is replaced', async ({
  docsctl,
  home,
}) => {
  await writeFiles(home.dir, pages);
  const [space, site] = await publish(docsctl, 'Address', 'docs');
  await docsctl('urls', 'snapshot', '--all-spaces', '--site', site);
  const file = join(home.dir, 'urls.json');
  const snapshot = await readFile(file, 'utf8');
  await writeFiles(home.dir, {
    ...flat,
    'urls.json': snapshot.replace(/"url":"([^"]*)"/, '"url":"https://old.example.com"'),
    'known.csv': 'source,destination\n/guides/install,/setup\n',
  });
  expect((await docsctl('content', 'push', 'docs', '--merge', '--space', space)).exitCode).toBe(0);

  const run = await docsctl(
    'urls',
    'check',
    '--all-spaces',
    '--site',
    site,
    '--known',
    'known.csv',
    '--format',
    'json',
  );

  expect(run.exitCode).toBe(9);
  expect(run.json).toMatchObject([
    { rule: 'moved-site', level: 'warning', message: expect.stringContaining('https://old.example.com') },
    { rule: 'lost-address', url: '/guides/install', target: '/install', certain: true },
  ]);
});

test('flags of folders and of the service cannot be combined', async ({ docsctl, home }) => {
  await writeFiles(home.dir, { ...pages, 'urls.json': '{"version":1,"sites":[]}' });

  for (const words of [
    ['docs', '--all-spaces'],
    ['--all-spaces', '--fix'],
    ['--all-spaces', '--cr', '1'],
    ['--cr', '1', '--file', 'urls.json'],
    ['docs', '--known', 'known.csv'],
    ['docs', '--site', 'a'],
  ]) {
    const { exitCode } = await docsctl('urls', 'check', ...words);
    expect({ words, exitCode }).toEqual({ words, exitCode: 2 });
  }
});
