import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Docsctl, type Home, useOwnCache } from '../support/cli.ts';
import { argumentsOf } from '../../src/cli/command/command.ts';
import { makeHome, test } from '../support/in-process.ts';
import { initialize } from '../support/prepared.ts';
import { listen, listener, login } from '../support/service.ts';
import { commandsOfTree } from '../support/tree.ts';

/** What docsctl suggests for the begun word after these words. */
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
/** Lines that do not matter. */
const anyLines = (count: number) => Array.from({ length: count }, () => /./);
const valuesOf = (lines: string[]) => lines.map((line) => line.split('\t')[0]);

describe('the word at the cursor', () => {
  let demo: Home;
  beforeAll(async () => {
    demo = await makeHome();
    useOwnCache(demo);
    await initialize(demo, 'demo');
  });
  afterAll(() => rm(demo.dir, { recursive: true, force: true }));

  test.for([
    ['a group', [], 'memb', ['members\tmembers and their roles']],
    ['a command under an alias of its group', ['change-requests'], 'mer', [/^merge\tMerge/]],
    ['a flag', ['members', 'edit', 'x'], '--ro', [/^--role\t/]],
    ['a --no- flag once --no is typed', ['orgs', 'edit'], '--no-ss', [/^--no-sso\t/]],
    ['a word of an enumeration', ['members', 'edit', 'x', '--role'], 'ad', ['admin\t']],
    ['the same after =', ['members', 'edit', 'x'], '--role=ad', ['--role=admin\t']],
    ['the last of several values', ['cr', 'list', '--columns'], 'id,subj', ['id,subject\t']],
    ['no value twice', ['teams', 'list', '--columns'], 'title,id,members,c', ['title,id,members,createdAt\tCreated']],
    ['a column that is not shown by default', ['teams', 'list', '--columns'], 'permissions.a', ['permissions.admin\t']],
    [
      'every column',
      ['teams', 'list', '--columns'],
      '',
      [
        'title\t',
        'members\t',
        'createdAt\tCreated',
        'id\tID',
        'object\t',
        'spaces\t',
        'permissions\t',
        'permissions.admin\t',
        'permissions.view\t',
      ],
    ],
    ['a column of one object', ['teams', 'view', 'x', '--columns'], 'ti', ['title\t']],
    [
      'one side of a pair',
      ['teams', 'members', 'update', 'x', '--role'],
      'member00000',
      Array.from({ length: 9 }, (_, index) => new RegExp(`^member00000${index + 1}=\\t`)),
    ],
    [
      'the other side of it',
      ['teams', 'members', 'update', 'x', '--role'],
      'member000001=',
      ['member000001=owner\t', 'member000001=member\t'],
    ],
    [
      'the second of several pairs',
      ['teams', 'members', 'update', 'x'],
      '--role=a=owner,b=o',
      ['--role=a=owner,b=owner\t'],
    ],
    ['a field to set', ['fields', 'values', 'set', '--space', 'handbook0001'], 'aud', [/^audience=\t/]],
    ['what can be opened', ['open'], 's', ['space\t', 'site\t']],
    ['a space to open', ['open', 'space'], 'hand', ['handbook0001\tHandbook']],
    ['a site to open', ['open', 'site'], 'lum', [/^lumensite001\t/]],
    ['a change request to open', ['open', 'cr', '--space', 'handbook0001'], 'pump', [/^pumpchange01\t#1 /]],
    ['a space by its title', ['spaces', 'view'], 'API', ['API guides\tapiguides001']],
    ['a member by email address', ['members', 'view'], 'person1@', [/^person1@lumen.example\tmember000001/]],
    ['a site in a flag', ['sites', 'sections', 'list', '--site'], 'Lum', [/^Lumen documentation\tlumensite001/]],
    ['what a flag of the contract names', ['collections', 'move', 'x', '--parent'], 'Int', [/^Internal\tinternal0001/]],
    ['a page to open', ['open', 'page', '--space', 'handbook0001'], 'install00', [/^install00001\tInstall the pump/]],
    [
      'a page by its path',
      ['open', 'page', '--space', 'Handbook'],
      'install-the-pump/u',
      [/^install-the-pump\/unpack\tunpack000001/],
    ],
    [
      'a page of a change request',
      ['open', 'page', '--space', 'handbook0001', '--cr', '1'],
      'install00',
      [/^install00001\t/],
    ],
    ['a specification to open', ['open', 'openapi'], 'pu', [/^pumps\t/]],
    ['a profile', ['members', 'list', '--profile'], '', [/^local\tembedded:/]],
    ['a profile as an argument', ['profiles', 'use'], '', ['local\t']],
    ['a setting', ['config', 'get'], 'o', ['org\t']],
    ['a topic of the help', ['help'], 'exit', ['exit-codes\t']],
    ['a command of the help', ['help', 'cr'], 'mer', [/^merge\t/]],
    ['a file', ['invites', 'send', '--from'], '', ['\tfiles']],
    ['a file after =', ['invites', 'send'], '--from=x', ['\tfiles\t--from=']],
    ['a file after @', ['orgs', 'create', '--data'], '@', ['\tfiles\t@']],
    ['a file after = and @', ['orgs', 'create'], '--data=@bo', ['\tfiles\t--data=@']],
    ['a file after a key and @', ['api', 'POST', 'orgs', '-F'], 'logo=@', ['\tfiles\tlogo=@']],
    ['a file with a certificate', ['sso', 'setup', '--certificate'], '', ['\tfiles']],
    ['a file as the body', ['api', 'POST', 'orgs', '--input'], '', ['\tfiles']],
    ['no file for a plain text', ['api', 'POST', 'orgs', '-f'], 'logo=@', []],
    ['a field to filter by', ['members', 'list', '--filter'], 'user.d', [/^user\.displayName=\t/, ...anyLines(6)]],
    ['several fields', ['members', 'list', '--filter'], 'j', [/^joinedAt=\t/, ...anyLines(5)]],
    ['fields alone while several are possible', ['members', 'list', '--filter'], 's', ['sso\t', 'spaces\t']],
    ['the operators of a switch', ['members', 'list', '--filter'], 'sso', ['sso=\t', 'sso!=\t']],
    ['the words of a field', ['members', 'list', '--filter'], 'role<r', ['role<review\t', 'role<read\t']],
    ['the same with spaces', ['members', 'list', '--filter'], 'role = gu', ['role = guest\t']],
    ['null where there may be no value', ['members', 'list'], '--filter=lastSeenAt!=', ['--filter=lastSeenAt!=null\t']],
    [
      'a field to sort by',
      ['members', 'list', '--sort-by'],
      'role,last',
      ['role,lastSeenAt\t', 'role,lastSeenAt:desc\t'],
    ],
    ['a field of a list without an endpoint', ['profiles', 'list', '--filter'], 'curr', ['current=\t', 'current!=\t']],
    ['every status', ['cr', 'list', '--status'], 'a', ['archived\t', 'all\t']],
    ['the second of several roles', ['members', 'list', '--role'], 'admin,gu', ['admin,guest\t']],
    ['nothing for jq', ['members', 'list', '--jq'], '', []],
    ['a file as an argument', ['openapi', 'publish'], '', ['\tfiles']],
    ['a folder', ['content', 'push'], '', ['\tfolders']],
    ['nothing after --', ['members', 'list', '--'], '--o', []],
    ['nothing for a free text', ['cr', 'create', '--subject'], '', []],
    ['nothing for an unknown command', ['membres', 'lst'], '', []],
    [
      'an id with its title',
      ['cr', 'view', '--space', 'handbook0001'],
      'pump',
      ['pumpchange01\t#1 Explain the new pump'],
    ],
    ['an id within a space', ['content', 'files', 'view', '--space=handbook0001'], '', ['pumpphoto001\tpump.png']],
    [
      'a neighbour',
      ['sites', 'sections', 'move', 'x', '--site', 'lumensite001', '--before'],
      'gu',
      ['guides000001\tGuides'],
    ],
    ['no id twice', ['spaces', 'delete', 'handbook0001'], 'hand', []],
    ['an id by a flag', ['cr', 'list', '--space'], 'hand', ['handbook0001\tHandbook']],
    ['nothing for a page token', ['comments', 'list', '--space', 'handbook0001', '--page'], '', []],
  ] as [string, string[], string, (string | RegExp)[]][])('%s', async ([, words, begun, expected]) => {
    const lines = await suggest(demo.docsctl, begun, ...words);
    expect(lines).toEqual(expected.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line))));
  });
});

