import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { bin } from '../../support/cli.ts';
import { type InProcessHome, test as base } from '../../support/in-process.ts';

interface List {
  /** Writes a list of commands and runs it with these options. */
  run(text: string, ...options: string[]): ReturnType<InProcessHome['docsctl']>;
  titles(): Promise<string[]>;
}

const test = base.extend<{ list: List }>({
  list: async ({ home, docsctl }, use) => {
    await use({
      async run(text, ...options) {
        await writeFile(join(home.dir, 'list.txt'), text);
        return docsctl('run', 'list.txt', ...options);
      },
      titles: async () => (await docsctl('spaces', 'list', '--jq', '.[].title')).stdout.split('\n').filter(Boolean),
    });
  },
});

const linesOf = (text: string) => text.trimEnd().split('\n');

test('each line is a command, and its words are not expanded', async ({ list }) => {
  const run = await list.run(
    [
      '# Two spaces.',
      'docsctl spaces create --title "It\'s $HOME; $(touch pwned) `id`" -o id # the first',
      '',
      'spaces create \\',
      '  --title \'ünï "日本" \\ 🙂\' -o id',
      'spaces list --columns title --no-header',
    ].join('\n'),
  );

  expect(run.exitCode, run.stderr).toBe(0);
  expect(linesOf(run.stdout).slice(2).toSorted()).toEqual(["It's $HOME; $(touch pwned) `id`", 'ünï "日本" \\\\ 🙂']);
  expect(run.stderr).toBe('3 commands done.\n');
});

test('the first failure ends the list with its status', async ({ list }) => {
  const run = await list.run('spaces create --title A\nspaces view nowhere\nspaces create --title B\n');

  expect(run.exitCode).toBe(5);
  expect(linesOf(run.stderr).filter((line) => line.startsWith('error: '))).toEqual([
    'error: Space "nowhere" not found.',
    'error: list.txt:2: docsctl spaces view nowhere: status 5. 1 of 3 commands done, 1 not run.',
  ]);
  expect(await list.titles()).toEqual(['A']);
});

test('--keep-going runs the rest and names what failed', async ({ list }) => {
  const text = 'spaces view nowhere\nspaces create --title B\nteams view nothing\n';
  const run = await list.run(text, '--keep-going');

  expect(run.exitCode).toBe(8);
  expect(run.stderr).toContain(
    'error: 1 of 3 commands done, 2 failed.\n  list.txt:1: docsctl spaces view nowhere: status 5\n  list.txt:3: docsctl teams view nothing: status 5\n',
  );
  expect(await list.titles()).toEqual(['B']);
  expect((await list.run('spaces view nowhere', '--keep-going')).exitCode).toBe(5);
});

test('nothing is run where a line cannot be', async ({ list }) => {
  const run = await list.run(
    [
      'spaces create --title A',
      'spacse list',
      'spaces list --fomat json',
      "spaces create --title Don't",
      'spaces list | wc -l',
      'members edit person@x.example --role boss',
      'spaces',
      'run list.txt',
      'serve --port 0',
      'whoami now',
    ].join('\n'),
  );

  expect(run.exitCode).toBe(2);
  expect(run.stdout).toBe('');
  const [title, ...lines] = linesOf(run.stderr);
  expect(title).toBe('error: 9 lines of list.txt cannot be run. Nothing was run.');
  expect(lines.map((line) => line.slice(0, 45))).toEqual(
    [
      '  list.txt:2: Unknown command "spacse". Did yo',
      '  list.txt:3: Unknown option "--fomat". See --',
      "  list.txt:4: The quote ' in column 26 is not ",
      '  list.txt:5: "|" is not supported: this is no',
      '  list.txt:6: --role: "boss" is not one of adm',
      '  list.txt:7: A subcommand is missing. See "do',
      '  list.txt:8: A list cannot run a list. Put ah',
      '  list.txt:9: "serve" never ends on its own. ',
      '  list.txt:10: "docsctl whoami" takes no argum',
    ].map((line) => line.slice(0, 45)),
  );
  expect(await list.titles()).toEqual([]);
});

test('a list with nothing to run is an error, and so is a file that is not there', async ({ list, docsctl }) => {
  const empty = await list.run('\n# nothing\n');
  const missing = await docsctl('run', 'nothing.txt');

  expect(empty).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('list.txt contains no commands.') });
  expect(missing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('nothing.txt cannot be read') });
  expect((await docsctl('run')).exitCode).toBe(2);
});

