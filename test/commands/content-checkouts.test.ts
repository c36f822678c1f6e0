import { expect } from 'vitest';
import { type Clone, type Repository, test } from '../support/git.ts';

const alpha = '# Alpha\n\nFirst line.\n\nSecond line.\n\nThird line.\n';
const beta = '# Beta\n\nText of beta.\n';

/** A repository whose first commit was pushed to the space. */
async function pushFirst(repository: Repository): Promise<Clone> {
  const ann = repository.clone('ann');
  await ann.commit({ 'a.md': alpha, 'b.md': beta });
  ann.git('push', '--quiet', 'origin', 'HEAD:main');
  const run = await ann.push();
  expect(run.exitCode, run.stderr).toBe(0);
  return ann;
}

/** Commits a change, and pushes it to origin and to the space. */
async function release(clone: Clone, files: Parameters<Clone['commit']>[0]): Promise<string> {
  const commit = await clone.commit(files);
  clone.git('push', '--quiet', 'origin', 'HEAD:main');
  const run = await clone.push();
  expect(run.exitCode, run.stderr).toBe(0);
  return commit;
}

test('a checkout that is older than the last push sends nothing', async ({ repository }) => {
  const ann = await pushFirst(repository);
  const old = ann.git('rev-parse', 'HEAD');
  const changed = alpha.replace('First', 'Newer first');
  const last = await release(ann, { 'a.md': changed, 'c.md': '# Gamma\n' });
  const job = repository.job('job', old);

  const stale = await job.push();
  const dry = await job.push('--dry-run');
  const review = await job.docsctl('content', 'push', 'docs', '--new', 'Late');
  const skipped = await job.push('--if-stale', 'skip');
  const requests = await job.docsctl('cr', 'list', '--status', 'draft', '--json');

  expect([stale.exitCode, dry.exitCode, review.exitCode, skipped.exitCode]).toEqual([6, 6, 6, 0]);
  const message = `This checkout (${old.slice(0, 7)}, Nov 1) is older than the last push (${last}, Nov 2).`;
  for (const run of [stale, review, skipped]) expect(run.stderr).toContain(message);
  expect(skipped.stderr).toContain('Nothing was sent.');
  expect(skipped.json).toMatchObject({ status: 'stale', changed: 0 });
  expect(requests.json).toEqual([]);
  expect(await repository.texts()).toEqual({ Alpha: changed, Beta: beta, Gamma: '# Gamma\n' });
});

test('a rerun of a pushed commit sends nothing, from any clone, and keeps changes made in the app', async ({
  repository,
}) => {
  const ann = await pushFirst(repository);
  await repository.inApp([
    { operation: 'update_page', page: await repository.pageId('Alpha'), document: { markdown: '# Alpha\n\nApp.\n' } },
  ]);
  const job = repository.job('job', ann.git('rev-parse', 'HEAD'), '--depth=1');

  for (const clone of [ann, job]) {
    const run = await clone.push();
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.json).toMatchObject({ status: 'unchanged', kept: 1 });
  }
  expect((await repository.texts()).Alpha).toBe('# Alpha\n\nApp.\n');
});

test('a commit that reverts a pushed one goes through', async ({ repository }) => {
  const ann = await pushFirst(repository);
  await release(ann, { 'a.md': alpha.replace('First', 'Wrong first'), 'b.md': null });
  ann.git('revert', '--no-edit', 'HEAD');

  const run = await ann.push();

  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.json).toMatchObject({ added: 1, changed: 1 });
  expect(await repository.texts()).toEqual({ Alpha: alpha, Beta: beta });
});

test('a branch that left before the last push is merged with everything pushed since', async ({ repository }) => {
  const ann = await pushFirst(repository);
  const ben = repository.clone('ben');
  await release(ann, { 'a.md': alpha.replace('First', 'Newer first'), 'c.md': '# Gamma\n' });
  ben.git('checkout', '--quiet', '-b', 'ben');
  await ben.commit({ 'a.md': alpha.replace('Third', 'Newer third'), 'd.md': '# Delta\n' });

  const run = await ben.push();
  const again = await ben.push();

  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.json).toMatchObject({ added: 1, changed: 1, deleted: 0, merged: 1, kept: 1 });
  expect(again.json, again.stderr).toMatchObject({ status: 'unchanged' });
  expect(await repository.texts()).toEqual({
    Alpha: alpha.replace('First', 'Newer first').replace('Third', 'Newer third'),
    Beta: beta,
    Gamma: '# Gamma\n',
    Delta: '# Delta\n',
  });
});

test('branches that changed the same lines are a conflict', async ({ repository }) => {
  const ann = await pushFirst(repository);
  const ben = repository.clone('ben');
  await release(ann, { 'a.md': alpha.replace('First', 'Newer first') });
  ben.git('checkout', '--quiet', '-b', 'ben');
  await ben.commit({ 'a.md': alpha.replace('First', 'Other first') });

  const refused = await ben.push();
  const folder = await ben.push('--prefer', 'folder');

  expect(refused.exitCode).toBe(6);
  expect(JSON.parse(refused.stderr).error.details).toEqual([{ path: 'a.md', message: 'a.md (Alpha): text, line 3' }]);
  expect(folder.exitCode, folder.stderr).toBe(0);
  expect((await repository.texts()).Alpha).toBe(alpha.replace('First', 'Other first'));
});

