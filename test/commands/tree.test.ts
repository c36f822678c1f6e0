import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bin, makeHome, serve } from '../support/cli.ts';
import { writeDemoFiles } from '../support/demo-files.ts';
import { isLong } from '../support/long-form.ts';
import { type Demo, type DemoHome, makeDemo, serveHere } from '../support/shell.ts';
import { commands, nameOfRow, type Row, rows, space, wordsIn } from '../support/tree-rows.ts';

/**
 * Commands that run until a signal, or need a token that was made before: they share a test of their own. Those that copy
 * an organization take seconds for the demo: `twin/` and `proposals/` have a smaller one.
 */
const elsewhere = new Set([
  'twin create',
  'twin list',
  'twin remove',
  'rehearse',
  'propose',
  'proposals view',
  'proposals diff',
  'proposals approve',
  'proposals reject',
  'proposals apply',
  'proposals revert',
  'serve',
  'mcp',
  'preview',
  'serve token revoke',
  'auth login',
  'auth token',
]);

let demo: Demo;
beforeAll(async () => {
  demo = await makeDemo();
});
afterAll(() => demo.remove());

async function runOn(row: Row, home: DemoHome) {
  await writeDemoFiles(home.dir);
  const { exitCode, stdout, stderr } = await home.run(wordsIn(row.run));
  const expected = row.exits ?? 0;
  expect({ exitCode, stderr: exitCode === expected ? '' : stderr }).toEqual({ exitCode: expected, stderr: '' });
  expect(stdout || stderr).toMatch(row.says);
  return stdout;
}

test('every command has a row, and every row a command', () => {
  const namesInRows = new Set(rows.map(nameOfRow));
  const missing = commands.map(({ path }) => path).filter((path) => !namesInRows.has(path) && !elsewhere.has(path));
  expect(missing).toEqual([]);
  expect(rows.filter((row) => nameOfRow(row) === undefined)).toEqual([]);
});

describe(isLong ? 'embedded, with the same results over HTTP' : 'embedded', () => {
  for (const row of rows.filter(({ local }) => !local)) {
    test(row.run, async () => {
      const home = await demo.copy();
      const embedded = await runOn(row, home);
      if (!isLong) return;
      const other = await demo.copy();
      const served = await serveHere(other.database);
      Object.assign(other.env, served.env);
      const overHttp = await runOn(row, other).finally(() => served.stop());
      // The data are the same, so the results are too, but for the address of the service and the profile with it.
      const address = new RegExp(`${served.env.DOCSCTL_URL}|embedded:${home.database}`, 'g');
      const plain = (text: string) => text.replace(address, 'http://localhost:4000').replace(/^profile\t.*\n/m, '');
      if (!row.changes) expect(plain(overHttp)).toBe(plain(embedded));
    });
  }
});

describe('on this machine', () => {
  for (const row of rows.filter(({ local }) => local)) {
    test(row.run, async () => {
      await runOn(row, await demo.copy());
    });
  }
});

/** Through the real binary, where streams, start and end are those of the system. */
const started = [
  'whoami',
  'members list --limit 3 -o id',
  'collections list',
  `content pages list ${space}`,
  `cr merge 1 ${space}`,
  `comments list ${space} --status open`,
  'fields view audience',
  'sites view lumensite001',
  'openapi versions list pumps -o id',
  'search "inlet valve"',
  'api orgs/{org}/teams --paginate --jq length',
  'doctor -q',
];

describe('the binary', () => {
  for (const line of started) {
    test(`docsctl ${line}`, async () => {
      const row = rows.find(({ run }) => run === line)!;
      const { dir, env } = await demo.copy();
      const result = await execa(process.execPath, [bin, ...wordsIn(line)], {
        cwd: dir,
        env,
        extendEnv: false,
        reject: false,
        stripFinalNewline: false,
        stdin: 'ignore',
      });

      expect(result).toMatchObject({ exitCode: 0, stderr: '' });
      expect(result.stdout).toMatch(row.says);
    });
  }

  test('docsctl serve, auth login, auth token, serve token revoke', async () => {
    const home = await makeHome();
    const served = await serve(home);
    const database = ['--db', join(home.dir, 'served.db')];
    const made = await home.docsctl('serve', 'token', 'create', '--label', 'laptop', '--json', ...database);

    const login = await home.docsctl('auth', 'login', '--with-token', '--url', served.url, '--profile', 'here', {
      input: made.json.token,
      stdin: 'pipe',
    });
    const token = await home.docsctl('auth', 'token');
    const before = await home.docsctl('whoami');
    const revoked = await home.docsctl('serve', 'token', 'revoke', made.json.id, ...database);
    const after = await home.docsctl('whoami');
    const status = await served.stop();
    await rm(home.dir, { recursive: true, force: true });

    expect(login.exitCode).toBe(0);
    expect(token.stdout).toBe(`${made.json.token}\n`);
    expect([before.exitCode, revoked.exitCode, after.exitCode, status]).toEqual([0, 0, 3, 0]);
  });
});
