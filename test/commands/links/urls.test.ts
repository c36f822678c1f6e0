import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { withRedirects } from '../../../src/links/redirect-file.ts';
import { readSnapshot, writeSnapshot } from '../../../src/links/snapshot.ts';
import { test } from '../../support/in-process.ts';
import { writeFiles } from '../../support/write-files.ts';

const pages = {
  'docs/README.md': '# Home\n',
  'docs/install.md': '# Install\n\n## Steps\n',
  'docs/SUMMARY.md': '* [Home](README.md)\n* [Guides](guides.md)\n  * [Install](install.md)\n',
  'docs/guides.md': '# Guides\n',
};

test('an address that a new order changed is lost until it has a redirect', async ({ docsctl, home }) => {
  await writeFiles(home.dir, { ...pages, 'docs/.gitbook.yaml': 'root: ./\n# Kept\n' });
  await docsctl('urls', 'snapshot', 'docs');
  await writeFiles(home.dir, {
    'docs/SUMMARY.md': '* [Home](README.md)\n* [Guides](guides.md)\n* [Install](install.md)\n',
  });

  const lost = await docsctl('urls', 'check', 'docs');
  const dry = await docsctl('urls', 'check', 'docs', '--fix', '--dry-run', '--fail-on', 'none');
  const unchanged = await readFile(join(home.dir, 'docs/.gitbook.yaml'), 'utf8');
  const fixed = await docsctl('urls', 'check', 'docs', '--fix', '--redirects', 'redirects.csv');

  expect(lost.exitCode).toBe(9);
  expect(lost.stdout).toBe(
    'docs/.gitbook.yaml error /guides/install was published and has neither a page nor a redirect. Redirect it to /install. (lost-address)\n',
  );
  expect(dry.stderr).toContain('Would write /guides/install -> /install\n');
  expect(unchanged).toBe('root: ./\n# Kept\n');
  expect(fixed).toMatchObject({ exitCode: 0, stdout: '' });
  expect(await readFile(join(home.dir, 'docs/.gitbook.yaml'), 'utf8')).toBe(
    'root: ./\n# Kept\nredirects:\n  guides/install: install.md\n',
  );
  expect(await readFile(join(home.dir, 'redirects.csv'), 'utf8')).toBe(
    'source,destination\n/guides/install,/install\n',
  );
});

test('deleted pages have no certain redirect, and lost headings are warnings', async ({ docsctl, home }) => {
  await writeFiles(home.dir, pages);
  await docsctl('urls', 'snapshot', 'docs');
  await writeFiles(home.dir, {
    'docs/SUMMARY.md': '* [Home](README.md)\n* [Install](install.md)\n',
    'docs/install.md': '# Install\n\n## Other\n',
  });

  const run = await docsctl('urls', 'check', 'docs', '--fix');

  expect(run.exitCode).toBe(9);
  expect(run.stdout).toContain('/guides was published and has neither a page nor a redirect. (lost-address)');
  expect(run.stdout).not.toContain('/guides/install');
});

test('redirects in chains and loops are reported', async ({ docsctl, home }) => {
  const redirects = 'redirects:\n  a: b\n  b: install.md\n  c: d\n  d: c\n  guides: install.md\n';
  await writeFiles(home.dir, { ...pages, 'docs/.gitbook.yaml': redirects });
  await docsctl('urls', 'snapshot', 'docs');

  const { stdout, exitCode } = await docsctl('urls', 'check', 'docs');

  expect(exitCode).toBe(9);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => line.replace(/ .*\(/, ' ('));
  expect(lines).toEqual([
    'docs/.gitbook.yaml:2 (redirect-chain)',
    'docs/.gitbook.yaml:4 (redirect-loop)',
    'docs/.gitbook.yaml:5 (redirect-loop)',
    'docs/.gitbook.yaml:6 (redirect-hides-page)',
  ]);
});

test('without a snapshot, urls check is a usage error', async ({ docsctl, home }) => {
  await writeFiles(home.dir, { ...pages, 'bad.json': '{}', 'urls.json': '{"version":1,"sites":[]}' });

  expect((await docsctl('urls', 'check', 'docs', '--file', 'none.json')).exitCode).toBe(2);
  expect((await docsctl('urls', 'check', 'docs', '--file', 'bad.json')).stderr).toContain('bad.json is not a snapshot');
  expect((await docsctl('urls', 'check', 'docs')).stderr).toContain('The snapshot has no addresses of docs.');
});

test('a snapshot that is written can be read', () => {
  const sites = [{ site: 'a', addresses: [{ address: 'ü "x"', page: 'a.md', anchors: ['one'] }] }];

  expect(readSnapshot(writeSnapshot(sites))).toEqual(sites);
  expect(readSnapshot(writeSnapshot([]))).toEqual([]);
});

