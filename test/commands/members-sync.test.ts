import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeHome, removeHome } from '../support/cli.ts';
import { runs } from '../support/long-form.ts';
import fc from '../support/property.ts';
import { initialize } from '../support/prepared.ts';
import { type DemoHome, runHere, sharedDemo } from '../support/shell.ts';

const { demo } = await sharedDemo();

const rows = (...lines: string[]) => lines.map((line) => `${line}\n`).join('');
type Home = Pick<DemoHome, 'dir' | 'run'>;
const write = (home: Home, text: string) => writeFile(join(home.dir, 'people.csv'), text);
const sync = (home: Home, ...flags: string[]) => home.run(['members', 'sync', 'people.csv', '--yes', ...flags]);
const members = (home: Home, team: string) =>
  home.run(['teams', 'members', 'list', team, '--jq', '.[].organization.user.email']);

test('roles, teams and invites follow the file, whatever its columns are called', async () => {
  const home = await demo.copy();
  await write(
    home,
    rows(
      'Teams;Name;E-Mail;Role',
      '"Writers|design";Ada;PERSON2@lumen.example;review',
      'support;New;new@lumen.example;',
    ),
  );

  const run = await sync(home, '--role', 'comment', '-o', 'json');

  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.json).toMatchObject([
    { name: 'person2@lumen.example', outcome: 'changed', role: 'review' },
    { name: 'new@lumen.example', outcome: 'invited' },
  ]);
  expect((await members(home, 'Writers')).stdout).toContain('person2@lumen.example');
  expect((await members(home, 'Support')).stdout).toContain('new@lumen.example');
  const view = await home.run(['members', 'view', 'new@lumen.example', '--jq', '.role']);
  expect(view.stdout.trim()).toBe('comment');
  const again = await sync(home, '-o', 'json');
  expect(again.json.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['unchanged', 'unchanged']);
});

test('rows that cannot be used are told, the rest goes on, and nobody is removed', async () => {
  const home = await demo.copy();
  await write(
    home,
    rows(
      'email,role,teams,sso',
      'person2@lumen.example,review,,',
      'no address,read,,',
      'person3@lumen.example,boss,,',
      'person4@lumen.example,read,Writerz,',
      'new@elsewhere.example,read,,yes',
      'person2@lumen.example,read,,',
    ),
  );

  const run = await sync(home, '--remove-missing', '--result', 'done.csv', '-o', 'json');

  expect(run.exitCode).toBe(8);
  expect(run.json.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'changed',
    'refused',
    'refused',
    'refused',
    'refused',
    'refused',
  ]);
  expect(run.stderr).toContain('line 5: person4@lumen.example: there is no team "Writerz"; did you mean "Writers"?');
  expect(run.stderr).toContain('line 7: person2@lumen.example: is already in line 2');
  expect(run.stderr).toContain('Nobody is removed, because some rows are invalid');
  const results = await readFile(join(home.dir, 'done.csv'), 'utf8');
  expect(results).toContain('person2@lumen.example,review,,,changed,');
  expect(results).toContain('new@elsewhere.example,read,,yes,refused,');
});

test('too many removals, and losing administrators, are refused before anything is sent', async () => {
  const home = await demo.copy();
  await write(home, rows('email,role', 'admin@localhost,read', 'new@lumen.example,read'));
  const refusals = [
    [[], 'you would be removed, or no longer be an administrator', '--without-self'],
    [['--remove-missing'], 'Too many removals', '--max-removals'],
  ] as const;
  for (const [flags, message, hint] of refusals) {
    for (const more of [[], ['--dry-run']]) {
      const run = await sync(home, ...flags, ...more);
      expect([run.exitCode, run.stderr]).toEqual([6, expect.stringContaining(message)]);
      expect(run.stderr).toContain(hint);
    }
  }
  expect((await home.run(['members', 'view', 'new@lumen.example'])).exitCode).toBe(5);
});

test('after a sync there is nothing to do', { timeout: 600_000 }, async () => {
  const made = await makeHome();
  onTestFinished(() => removeHome(made));
  await initialize(made);
  const home = { ...made, run: (words: string[]) => runHere(made, words) };
  const person = fc.record({
    email: fc.constantFrom('person1', 'person2', 'new3', 'NEW4', 'new5', 'new6').map((name) => `${name}@lumen.example`),
    role: fc.constantFrom('', 'guest', 'read', 'edit', 'admin'),
    teams: fc.subarray(['Writers', 'design', 'Fresh team', 'Other']),
    sso: fc.constantFrom('', 'false'),
  });
  const directory = fc.uniqueArray(person, { selector: ({ email }) => email, minLength: 1 });
  const lines = (people: { email: string; role: string; teams: string[]; sso: string }[]) =>
    people.map(({ email, role, teams, sso }) => [email, role, teams.join(';'), sso].join(','));

  await fc.assert(
    fc.asyncProperty(directory, fc.boolean(), async (people, removes) => {
      await write(home, rows('email,role,teams,sso', 'admin@localhost,admin,,', ...lines(people)));
      const flags = [
        '--create-teams',
        '--max-removals',
        '100%',
        '--without-self',
        ...(removes ? ['--remove-missing'] : []),
      ];
      const first = await sync(home, ...flags);
      expect(first.exitCode, first.stderr).toBe(0);
      const second = await sync(home, ...flags);
      expect(second.stderr).toContain('No changes');
      const list = await home.run(['members', 'list', '--jq', '.[].user.email']);
      if (removes) expect(list.stdout.trim().split('\n')).toHaveLength(people.length + 1);
    }),
    { numRuns: runs(10, 200), endOnFailure: true },
  );
});
