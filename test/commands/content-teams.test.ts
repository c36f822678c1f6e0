import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Docs, test } from '../support/docs.ts';

let seconds = Date.UTC(2027, 0, 4) / 1000;

/** Runs git in a folder of the home; each commit is a day younger than the one before. */
function git(docs: Docs, folder: string, ...args: string[]): string {
  if (args[0] === 'commit') seconds += 86_400;
  const date = `${seconds} +0000`;
  const person = { NAME: 'Ann', EMAIL: 'ann@example.org', DATE: date };
  const people = ['AUTHOR', 'COMMITTER'].flatMap((role) =>
    Object.entries(person).map(([key, value]) => [`GIT_${role}_${key}`, value]),
  );
  const env = { PATH: process.env.PATH, HOME: docs.dir, GIT_CONFIG_GLOBAL: '/dev/null', ...Object.fromEntries(people) };
  return execFileSync('git', args, {
    cwd: join(docs.dir, folder),
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  }).toString();
}

const alpha = `# Alpha\n\nFirst line.\n\nSecond line.\n\n${'More words that stay. '.repeat(10)}\n`;

function commit(docs: Docs, clone: string): string {
  git(docs, clone, 'add', '--all', 'docs');
  git(docs, clone, 'commit', '--quiet', '--message', 'Change');
  return git(docs, clone, 'rev-parse', 'HEAD').trim();
}

const content = (docs: Docs, clone: string, ...words: string[]) =>
  docs.docsctl('content', ...words, '--json', { cwd: join(docs.dir, clone) });

const push = (docs: Docs, clone: string, ...flags: string[]) =>
  content(docs, clone, 'push', 'docs', '--merge', ...flags);

/** A repository with three pages that was pushed from the clone "ann". */
async function begin(docs: Docs): Promise<void> {
  await docs.write({
    'ann/docs/a.md': alpha,
    'ann/docs/b.md': '# Beta\n\nText of beta.\n',
    'ann/docs/c.md': '# Gamma\n\nText of gamma.\n',
  });
  git(docs, 'ann', 'init', '--quiet', '--initial-branch=main');
  commit(docs, 'ann');
  const run = await push(docs, 'ann');
  expect(run.exitCode, run.stderr).toBe(0);
}

const clone = (docs: Docs, name: string, ...flags: string[]) =>
  git(docs, '.', 'clone', '--quiet', ...flags, `file://${join(docs.dir, 'ann')}`, name);

test('a checkout that is older than the last push sends nothing', async ({ docs }) => {
  await begin(docs);
  clone(docs, 'late');
  await docs.write({ 'ann/docs/a.md': `${alpha}\nThird line.\n`, 'ann/docs/new.md': '# New\n' });
  const last = commit(docs, 'ann');
  await push(docs, 'ann');
  git(docs, 'late', 'fetch', '--quiet');
  const before = await docs.texts();

  const late = await push(docs, 'late');
  const asNew = await content(docs, 'late', 'push', 'docs', '--new', 'Late');
  const skipped = await push(docs, 'late', '--if-stale', 'skip');
  const again = await push(docs, 'ann');

  expect(late.exitCode).toBe(6);
  expect(late.stderr).toMatch(/This checkout \(\w{7}, Jan \d+\) is older than the last push \(\w{7}, Jan \d+\)\./);
  expect(late.stderr).toContain(last.slice(0, 7));
  expect(asNew.exitCode).toBe(6);
  expect(skipped.exitCode).toBe(0);
  expect(skipped.json).toMatchObject({ status: 'stale', changed: 0, deleted: 0 });
  expect(again.json).toMatchObject({ status: 'unchanged' });
  expect(await docs.texts()).toEqual(before);
});

test('a shallow clone of an older commit sends nothing, and one of the last commit nothing new', async ({ docs }) => {
  await begin(docs);
  clone(docs, 'late', '--depth=1');
  await docs.write({ 'ann/docs/a.md': `${alpha}\nThird line.\n` });
  commit(docs, 'ann');
  await push(docs, 'ann');
  clone(docs, 'same', '--depth=1');
  await docs.write({ 'ann/docs/b.md': '# Beta\n\nOther text.\n' });
  commit(docs, 'ann');
  clone(docs, 'next', '--depth=1');

  const late = await push(docs, 'late');
  const same = await push(docs, 'same');
  const next = await push(docs, 'next');

  expect(late.exitCode, late.stderr).toBe(6);
  expect(same.json).toMatchObject({ status: 'unchanged' });
  expect(next.json).toMatchObject({ status: 'merged', changed: 1, deleted: 0 });
});

