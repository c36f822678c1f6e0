import { describe, expect, test } from 'vitest';
import { screenOf, sharedDemo } from '../support/shell.ts';

const { home } = await sharedDemo();

const onSite = ['--site', 'lumensite001'];

describe('a column that no result has', () => {
  test('is refused with all fields of the contract and the nearest one', async () => {
    const run = await home.run(['members', 'list', '--limit', '1', '--columns', 'user.photoUrl']);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('no result has "user.photoUrl". Did you mean user.photoURL? There are: ');
    for (const path of ['user.email', 'lastSeenAt', 'sso', 'disabled', 'user.urls.location'])
      expect(run.stderr).toContain(`, ${path}`);
  });

  test('may be a misspelled heading of the table', async () => {
    const { stderr } = await home.run(['members', 'list', '--limit', '1', '--columns', 'nmae']);
    expect(stderr).toContain('Did you mean user.displayName?');
  });

  test('is refused in an empty list too', async () => {
    const run = await home.run(['teams', 'list', '--title', 'nothing is called this', '--columns', 'tilte']);
    expect(run).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Did you mean title?') });
  });

  test.for([
    ['of one', ['teams', 'create', '--title', 'Nobody']],
    ['of several', ['comments', 'resolve', 'comment00001', '--space', 'handbook0001']],
    ['in a dry run', ['teams', 'create', '--title', 'Nobody', '--dry-run']],
    ['of a hand-written command', ['propose', '--', 'teams', 'create', '--title', 'Nobody']],
  ] as [string, string[]][])('is refused before a change %s', async ([, words]) => {
    const [command = '', ...others] = words;
    const run = await home.run([command, '--columns', 'tilte', ...others]);
    expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('no result has "tilte"') });
    expect(await home.run(['teams', 'list', '--title', 'Nobody'])).toMatchObject({ stdout: '' });
    const comment = ['comments', 'view', 'comment00001', '--space', 'handbook0001', '--columns', 'status'];
    expect(await home.run(comment)).toMatchObject({ stdout: 'open\n' });
  });
});

test('a list can show a column of the card, with its kind and title', async () => {
  const words = ['spaces', 'list', '--limit', '1', '--columns', 'title,createdAt,changeRequestsDraft'];
  const { stdout } = await home.run(words, screenOf(80));
  expect(stdout).toMatch(/^TITLE +CREATED +DRAFT REQUESTS\nHandbook +[\w ]+ago +1\n$/);
});

test('a part of the answer is known by the names of what is printed', async () => {
  const run = await home.run(['sites', 'structure', 'lumensite001', '--columns', 'title,description']);
  expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Reference\t') });
  const refused = await home.run(['sites', 'structure', 'lumensite001', '--columns', 'structure']);
  expect(refused).toMatchObject({ exitCode: 2 });
});

