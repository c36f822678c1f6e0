import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { type Docsctl, partsOf, type Run, test as base } from '../support/cli.ts';
import { initialize } from '../support/prepared.ts';

type Files = Record<string, string | Uint8Array>;

interface Clone {
  /** The folder around the project, with what is none of its business. */
  dir: string;
  /** Runs in the project, which is a git repository. */
  docsctl: Docsctl;
  space: string;
  /** Writes files below `dir`. */
  write(files: Files): Promise<void>;
  /** Puts files and a layout file into change request #1 of the space, as one of its editors could. */
  uploadFiles(files: Files, layout?: object): Promise<void>;
}

/** A project as it was cloned, in a folder with a private key and a neighbour's docs. */
const test = base.extend<{ clone: Clone }>({
  clone: async ({ home }, use) => {
    await initialize(home);
    const space = (await home.docsctl('spaces', 'create', '--title', 'Theirs', '-o', 'id')).stdout.trim();
    const env = { DOCSCTL_SPACE: space };
    const write = async (files: Files) => {
      for (const [path, bytes] of Object.entries(files)) {
        await mkdir(dirname(join(home.dir, path)), { recursive: true });
        await writeFile(join(home.dir, path), bytes);
      }
    };
    await write({
      'project/.git/HEAD': 'ref: refs/heads/main\n',
      'project/docs/a.md': '# A\n',
      '.ssh/id_ed25519.md': 'private key',
      'neighbour/n.md': '# Neighbour\n',
      'secret.json': '{"openapi":"3.1.0","info":{"title":"Secret","version":"1"},"paths":{}}',
    });
    const docsctl: Docsctl = (...call) => {
      const { words, options } = partsOf(call);
      return home.docsctl(...words, {
        cwd: join(home.dir, 'project'),
        timeout: 60_000,
        ...options,
        env: { ...env, ...options.env },
      });
    };
    const uploadFiles = async (files: Files, layout?: object) => {
      const all = { ...files, ...(layout && { '.docsctl/layout-99.json': JSON.stringify({ serial: 99, ...layout }) }) };
      const change = {
        operation: 'insert_files',
        files: Object.entries(all).map(([name, bytes]) => ({
          name,
          base64: Buffer.from(bytes).toString('base64'),
          contentType: 'text/plain',
        })),
      };
      await write({ 'change.json': JSON.stringify({ changes: [change] }) });
      await docsctl('cr', 'create', '--subject', 'Planted');
      const path = `/v1/spaces/${space}/change-requests/1/content`;
      const run = await docsctl('api', 'POST', path, '--input', join(home.dir, 'change.json'));
      expect(run.exitCode, run.stderr).toBe(0);
    };
    await use({ dir: home.dir, docsctl, space, write, uploadFiles });
  },
});

const pushOf = ({ docsctl }: Clone): Promise<Run> => docsctl('content', 'push', '--merge', '--json');
const titlesIn = async ({ docsctl }: Clone) =>
  ((await docsctl('content', 'view', '--json')).json.pages as { title: string }[]).map(({ title }) => title);
const filesIn = async ({ docsctl }: Clone) =>
  ((await docsctl('content', 'files', 'list', '--json')).json as { name: string }[]).map(({ name }) => name).toSorted();
const text = (clone: Clone, path: string) => readFile(join(clone.dir, path), 'utf8');

