import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type DemoHome, sharedDemo } from '../../support/shell.ts';

// One folder describes two organizations: production has no environment, staging has one.

const { demo } = await sharedDemo();
let home: DemoHome;
let id: string;
beforeEach(async () => {
  home = await demo.copy();
  await done('export', 'o', '--org', 'Lumen Docs', '--only', parts);
  id = (await done('orgs', 'create', '--title', 'Staging', '-o', 'id')).stdout.trim();
  await writeFile(at(overlay), `# For trials\norg: ${id}\ntitle: Staging\nhostname: lumen-staging\n`);
});

const parts = 'organization,collections,spaces,sites,translations,invite-links';
const overlay = 'organization.staging.yaml';
const staging = ['--env', 'staging'];
const production = ['--org', 'Lumen Docs'];

async function done(...words: string[]) {
  const run = await home.run(words);
  expect(run.exitCode, `${words.join(' ')}: ${run.stderr}`).toBe(0);
  return run;
}

const at = (path: string) => join(home.dir, 'o', ...path.split('/'));
const read = (path: string) => readFile(at(path), 'utf8');
const edit = async (path: string, change: (text: string) => string) => writeFile(at(path), change(await read(path)));
const titles = async (org: string) =>
  ((await done('spaces', 'list', '--org', org, '-o', 'json')).json as { title: string }[]).map(({ title }) => title);

test('the export of one organization sets up another one, and each keeps its settings', async () => {
  const before = await titles('Lumen Docs');
  const applied = await done('apply', 'o', ...staging, '--yes');
  const [again, other] = [await done('plan', 'o', ...staging), await done('plan', 'o', ...production)];

  expect(applied.stdout).not.toContain('~ organization');
  expect(again.stderr).toContain('No changes');
  expect(other.stderr).toContain('No changes');
  expect((await titles('Staging')).toSorted()).toEqual(before.toSorted());

  await edit('spaces/handbook/space.yaml', (text) => text.replace('title: Handbook', 'title: Manual'));
  await done('apply', 'o', ...staging, '--yes');
  expect([await titles('Staging'), await titles('Lumen Docs')]).toEqual([
    expect.arrayContaining(['Manual']),
    expect.arrayContaining(['Handbook']),
  ]);
  const left = await done('plan', 'o', ...production);
  expect(left.stdout).toContain('~ space handbook\n    ~ title: Handbook -> Manual\n');
});

test('an export of an organization that was set up from files changes none of them, also in another clone', async () => {
  await edit('invite-links.yaml', (text) => `${text}  - role: comment\n`);
  await done('apply', 'o', ...staging, '--yes');
  await rm(at('docsctl.lock.staging.json'));
  const files = ['organization.yaml', overlay, 'collections.yaml', 'translations.yaml', 'invite-links.yaml'];
  const before = await Promise.all(files.map(read));

  await done('export', 'o', ...staging, '--only', parts);

  expect(await Promise.all(files.map(read))).toEqual(before);
});

test('an export writes the settings of an environment to its file', async () => {
  await done('apply', 'o', ...staging, '--yes');
  const common = await read('organization.yaml');
  await done('orgs', 'edit', '--org', 'Staging', '--title', 'Trials');
  await done('export', 'o', ...staging, '--only', parts);

  expect(await read(overlay)).toBe(`# For trials\norg: ${id}\ntitle: Trials\nhostname: lumen-staging\n`);
  expect(await read('organization.yaml')).toBe(common);
  expect((await done('drift', 'o', ...staging)).stderr).toContain('No changes');
});

test('a saved plan is for the organization of its environment', async () => {
  await done('plan', 'o', ...staging, '--out', join(home.dir, 'plan.json'));
  await done('apply', join(home.dir, 'plan.json'), '--yes');
  const left = await done('plan', 'o', ...staging);

  expect(left.stderr).toContain('No changes');
});

test('a wrong organization is refused', async () => {
  await done('apply', 'o', ...staging, '--yes');
  await rm(at('docsctl.lock.json'));
  const [other, none, contradiction, unknown] = [
    await home.run(['apply', 'o', '--org', 'Staging', '--yes']),
    await home.run(['plan', 'o', '--env', 'test']),
    await home.run(['plan', 'o', ...staging, ...production]),
    await home.run(['plan', 'o', '--env', '../x']),
  ];

  expect([other.exitCode, other.stderr]).toEqual([
    6,
    expect.stringContaining('last applied to this organization with --env staging, not without --env'),
  ]);
  expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining('there is no environment "test"')]);
  expect([contradiction.exitCode, contradiction.stderr]).toEqual([
    2,
    expect.stringContaining('is for the organization'),
  ]);
  expect([unknown.exitCode, unknown.stderr]).toEqual([2, expect.stringContaining('is no name of an environment')]);
});

test('an environment without its organization is not applied where the files of another one are', async () => {
  await done('apply', 'o', ...production, '--yes');
  await writeFile(at(overlay), 'title: Staging\n');
  await rm(at('docsctl.lock.json'));
  const run = await home.run(['apply', 'o', ...staging, ...production, '--yes']);

  expect([run.exitCode, run.stderr]).toEqual([6, expect.stringContaining('write "org: <its ID>" into')]);
});

test('mistakes in the file of an environment are named with their place', async () => {
  await writeFile(at(overlay), 'org: Staging\ntitel: Staging\n');
  const run = await home.run(['plan', 'o', ...staging]);

  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('organization.staging.yaml:2:1: unknown key "titel"; did you mean "title"?');
});

test.each([() => id, () => 'staging'])(
  'an organization that a file of an environment names needs --env',
  async (org) => {
    await writeFile(at(overlay), `org: ${org()}\ntitle: Staging\n`);
    await rm(at('docsctl.lock.json'));

    const refused = await home.run(['apply', 'o', '--org', 'Staging', '--yes']);

    expect([refused.exitCode, refused.stderr]).toEqual([
      6,
      expect.stringContaining(
        'organization.staging.yaml says that this is the organization of "staging". Nothing was sent.',
      ),
    ]);
    expect(refused.stderr).toContain('Use --env staging');
    expect(await titles('Staging')).toEqual([]);

    const common = await read('organization.yaml');
    const exported = await home.run(['export', 'o', '--org', 'Staging', '--overwrite']);
    expect([exported.exitCode, exported.stderr]).toEqual([6, expect.stringContaining('Use --env staging')]);
    expect(await read('organization.yaml')).toBe(common);
  },
);
