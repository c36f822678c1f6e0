import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkLine } from '../../src/cli/program/main.ts';
import { paramNames } from '../../src/contract/path.ts';
import { entries } from '../../src/commands/index.ts';
import { openEmbedded } from '../../src/server/open-embedded.ts';
import { writeDemoFiles } from '../support/demo-files.ts';
import { isLong } from '../support/long-form.ts';
import { runHere, sharedDemo } from '../support/shell.ts';
import { commandsOfTree, wordsOf } from '../support/tree.ts';

/** The demo with defaults in its profile, and a second, empty organization. */
const { home } = await sharedDemo();
let before: Set<string>;
let second: string;
const prepared = join(home.dir, 'prepared.db');

beforeAll(async () => {
  await writeDemoFiles(home.dir);
  for (const line of [
    ['orgs', 'create', '--title', 'Second Org'],
    ['config', 'set', 'space', 'Handbook'],
    ['config', 'set', 'site', 'lumensite001'],
  ]) {
    const { exitCode, stderr } = await home.run(line);
    expect({ line, exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ line, exitCode: 0, stderr: '' });
  }
  await copyFile(home.database, prepared);
  before = rowsOf(prepared);
  second = /"id":"(\w+)"/.exec([...before].find((row) => row.includes('"title":"Second Org"'))!)![1]!;
});

async function startAgain() {
  // An export of another organization would be refused first.
  for (const folder of ['backup', 'review-2026']) await rm(join(home.dir, folder), { recursive: true, force: true });
  for (const end of ['-wal', '-shm']) await rm(home.database + end, { force: true });
  await copyFile(prepared, home.database);
}

/** Every row of the database, as text. */
function rowsOf(file: string): Set<string> {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = database.prepare(
      "select name from sqlite_schema where type = 'table' and name not glob 'page_search*' and name <> 'page_word' and name not glob 'user*'",
    );
    return new Set(
      tables.all().flatMap(({ name }) =>
        database
          .prepare(`select * from "${String(name)}"`)
          .all()
          .map((row) => `${String(name)} ${JSON.stringify(row)}`),
      ),
    );
  } finally {
    database.close();
  }
}

/** Rows that are different, but for those of the second organization. */
function changesElsewhere(before: Set<string>, after: Set<string>, second: string): string[] {
  const lost = [...before].filter((row) => !after.has(row) && !row.includes(second));
  const ids = /lumen|handbook0001|products0001|quickstart01|archive00001/;
  const added = [...after].filter((row) => !before.has(row) && !row.includes(second) && ids.test(row));
  return [...lost, ...added];
}

const isScope = (word: string | undefined) => word === '--space' || word === '--site';
const withoutScopes = (words: readonly string[]) =>
  words.filter((word, index) => !isScope(word) && !isScope(words[index - 1]));

const check = async (words: readonly string[]) => checkLine(words, { entries, openEmbedded });

/** Sign-in, commands that store the organization for later, and those that go on until a signal or take seconds. */
const elsewhere = new Set([
  'auth login',
  'auth logout',
  'auth token',
  'profiles create',
  'twin create',
  // What follows -- belongs to another command.
  'rehearse',
  'propose',
  'each',
  'alias set',
  'preview',
  'mcp',
  'mcp install',
]);

/** Commands whose first example compares or exports files. */
const withoutService = new Set([
  'sites export',
  'openapi diff',
  'links check',
  'urls snapshot',
  'urls check',
  'replace',
  'content report',
  'api',
]);

const commands = await commandsOfTree();
/** The examples of each command that takes --org, as they are and with the defaults instead of --space and --site. */
const commandsWithOrg: { path: string; lines: string[][] }[] = [];
for (const { path, command } of commands) {
  if (elsewhere.has(path)) continue;
  const lines: string[][] = [];
  for (const run of Object.values(command.examples ?? {})) {
    const words = wordsOf(run)?.slice(1);
    if (!words || words.includes('--org') || 'failure' in (await check([...words, '--org', 'x']))) continue;
    lines.push(words);
    // Of "access list", --space is a filter.
    if (words.some(isScope) && path !== 'access list') lines.push(withoutScopes(words));
  }
  if (lines.length > 0) commandsWithOrg.push({ path, lines: isLong ? lines : [lines[1] ?? lines[0]!] });
}

test('every command that names a space, a collection or a site takes --org', async () => {
  const without: string[] = [];
  for (const { path, command } of commands) {
    const names = paramNames(command.endpoint?.path ?? '');
    if (!['spaceId', 'collectionId', 'siteId'].some((name) => names.includes(name))) continue;
    const checked = await check([...path.split(' '), '--org', 'x']);
    if ('failure' in checked) without.push(`${path}: ${checked.failure.message}`);
  }

  expect(without).toEqual([]);
  expect(commandsWithOrg.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['content push', 'content pull', 'cr diff', 'fields values set', 'spaces delete', 'plan']),
  );
});

// The address of "api" is explicit, too, so that it counts more than a variable.
const inEnvironment = {
  name: 'DOCSCTL_ORG',
  flags: () => [],
  env: (org: string) => ({ DOCSCTL_ORG: org }),
  tried: commandsWithOrg.filter(({ path }) => path !== 'api'),
};

