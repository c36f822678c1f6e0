import { mkdir, readdir, readFile, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { png } from '../support/content-space.ts';
import { bin, serve } from '../support/cli.ts';
import { type Docs, test, writeIn } from '../support/docs.ts';
import { isLong } from '../support/long-form.ts';

async function read(dir: string): Promise<Record<string, string>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name !== 'state.json')
    .map((entry) => join(entry.parentPath, entry.name));
  const pairs = files
    .toSorted()
    .map(async (file) => [file.slice(dir.length + 1), (await readFile(file)).toString('latin1')]);
  return Object.fromEntries(await Promise.all(pairs));
}

const manual = {
  'docs/SUMMARY.md':
    '# Contents\n\n* [Welcome](README.md)\n\n## Guides\n\n* [Install](guides/install.md)\n  * [Windows](guides/windows.md)\n* [Empty](empty/README.md)\n  * [In it](empty/in.md)\n',
  'docs/README.md':
    '---\ndescription: What it is\nicon: house\n---\n\n# Welcome\n\nGo [on](guides/install.md#first).\n',
  'docs/guides/install.md': '# Install\r\n\r\n![pump](../.gitbook/assets/pump%20a.png)\r\n',
  'docs/guides/windows.md': '---\ntitle: On Windows\nhidden: true\n---\n\nNo line end',
  'docs/empty/README.md': '',
  'docs/empty/in.md': '# In it\n',
  'docs/.gitbook/assets/pump a.png': png(4, 3),
};

test('a pushed folder is pulled byte for byte, and a second push sends nothing', async ({ docs }) => {
  await docs.write(manual);

  const first = await docs.docsctl('content', 'push', 'docs', '--merge', '--json');
  const again = await docs.docsctl('content', 'push', 'docs', '--merge', '--json');
  const pulled = await docs.docsctl('content', 'pull', 'out', '--json');
  const pages = await docs.docsctl('content', 'pages', 'list', '--json');

  expect(first.json).toMatchObject({ status: 'merged', changeRequest: 1, deleted: 0 });
  expect(again.json).toMatchObject({ status: 'unchanged', added: 0, changed: 0, moved: 0, uploaded: 0 });
  expect(pulled.json).toMatchObject({ written: 7, revision: first.json.revision });
  expect(await read(join(docs.dir, 'out'))).toEqual(await read(join(docs.dir, 'docs')));
  expect(JSON.stringify(pages.json)).toContain('"description":"What it is"');
});

test('labels, empty files, groups and links in SUMMARY.md are pulled as they were pushed', async ({ docs }) => {
  await docs.write({
    'docs/SUMMARY.md':
      '# C\n\n* [A](a.md)\n* [Empty](empty.md)\n* Label\n* Section\n  * [B](b.md)\n* [Site](https://x.test)\n\n## Group\n\n* [C](c.md)\n',
    'docs/a.md': '# A\n',
    'docs/b.md': '# B\n',
    'docs/c.md': '# C\n',
    'docs/empty.md': '',
  });

  const pushed = await docs.docsctl('content', 'push', 'docs', '--merge');
  const again = await docs.docsctl('content', 'push', 'docs', '--dry-run', '--json');
  await docs.docsctl('content', 'pull', 'out');

  expect(pushed.stderr).toContain('docs/SUMMARY.md:8: The link "Site" cannot be pushed');
  expect(again.json).toEqual([]);
  expect(await read(join(docs.dir, 'out'))).toEqual(await read(join(docs.dir, 'docs')));
});

test('the same is pulled over HTTP, with pictures', async ({ served, home }) => {
  await writeIn(home.dir, manual);
  const space = (await served.docsctl('spaces', 'create', '--title', 'Docs', '-o', 'id')).stdout.trim();

  const pushed = await served.docsctl('content', 'push', 'docs', '--merge', '--space', space, '--json');
  await served.docsctl('content', 'pull', 'out', '--space', space);

  expect(pushed.json).toMatchObject({ status: 'merged', uploaded: 1 });
  expect(await read(join(home.dir, 'out'))).toEqual(await read(join(home.dir, 'docs')));
});

