import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { png } from '../support/content-space.ts';
import { type Docs, test } from '../support/docs.ts';

const alpha = '# Alpha\n\nFirst line.\n\nSecond line.\n\nThird line.\n';

async function push(docs: Docs, ...flags: string[]) {
  const run = await docs.docsctl('content', 'push', 'docs', '--merge', '--json', ...flags);
  expect(run.exitCode, run.stderr).toBe(0);
  return run.json;
}

const pull = (docs: Docs, ...flags: string[]) => docs.docsctl('content', 'pull', 'docs', '--json', ...flags);
const read = (docs: Docs, file: string) => readFile(join(docs.dir, 'docs', file), 'utf8');

async function pushTwo(docs: Docs): Promise<void> {
  await docs.write({ 'docs/a.md': alpha, 'docs/b.md': '# Beta\n\nText.\n' });
  await push(docs);
}

test('a pull keeps what was changed here, and merges what both changed', async ({ docs }) => {
  await pushTwo(docs);
  const ofApp = alpha.replace('First line', 'First line of the app');
  await docs.inApp([{ operation: 'update_page', page: await docs.pageId('Alpha'), document: { markdown: ofApp } }]);
  await docs.write({ 'docs/a.md': alpha.replace('Third', 'Third and last'), 'docs/b.md': '# Beta\n\nChanged here.\n' });

  const dry = await pull(docs, '--dry-run');
  const run = await pull(docs);
  const again = await pull(docs);
  const [a, b] = [await read(docs, 'a.md'), await read(docs, 'b.md')];
  const pushed = await push(docs);
  const after = await push(docs, '--dry-run');

  expect(dry.json).toEqual([
    { action: 'merge', path: 'a.md' },
    { action: 'keep', path: 'b.md', what: 'changed here' },
  ]);
  expect(run.json).toMatchObject({ written: 1, merged: 1, changedHere: 1 });
  expect(run.stderr).toContain('1 file was changed here and kept');
  expect(again.json).toMatchObject({ written: 0, merged: 0, changedHere: 2 });
  expect(a).toBe(ofApp.replace('Third', 'Third and last'));
  expect(b).toBe('# Beta\n\nChanged here.\n');
  expect(pushed).toMatchObject({ changed: 2, kept: 0, merged: 0 });
  expect(after).toEqual([]);
  expect((await docs.texts()).Alpha).toBe(a);
});

test('a pull writes nothing where both changed the same lines, and --prefer or --overwrite decide', async ({
  docs,
}) => {
  await pushTwo(docs);
  const ofApp = alpha.replace('First line', 'First line of the app');
  const ofFolder = alpha.replace('First line', 'First line here').replace('Third', 'Third and last');
  await docs.inApp([
    { operation: 'update_page', page: await docs.pageId('Alpha'), document: { markdown: ofApp } },
    { operation: 'update_page', page: await docs.pageId('Beta'), document: { markdown: '# Beta\n\nApp.\n' } },
  ]);
  await docs.write({ 'docs/a.md': ofFolder });

  const refused = await pull(docs);
  const dry = await pull(docs, '--dry-run');
  const before = [await read(docs, 'a.md'), await read(docs, 'b.md')];
  const preferred = await pull(docs, '--prefer', 'folder');
  const after = [await read(docs, 'a.md'), await read(docs, 'b.md')];
  const overwritten = await pull(docs, '--overwrite');

  expect([refused.exitCode, dry.exitCode]).toEqual([6, 6]);
  expect(JSON.parse(refused.stderr).error).toMatchObject({
    details: [{ path: 'a.md', message: 'a.md (Alpha): text, line 3' }],
  });
  expect(before).toEqual([ofFolder, '# Beta\n\nText.\n']);
  expect(preferred.exitCode, preferred.stderr).toBe(0);
  expect(after).toEqual([ofFolder, '# Beta\n\nApp.\n']);
  expect(overwritten.exitCode).toBe(0);
  expect(await read(docs, 'a.md')).toBe(ofApp);
});

