import { expect } from 'vitest';
import { type Clone, type Repository, test } from '../support/git.ts';

const summary = `# Docs

<!-- Ours. -->

* [Alpha](a.md)
  * [Beta](b.md)
* [Gamma](c.md)
* [Elsewhere](https://example.com)

## Reference

* [Delta](d.md)
`;

async function pushFirst(repository: Repository): Promise<Clone> {
  const ann = repository.clone('ann');
  await ann.commit({
    'a.md': '# Alpha\n',
    'b.md': '# Beta\n',
    'c.md': '# Gamma\n',
    'd.md': '# Delta\n',
    'SUMMARY.md': summary,
  });
  ann.git('push', '--quiet', 'origin', 'HEAD:main');
  const run = await ann.push();
  expect(run.exitCode, run.stderr).toBe(0);
  return ann;
}

test('a page that was deleted in the app goes with its entry', async ({ repository }) => {
  const ann = await pushFirst(repository);
  await repository.inApp([{ operation: 'delete_page', page: await repository.pageId('Gamma') }]);

  const run = await ann.pull();
  const again = await ann.pull();

  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.json).toMatchObject({ removed: 1, written: 1, merged: 0 });
  expect(await ann.read('SUMMARY.md')).toBe(summary.replace('* [Gamma](c.md)\n', ''));
  expect(again.json).toMatchObject({ removed: 0, written: 0 });
});

test('pages that both sides moved, added and deleted are merged into one list', async ({ repository }) => {
  const ann = await pushFirst(repository);
  await repository.inApp([
    { operation: 'update_page', page: await repository.pageId('Beta'), into: await repository.pageId('Reference') },
    { operation: 'insert_page', title: 'App', slug: 'app', document: { markdown: '# App\n' } },
    { operation: 'delete_page', page: await repository.pageId('Delta') },
  ]);
  const moved = summary
    .replace('* [Gamma](c.md)\n', '')
    .replace('* [Alpha](a.md)', '* [Gamma](c.md)\n* [Alpha](a.md)')
    .replace('* [Beta](b.md)', '* [Beta](b.md)\n  * [New](new.md)');
  await ann.commit({ 'SUMMARY.md': moved, 'new.md': '# New\n' });

  const run = await ann.pull();
  const again = await ann.pull();
  const pushed = await ann.push();

  expect(run.exitCode, run.stderr).toBe(0);
  expect(await ann.read('SUMMARY.md')).toBe(`# Docs

<!-- Ours. -->

* [Gamma](c.md)
* [Alpha](a.md)
  * [New](new.md)
* [Elsewhere](https://example.com)

## Reference

* [Beta](b.md)

---

* [App](app.md)
`);
  expect(run.json).toMatchObject({ merged: 1, removed: 1 });
  expect(again.json).toMatchObject({ written: 0, removed: 0 });
  expect(pushed.json, pushed.stderr).toMatchObject({ added: 1, deleted: 0, kept: 0, merged: 0 });
});

test('a page that both sides moved to different places is a conflict', async ({ repository }) => {
  const ann = await pushFirst(repository);
  await repository.inApp([
    { operation: 'update_page', page: await repository.pageId('Beta'), into: await repository.pageId('Gamma') },
  ]);
  await ann.commit({
    'SUMMARY.md': summary
      .replace('  * [Beta](b.md)\n', '')
      .replace('* [Delta](d.md)', '* [Delta](d.md)\n  * [Beta](b.md)'),
  });

  const [pulled, pushed] = [await ann.pull(), await ann.push()];
  const app = await ann.pull('--prefer', 'app');

  for (const run of [pulled, pushed]) {
    expect(run.exitCode).toBe(6);
    expect(JSON.parse(run.stderr.trim().split('\n').at(-1) ?? '').error.details).toEqual([
      { path: 'b.md', message: 'b.md (Beta): parent' },
    ]);
  }
  expect(app.exitCode, app.stderr).toBe(0);
  expect(await ann.read('SUMMARY.md')).toBe(
    summary.replace('  * [Beta](b.md)\n', '').replace('* [Gamma](c.md)', '* [Gamma](c.md)\n  * [Beta](b.md)'),
  );
});

test('a new SUMMARY.md lists files that cannot be read where their pages are, and the pull ends with status 8', async ({
  repository,
}) => {
  const ann = repository.clone('ann');
  await ann.commit({ 'a.md': '# Alpha\n\nText.\n', 'b.md': '# Beta\n', 'c d.md': '# Gamma\n' });
  await ann.push();
  await ann.commit({ 'a.md': Buffer.from('# Alpha\n\nCaf\xe9.\n', 'latin1'), 'e f.md': '# New\n' });
  await repository.inApp([
    { operation: 'update_page', page: await repository.pageId('Alpha'), title: 'Omega', slug: 'omega' },
    { operation: 'update_page', page: await repository.pageId('Gamma'), into: null, at: 0 },
  ]);

  const run = await ann.pull();
  const text = await ann.read('SUMMARY.md');
  const again = await ann.pull();

  expect([run.exitCode, again.exitCode]).toEqual([8, 8]);
  expect(run.stderr).toContain('a.md is kept: its page was moved in the space, and the file cannot be read.');
  expect(text).toBe('# Table of contents\n\n- [Gamma](c%20d.md)\n- [Omega](a.md)\n- [Beta](b.md)\n- [New](e%20f.md)\n');
  expect(JSON.parse(again.stdout)).toMatchObject({ written: 0, removed: 0, leftOut: 1 });
});

test('entries of files that cannot be read or are missing stay', async ({ repository }) => {
  const ann = await pushFirst(repository);
  const own = summary.replace('* [Gamma](c.md)', '* [Gamma](c.md)\n* [Typo](typpo.md)');
  await ann.commit({ 'SUMMARY.md': own, 'b.md': Buffer.from('# Beta\n\nCaf\xe9.\n', 'latin1') });
  await repository.inApp([
    {
      operation: 'insert_page',
      title: 'App',
      slug: 'app',
      into: await repository.pageId('Gamma'),
      document: { markdown: '# App\n' },
    },
  ]);

  const run = await ann.pull();

  expect(run.json).toMatchObject({ removed: 0 });
  expect(await ann.read('SUMMARY.md')).toBe(own.replace('* [Typo]', '  * [App](c/app.md)\n* [Typo]'));
});

test('--prune does not delete SUMMARY.md, and a file that was deleted without its entry stays deleted', async ({
  repository,
}) => {
  const ann = await pushFirst(repository);
  await ann.commit({ 'c.md': null });

  const status = await ann.docsctl('content', 'status', 'docs', '--json');
  const run = await ann.pull();
  const pruned = await ann.pull('--prune');
  const pushed = await ann.push();

  expect(status.json).toEqual([]);
  expect(run.json, run.stderr).toMatchObject({ written: 0, removed: 0 });
  expect(pruned.json, pruned.stderr).toMatchObject({ written: 0, removed: 0 });
  expect(await ann.read('SUMMARY.md')).toBe(summary);
  expect(pushed.exitCode).toBe(8);
  expect(pushed.stderr).toContain('There is no page c.md; "Gamma" is skipped.');
  expect(await repository.pageId('Gamma')).toBeDefined();
});
