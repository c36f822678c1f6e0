import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { writeDemoFiles } from '../../support/demo-files.ts';
import { type DemoHome, runHere, serveHere, sharedDemo } from '../../support/shell.ts';
import { commandsOfTree, wordsOf } from '../../support/tree.ts';
import { type Forwarding, forwardTo } from './forwarding.ts';
import { smallHome } from './small-organization.ts';

const { demo } = await sharedDemo();
let home: Awaited<ReturnType<typeof smallHome>>;
let run: (...words: string[]) => ReturnType<DemoHome['run']>;
/** What the service got that is no read. */
const changes = (): string[] => service.requests.filter((request) => !request.startsWith('GET '));
let service: Forwarding;

beforeEach(async () => {
  home = await smallHome(demo);
  const served = await serveHere(home.database);
  service = await forwardTo(served.env.DOCSCTL_URL!);
  const env = { ...home.env, ...served.env, DOCSCTL_URL: service.url };
  run = (...words) => runHere({ dir: home.dir, env }, words);
  onTestFinished(async () => {
    service.stop();
    await served.stop();
  });
});

test('a command is rehearsed on a copy, and sent to the service only by --then-apply', async () => {
  const words = ['--', 'members', 'edit', home.adaId, '--role', 'read'];
  const tried = await run('rehearse', '-o', 'json', ...words);
  expect(tried.exitCode, tried.stderr).toBe(0);
  expect(tried.json).toMatchObject({
    result: 'done',
    requests: [{ method: 'PATCH', status: 200, body: { role: 'read' } }],
    changes: [{ kind: 'member', fields: [{ field: 'role', before: 'comment', after: 'read' }] }],
    brokenLinks: [],
  });
  expect(tried.json.access).toContainEqual({
    member: 'ada@lumen.example',
    space: 'Handbook',
    before: 'comment',
    after: 'read',
  });
  const unasked = await run('rehearse', '--then-apply', ...words);
  expect(unasked).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--yes') });
  const permanent = await run('rehearse', '--then-apply', '--', 'members', 'remove', home.adaId);
  expect(permanent.stderr).toContain('This cannot be undone: a removed member loses teams and levels');
  expect(changes()).toEqual([]);

  const applied = await run('rehearse', '--then-apply', '--yes', ...words);
  expect(applied.exitCode, applied.stderr).toBe(0);
  expect(changes()).toEqual([expect.stringMatching(/^PATCH .*\/members\/\w+$/)]);
  expect((await run('members', 'view', home.adaId, '-o', 'json')).json.role).toBe('read');
});

test('a new space is accessible to members only', async () => {
  const { json } = await run('rehearse', '-o', 'json', '--', 'spaces', 'create', '--title', 'New');
  const members = (await run('members', 'list', '-o', 'json')).json as { user: { email: string } }[];

  const access = json.access as { member: string }[];
  const known = new Set(members.map(({ user }) => user.email));
  expect(access.length).toBeGreaterThan(0);
  expect(access.filter(({ member }) => !known.has(member))).toEqual([]);
});

test('what would be refused is told with the status of the refusal, and is not applied', async () => {
  const refused = await run('rehearse', '--then-apply', '--yes', '--', 'cr', 'merge', '1', '--space', home.spaceId);
  expect(refused.exitCode).toBe(6);
  expect(refused.stdout).toContain('-> 409: Only an open change request can be merged; #1 is draft.');
  expect(refused.stderr).toContain('Nothing was sent to the service.');
  const tried = await run('rehearse', '-o', 'json', '--', 'cr', 'merge', '1', '--space', home.spaceId);
  expect(tried.json).toMatchObject({
    status: 6,
    requests: [{ status: 409 }],
    changes: [],
    access: [],
    brokenLinks: [],
  });
  for (const [words, message] of [
    [['whoami'], 'There is no file whoami.'],
    [['--', 'profiles', 'delete', 'local'], 'cannot be rehearsed'],
    [['--', 'members', 'list', '--url', 'http://127.0.0.1:1'], '--url cannot be part of a rehearsed command'],
    [['--', 'apply', 'o'], 'A folder cannot be rehearsed directly.'],
    [['--', 'members', 'destroy'], 'destroy'],
  ] as const) {
    const usage = await run('rehearse', ...words);
    expect(usage).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
  }
  expect(changes()).toEqual([]);
});

test('a plan is rehearsed with all that breaks, on the twin that is there too', async () => {
  await run('export', 'o');
  const file = join(home.dir, 'o', 'teams', 'writers.yaml');
  await writeFile(file, (await readFile(file, 'utf8')).replace('title: Writers', 'title: Authors'));
  expect((await run('plan', 'o', '--out', 'plan.json')).exitCode).toBe(0);
  expect((await run('twin', 'create')).exitCode).toBe(0);

  for (const flags of [[], ['--twin']]) {
    const { exitCode, stdout, stderr } = await run('rehearse', 'plan.json', ...flags);
    expect(exitCode, stderr).toBe(0);
    expect(stdout).toContain('~ team writers\n      ~ title: Writers -> Authors\n');
  }
  const deleted = await run('rehearse', '--twin', '--', 'spaces', 'delete', home.spaceId);
  expect(deleted.stdout).toMatch(/- Handbook: admin -> nothing: /);
  expect(changes()).toEqual([]);
  expect((await run('rehearse', 'plan.json', '--twin', '--then-apply', '--yes')).exitCode).toBe(0);
  // The others are for the shared state.
  expect(changes().filter((change) => !change.includes('/spaces'))).toEqual([
    expect.stringMatching(/^PATCH .*\/teams\/\w+$/),
  ]);
});

