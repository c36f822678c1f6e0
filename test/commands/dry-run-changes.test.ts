import { expect, test } from 'vitest';
import { runHere, screenOf, serveHere, sharedDemo } from '../support/shell.ts';

const { demo, home } = await sharedDemo();

const dryRun = (line: string, ...words: string[]) => home.run([...line.split(' '), ...words, '--dry-run']);
const onSite = '--site lumensite001';
const onSpace = '--space handbook0001';

/** The lines below that of the request. */
const told = (stdout: string) => stdout.trimEnd().split('\n').slice(1);

test.each([
  [
    'spaces edit handbook0001 --title Guide --default-level none',
    ['Handbook (handbook0001)', '  title: Handbook -> Guide', '  defaultLevel: read -> none'],
  ],
  ['spaces edit handbook0001 --title Handbook', ['Handbook (handbook0001)', '  nothing would change']],
  ['orgs edit --email-domains new.example', [/^Lumen/, '  emailDomains:', '    - lumen.example', '    + new.example']],
  [`sites customization set --set styling.theme=bold ${onSite}`, [/^Lumen/, '  styling.theme: clean -> bold']],
  ['sites edit lumensite001 --proxy lumen.example/docs', [/^Lumen/, '  proxy: none -> lumen.example/docs']],
  [
    'sso providers edit lumenid00001 --default-team writers00001',
    [/^Lumen/, '  defaultTeam: support00001 -> writers00001'],
  ],
  [`fields values set owner=Zoe ${onSpace}`, ['Handbook (handbook0001)', '  owner: Ada Almeida -> Zoe']],
  [`sites sections edit guides000001 --path start ${onSite}`, [/\(guides000001\)$/, /^ {2}path: \S+ -> start$/]],
  [
    'teams members set writers00001 member000001 --role member --allow-ownerless',
    [/\(member000001\)$/, '  role: owner -> member'],
  ],
  [`cr open 2 ${onSpace}`, [/^#2 .*\(typochange01\)$/, '  status: draft -> open']],
])('%s: says what would change', async (line, lines) => {
  const { exitCode, stdout, stderr } = await dryRun(line);

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(told(stdout)).toEqual(lines.map((one) => (typeof one === 'string' ? one : expect.stringMatching(one))));
});

test('a long text is compared by lines, in colour on a terminal', async () => {
  const create = ['comments', 'create', '--body', 'Which valve is meant?', ...onSpace.split(' '), '-o', 'id'];
  const own = (await home.run(create)).stdout.trim();
  const words = ['comments', 'edit', own, ...onSpace.split(' '), '--dry-run'];
  const body = `Which valve is meant?\n${'The inlet, or the outlet? '.repeat(5)}`;

  const { stdout } = await home.run([...words, '--body', body]);
  const coloured = await home.run([...words, '--body', body], { ...screenOf(100), color: true });

  expect(told(stdout).slice(1, 5)).toEqual([
    '  body.markdown:',
    '    @@ -1,1 +1,2 @@',
    '     Which valve is meant?',
    expect.stringMatching(/^ {4}\+The inlet/),
  ]);
  expect(coloured.stdout).toContain('\u001b[32m+The inlet');
});

test('as JSON, the whole request with the changes', async () => {
  const { json } = await dryRun('spaces edit handbook0001 --title Guide -o json');

  expect(json).toEqual({
    method: 'PATCH',
    url: expect.stringContaining('/v1/spaces/handbook0001'),
    body: { title: 'Guide' },
    object: { id: 'handbook0001', title: 'Handbook' },
    changes: [{ field: 'title', before: 'Handbook', after: 'Guide' }],
  });
});

test('what is only taken and not shown has no former value', async () => {
  const { json } = await dryRun('comments edit comment00001 --react 🎉 -o json', ...onSpace.split(' '));

  expect(json.changes).toEqual([{ field: 'addedReactions', after: ['🎉'] }]);
});

test.each([
  ['spaces edit nowhere00001 --title Guide', 5],
  [`sites sections edit nowhere00001 --path start ${onSite}`, 5],
  [`sites section-groups edit nowhere00001 --title Start ${onSite}`, 5],
  ['teams members set writers00001 nobody --role owner', 5],
  ['teams members set nowhere00001 member000001 --role owner', 5],
  ['spaces create --title Guide --org nowhere00001', 5],
  ['orgs edit --email-domains not-a-domain', 6],
  [`sites customization set --set styling.theme=loud ${onSite}`, 6],
  [`cr merge 2 ${onSpace}`, 6],
  ['spaces edit handbook0001 --title Guide --as member000009', 4],
  ['teams create --title Writers --as member000009', 4],
  ['spaces create --title Guide --as member000009', 4],
  ['collections create --title Guides --as member000009', 4],
])('%s: is refused as the real run is, with status %d', async (line, status) => {
  const real = await demo.copy();

  const refused = await dryRun(line);
  const { exitCode, stderr } = await real.run(line.split(' '));

  expect(refused).toMatchObject({
    exitCode: status,
    stdout: '',
    stderr: expect.stringContaining(stderr.split('\n')[0]!),
  });
  expect(exitCode).toBe(status);
});

test.each([
  'spaces create --title Guide --parent nowhere00001',
  'spaces transfer quickstart01 --to nowhere00001',
  'spaces transfer quickstart01 --to title:Nowhere',
])('%s: what the body names is looked up', async (line) => {
  const { exitCode, stdout, stderr } = await dryRun(line);

  expect({ exitCode, stdout }).toEqual({ exitCode: 5, stdout: '' });
  expect(stderr).toMatch(/not found/);
});

test('names are shown as the ids they stand for', async () => {
  const { json } = await home.run(['spaces', 'move', 'Getting started', '--parent', 'Products', '--dry-run', '--json']);

  expect(json).toMatchObject({
    url: expect.stringMatching(/quickstart01\/move$/),
    body: { parent: 'products0001' },
    object: { id: 'quickstart01', title: 'Getting started' },
  });
});

test('the last administrator keeps the role in a dry run too', async () => {
  const alone = await demo.copy();
  const admins = (await alone.run(['members', 'list', '--role', 'admin', '-o', 'id'])).stdout.trim().split('\n');
  const me = (await alone.run(['whoami', '-o', 'id'])).stdout.trim();
  for (const id of admins.filter((admin) => admin !== me)) await alone.run(['members', 'edit', id, '--role', 'read']);

  const { exitCode, stderr } = await alone.run(['members', 'edit', me, '--role', 'read', '--dry-run']);

  expect({ exitCode, stderr }).toEqual({ exitCode: 6, stderr: expect.stringContaining('last administrator') });
});

test('a member who is not in a team yet may be put into it', async () => {
  const { exitCode, stdout } = await dryRun('teams members set writers00001 member000300 --role owner');

  expect({ exitCode, told: told(stdout) }).toEqual({
    exitCode: 0,
    told: [expect.stringContaining('(member000300)'), '  role: none -> owner'],
  });
});

test('merging says every request it would send', async () => {
  const { stdout } = await dryRun(`cr merge 2 --open --update ${onSpace}`);

  expect(stdout.match(/^[A-Z]+ .*/gm)!.map((line) => line.replace(/ .*\/change-requests/, ''))).toEqual([
    'POST/2/update',
    'PATCH/2',
    'POST/2/merge',
  ]);
});

test('over HTTP, a dry run sends GET requests only', async () => {
  const service = await serveHere((await demo.copy()).database);
  const { dir, env } = home;
  try {
    const line = 'spaces edit handbook0001 --title Guide --dry-run --debug';
    const { stderr, stdout } = await runHere({ dir, env: { ...env, ...service.env } }, line.split(' '));

    expect(told(stdout)).toEqual(['Handbook (handbook0001)', '  title: Handbook -> Guide']);
    expect(new Set(stderr.match(/^> [A-Z]+ /gm))).toEqual(new Set(['> GET ']));
  } finally {
    await service.stop();
  }
});