test('a renamed and a moved file stay the same pages', async ({ docs }) => {
  await docs.write({
    'docs/a.md': '# Alpha\n\nFirst.\n',
    'docs/b.md': '# Beta\n\nSecond.\n',
    'docs/sub/c.md': '# C\n',
  });
  await docs.docsctl('content', 'push', 'docs', '--merge');
  const before = await idsByTitle(docs);
  await rename(join(docs.dir, 'docs/a.md'), join(docs.dir, 'docs/z.md'));
  await rename(join(docs.dir, 'docs/b.md'), join(docs.dir, 'docs/sub/b.md'));

  const run = await docs.docsctl('content', 'push', 'docs', '--merge', '--json');

  expect(run.json).toMatchObject({ added: 0, deleted: 0, status: 'merged' });
  expect(await idsByTitle(docs)).toEqual(before);
  expect((await docs.docsctl('content', 'push', 'docs', '--dry-run', '--json')).json).toEqual([]);
});

const idsByTitle = async ({ docsctl }: Docs) => {
  const { stdout } = await docsctl('content', 'view', '--json');
  const ids: Record<string, string> = {};
  const walk = (pages: any[]) => {
    for (const { title, id, pages: below } of pages) {
      ids[title] = id;
      walk(below ?? []);
    }
  };
  walk(JSON.parse(stdout).pages);
  return ids;
};

test('pages whose addresses all move up by one, over several calls, end with the right ones', async ({ docs }) => {
  const folders = Array.from({ length: 60 }, (_, index) => `f${String(index).padStart(2, '0')}`);
  // Files of one name beside each other: their addresses are p, p-2, p-3... by the order in SUMMARY.md.
  const summary = (order: string[]) => `# Contents\n\n${order.map((name) => `* [${name}](${name}/p.md)`).join('\n')}\n`;
  await docs.write({ 'docs/SUMMARY.md': summary(folders) });
  for (const name of folders) await docs.write({ [`docs/${name}/p.md`]: `# Title ${name}\n\nOnly in ${name}.\n` });
  await docs.docsctl('content', 'push', 'docs', '--merge');
  const before = await idsByTitle(docs);
  await docs.write({ 'docs/SUMMARY.md': summary([...folders.slice(1), folders[0]!]) });

  const run = await docs.docsctl('content', 'push', 'docs', '--merge', '--json');
  const pages = (await docs.docsctl('content', 'view', '--json')).json.pages as { title: string; slug: string }[];

  expect(run.json).toMatchObject({ status: 'merged', added: 0, deleted: 0 });
  expect(await idsByTitle(docs)).toEqual(before);
  expect(pages.slice(0, 2)).toMatchObject([
    { title: 'Title f01', slug: 'p' },
    { title: 'Title f02', slug: 'p-2' },
  ]);
  expect(pages.at(-1)).toMatchObject({ title: 'Title f00', slug: 'p-60' });
  expect((await docs.docsctl('content', 'push', 'docs', '--dry-run', '--json')).json).toEqual([]);
});

test('--dry-run sends nothing and prints the plan as JSON or as a table', async ({ docs }) => {
  await docs.write({ 'docs/a.md': '# Alpha\n' });

  const json = await docs.docsctl('content', 'push', 'docs', '--dry-run', '--json');
  const table = await docs.docsctl('content', 'push', 'docs', '--dry-run', '-o', 'table');
  const requests = await docs.docsctl('cr', 'list', '--status', 'draft', '--json');
  const sent = await docs.docsctl('content', 'push', 'docs', '--new', 'Alpha');

  expect(json.json).toEqual([{ action: 'add', path: 'a', title: 'Alpha' }]);
  expect(table.stdout).toMatch(/ACTION +PATH +TITLE/);
  expect(requests.json).toEqual([]);
  expect(sent.stderr).toMatch(/add +a +Alpha/);
});

test('--new uses an existing request of that subject, so that a second run creates no other', async ({ docs }) => {
  await docs.write({ 'docs/a.md': '# Alpha\n' });
  const first = await docs.docsctl('content', 'push', 'docs', '--new', 'Pull request 7', '--json');
  await docs.write({ 'docs/b.md': '# Beta\n' });

  const second = await docs.docsctl('content', 'push', 'docs', '--new', 'Pull request 7', '--json');
  const merged = await docs.docsctl('content', 'push', 'docs', '--new', 'Pull request 7', '--merge', '--json');

  expect(first.json).toMatchObject({ changeRequest: 1, status: 'draft', added: 1 });
  expect(second.json).toMatchObject({ changeRequest: 1, added: 1, unchanged: 1 });
  expect(merged.json).toMatchObject({ changeRequest: 1, status: 'merged' });
  expect(Object.keys(await idsByTitle(docs))).toEqual(['Alpha', 'Beta']);
});