describe('ids', () => {
  let demo: Home;
  beforeAll(async () => {
    demo = await makeHome();
    useOwnCache(demo);
    // All its members: more than a page has.
    await demo.docsctl('init', '--demo');
  });
  afterAll(() => rm(demo.dir, { recursive: true, force: true }));

  test('are suggested from all pages of a long list', async () => {
    const all = (await demo.docsctl('members', 'list', '-o', 'id')).stdout.trim().split('\n');
    expect(all.length).toBeGreaterThan(2000);
    const last = all.filter((id) => id.startsWith('member0024'));
    expect(valuesOf(await suggest(demo.docsctl, 'member0024', 'members', 'view')).toSorted()).toEqual(last.toSorted());
    expect(valuesOf(await suggest(demo.docsctl, '', 'members', 'view'))).toHaveLength(all.length);
  });

  test('of valid tokens are read from the database, with their labels', async () => {
    const make = async (label: string) =>
      (await demo.docsctl('serve', 'token', 'create', '--label', label, '--json')).json.id as string;
    const [gone, good] = [await make('old'), await make('build "server"')];
    await demo.docsctl('serve', 'token', 'revoke', gone);
    expect(await suggest(demo.docsctl, '', 'serve', 'token', 'revoke')).toEqual([
      expect.stringMatching(`^${good}\tbuild "server", `),
    ]);
    expect(await suggest(demo.docsctl, '', 'serve', 'token', 'revoke', good)).toEqual([]);
    expect(await suggest(demo.docsctl, '', 'serve', 'token', 'revoke', '--db', 'nowhere.db')).toEqual([]);
  });
});

