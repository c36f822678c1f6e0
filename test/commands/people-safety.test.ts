import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Home } from '../support/cli.ts';
import { test } from '../support/in-process.ts';

const write = (demo: Pick<Home, 'dir'>, text: string) => writeFile(join(demo.dir, 'people.csv'), text);

async function ownedTeam(demo: Home, ...owners: string[]): Promise<void> {
  await demo.docsctl('teams', 'create', '--title', 'Pumps');
  await demo.docsctl('teams', 'members', 'set', 'Pumps', ...owners, '--role', 'owner');
}

const refusal = /A team would have no owner: Pumps \(\w+\)\. Nothing was sent\./;

test('people who are the only owners of a team are not removed together', async ({ demo }) => {
  await ownedTeam(demo, 'member000100', 'member000101');
  const both = await demo.docsctl('members', 'remove', 'member000100', 'member000101', '--yes');
  const dry = await demo.docsctl('members', 'remove', 'member000100', 'member000101', '--dry-run');
  const one = await demo.docsctl('members', 'remove', 'member000100', '--yes');
  const allowed = await demo.docsctl('members', 'remove', 'member000101', '--yes', '--allow-ownerless');

  expect(both.exitCode).toBe(6);
  expect(both.stderr).toMatch(refusal);
  expect(dry.stderr).toMatch(refusal);
  expect(one.exitCode).toBe(0);
  expect(allowed.exitCode).toBe(0);
});

test('a list of many people is checked for owners of teams', async ({ demo }) => {
  await ownedTeam(demo, 'member000100');
  const ids = Array.from({ length: 30 }, (_, index) => `member000${100 + index}\n`).join('');
  const run = await demo.docsctl('members', 'remove', '-', '--yes', { stdin: 'pipe', input: ids });

  expect(run.exitCode).toBe(6);
  expect(run.stderr).toMatch(refusal);
});

test('the last owner of a team is not removed from it', async ({ demo }) => {
  await ownedTeam(demo, 'member000100');
  const run = await demo.docsctl('teams', 'members', 'remove', 'Pumps', 'member000100', '--yes');
  const allowed = await demo.docsctl(
    'teams',
    'members',
    'remove',
    'Pumps',
    'member000100',
    '--yes',
    '--allow-ownerless',
  );

  expect(run.exitCode).toBe(6);
  expect(run.stderr).toMatch(refusal);
  expect(allowed.exitCode).toBe(0);
});

test('changes of roles leave no team without an owner', async ({ demo }) => {
  await ownedTeam(demo, 'member000100');
  const members = ['teams', 'members'];
  const lowered = ['set', 'Pumps', 'person100@lumen.example', '--role', 'member'];
  const handed = ['update', 'Pumps', '--remove', 'person100@lumen.example', '--role', 'member000101=owner'];
  for (const words of [
    lowered,
    ['update', 'Pumps', '--role', 'person100@lumen.example=member'],
    ['update', 'Pumps', '--remove', 'Person100@lumen.example', '--add', 'member000101'],
    ['update', 'Pumps', '--remove', 'member000100', '--role', 'member000100=owner'],
    ['remove', 'Pumps', 'person100@lumen.example', '--yes'],
  ]) {
    const run = await demo.docsctl(...members, ...words);
    expect(run.exitCode, words.join(' ')).toBe(6);
    expect(run.stderr).toMatch(refusal);
  }
  expect((await demo.docsctl('members', 'remove', 'person100@lumen.example', '--yes')).stderr).toMatch(refusal);
  expect((await demo.docsctl(...members, ...handed)).exitCode).toBe(0);
  expect((await demo.docsctl(...members, 'set', 'Pumps', 'member000101', '--role', 'owner')).exitCode).toBe(0);
  const allowed = ['set', 'Pumps', 'member000101', '--role', 'member', '--allow-ownerless'];
  expect((await demo.docsctl(...members, ...allowed)).exitCode).toBe(0);
  // A team that has no owner cannot lose one.
  expect((await demo.docsctl(...members, 'remove', 'Pumps', 'member000101', '--yes')).exitCode).toBe(0);
});

test('offboarding the only owner of a team needs an heir or --allow-ownerless', async ({ demo }) => {
  await ownedTeam(demo, 'member000100');
  const run = await demo.docsctl('members', 'offboard', 'member000100', '--yes');
  const heir = await demo.docsctl('members', 'offboard', 'member000100', '--to', 'member000101', '--yes');

  expect(run.exitCode).toBe(6);
  expect(run.stderr).toContain('hint: Name the new owner with --to, or use --allow-ownerless.');
  expect(heir.exitCode).toBe(0);
});

test('the sites that show a space are named before it is deleted', async ({ demo }) => {
  const run = await demo.docsctl('spaces', 'delete', 'apiguides001', '--dry-run');

  expect(run.exitCode).toBe(0);
  expect(run.stderr).toMatch(/^.+ \(apiguides001\) is published on the site .+ \(\w+\): https?:\/\//m);
});

test('members sync asks before it creates administrators', async ({ demo }) => {
  await write(demo, 'email,role\nperson3@lumen.example,admin\n');
  const run = await demo.docsctl('members', 'sync', 'people.csv');

  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('Confirmation required: Make 1 person an administrator: person3@lumen.example?');
});

test.for([
  ['members', 'edit', '--from', 'people.csv'],
  ['members', 'sync', 'people.csv'],
  ['invites', 'send', '--from', 'people.csv'],
])('columns that mean nothing are reported with the nearest name: %s %s', async (words, { demo }) => {
  await write(demo, 'email,rol,department,result\nperson3@lumen.example,read,Pumps,changed\n');
  const run = await demo.docsctl(...words, ...(words[1] === 'edit' ? ['--role', 'read'] : []), '--dry-run');

  expect(run.stderr).toContain('people.csv: column "rol" is ignored; did you mean "role"?');
  expect(run.stderr).toContain('people.csv: column "department" is ignored.');
  expect(run.stderr).not.toContain('"result"');
});

const amara = 'Amara Almeida <person3@lumen.example>';

test.for([
  ['members', 'view', amara],
  ['members', 'view', `${amara} (member000003)`],
  ['members', 'edit', `${amara} (member000003)`, '--role', 'read'],
  ['teams', 'members', 'set', 'Writers (writers00001)', `${amara} (member000003)`],
  ['teams', 'members', 'update', 'Writers', '--add', amara],
  ['spaces', 'view', 'Handbook (handbook0001)'],
])('the forms that docsctl prints are accepted: %j', async (words, { demo }) => {
  const run = await demo.docsctl(...words);

  expect(run.exitCode, run.stderr).toBe(0);
});

test('the printed forms are accepted in files and in lists of standard input', async ({ demo }) => {
  await write(demo, `user,role\n${amara} (member000003),read\nBert <person2@lumen.example>,read\n`);
  const file = await demo.docsctl('members', 'edit', '--from', 'people.csv', '--yes', '-o', 'json');
  const list = await demo.docsctl('members', 'edit', '-', '--role', 'comment', '-o', 'id', {
    stdin: 'pipe',
    input: `${amara} (member000003)\n`,
  });

  expect(file.json.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['changed', 'changed']);
  expect(list.stdout).toBe('member000003\n');
});
