import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { png } from '../support/content-space.ts';
import { type Clone, type Repository, test } from '../support/git.ts';

const alpha = '# Alpha\n\nText of alpha.\n';
const beta = '# Beta\n\nText of beta.\n';

async function pushFirst(repository: Repository, files: Record<string, string | Uint8Array> = {}): Promise<Clone> {
  const ann = repository.clone('ann');
  await ann.commit({ 'a.md': alpha, 'b.md': beta, ...files });
  ann.git('push', '--quiet', 'origin', 'HEAD:main');
  const run = await ann.push();
  expect(run.exitCode, run.stderr).toBe(0);
  return ann;
}

test('a reset brings back the file that a pull removed, but not its page', async ({ repository }) => {
  await pushFirst(repository);
  const ben = repository.clone('ben');
  await repository.inApp([{ operation: 'delete_page', page: await repository.pageId('Beta') }]);

  const pull = await ben.pull();
  const again = await ben.pull();
  ben.git('reset', '--quiet', '--hard');
  const push = await ben.push();

  expect(pull.json).toMatchObject({ removed: 1 });
  expect(again.json).toMatchObject({ removed: 0, written: 0 });
  expect(push.exitCode, push.stderr).toBe(0);
  expect(await repository.texts()).toEqual({ Alpha: alpha });
});

test('the page of a renamed file that SUMMARY.md does not list stays', async ({ repository }) => {
  const ann = await pushFirst(repository, { 'SUMMARY.md': '* [Alpha](a.md)\n* [Beta](b.md)\n' });
  const id = await repository.pageId('Beta');
  await ann.rename('b.md', 'c.md');
  await ann.commit({ 'SUMMARY.md': '* [Alpha](a.md)\n* [Beta](cc.md)\n' });

  const push = await ann.push();

  expect(push.exitCode).toBe(8);
  expect((await repository.pages()).map((page) => page.id)).toContain(id);
});

test('the subpages of a page that SUMMARY.md misspells stay where they are', async ({ repository }) => {
  const linked = '# Gamma\n\nSee [Alpha](../a.md).\n';
  const summary = '* [Alpha](a.md)\n* [Beta](b.md)\n  * [Gamma](b/c.md)\n';
  const ann = await pushFirst(repository, { 'b/c.md': linked, 'SUMMARY.md': summary });
  const before = await repository.pages();
  await ann.commit({ 'SUMMARY.md': summary.replace('b.md', 'bb.md'), 'b/c.md': `${linked}\nMore.\n` });

  const push = await ann.push();
  const again = await ann.push();
  const ben = repository.clone('ben');
  const pull = await ben.pull();

  expect(push.exitCode, push.stderr).toBe(8);
  expect(push.json).toMatchObject({ changed: 1, moved: 0, deleted: 0 });
  expect(again.json).toMatchObject({ changed: 0, moved: 0 });
  expect((await repository.pages()).map(({ path }) => path)).toEqual(before.map(({ path }) => path));
  expect((await repository.texts())['Gamma']).toBe(
    `# Gamma\n\nSee [Alpha](/pages/${await repository.pageId('Alpha')}).\n\nMore.\n`,
  );
  expect(pull.exitCode, pull.stderr).toBe(0);
});

test('a file that comes back belongs to the page that --prefer app kept', async ({ repository }) => {
  const ann = await pushFirst(repository);
  const id = await repository.pageId('Beta');
  await repository.inApp([{ operation: 'update_page', page: id, title: 'Omega', slug: 'omega' }]);
  ann.git('rm', '--quiet', 'docs/b.md');
  await ann.commit({});
  const kept = await ann.push('--prefer', 'app');
  const again = await ann.push();
  ann.git('revert', '--no-edit', 'HEAD');

  const push = await ann.push();
  const resolved = await ann.push('--prefer', 'app');

  expect([kept.exitCode, push.exitCode, resolved.exitCode], resolved.stderr).toEqual([0, 6, 0]);
  expect(push.stderr).toContain('b.md (Beta): title, slug');
  expect(again.json).toMatchObject({ status: 'unchanged' });
  expect((await repository.pages()).map((page) => page.id)).toHaveLength(2);
  expect((await repository.pages()).map((page) => page.id)).toContain(id);
});