test('two pushes at once with one subject make one request with each page once', async ({ docs }) => {
  await docs.write({ 'docs/a.md': '# Alpha\n', 'docs/b.md': '# Beta\n' });
  const push = () => docs.spawn('content', 'push', 'docs', '--new', 'Both', '--json');

  const runs = await Promise.all([push(), push(), push()]);

  expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
  expect(runs.map(({ json }) => json.changeRequest)).toEqual([1, 1, 1]);
  const drafts = (await docs.docsctl('cr', 'list', '--status', 'draft', '--json')).json;
  expect(drafts.map(({ number }: { number: number }) => number)).toEqual([1]);
  const { json } = await docs.docsctl('content', 'pages', 'list', '--cr', '1', '--json');
  expect(
    JSON.stringify(json)
      .match(/"title":"\w+"/g)
      ?.toSorted(),
  ).toEqual(['"title":"Alpha"', '"title":"Beta"']);
});

test('a merge that conflicts ends with 6, names the page and changes nothing', async ({ docs }) => {
  await docs.write({ 'docs/a.md': '# Alpha\n\nOne line.\n' });
  await docs.docsctl('content', 'push', 'docs', '--merge');
  await docs.write({ 'docs/a.md': '# Alpha\n\nMine.\n' });
  await docs.docsctl('content', 'push', 'docs', '--new', 'Mine');
  await docs.write({ 'docs/a.md': '# Alpha\n\nTheirs.\n' });
  await docs.docsctl('content', 'push', 'docs', '--merge');
  await docs.write({ 'docs/a.md': '# Alpha\n\nMine.\n' });

  const run = await docs.docsctl('content', 'push', 'docs', '--new', 'Mine', '--merge', '--update');
  await docs.docsctl('content', 'pull', 'out');

  expect(run.exitCode).toBe(6);
  expect(run.stderr).toMatch(/^ {2}Alpha \(\w+\): content, line 3/m);
  expect(run.stderr).toContain(
    '<<<<<<< main content\nTheirs.\n||||||| common ancestor, line 3\nOne line.\n=======\nMine.\n>>>>>>> change request 2\n',
  );
  expect(await readFile(join(docs.dir, 'out/a.md'), 'utf8')).toBe('# Alpha\n\nTheirs.\n');
});

test('a pull keeps files that the space does not have unless --prune is set, and changes nothing outside', async ({
  docs,
}) => {
  await docs.write({ 'docs/a.md': '# Alpha\n', 'docs/deep/b.md': '# Beta\n' });
  await docs.docsctl('content', 'push', 'docs', '--merge');
  await docs.write({ 'docs/deep/gone.md': '# Gone\n', 'docs/notes.txt': 'mine', 'outside.md': 'mine' });

  const kept = await docs.docsctl('content', 'pull', 'docs', '--json');
  const left = await read(join(docs.dir, 'docs'));
  const pruned = await docs.docsctl('content', 'pull', 'docs', '--prune', '--json');

  expect(kept.json).toMatchObject({ written: 0, kept: 1, removed: 0 });
  expect(kept.stderr).toContain('--prune');
  expect(Object.keys(left)).toContain('deep/gone.md');
  expect(pruned.json).toMatchObject({ removed: 1 });
  expect(Object.keys(await read(join(docs.dir, 'docs')))).toEqual(['a.md', 'deep/b.md', 'notes.txt']);
  expect(await readFile(join(docs.dir, 'outside.md'), 'utf8')).toBe('mine');
});

test('a pull does not follow a symbolic link out of the folder', async ({ docs }) => {
  await docs.write({ 'docs/deep/b.md': '# Beta\n', 'elsewhere/x': '' });
  await docs.docsctl('content', 'push', 'docs', '--merge');
  await mkdir(join(docs.dir, 'out'));
  await symlink(join(docs.dir, 'elsewhere'), join(docs.dir, 'out/deep'));

  const run = await docs.docsctl('content', 'pull', 'out');

  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('symbolic link');
  expect(await readdir(join(docs.dir, 'elsewhere'))).toEqual(['x']);
});