describe('a project file can name only files of its project', () => {
  test.for([
    ['a folder above', '{ path: ../.ssh }', 'content[0].path "../.ssh"'],
    ['a way round', '{ path: docs/../../neighbour }', 'content[0].path "docs/../../neighbour"'],
    ['a link to a folder', '{ path: linked }', 'content[0].path "linked"'],
    ['a folder behind a link', '{ path: linked/deep }', 'content[0].path "linked/deep"'],
    ['a root above', '{ path: docs, root: ../../neighbour }', 'content[0].root'],
    ['a hidden folder', '{ path: .secrets }', 'content[0].path ".secrets"'],
    ['the folder of git', '{ path: .git }', 'content[0].path ".git"'],
    ['a second entry', '{ path: docs }, { path: ../neighbour }', 'content[1].path'],
  ] as const)('%s', async ([, entries, named], { clone }) => {
    await clone.write({
      'project/.docsctl.yaml': `content: [${entries}]\n`,
      'project/.secrets/s.md': 'secret',
      'neighbour/deep/d.md': 'deep',
    });
    await symlink(join(clone.dir, 'neighbour'), join(clone.dir, 'project/linked'));

    const pushed = await pushOf(clone);
    const pulled = await clone.docsctl('content', 'pull', '--prune');

    expect(pushed.exitCode).toBe(2);
    expect(pushed.stderr).toContain('.docsctl.yaml: ');
    expect(JSON.parse(pushed.stderr).error.message).toContain(named);
    expect(pulled.exitCode).toBe(2);
    expect(await titlesIn(clone)).toEqual([]);
    expect(await text(clone, 'neighbour/n.md')).toBe('# Neighbour\n');
    expect(await text(clone, '.ssh/id_ed25519.md')).toBe('private key');
  });

  test('an absolute path, and the root of the whole', async ({ clone }) => {
    await clone.write({ 'project/.docsctl.yaml': `content: [{ path: ${join(clone.dir, 'neighbour')} }]\n` });
    const absolute = await clone.docsctl('content', 'push', '--merge');
    await clone.write({ 'project/.docsctl.yaml': 'root: ../neighbour\ncontent: [{ path: docs }]\n' });
    const root = await clone.docsctl('content', 'push', '--merge');

    expect(absolute.exitCode).toBe(2);
    expect(absolute.stderr).toContain(`outside of the project's root ${join(clone.dir, 'project')}`);
    expect(root.exitCode).toBe(2);
    expect(root.stderr).toContain('root "../neighbour"');
    expect(await titlesIn(clone)).toEqual([]);
  });

  test.for(['../secret.json', 'api.json'])('openapi: %s', async (path, { clone }) => {
    await clone.write({ 'project/.docsctl.yaml': `openapi: [{ slug: s, path: ${path} }]\n` });
    await symlink(join(clone.dir, 'secret.json'), join(clone.dir, 'project/api.json'));

    const run = await clone.docsctl('openapi', 'publish');

    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain(`openapi[0].path "${path}" is outside`);
    expect((await clone.docsctl('openapi', 'list', '-o', 'id')).stdout).toBe('');
  });

  test('files named on the command line may be outside, and files inside may be links', async ({ clone }) => {
    await clone.write({ 'project/.docsctl.yaml': 'content: [{ path: manual }]\n' });
    await symlink('docs', join(clone.dir, 'project/manual'));

    const inside = await pushOf(clone);
    const replaced = ['--overwrite', '--delete-others'];
    const explicit = await clone.docsctl('content', 'push', '../neighbour', '--merge', ...replaced);

    expect(inside.json).toMatchObject({ folder: 'manual', added: 1 });
    expect(explicit.exitCode).toBe(0);
    expect(await titlesIn(clone)).toEqual(['Neighbour']);
  });

  test.for(['.gitbook.yaml', '.docsctl.yaml'])('settings in the folder, %s', async (name, { clone }) => {
    await clone.write({ [`project/docs/${name}`]: 'root: ../../neighbour\n' });
    const above = await clone.docsctl('content', 'push', 'docs', '--merge');
    await clone.write({ [`project/docs/${name}`]: 'root: linked\n' });
    await symlink(join(clone.dir, 'neighbour'), join(clone.dir, 'project/docs/linked'));
    const pushed = await clone.docsctl('content', 'push', 'docs', '--merge');
    const pulled = await clone.docsctl('content', 'pull', 'docs', '--prune');

    expect(above.exitCode).toBe(2);
    expect(above.stderr).toContain(`${name}: root "../../neighbour" leads out of the folder`);
    expect(pushed.exitCode).toBe(2);
    expect(pulled.exitCode).toBe(2);
    expect(pulled.stderr).toContain('symbolic link');
    expect(await readdir(join(clone.dir, 'neighbour'))).toEqual(['n.md']);
  });
});