test('with -o json, each result is on a line', async ({ list }) => {
  const run = await list.run('spaces create --title A\nspaces list -o id\nspaces view nowhere\nwhoami\n', '-o', 'json');

  expect(run.exitCode).toBe(5);
  expect(linesOf(run.stdout).map((line) => JSON.parse(line))).toMatchObject([
    { line: 1, command: 'docsctl spaces create --title A', result: 'done', status: 0, output: { title: 'A' } },
    { line: 2, result: 'done', output: expect.stringMatching(/^\w{12}\n$/) },
    { line: 3, result: 'failed', status: 5, error: { status: 404, reason: 'not-found' } },
    { line: 4, command: 'docsctl whoami', result: 'not-run' },
  ]);
  expect(linesOf(run.stderr).map((line) => JSON.parse(line).error.message)).toEqual([
    'Space "nowhere" not found.',
    'list.txt:3: docsctl spaces view nowhere: status 5. 2 of 4 commands done, 1 not run.',
  ]);
});

test('options of the list apply to each command that does not set them itself', async ({ list, docsctl, home }) => {
  const space = (await docsctl('spaces', 'create', '--title', 'A', '-o', 'id')).stdout.trim();
  const other = (await docsctl('spaces', 'create', '--title', 'B', '-o', 'id')).stdout.trim();

  const scoped = await list.run(`spaces view\nspaces view --space ${other}`, '--space', space, '--columns', 'title');
  const shaped = await list.run(
    'spaces view\nspaces view -o yaml --columns id',
    '--space',
    space,
    '-o',
    'csv',
    '--columns',
    'title',
  );
  const elsewhere = await list.run('spaces list', '--url', 'embedded:other.db', '-o', 'json');
  const unknown = await list.run('whoami\nwhoami --profile local', '--profile', 'nobody', '--keep-going');
  const dry = await list.run('spaces create --title C\nspaces edit --title D', '--dry-run', '--space', space);
  const har = await list.run('whoami\nspaces list', '--har', 'log.har');

  expect(scoped.stdout).toBe('A\nB\n');
  expect(shaped.stdout).toBe(`title\nA\nid: ${space}\n`);
  expect(JSON.parse(elsewhere.stdout).output).toEqual([]);
  expect(unknown).toMatchObject({
    exitCode: 8,
    stderr: expect.stringContaining('list.txt:1: docsctl whoami: status 5'),
  });
  expect(dry.stdout).toMatch(/^POST .*\n[^]*^PATCH /m);
  expect(dry.stderr).toBe('2 commands done, as a dry run.\n');
  expect(await list.titles()).toEqual(['A', 'B']);
  expect(har.exitCode, har.stderr).toBe(0);
  const { entries } = JSON.parse(await readFile(join(home.dir, 'log.har'), 'utf8')).log;
  expect(entries.length).toBeGreaterThan(1);
});

test('--summary writes what the commands and the list did, in Markdown', async ({ list, home }) => {
  await writeFile(join(home.dir, 'page.md'), '# Page\n');
  const run = await list.run(
    'spaces create --title "a|b" -o id\ncontent push . --new Docs --space nowhere\nwhoami',
    '--summary',
    'summary.md',
  );
  const unwritable = await list.run('spaces create --title C', '--summary', 'no/summary.md');

  expect(run.exitCode).toBe(5);
  expect(await readFile(join(home.dir, 'summary.md'), 'utf8')).toBe(
    [
      '### 1 of 3 commands failed',
      '',
      '| line | command | result |',
      '|---|---|---|',
      "| 1 | ` docsctl spaces create --title 'a\\|b' -o id ` | done |",
      '| 2 | ` docsctl content push . --new Docs --space nowhere ` | status 5: Space "nowhere" not found. |',
      '| 3 | ` docsctl whoami ` | not run |',
      '',
    ].join('\n'),
  );
  expect(unwritable).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('--summary: no/summary.md cannot be written'),
  });
  expect(await list.titles()).toEqual(['a|b']);
});