test('a deletion moves nothing beside it', async () => {
  const { stdout: first } = await run('spaces', 'create', '--title', 'First', '-o', 'id');
  await run('spaces', 'move', first.trim(), '--before', home.spaceId);
  const { stdout: collection } = await run('collections', 'create', '--title', 'Shelf', '-o', 'id');
  const { stdout: inside } = await run('spaces', 'create', '--title', 'In', '--parent', collection.trim(), '-o', 'id');
  await run('collections', 'move', collection.trim(), '--before', home.spaceId);
  service.requests.length = 0;
  for (const id of [first, inside]) {
    const { json, stderr } = await run('rehearse', '-o', 'json', '--', 'spaces', 'delete', id.trim());
    expect(json?.changes, stderr).toEqual([expect.objectContaining({ kind: 'space', action: 'delete' })]);
  }
});

test('a rehearsal that fails half-way says that the organization is as it was', async () => {
  await run('sites', 'create', '--title', 'Empty');
  await run('export', 'o');
  const edit = async (path: string, change: (text: string) => string) => {
    const file = join(home.dir, 'o', ...path.split('/'));
    await writeFile(file, change(await readFile(file, 'utf8')));
  };
  await edit('teams/writers.yaml', (text) => text.replace('title: Writers', 'title: Authors'));
  // The service publishes no site without spaces.
  await edit('sites/empty.yaml', (text) => text.replace('published: false', 'published: true'));
  await run('plan', 'o', '--out', 'plan.json');
  service.requests.length = 0;

  const refused = await run('rehearse', 'plan.json', '--then-apply', '--yes');
  expect(refused.exitCode).toBe(8);
  expect(refused.stderr).toContain('This happened on a copy: the organization is unchanged.');
  expect(refused.stderr).not.toContain('The changes made so far are kept');
  expect(changes()).toEqual([]);
});

test('what somebody changed after the copy was made is not changed by --then-apply', async () => {
  expect((await run('twin', 'create')).exitCode).toBe(0);
  await run('members', 'edit', home.adaId, '--role', 'create');
  service.requests.length = 0;
  const words = ['rehearse', '--twin', '--then-apply', '--yes', '--', 'members', 'edit'];
  const refused = await run(...words, home.adaId, '--role', 'read');
  expect(refused.exitCode, refused.stderr).toBe(6);
  expect(refused.stderr).toContain('Changed since the copy was made: member ada@lumen.example. Nothing was sent');
  expect(changes()).toEqual([]);
});

/** Every file below a folder, with its time and what is in it. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files
      .filter((file) => !/local\.db|cache/.test(file))
      .toSorted()
      .map(async (file) => `${file} ${(await stat(file)).mtimeMs} ${await readFile(file, 'base64')}`),
  );
}

test('a pull that would overwrite an uncommitted edit is not rehearsed', async () => {
  const folder = join(home.dir, 'd');
  expect((await run('content', 'pull', 'd', '--space', 'Guide')).exitCode).toBe(0);
  const page = (await readdir(folder)).find((name) => name.endsWith('.md')) ?? '';
  await writeFile(join(folder, page), '# My edit\n');

  const pulled = await run('rehearse', '--', 'content', 'pull', 'd', '--overwrite', '--space', 'Guide');

  expect(pulled).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('"content pull" cannot be rehearsed: it writes files'),
  });
  expect(await readFile(join(folder, page), 'utf8')).toBe('# My edit\n');
});

/** The examples of every command that can be rehearsed, and those of the others. */
const examples = (await commandsOfTree()).flatMap(({ path, command }) =>
  Object.values(command.examples ?? {}).flatMap((line) => {
    const words = wordsOf(line)?.slice(1);
    return words === undefined ? [] : [{ path, command, words }];
  }),
);
const writesFiles = ['content pull', 'cr pdf', 'openapi download', 'sites export', 'members offboard', 'export'];

test('commands that write files are refused before anything is read', async () => {
  const before = await filesBelow(home.dir);
  const lines = [
    ...examples
      .filter(({ command }) => command.run && command.writesFilesWith === undefined)
      .map(({ words }) => words)
      .filter((words) => words[0] !== 'replace' || !words.includes('--all-spaces')),
    ['replace', 'pump', 'heater', 'docs'],
    ['links', 'check', '--all-spaces'],
    ['members', 'edit', '--from', 'roles.csv', '--result', 'done.csv'],
    ['members', 'sync', 'people.csv', '--result=done.csv'],
    ['invites', 'send', 'new@lumen.example', '--result', 'done.csv'],
    ['openapi', 'publish', 'petstore.yaml', '--write-baseline', 'baseline.json'],
  ];

  for (const words of lines) {
    const { exitCode, stderr } = await run('rehearse', '--', ...words);
    expect({ words, exitCode, stderr }).toEqual({ words, exitCode: 2, stderr: expect.anything() });
  }

  expect(await filesBelow(home.dir)).toEqual(before);
  expect(lines.map((words) => words.slice(0, 2).join(' ')).filter((path) => writesFiles.includes(path))).not.toEqual(
    [],
  );
  for (const path of writesFiles) expect(examples.filter((example) => example.path === path)).not.toEqual([]);
});

test('no command that can be rehearsed writes a file', async () => {
  await writeDemoFiles(home.dir);
  const before = await filesBelow(home.dir);
  const own = examples.filter(({ command }) => command.run && command.writesFilesWith !== undefined);

  for (const { words } of own) await run('rehearse', '--', ...words);

  expect(new Set(own.map(({ path }) => path)).size).toBeGreaterThan(10);
  expect(await filesBelow(home.dir)).toEqual(before);
});
