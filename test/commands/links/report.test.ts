import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { nearDuplicates } from '../../../src/links/report/near-duplicates.ts';
import { test } from '../../support/in-process.ts';
import { writeFiles } from '../../support/write-files.ts';

const words = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `word${index + from}`).join(' ');

const pages = {
  'docs/README.md': '# Home\n\n[a](a.md) [copy](copy.md) ![used](used.png)\n',
  'docs/a.md': `---\nowner: Ada\nreview: 2020-01-31\n---\n# A\n\n${words(60)}\n\n[gone](gone.md) [none](none.md)\n`,
  'docs/copy.md': `# Copy\n\n${words(60)} more\n`,
  'docs/lonely.md': `---\ntitle: Lonely <script>\nreview: 2999-01-01\n---\n# Lonely\n\n${'Line.\n'.repeat(10)}`,
  'docs/used.png': 'x',
  'docs/unused.png': 'xyz',
};

test('content report lists what is wrong with each page and file', async ({ docsctl, home }) => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Bob', '-c', 'user.email=bob@example.com', ...args], {
      cwd: home.dir,
      env: { ...process.env, GIT_COMMITTER_DATE: '2026-02-03T04:05:06Z' },
    });
  await writeFiles(home.dir, pages);
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Write');
  await writeFiles(home.dir, {
    'docs/lonely.md': '---\ntitle: Lonely <script>\nreview: 2999-01-01\n---\n# Lonely\n\nLine.\n',
  });
  git('commit', '--quiet', '--all', '--message', 'Cut');

  const run = await docsctl('content', 'report', 'docs', '-o', 'json', '--html', 'report.html');
  const limited = await docsctl('content', 'report', 'docs', '--problems', '--max', 'overdue=0,unlinked=1', '-o', 'id');
  const wrong = await docsctl('content', 'report', 'docs', '--max', 'others=1');

  expect(run).toMatchObject({ exitCode: 0 });
  expect(run.json).toEqual([
    {
      where: 'docs/README.md',
      title: 'Home',
      changed: '2026-02-03',
      owner: 'Bob',
      links: 0,
      broken: 0,
      lost: 0,
      problems: [],
    },
    {
      where: 'docs/a.md',
      title: 'A',
      changed: '2026-02-03',
      owner: 'Ada',
      review: '2020-01-31',
      links: 1,
      broken: 2,
      lost: 0,
      similar: ['docs/copy.md'],
      problems: ['overdue', 'broken', 'duplicate'],
    },
    {
      where: 'docs/copy.md',
      title: 'Copy',
      changed: '2026-02-03',
      owner: 'Bob',
      links: 1,
      broken: 0,
      lost: 0,
      similar: ['docs/a.md'],
      problems: ['duplicate'],
    },
    {
      where: 'docs/lonely.md',
      title: 'Lonely <script>',
      changed: '2026-02-03',
      owner: 'Bob',
      review: '2999-01-01',
      links: 0,
      broken: 0,
      lost: 56,
      problems: ['unlinked', 'shrunk'],
    },
    { where: 'docs/unused.png', size: 3, problems: ['unused'] },
  ]);
  expect(run.stderr).toContain('4 pages: 1 overdue, 1 unlinked, 2 broken, 2 duplicate, 1 shrunk, 1 unused.\n');
  const html = await readFile(join(home.dir, 'report.html'), 'utf8');
  expect(html).toContain('Lonely &lt;script&gt;');
  expect(html).not.toContain('<script');
  expect(limited.exitCode).toBe(9);
  expect(limited.stdout).toBe('docs/a.md\ndocs/copy.md\ndocs/lonely.md\ndocs/unused.png\n');
  expect(limited.stderr).toContain('1 pages whose review date has passed (at most 0).');
  expect(wrong.exitCode).toBe(2);
});

