import { afterAll, beforeAll, expect, test } from 'vitest';
import { layOut } from '../support/demo-files.ts';
import { type Demo, type DemoHome, makeDemo } from '../support/shell.ts';
import { commandsOfTree, wordsOf } from '../support/tree.ts';

let demo: Demo;
let home: DemoHome;
beforeAll(async () => {
  demo = await makeDemo();
  home = await demo.copy();
  await layOut(home.dir);
});
afterAll(() => demo.remove());

/** They use no profile, look after several, or make the one that is named. */
const isForAny = /^(init|help|completion .*|profiles .*|serve.*|config path|openapi validate|auth login|doctor)$/;

const using = (await commandsOfTree()).flatMap(({ path, command: { help: { examples = [] } = {} } }) => {
  const words = examples.map(({ run }) => wordsOf(run)).find((line) => line?.[0] === 'docsctl');
  const isAsked = words !== undefined && !isForAny.test(path) && !words.includes('--profile');
  return isAsked ? [{ path, words: words.slice(1) }] : [];
});

test.each(using)('$path ends with status 5 for a profile that is not there', async ({ words }) => {
  const { exitCode, stdout, stderr } = await home.run([...words, '--profile', 'locl', '--yes', '-o', 'yaml']);

  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 5,
    stdout: '',
    stderr: 'error: There is no profile "locl" (--profile).\nhint: Did you mean "local"? There is local.\n',
  });
});

test.each([
  ['profiles', 'view', 'locl'],
  ['profiles', 'use', 'locl'],
  ['profiles', 'rename', 'locl', 'other'],
  ['profiles', 'delete', 'locl', '--yes'],
  ['config', 'set', 'profile', 'locl'],
])('%s %s %s: the same where an argument names it', async (...words) => {
  for (const more of [[], ['--dry-run']]) {
    const { exitCode, stderr } = await home.run([...words, ...more]);
    expect(exitCode).toBe(5);
    expect(stderr).toBe('error: There is no profile "locl".\nhint: Did you mean "local"? There is local.\n');
  }
});

test('the same where a variable names it, and where --url makes the profile needless', async () => {
  const env = { ...home.env, DOCSCTL_PROFILE: 'locl' };
  const { runHere } = await import('../support/shell.ts');

  const named = await runHere({ dir: home.dir, env }, ['auth', 'logout']);
  expect(named.exitCode).toBe(5);
  expect(named.stderr).toContain('There is no profile "locl" (DOCSCTL_PROFILE).');
  const both = await home.run(['whoami', '--url', 'https://docs.example', '--profile', 'locl']);
  expect(both.exitCode).toBe(5);
});

test('none in use is status 3, for every command alike', async () => {
  const bare = await demo.copy();
  await bare.run(['config', 'unset', 'profile']);

  for (const words of [
    ['whoami'],
    ['auth', 'logout'],
    ['auth', 'token'],
    ['auth', 'status'],
    ['config', 'set', 'org', 'a'],
  ]) {
    const { exitCode } = await bare.run(words);
    expect({ words, exitCode }).toEqual({ words, exitCode: words[1] === 'status' ? 0 : 3 });
  }
});

test('the profile of an embedded instance has no token to print, and needs no sign-in', async () => {
  const { exitCode, stdout, stderr } = await home.run(['auth', 'token']);

  expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
  expect(stderr).toContain('it needs no token.');
  expect(stderr).not.toContain('Sign in');
});
