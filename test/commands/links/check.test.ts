import { execFileSync } from 'node:child_process';
import { lstat, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { test } from '../../support/in-process.ts';
import { writeFiles } from '../../support/write-files.ts';

const commit = (cwd: string) => {
  for (const words of [
    ['init', '--quiet'],
    ['add', '--all'],
    ['commit', '--quiet', '--message', 'Write'],
  ]) {
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...words], { cwd });
  }
};

test('a folder whose links are right', async ({ docsctl, home }) => {
  await writeFiles(home.dir, { 'docs/README.md': '# Home\n\n[a](a.md#steps)\n', 'docs/a.md': '# A\n\n## Steps\n' });

  const run = await docsctl('links', 'check', 'docs');

  expect(run).toMatchObject({ exitCode: 0, stdout: '', stderr: '2 pages checked: nothing is wrong, 1 link.\n' });
});

test('a broken link is printed with its place and ends the command with status 9', async ({ docsctl, home }) => {
  await writeFiles(home.dir, {
    'docs/README.md': '# Home\n\nSee [a](old/install.md#steps).\n',
    'docs/guides/install.md': '# Install\n',
  });

  const run = await docsctl('links', 'check', 'docs');

  expect(run.exitCode).toBe(9);
  expect(run.stdout).toBe(
    'docs/README.md:3:9 error old/install.md#steps does not lead to a file in the folder. Did you mean guides/install.md#steps? (broken-link)\n',
  );
  expect((await docsctl('links', 'check', 'docs', '--fail-on', 'none')).exitCode).toBe(0);
});

test('--fix follows a rename in the working tree, and keeps everything else and the mode of the file', async ({
  docsctl,
  home,
}) => {
  const text = '---\ncover: none.png\n---\n# Home\r\n\r\n[a]( <a b.md#x> "title" ) `[a](a%20b.md)`\t\r\n';
  await writeFiles(home.dir, { 'docs/README.md': text, 'docs/a b.md': '# A\n\n## X\n' });
  execFileSync('chmod', ['640', join(home.dir, 'docs/README.md')]);
  commit(home.dir);
  await rename(join(home.dir, 'docs/a b.md'), join(home.dir, 'docs/c.md'));
  execFileSync('git', ['add', '--all'], { cwd: home.dir });

  const dry = await docsctl('links', 'check', 'docs', '--fix', '--dry-run');
  const before = await readFile(join(home.dir, 'docs/README.md'), 'utf8');
  const run = await docsctl('links', 'check', 'docs', '--fix');

  expect(dry.stderr).toContain('Would fix docs/README.md:6: a b.md#x -> c.md#x\n');
  expect(before).toBe(text);
  expect(run.stderr).toContain('Fixed 1 link in 1 file.\n');
  expect(await readFile(join(home.dir, 'docs/README.md'), 'utf8')).toBe(text.replace('a b.md#x', 'c.md#x'));
  expect((await stat(join(home.dir, 'docs/README.md'))).mode & 0o777).toBe(0o640);
  expect(run.stdout).toMatch(/^docs\/README\.md:2:\d+ error none\.png .*\(missing-image\)\n$/);
});

test('--fix writes nothing outside the folder', async ({ docsctl, home }) => {
  const text = '# Outside\n\n[a](b.md#STEPS)\n';
  await writeFiles(home.dir, { 'outside.md': text, 'docs/b.md': '# B\n\n## Steps\n', 'docs/README.md': '# Home\n' });
  await symlink('../outside.md', join(home.dir, 'docs/linked.md'));

  const run = await docsctl('links', 'check', 'docs', '--fix');

  expect(run.stderr).toContain('Fixed 0 links in 0 files.\n');
  expect(await readFile(join(home.dir, 'outside.md'), 'utf8')).toBe(text);
});

test('anchors are those of the rendered page', async ({ docsctl, home }) => {
  const included = '## Included\n';
  await writeFiles(home.dir, {
    'docs/README.md': [
      '# Home',
      ...['tab-a', 'included', 'x--y', 'kept', 'twice-1', 'home'].map((anchor) => `[a](page.md#${anchor})`),
      '[b](page.md#unshown)',
    ].join('\n\n'),
    'docs/page.md': [
      '# Home',
      '{% tabs %}\n{% tab title="Tab A" %}\n{% endtab %}\n{% endtabs %}',
      '{% include "part.md" %}',
      '## X & Y',
      '## Other <a href="#kept" id="kept"></a>',
      '## Twice\n\n## Twice',
      '{% if false %}\n## Unshown\n{% endif %}',
    ].join('\n\n'),
    'docs/part.md': included,
    'docs/SUMMARY.md': '* [Home](README.md)\n* [Page](page.md)\n',
  });

  const run = await docsctl('links', 'check', 'docs', '--format', 'json');

  const errors = run.json.filter(({ level }: { level: string }) => level === 'error');
  expect(errors).toMatchObject([{ url: 'page.md#unshown', rule: 'missing-anchor' }]);
});

