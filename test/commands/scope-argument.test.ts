import { expect, test } from 'vitest';
import { runHere, sharedDemo } from '../support/shell.ts';
import { commandsOfTree } from '../support/tree.ts';

const { home } = await sharedDemo();

const ids = { space: 'handbook0001', site: 'lumensite001' };

/** The commands that show something of a space or site, and take no other argument. */
const shows = (await commandsOfTree()).flatMap(({ path, command: { use, endpoint } }) =>
  endpoint?.method === 'GET' && /^\S+ \[(space|site)\]$/.test(use)
    ? [{ path, scope: use.includes('[site]') ? ('site' as const) : ('space' as const) }]
    : [],
);

test('lists and settings of spaces and sites take these as an argument', () => {
  expect(shows.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      'cr list',
      'content pages list',
      'content view',
      'comments list',
      'fields values view',
      'sites customization view',
      'sites schema view',
      'sites sections list',
      'sites section-groups list',
      'sites spaces list',
      'sites share-links list',
      'sites structure',
    ]),
  );
});

test.each(shows)(
  '$path takes its $scope as an argument, with the same result as by the flag',
  async ({ path, scope }) => {
    const words = path.split(' ');

    const byArgument = await home.run([...words, ids[scope], '-o', 'json']);
    const byFlag = await home.run([...words, `--${scope}`, ids[scope], '-o', 'json']);

    expect(byArgument).toMatchObject({ exitCode: byFlag.exitCode, stdout: byFlag.stdout, stderr: byFlag.stderr });
    expect(byFlag.exitCode).toBe(0);
  },
);

test('the argument wins over the settings, and must not contradict the flag', async () => {
  const env = { ...home.env, DOCSCTL_SPACE: 'nowhere00001' };
  const other = { ...home, env };

  const listed = await runHere(other, ['cr', 'list', 'handbook0001']);
  const twice = await home.run(['cr', 'list', 'handbook0001', '--space', 'handbook0001']);
  const contradiction = await home.run(['cr', 'list', 'handbook0001', '--space', 'quickstart01']);
  const viewed = await home.run(['spaces', 'view', 'handbook0001', '--space', 'quickstart01']);

  expect([listed.exitCode, twice.exitCode]).toEqual([0, 0]);
  for (const { exitCode, stderr } of [contradiction, viewed])
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: 'error: The space is given twice: "handbook0001" and --space "quickstart01".\nhint: Give one of them.\n',
    });
});

test.each([
  [
    ['spaces', 'create', 'Pump it'],
    `"docsctl spaces create" takes no argument: "Pump it" is one too many.\nhint: Pass --title 'Pump it' or --org`,
  ],
  [['cr', 'merge', '1', '2'], '"docsctl cr merge" takes one argument: "2" is one too many.\nhint: Pass --space 2'],
  [
    ['cr', 'list', 'handbook0001', 'x'],
    'takes one argument: "x" is one too many.\nhint: See "docsctl cr list --help".',
  ],
  [['comments', 'create', 'handbook0001'], 'takes no argument: "handbook0001" is one too many.\nhint: Pass --space'],
  [['fields', 'values', 'set', 'handbook0001', 'owner=x'], 'a space is named with --space'],
])('%j: the error names the flag that the word was meant for', async (words, message) => {
  const { exitCode, stderr } = await home.run(words);

  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
});