test('a shallow clone that cannot know its history is told what to fetch', async ({ docs }) => {
  await begin(docs);
  git(docs, 'ann', 'checkout', '--quiet', '-b', 'other');
  for (const line of ['one', 'two', 'three']) {
    await docs.write({ 'ann/docs/a.md': `${alpha}\nLine ${line}.\n` });
    commit(docs, 'ann');
  }
  clone(docs, 'shallow', '--depth=1');

  const run = await push(docs, 'shallow');
  git(docs, 'shallow', 'fetch', '--quiet', '--unshallow');
  const fetched = await push(docs, 'shallow');

  expect(run.exitCode).toBe(6);
  expect(run.stderr).toContain('git fetch --unshallow');
  expect(fetched.json).toMatchObject({ status: 'merged', changed: 1 });
});

test('a page deleted in the app stays deleted after a pull and a push', async ({ docs }) => {
  await begin(docs);
  await docs.inApp([{ operation: 'delete_page', page: await docs.pageId('Beta') }]);

  const pulled = await content(docs, 'ann', 'pull', 'docs');
  const pushed = await push(docs, 'ann');

  expect(pulled.json).toMatchObject({ removed: 1 });
  expect(existsSync(join(docs.dir, 'ann/docs/b.md'))).toBe(false);
  expect(pushed.json).toMatchObject({ added: 0 });
  expect(Object.keys(await docs.texts())).toEqual(['Alpha', 'Gamma']);
});

test('a page deleted here is not written by a pull, and is deleted by the next push', async ({ docs }) => {
  await begin(docs);
  await rm(join(docs.dir, 'ann/docs/b.md'));

  const pulled = await content(docs, 'ann', 'pull', 'docs');
  const again = await content(docs, 'ann', 'pull', 'docs');
  const pushed = await push(docs, 'ann');

  for (const run of [pulled, again]) expect(run.json).toMatchObject({ written: 0, removed: 0 });
  expect(pushed.json).toMatchObject({ deleted: 1 });
  expect(Object.keys(await docs.texts())).toEqual(['Alpha', 'Gamma']);
});

test('a page deleted here and changed in the app is a conflict', async ({ docs }) => {
  await begin(docs);
  const page = await docs.pageId('Beta');
  await docs.inApp([{ operation: 'update_page', page, document: { markdown: '# Beta\n\nOf the app.\n' } }]);
  await rm(join(docs.dir, 'ann/docs/b.md'));

  const pulled = await content(docs, 'ann', 'pull', 'docs');
  const pushed = await push(docs, 'ann');
  const preferred = await content(docs, 'ann', 'pull', 'docs', '--prefer', 'app');

  expect(pulled.exitCode).toBe(6);
  expect(pulled.stderr).toContain('b.md (Beta): deleted here, changed in the app');
  expect(pushed.exitCode).toBe(6);
  expect(preferred.json).toMatchObject({ written: 1 });
  expect(await readFile(join(docs.dir, 'ann/docs/b.md'), 'utf8')).toBe('# Beta\n\nOf the app.\n');
});

test('a new title and slug in the app and an edit here are merged', async ({ docs }) => {
  await begin(docs);
  const page = await docs.pageId('Alpha');
  await docs.inApp([{ operation: 'update_page', page, title: 'Omega', slug: 'omega' }]);
  const edited = alpha.replace('Second', 'Other');
  await docs.write({ 'ann/docs/a.md': edited });

  const pulled = await content(docs, 'ann', 'pull', 'docs');
  const pushed = await push(docs, 'ann');
  const pages = await docs.pages();

  expect(pulled.exitCode, pulled.stderr).toBe(0);
  expect(pushed.exitCode, pushed.stderr).toBe(0);
  expect(pushed.json).toMatchObject({ status: 'merged', added: 0, deleted: 0, changed: 1 });
  expect(pages.filter(({ id }) => id === page)).toMatchObject([{ title: 'Omega', path: 'omega' }]);
  expect(pages).toHaveLength(3);
  expect((await docs.texts())['Omega']).toContain('Other line.');
});

test('a renamed and edited file keeps its page', async ({ docs }) => {
  await begin(docs);
  const page = await docs.pageId('Alpha');
  git(docs, 'ann', 'mv', 'docs/a.md', 'docs/other.md');
  await docs.write({ 'ann/docs/other.md': alpha.replace('# Alpha', '# Other').replace('Second', 'Another') });
  commit(docs, 'ann');

  const run = await push(docs, 'ann');

  expect(run.json).toMatchObject({ added: 0, deleted: 0 });
  expect(await docs.pageId('Other')).toBe(page);
});