describe('a project file that others can write is not read', () => {
  const settings = { 'project/.docsctl.yaml': 'content: [{ path: docs }]\n' };

  test('one that every user can write', { tags: 'posix' }, async ({ clone }) => {
    await clone.write(settings);
    await chmod(join(clone.dir, 'project/.docsctl.yaml'), 0o666);
    const open = await pushOf(clone);
    await chmod(join(clone.dir, 'project/.docsctl.yaml'), 0o664);
    const shared = await pushOf(clone);

    expect(open.exitCode).toBe(2);
    expect(open.stderr).toMatch(/\.docsctl\.yaml can be written by every user and is not read\..*chmod o-w/);
    expect(shared.json).toMatchObject({ added: 1 });
  });

  test('one of another user, unless it was sudo that made the caller root', { tags: 'root' }, async ({ clone }) => {
    await clone.write(settings);
    await chown(join(clone.dir, 'project/.docsctl.yaml'), 4242, 4242);

    const refused = await pushOf(clone);
    const checked = await clone.docsctl('doctor', '--json');
    const other = await clone.docsctl('content', 'push', '--merge', { env: { SUDO_UID: '4243' } });
    const sudo = await clone.docsctl('content', 'push', '--merge', '--json', { env: { SUDO_UID: '4242' } });

    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toMatch(/belongs to another user \(4242\) and is not read\..*chown 0.*DOCSCTL_SPACE/);
    expect(checked.stdout).toContain('.docsctl.yaml is not read');
    expect(other.exitCode).toBe(2);
    expect(sudo.json).toMatchObject({ added: 1 });
  });

  test('a project file that is a link out of the project, or not a regular file', async ({ clone }) => {
    await symlink(join(clone.dir, '.ssh/id_ed25519.md'), join(clone.dir, 'project/.docsctl.yaml'));
    const link = await pushOf(clone);
    await rm(join(clone.dir, 'project/.docsctl.yaml'));
    execFileSync('mkfifo', [join(clone.dir, 'project/.docsctl.yaml')]);
    const pipe = await pushOf(clone);

    expect(link.exitCode).toBe(2);
    expect(link.stderr).toContain('link out of its project and is not read');
    expect(link.stderr).not.toContain('private key');
    expect(pipe.exitCode).toBe(2);
    expect(pipe.stderr).toContain('not a regular file');
  });
});

test('a push uploads only files inside the project, and reports the others with their number', async ({ clone }) => {
  await clone.write({
    'project/docs/a.md':
      '# A\n\n![in](shared/in.txt) ![one](one.txt)\n\n![out](out.txt) ![key](keys/id_ed25519.md)\n\n![deep](keys/x.bin)\n![pipe](pipe.txt)\n![env](.env) ![git](../.git/HEAD)\n![hid](hid.txt)\n[up](../../secret.json)\n',
    'project/docs/.env': 'TOKEN=1',
    'project/.env': 'TOKEN=2',
    'project/shared/in.txt': 'in',
    'project/shared/one.txt': 'one',
    '.ssh/x.bin': 'key',
  });
  const docs = join(clone.dir, 'project/docs');
  await symlink('../shared', join(docs, 'shared'));
  await symlink('../shared/one.txt', join(docs, 'one.txt'));
  await symlink('../.env', join(docs, 'hid.txt'));
  await symlink(join(clone.dir, 'secret.json'), join(docs, 'out.txt'));
  await symlink(join(clone.dir, '.ssh'), join(docs, 'keys'));
  await symlink(join(clone.dir, 'neighbour/n.md'), join(docs, 'n.md'));
  execFileSync('mkfifo', [join(docs, 'pipe.txt')]);

  const run = await clone.docsctl('content', 'push', 'docs', '--merge', '--json');

  expect(run.json).toMatchObject({ added: 1, warnings: 10 });
  expect(await titlesIn(clone)).toEqual(['A']);
  expect(await filesIn(clone)).toEqual(['one.txt', 'shared/in.txt']);
  for (const line of [
    'docs/a.md:5: out.txt is a symbolic link that leads out of the project',
    'docs/a.md:5: keys/id_ed25519.md is a symbolic link that leads out of the project',
    'docs/a.md:7: keys/x.bin is a symbolic link that leads out of the project',
    'docs/a.md:8: pipe.txt is not a regular file',
    'docs/a.md:9: .env is a hidden file',
    'docs/a.md:9: ../.git/HEAD leads out of the folder',
    'docs/a.md:10: hid.txt is a hidden file',
    'docs/a.md:11: ../../secret.json leads out of the folder',
    'docs/n.md: The page is a symbolic link',
    // The clone has a folder .git that is no repository.
    'unfinished merge',
  ])
    expect(run.stderr).toContain(line);
});

