import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Demo, type DemoHome, makeDemo, runHere } from '../support/shell.ts';

let demo: Demo;
let home: DemoHome;
beforeAll(async () => {
  demo = await makeDemo();
  home = await demo.copy();
  await writeFile(join(home.dir, 'broken.json'), '{"title": ');
  await writeFile(join(home.dir, 'empty.json'), '');
});
afterAll(() => demo.remove());

test.each(['ftp://docs.example', 'http://', 'not a url', '', 'nonsense'])(
  'an address that is none is refused before anybody is asked to sign in: "%s"',
  async (address) => {
    const flagged = await home.run(['whoami', '--url', address]);
    expect(flagged.exitCode).toBe(2);
    expect(flagged.stderr).toMatch(`error: --url: "${address}" is not a service URL.\nhint: Use an address such as`);
    if (address === '') return;
    for (const more of [{ DOCSCTL_TOKEN: '' }, { DOCSCTL_TOKEN: 'x' }]) {
      const env = { ...home.env, DOCSCTL_URL: address, ...more };
      const named = await runHere({ dir: home.dir, env }, ['whoami']);
      expect(named.exitCode).toBe(2);
      expect(named.stderr).toContain('error: DOCSCTL_URL: ');
    }
  },
);

test.each([
  [['spaces', 'create', '--data', 'x'], "--data: this is not JSON: Unexpected token 'x'."],
  [['spaces', 'create', '--data', '@broken.json'], '--data: broken.json is not JSON: Unexpected end of'],
  [['spaces', 'create', '--data', '@empty.json'], '--data: empty.json is empty.'],
  [['spaces', 'create', '--data', ''], '--data: the value is empty.'],
  [['members', 'list', '--timeout', '0'], '--timeout must be a number of seconds above 0, not "0".'],
  [
    ['content', 'import', 'missing.md', '--source', 'markdown', '--space', 'handbook0001'],
    '<url>: "missing.md" is neither an address nor a file or folder.',
  ],
  [['apply', '.', '--yes', '--only', ''], '--only is empty.'],
  [['cr', 'merge', '1', '--require', ' ', '--space', 'handbook0001'], '--require is empty.'],
  [['init', '--url', 'embedded:local.db'], 'This command has no use for --url.'],
  [['serve', '--url', 'embedded:local.db'], 'This command has no use for --url.'],
  [['export', ''], '<folder> is empty.'],
  [['content', 'pull', '', '--space', 'handbook0001'], '<folder> is empty.'],
  [['spaces', 'edit', 'handbook0001'], 'No change given.'],
  [['orgs', 'edit'], 'No change given.'],
  [
    ['sites', 'customization', 'set', '--set', 'styling.thme=bold', '--site', 'lumensite001'],
    '--set: there is no setting "styling.thme".',
  ],
  [
    ['invites', 'links', 'create', '--role', 'read', '--data', '{"space":"handbook0001"}'],
    '--data determines the target of the link, so it must also contain the role.',
  ],
])('%j is refused in one sentence, with what to do', async (words, message) => {
  const { exitCode, stdout, stderr } = await home.run(words);

  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr.split('\n')[0]).toContain(`error: ${message}`);
});

test('an invalid token is refused before it is sent, like one that the service refuses', async () => {
  const env = { ...home.env, DOCSCTL_URL: 'http://127.0.0.1:9', DOCSCTL_TOKEN: 'a token' };
  const { exitCode, stderr } = await runHere({ dir: home.dir, env }, ['whoami']);

  expect(exitCode).toBe(3);
  expect(stderr).toMatch('error: The token contains an invalid character');
});

test('of several values the one that is refused is named', async () => {
  const { exitCode, stderr } = await home.run([
    'teams',
    'create',
    '--title',
    'Fitters',
    '--members',
    'member000002,nobody',
  ]);

  expect({ exitCode, stderr }).toEqual({
    exitCode: 5,
    stderr:
      'error: --members nobody: is not a member of this organization\nhint: "docsctl members list" lists what your token may see.\n',
  });
});

test.each([
  ['search', 'inlet vlave'],
  ['spaces', 'search', 'inlet vlave', '--space', 'handbook0001'],
])('a search with a misspelled word finds pages and suggests the correct one: %s', async (...words) => {
  const run = await home.run(words);
  expect(run.stdout).toContain('First run');
  expect(run.stderr).toContain('Did you mean "inlet valve"?');
});