test('a file that cannot be read keeps its page, and the push ends with status 8', async ({ docs }) => {
  await begin(docs);
  await writeFile(join(docs.dir, 'ann/docs/b.md'), Buffer.from('# Beta\n\nCaf\u00e9.\n', 'latin1'));
  await docs.write({ 'ann/docs/a.md': `${alpha}\nThird line.\n` });
  commit(docs, 'ann');

  const run = await push(docs, 'ann');
  const again = await push(docs, 'ann');

  expect(run.exitCode).toBe(8);
  expect(run.json).toMatchObject({ status: 'merged', changed: 1, deleted: 0 });
  expect(run.stderr).toContain('docs/b.md:3: The file is not UTF-8 and is skipped.');
  expect(again.exitCode).toBe(8);
  expect((await docs.texts())['Beta']).toBe('# Beta\n\nText of beta.\n');
});

test('a pull that cannot read the file of a renamed page does not make its new title known', async ({ docs }) => {
  await begin(docs);
  await writeFile(join(docs.dir, 'ann/docs/b.md'), Buffer.from('# Beta\n\nCaf\u00e9.\n', 'latin1'));
  commit(docs, 'ann');
  await docs.inApp([
    { operation: 'update_page', page: await docs.pageId('Beta'), title: 'Beta of the app', slug: 'other' },
    { operation: 'update_page', page: await docs.pageId('Alpha'), document: { markdown: '# Alpha\n\nThe app.\n' } },
  ]);
  const pulled = await content(docs, 'ann', 'pull', 'docs');
  const again = await content(docs, 'ann', 'pull', 'docs');
  await docs.write({ 'ann/docs/b.md': '# Beta\n\nText of Ann.\n' });
  commit(docs, 'ann');

  const run = await push(docs, 'ann');

  expect([pulled.exitCode, again.exitCode]).toEqual([8, 8]);
  expect(again.json).toMatchObject({ written: 0, removed: 0 });
  expect(run.exitCode, run.stderr).toBe(0);
  expect(await docs.texts()).toMatchObject({
    Alpha: '# Alpha\n\nThe app.\n',
    'Beta of the app': '# Beta\n\nText of Ann.\n',
  });
});

test('a pull does not pass over the deletion of a page whose file cannot be read', async ({ docs }) => {
  await begin(docs);
  await writeFile(join(docs.dir, 'ann/docs/b.md'), Buffer.from('# Beta\n\nCaf\u00e9.\n', 'latin1'));
  commit(docs, 'ann');
  await docs.inApp([{ operation: 'delete_page', page: await docs.pageId('Beta') }]);

  const run = await content(docs, 'ann', 'pull', 'docs');
  const isKept = existsSync(join(docs.dir, 'ann/docs/b.md'));
  const preferred = await content(docs, 'ann', 'pull', 'docs', '--prefer', 'app');

  expect(run.exitCode).toBe(6);
  expect(run.stderr).toContain('b.md');
  expect(isKept).toBe(true);
  expect(preferred.exitCode, preferred.stderr).toBe(0);
  expect(existsSync(join(docs.dir, 'ann/docs/b.md'))).toBe(false);
});

test.for(['in Git', 'without Git'])(
  'a page that was moved and that SUMMARY.md lists under a wrong name keeps its place and its links, %s',
  async (where, { docs }) => {
    await begin(docs);
    if (where === 'without Git') await rm(join(docs.dir, 'ann/.git'), { recursive: true });
    const linking = (to: string) => `${alpha}\nSee [Beta](${to}).\n`;
    await docs.write({ 'ann/docs/a.md': linking('b.md') });
    if (where === 'in Git') commit(docs, 'ann');
    await push(docs, 'ann');
    await docs.write({
      'ann/docs/a.md': linking('a/b.md'),
      'ann/docs/a/b.md': '# Beta\n\nText of beta.\n',
      'ann/docs/SUMMARY.md': '* [Alpha](a.md)\n  * [Beta](x/b.md)\n* [Gamma](c.md)\n',
    });
    await rm(join(docs.dir, 'ann/docs/b.md'));
    if (where === 'in Git') commit(docs, 'ann');

    const run = await push(docs, 'ann');

    expect(run.exitCode).toBe(8);
    expect(run.json).toMatchObject({ deleted: 0, added: 0, leftOut: 1 });
    expect((await docs.docsctl('spaces', 'links', docs.space, '--json')).json).toMatchObject([{ status: 'ok' }]);
  },
);

