import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Demo, type DemoHome, makeDemo } from '../support/shell.ts';

let demo: Demo;
/** Never changed. */
let lumen: DemoHome;
let home: DemoHome;
beforeAll(async () => {
  demo = await makeDemo();
  lumen = await demo.copy();
});
afterAll(() => demo.remove());

const id = async (...words: string[]) => (await lumen.run([...words, '-o', 'id'])).stdout.trim();
const requestsOf = (stderr: string) =>
  [...stderr.matchAll(/^> (\w+) \S+?(\/v1\S*)/gm)].map(([, method, path]) => `${method} ${path}`);

describe('an object is named by', () => {
  test.each([
    ['the id', ['spaces', 'view', 'handbook0001'], 'handbook0001'],
    ['its title', ['spaces', 'view', 'API guides'], 'apiguides001'],
    ['its title in other case', ['spaces', 'view', 'hANDBOOK'], 'handbook0001'],
    ['title:', ['spaces', 'view', 'title:Handbook'], 'handbook0001'],
    ['id:', ['spaces', 'view', 'id:handbook0001'], 'handbook0001'],
    ['the email address of a member', ['members', 'view', 'Person1@lumen.example'], 'member000001'],
    ['a title of a collection', ['collections', 'view', 'Internal'], 'internal0001'],
    ['a title of a team', ['teams', 'view', 'developer relations'], 'devrel000001'],
    ['a title of a site', ['sites', 'view', 'Support intranet'], 'intranet0001'],
    ['the basename of a site', ['sites', 'view', 'lumen-documentation'], 'lumensite001'],
    ['a label of an SSO provider', ['sso', 'providers', 'view', 'Lumen ID'], 'lumenid00001'],
    ['a title of translation settings', ['translations', 'list'], 'translate001'],
    ['the number of a change request', ['cr', 'view', '1', '--space', 'Handbook'], 'pumpchange01'],
    ['# and the number', ['cr', 'view', '#1', '--space', 'Handbook'], 'pumpchange01'],
    [
      'the path of a page',
      ['content', 'pages', 'view', 'install-the-pump/unpack', '--space', 'Handbook'],
      'unpack000001',
    ],
    ['path:', ['content', 'pages', 'view', 'path:welcome', '--space', 'handbook0001'], 'welcome00001'],
  ])('%s', async (_, words, expected) => {
    expect(await id(...words)).toBe(expected);
  });

  test('@me', async () => {
    expect(await id('members', 'view', '@me')).toBe(await id('whoami'));
  });

  test('an address of the app, with the space in it', async () => {
    const { stdout } = await lumen.run(['cr', 'view', '1', '--space', 'handbook0001', '--jq', '.urls']);
    const urls = JSON.parse(stdout) as { app: string; location: string };

    expect(await id('cr', 'view', urls.app)).toBe('pumpchange01');
    expect(await id('cr', 'view', urls.location)).toBe('pumpchange01');
  });

  test('the address of a page in the app', async () => {
    const { stdout } = await lumen.run([
      'content',
      'pages',
      'view',
      'unpack000001',
      '--space',
      'handbook0001',
      '--jq',
      '.urls.app',
    ]);

    expect(await id('content', 'pages', 'view', stdout.trim())).toBe('unpack000001');
  });

  test('the address of a published site', async () => {
    const { stdout } = await lumen.run(['sites', 'view', 'lumensite001', '--jq', '.urls.published']);

    expect(await id('sites', 'view', stdout.trim())).toBe('lumensite001');
  });
});