test('a page that the app moved below a page that SUMMARY.md misspells stays there', async ({ repository }) => {
  const ann = await pushFirst(repository, { 'SUMMARY.md': '* [Alpha](a.md)\n* [Beta](b.md)\n' });
  await ann.commit({ 'SUMMARY.md': '* [Alpha](aa.md)\n* [Beta](b.md)\n' });
  const [into, page] = [await repository.pageId('Alpha'), await repository.pageId('Beta')];
  await repository.inApp([{ operation: 'update_page', page, into }]);

  const pull = await ann.pull();
  const push = await ann.push();

  expect(pull.exitCode, pull.stderr).toBe(0);
  expect(push.exitCode, push.stderr).toBe(8);
  expect(push.json).toMatchObject({ moved: 0 });
  expect((await repository.pages()).map(({ path }) => path)).toEqual(['a', 'a/b']);
});

test('a pull links new pages to the renamed file that SUMMARY.md does not list', async ({ repository }) => {
  const ann = await pushFirst(repository, { 'SUMMARY.md': '* [Alpha](a.md)\n* [Beta](b.md)\n' });
  await ann.rename('b.md', 'guide/c.md');
  await ann.commit({ 'SUMMARY.md': '* [Alpha](a.md)\n* [Beta](bb.md)\n' });
  const markdown = `See [Beta](/pages/${await repository.pageId('Beta')}).`;
  await repository.inApp([{ operation: 'insert_page', title: 'New', slug: 'new', document: { markdown } }]);

  const run = await ann.pull();
  const again = await ann.pull();

  expect(run.exitCode, run.stderr).toBe(0);
  expect(await ann.read('new.md')).toContain('See [Beta](guide/c.md).');
  expect(await ann.read('guide/c.md')).toBe(beta);
  expect(again.json).toMatchObject({ written: 0, removed: 0 });
});

test('a pull after the merge of a pushed request is the base of the next pull', async ({ repository }) => {
  const ann = await pushFirst(repository);
  await ann.commit({ 'a.md': alpha.replace('Text', 'More text') });
  const request = await ann.docsctl('content', 'push', 'docs', '--new', 'Explain alpha', '--json');
  expect(request.exitCode, request.stderr).toBe(0);
  const { changeRequest } = request.json as { changeRequest: number };
  await ann.docsctl('cr', 'merge', String(changeRequest), '--open');
  const page = await repository.pageId('Alpha');
  await repository.inApp([{ operation: 'update_page', page, title: 'Omega', slug: 'omega' }]);

  const pull = await ann.pull();
  const again = await ann.pull();

  expect(pull.json, pull.stderr).toMatchObject({ removed: 1 });
  expect(again.exitCode, again.stderr).toBe(0);
  expect(again.json).toMatchObject({ written: 0, removed: 0 });
});

const typo = '* [Alpha](a.md)\n* [Beta](bb.md)\n';

test('a linked page that SUMMARY.md misspells is not uploaded as a file', async ({ repository }) => {
  const linked = `${alpha}\nSee [beta](b.md).\n`;
  const ann = await pushFirst(repository, { 'a.md': linked, 'SUMMARY.md': '* [Alpha](a.md)\n* [Beta](b.md)\n' });
  await ann.commit({ 'SUMMARY.md': typo, 'a.md': `${linked}\nMore.\n` });

  const push = await ann.push();
  const ben = repository.clone('ben');
  await ben.pull();

  expect(push.exitCode).toBe(8);
  expect(push.json).toMatchObject({ uploaded: 0, changed: 1 });
  expect((await readdir(join(ben.dir, 'docs'))).toSorted()).toEqual(['.docsctl', 'SUMMARY.md', 'a.md', 'b.md']);
});

test('an edit in the app stays after a push whose SUMMARY.md misspells the page', async ({ repository }) => {
  const ann = await pushFirst(repository, { 'SUMMARY.md': '* [Alpha](a.md)\n* [Beta](b.md)\n' });
  await ann.commit({ 'b.md': beta.replace('Text', 'Our text') });
  const page = await repository.pageId('Beta');
  const edited = beta.replace('beta.', 'beta in the app.');
  await repository.inApp([{ operation: 'update_page', page, document: { markdown: edited } }]);
  await ann.commit({ 'SUMMARY.md': typo, 'a.md': `${alpha}\nMore.\n` });
  expect((await ann.push()).exitCode).toBe(8);
  await ann.commit({ 'SUMMARY.md': '* [Alpha](a.md)\n* [Beta](b.md)\n' });

  const push = await ann.push();

  expect(push.exitCode, push.stderr).toBe(6);
  expect(await repository.texts()).toMatchObject({ Beta: edited });
});

