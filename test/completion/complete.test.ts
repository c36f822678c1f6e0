import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Docsctl, type Home, makeHome, test } from '../support/cli.ts';
import { listen } from '../support/service.ts';

/** What docsctl suggests for the word that is begun, behind these words. */
const suggest = async (docsctl: Docsctl, begun: string, ...words: string[]) => {
  const run = await docsctl(
    '--no-input',
    '--timeout',
    '1',
    '--retries',
    '0',
    '__complete',
    `--begun=${begun}`,
    '--',
    ...words,
  );
  expect(run).toMatchObject({ stderr: '', exitCode: 0 });
  return run.stdout.split('\n').filter(Boolean);
};
const valuesOf = (lines: string[]) => lines.map((line) => line.split('\t')[0]);

describe('what may stand at the cursor', () => {
  let demo: Home;
  beforeAll(async () => {
    demo = await makeHome();
    await demo.docsctl('init', '--demo');
  });
  afterAll(() => rm(demo.dir, { recursive: true, force: true }));

  test.for([
    ['a group', [], 'memb', ['members\tmembers and their roles']],
    ['a command under an alias of its group', ['change-requests'], 'mer', [/^merge\tMerge/]],
    ['a flag', ['members', 'edit', 'x'], '--ro', [/^--role\t/]],
    ['a flag that says no, when asked for', ['orgs', 'edit'], '--no-ss', [/^--no-sso\t/]],
    ['a word of an enumeration', ['members', 'edit', 'x', '--role'], 'ad', ['admin\t']],
    ['the same behind =', ['members', 'edit', 'x'], '--role=ad', ['--role=admin\t']],
    ['the last of several values', ['cr', 'list', '--columns'], 'id,subj', ['id,subject\t']],
    ['a profile', ['members', 'list', '--profile'], '', [/^local\tembedded:/]],
    ['a profile as an argument', ['profiles', 'use'], '', ['local\t']],
    ['a setting', ['config', 'get'], 'o', ['org\t']],
    ['a topic of the help', ['help'], 'exit', ['exit-codes\t']],
    ['a command of the help', ['help', 'cr'], 'mer', [/^merge\t/]],
    ['a file', ['invites', 'send', '--from'], '', ['\tfiles']],
    ['a file behind =', ['invites', 'send'], '--from=x', ['\tfiles']],
    ['a file as an argument', ['openapi', 'publish'], '', ['\tfiles']],
    ['a folder', ['content', 'push'], '', ['\tfolders']],
    ['nothing behind --', ['members', 'list', '--'], '--o', []],
    ['nothing where a text is expected', ['cr', 'create', '--subject'], '', []],
    ['nothing of a command that there is not', ['membres', 'lst'], '', []],
    [
      'an id with its title',
      ['cr', 'view', '--space', 'handbook0001'],
      'pump',
      ['pumpchange01\t#1 Explain the new pump'],
    ],
    ['an id below another', ['content', 'files', 'view', '--space=handbook0001'], '', ['pumpphoto001\tpump.png']],
    [
      'a neighbour',
      ['sites', 'sections', 'move', 'x', '--site', 'lumensite001', '--before'],
      'gu',
      ['guides000001\tGuides'],
    ],
    ['no id twice', ['spaces', 'delete', 'handbook0001'], 'hand', []],
    ['an id by a flag', ['cr', 'list', '--space'], 'hand', ['handbook0001\tHandbook']],
    ['a page token is no page', ['comments', 'list', '--space', 'handbook0001', '--page'], '', []],
  ] as [string, string[], string, (string | RegExp)[]][])('%s', async ([, words, begun, expected]) => {
    const lines = await suggest(demo.docsctl, begun, ...words);
    expect(lines).toEqual(expected.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line))));
  });
});

describe('what a service says', () => {
  test('is remembered for a moment', async ({ home }) => {
    let asked = 0;
    const url = await listen((_, response) => {
      asked++;
      response.statusCode = 500;
      response.end();
    });
    const docsctl: Docsctl = (...words) =>
      home.docsctl(...words, { env: { DOCSCTL_URL: url, DOCSCTL_TOKEN: 'token-of-test' } });
    await suggest(docsctl, '', 'spaces', 'view', '--org', 'some');
    const once = asked;
    expect(once).toBeGreaterThan(0);
    await suggest(docsctl, 'x', 'spaces', 'view', '--org', 'some');
    expect(asked).toBe(once);
    await suggest(docsctl, '', 'spaces', 'view', '--org', 'other');
    expect(asked).toBeGreaterThan(once);
  });

  test('is not waited for: nothing is suggested, nothing is said', async ({ home }) => {
    const url = await listen(() => {});
    const docsctl: Docsctl = (...words) =>
      home.docsctl(...words, { env: { DOCSCTL_URL: url, DOCSCTL_TOKEN: 'token-of-test' } });
    expect(await suggest(docsctl, '', 'spaces', 'view', '--org', 'some')).toEqual([]);
  });

  test('is missing without settings, and so are ids', async ({ home }) => {
    expect(await suggest(home.docsctl, '', 'spaces', 'view')).toEqual([]);
    expect(valuesOf(await suggest(home.docsctl, 'vie', 'spaces'))).toEqual(['view']);
  });

  test('a cache that is broken is made anew', async ({ demo }) => {
    const folder = join(demo.dir, 'cache', 'completions');
    const ask = () => suggest(demo.docsctl, 'hand', 'spaces', 'view');
    const before = await ask();
    expect(before).toHaveLength(1);
    await mkdir(folder, { recursive: true });
    for (const name of await readdir(folder)) await writeFile(join(folder, name), '{"until":');
    expect(await ask()).toEqual(before);
  });
});