test('translations are behind by the changes of their source, and renames keep the last change of a page', async ({
  docsctl,
  home,
}) => {
  let day = 1;
  const commit = async (files: Record<string, string>, ...moves: [string, string][]) => {
    const env = { ...process.env, GIT_COMMITTER_DATE: `2026-02-0${day}T00:00:00Z` };
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=Bob', '-c', 'user.email=bob@example.com', ...words], {
        cwd: home.dir,
        env,
      });
    if (day === 1) git('init', '--quiet');
    for (const [from, to] of moves) git('mv', from, to);
    await writeFiles(home.dir, files);
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Change');
    day += 1;
  };
  const long = `# A\n\n${'Line.\n'.repeat(30)}`;
  await commit({ 'en/a.md': long, 'en/b.md': '# B\n', 'en/c.md': '# C\n', 'de/a.md': `${long}\n`, 'de/b.md': '# B\n' });
  await commit({ 'en/a.md': `${long}One.\n` });
  await commit({ 'en/a.md': `${long}Two.\n`, 'en/b.md': '# B\n\nMore.\n' });
  await commit({ 'de/b.md': '# B\n\nMehr.\n' });
  await commit({}, ['en/a.md', 'en/z.md'], ['de/a.md', 'de/z.md']);
  await commit({ 'en/y.md': `# A\n\n${'Line.\n'.repeat(16)}` }, ['en/z.md', 'en/y.md'], ['de/z.md', 'de/y.md']);

  const report = await docsctl('content', 'report', 'de', '--translation-of', 'en', '--max', 'behind=1', '-o', 'json');
  const source = await docsctl('content', 'report', 'en', '-o', 'json');

  expect(report.exitCode).toBe(9);
  expect(report.json).toMatchObject([
    { where: 'de/b.md', changed: '2026-02-04', behind: 0 },
    { where: 'de/y.md', changed: '2026-02-01', behind: 3 },
    { where: 'de/c.md', behind: 1, problems: ['behind'] },
  ]);
  expect(source.json).toMatchObject([
    { where: 'en/b.md' },
    { where: 'en/c.md' },
    { where: 'en/y.md', changed: '2026-02-06' },
  ]);
  expect((await docsctl('content', 'report', 'de', '--translation-of', 'none')).exitCode).toBe(2);
  expect((await docsctl('content', 'report', '--all-spaces', '--translation-of', 'en')).exitCode).toBe(2);
});

test('content report --all-spaces reports the same on the service', async ({ docsctl, home }) => {
  const space = (await docsctl('spaces', 'create', '--title', 'Reported', '-o', 'id')).stdout.trim();
  await docsctl('fields', 'create', '--name', 'review', '--title', 'Review', '--type', 'text');
  await docsctl('fields', 'values', 'set', 'review=2020-01-31', '--space', space);
  await writeFiles(home.dir, pages);
  expect((await docsctl('content', 'push', 'docs', '--merge', '--space', space)).exitCode).toBe(0);

  const { json } = await docsctl('content', 'report', '--all-spaces', '-o', 'json');

  const own = (json as { where: string }[]).filter(({ where }) => where.startsWith('Reported: '));
  expect(own).toMatchObject([
    { where: 'Reported: readme', review: '2020-01-31', problems: ['overdue'] },
    { where: 'Reported: a', broken: 2, similar: ['Reported: copy'], problems: ['overdue', 'broken', 'duplicate'] },
    { where: 'Reported: copy', links: 1, problems: ['overdue', 'duplicate'] },
    { where: 'Reported: lonely', links: 0, problems: ['overdue', 'unlinked'] },
  ]);
});

