import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeDemoFiles } from '../support/demo-files.ts';
import { type Demo, type DemoHome, makeDemo } from '../support/shell.ts';
import { commandsOfTree, wordsOf } from '../support/tree.ts';

let demo: Demo;
let home: DemoHome;
beforeAll(async () => {
  demo = await makeDemo();
  home = await demo.copy();
  await writeDemoFiles(home.dir);
});
afterAll(() => demo.remove());

/** These commands use no profile, manage several, or create the one that is named. */
/** A list of commands tells the error of its first command, and how far it got. */
/** What follows -- is of another command: a rehearsed one takes no profile. */
const needsNoProfile =
  /^(init|run|each|alias .*|rehearse|propose|help|completion .*|profiles .*|twin (list|remove)|serve.*|config path|openapi validate|openapi check|content (check|report)|links check|replace|urls (snapshot|check)|access review verify|sites export|preview|auth login|doctor)$/;

const commandsWithProfile = (await commandsOfTree()).flatMap(({ path, command: { examples = {} } }) => {
  const words = Object.values(examples)
    .map(wordsOf)
    .find((line) => line?.[0] === 'docsctl');
  const usesProfile = words !== undefined && !needsNoProfile.test(path) && !words.includes('--profile');
  return usesProfile ? [{ path, words: words.slice(1) }] : [];
});

test.each(commandsWithProfile)('$path ends with status 5 if the profile does not exist', async ({ words }) => {
  const { exitCode, stdout, stderr } = await home.run([...words, '--profile', 'locl', '--yes', '-o', 'yaml']);

  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 5,
    stdout: '',
    // What a check of a file finds is printed before the service is asked.
    stderr: expect.stringMatching(
      /(?:^|\n)error: There is no profile "locl" \(--profile\)\.\nhint: Did you mean "local"\? There is local\.\n$/,
    ),
  });
});

test.each([
  ['profiles', 'view', 'locl'],
  ['profiles', 'use', 'locl'],
  ['profiles', 'rename', 'locl', 'other'],
  ['profiles', 'delete', 'locl', '--yes'],
  ['config', 'set', 'profile', 'locl'],
])('%s %s %s: the same for a profile in an argument', async (...words) => {
  for (const more of [[], ['--dry-run']]) {
    const { exitCode, stderr } = await home.run([...words, ...more]);
    expect(exitCode).toBe(5);
    expect(stderr).toBe('error: There is no profile "locl".\nhint: Did you mean "local"? There is local.\n');
  }
});

test('the same for a profile in a variable, and with --url, which needs no profile', async () => {
  const env = { ...home.env, DOCSCTL_PROFILE: 'locl' };
  const { runHere } = await import('../support/shell.ts');

  const named = await runHere({ dir: home.dir, env }, ['auth', 'logout']);
  expect(named.exitCode).toBe(5);
  expect(named.stderr).toContain('There is no profile "locl" (DOCSCTL_PROFILE).');
  const both = await home.run(['whoami', '--url', 'https://docs.example', '--profile', 'locl']);
  expect(both.exitCode).toBe(5);
});

test('no profile in use is status 3', async () => {
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
  expect(stderr).toContain('which needs no token.');
  expect(stderr).not.toContain('Sign in');
});