test('a page that SUMMARY.md lists under a wrong name is not deleted', async ({ docs }) => {
  await begin(docs);
  await docs.write({ 'ann/docs/SUMMARY.md': '* [Alpha](a.md)\n* [Beta](bb.md)\n* [Gamma](c.md)\n' });
  commit(docs, 'ann');

  const run = await push(docs, 'ann');

  expect(run.exitCode).toBe(8);
  expect(run.json).toMatchObject({ deleted: 0, leftOut: 1 });
  expect(Object.keys(await docs.texts())).toEqual(['Alpha', 'Beta', 'Gamma']);
});

test('a page stays if its file was renamed and rewritten while SUMMARY.md has a wrong name', async ({ docs }) => {
  const list = '* [Alpha](a.md)\n* [Beta](b.md)\n* [Gamma](c.md)\n';
  await docs.write({ 'ann/docs/SUMMARY.md': list });
  await begin(docs);
  const id = await docs.pageId('Beta');
  await docs.write({ 'ann/docs/SUMMARY.md': list.replace('b.md', 'xb.md'), 'ann/docs/new.md': '# Other words\n' });
  await rm(join(docs.dir, 'ann/docs/b.md'));
  commit(docs, 'ann');

  const run = await push(docs, 'ann');
  const pulled = await content(docs, 'ann', 'pull', 'docs');
  await docs.write({ 'ann/docs/SUMMARY.md': list.replace('b.md', 'new.md') });
  commit(docs, 'ann');
  const corrected = await push(docs, 'ann');

  expect(run.exitCode, run.stderr).toBe(8);
  expect(run.json).toMatchObject({ deleted: 0, leftOut: 1 });
  expect(pulled.json).toMatchObject({ written: 0, removed: 0 });
  expect(existsSync(join(docs.dir, 'ann/docs/b.md'))).toBe(false);
  expect(corrected.exitCode, corrected.stderr).toBe(0);
  expect(corrected.json).toMatchObject({ added: 1, deleted: 1 });
  expect(Object.keys(await docs.texts())).toEqual(['Alpha', 'Other words', 'Gamma']);
  expect(id).not.toBe(await docs.pageId('Other words'));
});

test('a pull finds the file that was renamed, although SUMMARY.md has its former name', async ({ docs }) => {
  await docs.write({ 'ann/docs/SUMMARY.md': '* [Alpha](a.md)\n* [Beta](b.md)\n* [Gamma](c.md)\n' });
  await begin(docs);
  git(docs, 'ann', 'mv', 'docs/a.md', 'docs/new.md');
  commit(docs, 'ann');
  const pushed = await push(docs, 'ann');
  const text = alpha.replace('First', 'The app: first');
  await docs.inApp([{ operation: 'update_page', page: await docs.pageId('Alpha'), document: { markdown: text } }]);
  await docs.write({ 'ann/docs/new.md': alpha.replace('First', 'Ann: first') });
  commit(docs, 'ann');

  const run = await content(docs, 'ann', 'pull', 'docs', '--prefer', 'app');

  expect(pushed.exitCode, pushed.stderr).toBe(8);
  expect(run.exitCode, run.stderr).toBe(0);
  expect(existsSync(join(docs.dir, 'ann/docs/a.md'))).toBe(false);
  expect(await readFile(join(docs.dir, 'ann/docs/new.md'), 'utf8')).toBe(text);
});

test('the same file added on both sides is one page, for a push and for a pull', async ({ docs }) => {
  await begin(docs);
  const text = '# New\n\nThe same.\n';
  await docs.inApp([{ operation: 'insert_page', title: 'New', slug: 'new', document: { markdown: text } }]);
  await docs.write({ 'ann/docs/new.md': text });

  const pushed = await push(docs, 'ann');
  await docs.inApp([
    { operation: 'insert_page', title: 'More', slug: 'more', document: { markdown: '# More\n\nApp.\n' } },
  ]);
  await docs.write({ 'ann/docs/more.md': '# More\n\nFolder.\n' });
  const conflict = await push(docs, 'ann');
  const pulled = await content(docs, 'ann', 'pull', 'docs');

  expect(pushed.json).toMatchObject({ added: 0 });
  expect(conflict.exitCode).toBe(6);
  expect(pulled.exitCode).toBe(6);
  expect(Object.keys(await docs.texts())).toEqual(['Alpha', 'Beta', 'Gamma', 'New', 'More']);
});

