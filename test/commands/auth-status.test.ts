import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from '../support/service.ts';
import { type Demo, type DemoHome, makeDemo, screenOf } from '../support/shell.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await makeDemo();
});
afterAll(() => demo.remove());

/** Keeps these tokens, as a person could edit the file. */
async function keep(home: DemoHome, tokens: Record<string, unknown>): Promise<void> {
  const file = join(home.env.DOCSCTL_CONFIG_DIR!, 'credentials.json');
  await writeFile(file, JSON.stringify(tokens));
  await chmod(file, 0o600);
}

const statesOf = (run: { json: any }) => run.json.map(({ profile, state }: any) => `${profile} ${state}`);

test('a profile that does not work is status 8 where the one in use does, and each is named', async () => {
  const home = await demo.copy();
  await home.run(['profiles', 'create', 'bare', '--url', 'https://docs.example']);
  await home.run(['profiles', 'create', 'gone', '--url', `embedded:${home.dir}/gone.db`]);

  const run = await home.run(['auth', 'status', '--json']);
  const text = await home.run(['auth', 'status']);

  expect(run.exitCode).toBe(8);
  expect(statesOf(run)).toEqual(['local works', 'bare no token', 'gone missing']);
  expect(text.stderr).toBe(
    `error: Profile "bare": There is no token for https://docs.example.\nProfile "gone": There is no file ${home.dir}/gone.db.\nhint: Sign in with "docsctl auth login --profile bare".\n`,
  );
  expect((await home.run(['auth', 'status', '--profile', 'local'])).exitCode).toBe(0);
  expect((await home.run(['auth', 'status', '--profile', 'gone'])).stderr).toContain(
    `"docsctl init --db ${home.dir}/gone.db --profile gone"`,
  );
});

test('a token that was not sent was not refused', async () => {
  const home = await demo.copy();
  let calls = 0;
  const url = await listen((_, response) => response.writeHead(401).end(String((calls += 1))));
  for (const name of ['locked', 'odd', 'stale']) await home.run(['profiles', 'create', name, '--url', url]);
  await keep(home, { locked: { keyring: 'locked-1' }, odd: 'two words', stale: 'revoked-token' });

  const run = await home.run(['auth', 'status', '--json']);

  expect(statesOf(run)).toEqual(['local works', 'locked token unreadable', 'odd token unreadable', 'stale refused']);
  expect(calls).toBe(1);
});

test('at 100 columns the problem stands in the table', async () => {
  const home = await demo.copy();
  await home.run(['profiles', 'create', 'bare', '--url', 'https://docs.example']);

  const run = await home.run(['auth', 'status'], screenOf(100));

  expect(run.stdout).toContain('PROBLEM');
  expect(run.stdout).toContain('There is no token');
});
