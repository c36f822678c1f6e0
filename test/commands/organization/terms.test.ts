import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type DemoHome, runHere, sharedDemo } from '../../support/shell.ts';

const { demo } = await sharedDemo();
let home: DemoHome;
beforeEach(async () => {
  home = await demo.copy();
  await on('2027-01-01', 'export', 'org', '--only', 'members,teams');
});

/** Runs a command on a date. */
const runOn = (date: string, ...words: string[]) =>
  runHere({ dir: home.dir, env: { ...home.env, DOCSCTL_TODAY: date } }, words);

async function on(date: string, ...words: string[]) {
  const run = await runOn(date, ...words);
  expect(run.exitCode, `${words.join(' ')}: ${run.stderr}`).toBe(0);
  return run;
}

const at = (path: string) => join(home.dir, 'org', ...path.split('/'));
const text = (path: string) => readFile(at(path), 'utf8');
const write = (path: string, value: string) => writeFile(at(path), value);
const edit = async (path: string, change: (text: string) => string) => write(path, change(await text(path)));

/** The column `until`, with the dates of some people. */
const untilOf = (dates: Record<string, string>) => (csv: string) =>
  csv
    .trimEnd()
    .split('\n')
    .map((line, index) => `${line},${index === 0 ? 'until' : (dates[line.split(',')[0]!] ?? '')}\n`)
    .join('');

const design = 'teams/design.yaml';
const ending = (email: string, until: string) => (yaml: string) =>
  yaml.replace(new RegExp(`  ${email}: (\\w+)`), `  ${email}: { role: $1, until: ${until} }`);

const members = async (team: string) =>
  (
    (await on('2027-01-01', 'teams', 'members', 'list', team, '-o', 'json')).json as {
      organization: { user: { email: string } };
    }[]
  ).map(({ organization: { user } }) => user.email);

test('people leave the organization and teams with the first apply after the last day', async () => {
  await edit('members.csv', untilOf({ 'person52@lumen.example': '2027-01-31' }));
  await edit(design, ending('person51@lumen.example', '2027-01-31'));
  await on('2027-01-30', 'apply', 'org', '--yes');

  const early = await on('2027-01-31', 'plan', 'org');
  const late = await on('2027-02-01', 'plan', 'org', '--keep-drift');
  await on('2027-02-01', 'apply', 'org', '--yes');
  const again = await on('2027-02-01', 'plan', 'org', '--exit-code');

  expect(early.stdout).toBe('');
  expect(early.stderr).toContain(
    'Ends within 14 days: member person52@lumen.example (2027-01-31), person51@lumen.example in the team design (2027-01-31).',
  );
  expect(late.stdout).toBe(
    '- member person52@lumen.example\n~ team design\n    - members.person51@lumen.example: member\n    - members.person52@lumen.example: member\n',
  );
  expect(again.stderr).not.toContain('Ends within');
  expect((await members('Design')).filter((email) => /person5[0-3]/.test(email))).toEqual([
    'person50@lumen.example',
    'person53@lumen.example',
  ]);
});

test('only what ends within 14 days is announced', async () => {
  await edit(design, ending('person51@lumen.example', '2027-01-31'));

  const far = await on('2027-01-16', 'plan', 'org');
  const near = await on('2027-01-17', 'plan', 'org');

  expect(far.stderr).not.toContain('Ends within');
  expect(near.stderr).toContain('person51@lumen.example in the team design (2027-01-31)');
});

test('the last administrator and the last owner of a team are kept and reported', async () => {
  const admins = (await text('members.csv')).matchAll(/^([^,]+),admin,/gm);
  await edit(
    'members.csv',
    untilOf(
      Object.fromEntries(
        [...admins].map(([, email]) => [email!, email === 'admin@localhost' ? '2026-12-30' : '2026-01-31']),
      ),
    ),
  );
  await edit(design, ending('person49@lumen.example', '2026-12-31'));

  const plan = await on('2027-01-01', 'plan', 'org');
  const drift = await runOn('2027-01-01', 'drift', 'org');
  const apply = await runOn('2027-01-01', 'apply', 'org', '--yes', '--without-self', '--max-removals', '100%');
  const left = await runOn('2027-01-01', 'drift', 'org');

  expect(plan.stderr).toMatch(
    /Kept although it ended on 2026-12-30: member admin@localhost, because nobody else is an administrator/,
  );
  expect(plan.stderr).toContain(
    'Kept although it ended on 2026-12-31: person49@lumen.example in the team design, because nobody else owns the team design.',
  );
  expect(drift.exitCode).toBe(9);
  expect([left.exitCode, left.stderr]).toEqual([
    9,
    expect.stringContaining('hint: Name another administrator or owner'),
  ]);
  expect(left.stderr).not.toContain('matches its files');
  expect([apply.exitCode, apply.stderr]).toEqual([8, expect.stringContaining(' memberships that ended were kept')]);
  expect(await members('Design')).toContain('person49@lumen.example');
});

