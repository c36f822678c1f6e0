import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { png } from '../support/content-space.ts';
import { type Docs, test } from '../support/docs.ts';

/** A folder of three pages that was pushed. */
async function pushThree(docs: Docs): Promise<void> {
  await docs.write({
    'docs/a.md': '# Alpha\n\nFirst line.\n\nSecond line.\n\nThird line.\n',
    'docs/b.md': '# Beta\n\nText of beta.\n',
    'docs/sub/c.md': '# Gamma\n\nText of gamma.\n',
  });
  const run = await docs.docsctl('content', 'push', 'docs', '--merge', '--json');
  expect(run.exitCode, run.stderr).toBe(0);
}

const pushed = (docs: Docs, ...flags: string[]) =>
  docs.docsctl('content', 'push', 'docs', '--merge', '--json', ...flags);

test('what the app changed since the last push is kept, told and counted', async ({ docs }) => {
  await pushThree(docs);
  await docs.inApp([
    { operation: 'update_page', page: await docs.pageId('Alpha'), document: { markdown: '# Alpha\n\nOf the app.\n' } },
    { operation: 'insert_page', title: 'New', document: { markdown: '# New\n\nWritten in the app.\n' } },
    { operation: 'delete_page', page: await docs.pageId('Beta') },
    { operation: 'update_page', page: await docs.pageId('Gamma'), description: 'Of the app', into: null, at: 0 },
  ]);

  const first = await pushed(docs);
  const second = await pushed(docs);

  for (const run of [first, second]) {
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.json).toMatchObject({ status: 'unchanged', kept: 4, merged: 0, added: 0, changed: 0, deleted: 0 });
    expect(run.stderr).toContain(
      '4 pages changed in the app since the last push; pull to get them: Alpha, Beta, Gamma, New.',
    );
  }
  expect(await docs.texts()).toEqual({
    Alpha: '# Alpha\n\nOf the app.\n',
    New: '# New\n\nWritten in the app.\n',
    Sub: '',
    Gamma: '# Gamma\n\nText of gamma.\n',
  });
});

test('a page that both changed in different lines is merged, and stays so when the same folder is pushed again', async ({
  docs,
}) => {
  await pushThree(docs);
  await docs.inApp([
    {
      operation: 'update_page',
      page: await docs.pageId('Alpha'),
      document: { markdown: '# Alpha\n\nFirst line of the app.\n\nSecond line.\n\nThird line.\n' },
      icon: 'bolt',
    },
  ]);
  await docs.write({ 'docs/a.md': '# Alpha\n\nFirst line.\n\nSecond line.\n\nThird line of the folder.\n' });
  const both = '# Alpha\n\nFirst line of the app.\n\nSecond line.\n\nThird line of the folder.\n';

  const merged = await pushed(docs);
  const again = await pushed(docs);
  const texts = await docs.texts();
  await docs.write({ 'docs/a.md': '# Alpha\n\nFirst line.\n\nSecond line.\n\nThird line again.\n' });
  const later = await pushed(docs);

  expect(merged.json).toMatchObject({ status: 'merged', merged: 1, kept: 0, changed: 1 });
  expect(again.json).toMatchObject({ status: 'unchanged', merged: 0, kept: 1 });
  expect(texts.Alpha).toBe(both);
  expect(later.json).toMatchObject({ merged: 1 });
  expect((await docs.texts()).Alpha).toBe(both.replace('of the folder', 'again'));
});

test('the same line changed on both sides is a conflict: nothing is sent, and --prefer or --overwrite decide', async ({
  docs,
}) => {
  await pushThree(docs);
  const inApp = '# Alpha\n\nFirst line of the app.\n\nSecond line.\n\nThird line.\n';
  await docs.inApp([
    { operation: 'update_page', page: await docs.pageId('Alpha'), document: { markdown: inApp } },
    { operation: 'update_page', page: await docs.pageId('Gamma'), document: { markdown: '# Gamma\n\nApp.\n' } },
  ]);
  await docs.write({
    'docs/a.md': '# Alpha\n\nFirst line of the folder.\n\nSecond line.\n\nThird line, too.\n',
    'docs/b.md': '# Beta\n\nChanged here.\n',
  });

  const refused = await pushed(docs);
  const dry = await pushed(docs, '--dry-run');
  const before = await docs.texts();
  const people = await docs.docsctl('content', 'push', 'docs', '--merge');
  const ofApp = await pushed(docs, '--prefer', 'app');
  const texts = await docs.texts();

  expect([refused.exitCode, dry.exitCode, people.exitCode]).toEqual([6, 6, 6]);
  expect(JSON.parse(refused.stderr).error).toMatchObject({
    details: [{ path: 'a.md', message: 'a.md (Alpha): text, line 3' }],
    conflicts: [
      {
        file: 'a.md',
        kind: 'content',
        diff: expect.stringContaining('-First line of the app.\n+First line of the folder.'),
        hunks: [
          { line: 3, base: 'First line.\n', app: 'First line of the app.\n', folder: 'First line of the folder.\n' },
        ],
      },
    ],
  });
  expect(people.stderr).toContain('--- a.md (app)\n+++ a.md (folder)\n@@ -1,7 +1,7 @@\n');
  expect(before.Beta).toContain('Text of beta');
  expect(ofApp.json).toMatchObject({ status: 'merged', changed: 2, merged: 1, kept: 1 });
  expect(texts.Alpha).toBe('# Alpha\n\nFirst line of the app.\n\nSecond line.\n\nThird line, too.\n');
  expect(texts.Gamma).toBe('# Gamma\n\nApp.\n');

  const overwritten = await pushed(docs, '--overwrite');
  expect(overwritten.json).toMatchObject({ status: 'merged', changed: 2, kept: 0 });
  expect((await docs.texts()).Gamma).toBe('# Gamma\n\nText of gamma.\n');
});

