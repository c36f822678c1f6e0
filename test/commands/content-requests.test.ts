import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commandLine } from '../support/command-line.ts';

test('200 pages are pushed with at most 12 requests, and unchanged with at most 4', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'docsctl-requests-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const docsctl = await commandLine(dir);
  const space = (await docsctl('spaces', 'create', '--title', 'Docs')).json.id as string;
  await mkdir(join(dir, 'docs'));
  // With long titles, the record of the push is large enough to be compressed.
  for (let page = 0; page < 200; page += 1)
    await writeFile(join(dir, 'docs', `p${page}.md`), `# ${'Page '.repeat(20)}${page}\n\nText of page ${page}.\n`);
  const push = async (...flags: string[]) => {
    const before = docsctl.requests();
    const run = await docsctl('content', 'push', join(dir, 'docs'), '--space', space, ...flags);
    expect(run.status, run.stderr).toBe(0);
    return { json: run.json, requests: docsctl.requests() - before };
  };

  const first = await push('--new', 'All');
  const unchanged = await push('--new', 'All');
  await docsctl('cr', 'merge', '1', '--open', '--space', space);
  const inMain = await push('--merge');
  await writeFile(join(dir, 'docs', 'p7.md'), '# Page 7\n\nChanged.\n');
  const small = await push('--new', 'One');

  expect(first.json).toMatchObject({ added: 200, changeRequest: 1 });
  // One more for the organization of the space, whose policy may require an approval.
  expect(first.requests).toBeLessThanOrEqual(13);
  expect(unchanged).toMatchObject({ json: { added: 0, changed: 0, unchanged: 200 } });
  expect(unchanged.requests).toBeLessThanOrEqual(4);
  expect(inMain).toMatchObject({ json: { status: 'unchanged', unchanged: 200 } });
  expect(inMain.requests).toBeLessThanOrEqual(4);
  expect(small.json).toMatchObject({ changed: 1, unchanged: 199 });
  expect(small.requests).toBeLessThanOrEqual(12);
});

test('200 pages are merged with at most 12 requests', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'docsctl-merge-requests-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const docsctl = await commandLine(dir);
  const space = (await docsctl('spaces', 'create', '--title', 'Docs')).json.id as string;
  await mkdir(join(dir, 'docs'));
  for (let page = 0; page < 200; page += 1) await writeFile(join(dir, 'docs', `p${page}.md`), `# Page ${page}\n`);
  const before = docsctl.requests();

  const run = await docsctl('content', 'push', join(dir, 'docs'), '--merge', '--space', space);

  expect(run.json).toMatchObject({ added: 200, changeRequest: 1, status: 'merged' });
  expect(docsctl.requests() - before).toBeLessThanOrEqual(12);
  expect(run.json.revision).toBe((await docsctl('content', 'view', '--space', space)).json.id);
});

test('a push that was interrupted goes on with what the folder has then', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'docsctl-interrupted-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const docsctl = await commandLine(dir);
  const space = (await docsctl('spaces', 'create', '--title', 'Docs')).json.id as string;
  await mkdir(join(dir, 'docs'));
  const write = (page: number, text: string) =>
    writeFile(join(dir, 'docs', `p${page}.md`), `# Page ${page}\n\n${text}\n`);
  for (let page = 0; page < 120; page += 1) await write(page, 'First.');
  const push = () => docsctl('content', 'push', join(dir, 'docs'), '--new', 'All', '--space', space);

  docsctl.answerOnly(7);
  const interrupted = await push();
  docsctl.answerOnly(Infinity);
  const half = await docsctl('content', 'view', '--cr', '1', '--space', space);
  for (let page = 0; page < 120; page += 1) await write(page, 'Second.');
  await rm(join(dir, 'docs', 'p1.md'));
  const run = await push();

  expect(interrupted.status).not.toBe(0);
  expect(half.json.pages.length).toBeGreaterThan(0);
  expect(half.json.pages.length).toBeLessThan(120);
  expect(run.status, run.stderr).toBe(0);
  expect(run.json).toMatchObject({ changeRequest: 1, deleted: 1, added: 120 - half.json.pages.length, kept: 0 });
  expect((await push()).json).toMatchObject({ unchanged: 119, added: 0, changed: 0 });
});

test('pages that link to each other are complete after an interrupted push, whenever that was', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'docsctl-interrupted-links-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const docsctl = await commandLine(dir);
  const files = new Map(
    Array.from({ length: 56 }, (_, page) => [
      `p${page}.md`,
      `# Page ${page}\n\nSee [the opposite](p${55 - page}.md#part) and [the next](./p${(page + 1) % 56}.md).\n`,
    ]),
  );
  await mkdir(join(dir, 'docs'));
  for (const [file, text] of files) await writeFile(join(dir, 'docs', file), text);

  // The first push sends pages without texts, then the texts.
  let isDone = false;
  for (let answered = 6; !isDone; answered += 1) {
    const space = (await docsctl('spaces', 'create', '--title', `Docs ${answered}`)).json.id as string;
    const push = () => docsctl('content', 'push', join(dir, 'docs'), '--merge', '--space', space);
    docsctl.answerOnly(answered);
    isDone = (await push()).status === 0;
    docsctl.answerOnly(Infinity);
    const run = await push();
    const again = await push();
    const out = join(dir, `out-${answered}`);
    const pulled = await docsctl('content', 'pull', out, '--space', space);
    const broken = await docsctl('spaces', 'links', space, '--status', 'broken');

    expect(run.status, `after ${answered}: ${run.stderr}`).toBe(0);
    expect(again.json, `after ${answered}`).toMatchObject({ status: 'unchanged', unchanged: 56 });
    expect(pulled.status, pulled.stderr).toBe(0);
    for (const [file, text] of files) expect(await readFile(join(out, file), 'utf8'), `after ${answered}`).toBe(text);
    expect(broken.json, `after ${answered}`).toEqual([]);
  }
});