test('a plan keeps the day on which it was made', async () => {
  await edit(design, ending('person51@lumen.example', '2027-01-31'));
  await edit(design, (yaml) => yaml.replace('title: Design', 'title: Drawing'));
  await on('2027-01-31', 'plan', 'org', '--out', 'plan.json');

  await on('2027-02-01', 'apply', 'plan.json', '--yes');

  expect(await members('Drawing')).toContain('person51@lumen.example');
});

test('an export keeps the dates of people who are still there', async () => {
  await edit('members.csv', untilOf({ 'person52@lumen.example': '2027-01-31' }));
  await edit(design, ending('person51@lumen.example', '2027-01-31'));
  await on('2027-01-01', 'apply', 'org', '--yes');
  await on('2027-01-01', 'teams', 'edit', 'Design', '--title', 'Drawing');
  await on('2027-01-01', 'members', 'edit', 'person52@lumen.example', '--role', 'create', '--yes');

  await on('2027-01-01', 'export', 'org', '--only', 'members,teams');

  expect(await text(design)).toContain('title: Drawing\n');
  expect(await text(design)).toContain('person51@lumen.example: { role: member, until: 2027-01-31 }');
  expect(await text('members.csv')).toMatch(/^person52@lumen\.example,create,false,2027-01-31$/m);
});

test('a level that has ended is no longer expected, and a plan says that no request removes it', async () => {
  await write('levels.csv', 'email,space,level,until\nperson52@lumen.example,handbook,edit,2027-01-31\n');

  const plan = await on('2027-02-01', 'plan', 'org');
  const late = await runOn('2027-02-01', 'drift', 'org', '--only', 'levels');
  const early = await runOn('2027-01-31', 'drift', 'org', '--only', 'levels');

  expect(plan.stderr).toContain(
    'Ended on 2027-01-31: level of person52@lumen.example on handbook. The service has no request',
  );
  expect([early.exitCode, early.stdout]).toEqual([
    9,
    expect.stringContaining('+ level person52@lumen.example on handbook'),
  ]);
  expect([late.exitCode, late.stdout]).toEqual([0, '']);
});

test('a date that is none is an error with its place', async () => {
  await edit('members.csv', untilOf({ 'person52@lumen.example': '31.1.2027' }));
  await edit(design, ending('person51@lumen.example', '2027-02-30'));

  const run = await runOn('2027-01-01', 'plan', 'org');
  const today = await runOn('2026-02-31', 'plan', 'org');

  expect(run.exitCode).toBe(2);
  expect(run.stderr).toMatch(/members\.csv:\d+: until must be a date such as 2027-01-31/);
  expect(run.stderr).toMatch(
    /teams\/design\.yaml:6:\d+: members\.person51@lumen\.example\.until must be a date such as 2027-01-31/,
  );
  expect(today.stderr).toContain('DOCSCTL_TODAY must be a date such as 2027-01-31, not "2026-02-31"');
});

test('members.csv has no column of teams unless somebody adds it, and contradictions are one error', async () => {
  expect(await text('members.csv')).toMatch(/^email,role,sso\n/);
  const before = await text('members.csv');
  await rm(at('members.csv'));
  await write(
    'members.csv',
    before.replace('email,role,sso\n', 'email,role,sso,teams\n').replaceAll(/(?<=.*@.*)$/gm, ','),
  );
  const contradiction = await runOn('2027-01-01', 'plan', 'org');

  await on('2027-01-01', 'export', 'org', '--only', 'members', '--overwrite');
  const plan = await on('2027-01-01', 'plan', 'org');

  expect(contradiction.exitCode).toBe(2);
  expect(contradiction.stderr).toContain('1 mistake in the files');
  expect(contradiction.stderr).toMatch(
    /members\.csv:\d+: the column "teams" lacks "[\w-]+" for \S+, unlike teams\/[\w-]+\.yaml, and \d+ other rows differ, too; teams\/\*\.yaml decide/,
  );
  expect(await text('members.csv')).toMatch(/^person51@lumen\.example,\w+,true,design$/m);
  expect(plan.stdout).toBe('');
});