test('a page deleted on one side and changed on the other is a conflict, each way', async ({ docs }) => {
  await pushThree(docs);
  await docs.inApp([
    { operation: 'delete_page', page: await docs.pageId('Alpha') },
    { operation: 'update_page', page: await docs.pageId('Beta'), document: { markdown: '# Beta\n\nApp.\n' } },
  ]);
  await docs.write({ 'docs/a.md': '# Alpha\n\nChanged.\n' });
  await rm(join(docs.dir, 'docs/b.md'));

  const refused = await pushed(docs);
  const ofFolder = await pushed(docs, '--prefer', 'folder');

  expect(refused.exitCode).toBe(6);
  expect(JSON.parse(refused.stderr).error.details).toEqual([
    { path: 'a.md', message: 'a.md (Alpha): deleted in the app, changed here' },
    { path: 'b', message: 'b (Beta): deleted here, changed in the app' },
  ]);
  expect(ofFolder.json).toMatchObject({ added: 1, deleted: 1 });
  expect(Object.keys(await docs.texts()).toSorted()).toEqual(['Alpha', 'Gamma', 'Sub']);
  expect((await pushed(docs)).json).toMatchObject({ status: 'unchanged', kept: 0 });
});

test('a folder that was never pushed to a space with pages needs --adopt or --overwrite', async ({ docs }) => {
  await docs.inApp([
    { operation: 'insert_page', title: 'Alpha', slug: 'a', document: { markdown: '# Alpha\n\nSame.\n' } },
    { operation: 'insert_page', title: 'Only', slug: 'only', document: { markdown: '# Only\n\nIn the app.\n' } },
  ]);
  await docs.write({ 'docs/a.md': '# Alpha\n\nSame.\n', 'docs/new.md': '# New\n\nHere.\n' });

  const refused = await pushed(docs);
  const dry = await pushed(docs, '--dry-run');
  const adopted = await pushed(docs, '--adopt');
  const again = await pushed(docs);
  await rm(join(docs.dir, 'docs/a.md'));
  const plan = await pushed(docs, '--dry-run', '--delete-others');
  const deleted = await pushed(docs, '--delete-others');

  expect([refused.exitCode, dry.exitCode]).toEqual([2, 2]);
  expect(refused.stderr).toContain('--adopt');
  expect(adopted.json).toMatchObject({ status: 'merged', added: 1, changed: 0, deleted: 0, kept: 1 });
  expect(adopted.stderr).toContain('1 page kept on the first push, as in the space; pull to get it');
  expect(again.json).toMatchObject({ status: 'unchanged' });
  expect(plan.json).toEqual([
    { action: 'delete', path: 'a', title: 'Alpha' },
    { action: 'delete', path: 'only', title: 'Only' },
  ]);
  expect(deleted.json).toMatchObject({ deleted: 2 });
  expect(Object.keys(await docs.texts())).toEqual(['New']);
});

test('what docsctl keeps in a space is in no list of files, and --limit does not count it', async ({ docs }) => {
  await docs.write({
    'docs/a.md': '# Alpha\n\n![one](one.png) ![two](two.png)\n',
    'docs/one.png': png(1, 2),
    'docs/two.png': png(2, 1),
  });
  await pushed(docs);
  await docs.docsctl('cr', 'create', '--subject', 'Empty');
  await docs.write({ 'docs/a.md': '# Alpha\n\nChanged. ![one](one.png) ![two](two.png)\n' });
  await docs.docsctl('content', 'push', 'docs', '--cr', '2');
  const names = async (...flags: string[]) => {
    const { json } = await docs.docsctl('content', 'files', 'list', '--json', ...flags);
    return json.map(({ name }: { name: string }) => name);
  };

  const raw = await docs.docsctl('api', `/v1/spaces/${docs.space}/content/files`);
  const diff = await docs.docsctl('cr', 'diff', '2', '--json');

  expect(raw.stdout).toContain('.docsctl/layout-');
  expect(await names()).toEqual(['one.png', 'two.png']);
  expect(await names('--limit', '1')).toEqual(['one.png']);
  expect(await names('--limit', '2', '--page-size', '1')).toEqual(['one.png', 'two.png']);
  expect(JSON.stringify(diff.json)).not.toContain('.docsctl');
});

test('another order of the app is kept and told, and a pull says that it begins a SUMMARY.md', async ({ docs }) => {
  await pushThree(docs);
  await docs.inApp([{ operation: 'update_page', page: await docs.pageId('Beta'), into: null, at: 0 }]);

  const push = await pushed(docs);
  const pull = await docs.docsctl('content', 'pull', 'docs');

  expect(push.json, push.stderr).toMatchObject({ status: 'unchanged', kept: 1 });
  expect(pull.exitCode).toBe(0);
  expect(pull.stderr).toContain('SUMMARY.md was created');
});

test('a pull that changes the list of pages keeps the other lines of SUMMARY.md', async ({ docs }) => {
  const summary = '# Our docs\n\n<!-- Ask the writers first. -->\n\n* [Alpha](a.md)\n* [Beta](b.md)\n';
  await docs.write({ 'docs/SUMMARY.md': summary, 'docs/a.md': '# Alpha\n', 'docs/b.md': '# Beta\n' });
  await pushed(docs);
  await docs.inApp([{ operation: 'insert_page', title: 'Gamma', document: { markdown: '# Gamma\n' } }]);

  const pull = await docs.docsctl('content', 'pull', 'docs');

  expect(pull.exitCode, pull.stderr).toBe(0);
  expect(await readFile(join(docs.dir, 'docs/SUMMARY.md'), 'utf8')).toBe(`${summary}* [Gamma](gamma.md)\n`);
});
