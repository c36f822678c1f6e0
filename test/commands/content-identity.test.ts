import { access, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Clone, type Repository, test } from '../support/git.ts';

const alpha = '# Alpha\n\nFirst line.\n\nSecond line.\n\nThird line.\n';
const beta = '# Beta\n\nText of beta.\n';

async function pushFirst(repository: Repository, files: Record<string, string> = {}): Promise<Clone> {
  const ann = repository.clone('ann');
  await ann.commit({ 'a.md': alpha, 'b.md': beta, ...files });
  ann.git('push', '--quiet', 'origin', 'HEAD:main');
  const run = await ann.push();
  expect(run.exitCode, run.stderr).toBe(0);
  return ann;
}

const exists = (clone: Clone, file: string) =>
  access(join(clone.dir, 'docs', file)).then(
    () => true,
    () => false,
  );

for (const flags of [[], ['--prefer', 'folder'], ['--prefer', 'app']]) {
  test(`another title and slug in the app and an edit in the folder are a rename and an edit ${flags.join(' ')}`, async ({
    repository,
  }) => {
    const ann = await pushFirst(repository);
    const id = await repository.pageId('Alpha');
    await repository.inApp([{ operation: 'update_page', page: id, title: 'Omega', slug: 'omega' }]);
    await ann.commit({ 'a.md': alpha.replace('Third', 'Newer third') });

    const run = await ann.push(...flags);
    const pages = await repository.pages();
    const texts = await repository.texts();
    const pulled = await ann.pull(...flags);
    const again = await ann.push(...flags);

    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.json).toMatchObject({ added: 0, deleted: 0, changed: 1 });
    expect(pages.map((page) => [page.id, page.title, page.path])).toContainEqual([id, 'Omega', 'omega']);
    expect(pages).toHaveLength(2);
    expect(texts.Omega).toContain('Newer third');
    expect(pulled.exitCode, pulled.stderr).toBe(0);
    expect(again.exitCode, again.stderr).toBe(0);
    expect(again.json).toMatchObject({ added: 0, changed: 0, deleted: 0 });
    expect((await repository.pages()).map((page) => [page.id, page.title])).toContainEqual([id, 'Omega']);
  });
}

test('a file that was renamed, and also edited, stays the same page', async ({ repository }) => {
  const ann = await pushFirst(repository);
  const ids = [await repository.pageId('Alpha'), await repository.pageId('Beta')];
  await ann.rename('a.md', 'guide/alpha.md');
  ann.git('mv', 'docs/b.md', 'docs/c.md');
  await ann.commit({ 'guide/alpha.md': alpha.replace('# Alpha', '# First').replace('Third', 'Newer third') });
  ann.git('push', '--quiet', 'origin', 'HEAD:main');

  const run = await repository.job('job', ann.git('rev-parse', 'HEAD')).push();
  const again = await ann.push();

  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.json).toMatchObject({ deleted: 0 });
  expect([await repository.pageId('First'), await repository.pageId('Beta')]).toEqual(ids);
  expect(again.json, again.stderr).toMatchObject({ status: 'unchanged' });
});

test('a file that was moved and rewritten keeps its page, and another one with the same name is new', async ({
  repository,
}) => {
  const ann = await pushFirst(repository, {
    'guide/c.md': '# Gamma\n',
    'one/d.md': '# Delta\n',
    'two/d.md': '# Delta 2\n',
  });
  const ids = [await repository.pageId('Alpha'), await repository.pageId('Delta'), await repository.pageId('Delta 2')];
  const words = { 'guide/a.md': '# Other\n\nNothing is as it was.\n', 'three/d.md': '# Third\n\nSomething else.\n' };
  await ann.commit({ ...words, 'a.md': null, 'one/d.md': null, 'two/d.md': null });

  const run = await ann.push();
  const again = await ann.push();

  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.json).toMatchObject({ added: 2 });
  expect(await repository.pageId('Other')).toBe(ids[0]);
  expect(ids).not.toContain(await repository.pageId('Third'));
  expect(again.json, again.stderr).toMatchObject({ status: 'unchanged' });
});

test('a file that was deleted here is not written by a pull, and a push deletes its page', async ({ repository }) => {
  const ann = await pushFirst(repository);
  await ann.commit({ 'b.md': null });

  const pulled = await ann.pull();
  const present = await exists(ann, 'b.md');
  const run = await ann.push();
  const again = await ann.pull();

  expect(pulled.exitCode, pulled.stderr).toBe(0);
  expect(pulled.json).toMatchObject({ written: 0 });
  expect(present).toBe(false);
  expect(run.json, run.stderr).toMatchObject({ deleted: 1 });
  expect(again.json).toMatchObject({ written: 0, removed: 0 });
  expect(await exists(ann, 'b.md')).toBe(false);
});

