import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { listener, login, test } from '../support/service.ts';
import { openScreen } from './screen.ts';

test.for([
  ['no, the answer of Enter', '', 3],
  ['yes', 'y', 0],
] as const)('a profile that a project file names is asked about once: %s', async ([, answer, status], { home }) => {
  const work = await listener();
  await login(home, { url: work.url, token: 'token-of-work' }, '--profile', 'work');
  await writeFile(join(home.dir, '.docsctl.yaml'), 'profile: work\n');
  work.asked.length = 0;

  const first = await openScreen(home, ['whoami'], { width: 200 });
  await first.shows(`Allow ${join(home.dir, '.docsctl.yaml')} to use the profile "work" (${work.url})?`);
  expect(work.asked).toEqual([]);
  await first.answer(answer);
  const ended = await first.ends();
  const second = await openScreen(home, ['whoami']);

  expect([ended, await second.ends()]).toEqual([status, status]);
  expect(await second.printed()).not.toContain('Allow');
  expect(new Set(work.asked.map(({ token }) => token))).toEqual(new Set(status === 0 ? ['Bearer token-of-work'] : []));
});

test('there is no question with --no-input or --dry-run, or from commands that show settings', async ({ home }) => {
  await home.docsctl('profiles', 'create', 'work', '--url', 'https://docs.example');
  await writeFile(join(home.dir, '.docsctl.yaml'), 'profile: work\n');

  for (const [words, status] of [
    [['whoami', '--no-input'], 3],
    [['whoami', '--dry-run'], 3],
    [['config', 'list'], 3],
    [['config', 'get', 'org'], 3],
    [['doctor'], 3],
    [['profiles', 'list'], 0],
  ] as const) {
    const screen = await openScreen(home, [...words]);
    expect([words, await screen.ends()]).toEqual([words, status]);
  }
});
