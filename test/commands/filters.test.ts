import { describe, expect, test } from 'vitest';
import { isList } from '../../src/cli/program/options.ts';
import { screenOf, sharedDemo } from '../support/shell.ts';
import { commandsOfTree } from '../support/tree.ts';

const { home } = await sharedDemo();

const inSpace = ['--space', 'handbook0001'];

describe('every list', async () => {
  const lists = (await commandsOfTree()).filter(({ command }) => isList(command));

  test('takes --filter and --sort-by', () => {
    const paths = lists.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        'content pages list',
        'fields values view',
        'orgs by-domain',
        'profiles list',
        'sso logins',
      ]),
    );
  });

  test.for(lists.map(({ path, command }) => [path, command.use] as const))(
    '%s refuses an unknown field before it does anything',
    async ([path, use]) => {
      const words = use
        .split(' ')
        .slice(1)
        .map(() => 'x');
      const nowhere = path.startsWith('serve ') ? ['--db', 'none.db'] : ['--url', 'http://127.0.0.1:1'];
      const run = await home.run([...path.split(' '), ...words, '--filter', 'nonsense=1', ...nowhere]);
      expect(run).toMatchObject({ exitCode: 2, stdout: '' });
      expect(run.stderr).toMatch(/^error: --filter 'nonsense=1': there is no field "nonsense"\.\nhint: .*Fields: \w/);
      const sorted = await home.run([...path.split(' '), ...words, '--sort-by', 'nonsense', ...nowhere]);
      expect(sorted.stderr).toContain('error: --sort-by nonsense: there is no field "nonsense".');
    },
  );
});

test('commands that are called list, or list something, can all be filtered', async () => {
  const commands = await commandsOfTree();
  const others = commands.filter(
    ({ path, command }) => / (list|links|search|logins|backlinks)$/.test(path) && !isList(command),
  );
  expect(others.map(({ path }) => path)).toEqual([]);
});

describe('a filtered tree', () => {
  test('has each matching page by itself, at any level', async () => {
    const run = await home.run(['content', 'pages', 'list', ...inSpace, '--filter', 'title~the', '-o', 'json']);
    const pages = run.json as { title: string; pages?: unknown }[];
    expect(pages.map(({ title }) => title)).toEqual([
      'Install the pump',
      'Connect the power',
      'Replace the filter',
      'Clean the housing',
    ]);
    expect(pages.filter((page) => 'pages' in page)).toEqual([]);
  });

  test('is a table without branches', async () => {
    const words = ['content', 'pages', 'list', ...inSpace, '--filter', 'title~the', '--sort-by', 'title:desc'];
    const run = await home.run(words, screenOf(120));
    expect(run.stdout.split('\n').slice(1, 3)).toEqual([
      expect.stringMatching(/^Replace the filter /),
      expect.stringMatching(/^Install the pump /),
    ]);
  });

  test('of a site has its parts of every kind', async () => {
    const run = await home.run([
      'sites',
      'structure',
      '--site',
      'lumensite001',
      '--filter',
      'object=site-space',
      '-o',
      'json',
    ]);
    expect((run.json as { object: string }[]).map(({ object }) => object)).toEqual(Array(4).fill('site-space'));
  });
});

test('columns that a command computes can be filtered', async () => {
  const run = await home.run(['spaces', 'links', 'handbook0001', '--filter', 'target~pump.png', '-o', 'json']);
  expect(run.json).toHaveLength(1);
});

test('several states of links are filtered from the one list, in its order', async () => {
  const all = await home.run(['spaces', 'links', 'handbook0001', '-o', 'json']);
  const some = await home.run(['spaces', 'links', 'handbook0001', '--status', 'broken,ok', '-o', 'json']);
  const inState = (all.json as { status: string }[]).filter(({ status }) => status !== 'in-app');
  expect(some.json).toEqual(inState);
});

test('--fail-on looks only at the links that are listed', async () => {
  const words = ['spaces', 'links', 'handbook0001', '--fail-on', 'broken'];
  expect((await home.run(words)).exitCode).toBe(9);
  expect((await home.run([...words, '--filter', 'status=ok'])).exitCode).toBe(0);
});

test('a filter that nothing passes says so in a terminal, and prints an empty list for programs', async () => {
  const nobody = ['members', 'list', '--filter', 'user.email=nobody@nowhere.example'];
  expect(await home.run(nobody, screenOf(80))).toMatchObject({ exitCode: 0, stdout: '', stderr: 'Nothing found.\n' });
  expect(await home.run([...nobody, '-o', 'json'])).toMatchObject({ exitCode: 0, stdout: '[]\n', stderr: '' });
  expect((await home.run([...nobody, '-o', 'csv'])).stdout).toMatch(/^user\.displayName,.*\n$/);
  expect((await home.run(['profiles', 'list', '--filter', 'name=x'], screenOf(80))).stderr).toContain(
    'Nothing found.\n',
  );
});

test('lists that the program makes itself are filtered and sorted by their columns', async () => {
  expect((await home.run(['profiles', 'list', '--filter', 'current=true', '-o', 'id'])).stdout).toBe('local\n');
  const keys = await home.run(['config', 'list', '--sort-by', 'key:desc', '-o', 'id']);
  expect(keys.stdout).toBe('url\nprofile\norg\n');
  const ok = await home.run(['doctor', '--filter', 'state!=ok', '--filter', 'hint=null', '-o', 'json']);
  expect(ok.json).toEqual([]);
});