test('pull --prefer folder removes the former file of a renamed page', async ({ repository }) => {
  const ann = await pushFirst(repository, { 'SUMMARY.md': '* [Alpha](a.md)\n* [Beta](b.md)\n' });
  await ann.commit({ 'SUMMARY.md': '* [Alpha](aa.md)\n* [Beta](b.md)\n' });
  const page = await repository.pageId('Beta');
  await repository.inApp([{ operation: 'update_page', page, title: 'Gamma', slug: 'gamma' }]);

  const pull = await ann.docsctl('content', 'pull', 'docs', '--prefer', 'folder', '--json');

  expect(pull.json, pull.stderr).toMatchObject({ removed: 1, kept: 0 });
});

test('a page that was deleted and restored elsewhere is the page of the same file on an older branch', async ({
  repository,
}) => {
  const ann = await pushFirst(repository, { 'c.md': '# Gamma\n\nRead [Beta](b.md).\n' });
  const ben = repository.clone('ben');
  await ben.commit({ 'b.md': null });
  await ben.push();
  ben.git('revert', '--no-edit', 'HEAD');
  const restored = await ben.push();
  const page = await repository.pageId('Beta');
  await ann.commit({ 'b.md': `${beta}\nMore of Ann.\n` });
  const other = repository.clone('other');
  other.git('pull', '--quiet', ann.dir, 'HEAD');

  const pull = await other.pull();
  const push = await ann.push();
  const again = await ann.push();

  expect(restored.json).toMatchObject({ added: 1 });
  expect(pull.exitCode, pull.stderr).toBe(0);
  expect(await other.read('b.md')).toBe(`${beta}\nMore of Ann.\n`);
  expect(push.exitCode, push.stderr).toBe(0);
  expect(push.json).toMatchObject({ added: 0, deleted: 0 });
  expect(again.json).toMatchObject({ status: 'unchanged' });
  expect(await repository.texts()).toEqual({
    Alpha: alpha,
    Beta: `${beta}\nMore of Ann.\n`,
    Gamma: `# Gamma\n\nRead [Beta](/pages/${page}).\n`,
  });
});

test('a page that another clone created again is pulled into a branch that has its former text', async ({
  repository,
}) => {
  const ann = await pushFirst(repository);
  const ben = repository.clone('ben');
  await repository.inApp([{ operation: 'delete_page', page: await repository.pageId('Beta') }]);
  await ben.commit({ 'b.md': `${beta}\nMore of Ben.\n` });
  const created = await ben.push('--prefer', 'folder');
  await ann.commit({ 'a.md': `${alpha}\nMore of Ann.\n` });
  const pushed = await ann.push();

  const run = await ann.pull();

  expect(created.json, created.stderr).toMatchObject({ added: 1 });
  expect(pushed.json, pushed.stderr).toMatchObject({ added: 0, deleted: 0 });
  expect(run.exitCode, run.stderr).toBe(0);
  expect(await ann.read('b.md')).toBe(`${beta}\nMore of Ben.\n`);
});

test('the same file added on two branches is one page, also if the page was renamed in the app', async ({
  repository,
}) => {
  const ann = await pushFirst(repository);
  const ben = repository.clone('ben');
  await ben.commit({ 'd.md': '# Delta\n\nText of Ben.\n' });
  await ben.push();
  await repository.inApp([
    { operation: 'update_page', page: await repository.pageId('Delta'), title: 'New delta', slug: 'new-delta' },
  ]);
  await ann.commit({ 'd.md': '# Delta\n\nText of Ann.\n' });

  const pull = await ann.pull();
  const push = await ann.push();
  const preferred = await ann.push('--prefer', 'folder');

  for (const run of [pull, push]) expect(run.exitCode, run.stderr).toBe(6);
  expect(preferred.exitCode, preferred.stderr).toBe(0);
  expect(await repository.texts()).toEqual({ Alpha: alpha, Beta: beta, Delta: '# Delta\n\nText of Ann.\n' });
});

test('a pull that was reset to a commit that somebody else had pushed before reverts nothing', async ({
  repository,
}) => {
  const ann = await pushFirst(repository);
  const ben = repository.clone('ben');
  await ben.commit({ 'a.md': alpha.replace('alpha', 'Ben') });
  ben.git('push', '--quiet', 'origin', 'HEAD:main');
  await ben.push();
  const ofApp = alpha.replace('alpha', 'the app');
  await repository.inApp([
    { operation: 'update_page', page: await repository.pageId('Alpha'), document: { markdown: ofApp } },
  ]);
  await ann.pull();
  ann.git('fetch', '--quiet', 'origin');
  ann.git('reset', '--quiet', '--hard', 'origin/main');

  const push = await ann.push();

  expect(push.exitCode, push.stderr).toBe(0);
  expect(push.json).toMatchObject({ kept: 1, changed: 0 });
  expect(await repository.texts()).toEqual({ Alpha: ofApp, Beta: beta });
});