test('a page that was deleted on one side and changed on the other is a conflict of a pull', async ({ repository }) => {
  const ann = await pushFirst(repository);
  await repository.inApp([
    { operation: 'delete_page', page: await repository.pageId('Alpha') },
    { operation: 'update_page', page: await repository.pageId('Beta'), document: { markdown: '# Beta\n\nApp.\n' } },
  ]);
  await ann.commit({ 'a.md': alpha.replace('Third', 'Newer third'), 'b.md': null });

  const run = await ann.pull();
  const app = await ann.pull('--prefer', 'app');

  expect(run.exitCode).toBe(6);
  expect(JSON.parse(run.stderr).error.details).toEqual([
    { path: 'b.md', message: 'b.md (Beta): deleted here, changed in the app' },
    { path: 'a.md', message: 'a.md (Alpha): deleted in the app, changed here' },
  ]);
  expect(app.exitCode, app.stderr).toBe(0);
  expect(await ann.read('b.md')).toBe('# Beta\n\nApp.\n');
  expect(await exists(ann, 'a.md')).toBe(false);
});

test('a page whose file cannot be read stays, is reported, and ends with status 8', async ({ repository }) => {
  const names = ['latin.md', 'linked.md', 'app.mdx', 'typo.md'];
  const summary = (files: readonly string[]) => `# Docs\n\n${files.map((file) => `* [${file}](${file})\n`).join('')}`;
  const ann = repository.clone('ann');
  await ann.commit({
    'a.md': alpha,
    'b.md': beta,
    ...Object.fromEntries(names.map((name) => [name, `# ${name}\n\nText.\n`])),
    'SUMMARY.md': summary(['a.md', 'b.md', ...names]),
  });
  const first = await ann.push('--mdx');
  await rm(join(ann.dir, 'docs/linked.md'));
  await symlink('nowhere.md', join(ann.dir, 'docs/linked.md'));
  await ann.commit({
    'a.md': null,
    'latin.md': Buffer.from('# latin.md\n\nCaf\xe9.\n', 'latin1'),
    'SUMMARY.md': summary(['b.md', 'latin.md', 'linked.md', 'app.mdx', 'typpo.md']),
  });

  const run = await ann.push();
  const again = await ann.push();
  const pulled = await ann.pull();

  expect(first.exitCode, first.stderr).toBe(0);
  expect([run.exitCode, again.exitCode]).toEqual([8, 8]);
  expect(JSON.parse(run.stdout)).toMatchObject({ deleted: 1, leftOut: 4 });
  for (const name of ['latin.md', 'linked.md', 'app.mdx', 'typpo.md']) expect(run.stderr).toContain(name);
  expect(Object.keys(await repository.texts()).toSorted()).toEqual(['Beta', ...names].toSorted());
  expect(JSON.parse(again.stdout)).toMatchObject({ status: 'unchanged', leftOut: 4 });
  expect(pulled.json).toMatchObject({ written: 0, removed: 0 });
});

test('a push that deletes many pages needs --max-deletions', async ({ repository }) => {
  const names = Array.from({ length: 20 }, (_, index) => `p${index}.md`);
  const ann = await pushFirst(repository, Object.fromEntries(names.map((name) => [name, `# ${name}\n\nText.\n`])));
  await ann.commit(Object.fromEntries(names.slice(0, 11).map((name) => [name, null])));

  const refused = await ann.push();
  const few = await ann.push('--max-deletions', '10');
  const before = await repository.pages();
  const run = await ann.push('--max-deletions', '11');

  expect([refused.exitCode, few.exitCode]).toEqual([2, 6]);
  expect(refused.stderr).toContain('--max-deletions 11');
  expect(before).toHaveLength(22);
  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.json).toMatchObject({ deleted: 11 });
});

test('the same file added on both sides is one page', async ({ repository }) => {
  const ann = await pushFirst(repository);
  const ben = repository.clone('ben');
  const pages = ['same', 'other'];
  await repository.inApp(
    pages.map((slug) => ({
      operation: 'insert_page',
      title: slug,
      slug,
      document: { markdown: `# ${slug}\n\nText.\n` },
    })),
  );
  const files = { 'same.md': '# same\n\nText.\n', 'other.md': '# other\n\nAnother text.\n' };
  await ann.commit(files);
  await ben.commit(files);

  const [pushed, pulled] = [await ann.push(), await ben.pull()];
  const folder = await ann.push('--prefer', 'folder');

  for (const run of [pushed, pulled]) {
    expect(run.exitCode, run.stderr).toBe(6);
    expect(JSON.parse(run.stderr).error.details).toMatchObject([{ path: 'other.md' }]);
  }
  expect(folder.exitCode, folder.stderr).toBe(0);
  expect(await repository.pages()).toHaveLength(4);
  expect((await repository.texts()).other).toBe('# other\n\nAnother text.\n');
});

test('a file that is too large is left out, and ends with status 8', async ({ repository }) => {
  const ann = await pushFirst(repository);
  await ann.commit({ 'b.md': '# Beta\n\n![Large](large.png)\n', 'large.png': Buffer.alloc(1_100_000, 1) });

  const run = await ann.push();
  const again = await ann.push();

  expect([run.exitCode, again.exitCode]).toEqual([8, 8]);
  expect(JSON.parse(run.stdout)).toMatchObject({ changed: 1, uploaded: 0, leftOut: 1 });
  expect(JSON.parse(again.stdout)).toMatchObject({ changed: 0, leftOut: 1 });
  expect(run.stderr).toContain('large.png is 1.1 MB');
});
