import { expect } from 'vitest';
import { type Clone, type Repository, test } from '../support/git.ts';

const alpha = '# Alpha\n\nFirst line.\n\nSecond line.\n\nThird line.\n';
const beta = '# Beta\n\nText of beta.\n';

const byApp = (text: string) => text.replace('First line', 'First line of the app').replace('of beta', 'of the app');
const byFolder = (text: string) => text.replace('First line', 'First line here').replace('of beta', 'of the folder');

/** Both pages have a conflict in one line; the app changed another page, too. */
async function conflicting(repository: Repository): Promise<Clone> {
  const ann = repository.clone('ann');
  await ann.commit({ 'a.md': alpha, 'guide/b.md': beta, 'c.md': '# Gamma\n' });
  const run = await ann.push();
  expect(run.exitCode, run.stderr).toBe(0);
  const text = async (title: string, markdown: string) => ({
    operation: 'update_page',
    page: await repository.pageId(title),
    document: { markdown },
  });
  await repository.inApp([
    await text('Alpha', byApp(alpha)),
    await text('Beta', byApp(beta)),
    await text('Gamma', '# Gamma\n\nApp.\n'),
  ]);
  await ann.commit({ 'a.md': byFolder(alpha).replace('Third', 'Last'), 'guide/b.md': byFolder(beta) });
  return ann;
}

const marked = `# Alpha

<<<<<<< folder
First line here.
=======
First line of the app.
>>>>>>> app

Second line.

Last line.
`;

for (const command of ['pull', 'push'] as const) {
  test(`${command} --on-conflict mark merges the rest and marks the conflicts`, async ({ repository }) => {
    const ann = await conflicting(repository);
    const before = await repository.texts();

    const run = await ann[command]('--on-conflict', 'mark');
    const [a, c, texts] = [await ann.read('a.md'), await ann.read('c.md'), await repository.texts()];
    const refused = await ann.push();
    await ann.commit({ 'a.md': alpha.replace('First', 'Agreed first'), 'guide/b.md': byFolder(beta).trimEnd() });
    const pushed = await ann.push();

    expect(run.exitCode, run.stderr).toBe(6);
    if (command === 'pull') expect(JSON.parse(run.stdout)).toMatchObject({ conflicts: 2, written: 3 });
    const { error } = JSON.parse(run.stderr.trim().split('\n').at(-1) ?? '');
    expect(error.details.map(({ path }: { path: string }) => path)).toEqual(['a.md', 'guide/b.md']);
    expect(a).toBe(marked);
    expect(c).toBe('# Gamma\n\nApp.\n');
    expect(texts).toEqual(before);
    expect(refused.exitCode).toBe(6);
    expect(refused.stderr).toContain('conflict marks');
    expect(pushed.exitCode, pushed.stderr).toBe(0);
    expect(await repository.texts()).toMatchObject({
      Alpha: alpha.replace('First', 'Agreed first'),
      Gamma: '# Gamma\n\nApp.\n',
    });
  });

  test(`${command} --on-conflict and --prefer decide for all pages or for some`, async ({ repository }) => {
    const ann = await conflicting(repository);

    const stopped = await ann[command]('--on-conflict', 'stop');
    const one = await ann[command]('--prefer', 'app:docs/guide/b.md');
    const unknown = await ann[command]('--prefer', 'app:b.md');
    const contradiction = await ann[command]('--prefer', 'app', '--on-conflict', 'folder');
    const word = await ann[command]('--prefer', 'theirs');
    const both = await ann[command]('--prefer', 'app:guide/b.md', '--on-conflict', 'folder');

    expect([stopped, one, unknown, contradiction, word].map(({ exitCode }) => exitCode)).toEqual([6, 6, 2, 2, 2]);
    expect(JSON.parse(stopped.stderr).error.details).toHaveLength(2);
    expect(JSON.parse(one.stderr).error.details).toMatchObject([{ path: 'a.md' }]);
    expect(unknown.stderr).toContain('--prefer: there is no page b.md.');
    expect(both.exitCode, both.stderr).toBe(0);
    const [a, b] =
      command === 'pull'
        ? [await ann.read('a.md'), await ann.read('guide/b.md')]
        : [(await repository.texts()).Alpha, (await repository.texts()).Beta];
    expect([a, b]).toEqual([byFolder(alpha).replace('Third', 'Last'), byApp(beta)]);
  });
}