test.for([
  ['a file', 'b.md'],
  ['a renamed file', 'c.md'],
] as const)('a pull that was reset is not known to %s that SUMMARY.md misspells', async ([, name], { repository }) => {
  const summary = '* [Alpha](a.md)\n* [Beta](b.md)\n';
  const ann = await pushFirst(repository, { 'SUMMARY.md': summary });
  const ofApp = beta.replace('beta', 'the app');
  await repository.inApp([
    { operation: 'update_page', page: await repository.pageId('Beta'), document: { markdown: ofApp } },
  ]);
  await ann.pull();
  ann.git('reset', '--quiet', '--hard');
  if (name !== 'b.md') await ann.rename('b.md', name);
  await ann.commit({ 'SUMMARY.md': summary.replace('b.md', `x${name}`) });

  const skipped = await ann.push();
  const pull = await ann.pull();
  const file = await ann.read(name);
  await ann.commit({ 'SUMMARY.md': summary.replace('b.md', name) });
  const push = await ann.push();

  expect(skipped.exitCode, skipped.stderr).toBe(8);
  expect(pull.exitCode, pull.stderr).toBe(0);
  expect(file).toBe(ofApp);
  expect(push.exitCode, push.stderr).toBe(0);
  expect(await repository.texts()).toEqual({ Alpha: alpha, Beta: ofApp });
});

test('a push from an older branch keeps the images and included texts that others replaced or renamed', async ({
  repository,
}) => {
  const home = '# Home\n\n![Pump](img/p.png) ![Valve](img/v.png)\n\n{% include ".gitbook/includes/note.md" %}\n';
  const [one, two, valve] = [png(1, 1), png(2, 2), png(3, 3)];
  const pump = '# Pump\n\n![Pump](img/p.png)\n';
  const files = {
    'home.md': home,
    'pump.md': pump,
    'img/p.png': one,
    'img/v.png': valve,
    '.gitbook/includes/note.md': 'Note.\n',
  };
  const ann = await pushFirst(repository, files);
  const ben = repository.clone('ben');
  await ann.rename('img/v.png', 'img/w.png');
  const edited = { 'img/p.png': two, '.gitbook/includes/note.md': 'Note of Ann.\n' };
  await ann.commit({ ...edited, 'home.md': home.replace('v.png', 'w.png') });
  await ann.push();
  await ben.commit({ 'b.md': `${beta}\nMore.\n` });

  const push = await ben.push();
  const second = await ben.push();
  await ben.commit({ 'home.md': `${home}\nMore of Ben.\n`, 'pump.md': `${pump}\nMore of Ben.\n` });
  const third = await ben.push();
  const pulls = [await ann.pull(), await ben.pull(), await ann.docsctl('content', 'pull', 'fresh', '--json')];
  const again = [await ann.pull(), await ben.pull()];

  expect(push.exitCode, push.stderr).toBe(0);
  expect(push.json).toMatchObject({ changed: 1, uploaded: 0 });
  expect(second.json).toMatchObject({ status: 'unchanged' });
  expect(third.exitCode, third.stderr).toBe(0);
  expect((await repository.texts())['Pump']).toMatch(/\(\/img\/p-\w+\.png\)\n\nMore of Ben\.\n$/);
  for (const run of [...pulls, ...again]) expect(run.exitCode, run.stderr).toBe(0);
  for (const folder of [join(ann.dir, 'docs'), join(ben.dir, 'docs'), join(ann.dir, 'fresh')]) {
    expect(await readFile(join(folder, 'img/p.png'))).toEqual(Buffer.from(two));
    expect(await readFile(join(folder, '.gitbook/includes/note.md'), 'utf8')).toBe('Note of Ann.\n');
  }
  for (const folder of ['docs', 'fresh'].map((name) => join(ann.dir, name))) {
    expect(await readFile(join(folder, 'img/w.png'))).toEqual(Buffer.from(valve));
    const text = `${home.replace('v.png', 'w.png')}\nMore of Ben.\n`;
    expect(await readFile(join(folder, 'home.md'), 'utf8')).toBe(text);
    expect(await readFile(join(folder, 'pump.md'), 'utf8')).toBe(`${pump}\nMore of Ben.\n`);
  }
  for (const run of again) expect(run.json).toMatchObject({ written: 0, removed: 0 });
});