describe('a pull writes nothing that the folder did not ask for', () => {
  test('for all paths in the layout file of the space', async ({ clone }) => {
    const paths = [
      '../up',
      '/abs',
      'a/../../up',
      'C:evil',
      'a.txt:stream',
      '.git/hooks/post-checkout',
      '.GIT/config',
      '.g\u200Cit/config',
      'GIT~1/config',
      'a\\..\\up',
    ];
    await clone.uploadFiles(
      { ...Object.fromEntries(paths.map((_, index) => [`f${index}.txt`, `evil ${index}`])), 'safe.txt': 'safe' },
      {
        pages: {},
        files: { ...Object.fromEntries(paths.map((path, index) => [`f${index}.txt`, path])), 'safe.txt': 'moved.txt' },
        links: {},
        summary: { path: '../SUMMARY.md', text: 'evil' },
      },
    );

    const run = await clone.docsctl('content', 'pull', 'docs', '--cr', '1', '--json');

    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.json.leftOut).toBe(paths.length + 1);
    expect(run.stderr).toContain('../up: The name leads out of the folder; it is written to assets/f0.txt instead.');
    expect((await readdir(join(clone.dir, 'project/docs'))).toSorted()).toEqual(['a.md', 'assets', 'moved.txt']);
    expect(await readdir(join(clone.dir, 'project/.git'))).toEqual(['HEAD']);
    expect(await readdir(join(clone.dir, 'project'))).toEqual(['.git', 'docs']);
  });

  test('no file names that programs look for, and no existing executable files', async ({ clone }) => {
    const names = ['Makefile', 'sub/package.json', '.env', '.github/workflows/x.yml', 'CONF.py', '.husky/pre-commit'];
    await clone.uploadFiles(
      {
        ...Object.fromEntries(names.map((_, index) => [`f${index}.txt`, `evil ${index}`])),
        'f7.txt': 'evil',
        'f8.txt': 'evil',
        'new.txt': 'new',
      },
      {
        pages: {},
        files: {
          ...Object.fromEntries(names.map((path, index) => [`f${index}.txt`, path])),
          'f7.txt': 'release',
          'f8.txt': 'link.png',
          'new.txt': 'data/new.csv',
        },
        links: {},
      },
    );
    // That a page links to the files makes them none of the docs: it may have come from the space.
    await clone.write({
      'project/docs/a.md': '# A\n\n[make](Makefile) [release](release)\n',
      'project/docs/Makefile': 'all:\n',
      'project/docs/release': 'true\n',
      'neighbour/x.png': 'png',
    });
    await symlink(join(clone.dir, 'neighbour/x.png'), join(clone.dir, 'project/docs/link.png'));

    const dryRun = await clone.docsctl('content', 'pull', 'docs', '--cr', '1', '--dry-run', '--json');
    const run = await clone.docsctl('content', 'pull', 'docs', '--cr', '1', '--prune', '--json');

    expect(dryRun.json.filter(({ action }: { action: string }) => action === 'leave out')).toHaveLength(8);
    expect(run.exitCode).toBe(0);
    expect(run.json).toMatchObject({ leftOut: 8, written: 1 });
    expect(run.stderr).toContain('Makefile is skipped: programs run or read files with this name.');
    expect(run.stderr).toContain('release is skipped: the existing file may not belong to the docs');
    expect(run.stderr).toContain('link.png is skipped: a symbolic link has its name.');
    expect(await text(clone, 'project/docs/Makefile')).toBe('all:\n');
    expect(await text(clone, 'project/docs/release')).toBe('true\n');
    expect(await text(clone, 'neighbour/x.png')).toBe('png');
    expect(await readdir(join(clone.dir, 'project/docs'))).toEqual(['Makefile', 'data', 'link.png', 'release']);
  });

  test('files that a push from this machine sent are written, if their bytes are the same', async ({ clone }) => {
    await clone.write({
      'project/docs/a.md': '# A\n\n[make](Makefile) [build](build.sh)\n',
      'project/docs/AGENTS.md': '# For agents\n',
      'project/docs/Makefile': 'all:\n',
      'project/docs/build.sh': 'true\n',
      'project/full/Makefile': 'another:\n',
    });
    await clone.docsctl('content', 'push', 'docs', '--merge');
    await clone.write({ 'project/docs/Makefile': 'changed:\n' });
    await rm(join(clone.dir, 'project/docs/build.sh'));

    const back = await clone.docsctl('content', 'pull', 'docs', '--overwrite', '--json');
    const empty = await clone.docsctl('content', 'pull', 'empty', '--json');
    const full = await clone.docsctl('content', 'pull', 'full', '--overwrite', '--json');
    await rm(join(clone.dir, 'data/pushed'), { recursive: true });
    const elsewhere = await clone.docsctl('content', 'pull', 'elsewhere', '--json');

    expect(back.json).toMatchObject({ written: 2, leftOut: 0 });
    expect(await text(clone, 'project/docs/Makefile')).toBe('all:\n');
    expect(await text(clone, 'project/docs/build.sh')).toBe('true\n');
    expect(empty.json).toMatchObject({ leftOut: 0 });
    expect((await readdir(join(clone.dir, 'project/empty'))).toSorted()).toEqual([
      '.docsctl',
      'AGENTS.md',
      'Makefile',
      'a.md',
      'build.sh',
    ]);
    expect(full.json).toMatchObject({ leftOut: 1 });
    expect(await text(clone, 'project/full/Makefile')).toBe('another:\n');
    expect(elsewhere.json).toMatchObject({ leftOut: 3 });
    expect((await readdir(join(clone.dir, 'project/elsewhere'))).toSorted()).toEqual(['.docsctl', 'a.md', 'agents']);
  });

  test('--prune removes pages and pictures, and follows no link', async ({ clone }) => {
    await clone.docsctl('content', 'push', 'docs', '--merge');
    await clone.write({
      'project/docs/b.md': '# B\n\n![p](p.png) [build](build.sh) [in](shared/x.png) [out](n/n.png)\n',
      'project/docs/p.png': 'png',
      'project/docs/build.sh': 'true\n',
      'project/docs/AGENTS.md': '# For agents\n',
      'project/shared/x.png': 'x',
      'neighbour/n.png': 'x',
    });
    await symlink('../shared', join(clone.dir, 'project/docs/shared'));
    await symlink(join(clone.dir, 'neighbour'), join(clone.dir, 'project/docs/n'));

    const run = await clone.docsctl('content', 'pull', 'docs', '--prune', '--json');

    expect(run.json).toMatchObject({ removed: 2, kept: 3 });
    expect(run.stderr).toContain('build.sh is kept: it may not belong to the docs.');
    expect((await readdir(join(clone.dir, 'project/docs'))).toSorted()).toEqual([
      '.docsctl',
      'AGENTS.md',
      'a.md',
      'build.sh',
      'n',
      'shared',
    ]);
    expect(await readdir(join(clone.dir, 'project/shared'))).toEqual(['x.png']);
    expect((await readdir(join(clone.dir, 'neighbour'))).toSorted()).toEqual(['n.md', 'n.png']);
  });

  test('pages get names that no program looks for', async ({ clone }) => {
    const created = async (title: string, slug: string) =>
      clone.docsctl('api', 'POST', `/v1/spaces/${clone.space}/change-requests/1/content`, '--input', '-', {
        input: JSON.stringify({
          changes: [{ operation: 'insert_page', title, slug, document: { markdown: `# ${title}\n` } }],
        }),
        stdin: 'pipe',
      } as never);
    await clone.uploadFiles(
      {},
      { pages: { one: 'Makefile', two: '../two.md', three: '.git/three.md' }, files: {}, links: {} },
    );
    for (const slug of ['one', 'two', 'three', 'agents', 'constructor'])
      expect((await created(slug, slug)).exitCode).toBe(0);

    const run = await clone.docsctl('content', 'pull', 'other', '--cr', '1', '--json');
    const again = await clone.docsctl('content', 'push', 'other', '--cr', '1', '--dry-run', '--json');

    expect(run.json).toMatchObject({ written: 6, leftOut: 4 });
    expect(run.stderr).toContain(
      'agents.md: The name is one that programs look for; the page is written to agents/README.md',
    );
    expect((await readdir(join(clone.dir, 'project/other'), { recursive: true })).toSorted()).toEqual([
      '.docsctl',
      '.docsctl/state.json',
      'SUMMARY.md',
      'agents',
      'agents/README.md',
      'constructor.md',
      'one.md',
      'three.md',
      'two.md',
    ]);
    expect(again.json.filter(({ action }: { action: string }) => action !== 'upload')).toEqual([]);
  });
});

test('an export does not write through a link in the place of its log', async ({ clone }) => {
  await clone.write({ 'project/organization/docsctl.yaml': '', 'neighbour/rc': 'untouched\n' });
  await symlink(join(clone.dir, 'neighbour/rc'), join(clone.dir, 'project/organization/docsctl.lock.json.log'));

  const run = await clone.docsctl('export', 'organization', '--yes');

  expect(run.exitCode, run.stderr).toBe(0);
  expect(await text(clone, 'neighbour/rc')).toBe('untouched\n');
  expect(await readdir(join(clone.dir, 'project/organization'))).not.toContain('docsctl.lock.json.log');
});
