import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { bin, root, serve } from '../support/cli.ts';
import { test } from '../support/in-process.ts';

const specs = dirname(createRequire(import.meta.url).resolve('@readme/oas-examples/package.json'));

test('a change request goes from draft to merged by its number, and not twice', async ({ docsctl }) => {
  const space = (await docsctl('spaces', 'create', '--title', 'Pumps', '-o', 'id')).stdout.trim();
  const spaceFlag = ['--space', space];

  await docsctl('cr', 'create', '--subject', 'Explain the pump', ...spaceFlag);
  const tooEarly = await docsctl('cr', 'merge', '1', ...spaceFlag);
  const merged = await docsctl('cr', 'merge', '1', '--open', ...spaceFlag, '--json');
  const again = await docsctl('cr', 'merge', '1', ...spaceFlag);
  const view = await docsctl('cr', 'view', '1', ...spaceFlag, '--json');

  expect(tooEarly.exitCode).toBe(6);
  expect(tooEarly.stderr).toContain('#1 is draft');
  expect(merged.json.result).toBe('merge');
  expect(again.exitCode).toBe(6);
  expect(view.json).toMatchObject({ status: 'merged', revisionMerged: merged.json.revision });
});

test('the whole list is printed, over all pages, in-process and over HTTP', async ({ demo }) => {
  const list = ['members', 'list', '--sort', 'lastSeenAt', '--page-size', '100'];
  const db = join(demo.dir, 'data', 'local.db');
  const embedded = await demo.docsctl(...list);
  const { token } = (await demo.docsctl('serve', 'token', 'create', '--json')).json;
  const instance = await serve(demo, '--db', db);

  const served = await demo.docsctl(...list, { env: { DOCSCTL_URL: instance.url, DOCSCTL_TOKEN: token } });
  await instance.stop();

  expect(embedded.stdout.trimEnd().split('\n').length).toBeGreaterThan(400);
  expect(served.stdout).toBe(embedded.stdout);
});

test('openapi publish --wait sends a real description and follows its processing', async ({ docsctl }) => {
  const file = join(specs, '3.1', 'yaml', 'train-travel.yaml');

  const published = await docsctl('openapi', 'publish', file, '--slug', 'trains', '--wait', '--json');

  expect(published.exitCode).toBe(0);
  expect(published.json).toMatchObject({ slug: 'trains', processingState: 'complete' });
  expect(published.json.lastProcessErrorCode).toBeUndefined();
});

test('roles can be tried on an embedded instance with --as', async ({ demo }) => {
  const reader = await demo.docsctl('members', 'list', '--role', 'read', '--limit', '1', '-o', 'id');

  const refused = await demo.docsctl('spaces', 'create', '--title', 'Mine', '--as', reader.stdout.trim());

  expect(refused.exitCode).toBe(4);
  expect(refused.stderr).toMatch(/^error: .*createContent.*\nhint: /);
});

test('without any settings the status is 3, with what to do', async ({ home }) => {
  const run = await home.docsctl('members', 'list');

  expect(run.exitCode).toBe(3);
  expect(run.stderr).toBe(
    'error: No service is set.\nhint: Sign in with "docsctl auth login", make a local instance with "docsctl init", or set DOCSCTL_URL and DOCSCTL_TOKEN.\n',
  );
});

test('errors are one JSON object on standard error with -o json', async ({ docsctl }) => {
  const run = await docsctl('members', 'view', 'nobody', '-o', 'json');

  expect(run.exitCode).toBe(5);
  expect(run.stdout).toBe('');
  expect(JSON.parse(run.stderr).error).toMatchObject({ status: 404, reason: 'not-found' });
});

test('the service names the flag of a bad value', async ({ docsctl }) => {
  const run = await docsctl('spaces', 'create', '--title', 'x'.repeat(51));

  expect(run.exitCode).toBe(6);
  expect(run.stderr).toBe('error: --title: must be at most 50 characters\n');
});

