import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { test } from '../support/in-process.ts';
import type { Home } from '../support/cli.ts';

const [ada, ben, heir] = ['member000011', 'member000012', 'member000004'];
const record = async (file: string) => JSON.parse(await readFile(file, 'utf8'));

/** Ada and Ben own a team together, and Ada has an open change request. */
async function prepare(demo: Home) {
  const team = ['teams', 'create', '--title', 'Pair', '--members', `${ada},${ben}`, '-o', 'id'];
  const id = (await demo.docsctl(...team)).stdout.trim();
  await demo.docsctl('teams', 'members', 'set', id, ada!, ben!, '--role', 'owner');
  for (const user of [ada!, ben!]) await demo.docsctl('members', 'edit', user, '--role', 'create', '--yes');
  const inSpace = ['--space', 'handbook0001'];
  await demo.docsctl('cr', 'create', '--subject', 'Of Ada', ...inSpace, '--as', ada!);
  return id;
}

test('leavers in a file hand over teams and change requests, and every row has a result', async ({ demo }) => {
  const team = await prepare(demo);
  const csv = [
    'user,to,remark',
    `${ada},person4@lumen.example,x`,
    `Person <person12@lumen.example>,${ben}`,
    `"=HYPERLINK(""x"")",${heir}`,
    'nobody@lumen.example,',
    `${ada},`,
    `member000013,${ada}`,
  ];
  await writeFile(join(demo.dir, 'leavers.csv'), csv.join('\n'));
  const words = ['members', 'offboard', '--from', 'leavers.csv', '--to', heir!, '--result', 'result.csv', '--yes'];

  const dry = await demo.docsctl(...words, '--dry-run');
  expect(dry.exitCode).toBe(8);
  expect(dry.stderr).toContain('column "remark" is ignored');
  expect(dry.stderr).toMatch(/hand over #\d+ Of Ada to/);
  expect((await demo.docsctl('members', 'view', ada!)).exitCode).toBe(0);

  const run = await demo.docsctl(...words);
  const result = await readFile(join(demo.dir, 'result.csv'), 'utf8');
  expect(run.exitCode).toBe(8);
  const outcomes = result
    .trim()
    .split('\n')
    .map((line) => /,(result|removed|refused|repeated),/.exec(line)?.[1]);
  expect(outcomes).toEqual(['result', 'removed', 'refused', 'refused', 'refused', 'repeated', 'refused']);
  expect(result).toContain("'=HYPERLINK");
  expect((await demo.docsctl('members', 'view', ada!)).exitCode).toBe(5);
  const requests = await demo.docsctl('cr', 'list', '--space', 'handbook0001', '--status', 'draft', '--json');
  const number = requests.json.find((one: any) => one.subject === 'Of Ada').number;
  const comments = await demo.docsctl('comments', 'list', '--space', 'handbook0001', '--cr', `${number}`);
  expect(comments.stdout).toContain('Handed over from');
  const file = join(demo.dir, 'offboarding', 'person11@lumen.example-member000011.json');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await record(file)).toMatchObject({ member: { id: ada }, heir: { id: heir } });

  // The result is an input again: those who are gone count as done.
  await writeFile(join(demo.dir, 'rest.csv'), `user\n${ada}\n${ben}\n`);
  const again = await demo.docsctl('members', 'offboard', '--from', 'rest.csv', '--to', heir!, '--yes');
  expect(again).toMatchObject({ exitCode: 0 });
  expect(again.stderr).toContain('1 removed, 1 unchanged.');
  const owners = await demo.docsctl('teams', 'members', 'list', team, '--json');
  expect(owners.json.map((one: any) => [one.organization.id, one.team.role])).toEqual([[heir, 'owner']]);
});

test('a team whose owners all leave is not left without one', async ({ demo }) => {
  await prepare(demo);
  const run = await demo.docsctl('members', 'offboard', ada!, ben!, '--yes');
  expect(run.exitCode).toBe(6);
  expect(run.stderr).toContain('A team would have no owner: Pair');
  expect((await demo.docsctl('members', 'view', ada!)).exitCode).toBe(0);
});

test('selectors choose leavers, and nobody offboards themselves or all administrators', async ({ demo }) => {
  await prepare(demo);
  const dry = await demo.docsctl('members', 'offboard', 'team:Pair', '--to', heir!, '--dry-run', '-o', 'id');
  expect(dry.stdout.trim().split('\n').toSorted()).toEqual([ada, ben]);
  const me = (await demo.docsctl('whoami', '-o', 'id')).stdout.trim();
  expect((await demo.docsctl('members', 'offboard', me, ada!, '--to', heir!, '--yes')).exitCode).toBe(2);
  expect((await demo.docsctl('members', 'offboard', ada!, ben!, '--record', 'x.json', '--yes')).exitCode).toBe(2);
});

test('a record with a role that does not exist is refused, also by a dry run', async ({ demo }) => {
  const file = join(demo.dir, 'record.json');
  await demo.docsctl('members', 'offboard', 'member000003', '--record', file, '--yes');
  const { member, ...others } = await record(file);
  await writeFile(file, JSON.stringify({ ...others, member: { ...member, role: 'emperor' } }));

  const run = await demo.docsctl('members', 'restore', '--record', file, '--dry-run');

  expect([run.exitCode, run.stderr]).toEqual([2, expect.stringContaining('is not the record of an offboarding')]);
});

test('a member is restored with role and teams, and levels are reported or linked', async ({ demo }) => {
  const team = await prepare(demo);
  const file = join(demo.dir, 'ada.json');
  await demo.docsctl('members', 'offboard', ada!, '--to', heir!, '--yes', '--record', file);
  const written = await record(file);
  await writeFile(
    file,
    JSON.stringify({ ...written, levels: [{ id: 'handbook0001', title: 'Handbook', level: 'admin' }] }),
  );

  const dry = await demo.docsctl('members', 'restore', '--record', file, '--dry-run');
  expect(dry.stdout).toContain('not tried');
  expect((await demo.docsctl('members', 'list', '--search', 'person11@', '-o', 'id')).stdout).toBe('');

  const run = await demo.docsctl('members', 'restore', '--record', file);
  expect(run.exitCode).toBe(8);
  expect(run.stdout).toContain('no request grants a level');
  const back = (await demo.docsctl('members', 'list', '--search', 'person11@', '--json')).json;
  expect(back).toMatchObject([{ role: 'create' }]);
  const members = await demo.docsctl('teams', 'members', 'list', team, '--json');
  expect(members.json.map((one: any) => [one.organization.user.email, one.team.role])).toContainEqual([
    'person11@lumen.example',
    'owner',
  ]);

  const again = await demo.docsctl('members', 'restore', '--record', file, '--level-links');
  expect(again).toMatchObject({ exitCode: 0 });
  expect(again.stderr).toMatch(/1 created, \d+ unchanged\./);
  const elsewhere = await demo.docsctl('members', 'restore', '--record', 'missing.json');
  expect(elsewhere.exitCode).toBe(2);
});

test('invite links that somebody created are named, as far as the journal knows', async ({ demo }) => {
  await demo.docsctl('members', 'edit', ada!, '--role', 'admin', '--yes');
  await demo.docsctl('invites', 'links', 'create', '--role', 'read', '--as', ada!, '--yes');
  const run = await demo.docsctl('members', 'offboard', ada!, '--dry-run');
  expect(run.stdout).toMatch(/Invite links that they created: 1, which still work\n {2}\S+, organization: read/);
});
