import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { execa } from 'execa';
import { expect } from 'vitest';
import { bin } from '../../support/cli.ts';
import { type InProcessHome, test as base } from '../../support/in-process.ts';

interface Table {
  /** Writes a table and runs a command for each of its rows. @param options before the command */
  each(rows: string, options: string[], ...command: string[]): ReturnType<InProcessHome['docsctl']>;
  titles(): Promise<string[]>;
  /** The column `result` of the result file. */
  result(): Promise<string[]>;
}

const test = base.extend<{ table: Table }>({
  table: async ({ home, docsctl }, use) => {
    await use({
      async each(rows, options, ...command) {
        await writeFile(join(home.dir, 'rows.csv'), rows);
        return docsctl('each', 'rows.csv', ...options, '--', ...command);
      },
      titles: async () =>
        (await docsctl('spaces', 'list', '--jq', '.[].title')).stdout.split('\n').filter(Boolean).toSorted(),
      result: async () =>
        parse(await readFile(join(home.dir, 'done.csv'), 'utf8')).map((row: string[]) => row.at(-2) ?? ''),
    });
  },
});

test('a command runs once for each row, and a cell is one word', async ({ table }) => {
  const run = await table.each(
    'Title;emoji\n"A; $(id) \'b\'";📘\n\n"=B ""c""";📙\n',
    [],
    'docsctl',
    'spaces',
    'create',
    '--title={title}',
    '--emoji',
    '{Emoji}',
  );

  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.stderr).toContain('2 commands done.');
  expect(await table.titles()).toEqual(['=B "c"', "A; $(id) 'b'"]);
});

test('a cell is never an option, a file, standard input or a selector', async ({ table }) => {
  const run = await table.each(
    'who\n--yes\n@/etc/passwd\n-\nall\n"x,team:Writers"\n""\n',
    [],
    'members',
    'remove',
    '{who}',
  );

  expect(run.exitCode).toBe(2);
  const lines = run.stderr.split('\n').filter((line) => line.startsWith('  rows.csv:'));
  expect(lines.map((line) => line.replace(/^.*"who" (\S+ \S+ ?\S*).*/, '$1'))).toEqual([
    'begins with "-":',
    'begins with "@":',
    'is "-", which',
    'selects several people:',
    'selects several people:',
  ]);
});

test('a file without rows is no failure, so that the output of a list can be its input', async ({ table }) => {
  const run = await table.each('email,role\n', [], 'members', 'view', '{email}');
  expect(run.exitCode).toBe(0);
  expect(run.stderr).toContain('rows.csv has no rows: nothing was run.');
  expect((await table.each('', [], 'members', 'view', '{email}')).exitCode).toBe(2);
});

test('a cell in an option or a selector selects nobody else', async ({ table }) => {
  for (const word of ['--add={who}', '--add=a,{who}', '--add=role:{who}']) {
    const cell = word.includes('role') ? 'guest,all' : 'all';
    const run = await table.each(`who\n"${cell}"\n`, [], 'teams', 'members', 'update', 'x', word);
    expect(run.exitCode, word).toBe(2);
    expect(run.stderr).toContain('selects several people');
  }
});

test('nothing is run where a row or the command is wrong', async ({ table }) => {
  const rows = 'title,role\nA,read\nB,\n';
  const wrong: [string[], string[], string][] = [
    [[], ['spaces', 'create', '--title', '{titel}'], 'Did you mean {title}?'],
    [[], ['spaces', 'create', '--title', 'A'], 'The command uses no column'],
    [[], [], 'There is no command.'],
    [[], ['spaces', 'create', '--title', '{role}'], 'rows.csv:3: Column "role" is empty'],
    [[], ['spaces', 'crate', '{title}'], '2 lines of rows.csv cannot be run'],
    [[], ['run', '{title}'], 'A list cannot run a list.'],
    [['--where', 'rolle=read'], ['spaces', 'create', '--title', '{title}'], "--where 'rolle=read'"],
    [['--jobs', '9'], ['spaces', 'create', '--title', '{title}'], 'at most 8'],
    [['--resume'], ['spaces', 'create', '--title', '{title}'], '--resume needs --result'],
    [['--result', 'rows.csv'], ['spaces', 'create', '--title', '{title}'], 'this is the file of the rows'],
  ];
  for (const [options, command, message] of wrong) {
    const run = await table.each(rows, options, ...command);
    expect(run.stderr).toContain(message);
    expect(run.exitCode).toBe(2);
  }
  expect(await table.titles()).toEqual([]);
});