test('a conflict inside a code block is marked so that a push refuses it', async ({ repository }) => {
  const ann = repository.clone('ann');
  const code = (line: string) => `# Code\n\n\`\`\`\n${line}\n\`\`\`\n`;
  await ann.commit({ 'a.md': code('one') });
  await ann.push();
  await repository.inApp([
    { operation: 'update_page', page: await repository.pageId('Code'), document: { markdown: code('two') } },
  ]);
  await ann.commit({ 'a.md': code('three') });

  const run = await ann.pull('--on-conflict', 'mark');
  const refused = await ann.push();

  expect(run.exitCode).toBe(6);
  expect(refused.exitCode).toBe(6);
  expect(refused.stderr).toContain('a.md:1');
});

test('marking keeps what one side deleted and the other changed', async ({ repository }) => {
  const ann = repository.clone('ann');
  await ann.commit({ 'a.md': alpha, 'b.md': beta, 'c.md': '# Gamma\n' });
  await ann.push();
  await repository.inApp([
    { operation: 'delete_page', page: await repository.pageId('Alpha') },
    { operation: 'update_page', page: await repository.pageId('Beta'), document: { markdown: byApp(beta) } },
  ]);
  await ann.commit({ 'a.md': byFolder(alpha), 'b.md': null });

  const run = await ann.pull('--on-conflict', 'mark');

  expect(run.exitCode, run.stderr).toBe(6);
  expect([await ann.read('a.md'), await ann.read('b.md')]).toEqual([byFolder(alpha), byApp(beta)]);
});

test('an edit here of a page that was emptied in the app is a conflict', async ({ repository }) => {
  const ann = repository.clone('ann');
  await ann.commit({ 'a.md': alpha, 'guide/b.md': beta });
  await ann.push();
  const page = await repository.pageId('Alpha');
  await repository.inApp([{ operation: 'update_page', page, document: { markdown: '' } }]);
  await ann.commit({ 'a.md': byFolder(alpha) });

  const refused = await ann.push();
  const texts = await repository.texts();
  const chosen = await ann.push('--prefer', 'folder');

  expect(refused.exitCode, refused.stderr).toBe(6);
  expect(texts['Alpha'] ?? '').toBe('');
  expect(chosen.exitCode, chosen.stderr).toBe(0);
  expect((await repository.texts())['Alpha']).toBe(byFolder(alpha));
});

/** Two conflicts in one file, marked by a pull. */
async function markTwo(repository: Repository): Promise<Clone> {
  const ann = repository.clone('ann');
  await ann.commit({ 'a.md': alpha });
  await ann.push();
  const document = { markdown: byApp(alpha).replace('Second', 'App') };
  await repository.inApp([{ operation: 'update_page', page: await repository.pageId('Alpha'), document }]);
  await ann.commit({ 'a.md': byFolder(alpha).replace('Second', 'Own') });
  const run = await ann.pull('--on-conflict', 'mark');
  expect(run.exitCode, run.stderr).toBe(6);
  expect((await ann.read('a.md')).match(/^<{7} /gm)).toHaveLength(2);
  return ann;
}

test('of several marked conflicts, each side can win some', async ({ repository }) => {
  const ann = await markTwo(repository);
  const resolved = byApp(alpha).replace('Second', 'Own');
  await ann.commit({ 'a.md': resolved });

  const push = await ann.push();

  expect(push.exitCode, push.stderr).toBe(0);
  expect(await repository.texts()).toEqual({ Alpha: resolved });
});

test('a marked pull that was reset reverts nothing when the file is edited', async ({ repository }) => {
  const ann = await markTwo(repository);
  ann.git('checkout', '--quiet', '--', 'docs/a.md');
  await ann.commit({ 'a.md': (await ann.read('a.md')).replace('Last', 'Very last') });

  const push = await ann.push();

  expect(push.exitCode, push.stderr).toBe(6);
  expect(JSON.parse(push.stderr).error.details).toMatchObject([{ path: 'a.md' }]);
});

test('a pull with conflicts says that the checkout is older than the last push', async ({ repository }) => {
  const ann = repository.clone('ann');
  await ann.commit({ 'a.md': alpha });
  ann.git('push', '--quiet', 'origin', 'HEAD:main');
  await ann.push();
  const ben = repository.clone('ben');
  await ben.commit({ 'a.md': alpha.replace('First', 'His first') });
  ben.git('push', '--quiet', 'origin', 'HEAD:main');
  ann.git('pull', '--quiet', 'origin', 'main');
  await ann.commit({ 'a.md': alpha.replace('First', 'Her first') });
  await ann.push();

  const old = await ben.pull();
  ann.git('push', '--quiet', 'origin', 'HEAD:main');
  ben.git('pull', '--quiet', 'origin', 'main');
  const current = await ben.pull();

  expect(old.exitCode, old.stderr).toBe(6);
  expect(JSON.parse(old.stderr).error.hint).toMatch(/^This checkout \(.*\) is older .*\. Run "git pull" first, /);
  expect(current.exitCode, current.stderr).toBe(0);
});