test('a list can come from standard input, which its commands cannot read then', async ({ docsctl, list }) => {
  const input = { stdin: 'pipe', input: 'spaces create --title A -o id\n' } as const;
  const run = await docsctl('run', '-', input);
  const reading = await docsctl('run', '-', { ...input, input: `${input.input}spaces delete - --yes\n` });

  expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^\w{12}\n$/) });
  expect(reading.exitCode).toBe(2);
  expect(reading.stderr).toContain('standard input:2: "-" cannot be used');
  expect(await list.titles()).toEqual(['A']);
});

test('a reader that has gone does not end the list', async ({ home, list }) => {
  await list.run('');
  await writeFile(
    join(home.dir, 'list.txt'),
    'spaces list --header\nspaces create --title A\nspaces create --title B\n',
  );
  const shell = `"${process.execPath}" "${bin}" run list.txt | true; exit "\${PIPESTATUS[0]}"`;

  const run = await execa('bash', ['-c', shell], { cwd: home.dir, env: home.env, extendEnv: false, reject: false });

  expect(run.exitCode, run.stderr).toBe(0);
  expect((await list.titles()).toSorted()).toEqual(['A', 'B']);
});

test('an interruption ends the list, also with --keep-going', async ({ home, list }) => {
  await list.run('');
  const slow = `api GET /v1/user --url http://127.0.0.1:9 --retries 9`;
  await writeFile(join(home.dir, 'list.txt'), `spaces create --title A -o id\n${slow}\nspaces create --title B\n`);
  const env = { ...home.env, DOCSCTL_TOKEN: 'a-token-of-nobody' };
  const child = execa(process.execPath, [bin, 'run', 'list.txt', '--keep-going'], {
    cwd: home.dir,
    env,
    extendEnv: false,
    reject: false,
  });
  child.stderr.once('data', () => child.kill('SIGINT'));

  const { exitCode, stderr } = await child;

  expect(exitCode, stderr).toBe(130);
  expect(stderr).toContain('Interrupted: 1 of 3 commands done, 1 interrupted, 1 not run.');
  expect(await list.titles()).toEqual(['A']);
});

const withTeam =
  'team=$(teams create --title A)\nteams edit $team --title "B $team"\nteams view nowhere\nteams list --columns title\n';

test('a line can use the result of another one', async ({ list, docsctl }) => {
  const dry = await list.run(withTeam, '--dry-run');
  const run = await list.run(withTeam);
  const id = (await docsctl('teams', 'list', '-o', 'id')).stdout.trim();

  expect({ exitCode: dry.exitCode, stderr: dry.stderr }).toEqual({
    exitCode: 8,
    stderr: expect.stringContaining('Line 2 is not checked, because $team'),
  });
  expect(run.exitCode).toBe(5);
  expect(run.stderr).toContain('To go on there, run the list with --from-line 3.');
  expect((await docsctl('teams', 'view', id, '--jq', '.title')).stdout).toBe(`B ${id}\n`);
});

test('--from-line skips commands, and needs the results of skipped ones', async ({ list, docsctl }) => {
  await docsctl('teams', 'create', '--title', 'C');
  const without = await list.run(withTeam, '--from-line', '2');
  const given = await list.run(withTeam.replace('teams view nowhere\n', ''), '--from-line', '2', '--set', 'team=C');
  const none = await list.run(withTeam, '--from-line', '5');

  expect(without).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--set team=VALUE') });
  expect(given).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('1 command before line 2 skipped.') });
  expect((await docsctl('teams', 'list', '--columns', 'title')).stdout).toBe('B C\n');
  expect(none).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no command in line 5 or below') });
});

test('a result is one line, and a list is rehearsed as a whole', async ({ list, docsctl }) => {
  const nothing = await list.run('team=$(teams list)\nteams view $team\n', '--keep-going');
  const rehearsal = await list.run(withTeam.replace('teams view nowhere\n', ''), '--rehearse', '-o', 'json');

  expect(nothing.exitCode).toBe(8);
  expect(nothing.stderr).toContain('error: $team is not set: the command printed nothing.');
  expect(nothing.stderr).toContain('error: $team is not set: its command failed.');
  expect(rehearsal.exitCode, rehearsal.stderr).toBe(0);
  expect(rehearsal.json.requests).toHaveLength(2);
  expect((await docsctl('teams', 'list')).stdout).toBe('');
});
