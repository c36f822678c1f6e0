import { readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { execa } from 'execa';
import { bin, test as processes } from '../support/cli.ts';
import { type InProcessHome, test } from '../support/in-process.ts';
import { writeFiles } from '../support/write-files.ts';

const secret = 'hunter2zebra';

const files = {
  'docs/README.md': [
    '# Home\n',
    '[Notes](notes.md) ![Picture](picture.png) [Env](.env) {% include "included.md" %}\n',
    '{% include ".keys/key.md" %}\n',
    '{% openapi src="api.yaml" path="/x" method="get" %}\n{% endopenapi %}\n',
    '![Deep](images/deep.png)\n',
  ].join('\n'),
  'docs/SUMMARY.md': '* [Home](README.md)\n* [Notes](notes.md)\n* [Config](config.md)\n* [Alias](alias.md)\n',
  'docs/guide.md': '# Guide\n\nVisible.\n',
  'docs/.env': `SECRET=${secret}\n`,
  'docs/.keys/key.md': `# Key\n\n${secret}\n`,
  'docs/.keys/api.yaml': `openapi: 3.1.0\ninfo: { title: Api, version: "1" }\npaths: { /x: { get: { summary: ${secret}, responses: {} } } }\n`,
  'docs/.git/config': `[remote]\nurl = https://x:${secret}@host\n`,
  'docs/node_modules/pack/README.md': `# Pack\n\n${secret}\n`,
  'docs/.folder/deep.png': secret,
  'outside/secret.md': `# Outside\n\n${secret}\n`,
};

const links = {
  'notes.md': '.env',
  'config.md': '.git/config',
  'packed.md': 'node_modules/pack/README.md',
  'twice.md': 'notes.md',
  'included.md': '.keys/key.md',
  'api.yaml': '.keys/api.yaml',
  'picture.png': '.env',
  'outside.md': '../outside/secret.md',
  'around.md': '../docs/guide/../.env',
  'dangling.md': 'nowhere.md',
  images: '.folder',
  'alias.md': 'guide.md',
  '.gitbook/vars.yaml': '../.env',
};

async function linkedDocs(home: Pick<InProcessHome, 'dir'>): Promise<void> {
  await writeFiles(home.dir, { ...files, 'docs/.gitbook/tags.yaml': '[]\n' });
  for (const [name, target] of Object.entries(links)) await symlink(target, join(home.dir, 'docs', name));
}

/** The symbolic links that are reported, with what is said of them. */
const reasons = {
  '.gitbook/vars.yaml': 'leads to a hidden file',
  'api.yaml': 'leads to a hidden file',
  'around.md': 'leads to a hidden file',
  'config.md': 'leads to a hidden file',
  'dangling.md': 'does not exist',
  images: 'leads to a folder',
  'included.md': 'leads to a hidden file',
  'notes.md': 'leads to a hidden file',
  'outside.md': 'leads out of the folder',
  'packed.md': 'leads to a hidden file',
  'picture.png': 'leads to a hidden file',
  'twice.md': 'leads to a hidden file',
};

test('an export has nothing of hidden files behind links, and reports the links', async ({ docsctl, home }) => {
  await linkedDocs(home);

  const run = await docsctl('sites', 'export', 'docs', '--out', 'public');

  const entries = await readdir(join(home.dir, 'public'), { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isFile())) {
    const bytes = await readFile(join(entry.parentPath, entry.name), 'latin1');
    expect.soft(bytes, entry.name).not.toContain(secret);
  }
  expect(await readFile(join(home.dir, 'public', 'alias.html'), 'utf8')).toContain('Visible.');
  for (const [name, reason] of Object.entries(reasons)) {
    expect.soft(run.stderr).toMatch(new RegExp(`docs/${name}.* The symbolic link ${reason} and is skipped\\.`));
  }
});

test('a check reports links to what is not published, and links to hidden files', async ({ docsctl, home }) => {
  await linkedDocs(home);

  const { json } = await docsctl('content', 'check', 'docs', '-o', 'json');

  const findings: { file: string; rule: string; message: string }[] = json;
  const reported = findings.filter(({ rule }) => rule === 'symbolic-link');
  expect(Object.fromEntries(reported.map(({ file, message }) => [file, message]))).toEqual(
    Object.fromEntries(
      Object.entries(reasons).map(([name, reason]) => [`docs/${name}`, `The symbolic link ${reason} and is skipped.`]),
    ),
  );
  const messages = findings.filter(({ file }) => file === 'docs/README.md').map(({ message }) => message);
  expect(messages).toEqual(
    expect.arrayContaining([
      expect.stringContaining('.env leads to a hidden file'),
      expect.stringContaining('.keys/key.md leads to a hidden file'),
      expect.stringContaining('notes.md is a symbolic link that leads to a hidden file'),
      expect.stringContaining('images/deep.png is behind a symbolic link that leads to a folder'),
    ]),
  );
});

processes('a preview serves nothing of hidden files, even if a page becomes a link', async ({ home }) => {
  await linkedDocs(home);
  const child = execa(process.execPath, [bin, 'preview', 'docs', '--json', '--port', '0'], {
    cwd: home.dir,
    env: home.env,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    buffer: false,
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await child;
  });
  let log = '';
  child.stderr!.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const line = await new Promise<string>((resolve) => {
    child.stdout!.once('data', (chunk: Buffer) => resolve(chunk.toString()));
  });
  const { url }: { url: string } = JSON.parse(line);
  const get = async (path: string) => (await fetch(url + path, { redirect: 'manual' })).text();

  const addresses = [
    '/',
    '/notes',
    '/notes.md',
    '/config',
    '/packed',
    '/alias',
    '/~docsctl/search?q=hunter2zebra',
    ...['.env', 'notes.md', 'picture.png', 'api.yaml', 'included.md', '.keys/key.md'].map(
      (file) => `/~docsctl/files/${file}`,
    ),
    ...['outside.md', 'images/deep.png'].map((file) => `/~docsctl/files/${file}`),
  ];
  for (const address of addresses) expect.soft(await get(address), address).not.toContain(secret);
  expect(await get('/alias')).toContain('Visible.');
  await expect.poll(() => log).toContain('The symbolic link leads to a hidden file and is skipped.');

  await symlink('.keys/key.md', join(home.dir, 'docs', 'new'));
  await rename(join(home.dir, 'docs', 'new'), join(home.dir, 'docs', 'alias.md'));
  for (let round = 0; round < 20; round += 1) expect(await get('/alias')).not.toContain(secret);
  await expect.poll(() => get('/alias')).not.toContain('Visible.');
  await rm(join(home.dir, 'docs', 'guide.md'));
  await symlink('.env', join(home.dir, 'docs', 'guide.md'));
  for (const address of ['/guide', '/guide.md', '/~docsctl/files/guide.md']) {
    expect.soft(await get(address), address).not.toContain(secret);
  }
});