test('what was pulled is the base of the next push, also of a copy of the folder', async ({ docs }) => {
  await pushTwo(docs);
  const ofApp = alpha.replace('First line', 'First line of the app');
  await docs.inApp([{ operation: 'update_page', page: await docs.pageId('Alpha'), document: { markdown: ofApp } }]);
  await pull(docs);
  expect(await readdir(join(docs.dir, 'docs'))).toContain('.docsctl');
  const edited = ofApp.replace('First line of the app', 'First line of both');
  await docs.write({ 'docs/a.md': edited });

  const pushed = await push(docs);
  const pulled = await pull(docs);

  expect(pushed).toMatchObject({ status: 'merged', changed: 1 });
  expect((await docs.texts()).Alpha).toBe(edited);
  expect(pulled.json).toMatchObject({ written: 0 });
  expect(await readdir(join(docs.dir, 'docs'))).toEqual(['.docsctl', 'a.md', 'b.md']);
});

test('a folder that is only pulled gets each change of the app', async ({ docs }) => {
  await docs.inApp([{ operation: 'insert_page', title: 'Alpha', slug: 'a', document: { markdown: alpha } }]);
  await pull(docs);
  const ofApp = alpha.replace('First line', 'First line of the app');
  await docs.inApp([
    { operation: 'update_page', page: await docs.pageId('Alpha'), document: { markdown: ofApp } },
    { operation: 'insert_page', title: 'New', slug: 'new', document: { markdown: 'New.\n' } },
  ]);

  const run = await pull(docs);
  await rm(join(docs.dir, 'docs/.docsctl'), { recursive: true });
  await docs.write({ 'docs/a.md': 'Something else.\n' });
  const unknown = await pull(docs);

  expect(run.json).toMatchObject({ written: 2 });
  expect(await read(docs, 'new.md')).toBe('New.\n');
  expect(unknown.exitCode).toBe(6);
  expect(unknown.stderr).toContain('--overwrite');
});

test('a page that moved in the app is moved here with what was changed in it', async ({ docs }) => {
  await docs.write({ 'docs/a.md': alpha, 'docs/sub/b.md': '# Beta\n\nText.\n' });
  await push(docs);
  await docs.inApp([{ operation: 'update_page', page: await docs.pageId('Alpha'), into: await docs.pageId('Sub') }]);
  await docs.write({ 'docs/a.md': alpha.replace('Third', 'Third and last') });

  const run = await pull(docs);
  const pushed = await push(docs);

  expect(run.json).toMatchObject({ removed: 1 });
  expect(await readdir(join(docs.dir, 'docs/sub'))).toEqual(['a.md', 'b.md']);
  expect(await read(docs, 'sub/a.md')).toBe(alpha.replace('Third', 'Third and last'));
  expect(pushed).toMatchObject({ added: 0, deleted: 0, moved: 0, changed: 1 });
});

test('a file that was deleted here comes back only if a page needs it', async ({ docs }) => {
  const withPicture = '# Alpha\n\n![Pump](pump.png)\n';
  await docs.write({ 'docs/a.md': withPicture, 'docs/pump.png': png(1, 2) });
  await push(docs);
  await docs.write({ 'docs/a.md': '# Alpha\n' });
  await rm(join(docs.dir, 'docs/pump.png'));

  const before = await pull(docs);
  await push(docs);
  const after = await pull(docs);
  const files = await readdir(join(docs.dir, 'docs'));
  await docs.inApp([
    { operation: 'update_page', page: await docs.pageId('Alpha'), document: { markdown: withPicture } },
  ]);
  const needed = await pull(docs);

  expect(before.json, before.stderr).toMatchObject({ written: 0 });
  expect(after.json, after.stderr).toMatchObject({ written: 0 });
  expect(files.toSorted()).toEqual(['.docsctl', 'a.md']);
  expect(needed.json, needed.stderr).toMatchObject({ written: 2 });
  expect((await readdir(join(docs.dir, 'docs'))).toSorted()).toEqual(['.docsctl', 'a.md', 'pump.png']);
});
