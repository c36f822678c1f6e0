import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { test } from '../support/cli.ts';
import { writeIn } from '../support/docs.ts';

test('an old folder that is pushed again from a fresh copy loses nothing of the app', async ({ served, home }) => {
  const { docsctl } = served;
  const space = (await docsctl('spaces', 'create', '--title', 'Docs', '-o', 'id')).stdout.trim();
  const json = async (...words: string[]) => {
    const run = await docsctl(...words, '--space', space, '--json');
    expect(run.exitCode, run.stderr).toBe(0);
    return run.json;
  };
  await writeIn(home.dir, { 'docs/a.md': '# Alpha\n\nOne.\n', 'docs/b.md': '# Beta\n\nTwo.\n' });
  await json('content', 'push', 'docs', '--merge');
  const { pages } = await json('content', 'view');
  const { number, id } = await json('cr', 'create', '--subject', 'In the app');
  const changes = [
    { operation: 'update_page', page: pages[0].id, document: { markdown: '# Alpha\n\nEdited in the app.\n' } },
    { operation: 'insert_page', document: { markdown: '# New\n\nWritten in the app.\n' } },
  ];
  await writeFile(join(home.dir, 'changes.json'), JSON.stringify({ changes }));
  await json('api', 'POST', `/v1/spaces/${space}/change-requests/${id}/content`, '--input', 'changes.json');
  await json('cr', 'merge', String(number), '--open');
  await cp(join(home.dir, 'docs'), join(home.dir, 'fresh'), { recursive: true });
  await rm(join(home.dir, 'docs'), { recursive: true });

  const pushed = await docsctl('content', 'push', 'fresh', '--merge', '--space', space, '--json');
  const after = await json('content', 'view');
  const text = await json('content', 'pages', 'view', pages[0].id, '--format', 'markdown');

  expect(pushed.exitCode, pushed.stderr).toBe(0);
  expect(pushed.json).toMatchObject({ status: 'unchanged', kept: 2, changed: 0, deleted: 0 });
  expect(pushed.stderr).toContain('2 pages changed in the app since the last push; pull to get them: Alpha, New.');
  expect(after.pages.map(({ title }: { title: string }) => title)).toEqual(['Alpha', 'Beta', 'New']);
  expect(text.markdown).toBe('# Alpha\n\nEdited in the app.\n');
});
