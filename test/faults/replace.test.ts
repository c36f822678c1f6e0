import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { bin, type Home } from '../support/cli.ts';
import { login, test } from '../support/service.ts';
import { writeFiles } from '../support/write-files.ts';

/** Kills a command at several points, and then runs it to its end. */
async function killAndFinish(home: Home, words: readonly string[], delaysMs: readonly number[]) {
  for (const delayMs of delaysMs) {
    const child = spawn(process.execPath, [bin, ...words], { cwd: home.dir, env: home.env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    await Promise.race([sleep(delayMs), ended]);
    child.kill('SIGKILL');
    await ended;
  }
  return home.docsctl(...words);
}

const pagesOf = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, page) => [`docs/p${page}.md`, `# Page ${page}\n\nA zzpump and a zzpump.\n`]),
  );
const replaced = (page: number) => `# Page ${page}\n\nA zzpump two and a zzpump two.\n`;

async function changedIn(home: Home, pages: readonly string[]): Promise<number> {
  const texts = await Promise.all(pages.map((page) => readFile(join(home.dir, `docs/${page}.md`), 'utf8')));
  return texts.filter((text) => text.includes('zzpump two')).length;
}

test.for(['continues', 'is undone'])(
  'a killed replace %s in folders, and replaces nothing twice',
  async (what, { home }) => {
    const count = 400;
    await writeFiles(home.dir, pagesOf(count));

    const words = ['replace', 'zzpump', 'zzpump two', 'docs'];
    const child = spawn(process.execPath, [bin, ...words], { cwd: home.dir, env: home.env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    // The files are written in this order.
    while (child.exitCode === null && (await changedIn(home, ['p0', 'p1', 'p10'])) === 0) await sleep(1);
    child.kill('SIGKILL');
    await ended;
    const changed = await changedIn(
      home,
      Object.keys(pagesOf(count)).map((file) => file.slice(5, -3)),
    );
    const isUndone = what === 'is undone';
    const run = await home.docsctl(...(isUndone ? ['replace', '--undo', 'docs'] : words));

    expect(changed).toBeGreaterThan(0);
    expect(changed).toBeLessThan(count);
    expect({ exitCode: run.exitCode, stderr: run.exitCode === 0 ? '' : run.stderr }).toEqual({
      exitCode: 0,
      stderr: '',
    });
    expect(run.stderr).toContain(isUndone ? `Changed ${changed} file` : 'changed by an interrupted run.');
    for (let page = 0; page < count; page += 1) {
      expect(await readFile(join(home.dir, `docs/p${page}.md`), 'utf8')).toBe(
        isUndone ? pagesOf(count)[`docs/p${page}.md`] : replaced(page),
      );
    }
  },
);

const sections = (page: number) => `# Page ${page}\n\n## First part\n\n[a](#First-Part) \`#First-Part\` [b](none.md)\n`;
const fixed = (page: number) => sections(page).replace('(#First-Part)', '(#first-part)');

test('a killed links check --fix continues, and leaves no half-written file', async ({ home }) => {
  const pages = Array.from({ length: 400 }, (_, page) => page);
  await writeFiles(home.dir, Object.fromEntries(pages.map((page) => [`docs/p${page}.md`, sections(page)])));
  await writeFiles(home.dir, { 'docs/.docsctl-0123456789ab.tmp': '# Pa' });
  const textOf = (page: number) => readFile(join(home.dir, `docs/p${page}.md`), 'utf8');

  const words = ['links', 'check', 'docs', '--fix', '--fail-on', 'none'];
  const child = spawn(process.execPath, [bin, ...words], { cwd: home.dir, env: home.env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  // The files are written in this order.
  while (child.exitCode === null && (await textOf(10)) === sections(10)) await sleep(1);
  child.kill('SIGKILL');
  await ended;
  const killed = await Promise.all(pages.map(textOf));
  const run = await home.docsctl(...words);

  const expected = (page: number) => [sections(page), fixed(page)];
  for (const page of pages) expect(expected(page)).toContain(killed[page]);
  expect(killed.filter((text) => text.includes('(#First-Part)')).length).toBeGreaterThan(0);
  expect(run.exitCode).toBe(0);
  for (const page of pages) expect(await textOf(page)).toBe(fixed(page));
  expect((await readdir(join(home.dir, 'docs'))).length).toBe(pages.length);
});

test('a killed replace continues in spaces, in one change request', async ({ home, service }) => {
  const count = 130;
  await login(home, service);
  await writeFiles(home.dir, pagesOf(count));
  const space = (await home.docsctl('spaces', 'create', '--title', 'Killed', '-o', 'id')).stdout.trim();
  expect(await home.docsctl('content', 'push', 'docs', '--merge', '--space', space)).toMatchObject({ exitCode: 0 });

  const delays = Array.from({ length: 8 }, (_, index) => 700 + index * 250);
  const words = ['replace', 'zzpump', 'zzpump two', '--all-spaces'];
  const run = await killAndFinish(home, words, delays);
  const requests = await home.docsctl('cr', 'list', '--space', space, '--status', 'draft', '-o', 'json');
  const pulled = await home.docsctl('content', 'pull', 'pulled', '--space', space, '--cr', '2');

  expect({ exitCode: run.exitCode, stderr: run.exitCode === 0 ? '' : run.stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(JSON.parse(requests.stdout)).toMatchObject([{ number: 2, subject: 'Replace "zzpump" by "zzpump two"' }]);
  expect(pulled.exitCode).toBe(0);
  for (let page = 0; page < count; page += 1) {
    expect(await readFile(join(home.dir, `pulled/p${page}.md`), 'utf8')).toContain('A zzpump two and a zzpump two.\n');
  }
});