test('a page that both sides added is pulled once if it was moved in the app', async ({ docs }) => {
  await begin(docs);
  const text = '# New\n\nThe same.\n';
  await docs.inApp([{ operation: 'insert_page', title: 'New', slug: 'new', document: { markdown: text } }]);
  const pages = await docs.pages();
  const idOf = (title: string) => pages.find((page) => page.title === title)?.id;
  await docs.inApp([{ operation: 'update_page', page: idOf('New'), into: idOf('Beta') }]);
  await docs.write({ 'ann/docs/new.md': text });

  const pulled = await content(docs, 'ann', 'pull', 'docs');
  commit(docs, 'ann');
  const pushed = await push(docs, 'ann');

  expect({ exitCode: pulled.exitCode, json: pulled.json }).toMatchObject({ exitCode: 0, json: { conflicts: 0 } });
  expect(existsSync(join(docs.dir, 'ann/docs/new.md'))).toBe(false);
  expect(await readFile(join(docs.dir, 'ann/docs/b/new.md'), 'utf8')).toBe(text);
  expect(pushed.json).toMatchObject({ added: 0, deleted: 0 });
  expect(Object.keys(await docs.texts())).toEqual(['Alpha', 'Beta', 'New', 'Gamma']);
});

test('a push that deletes most pages needs --max-deletions', async ({ docs }) => {
  const pages = Array.from({ length: 20 }, (_, index) => `ann/docs/p${index}.md`);
  await docs.write(Object.fromEntries(pages.map((file, index) => [file, `# Page ${index}\n`])));
  await begin(docs);
  for (const file of pages.slice(1)) await rm(join(docs.dir, file));
  commit(docs, 'ann');

  const dry = await content(docs, 'ann', 'push', 'docs', '--dry-run', '--merge');
  const run = await push(docs, 'ann');
  const few = await push(docs, 'ann', '--max-deletions', '5');
  const left = (await docs.pages()).length;
  const allowed = await push(docs, 'ann', '--max-deletions', '19');

  expect(dry.stderr).toContain('pass --max-deletions 19');
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('Delete 19 of the 23 pages of the space? This cannot be undone: a merge is permanent');
  expect(few.exitCode).toBe(6);
  expect(left).toBe(23);
  expect(allowed.json).toMatchObject({ deleted: 19 });
});

test('a folder outside of Git that lost its state needs --adopt', async ({ docs }) => {
  await docs.write({ 'one/docs/a.md': alpha });
  await push(docs, 'one');
  await docs.write({ 'two/docs/a.md': '# Alpha\n\nOther.\n' });

  const run = await push(docs, 'two');

  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('--adopt');
});

test('the space does not learn the token in the address of a remote', async ({ docs }) => {
  await docs.write({ 'ann/docs/a.md': alpha });
  git(docs, 'ann', 'init', '--quiet', '--initial-branch=main');
  git(docs, 'ann', 'remote', 'add', 'origin', 'https://user:secret-token@git.example/team/docs.git');
  commit(docs, 'ann');
  await push(docs, 'ann');

  const { json } = await docs.docsctl('api', 'GET', `/v1/spaces/${docs.space}/content`);
  const layout = json.files.find(({ name }: { name: string }) => name === '.docsctl/layout-1.json');
  const record = await docs.docsctl('api', 'GET', new URL(layout.downloadURL).pathname);

  expect(record.stdout).toContain('https://git.example/team/docs.git');
  expect(record.stdout).not.toContain('secret-token');
});

test('--prefer app keeps the title of a page whose file was deleted, and whose subpages were not', async ({ docs }) => {
  await docs.write({
    'ann/docs/pumps.md': '# All about pumps\n\nText.\n',
    'ann/docs/pumps/seals.md': '# Seals\n\nText of seals.\n',
  });
  git(docs, 'ann', 'init', '--quiet', '--initial-branch=main');
  commit(docs, 'ann');
  await push(docs, 'ann');
  await rm(join(docs.dir, 'ann/docs/pumps.md'));
  commit(docs, 'ann');
  const page = await docs.pageId('All about pumps');
  const document = { markdown: '# All about pumps\n\nFrom the app.\n' };
  await docs.inApp([{ operation: 'update_page', page, document }]);

  const run = await push(docs, 'ann', '--prefer', 'app');

  expect(run.exitCode, run.stderr).toBe(0);
  expect(await docs.texts()).toMatchObject({
    'All about pumps': document.markdown,
    Seals: '# Seals\n\nText of seals.\n',
  });
});