test('a space cannot write files that tools would run', async ({ docs }) => {
  await docs.docsctl('cr', 'create', '--subject', 'Sly');
  const layout = { version: 1, serial: 1, pages: {}, files: { 'x.yml': '.github/workflows/x.yml' }, links: {} };
  const files = [
    { name: 'x.yml', base64: Buffer.from('run').toString('base64'), contentType: 'text/plain' },
    {
      name: '.docsctl/layout-1.json',
      base64: Buffer.from(JSON.stringify(layout)).toString('base64'),
      contentType: 'application/json',
    },
  ];
  const body = JSON.stringify({ changes: [{ operation: 'insert_files', files }] });
  const db = join(docs.dir, 'data', 'local.db');
  const { token } = (await docs.docsctl('serve', 'token', 'create', '--json')).json;
  const instance = await serve({ dir: docs.dir, env: homeEnv(docs.dir), docsctl: docs.docsctl }, '--db', db);
  const answer = await fetch(`${instance.url}/v1/spaces/${docs.space}/change-requests/1/content`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  });
  await instance.stop();

  const run = await docs.docsctl('content', 'pull', 'out', '--cr', '1');

  expect(answer.status).toBe(200);
  expect(run.exitCode).toBe(0);
  expect(run.stderr).toContain('.github/workflows/x.yml is skipped');
  expect(Object.keys(await read(join(docs.dir, 'out')))).not.toContain('.github/workflows/x.yml');
});

const homeEnv = (dir: string) => ({
  PATH: process.env.PATH!,
  HOME: dir,
  DOCSCTL_CONFIG_DIR: join(dir, 'config'),
  DOCSCTL_DATA_DIR: join(dir, 'data'),
  DOCSCTL_KEYRING: 'off',
});

test('folders, spaces and roots come from the project file', async ({ docs }) => {
  const second = (await docs.docsctl('spaces', 'create', '--title', 'Other', '-o', 'id')).stdout.trim();
  await docs.write({
    '.docsctl.yaml': `content:\n  - { path: one }\n  - { path: two, space: ${second}, root: inner }\n`,
    'one/a.md': '# A\n',
    'one/.gitbook.yaml': 'root: ./\n',
    'two/inner/b.md': '# B\n',
    'two/left.md': '# Left out\n',
  });

  const run = await docs.docsctl('content', 'push', '--merge', '--json');
  const other = await docs.docsctl('content', 'view', '--space', second, '--json');

  expect(run.json).toMatchObject([
    { folder: 'one', added: 1 },
    { folder: 'two/inner', added: 1 },
  ]);
  expect(other.json.pages.map(({ title }: { title: string }) => title)).toEqual(['B']);
});

test('a file over 1 MB, an empty folder and a missing folder are reported before anything is sent', async ({
  docs,
}) => {
  await docs.write({ 'docs/a.md': '# A\n\n![big](big.png)\n', 'docs/big.png': Buffer.alloc(1_000_001, 7) });
  await mkdir(join(docs.dir, 'empty'));

  const large = await docs.docsctl('content', 'push', 'docs', '--new', 'Big', '--strict');
  const empty = await docs.docsctl('content', 'push', 'empty', '--new', 'Big');
  const missing = await docs.docsctl('content', 'push', 'nowhere', '--new', 'Big');
  const withoutTarget = await docs.docsctl('content', 'push', 'docs');

  expect(large.exitCode).toBe(6);
  expect(large.stderr).toMatch(/big\.png \(1\.1 MB\)[^]*hint: Make them smaller/);
  expect(empty.exitCode).toBe(2);
  expect(missing.exitCode).toBe(2);
  expect(withoutTarget.exitCode).toBe(2);
  expect(withoutTarget.stderr).toContain('--merge');
  expect((await docs.docsctl('cr', 'list', '--status', 'draft', '-o', 'id')).stdout).toBe('');
});

test('more than twenty pictures are sent in one push', async ({ docs }) => {
  const pictures = Array.from({ length: 45 }, (_, index) => `p${index}.png`);
  await docs.write({ 'docs/a.md': `# A\n\n${pictures.map((name) => `![x](img/${name})`).join('\n')}\n` });
  for (const [index, name] of pictures.entries()) await docs.write({ [`docs/img/${name}`]: png(index + 1, 2) });

  const run = await docs.docsctl('content', 'push', 'docs', '--merge', '--json');
  await docs.docsctl('content', 'pull', 'out');

  expect(run.json).toMatchObject({ uploaded: 45, status: 'merged' });
  expect(await read(join(docs.dir, 'out'))).toEqual(await read(join(docs.dir, 'docs')));
});