describe('in a folder whose project file names a profile', () => {
  test('nothing is sent before the user allowed it, whatever the environment', async ({ home }) => {
    const work = await listener();
    const other = await listener();
    await login(home, { url: work.url, token: 'token-of-work' }, '--profile', 'work');
    await login(home, { url: other.url, token: 'token-of-other' }, '--profile', 'other');
    await writeFile(join(home.dir, '.docsctl.yaml'), 'profile: work\norg: Or1\n');
    work.asked.length = other.asked.length = 0;
    for (const env of [{}, { DOCSCTL_TOKEN: 'stray' }, { DOCSCTL_TOKEN: 'stray', DOCSCTL_URL: other.url }]) {
      const docsctl: Docsctl = (...words) => home.docsctl(...words, { env });
      expect(await suggest(docsctl, '', 'spaces', 'view')).toEqual([]);
      expect(await suggest(docsctl, '', 'cr', 'list', '--space')).toEqual([]);
      expect(valuesOf(await suggest(docsctl, 'vie', 'spaces'))).toEqual(['view']);
    }
    expect([...work.asked, ...other.asked]).toEqual([]);

    await home.docsctl('profiles', 'allow');
    await suggest(home.docsctl, '', 'spaces', 'view');

    expect(work.asked.map(({ token }) => token)).toEqual(['Bearer token-of-work']);
    expect(other.asked).toEqual([]);
  });

  test('a profile on the command line needs no permission', async ({ home }) => {
    const work = await listener();
    await login(home, { url: work.url, token: 'token-of-work' }, '--profile', 'work');
    await writeFile(join(home.dir, '.docsctl.yaml'), 'profile: other\norg: Or1\n');
    work.asked.length = 0;

    await suggest(home.docsctl, '', 'spaces', 'view', '--profile', 'work');

    expect(work.asked.map(({ token }) => token)).toEqual(['Bearer token-of-work']);
  });
});