test.for(['changed', 'renamed'])(
  'a pull that had %s a file and was discarded reverts nothing when the file is edited',
  async (what, { docs }) => {
    await begin(docs);
    const page = await docs.pageId('Alpha');
    const text = alpha.replace('First', 'The app: first');
    await docs.inApp([
      { operation: 'update_page', page, document: { markdown: text } },
      ...(what === 'renamed' ? [{ operation: 'update_page', page, slug: 'first' }] : []),
    ]);
    await content(docs, 'ann', 'pull', 'docs');
    git(docs, 'ann', 'reset', '--hard', '--quiet');
    git(docs, 'ann', 'clean', '--force', '--quiet', '--', 'docs/*.md');
    await docs.write({ 'ann/docs/a.md': alpha.replace('Second', 'Ann: second') });
    commit(docs, 'ann');

    const run = await push(docs, 'ann');

    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.json).toMatchObject({ added: 0, changed: 1, deleted: 0 });
    expect((await docs.texts())['Alpha']).toBe(text.replace('Second', 'Ann: second'));
    expect(await docs.pageId('Alpha')).toBe(page);
  },
);

/** A clone takes a commit of somebody else, and gives up what is not committed. */
function takeCommit(docs: Docs, name: string, from: string): void {
  git(docs, name, 'fetch', '--quiet', join(docs.dir, from), 'main');
  git(docs, name, 'reset', '--hard', '--quiet', 'FETCH_HEAD');
}

test('a pull that was reset to a commit that renames its file keeps the page', async ({ docs }) => {
  await begin(docs);
  clone(docs, 'ben');
  const page = await docs.pageId('Alpha');
  await docs.inApp([{ operation: 'update_page', page, title: 'Alpha of the app', slug: 'other' }]);
  await content(docs, 'ann', 'pull', 'docs');
  git(docs, 'ben', 'mv', 'docs/a.md', 'docs/new.md');
  await docs.write({ 'ben/docs/new.md': alpha.replace('First', 'Ben: first') });
  commit(docs, 'ben');
  takeCommit(docs, 'ann', 'ben');
  git(docs, 'ann', 'clean', '--force', '--quiet', '--', 'docs/*.md');

  const run = await push(docs, 'ann', '--prefer', 'app');

  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.json).toMatchObject({ added: 0, deleted: 0 });
  expect(await docs.pageId('Alpha of the app')).toBe(page);
});

test('a pull that was reset is not known to a file that is renamed afterwards', async ({ docs }) => {
  await begin(docs);
  const text = alpha.replace('First', 'The app: first');
  await docs.inApp([{ operation: 'update_page', page: await docs.pageId('Alpha'), document: { markdown: text } }]);
  await content(docs, 'ann', 'pull', 'docs');
  git(docs, 'ann', 'reset', '--hard', '--quiet');
  git(docs, 'ann', 'mv', 'docs/a.md', 'docs/new.md');
  commit(docs, 'ann');

  const run = await push(docs, 'ann');
  const texts = await docs.texts();
  const pulled = await content(docs, 'ann', 'pull', 'docs');

  expect(run.exitCode, run.stderr).toBe(0);
  expect(texts['Alpha']).toBe(text);
  expect(pulled.exitCode, pulled.stderr).toBe(0);
  expect(await readFile(join(docs.dir, 'ann/docs/new.md'), 'utf8')).toBe(text);
});

test.for(['pulled', 'pushed'])(
  'what was %s, not committed and reset to a newer commit that changes the same line is a conflict',
  async (what, { docs }) => {
    await begin(docs);
    clone(docs, 'ben');
    const text = alpha.replace('First', 'Before the reset: first');
    if (what === 'pulled') {
      await docs.inApp([{ operation: 'update_page', page: await docs.pageId('Alpha'), document: { markdown: text } }]);
      await content(docs, 'ann', 'pull', 'docs');
    } else {
      await docs.write({ 'ann/docs/a.md': text });
      await push(docs, 'ann');
    }
    await docs.write({ 'ben/docs/a.md': alpha.replace('First', 'Ben: first') });
    commit(docs, 'ben');
    takeCommit(docs, 'ann', 'ben');

    const run = await push(docs, 'ann');
    await docs.write({ 'ann/docs/a.md': alpha.replace('First', 'Ben: first').replace('Second', 'Ann: second') });
    commit(docs, 'ann');
    clone(docs, 'job');
    const job = await push(docs, 'job');
    takeCommit(docs, 'ben', 'ann');
    const ben = await push(docs, 'ben');
    await rm(join(docs.dir, 'ann/docs/a.md'));
    await docs.write({ 'ann/docs/b/a.md': '# Alpha\n\nBen: first line.\n' });
    commit(docs, 'ann');
    const moved = await push(docs, 'ann');

    expect(run.exitCode, run.stderr).toBe(6);
    expect(ben.exitCode, ben.stderr).toBe(6);
    expect(moved.exitCode, moved.stderr).toBe(6);
    expect(run.stderr).toContain('a.md');
    expect(job.exitCode, job.stderr).toBe(6);
    expect((await docs.texts())['Alpha']).toBe(text);
  },
);

