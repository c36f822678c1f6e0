import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { test } from '../support/cli.ts';
import { openScreen } from './screen.ts';

test('in a terminal, the commands of a list ask and print as they do alone', async ({ demo }) => {
  const commands = ['collections view archive00001', 'collections delete archive00001', 'whoami -o id'];
  await writeFile(join(demo.dir, 'list.txt'), commands.join('\n'));

  const screen = await openScreen(demo, ['run', 'list.txt']);
  await screen.shows('Delete the collection Archive (archive00001)?');
  await screen.answer('y');

  expect(await screen.ends()).toBe(0);
  const text = await screen.text();
  expect(text).toMatch(/^Title +Archive$/m);
  expect(text).toContain('3 commands done.');
  expect((await demo.docsctl('collections', 'view', 'archive00001')).exitCode).toBe(5);
});

test('the answer no ends a list', async ({ demo }) => {
  await writeFile(join(demo.dir, 'list.txt'), 'collections delete archive00001\nspaces create --title After');

  const screen = await openScreen(demo, ['run', 'list.txt', '--keep-going']);
  await screen.shows('Delete the collection Archive (archive00001)?');
  await screen.answer('');

  expect(await screen.ends()).toBe(130);
  expect((await demo.docsctl('spaces', 'list', '--columns', 'title')).stdout).not.toContain('After');
});