test('a page that the service refuses is named by its path', async ({ docs }) => {
  await docs.write({ 'docs/a.md': '# A\n', 'docs/b.md': `---\nicon: ${'x'.repeat(60)}\n---\n` });

  const run = await docs.docsctl('content', 'push', 'docs', '--new', 'Long');

  expect(run.exitCode).toBe(6);
  expect(run.stderr).toMatch(/^ {2}b \(icon\): must be at most 50 characters$/m);
});

test('two pushes at the same time into one request create each page once', async ({ docs }) => {
  for (let index = 0; index < 130; index += 1) await docs.write({ [`docs/p${index}.md`]: `# Page ${index}\n` });
  await docs.docsctl('cr', 'create', '--subject', 'Both');

  const runs = await Promise.all([1, 2, 3].map(() => docs.spawn('content', 'push', 'docs', '--cr', '1', '--json')));
  const view = await docs.docsctl('content', 'view', '--cr', '1', '--json');

  expect(runs.map(({ exitCode, stderr }) => [exitCode, exitCode === 0 ? '' : stderr])).toEqual([
    [0, ''],
    [0, ''],
    [0, ''],
  ]);
  const slugs = view.json.pages.map(({ slug }: { slug: string }) => slug);
  expect(slugs.toSorted()).toEqual(Array.from({ length: 130 }, (_, index) => `p${index}`).toSorted());
});

test('a folder with more pictures than files may be open is pushed', async ({ docs }) => {
  const pictures = Array.from({ length: 300 }, (_, index) => `p${index}.png`);
  await docs.write({ 'docs/a.md': `# A\n\n${pictures.map((name) => `![](${name})\n`).join('\n')}` });
  for (const [index, name] of pictures.entries()) await docs.write({ [`docs/${name}`]: png(index + 1, 2) });

  const run = await execa(
    'sh',
    ['-c', `ulimit -n 128; "${process.execPath}" "${bin}" content push docs --dry-run -o id 2>&1`],
    { cwd: docs.dir, env: { ...homeEnv(docs.dir), DOCSCTL_SPACE: docs.space }, extendEnv: false, reject: false },
  );

  expect(run.stdout).not.toContain('too many open files');
  expect(run.exitCode).toBe(0);
  expect(run.stdout.split('\n')).toEqual(expect.arrayContaining(pictures));
});

test('an output that closes early is no error', async ({ docs }) => {
  for (let index = 0; index < 60; index += 1) await docs.write({ [`docs/p${index}.md`]: `# Page ${index}\n` });

  const run = await execa(
    'sh',
    ['-c', `"${process.execPath}" "${bin}" content push docs --dry-run --json 2>err | head -c 1; cat err`],
    {
      cwd: docs.dir,
      env: { ...homeEnv(docs.dir), DOCSCTL_SPACE: docs.space },
      extendEnv: false,
      shell: false,
    },
  );

  expect(run.stdout).toMatch(/^\[(?:0 unchanged\.)?$/);
});

if (isLong)
  test('2,000 pages go in one push', async ({ docs }) => {
    const pages: Record<string, string> = {};
    for (let index = 0; index < 2000; index += 1)
      pages[`docs/s${index % 40}/p${index}.md`] = `# Page ${index}\n\n[Next](p${index + 40}.md)\n`;
    await docs.write(pages);

    const run = await docs.docsctl('content', 'push', 'docs', '--merge', '--json');
    const again = await docs.docsctl('content', 'push', 'docs', '--merge', '--json');
    await docs.docsctl('content', 'pull', 'out');

    expect(run.json).toMatchObject({ added: 2040, status: 'merged' });
    expect(again.json).toMatchObject({ status: 'unchanged' });
    expect(await read(join(docs.dir, 'out'))).toEqual(await read(join(docs.dir, 'docs')));
  });

test('a picture that a page shows and the folder lacks is a warning', async ({ docs }) => {
  await docs.write({ 'docs/a.md': '# A\n\n![pump](images/pump.png)\n\n`![x](x.png)` [b](b.md)\n', 'docs/b.md': 'B\n' });

  const run = await docs.docsctl('content', 'push', 'docs', '--merge', '--json');

  expect(run.stderr).toContain('docs/a.md:3: images/pump.png is not in the folder.');
  expect(run.stderr).not.toContain('x.png');
  expect(run.json).toMatchObject({ added: 2, warnings: 1 });
});