describe('a response of the service', () => {
  test.beforeEach(({ home }) => {
    useOwnCache(home);
  });

  test('is never requested from the address of a profile with the token of the environment', async ({ home }) => {
    const work = await listener();
    await home.docsctl('profiles', 'create', 'work', '--url', work.url);
    const docsctl: Docsctl = (...words) => home.docsctl(...words, { env: { DOCSCTL_TOKEN: 'stray' } });

    expect(await suggest(docsctl, '', 'spaces', 'view', '--org', 'some')).toEqual([]);

    expect(work.asked).toEqual([]);
  });

  test('is cached for a short time', async ({ home }) => {
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

  test('that is too late suggests nothing and prints no error', async ({ home }) => {
    const url = await listen(() => {});
    const docsctl: Docsctl = (...words) =>
      home.docsctl(...words, { env: { DOCSCTL_URL: url, DOCSCTL_TOKEN: 'token-of-test' } });
    expect(await suggest(docsctl, '', 'spaces', 'view', '--org', 'some')).toEqual([]);
  });

  test('is used as far as its pages arrived in time', async ({ home, served }) => {
    const { json } = await served.docsctl('spaces', 'create', '--title', 'Plain', '-o', 'json');
    const asked: string[] = [];
    const url = await listen((request, response) => {
      asked.push(request.url!);
      // The second page never comes.
      if (request.url!.includes('page=')) return;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ items: [{ ...json, id: 'first' }], count: 2, next: { page: 'second' } }));
    });
    const docsctl: Docsctl = (...words) =>
      home.docsctl(...words, { env: { DOCSCTL_URL: url, DOCSCTL_TOKEN: 'token-of-test' } });
    expect(await suggest(docsctl, '', 'spaces', 'view', '--org', 'some')).toEqual(['Plain\tfirst']);
    expect(asked).toHaveLength(2);
    expect(await suggest(docsctl, 'fi', 'spaces', 'view', '--org', 'some')).toEqual(['first\tPlain']);
    expect(asked).toHaveLength(2);
  });

  test('is not requested without settings: no ids are suggested', async ({ home }) => {
    expect(await suggest(home.docsctl, '', 'spaces', 'view')).toEqual([]);
    expect(valuesOf(await suggest(home.docsctl, 'vie', 'spaces'))).toEqual(['view']);
  });

  test('a broken cache is written again', async ({ demo }) => {
    const folder = join(demo.dir, 'cache', 'completions');
    const ask = () => suggest(demo.docsctl, 'hand', 'spaces', 'view');
    const before = await ask();
    expect(before).toHaveLength(1);
    await mkdir(folder, { recursive: true });
    for (const name of await readdir(folder)) await writeFile(join(folder, name), '{"until":');
    expect(await ask()).toEqual(before);
  });
});

const severalObjects = (await commandsOfTree()).filter(({ command }) => {
  const last = argumentsOf(command.use).at(-1);
  return last?.variadic === true && command.endpoint !== undefined && command.input?.pairs === undefined;
});

test.for(severalObjects)(
  'after an argument of "$path", further objects are offered and no files',
  async (leaf, { demo }) => {
    const words = argumentsOf(leaf.command.use).map(() => 'x');
    const lines = await suggest(demo.docsctl, '', ...leaf.path.split(' '), '--site', 'lumensite001', ...words);

    expect(lines.filter((line) => line.startsWith('\t'))).toEqual([]);
  },
);

test('an object that is given is not offered again, by its id or its name', async ({ demo }) => {
  const afterId = await suggest(demo.docsctl, '', 'teams', 'delete', 'writers00001');
  const afterName = await suggest(demo.docsctl, '', 'teams', 'delete', 'Writers');

  expect(valuesOf(afterId)).not.toContain('Writers');
  expect(valuesOf(afterName)).not.toContain('Writers');
  expect(valuesOf(afterId)).toContain('Platform');
});
