import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { test } from '../support/in-process.ts';
import type { Home } from '../support/cli.ts';

const ada = 'member000001';
const heir = 'member000004';

/** Ada owns two teams, one of them alone, and has a request and a comment. */
async function prepare(demo: Home) {
  const id = (await demo.docsctl('teams', 'create', '--title', 'Alone', '--members', ada, '-o', 'id')).stdout.trim();
  await demo.docsctl('teams', 'members', 'set', id, ada, '--role', 'owner');
  const both = (await demo.docsctl('teams', 'create', '--title', 'Shared', '--members', ada, '-o', 'id')).stdout.trim();
  await demo.docsctl('teams', 'members', 'set', both, ada, 'member000003', '--role', 'owner');
  const inSpace = ['--space', 'handbook0001', '--as', ada];
  await demo.docsctl('cr', 'create', '--subject', 'Mine', ...inSpace);
  await demo.docsctl('comments', 'create', '--body', 'Also mine', ...inSpace);
  return { id, both };
}

const record = async (file: string) => JSON.parse(await readFile(file, 'utf8'));

test('a dry run shows what somebody has, and changes nothing', async ({ demo }) => {
  const { id, both } = await prepare(demo);
  const words = ['members', 'offboard', ada, '--to', heir, '--dry-run'];
  const text = await demo.docsctl(...words);
  const json = await demo.docsctl(...words, '--json');

  expect(text.exitCode).toBe(0);
  expect(text.stdout).toMatch(new RegExp(`Alone \\(${id}\\): owner, alone; .*\\(${heir}\\) becomes owner`));
  expect(text.stdout).toMatch(/#\d+ Mine, draft, in Handbook/);
  expect(text.stdout).toContain('Also mine');
  expect(json.json.teams).toEqual(
    expect.arrayContaining([
      { id, title: 'Alone', role: 'owner', ownedAlone: true },
      { id: both, title: 'Shared', role: 'owner', ownedAlone: false },
    ]),
  );
  expect(json.json.steps.map(({ action, result }: any) => [action, result])).toContainEqual(['make owner', 'planned']);
  expect((await readdir(demo.dir)).filter((name) => name.startsWith('offboarding'))).toEqual([]);
  expect((await demo.docsctl('members', 'view', ada)).exitCode).toBe(0);
});

test('the heir owns the teams, the member is gone, and a record that only its owner reads says so', async ({
  demo,
}) => {
  const { id } = await prepare(demo);
  const file = join(demo.dir, 'ada.json');
  const run = await demo.docsctl('members', 'offboard', ada, '--to', heir, '--yes', '--record', file, '--json');

  expect(run.exitCode).toBe(0);
  const owners = await demo.docsctl('teams', 'members', 'list', id, '--json');
  expect(owners.json.map((one: any) => [one.organization.id, one.team.role])).toEqual([[heir, 'owner']]);
  expect((await demo.docsctl('members', 'view', ada)).exitCode).toBe(5);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const written = await record(file);
  expect(written).toMatchObject({ object: 'offboarding', member: { id: ada, email: 'person1@lumen.example' } });
  expect(written.steps.every(({ result }: any) => result === 'done')).toBe(true);
  expect(written.finishedAt).toBeDefined();
  expect(run.json.record).toBe(file);
});

test('without --record a file of its own is written, and its name is printed', async ({ demo }) => {
  const run = await demo.docsctl('members', 'offboard', 'person3@lumen.example', '--yes');

  const name = (await readdir(demo.dir)).find((one) => one.startsWith('offboarding-person3@lumen.example-'));
  expect(run.exitCode).toBe(0);
  expect(run.stderr).toContain(`The record is in ${name}.`);
});

test('the caller, the last administrator, and an heir who cannot be one are refused', async ({ demo }) => {
  const me = (await demo.docsctl('whoami', '-o', 'id')).stdout.trim();
  const self = await demo.docsctl('members', 'offboard', me, '--yes');
  const same = await demo.docsctl('members', 'offboard', ada, '--to', 'person1@lumen.example', '--yes');
  const nobody = await demo.docsctl('members', 'offboard', ada, '--to', 'nobody@lumen.example', '--yes');
  const unconfirmed = await demo.docsctl('members', 'offboard', ada, '--allow-ownerless');

  expect([self, same, nobody, unconfirmed].map(({ exitCode }) => exitCode)).toEqual([2, 2, 5, 2]);
  expect(self.stderr).toContain('You cannot offboard yourself');
  expect((await demo.docsctl('members', 'view', ada)).exitCode).toBe(0);
});

test('the last administrator is refused with the reason', async ({ docsctl }) => {
  await docsctl('invites', 'send', 'ada@lumen.example', '--role', 'admin', '--yes');
  const me = (await docsctl('whoami', '-o', 'id')).stdout.trim();
  const other = (await docsctl('members', 'list', '--search', 'ada@', '-o', 'id')).stdout.trim();
  await docsctl('members', 'edit', me, '--role', 'create', '--yes-myself');

  const run = await docsctl('members', 'offboard', other, '--yes');

  expect(run.exitCode).toBe(6);
  expect(run.stderr).toContain('is the last administrator');
});

test('a second run with the record of the first finishes it', async ({ demo }) => {
  const { id } = await prepare(demo);
  const file = join(demo.dir, 'ada.json');
  const words = ['members', 'offboard', ada, '--to', heir, '--yes', '--record', file];
  const plan = await demo.docsctl(...words, '--dry-run', '--json');
  const first = plan.json.steps.find(({ team }: any) => team === id);
  const rest = plan.json.steps.filter((step: any) => step !== first);
  // As an interrupt after the first step leaves it.
  await demo.docsctl('teams', 'members', 'set', id, heir, '--role', 'owner');
  await writeFile(file, JSON.stringify({ ...plan.json, steps: [{ ...first, result: 'done' }, ...rest] }));

  const run = await demo.docsctl(...words);
  const again = await demo.docsctl(...words);
  const other = await demo.docsctl('members', 'offboard', 'member000005', '--yes', '--record', file);

  expect(run.exitCode).toBe(0);
  const { steps, teams } = await record(file);
  expect(steps.map(({ action, result }: any) => [action, result])).toEqual([
    ['make owner', 'done'],
    // The other team that she owns alone.
    ['make owner', 'done'],
    // Hers, and two of the demo.
    ['hand over', 'done'],
    ['hand over', 'done'],
    ['hand over', 'done'],
    ['remove from organization', 'done'],
  ]);
  expect(teams.find((team: any) => team.id === id).ownedAlone).toBe(true);
  expect(again).toMatchObject({ exitCode: 0 });
  expect(again.stderr).toContain('There is nothing left to do');
  expect(other.exitCode).toBe(2);
});