test('the anchors of headings in SUMMARY.md, which exports write, are not links', async ({ docsctl, home }) => {
  await writeFiles(home.dir, {
    'docs/SUMMARY.md': '# Contents\n\n* [Home](README.md)\n\n## A <a href="#a" id="a"></a>\n\n* [B `c`](b.md)\n',
    'docs/README.md': '# Home\n',
    'docs/b.md': '# B c\n',
  });

  const run = await docsctl('links', 'check', 'docs');

  expect(run).toMatchObject({ exitCode: 0, stdout: '', stderr: '2 pages checked: nothing is wrong, 2 links.\n' });
});

test('links to other folders are checked by the spaces in the project file', async ({ docsctl, home }) => {
  const app = 'https://app.lumen.example/o/org/s';
  await writeFiles(home.dir, {
    '.docsctl.yaml': 'content:\n  - {path: a, space: SpaceA}\n  - {path: b, space: SpaceB}\n',
    'a/README.md': `# A\n\n[ok](${app}/SpaceB/install#steps) [bad](${app}/SpaceB/instal#steps) [far](${app}/SpaceC)\n`,
    'b/README.md': '# B\n',
    'b/install.md': '# Install\n\n## Steps\n',
  });

  const run = await docsctl('links', 'check');

  expect(run.stdout.split('\n')).toEqual([
    expect.stringMatching(
      /^a\/README\.md:3:\d+ error .*SpaceB\/instal#steps: the space "b" has no page instal\. \(broken-app-link\)$/,
    ),
    expect.stringMatching(
      /^a\/README\.md:3:\d+ warning .*SpaceC is not checked: none of the folders is the space SpaceC\. \(unknown-space\)$/,
    ),
    '',
  ]);
  expect(run.exitCode).toBe(9);
});

test('the findings of a large folder are cached until a file changes', async ({ docsctl, home }) => {
  const pages = Object.fromEntries(Array.from({ length: 210 }, (_, page) => [`docs/p${page}.md`, `# Page ${page}\n`]));
  await writeFiles(home.dir, { ...pages, 'docs/p7.md': '# Page 7\n\n[a](none.md)\n' });
  const check = async () => (await docsctl('links', 'check', 'docs')).stdout;

  const first = await check();
  const again = await check();
  await writeFiles(home.dir, { 'docs/none.md': '# None\n' });
  const added = await check();

  expect(first).toContain('none.md does not lead');
  expect(again).toBe(first);
  expect(added).toBe('');
});

test('a path that is no folder is a usage error', async ({ docsctl, home }) => {
  await writeFiles(home.dir, { 'docs/README.md': '# Home\n' });

  expect(await docsctl('links', 'check', 'docs', 'none')).toMatchObject({ exitCode: 2 });
  expect(await docsctl('links', 'check', 'docs/README.md')).toMatchObject({ exitCode: 2 });
});

const git = (cwd: string, ...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...words], { cwd });

const commitAll = (cwd: string) => {
  git(cwd, 'add', '--all');
  git(cwd, 'commit', '--quiet', '--message', 'Change');
};

test('a file that was deleted after a rename has no certain target', async ({ docsctl, home }) => {
  await writeFiles(home.dir, { 'docs/README.md': '# Home\n\n[a](a.md)\n', 'docs/a.md': '# About the pump\n\nText.\n' });
  git(home.dir, 'init', '--quiet');
  commitAll(home.dir);
  await rename(join(home.dir, 'docs/a.md'), join(home.dir, 'docs/b.md'));
  commitAll(home.dir);
  await writeFiles(home.dir, { 'docs/a.md': '# Something else\n\nOther words entirely.\n' });
  commitAll(home.dir);
  await rm(join(home.dir, 'docs/a.md'));
  commitAll(home.dir);

  const [finding] = (await docsctl('links', 'check', 'docs', '--format', 'json')).json;

  expect(finding).toMatchObject({ rule: 'broken-link', url: 'a.md' });
  expect(finding).not.toHaveProperty('certain', true);
});

