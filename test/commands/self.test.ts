import { expect } from 'vitest';
import { test } from '../support/in-process.ts';

const own = async (docsctl: (...words: string[]) => Promise<{ stdout: string }>) =>
  (await docsctl('whoami', '-o', 'id')).stdout.trim();

test.for([
  ['members', 'remove', '@', '--yes'],
  ['members', 'remove', 'member000002', '@', '--yes'],
  ['members', 'edit', '@', '--role', 'edit', '--yes'],
  ['members', 'edit', '@', '--data', '{"role":null}', '--yes'],
  ['teams', 'members', 'remove', 'writers00001', '@', '--yes'],
  ['teams', 'members', 'set', 'writers00001', '@', '--role', 'member'],
  ['teams', 'members', 'update', 'writers00001', '--remove', '@', '--yes'],
  ['teams', 'members', 'update', 'writers00001', '--role', '@=member'],
])('%j is refused without --yes-myself, and nothing is changed', async (words, { demo }) => {
  const id = await own(demo.docsctl);
  await demo.docsctl('teams', 'members', 'set', 'writers00001', id, '--role', 'owner');

  const run = await demo.docsctl(...words.map((word) => word.replace('@', id)));

  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain('this is you');
  expect(run.stderr).toContain('--yes-myself');
  expect((await demo.docsctl('members', 'view', id, '--json')).json.role).toBe('admin');
  expect((await demo.docsctl('members', 'view', 'member000002')).exitCode).toBe(0);
  const teams = await demo.docsctl('members', 'teams', id, '--json');
  expect(teams.json).toMatchObject([{ team: { id: 'writers00001' }, member: { role: 'owner' } }]);
});

test('the own email address is recognized', async ({ demo }) => {
  const run = await demo.docsctl('members', 'remove', 'ADMIN@localhost', '--yes');

  expect(run.stderr).toContain('this is you');
});

test('--yes-myself is enough, and a role that is not lower needs nothing', async ({ demo }) => {
  const id = await own(demo.docsctl);

  expect(await demo.docsctl('members', 'edit', id, '--role', 'admin', '--yes')).toMatchObject({ exitCode: 0 });
  expect(await demo.docsctl('members', 'edit', id, '--role', 'create', '--yes-myself')).toMatchObject({ exitCode: 0 });
});

test('making somebody an administrator needs --yes', async ({ demo }) => {
  const words = ['members', 'edit', 'member000002', '--role', 'admin'];
  const refused = await demo.docsctl(...words);
  const done = await demo.docsctl(...words, '--yes', '--json');

  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toMatch(
    /Confirmation required: Make .+ \(member000002\) an administrator of the organization .+\(.+\)\?/,
  );
  expect(done.json.role).toBe('admin');
});

test('a dry run says what the real run asks', async ({ demo }) => {
  const id = await own(demo.docsctl);
  const self = await demo.docsctl('members', 'remove', 'member000002', id, '--dry-run');
  const admin = await demo.docsctl('members', 'edit', 'member000002', '--role', 'admin', '--dry-run');
  const harmless = await demo.docsctl('members', 'edit', 'member000002', '--role', 'read', '--dry-run');

  expect([self, admin, harmless].map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
  expect(self.stderr).toMatch(/this is you: .*--yes-myself/);
  expect(admin.stderr).toMatch(/Needs confirmation: Make .+ \(member000002\) an administrator/);
  expect(harmless.stderr).toBe('');
});

test('without a terminal, an unknown name is reported before the question', async ({ demo }) => {
  const run = await demo.docsctl('teams', 'delete', 'No such team');
  const several = await demo.docsctl('teams', 'delete', 'No such team', 'Neither');

  expect(run.exitCode).toBe(5);
  expect(run.stderr).toContain('No such team');
  expect(several.exitCode).toBe(5);
  expect(several.stderr).toContain('Team "No such team" not found.');
  expect(several.stderr).toContain('Team "Neither" not found.');
});
