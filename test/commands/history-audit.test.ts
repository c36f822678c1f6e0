import { expect } from 'vitest';
import type { Home } from '../support/cli.ts';
import { test } from '../support/in-process.ts';

const entries = async (demo: Home, ...flags: string[]) =>
  (await demo.docsctl('history', 'list', '-o', 'json', ...flags)).json as {
    number: number;
    actor: string;
    about: string;
    command: string[];
  }[];

const admin = 'Local Admin <admin@localhost>';
const amara = 'Amara Almeida <person3@lumen.example>';

test.for([
  [['members', 'edit', 'member000003', '--role', 'read'], `${amara}: role comment -> read`],
  [['members', 'remove', 'member000003', '--yes'], `${amara}: removed`],
  [['members', 'mark-sso', 'member000003'], `${amara}: marked as signing in through SSO`],
  [
    ['teams', 'members', 'remove', 'writers00001', 'member000002', '--yes'],
    /^.+ <person2@lumen.example> \(Writers\): /,
  ],
  [['teams', 'create', '--title', 'Reviewers'], 'Reviewers: created'],
  [['teams', 'delete', 'writers00001', '--yes'], 'Writers: deleted'],
  [['invites', 'send', 'grace@lumen.example'], 'grace@lumen.example: invited'],
  [['spaces', 'create', '--title', 'Pumps'], 'Pumps: created'],
  [
    ['cr', 'merge', '2', '--open', '--space', 'handbook0001'],
    /^#2 .+ \(Handbook\): status draft -> open; #2 .+ \(Handbook\): merged$/,
  ],
] as [string[], string | RegExp][])('the journal names who did what for whom: %j', async ([words, about], { demo }) => {
  await demo.docsctl('members', 'edit', 'member000003', '--role', 'comment', '--no-journal');
  const run = await demo.docsctl(...words);

  expect(run.exitCode, run.stderr).toBe(0);
  const [entry] = await entries(demo);
  expect(entry!.actor).toBe(admin);
  if (typeof about === 'string') expect(entry!.about).toBe(about);
  else expect(entry!.about).toMatch(about);
});

test('the journal names what a refused command would have created', async ({ demo }) => {
  const run = await demo.docsctl('spaces', 'create', '--title', 'Pumps', '--parent', 'nowhere00001');

  expect(run.exitCode).not.toBe(0);
  expect((await entries(demo))[0]!.about).toBe('Pumps: created, refused');
});

test('history selects by user, object and time, and prints CSV', async ({ demo }) => {
  await demo.docsctl('members', 'edit', 'member000003', '--role', 'read');
  await demo.docsctl('teams', 'create', '--title', 'Reviewers');
  await demo.docsctl('teams', 'members', 'set', 'Reviewers', 'person3@lumen.example');

  const numbers = async (...flags: string[]) => (await entries(demo, ...flags)).map(({ number }) => number);
  expect(await numbers('--about', 'person3@')).toEqual([3, 1]);
  expect(await numbers('--about', 'reviewers')).toEqual([3, 2]);
  expect(await numbers('--user', 'local admin')).toEqual([3, 2, 1]);
  expect(await numbers('--user', 'ada@')).toEqual([]);
  expect(await numbers('--limit', '1')).toEqual([3]);
  expect(await numbers('--since', '1h')).toEqual([3, 2, 1]);
  expect(await numbers('--since', '2999-01-01')).toEqual([]);
  const csv = await demo.docsctl('history', '--about', 'reviewers', '--columns', 'actor,about', '-o', 'csv');
  expect(csv.stdout).toBe(
    `actor,about\n${admin},${amara} (Reviewers): role none -> member\n${admin},Reviewers: created\n`,
  );
});

test('a request that sets what is there already changed nothing', async ({ demo }) => {
  for (const _ of [1, 2]) await demo.docsctl('teams', 'members', 'set', 'Design', 'person3@lumen.example');

  const [again, first] = await entries(demo);
  expect(first!.about).toBe(`${amara} (Design): role none -> member`);
  expect(again!.about).toBe(`${amara} (Design): unchanged`);
});

test('an entry that is viewed has names in place of IDs', async ({ demo }) => {
  await demo.docsctl('teams', 'members', 'update', 'writers00001', '--add', 'member000100');

  const { stdout } = await demo.docsctl('history', 'view', '1');
  expect(stdout).toContain(`by ${admin}`);
  expect(stdout).toMatch(/Writers: .+ <person100@lumen.example> none -> member/);
});

test('--since refuses what is no time', async ({ demo }) => {
  const run = await demo.docsctl('history', '--since', 'yesterday');

  expect(run).toMatchObject({ exitCode: 2 });
  expect(run.stderr).toContain('--since: "yesterday" is not a date');
});

test('the user of an entry is read once, and again for another user', async ({ demo }) => {
  await demo.docsctl('teams', 'create', '--title', 'One');
  await demo.docsctl('teams', 'create', '--title', 'Two', '--as', 'member000002');
  await demo.docsctl('teams', 'create', '--title', 'Three', '--as', 'member000003');
  const [third, second, first] = await entries(demo);

  expect(first).toMatchObject({ actor: admin });
  expect(second!.actor).toContain('person2@lumen.example');
  expect(third).toMatchObject({ actor: amara });
});
