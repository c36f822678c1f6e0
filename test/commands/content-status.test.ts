import { expect } from 'vitest';
import { test } from '../support/git.ts';

const alpha = '# Alpha\n\nFirst line.\n\nSecond line.\n';

test('content status lists what a push and a pull would do, and changes nothing', async ({ repository }) => {
  const ann = repository.clone('ann');
  const status = (...flags: string[]) => ann.docsctl('content', 'status', 'docs', '--json', ...flags);
  await ann.commit({
    'a.md': alpha,
    'guide/b.md': '# Beta\n',
    'c.md': '# Gamma\n',
    'd.md': '# Delta\n',
    'e.md': '# Epsilon\n',
  });
  const before = await status();
  await ann.push();
  const after = await status();
  const update = async (title: string, markdown: string) => ({
    operation: 'update_page',
    page: await repository.pageId(title),
    document: { markdown },
  });
  await repository.inApp([
    await update('Alpha', alpha.replace('First', 'App’s first')),
    await update('Gamma', '# Gamma\n\nApp.\n'),
    { operation: 'delete_page', page: await repository.pageId('Epsilon') },
  ]);
  await ann.commit({
    'a.md': alpha.replace('First', 'Our first'),
    'guide/b.md': '# Beta\n\nOurs.\n',
    'd.md': null,
    'new.md': '# New\n',
  });
  const files = ann.git('status', '--short', '--untracked-files=all');
  const texts = await repository.texts();

  const run = await status();
  const table = await ann.docsctl('content', 'status', 'docs');

  expect(before.exitCode, before.stderr).toBe(0);
  expect(before.json.map(({ action }: { action: string }) => action)).toEqual([
    'add',
    'add',
    'add',
    'add',
    'add',
    'add',
  ]);
  expect(after.json).toEqual([]);
  expect(after.stderr).toContain('docs and the space are the same.');
  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.json).toEqual([
    { direction: 'push', action: 'change', path: 'guide/b.md', what: 'text' },
    { direction: 'push', action: 'add', path: 'new.md', title: 'New' },
    { direction: 'push', action: 'delete', path: 'd.md', title: 'Delta' },
    { direction: 'pull', action: 'change', path: 'c.md' },
    { direction: 'pull', action: 'remove', path: 'e.md' },
    { direction: 'both', action: 'conflict', path: 'a.md', title: 'Alpha', what: 'text, line 3' },
  ]);
  expect(table.stdout).toMatch(/both\s+conflict\s+a\.md/);
  expect(ann.git('status', '--short', '--untracked-files=all')).toBe(files);
  expect(await repository.texts()).toEqual(texts);
});

test('content status reports an old checkout and a folder that was never pushed', async ({ repository }) => {
  const ann = repository.clone('ann');
  await ann.commit({ 'a.md': alpha });
  await ann.push();
  const old = ann.git('rev-parse', 'HEAD');
  await ann.commit({ 'a.md': alpha.replace('First', 'Newer first') });
  ann.git('push', '--quiet', 'origin', 'HEAD:main');
  await ann.push();
  await repository.docs.write({ 'other/z.md': '# Other\n' });

  const stale = await repository.job('job', old).docsctl('content', 'status', 'docs', '--json');
  const other = await repository.docs.docsctl('content', 'status', 'other', '--json');

  expect(stale.exitCode, stale.stderr).toBe(0);
  expect(stale.json).toMatchObject([
    { direction: 'push', action: 'stale', what: expect.stringContaining('is older than the last push') },
    { direction: 'pull', action: 'change', path: 'a.md' },
  ]);
  expect(other.exitCode, other.stderr).toBe(0);
  expect(other.stderr).toContain('other was never pushed to the space or pulled from it');
});

test('content status counts the files that a push would leave out', async ({ repository }) => {
  const ann = repository.clone('ann');
  await ann.commit({ 'a.md': alpha, 'b.mdx': '# Beta\n' });
  await ann.push('--mdx');

  const run = await ann.docsctl('content', 'status', 'docs');

  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.stderr).toContain('A push would leave out 1 file: its page stays as it is, and the status is 8.');
  expect(run.stderr).not.toContain('are the same');
});