describe('a name that', () => {
  test('nothing has is status 5, with the nearest names', async () => {
    const { exitCode, stderr } = await lumen.run(['spaces', 'view', 'Handbok']);

    expect(exitCode).toBe(5);
    expect(stderr).toBe(
      'error: Space "Handbok" not found.\nhint: Did you mean "Handbook" (handbook0001)? "docsctl spaces list" lists what your token may see.\n',
    );
  });

  test('is nearly an email address is told', async () => {
    const { exitCode, stderr } = await lumen.run(['members', 'view', 'persn1@lumen.example']);

    expect(exitCode).toBe(5);
    expect(stderr).toContain('person1@lumen.example');
  });

  test('is an address of something else is status 2', async () => {
    const { exitCode, stderr } = await lumen.run(['cr', 'view', 'https://app.example/o/x/s/handbook0001']);

    expect(exitCode).toBe(2);
    expect(stderr).toContain('is the address of a space, not of a change request');
  });

  test('contradicts the flag is status 2', async () => {
    const { exitCode, stderr } = await lumen.run([
      'cr',
      'view',
      'https://app.example/o/x/s/handbook0001/cr/1',
      '--space',
      'apiguides001',
    ]);

    expect(exitCode).toBe(2);
    expect(stderr).toContain('--space apiguides001');
  });

  test('is that of no position is status 5', async () => {
    const { exitCode, stderr } = await lumen.run(['spaces', 'move', 'Handbook', '--before', 'Nowhere land']);

    expect(exitCode).toBe(5);
    expect(stderr).toContain('--before: There is no space or collection "Nowhere land" here');
  });
});

test.each([
  ['GET', ['api', 'spaces/{space}', '--space', 'Handbook', '--jq', '.id'], 'handbook0001'],
  [
    'a list',
    [
      'api',
      'orgs/{org}/sites/{site}/sections',
      '--paginate',
      '--org',
      'Lumen',
      '--site',
      'lumen-documentation',
      '--jq',
      '.[0].id',
    ],
    'guides000001',
  ],
])('placeholders of a path take names: %s', async (_, words, expected) => {
  const { exitCode, stdout, stderr } = await lumen.run(words);

  expect({ exitCode, stdout: stdout.trim(), stderr }).toEqual({ exitCode: 0, stdout: expected, stderr: '' });
});

describe('config set', () => {
  const settingOf = async (copy: DemoHome, key: string) => (await copy.run(['config', 'get', key])).stdout.trim();

  test('stores the id of a name, and says so', async () => {
    const copy = await demo.copy();
    const { exitCode, stderr } = await copy.run(['config', 'set', 'site', 'lumen documentation']);

    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: 'Set "site" of the profile "local" to lumensite001 (Lumen documentation).\n',
    });
    expect(await settingOf(copy, 'site')).toBe('lumensite001');
  });

  test('refuses what the service does not know', async () => {
    const copy = await demo.copy();
    const { exitCode } = await copy.run(['config', 'set', 'space', 'nowhere']);

    expect(exitCode).toBe(5);
  });

  test('keeps an id while the service cannot be reached, and says that it was not checked', async () => {
    const copy = await demo.copy();
    await copy.run(['profiles', 'create', 'far', '--url', 'http://127.0.0.1:9', '--use']);
    const id = await copy.run(['config', 'set', 'space', 'handbook0001']);
    const title = await copy.run(['config', 'set', 'space', 'API guides']);

    expect(id).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('not checked') });
    expect(title.exitCode).not.toBe(0);
  });
});

describe('requests', () => {
  test.each([
    ['an id', ['spaces', 'view', 'handbook0001'], 1],
    ['an id of a team', ['teams', 'members', 'list', 'writers00001', '--limit', '1'], 1],
    ['an id in a filter', ['cr', 'list', '--space', 'handbook0001', '--contributor', 'member000001'], 1],
  ])('of a command with %s are as many as ever', async (_, words, count) => {
    const copy = await demo.copy();
    const { exitCode, stderr } = await copy.run([...words, '--debug']);

    expect({ exitCode, requests: requestsOf(stderr).length }).toEqual({ exitCode: 0, requests: count });
  });

  test('of a name with a space are sent after it was looked up', async () => {
    const { stderr } = await lumen.run(['spaces', 'view', 'API guides', '--debug']);

    expect(requestsOf(stderr).filter((line) => line.includes('/spaces/'))).toEqual(['GET /v1/spaces/apiguides001']);
  });
});