/** Ann edits a line after she has pulled what the app made of it. */
async function editPulled(docs: Docs): Promise<void> {
  await begin(docs);
  const text = alpha.replace('First', 'The app: first');
  await docs.inApp([{ operation: 'update_page', page: await docs.pageId('Alpha'), document: { markdown: text } }]);
  await content(docs, 'ann', 'pull', 'docs');
  await docs.write({ 'ann/docs/a.md': alpha.replace('First', 'Ann after the app: first') });
}

test('a pull that is edited and committed with its state is the base for every clone', async ({ docs }) => {
  await editPulled(docs);
  commit(docs, 'ann');
  clone(docs, 'job');

  const run = await push(docs, 'job');

  expect(run.exitCode, run.stderr).toBe(0);
  expect((await docs.texts())['Alpha']).toContain('Ann after the app: first line.');
});

test('a pulled page whose file was replaced by that of a newer commit is not overwritten', async ({ docs }) => {
  await begin(docs);
  clone(docs, 'ben');
  const markdown = '# Delta\n\nDelta of the app.\n';
  await docs.inApp([{ operation: 'insert_page', title: 'Delta', document: { markdown } }]);
  await content(docs, 'ann', 'pull', 'docs');
  await docs.write({ 'ben/docs/delta.md': '# Delta\n\nDelta of Ben.\n' });
  commit(docs, 'ben');
  takeCommit(docs, 'ann', 'ben');

  const run = await push(docs, 'ann');

  expect(run.exitCode, run.stderr).toBe(6);
  expect((await docs.texts())['Delta']).toBe(markdown);
});

test('a pull whose lines a commit of this clone changes is the base, whatever follows it', async ({ docs }) => {
  await editPulled(docs);
  git(docs, 'ann', 'commit', '--quiet', '--all', '--message', 'Without the state');
  clone(docs, 'ben');
  await docs.write({ 'ben/docs/a.md': alpha.replace('First', 'Ben after Ann: first') });
  commit(docs, 'ben');
  git(docs, 'ann', 'pull', '--quiet', '--ff-only', join(docs.dir, 'ben'), 'main');

  const run = await push(docs, 'ann');

  expect(run.exitCode, run.stderr).toBe(0);
  expect((await docs.texts())['Alpha']).toContain('Ben after Ann: first line.');
});

test('a pull that is edited before it is committed is still the base', async ({ docs }) => {
  await editPulled(docs);
  commit(docs, 'ann');

  const run = await push(docs, 'ann');

  expect(run.exitCode, run.stderr).toBe(0);
  expect((await docs.texts())['Alpha']).toContain('Ann after the app: first line.');
});

test('a late job of a commit that was reverted after a pull sends nothing', async ({ docs }) => {
  await begin(docs);
  await content(docs, 'ann', 'pull', 'docs');
  commit(docs, 'ann');
  await docs.write({ 'ann/docs/a.md': alpha.replace('First', 'A mistake: first') });
  commit(docs, 'ann');
  clone(docs, 'late');
  await docs.write({ 'ann/docs/a.md': alpha });
  commit(docs, 'ann');
  const before = await docs.texts();

  const run = await push(docs, 'ann');
  const late = await push(docs, 'late');
  const again = await push(docs, 'ann');

  expect(run.json).toMatchObject({ changed: 0 });
  expect(late.exitCode, late.stdout).toBe(6);
  expect(again.json).toMatchObject({ status: 'unchanged' });
  expect(await docs.texts()).toEqual(before);
});

/** Edits pages in the app. */
const editsOf = (docs: Docs) => async (title: string, markdown: string) =>
  docs.inApp([{ operation: 'update_page', page: await docs.pageId(title), document: { markdown } }]);

test('a job that pushes the commit before a pull takes nothing from the base of the next push', async ({ docs }) => {
  await begin(docs);
  const inApp = editsOf(docs);
  await docs.write({ 'ann/docs/b.md': '# Beta\n\nBeta of Ann.\n', 'ann/docs/new.md': '# New\n' });
  commit(docs, 'ann');
  clone(docs, 'job');
  await inApp('Alpha', alpha.replace('First', 'The app: first'));
  await content(docs, 'ann', 'pull', 'docs');
  commit(docs, 'ann');
  const job = await push(docs, 'job');
  await inApp('Alpha', alpha.replace('First line', 'The app: second line'));
  await inApp('Beta', '# Beta\n\nBeta of Ann and the app.\n');
  await docs.write({ 'ann/docs/c.md': '# Gamma\n\nGamma of Ann.\n' });
  commit(docs, 'ann');

  const run = await push(docs, 'ann');

  expect(job.exitCode, job.stderr).toBe(0);
  expect(run.exitCode, run.stderr).toBe(0);
  const texts = await docs.texts();
  expect(Object.keys(texts)).toEqual(['Alpha', 'Beta', 'Gamma', 'New']);
  expect(texts['Alpha']).toContain('The app: second line.');
  expect(texts['Beta']).toContain('Beta of Ann and the app.');
  expect(texts['Gamma']).toContain('Gamma of Ann.');
});

