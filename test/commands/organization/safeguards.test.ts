import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type DemoHome, sharedDemo } from '../../support/shell.ts';

// What went wrong with other tools of this kind, and must not go wrong here.

const { demo } = await sharedDemo();
let home: DemoHome;
beforeEach(async () => {
  home = await demo.copy();
});

async function done(...words: string[]) {
  const run = await home.run(words);
  expect(run.exitCode, `${words.join(' ')}: ${run.stderr}`).toBe(0);
  return run;
}

const at = (path: string) => join(home.dir, 'o', ...path.split('/'));
const edit = async (path: string, change: (text: string) => string) =>
  writeFile(at(path), change(await readFile(at(path), 'utf8')));

test('a file that cannot be read never means removal, and nothing is sent', async () => {
  await done('export', 'o', '--only', 'teams,members');
  await rm(at('teams/design.yaml'));
  await symlink('nowhere.yaml', at('teams/design.yaml'));
  const dangling = await home.run(['apply', 'o', '--prune', '--yes', '--debug']);
  await rm(at('teams/design.yaml'));
  await mkdir(at('teams/design.yaml'));
  const folder = await home.run(['apply', 'o', '--prune', '--yes', '--debug']);
  await rm(at('teams/design.yaml'), { recursive: true });
  await writeFile(at('teams/design.yaml'), 'title: [');
  const broken = await home.run(['apply', 'o', '--prune', '--yes', '--debug']);

  await rm(at('teams/design.yaml'));
  await writeFile(at('teams/design.yml'), 'title: Design\n');
  const otherName = await home.run(['apply', 'o', '--prune', '--yes', '--debug']);

  await rm(at('teams'), { recursive: true });
  await mkdir(at('spaces/design'), { recursive: true });
  await writeFile(at('spaces/design/space.yml'), 'title: Design\n');
  const otherSpace = await home.run(['apply', 'o', '--prune', '--yes', '--debug']);

  for (const run of [dangling, folder, broken, otherName, otherSpace]) {
    expect(run.exitCode, run.stderr).not.toBe(0);
    expect(run.stderr).toMatch(/design(?:\/space)?\.ya?ml/);
    expect(run.stderr).not.toMatch(/^> (?:POST|PUT|PATCH|DELETE)/m);
  }
});

test('what is not read although its name is close to a part is named', async () => {
  await done('export', 'o', '--only', 'teams,members');
  await mkdir(at('space'));
  await mkdir(at('tests'));
  await writeFile(at('members.xlsx'), '');
  await writeFile(at('organisation.yaml'), '');

  expect((await done('plan', 'o')).stderr.match(/^.* is ignored; did you mean .*$/gm)?.toSorted()).toEqual([
    'members.xlsx is ignored; did you mean members.csv?',
    'organisation.yaml is ignored; did you mean organization.yaml?',
    'space is ignored; did you mean spaces?',
  ]);
});

test('an empty folder is an explicit "none", which --prune names by kind', async () => {
  await done('export', 'o', '--only', 'teams,members');
  for (const name of await readdir(at('teams'))) await rm(at(`teams/${name}`));
  await edit('members.csv', (text) => text.replaceAll(/,[^,\n]*$/gm, ''));

  expect((await done('plan', 'o')).stderr).toMatch(/Not in the files, and kept: 5 teams \(/);
  const pruned = await done('plan', 'o', '--prune');
  expect(pruned.stdout.match(/^- team /gm)).toHaveLength(5);
  const refused = await home.run(['apply', 'o', '--prune', '--yes']);
  expect(refused).toMatchObject({ exitCode: 6, stderr: expect.stringContaining('5 of 5 teams') });
});

test('two objects of one title have a file each, and keep it', async () => {
  const { stdout: second } = await done('teams', 'create', '--title', 'Writers', '-o', 'id');
  const exported = await done('export', 'o', '--only', 'teams,members');

  const names = (await readdir(at('teams'))).filter((name) => name.startsWith('writers'));
  expect(names).toHaveLength(2);
  expect(exported.stderr).toContain(
    '1 object has the same title as another one, and therefore a number in its name: teams/writers-2.',
  );
  expect((await done('plan', 'o', '--exit-code')).stdout).toBe('');
  await edit('teams/writers-2.yaml', (text) => text.replace('title: Writers', 'title: Others'));
  await done('apply', 'o', '--yes');
  const titles = (await done('teams', 'list', '-o', 'json')).json.map(({ title }: { title: string }) => title);
  expect(titles).toEqual(expect.arrayContaining(['Writers', 'Others']));
  expect(second.trim()).not.toBe('');
});

test('what the service cannot change is an error in the plan, with its line', async () => {
  await done('export', 'o');
  await edit('sites/lumen-documentation.yaml', (text) => text.replace(/^type: .*$/m, 'type: basic'));
  await edit('organization.yaml', (text) => text.replace(/(- name: owner\n\s+type: )\w+/, '$1number'));
  const { exitCode, stderr } = await home.run(['plan', 'o']);

  expect(exitCode).toBe(6);
  expect(stderr).toMatch(/sites\/lumen-documentation\.yaml:\d+:\d+: the type of a site cannot be changed/);
  expect(stderr).toMatch(/organization\.yaml:\d+:\d+: .*type/);
});

test('one failed object stops what depends on it, and the rest goes on', async () => {
  const other = (await done('orgs', 'create', '--title', 'Other', '-o', 'id')).stdout.trim();
  await done('orgs', 'edit', '--org', other, '--hostname', 'taken');
  await done('export', 'o');
  await edit('organization.yaml', (text) => `${text.replace(/^hostname:.*\n/m, '')}hostname: taken\n`);
  await edit('teams/writers.yaml', (text) => text.replace('title: Writers', 'title: Authors'));
  await edit('translations.yaml', (text) =>
    text.replace('translations:', 'translations:\n  - title: New\n    languages: [de]'),
  );
  const run = await home.run(['apply', 'o', '--yes', '--keep-going', '-o', 'json']);

  expect(run.exitCode).toBe(8);
  const results = run.json.map(({ result, kind }: { result: string; kind: string }) => `${kind}: ${result}`);
  expect(results.toSorted()).toEqual(['organization: failed', 'team: done', 'translation: done']);
});

test('references in the files must agree with each other', async () => {
  await done('export', 'o', '--only', 'teams,members,spaces,collections');
  await edit('teams/writers.yaml', (text) => text.replace('members:', 'members:\n  gone@lumen.example: member'));
  const { exitCode, stderr } = await home.run(['plan', 'o', '--debug']);

  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/teams\/writers\.yaml:\d+:\d+: .*gone@lumen\.example/);
  expect(stderr).not.toContain('> GET');
});