test('a merge of both branches goes through', async ({ repository }) => {
  const ann = await pushFirst(repository);
  const ben = repository.clone('ben');
  await release(ann, { 'a.md': alpha.replace('First', 'Newer first') });
  await ben.commit({ 'a.md': alpha.replace('Third', 'Newer third'), 'b.md': null });
  ben.git('pull', '--quiet', '--no-rebase', '--no-edit', 'origin', 'main');

  const run = await ben.push();

  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.json).toMatchObject({ changed: 1, deleted: 1, merged: 0, kept: 0 });
  expect(await repository.texts()).toEqual({
    Alpha: alpha.replace('First', 'Newer first').replace('Third', 'Newer third'),
  });
});

test('a shallow clone compares parents and dates; if these are not enough, docsctl prints the command to run', async ({
  repository,
}) => {
  const ann = await pushFirst(repository);
  const first = ann.git('rev-parse', 'HEAD');
  await ann.commit({ 'b.md': beta.replace('Text', 'More text') });
  ann.git('push', '--quiet', 'origin', 'HEAD:main');
  const second = ann.git('rev-parse', 'HEAD');
  await release(ann, { 'a.md': alpha.replace('First', 'Newer first') });
  ann.git('checkout', '--quiet', '-b', 'other', second);
  await ann.commit({ 'c.md': '# Gamma\n' });
  await ann.commit({ 'd.md': '# Delta\n' });
  ann.git('push', '--quiet', 'origin', 'HEAD:other');

  const late = await repository.job('late', second, '--depth=1').push();
  const oldest = await repository.job('oldest', first, '--depth=1').push();
  const other = repository.job('other', 'other', '--depth=1');
  const unknown = await other.push();
  other.git('fetch', '--quiet', '--unshallow', 'origin', 'main', 'other');
  const complete = await other.push();

  expect([late.exitCode, oldest.exitCode, unknown.exitCode]).toEqual([6, 6, 6]);
  for (const run of [late, oldest]) expect(run.stderr).toContain('is older than the last push');
  expect(JSON.parse(unknown.stderr).error.hint).toBe('Run: git fetch --unshallow');
  expect(complete.exitCode, complete.stderr).toBe(0);
  expect(complete.json).toMatchObject({ added: 2, kept: 1 });
});

test('a shallow clone of the commit after the last push goes through', async ({ repository }) => {
  const ann = await pushFirst(repository);
  await ann.commit({ 'a.md': alpha.replace('First', 'Newer first') });
  ann.git('push', '--quiet', 'origin', 'HEAD:main');

  const run = await repository.job('job', ann.git('rev-parse', 'HEAD'), '--depth=1').push();

  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.json).toMatchObject({ changed: 1, kept: 0, merged: 0 });
});

test('a fresh clone that was never pushed needs --adopt, and one of a pushed repository does not', async ({
  repository,
}) => {
  await pushFirst(repository);
  const ben = repository.clone('ben');
  await ben.commit({ 'a.md': alpha.replace('Third', 'Newer third'), 'b.md': null });
  await repository.docs.write({ 'other/a.md': '# Other\n' });

  const run = await ben.push();
  const other = await repository.docs.docsctl('content', 'push', 'other', '--merge');

  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.json).toMatchObject({ changed: 1, deleted: 1 });
  expect(other.exitCode).toBe(2);
  expect(other.stderr).toContain('--adopt');
});

test('a committed state file counts in every clone that has its commit', async ({ repository }) => {
  const ann = await pushFirst(repository);
  await repository.inApp([
    { operation: 'update_page', page: await repository.pageId('Beta'), document: { markdown: '# Beta\n\nApp.\n' } },
  ]);
  const pulled = await ann.pull();
  ann.git('add', '--all');
  ann.git('commit', '--quiet', '--message', 'Pull');
  ann.git('push', '--quiet', 'origin', 'HEAD:main');
  const ben = repository.clone('ben');
  await ben.commit({ 'b.md': '# Beta\n\nApp, and Ben.\n' });

  const run = await ben.push();

  expect(pulled.json, pulled.stderr).toMatchObject({ written: 1 });
  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.json).toMatchObject({ changed: 1, kept: 0, merged: 0 });
  expect((await repository.texts()).Beta).toBe('# Beta\n\nApp, and Ben.\n');
});

test('a clone in the middle of a merge sends nothing, also if no file has conflict marks', async ({ repository }) => {
  const ann = await pushFirst(repository);
  const bob = repository.clone('bob');
  await bob.commit({ 'b.md': `${beta}\nBob.\n` });
  await release(ann, { 'b.md': null });
  bob.git('fetch', '--quiet');
  expect(() => bob.git('merge', '--quiet', 'origin/main')).toThrow('Command failed');

  const message = 'Git has not finished merging the file';
  const runs = [await bob.push(), await bob.push('--dry-run', '--prefer', 'folder')];
  const check = await bob.docsctl('content', 'check', 'docs', '--json');
  const status = await bob.docsctl('content', 'status', 'docs');

  for (const run of runs) expect([run.exitCode, run.stderr]).toEqual([6, expect.stringContaining(`${message}`)]);
  expect(runs[0]!.stderr).toContain('docs/b.md');
  expect([check.exitCode, check.json]).toEqual([
    9,
    [expect.objectContaining({ file: 'docs/b.md', rule: 'conflict-marks', message: expect.stringContaining(message) })],
  ]);
  expect(status.stderr).toContain(`docs/b.md: ${message}`);
  expect(await repository.texts()).toEqual({ Alpha: alpha });

  bob.git('rm', '--quiet', 'docs/b.md');
  bob.git('commit', '--quiet', '--message', 'Merge');
  const finished = await bob.push();
  expect([finished.exitCode, finished.json]).toEqual([0, expect.objectContaining({ status: 'unchanged' })]);
});
