import { rm } from 'node:fs/promises';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Demo, type DemoHome, makeDemo, screenOf } from '../support/shell.ts';

let demo: Demo;
let home: DemoHome;
beforeAll(async () => {
  demo = await makeDemo();
  home = await demo.copy();
  const title = '漢字カタカナ 🫠👨‍👩‍👧 とても長い題名です';
  await home.run(['spaces', 'create', '--title', title]);
});
afterAll(async () => {
  await rm(home.dir, { recursive: true, force: true });
  await demo.remove();
});

test('a title is not a formula in CSV, also where cells are separated by semicolons', async () => {
  await home.run(['spaces', 'create', '--title', '=1+1;=cmd()']);
  const { stdout } = await home.run(['spaces', 'list', '-o', 'csv', '--columns', 'object,title']);
  expect(stdout).toContain("\nspace,'=1+1;'=cmd()\n");
});

const nothing = ['teams', 'list', '--title', 'nothing is called this'];

describe('an empty list', () => {
  test.for([
    ['table', '', 'Nothing found.\n'],
    ['tsv', '', ''],
    ['csv', 'title,members,createdAt,id\n', ''],
    ['id', '', ''],
    ['json', '[]\n', ''],
    ['jsonl', '', ''],
    ['yaml', '[]\n', ''],
  ])('as %s', async ([format, stdout, stderr]) => {
    expect(await home.run([...nothing, '-o', format!])).toMatchObject({ exitCode: 0, stdout, stderr });
  });

  test('has a message in a terminal, and none in a pipe', async () => {
    expect(await home.run(nothing, screenOf(80))).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: 'Nothing found.\n',
    });
    expect(await home.run(nothing)).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  });

  test('with --jq is the result of the expression', async () => {
    expect(await home.run([...nothing, '--jq', 'length'])).toMatchObject({ exitCode: 0, stdout: '0\n', stderr: '' });
  });

  test('with --limit 0 asks for nothing', async () => {
    expect(await home.run(['teams', 'list', '--limit', '0', '-o', 'json'])).toMatchObject({
      exitCode: 0,
      stdout: '[]\n',
    });
  });
});

describe('one object', () => {
  test.for([
    ['table', /^Title +Writers\nMembers +12\nCreated +\S+\nID +writers00001\n$/],
    ['tsv', /^Writers\t12\t[^\t]+\twriters00001\n$/],
    ['csv', /^title,members,createdAt,id\nWriters,12,[^,]+,writers00001\n$/],
    ['id', /^writers00001\n$/],
    ['json', /^\{"object":"team".*\}\n$/],
    ['jsonl', /^\{"object":"team".*\}\n$/],
    ['yaml', /^object: team\nid: writers00001\n/],
  ] as [string, RegExp][])('as %s', async ([format, expected]) => {
    const run = await home.run(['teams', 'view', 'writers00001', '-o', format]);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toMatch(expected);
  });
});

