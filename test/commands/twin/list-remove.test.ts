import { existsSync } from 'node:fs';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { sharedDemo } from '../../support/shell.ts';
import { smallHome } from './small-organization.ts';

const { demo } = await sharedDemo();
let home: Awaited<ReturnType<typeof smallHome>>;
const twinFile = () => join(home.dir, 'data', 'twin.db');

const done = async (...words: string[]) => {
  const run = await home.run(words);
  expect(run.exitCode, `${words.join(' ')}: ${run.stderr}`).toBe(0);
  return run;
};

beforeAll(async () => {
  home = await smallHome(demo);
});

test('twins are listed with what they are a copy of, and removed after a question', async () => {
  const none = await done('twin', 'list');
  expect([none.stdout, none.stderr]).toEqual(['', expect.stringContaining('There is no twin.')]);
  expect(await home.run(['twin', 'remove', '--yes'])).toMatchObject({ exitCode: 5 });
  await done('twin', 'create');
  await copyFile(twinFile(), join(home.dir, 'other.db'));
  await done('profiles', 'create', 'other', '--url', `embedded:${join(home.dir, 'other.db')}`);

  const { json } = await done('twin', 'list', '-o', 'json');
  expect(json).toEqual(
    ['twin', 'other'].map((profile) => ({
      profile,
      url: `embedded:${home.database}`,
      organization: expect.any(String),
      title: 'Local',
      createdAt: expect.stringMatching(/^\d{4}-/),
      size: expect.any(Number),
      database: expect.stringMatching(/\.db$/),
    })),
  );

  const asked = await home.run(['twin', 'remove']);
  expect(asked).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--yes') });
  expect((await done('twin', 'remove', '--dry-run')).stderr).toContain('Would delete the twin of Local');
  expect(existsSync(twinFile())).toBe(true);
  await done('twin', 'remove', '--yes');
  await done('twin', 'remove', 'other', '--yes');
  expect([existsSync(twinFile()), existsSync(join(home.dir, 'other.db'))]).toEqual([false, false]);
  expect((await done('profiles', 'list', '-o', 'json')).json).toEqual([expect.objectContaining({ name: 'local' })]);
});

test('files that are no twins are never removed', async () => {
  const text = join(home.dir, 'notes.db');
  await writeFile(text, 'notes');
  const before = await readFile(home.database);
  for (const [name, exitCode] of [
    [text, 6],
    [home.database, 6],
    ['local', 6],
    [home.dir, 6],
    [join(home.dir, 'missing.db'), 5],
  ] as const)
    expect(await home.run(['twin', 'remove', name, '--yes']), name).toMatchObject({ exitCode });
  await done('profiles', 'create', 'hosted', '--url', 'https://docs.example');
  expect(await home.run(['twin', 'remove', 'hosted', '--yes'])).toMatchObject({ exitCode: 6 });
  expect(await readFile(text, 'utf8')).toBe('notes');
  expect((await readFile(home.database)).equals(before)).toBe(true);
});