test('--where compares text, numbers, dates and empty cells', async ({ table }) => {
  const rows = 'title,count,since\nA,9,2020-01-01\nB,10,\nC,,2999-01-01\n';
  const titles = async (...where: string[]) =>
    (
      await table.each(
        rows,
        [...where.flatMap((one) => ['--where', one]), '--dry-run', '-o', 'json'],
        'spaces',
        'create',
        '--title',
        '{title}',
      )
    ).stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).output.body.title);

  expect(await titles('count<10')).toEqual(['A']);
  expect(await titles('count=null')).toEqual(['C']);
  expect(await titles('since<90d or count=10')).toEqual(['A', 'B']);
  expect(await titles('not title=A', 'title!=B')).toEqual(['C']);
  const none = await table.each(rows, ['--where', 'title=D'], 'spaces', 'create', '--title', '{title}');
  expect(none.stderr).toContain('None of the 3 rows of rows.csv is selected: nothing was run.');
});

test('failures do not stop the rest, and --resume runs only what is not done', async ({ table }) => {
  const rows = 'title,emoji\nA,📘\nB,wrong\nB,📙\nA,📘\n';
  const command = ['spaces', 'create', '--title', '{title}', '--emoji', '{emoji}'];

  const first = await table.each(rows, ['--result', 'done.csv', '--fail-fast'], ...command);
  const results = await table.result();
  const second = await table.each(rows, ['--result', 'done.csv', '--resume', '--jobs', '3'], ...command);

  expect(first.exitCode).toBe(6);
  expect(first.stderr).toContain('hint: To run the rest, use the same command with --resume.');
  expect(results).toEqual(['result', 'done', 'failed', 'not tried', 'not tried']);
  expect(second.exitCode, second.stderr).toBe(8);
  expect(second.stderr).toContain('1 command done before.');
  expect(second.stderr).toContain('rows.csv:3: error: --emoji');
  expect(await table.result()).toEqual(['result', 'done', 'failed', 'done', 'done']);
  expect(await table.titles()).toEqual(['A', 'A', 'B']);
});

test('after a crash, the file of --result has what was done', async ({ home, table }) => {
  const rows = `title\n${Array.from({ length: 300 }, (_, index) => `S${index}`).join('\n')}\n`;
  await writeFile(join(home.dir, 'rows.csv'), rows);
  const words = ['each', 'rows.csv', '--result', 'done.csv'];
  const command = ['--', 'spaces', 'create', '--title', '{title}'];
  const child = execa(process.execPath, [bin, ...words, ...command], {
    cwd: home.dir,
    env: home.env,
    extendEnv: false,
    reject: false,
  });
  child.stdout.once('data', () => child.kill('SIGKILL'));
  await child;

  const before = await table.titles();
  const rest = await home.docsctl(...words, '--resume', ...command);

  expect(before.length).toBeLessThan(300);
  expect(rest.exitCode, rest.stderr).toBe(0);
  // The command in progress may have reached the service before the crash: it is named, and runs again.
  const again = rest.stderr.match(/was started before/g)?.length ?? 0;
  expect((await table.titles()).length).toBeLessThanOrEqual(300 + again);
  expect(new Set(await table.titles()).size).toBe(300);
  expect((await table.result()).filter((word) => word === 'done')).toHaveLength(300);
});

test('a run ends early if no other command would reach the service', async ({ docsctl, table }) => {
  await table.each('title\nA\nB\nC\nD\nE\n', ['--dry-run'], 'spaces', 'create', '--title', '{title}');
  const words = ['each', 'rows.csv', '--retries', '0', '--', 'spaces', 'create', '--org', 'x', '--title', '{title}'];
  const gone = await docsctl(...words, {
    env: { DOCSCTL_URL: 'http://127.0.0.1:9', DOCSCTL_TOKEN: 'x' },
  });

  expect(gone.exitCode).toBe(8);
  expect(gone.stderr).toContain('0 of 5 commands done, 3 failed, 2 not run.');
});

test('all rows are rehearsed together', async ({ docsctl, table }) => {
  const rows = 'title,parent\nA,one\nB,two\n';
  const rehearsal = await table.each(rows, ['--rehearse', '-o', 'json'], 'collections', 'create', '--title', '{title}');
  const refused = await table.each(rows, ['--rehearse'], 'spaces', 'delete', '{title}');
  const outside = await table.each(
    rows,
    ['--rehearse'],
    'collections',
    'create',
    '--title',
    '{title}',
    '--url',
    'embedded:x.db',
  );

  expect(rehearsal.exitCode, rehearsal.stderr).toBe(0);
  expect(rehearsal.json.requests).toHaveLength(2);
  expect(rehearsal.json.changes).toHaveLength(2);
  expect(refused.exitCode).toBe(8);
  expect(refused.stderr).toContain('0 of 2 commands done, 2 failed.');
  expect(outside.exitCode).toBe(2);
  expect(outside.stderr).toContain('--url cannot be part of a rehearsed command');
  expect((await docsctl('collections', 'list', '-o', 'json')).json).toEqual([]);
});