test.for([
  ['', { a: 'b.md' }, 'redirects:\n  a: b.md\n'],
  ['root: x', { 'a b': 'b.md' }, 'root: x\nredirects:\n  "a b": b.md\n'],
  ['redirects: {}\r\nroot: x\r\n', { a: 'b.md' }, 'redirects:\r\n  a: b.md\r\nroot: x\r\n'],
  ['redirects:\n    a: c.md # old\n    b: d.md\n', { a: 'b.md' }, 'redirects:\n    a: b.md\n    b: d.md\n'],
  ['redirects:\n  a: c.md\n  b: d.md\n', { a: undefined }, 'redirects:\n  b: d.md\n'],
  ['redirects: {a: b}\n', { c: 'd.md' }, undefined],
  ['redirects:\n  a: |\n    b\n', { a: 'd.md' }, undefined],
  ['a: [', { c: 'd.md' }, undefined],
] as const)('redirects are changed in %j', ([text, changes, expected]) => {
  expect(withRedirects(text, new Map(Object.entries(changes)))).toBe(expected);
});

test('a site of the snapshot that is no longer under "content:" has lost its addresses', async ({ docsctl, home }) => {
  const project = (...paths: string[]) => ({
    '.docsctl.yaml': `content:\n${paths.map((path) => `  - path: ${path}\n`).join('')}`,
  });
  await writeFiles(home.dir, {
    ...pages,
    'api/README.md': '# API\n',
    'api/calls.md': '# Calls\n',
    ...project('docs', 'api'),
  });
  await docsctl('urls', 'snapshot');
  await writeFiles(home.dir, project('docs'));

  const all = await docsctl('urls', 'check');
  const one = await docsctl('urls', 'check', 'docs');

  expect(all.exitCode).toBe(9);
  expect(all.stdout).toContain('/calls of api was published, and api is not under "content:". (lost-address)');
  expect(one).toMatchObject({ exitCode: 0 });
  expect(one.stderr).toContain('2 addresses of api were not checked.');
});

test('a second snapshot keeps lost addresses and other sites, unless --forget', async ({ docsctl, home }) => {
  await writeFiles(home.dir, { ...pages, 'api/README.md': '# API\n' });
  await docsctl('urls', 'snapshot', 'docs', 'api');
  await writeFiles(home.dir, { 'docs/SUMMARY.md': '* [Home](README.md)\n* [Guides](guides.md)\n' });
  await rm(join(home.dir, 'docs/install.md'));

  const again = await docsctl('urls', 'snapshot', 'docs');
  const check = await docsctl('urls', 'check', 'docs', 'api');
  const forgot = await docsctl('urls', 'snapshot', 'docs', '--forget');
  const after = await docsctl('urls', 'check', 'docs');

  expect(again.stderr).toContain('Kept 1 lost address: docsctl urls check lists them, and --forget drops them.\n');
  expect(check.exitCode).toBe(9);
  expect(check.stdout).toContain('/guides/install was published');
  expect(forgot.stderr).not.toContain('Kept');
  expect(after.exitCode).toBe(0);
});

test('addresses that are redirected to another website are published, too', async ({ docsctl, home }) => {
  await writeFiles(home.dir, { ...pages, 'docs/.gitbook.yaml': 'redirects:\n  shop: https://shop.example.com/\n' });
  await docsctl('urls', 'snapshot', 'docs');
  const kept = await docsctl('urls', 'check', 'docs');
  await writeFiles(home.dir, { 'docs/.gitbook.yaml': 'root: ./\n' });

  const lost = await docsctl('urls', 'check', 'docs');
  const fixed = await docsctl('urls', 'check', 'docs', '--fix');

  expect(kept.exitCode).toBe(0);
  expect(fixed.exitCode).toBe(0);
  expect(await readFile(join(home.dir, 'docs/.gitbook.yaml'), 'utf8')).toContain('shop: "https://shop.example.com/"\n');
  expect(lost.exitCode).toBe(9);
  expect(lost.stdout).toContain(
    '/shop was published and has neither a page nor a redirect. It led to https://shop.example.com/.',
  );
});

test('--redirects --dry-run prints what it would write', async ({ docsctl, home }) => {
  await writeFiles(home.dir, pages);
  await docsctl('urls', 'snapshot', 'docs');
  await writeFiles(home.dir, {
    'docs/SUMMARY.md': '* [Home](README.md)\n* [Guides](guides.md)\n* [Install](install.md)\n',
  });

  const run = await docsctl('urls', 'check', 'docs', '--redirects', 'r.csv', '--dry-run', '--fail-on', 'none');

  expect(run.stderr).toContain('Would write 1 redirect into r.csv.\n');
  await expect(readFile(join(home.dir, 'r.csv'), 'utf8')).rejects.toThrow('ENOENT');
});