describe('filters that name nobody', () => {
  test.each([
    ['cr list --space Handbook --contributor nobody', 'Member "nobody"'],
    ['teams list --owner nobody@lumen.example', 'Member "nobody@lumen.example"'],
    ['sites list --space Nowhere', 'Space "Nowhere"'],
    ['comments list --space Handbook --target-page nowhere', 'Page "nowhere"'],
  ])('%s is status 5', async (line, message) => {
    const { exitCode, stdout, stderr } = await lumen.run(line.split(' '));

    expect({ exitCode, stdout }).toEqual({ exitCode: 5, stdout: '' });
    expect(stderr).toContain(`error: ${message} not found`);
  });

  test('a filter that names somebody without items stays an empty list', async () => {
    const copy = await demo.copy();
    await copy.run(['spaces', 'create', '--title', 'On no site']);
    const { exitCode, stdout } = await copy.run(['sites', 'list', '--space', 'On no site', '-o', 'json']);

    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual([]);
  });
});

describe('writes', () => {
  beforeEach(async () => {
    home = await demo.copy();
  });
  afterEach(() => home.remove?.());

  test('a name that several objects have is status 2, and nothing is changed', async () => {
    await home.run(['spaces', 'create', '--title', 'Twice', '--parent', 'Internal']);
    await home.run(['spaces', 'create', '--title', 'twice']);
    const { exitCode, stderr } = await home.run(['spaces', 'delete', 'Twice', '--yes']);
    const { stdout } = await home.run(['spaces', 'list', '--columns', 'title']);

    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/"Twice" is the name of 2 spaces; nothing was sent:\n {2}Twice \(\w+\), in Internal\n/);
    expect(stdout.match(/twice/gi)).toHaveLength(2);
  });

  test.each([
    ['collections move Archive --parent Internal', '.parent', 'internal0001'],
    ['spaces create --title New --parent Products', '.parent', 'products0001'],
    ['teams create --title New --members person3@lumen.example,@me', '.members', 2],
    ['sites create --title New --spaces Handbook', '.siteSpaces', 1],
    ['sites edit lumensite001 --default-site-section Reference', '.id', 'lumensite001'],
    ['sites spaces add Handbook --site lumen-documentation --section Reference', '.section', 'reference001'],
    ['sites sections move start-here --before Guides --site lumensite001', '.id', 'starthere001'],
    ['orgs edit --default-content-site lumen-documentation', '.defaultContent.site', 'lumensite001'],
    ['invites links create --role read --space Handbook', '.space.id', 'handbook0001'],
    ['sso providers edit lumenid00001 --default-team Writers', '.defaultTeam.id', 'writers00001'],
  ])('%s', async (line, jq, expected) => {
    const { exitCode, stdout, stderr } = await home.run([...line.split(' '), '--yes', '--jq', jq]);

    expect({ exitCode, stderr, value: stdout.trim() }).toEqual({
      exitCode: 0,
      stderr: expect.any(String),
      value: String(expected),
    });
  });

  test('roles by email address', async () => {
    const { exitCode } = await home.run([
      'teams',
      'members',
      'update',
      'Writers',
      '--role',
      'person4@lumen.example=owner',
    ]);
    const { stdout } = await home.run([
      'teams',
      'members',
      'list',
      'Writers',
      '--jq',
      '.[] | select(.organization.id == "member000004").team.role',
    ]);

    expect(exitCode).toBe(0);
    expect(stdout.trim()).toBe('owner');
  });

  test('a deleted space is restored by its title', async () => {
    await home.run(['spaces', 'delete', 'Release notes', '--yes']);
    const { exitCode } = await home.run(['spaces', 'restore', 'Release notes']);

    expect(exitCode).toBe(0);
  });
});
