import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Home } from '../support/cli.ts';
import { test } from '../support/in-process.ts';

/** The members whom a selector selects, as a dry run of a change shows them. */
async function selected(demo: Home, ...words: string[]): Promise<string[]> {
  const run = await demo.docsctl('members', 'mark-sso', ...words, '--dry-run', '-o', 'jsonl');
  expect(run.exitCode, run.stderr).toBe(0);
  const requests: { url: string }[] = run.stdout
    .trim()
    .split('\n')
    .flatMap((line) => JSON.parse(line));
  return requests.map(({ url }) => url.split('/').at(-2)!).toSorted();
}

const listed = async (demo: Home, ...flags: string[]) =>
  (await demo.docsctl('members', 'list', '-o', 'id', ...flags)).stdout.trim().split('\n').toSorted();

test('people are selected by team, role, domain and the time they were last seen', async ({ demo }) => {
  await demo.docsctl('teams', 'create', '--title', 'Pumps', '--members', 'member000100,member000101');
  await writeFile(join(demo.dir, 'people.csv'), 'email,role\nperson3@lumen.example,read\nmember000004,read\n');

  expect(await selected(demo, 'team:Pumps')).toEqual(['member000100', 'member000101']);
  expect(await selected(demo, 'team:Pumps,!person100@lumen.example')).toEqual(['member000101']);
  expect(await selected(demo, 'team:Pumps', 'member000002')).toEqual(['member000002', 'member000100', 'member000101']);
  expect(await selected(demo, 'file:people.csv')).toEqual(['member000003', 'member000004']);
  expect(await selected(demo, 'role:admin')).toEqual(await listed(demo, '--role', 'admin'));
  expect(await selected(demo, 'role:admin,!domain:lumen.example')).toEqual(
    await listed(demo, '--filter', 'role=admin and not email=~@lumen[.]example$'),
  );
  expect(await selected(demo, 'role:guest,!inactive:90d')).toEqual(
    await listed(demo, '--filter', 'role=guest and lastSeenAt>90d'),
  );
});

test('those who were never seen are inactive', async ({ demo }) => {
  const never = await listed(demo, '--filter', 'lastSeenAt=never');
  const inactive = await selected(demo, 'inactive:520w');

  expect(never.length).toBeGreaterThan(0);
  expect(inactive).toEqual(never);
});

test.for([
  [['role:boss'], 2, 'role:boss: "boss" is not one of'],
  [['inactive:long'], 2, 'inactive:long: "long" is not'],
  [['domain:nowhere.example'], 5, '"domain:nowhere.example" selects nobody.'],
  [['team:Nothing'], 5, 'Team "Nothing" not found'],
] as [string[], number, string][])(
  '%j is refused before anything is sent',
  async ([words, exitCode, text], { demo }) => {
    const run = await demo.docsctl('members', 'remove', ...words, '--yes');

    expect(run).toMatchObject({ exitCode });
    expect(run.stderr).toContain(text);
  },
);

test('flags that take several people take selectors', async ({ demo }) => {
  const idsIn = async (team: string) =>
    (await demo.docsctl('teams', 'members', 'list', team, '-o', 'id')).stdout.trim().split('\n').toSorted();
  const update = (...words: string[]) => demo.docsctl('teams', 'members', 'update', 'Pumps', ...words);
  await demo.docsctl('teams', 'create', '--title', 'Pumps', '--members', 'team:Writers,!member000001');
  const writers = await idsIn('Writers');
  expect(await idsIn('Pumps')).toEqual(writers.filter((id) => id !== 'member000001'));

  expect((await update('--add', 'member000001', '--role', 'team:Writers,!member000003=owner')).exitCode).toBe(0);
  expect(await idsIn('Pumps')).toEqual(writers);
  const owners = await demo.docsctl('teams', 'members', 'list', 'Pumps', '--filter', 'team.role=owner', '-o', 'id');
  expect(owners.stdout.trim().split('\n').toSorted()).toEqual(writers.filter((id) => id !== 'member000003'));

  expect((await update('--remove', 'team:Writers,!member000001')).exitCode).toBe(0);
  expect(await idsIn('Pumps')).toEqual(['member000001']);

  await writeFile(join(demo.dir, 'people.txt'), 'member000001\nmember000002\n');
  const sync = ['--add', 'file:people.txt', '--remove', 'team:Pumps,!file:people.txt'];
  for (const words of [sync, sync]) expect((await update(...words)).exitCode).toBe(0);
  expect(await idsIn('Pumps')).toEqual(['member000001', 'member000002']);

  await demo.docsctl('teams', 'create', '--title', 'Nobody');
  const nobody = await update('--add', 'team:Nobody');
  expect(nobody.exitCode).toBe(5);
  expect(nobody.stderr).toContain('selects nobody');
});

test('a person to leave out who is misspelled stops the command', async ({ demo }) => {
  await writeFile(
    join(demo.dir, 'keep.csv'),
    'name,email\n"Almeida, Ada",person1@lumen.example\nX,nobody@lumen.example\n',
  );
  for (const text of ['role:admin,!persn1@lumen.example', '!Ada Almeida,role:admin', 'all,!file:keep.csv']) {
    const run = await demo.docsctl('members', 'mark-sso', text, '--dry-run');
    expect(run.exitCode, text).toBe(5);
    expect(run.stderr).toContain('but no member has this email address or ID');
  }
});

test('a file has its people in the column email, in quotes or not', async ({ demo }) => {
  await writeFile(
    join(demo.dir, 'people.csv'),
    'name;email\n"Almeida; ""Ada""\nx";Ada <person1@lumen.example>\nBo;person2@lumen.example\n',
  );
  expect(await selected(demo, 'file:people.csv')).toEqual(['member000001', 'member000002']);
  await writeFile(join(demo.dir, 'people.csv'), '"Almeida, Ada <person1@lumen.example>"\nmember000002\tBo\n');
  expect(await selected(demo, 'file:people.csv')).toEqual(['member000001', 'member000002']);
});