describe('--columns', () => {
  const members = ['members', 'list', '--limit', '1'];

  test('accepts paths that the command does not show by default, nested ones too', async () => {
    const run = await home.run([...members, '--columns', 'user.id,sso', '-o', 'csv']);
    expect(run.stdout).toMatch(/^user\.id,sso\n\w+,false\n$/);
  });

  test.for([
    ['titel', 'title'],
    ['permissions.admn', 'permissions.admin'],
    ['Creatd', 'createdAt'],
    ['members,titel', 'title'],
  ])('a misspelled word gets the nearest name: %s', async ([misspelled, meant]) => {
    const run = await home.run(['teams', 'list', '--columns', misspelled!]);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(` Did you mean ${meant}? There are: title, `);
  });

  test('the heading of a table leads to the name of its column', async () => {
    for (const heading of ['name', 'NAME']) {
      const run = await home.run([...members, '--columns', heading]);
      expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    }
    expect((await home.run([...members, '--columns', 'emial'])).stderr).toContain('Did you mean user.email?');
  });

  test('a date is formatted in a terminal, also where it was chosen by its path', async () => {
    const run = await home.run(['spaces', 'list', '--columns', 'title,createdAt', '--limit', '1'], screenOf(80));
    expect(run.stdout).toMatch(/ (month|day)s? ago\n$/);
  });

  test.for([
    [['-o', 'csv', '--no-header'], 'Design\n'],
    [['-o', 'table', '--no-header'], 'Design\n'],
    [['-o', 'tsv', '--header'], 'title\nDesign\n'],
    [['-o', 'tsv'], 'Design\n'],
    [['-o', 'id'], 'Design\n'],
    [['-o', 'jsonl'], '{"title":"Design"}\n'],
    [['-o', 'json'], '[{"title":"Design"}]\n'],
    [['-o', 'yaml'], '- title: Design\n'],
    [['--jq', '.[].title'], 'Design\n'],
    [['--jq', '.[].title', '-o', 'json'], '"Design"\n'],
  ] as [string[], string][])('with %j', async ([words, stdout]) => {
    const run = await home.run(['teams', 'list', '--columns', 'title', '--limit', '1', ...words]);
    expect(run).toMatchObject({ exitCode: 0, stdout, stderr: '' });
  });

  test.for([
    [['--columns', ''], '--columns names no column.'],
    [['--columns', 'id,title', '-o', 'id'], '--output id prints one field'],
    [['--jq', '.', '-o', 'csv'], '--jq prints JSON'],
    [['--jq', '.['], '--jq ".[": syntax error'],
    [['-o', 'tabel'], '"tabel" is not one of table, json'],
    [['--limit', '-1'], '--limit must be a whole number'],
    [['--page-size', '0'], '--page-size must be from 1 to 1000'],
    [['--page-size', '1001'], '--page-size must be from 1 to 1000'],
  ] as [string[], string][])('or other options that do not fit are refused: %j', async ([words, message]) => {
    const run = await home.run(['teams', 'list', ...words]);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(message);
  });
});

describe('a value that is not among the choices', () => {
  test.for([
    [['teams', 'list', '-o', 'tabel'], 'table'],
    [['members', 'edit', 'x', '--role', 'reed'], 'read'],
    [['invites', 'send', 'a@b.example', '--role', 'admn'], 'admin'],
    [['spaces', 'links', 'handbook0001', '--fail-on', 'brokn'], 'broken'],
  ] as [string[], string][])('%j', async ([words, meant]) => {
    const run = await home.run(words);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(/^error: --?[\w-]+: "\w+" is not one of /);
    expect(run.stderr).toContain(`hint: Did you mean "${meant}"?\n`);
  });
});

describe('paging', () => {
  test('pages of any size make the same list, and --limit ends it anywhere', async () => {
    const all = (await home.run(['teams', 'list', '-o', 'id'])).stdout;
    for (const size of ['1', '2', '1000'])
      expect((await home.run(['teams', 'list', '-o', 'id', '--page-size', size])).stdout).toBe(all);
    const three = (await home.run(['teams', 'list', '-o', 'id', '--page-size', '2', '--limit', '3'])).stdout;
    expect(three).toBe(all.split('\n').slice(0, 3).join('\n') + '\n');
  });

  test('--page begins at the token of an earlier response', async () => {
    const all = (await home.run(['teams', 'list', '-o', 'id'])).stdout.split('\n');
    const { json } = await home.run(['api', 'orgs/{org}/teams?limit=2']);
    const rest = await home.run(['teams', 'list', '-o', 'id', '--page', json.next.page]);
    expect(rest.stdout.split('\n')).toEqual(all.slice(2));
    expect((await home.run(['teams', 'list', '--page', 'nonsense'])).exitCode).toBe(6);
  });
});

describe('40 columns hold', () => {
  test.for([
    ['spaces', 'list'],
    ['spaces', 'list', '--columns', 'title,id'],
    ['spaces', 'list', '--columns', 'title,createdAt,id'],
    ['teams', 'list'],
    ['members', 'list', '--limit', '20'],
    ['cr', 'list', '--space', 'handbook0001'],
    ['content', 'pages', 'list', '--space', 'handbook0001'],
    ['comments', 'list', '--space', 'handbook0001'],
    ['search', 'valve'],
    ['whoami'],
  ])('%j', async (words) => {
    const run = await home.run(words, screenOf(40));
    expect(run.exitCode).toBe(0);
    for (const line of run.stdout.split('\n')) expect([line, stringWidth(line) <= 40]).toEqual([line, true]);
  });
});