test('a revert of a commit that was pushed beside uncommitted files is sent, and those stay', async ({
  repository,
}) => {
  const ann = await pushFirst(repository, { 'c.md': '# Gamma\n\nText.\n', 'img/p.png': png(1, 1) });
  await ann.commit({ 'a.md': alpha.replace('Text', 'New text') });
  ann.git('push', '--quiet', 'origin', 'HEAD:main');
  await writeFile(join(ann.dir, 'docs/b.md'), `${beta}\nNot committed.\n`);
  await writeFile(join(ann.dir, 'docs/d.md'), '# Delta\n');
  const pushed = await ann.push();
  const ben = repository.clone('ben');
  ben.git('revert', '--no-edit', 'HEAD');

  const revert = await ben.push();
  const second = await ben.push();
  const texts = await repository.texts();
  const pull = await ben.pull();

  for (const run of [pushed, revert, second, pull]) expect(run.exitCode, run.stderr).toBe(0);
  expect(revert.json).toMatchObject({ changed: 1, deleted: 0, kept: 2 });
  expect(second.json).toMatchObject({ status: 'unchanged' });
  expect(texts).toMatchObject({ Alpha: alpha, Beta: `${beta}\nNot committed.\n`, Delta: '# Delta\n' });
  expect(await ben.read('b.md')).toBe(`${beta}\nNot committed.\n`);
});

test('a page of the app that shows an image from before its replacement shows the new one after pull and push', async ({
  repository,
}) => {
  const ann = await pushFirst(repository, { 'c.md': '![Pump](img/p.png)\n', 'img/p.png': png(1, 1) });
  const document = { markdown: '![Pump](/img/p.png)\n' };
  await repository.inApp([{ operation: 'insert_page', title: 'Delta', slug: 'd', document }]);
  await ann.commit({ 'img/p.png': png(2, 2) });
  await ann.push();

  const pull = await ann.pull();
  const pulled = await ann.read('d.md');
  const push = await ann.push();
  const again = [await ann.push(), await ann.pull()];

  for (const run of [pull, push, ...again]) expect(run.exitCode, run.stderr).toBe(0);
  expect(pulled).toContain('![Pump](img/p.png)');
  expect(push.json).toMatchObject({ changed: 1, uploaded: 0 });
  expect((await repository.texts())['Delta']).toMatch(/^!\[Pump\]\(\/img\/p-\w+\.png\)$/m);
  expect(again.map(({ json }) => json)).toMatchObject([{ status: 'unchanged' }, { written: 0 }]);
});

test('a page that another clone created again is kept where SUMMARY.md misspells it, with status 8', async ({
  repository,
}) => {
  const summary = '* [Alpha](a.md)\n* [Beta](b.md)\n';
  const ann = await pushFirst(repository, { 'SUMMARY.md': summary });
  const ben = repository.clone('ben');
  await repository.inApp([{ operation: 'delete_page', page: await repository.pageId('Alpha') }]);
  await ben.commit({ 'a.md': `${alpha}\nOf Ben.\n` });
  const created = await ben.push('--prefer', 'folder');
  await ann.commit({ 'SUMMARY.md': summary.replace('a.md', 'aa.md') });

  const push = await ann.push();

  expect(created.exitCode, created.stderr).toBe(0);
  expect(push.exitCode, push.stderr).toBe(8);
  expect(await repository.texts()).toEqual({ Alpha: `${alpha}\nOf Ben.\n`, Beta: beta });
});

test('a page whose file is skipped and not committed is deleted by no other clone', async ({ repository }) => {
  const ann = await pushFirst(repository);
  const ben = repository.clone('ben');
  await repository.inApp([
    { operation: 'insert_page', title: 'Gamma', slug: 'c', document: { markdown: '# Gamma\n' } },
  ]);
  await ann.pull();
  await ben.commit({ 'SUMMARY.md': '* [Alpha](aa.md)\n* [Beta](b.md)\n' });
  ben.git('push', '--quiet', 'origin', 'HEAD:main');
  ann.git('pull', '--quiet', 'origin', 'main');

  const skipped = await ann.push();
  await ben.commit({ 'b.md': `${beta}\nOf Ben.\n` });
  const push = await ben.push();

  expect(skipped.exitCode, skipped.stderr).toBe(8);
  expect(push.exitCode, push.stderr).toBe(8);
  expect(push.json).toMatchObject({ changed: 1, deleted: 0 });
  expect(Object.keys(await repository.texts())).toEqual(['Alpha', 'Beta', 'Gamma']);
});