test.for([
  ['a file that is not UTF-8', { 'docs/bad.md': Buffer.from([0x23, 0xff, 0xfe]) }, 'unreadable-file'],
  ['settings that cannot be read', { 'docs/.gitbook.yaml': 'redirects: [' }, 'settings'],
  ['front matter that cannot be read', { 'docs/a.md': '---\ncover: [\n---\n# A\n' }, 'front-matter'],
  [
    'the markers of a conflict',
    { 'docs/a.md': '# A\n\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n' },
    'conflict-marks',
  ],
  ['a page that is too large to parse', { 'docs/a.md': `# A\n\n${'word '.repeat(1_300_000)}\n` }, 'too-large'],
] as const)('%s is a finding, because its links are not checked', async ([, files, rule], { docsctl, home }) => {
  await writeFiles(home.dir, { 'docs/README.md': '# Home\n', ...files });

  const run = await docsctl('links', 'check', 'docs', '--format', 'json');

  expect(run.exitCode).toBe(9);
  expect(run.json).toContainEqual(expect.objectContaining({ rule }));
});

test('cached findings depend on the spaces of the folders and on the history', async ({ docsctl, home }) => {
  const pages = Object.fromEntries(Array.from({ length: 210 }, (_, page) => [`docs/p${page}.md`, `# Page ${page}\n`]));
  const link = 'https://app.lumen.example/o/org/s/SpaceA/gone';
  await writeFiles(home.dir, {
    ...pages,
    'docs/p7.md': `# Page 7\n\n[a](${link}) [b](old.md)\n`,
    'docs/new/renamed.md': '# Renamed\n\nThe text of the page.\n',
    '.docsctl.yaml': 'content:\n  - {path: docs, space: SpaceB}\n',
  });
  const rules = async () =>
    (await docsctl('links', 'check', '--format', 'json')).json.map(
      ({ rule, certain }: { rule: string; certain?: boolean }) => `${rule} ${certain ?? ''}`,
    );

  const before = await rules();
  await writeFiles(home.dir, { '.docsctl.yaml': 'content:\n  - {path: docs, space: SpaceA}\n' });
  const otherSpace = await rules();
  git(home.dir, 'init', '--quiet');
  await rename(join(home.dir, 'docs/new/renamed.md'), join(home.dir, 'docs/old.md'));
  commitAll(home.dir);
  await rename(join(home.dir, 'docs/old.md'), join(home.dir, 'docs/new/renamed.md'));
  commitAll(home.dir);
  const history = await rules();

  expect(before).toEqual(['unknown-space ', 'broken-link ']);
  expect(otherSpace).toEqual(['broken-app-link ', 'broken-link ']);
  expect(history).toEqual(['broken-app-link ', 'broken-link true']);
});

test('--fix does not write through a symbolic link', async ({ docsctl, home }) => {
  const text = '# Shared\n\n[a](b.md#STEPS)\n';
  await writeFiles(home.dir, {
    'docs/b.md': '# B\n\n## Steps\n',
    'docs/README.md': '# Home\n',
    'docs/other/real.txt': text,
  });
  await symlink('other/real.txt', join(home.dir, 'docs/linked.md'));

  const run = await docsctl('links', 'check', 'docs', '--fix');

  expect(run.exitCode).toBe(8);
  expect(run.stderr).toContain('docs/linked.md was not fixed: it is a symbolic link.');
  expect(await readFile(join(home.dir, 'docs/other/real.txt'), 'utf8')).toBe(text);
  expect((await lstat(join(home.dir, 'docs/linked.md'))).isSymbolicLink()).toBe(true);
});

test('--fix needs one run, also when folders overlap', async ({ docsctl, home }) => {
  await writeFiles(home.dir, {
    'docs/README.md': '# Home\n\n[a](guides/a.md#PART)\n',
    'docs/SUMMARY.md': '* [Home](README.md)\n* [A](guides/a.md)\n',
    'docs/guides/a.md': '# A\n\n## Part\n\nThe text of the page.\n\n[own](#PART)\n',
  });
  git(home.dir, 'init', '--quiet');
  commitAll(home.dir);
  await rename(join(home.dir, 'docs/guides/a.md'), join(home.dir, 'docs/guides/b.md'));
  commitAll(home.dir);

  const run = await docsctl('links', 'check', 'docs', 'docs/guides', 'docs', '--fix');

  expect(run).toMatchObject({ exitCode: 0, stdout: '' });
  expect(await readFile(join(home.dir, 'docs/README.md'), 'utf8')).toContain('(guides/b.md#part)');
  expect(await readFile(join(home.dir, 'docs/guides/b.md'), 'utf8')).toContain('[own](#part)');
});