describe.each([
  ...(isLong ? [inEnvironment] : []),
  { name: '--org', flags: (org: string) => ['--org', org], env: () => ({}), tried: commandsWithOrg },
])('with $name', ({ flags, env, tried }) => {
  const runIn = (org: string, words: readonly string[]) =>
    runHere({ ...home, env: { ...home.env, ...env(org) } }, [...words, ...flags(org)]);

  test.each(tried)('$path changes no other organization, and needs one that exists', async ({ path, lines }) => {
    for (const words of lines)
      for (const more of ['--yes', '--dry-run']) {
        const run = [...words, more];
        await startAgain();
        await runIn('Second Org', run);
        expect({ run, changes: changesElsewhere(before, rowsOf(home.database), second) }).toEqual({
          run,
          changes: [],
        });

        if (withoutService.has(path)) continue;
        await startAgain();
        const { exitCode, stderr } = await runIn('No Org', run);
        expect({ run, exitCode, stderr }).toEqual({ run, exitCode: 5, stderr: expect.anything() });
      }
  });
});

const ids = ['spaces', 'list', '-o', 'id'];

describe('a default space of another organization', () => {
  test('is not used, and the error says so', async () => {
    await startAgain();

    const created = await home.run(['cr', 'create', '--org', 'Second Org', '--subject', 'x']);
    const pushed = await home.run(['content', 'push', 'docs', '--org', 'Second Org', '--new', 'x']);

    for (const { exitCode, stderr } of [created, pushed])
      expect({ exitCode, stderr }).toEqual({
        exitCode: 2,
        stderr: expect.stringContaining(
          'No space given. The default space handbook0001 (local) is not in the organization "Second Org" (--org).',
        ),
      });
  });

  test('is used again with its own organization, by title or id', async () => {
    await startAgain();
    const { stdout } = await home.run(['orgs', 'list', '--jq', '.[] | select(.title == "Lumen Docs") | .id']);

    const byTitle = await home.run(['cr', 'list', '--org', 'Lumen Docs']);
    const byId = await home.run(['cr', 'list', '--org', stdout.trim()]);

    expect(byTitle).toMatchObject({ exitCode: 0, stdout: byId.stdout });
    expect(byId).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Explain the new pump') });
  });
});

describe('with a space of the same title in both organizations', () => {
  const inSecond = async (words: string[]) => home.run([...words, '--org', 'Second Org']);
  beforeAll(async () => {
    await startAgain();
    await inSecond(['spaces', 'create', '--title', 'Handbook']);
  });

  test('a title means the space of the explicit organization, also in a default', async () => {
    const [other] = (await inSecond(ids)).stdout.split('\n');
    const env = { ...home.env, DOCSCTL_SPACE: 'Handbook' };

    const created = await runHere({ ...home, env }, [
      'cr',
      'create',
      '--subject',
      'x',
      '--org',
      'Second Org',
      '--json',
    ]);
    const edited = await inSecond(['spaces', 'edit', 'Handbook', '--emoji', '💧', '--json']);
    const deleted = await inSecond(['spaces', 'delete', 'Handbook', '--yes']);

    expect([created.stderr, edited.stderr]).toEqual(['', '']);
    expect(created.json.urls.app).toContain(other);
    expect(edited.json.id).toBe(other);
    expect(deleted.exitCode).toBe(0);
    expect((await home.run([...ids, '--org', 'Lumen Docs'])).stdout).toContain('handbook0001');
    expect((await inSecond(ids)).stdout).toBe('');
  });
});

describe('precedence', () => {
  test('a flag, a variable, the project file, the profile: an organization outranks the space of a later place', async () => {
    await startAgain();
    const folder = join(home.dir, 'project');
    await mkdir(folder, { recursive: true });
    const project = join(folder, '.docsctl.yaml');
    const at = (env: Record<string, string>, ...words: string[]) =>
      runHere({ dir: folder, env: { ...home.env, ...env } }, ['cr', 'list', ...words]);

    await writeFile(project, 'org: Second Org\n');
    const fromProject = await at({});
    const flag = await at({}, '--space', 'handbook0001');
    const variable = await at({ DOCSCTL_SPACE: 'handbook0001' });
    await writeFile(project, 'space: handbook0001\n');
    const both = await at({ DOCSCTL_ORG: 'Second Org' });
    const explicit = await at({ DOCSCTL_ORG: 'Second Org' }, '--org', 'Lumen Docs');
    const contradiction = await at({ DOCSCTL_ORG: 'Second Org' }, '--space', 'handbook0001');

    expect([fromProject, flag, variable, both, explicit, contradiction].map(({ exitCode }) => exitCode)).toEqual([
      2, 0, 0, 2, 0, 2,
    ]);
    expect(contradiction.stderr).toMatch(
      /^error: The space handbook0001 is in the organization \w+, not in "Second Org" \(DOCSCTL_ORG\)\.\n/,
    );
  });
});

test('api sends nothing to another organization than that of --org', async () => {
  await startAgain();
  const space = await home.run(['api', 'DELETE', 'spaces/quickstart01', '--org', 'Second Org']);
  const org = await home.run(['api', 'orgs/{org}', '--jq', '.id']);
  const other = await home.run(['api', 'DELETE', `orgs/${org.stdout.trim()}`, '--org', 'Second Org']);
  const unknown = await home.run(['api', 'user', '--org', 'No Org']);

  expect([space, org, other, unknown].map(({ exitCode }) => exitCode)).toEqual([2, 0, 2, 5]);
  expect((await home.run(['spaces', 'view', 'quickstart01', '--jq', '.deletedAt'])).stdout).toBe('null\n');
});
