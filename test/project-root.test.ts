import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { projectRoot, resolveInside } from '../src/shared/project-root.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'docsctl-root-')));
  await mkdir(join(folder, 'project', 'api', 'v1'), { recursive: true });
  await writeFile(join(folder, 'secret'), 'secret');
});
afterEach(() => rm(folder, { recursive: true }));

const inProject = (...names: string[]) => join(folder, 'project', ...names);

describe('projectRoot', () => {
  test('is the nearest folder above that holds .git', async () => {
    await mkdir(join(folder, '.git'));
    await mkdir(inProject('.git'));
    expect(projectRoot(inProject('api', 'v1'))).toBe(inProject());
    expect(projectRoot(inProject())).toBe(inProject());
  });

  test('knows the file .git of a worktree', async () => {
    await writeFile(inProject('.git'), 'gitdir: /elsewhere');
    expect(projectRoot(inProject('api'))).toBe(inProject());
  });

  test('is the folder itself where there is no .git', () => {
    expect(projectRoot(inProject('api'))).toBe(inProject('api'));
  });

  test('uses the real path of the folder', async () => {
    await mkdir(inProject('.git'));
    await symlink(inProject('api'), join(folder, 'link'));
    expect(projectRoot(join(folder, 'link'))).toBe(inProject());
  });
});

describe('resolveInside', () => {
  test('gives the real path of what is inside, whether it exists or not', async () => {
    await symlink(inProject('api'), inProject('link'));
    expect(resolveInside(inProject(), 'api/v1')).toBe(inProject('api', 'v1'));
    expect(resolveInside(inProject(), 'link/v1')).toBe(inProject('api', 'v1'));
    expect(resolveInside(inProject(), 'link/new/file')).toBe(inProject('api', 'new', 'file'));
    expect(resolveInside(inProject(), '..name')).toBe(inProject('..name'));
    expect(resolveInside(inProject(), inProject())).toBe(inProject());
  });

  test.each(['..', '../secret', '/etc/passwd', '/', 'api/../../secret', '../project-2/file'])('refuses %s', (path) => {
    expect(resolveInside(inProject('api', '..'), path)).toBeUndefined();
  });

  test('refuses symbolic links to what is outside, to what does not exist there, or to each other', async () => {
    await symlink(join(folder, 'secret'), inProject('file'));
    await symlink(folder, inProject('up'));
    await symlink('../new', inProject('missing'));
    await symlink('missing', inProject('chain'));
    await symlink('loop', inProject('loop'));
    for (const path of ['file', 'up/secret', 'up/new', 'missing', 'missing/below', 'chain', 'loop']) {
      expect(resolveInside(inProject(), path), path).toBeUndefined();
    }
  });

  test('takes a root that is itself a symbolic link', async () => {
    await symlink(inProject(), join(folder, 'link'));
    expect(resolveInside(join(folder, 'link'), 'api')).toBe(inProject('api'));
    expect(resolveInside(join(folder, 'link'), inProject('api'))).toBe(inProject('api'));
  });

  test('refuses an invalid path', () => {
    expect(resolveInside(inProject(), 'a\0b')).toBeUndefined();
  });
});