test('content report --all-spaces compares pages and translations with earlier revisions', async ({
  docsctl,
  home,
}) => {
  const create = async (title: string) =>
    (await docsctl('spaces', 'create', '--title', title, '-o', 'id')).stdout.trim();
  const [english, german] = [await create('Pump'), await create('Pumpe')];
  const push = async (space: string, files: Record<string, string>) => {
    await writeFiles(
      home.dir,
      Object.fromEntries(Object.entries(files).map(([name, text]) => [`${space}/${name}`, text])),
    );
    expect((await docsctl('content', 'push', space, '--merge', '--space', space)).exitCode).toBe(0);
  };
  const long = `# A\n\n${'Line.\n\n'.repeat(30)}`;
  await push(english, { 'a.md': long, 'b.md': '# B\n', 'c.md': '# C\n' });
  await push(german, { 'a.md': '# A\n', 'b.md': '# B\n\nEins.\n' });
  await push(english, { 'a.md': `${long}One.\n`, 'b.md': '# B\n\nOne.\n' });
  await push(german, { 'b.md': '# B\n\nZwei.\n' });
  await push(english, { 'a.md': `# A\n\n${'Line.\n\n'.repeat(10)}` });
  const report = (...flags: string[]) => docsctl('content', 'report', '--all-spaces', '-o', 'json', ...flags);
  const ofSource = ['--translation-of', 'Pump', '--translation'];

  const { json, exitCode } = await report(...ofSource, 'Pumpe', '--max', 'behind=2,shrunk=1');
  const unknown = await report(...ofSource, 'Pompe');
  const unused = await report('--translation', 'Pumpe');

  const own = (json as { where: string }[]).filter(({ where }) => where.startsWith('Pump'));
  expect(own).toMatchObject([
    { where: 'Pump: a', lost: 65, problems: ['shrunk'] },
    { where: 'Pump: b', lost: 0 },
    { where: 'Pump: c', lost: 0 },
    { where: 'Pumpe: a', lost: 0, behind: 2, problems: ['behind'] },
    { where: 'Pumpe: b', lost: 0, behind: 0 },
    { where: 'Pumpe: c', behind: 1, problems: ['behind'] },
  ]);
  expect(exitCode).toBe(0);
  expect(unknown.exitCode).toBe(2);
  expect(unused.exitCode).toBe(2);
});

test('a report without the history says what it did not check, and cannot pass a limit', async ({ docsctl, home }) => {
  await writeFiles(home.dir, pages);

  const all = await docsctl('content', 'report', 'docs', '-o', 'json');
  const limited = await docsctl('content', 'report', 'docs', '--max', 'shrunk=0');

  expect(all).toMatchObject({ exitCode: 0 });
  expect(all.stderr).toContain('shrunk: 4 pages not checked, because the history of their changes is missing.');
  expect(limited.exitCode).toBe(8);
});

test('pages whose last change is older than a shallow clone are not checked', async ({ docsctl, home }) => {
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=Bob', '-c', 'user.email=bob@example.com', ...words], { cwd: home.dir });
  await writeFiles(home.dir, { 'full/a.md': '# A\n\nOne.\n', 'full/b.md': '# B\n' });
  git('init', '--quiet', 'full');
  for (const message of ['Write', 'Change']) {
    await writeFiles(home.dir, { 'full/a.md': `# A\n\n${message}.\n` });
    git('-C', 'full', 'add', '--all');
    git('-C', 'full', 'commit', '--quiet', '--message', message);
  }
  git('-C', 'full', 'commit', '--quiet', '--allow-empty', '--message', 'Nothing');
  git('clone', '--quiet', '--depth', '2', `file://${home.dir}/full`, 'shallow');

  const { json, exitCode } = await docsctl('content', 'report', 'shallow', '-o', 'json', '--max', 'shrunk=0');

  expect(json).toMatchObject([
    { where: 'shallow/a.md', unchecked: ['shrunk'] },
    { where: 'shallow/b.md', unchecked: ['shrunk'] },
  ]);
  expect(exitCode).toBe(8);
});

test('near-duplicates are texts that share most of their words in the same order', () => {
  const texts = [
    ['one', words(300)],
    ['two', `${words(290)} other`],
    ['three', words(300, 150)],
    ['four', words(300, 1000)],
    ['short', 'a b c'],
    ['short too', 'a b c'],
  ] as const;

  expect(nearDuplicates(texts)).toEqual(
    new Map([
      ['two', ['one']],
      ['one', ['two']],
    ]),
  );
});