for (const [words, hint] of [
  [['membrs', 'list'], 'members'],
  [['members', 'lst'], 'list'],
  [['members', 'list', '--limt', '3'], '--limit'],
  [['spaces', 'create', '--data', '{"emojy":"x"}'], 'emoji'],
] as const) {
  test(`a misspelled word gets the nearest name: ${words.join(' ')}`, async ({ docsctl }) => {
    const run = await docsctl(...words);

    expect(run.exitCode).toBe(2);
    expect(run.stderr).toMatch(new RegExp(`hint: Did you mean .*${hint}`));
  });
}

test('deleting without a terminal needs --yes, and --dry-run only shows the request', async ({ docsctl }) => {
  const space = (await docsctl('spaces', 'create', '--title', 'New', '-o', 'id')).stdout.trim();

  const refused = await docsctl('spaces', 'delete', space);
  const dry = await docsctl('spaces', 'delete', space, '--dry-run');
  const done = await docsctl('spaces', 'delete', space, '--yes');

  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain('--yes');
  expect(dry.stdout).toMatch(new RegExp(`^DELETE .*/v1/spaces/${space}\nNew \\(${space}\\)\n$`));
  expect(done.exitCode).toBe(0);
  expect((await docsctl('spaces', 'list', '-o', 'id')).stdout).not.toContain(space);
});

test('several ids are read from standard input, and failures are reported with status 8', async ({ demo }) => {
  const ids = (await demo.docsctl('members', 'list', '--role', 'guest', '--limit', '3', '-o', 'id')).stdout;

  const run = await demo.docsctl('members', 'mark-sso', '-', '-o', 'id', { input: `${ids}nobody\n`, stdin: 'pipe' });

  expect(run.exitCode).toBe(8);
  expect(run.stdout).toBe(ids);
  expect(run.stderr).toContain('error: nobody:');
  expect(run.stderr).toContain('error: 1 of 4 failed.');
});

test('serve prints its address in one JSON line, keeps data over a restart, and ends with 0 on SIGTERM', async ({
  home,
}) => {
  const first = await serve(home);
  const env = { DOCSCTL_URL: first.url, DOCSCTL_TOKEN: first.token };
  const made = await home.docsctl('spaces', 'create', '--title', 'Kept', '-o', 'id', { env });
  const status = await first.stop();

  const second = await serve(home);
  const kept = await home.docsctl('spaces', 'list', '-o', 'id', { env: { ...env, DOCSCTL_URL: second.url } });
  await second.stop();

  expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(status).toBe(0);
  expect(first.log()).toMatch(/POST \/v1\/orgs\/\w+\/spaces 201 [\d.]+ ms \w{8}/);
  expect(second.token).toBeUndefined();
  expect(kept.stdout).toBe(made.stdout);
});

test('serve refuses a file that it cannot use, in one line with a hint', async ({ home }) => {
  const running = await serve(home);
  const port = new URL(running.url).port;
  const noDatabase = join(home.dir, 'notes.txt');
  await writeFile(
    noDatabase,
    'These are notes, and more than a hundred bytes of them, so that there is a header to read. '.repeat(3),
  );

  const busy = await home.docsctl('serve', '--port', port, '--db', join(home.dir, 'other.db'));
  const notOurs = await home.docsctl('serve', '--port', '0', '--db', noDatabase);
  const folder = await home.docsctl('serve', '--port', '0', '--db', '/proc/nothing/docsctl.db');
  await running.stop();

  for (const run of [busy, notOurs, folder]) {
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toMatch(/^error: [^\n]+\nhint: [^\n]+\n$/);
  }
  expect(await readFile(noDatabase, 'utf8')).toContain('These are notes');
});

test('the README examples work as they are written', async ({ home }) => {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const script = /<!-- examples[^>]*-->\n```sh\n([\s\S]*?)```/.exec(readme)![1]!;
  await writeFile(join(home.dir, 'petstore.yaml'), await readFile(join(specs, '3.0', 'yaml', 'petstore.yaml')));

  const run = await execa('bash', ['-euc', `docsctl() { "${process.execPath}" "${bin}" "$@"; }\n${script}`], {
    cwd: home.dir,
    env: home.env,
    extendEnv: false,
    reject: false,
  });

  expect(run.stderr.split('\n').filter((line) => line.startsWith('error:'))).toEqual([]);
  expect(run.exitCode).toBe(0);
  expect(script.match(/^docsctl|\(docsctl/gm)!.length).toBeGreaterThanOrEqual(10);
});