test('both sides may edit again what a job pushed after a pull that changed the same page', async ({ docs }) => {
  await begin(docs);
  const inApp = editsOf(docs);
  await docs.write({ 'ann/docs/a.md': alpha.replace('Second', 'Ann: second'), 'ann/docs/new.md': '# New\n\nOne.\n' });
  commit(docs, 'ann');
  clone(docs, 'job');
  await inApp('Alpha', alpha.replace('First', 'The app: first'));
  await content(docs, 'ann', 'pull', 'docs');
  commit(docs, 'ann');
  const job = await push(docs, 'job');
  await docs.write({
    'ann/docs/a.md': alpha.replace('First', 'The app: first').replace('Second', 'Ann again: second'),
  });
  commit(docs, 'ann');
  await inApp('Alpha', alpha.replace('First', 'The app again: first').replace('Second', 'Ann: second'));
  await inApp('New', '# New\n\nTwo.\n');
  clone(docs, 'other');

  const pull = await content(docs, 'other', 'pull', 'docs');
  const run = await push(docs, 'ann');

  const merged = alpha.replace('First', 'The app again: first').replace('Second', 'Ann again: second');
  expect(job.exitCode, job.stderr).toBe(0);
  expect(pull.exitCode, pull.stderr).toBe(0);
  expect(await readFile(join(docs.dir, 'other/docs/a.md'), 'utf8')).toBe(merged);
  expect(await readFile(join(docs.dir, 'other/docs/new.md'), 'utf8')).toBe('# New\n\nTwo.\n');
  expect(run.exitCode, run.stderr).toBe(0);
  expect(await docs.texts()).toMatchObject({ Alpha: merged, New: '# New\n\nTwo.\n' });
});

test('a second pull changes nothing after a page was moved below one whose file was deleted', async ({ docs }) => {
  await docs.write({
    'ann/docs/a.md': '# Alpha\n\nSee [Beta](b.md).\n',
    'ann/docs/b.md': '# Beta\n\nText of beta.\n',
    'ann/docs/c.md': '# Gamma\n\nText of gamma.\n',
  });
  git(docs, 'ann', 'init', '--quiet', '--initial-branch=main');
  commit(docs, 'ann');
  await push(docs, 'ann');
  const [alphaId, beta] = [await docs.pageId('Alpha'), await docs.pageId('Beta')];
  await docs.inApp([{ operation: 'update_page', page: beta, into: alphaId }]);
  await rm(join(docs.dir, 'ann/docs/a.md'));
  commit(docs, 'ann');

  const run = await content(docs, 'ann', 'pull', 'docs');
  const again = await content(docs, 'ann', 'pull', 'docs');

  expect(run.exitCode, run.stderr).toBe(0);
  expect(again.exitCode, again.stderr).toBe(0);
  expect(again.json).toMatchObject({ written: 0, removed: 0 });
});

test('a push that merges an older request does not add a page twice that the app has added meanwhile', async ({
  docs,
}) => {
  await begin(docs);
  await docs.docsctl('cr', 'create', '--space', docs.space, '--subject', 'Push docs');
  await docs.inApp([
    { operation: 'insert_page', title: 'Delta', slug: 'd', document: { markdown: 'From the app.\n' } },
  ]);
  await docs.write({ 'ann/docs/d.md': '# Delta\n\nFrom Ann.\n' });
  commit(docs, 'ann');

  const planned = await push(docs, 'ann', '--dry-run');
  const run = await push(docs, 'ann');
  const preferred = await push(docs, 'ann', '--prefer', 'folder');

  expect(planned.stderr).toContain('is behind main content: a push updates it first, and compares again.');
  expect(run.exitCode).toBe(6);
  expect(run.stderr).toContain('d.md (Delta): text');
  expect(preferred.exitCode, preferred.stderr).toBe(0);
  expect((await docs.pages()).map(({ title }) => title)).toEqual(['Alpha', 'Beta', 'Gamma', 'Delta']);
});
