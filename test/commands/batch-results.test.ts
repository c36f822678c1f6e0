import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Home } from '../support/cli.ts';
import { test } from '../support/in-process.ts';

const input = (lines: readonly string[]) => ({
  stdin: 'pipe' as const,
  input: lines.map((line) => `${line}\n`).join(''),
});
const resultIn = async (demo: Pick<Home, 'dir'>) =>
  (await readFile(join(demo.dir, 'done.csv'), 'utf8')).trim().split('\n');
const roleOf = async (demo: Home, user: string) =>
  (await demo.docsctl('members', 'view', user, '--jq', '.role')).stdout.trim();

const people = ['person2@lumen.example', 'nobody@lumen.example', 'person3@lumen.example', 'person.4@lumen.example'];
const edit = (demo: Home, lines: readonly string[], ...flags: string[]) =>
  demo.docsctl('members', 'edit', '-', '--role', 'comment', '--result', 'done.csv', ...flags, input(lines));

test('all unknown addresses of standard input are named before anything is sent, and the others are changed', async ({
  demo,
}) => {
  const run = await edit(demo, people);

  expect(run.exitCode).toBe(8);
  const errors = run.stderr.split('\n').filter((line) => line.startsWith('error: '));
  expect(errors).toEqual([
    'error: nobody@lumen.example: Member "nobody@lumen.example" not found.',
    'error: person.4@lumen.example: Member "person.4@lumen.example" not found.',
    'error: 2 of 4 failed.',
  ]);
  expect(await roleOf(demo, 'person2@lumen.example')).toBe('comment');
  expect(await roleOf(demo, 'person3@lumen.example')).toBe('comment');
});

test('with --fail-fast an unknown address keeps everything from being sent', async ({ demo }) => {
  const before = await roleOf(demo, 'person2@lumen.example');
  const run = await edit(demo, people, '--fail-fast');

  expect(run.exitCode).toBe(8);
  expect(run.stderr).toContain('error: 2 of 4 failed; 2 not tried.');
  expect(await roleOf(demo, 'person2@lumen.example')).toBe(before);
});

test('--result has the result of each object, and is the input of the next run', async ({ demo }) => {
  await edit(demo, people);
  expect(await resultIn(demo)).toEqual([
    'user,result,reason',
    'person2@lumen.example,unchanged,',
    'nobody@lumen.example,failed,"Member ""nobody@lumen.example"" not found"',
    'person3@lumen.example,changed,',
    'person.4@lumen.example,failed,"Member ""person.4@lumen.example"" not found"',
  ]);

  const corrected = (await readFile(join(demo.dir, 'done.csv'), 'utf8'))
    .replaceAll('nobody@', 'person5@')
    .replaceAll('person.4@', 'person4@');
  const again = await edit(demo, corrected.trim().split('\n'));

  expect(again.exitCode).toBe(0);
  expect(await resultIn(demo)).toHaveLength(5);
  expect(await roleOf(demo, 'person4@lumen.example')).toBe('comment');
});

test('a removal that is repeated counts as done, of a team that does not exist it fails', async ({ demo }) => {
  const removed = ['member000010', 'member000011'];
  const flags = ['--yes', '--result', 'done.csv'];
  await demo.docsctl('members', 'remove', removed[0]!, '--yes');
  const run = await demo.docsctl('members', 'remove', '-', ...flags, input(removed));
  const again = await demo.docsctl('members', 'remove', '-', ...flags, input([...removed, 'person12@lumen.example']));
  const noTeam = await demo.docsctl(
    'teams',
    'members',
    'remove',
    'noteam000001',
    '-',
    '--yes',
    input(['member000002']),
  );

  expect(run).toMatchObject({ exitCode: 0 });
  expect(run.stderr).toContain('member000010: already gone.');
  expect(run.stderr).toContain('1 done, 1 already gone.');
  expect(again.stderr).toContain('1 done, 2 already gone.');
  expect(await resultIn(demo)).toEqual([
    'user,result,reason',
    'member000010,already gone,',
    'member000011,already gone,',
    'person12@lumen.example,removed,',
  ]);
  expect(noTeam.exitCode).toBe(5);
});

test('with JSON, somebody of a list who is no member is listed as gone, and the others are removed', async ({
  demo,
}) => {
  const list = input(['nobody@lumen.example', 'member000012']);
  const run = await demo.docsctl('members', 'remove', '-', '--yes', '-o', 'json', list);

  expect(run).toMatchObject({ exitCode: 0 });
  expect(run.json).toEqual([
    { id: 'nobody@lumen.example', result: 'already gone' },
    { id: 'member000012', result: 'removed' },
  ]);
});

test('a single object that is named as an argument and does not exist is an error', async ({ demo }) => {
  const run = await demo.docsctl('members', 'remove', 'member009999', '--yes');

  expect(run.exitCode).toBe(5);
});

test('a state that the object has already counts as done', async ({ demo }) => {
  await demo.docsctl('spaces', 'delete', 'handbook0001', '--yes');
  const run = await demo.docsctl('spaces', 'restore', '-', input(['handbook0001', 'apiguides001']));

  expect(run).toMatchObject({ exitCode: 0 });
  expect(run.stderr).toContain('apiguides001: already done.');
});

test('a member who is named in two ways is changed once', async ({ demo }) => {
  const run = await edit(demo, ['person2@lumen.example', 'member000002', 'PERSON2@lumen.example'], '-o', 'json');

  expect(run.json).toHaveLength(1);
});

test('members who already had the role are counted as unchanged, like in the history', async ({ demo }) => {
  await edit(demo, ['person2@lumen.example']);

  const run = await edit(demo, ['person2@lumen.example', 'person3@lumen.example']);
  const one = await demo.docsctl('members', 'edit', 'person2@lumen.example', '--role', 'comment');

  expect([run.exitCode, run.stderr]).toEqual([0, expect.stringContaining('1 done, 1 unchanged.')]);
  expect(await resultIn(demo)).toEqual([
    'user,result,reason',
    'person2@lumen.example,unchanged,',
    'person3@lumen.example,changed,',
  ]);
  expect([one.exitCode, one.stderr]).toEqual([0, 'Nothing was changed: all values were as requested.\n']);
});

test('a command with one object says that it changed nothing', async ({ demo }) => {
  const run = await demo.docsctl('teams', 'edit', 'Design', '--title', 'Design');
  const other = await demo.docsctl('teams', 'edit', 'Design', '--title', 'Drawing');

  expect([run.exitCode, run.stderr]).toEqual([0, 'Nothing was changed: all values were as requested.\n']);
  expect([other.exitCode, other.stderr]).toEqual([0, '']);
});