describe('columns that a narrow terminal hides', () => {
  const list = ['members', 'list', '--limit', '3'];

  test('are counted on standard error', async () => {
    const run = await home.run(list, screenOf(80));
    expect(run.stdout).not.toContain('JOINED');
    expect(run.stderr).toBe('2 columns hidden; --columns or -o json\n');
  });

  test.for([
    ['where there is room', list, 120],
    ['with --quiet', [...list, '--quiet'], 80],
    ['where the columns are chosen', [...list, '--columns', 'id'], 80],
  ] as [string, string[], number][])('are not spoken of %s', async ([, words, width]) => {
    expect(await home.run(words, screenOf(width))).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

describe('a column of ids', () => {
  test('shows titles to people, in TSV and in CSV', async () => {
    const words = ['sites', 'sections', 'list', ...onSite, '--columns', 'title,sectionGroup'];
    expect(await home.run(words)).toMatchObject({ stdout: 'Guides\tLearn\nStart here\tLearn\nReference\t\n' });
    expect((await home.run(words, screenOf(80))).stdout).toMatch(/^TITLE +GROUP\nGuides +Learn\n/);
    expect((await home.run([...words, '-o', 'csv'])).stdout).toMatch(/^title,sectionGroup\nGuides,Learn\n/);
  });

  test('has the ids in JSON', async () => {
    const words = ['sites', 'sections', 'list', ...onSite, '--limit', '1'];
    expect((await home.run([...words, '-o', 'json', '--columns', 'sectionGroup'])).json).toEqual([
      { sectionGroup: 'learngroup01' },
    ]);
    expect(await home.run([...words, '--jq', '.[].sectionGroup'])).toMatchObject({ stdout: 'learngroup01\n' });
  });

  test('shows the title in a card, the id in the lines of a pipe', async () => {
    const view = ['collections', 'view', 'archive00001'];
    expect((await home.run(view, screenOf(80))).stdout).toMatch(/^Inside +Products$/m);
    expect((await home.run(view)).stdout).toContain('\nparent\tproducts0001\n');
    expect(await home.run([...view, '--columns', 'parent'])).toMatchObject({ stdout: 'products0001\n' });
  });

  test('costs one request for each kind, and none where it is not printed', async () => {
    const requestsOf = async (...words: string[]) =>
      (await home.run(['sites', 'spaces', 'list', ...onSite, '--debug', ...words])).stderr.match(/^> GET .*/gm);
    expect(await requestsOf('--page-size', '1', '--columns', 'title,section')).toHaveLength(5);
    expect(await requestsOf('--columns', 'title')).toHaveLength(1);
    expect(await requestsOf('-o', 'json')).toHaveLength(1);
  });

  test('shows the ids where the list of the objects cannot be read', async () => {
    const words = ['collections', 'view', 'archive00001', '--as', 'member000005'];
    const { stdout, exitCode } = await home.run(words, screenOf(80));
    expect({ stdout, exitCode }).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Inside') });
  });
});

test('one column of one object is its bare value in a pipe', async () => {
  expect(await home.run(['teams', 'view', 'writers00001', '--columns', 'title'])).toMatchObject({
    stdout: 'Writers\n',
  });
  const created = await home.run(['serve', 'token', 'create', '--db', home.database, '--columns', 'token']);
  expect(created.stdout).toMatch(/^\S+\n$/);
});

describe('a search of the organization', () => {
  test.for([
    ['search', 'pump'],
    ['orgs', 'search', 'pump'],
  ])('has a row for each page outside a terminal: %j', async (words) => {
    const page = 'Unpack\tinstall-the-pump/unpack\tHandbook\tPump Two gaskets Power cable\tunpack000001\n';
    const { stdout } = await home.run(words);
    expect(stdout).toContain(page);
    expect(stdout).toMatch(/^Version 2\.1\tversion-2-1\tRelease notes\t/m);
    expect(stdout).not.toContain('handbook0001');
  });

  test('has the ids of the pages alone with -o id, and their spaces in CSV', async () => {
    expect((await home.run(['search', 'pump', '-o', 'id'])).stdout).toMatch(/^install00001\n/);
    expect((await home.run(['search', 'pump', '-o', 'csv'])).stdout).toMatch(/^title,path,space\.title,text,id\n/);
    const { stdout } = await home.run(['search', 'pump', '--columns', 'space.id,path']);
    expect(stdout).toMatch(/^handbook0001\tinstall-the-pump\n/);
  });

  test('stays a tree in a terminal, and grouped in JSON', async () => {
    expect((await home.run(['search', 'pump'], screenOf(100))).stdout).toMatch(/^Handbook .*\n├─ Install the pump /m);
    expect((await home.run(['search', 'pump', '-o', 'json'])).json).toMatchObject([
      { title: 'Handbook', pages: [{}, {}, {}, {}] },
      {},
    ]);
  });
});

test('the line of the help that writes guest into JSON works', async () => {
  const help = (await home.run(['help', 'output'])).stdout;
  const [, expression = ''] = /docsctl members list --jq '(.*)'/.exec(help) ?? [];
  const roles = async (...words: string[]) =>
    new Set((await home.run(['members', 'list', ...words])).json.map(({ role }: { role: unknown }) => role));
  expect(await roles('-o', 'json')).toContain(null);
  const mapped = await roles('--jq', expression);
  expect(mapped).toContain('guest');
  expect(mapped).not.toContain(null);
});
