import { expect, test } from 'vitest';
import { sharedDemo } from '../support/shell.ts';
import { exitsOf } from '../../src/cli/program/help.ts';
import { commandsOfTree } from '../support/tree.ts';

const { home } = await sharedDemo();

const leaves = await commandsOfTree();

test('a command that sends values reports which of them are refused', () => {
  const silent = leaves.filter(
    ({ command }) => command.endpoint?.body && command.input?.without !== 'all' && exitsOf(command)[6] === undefined,
  );

  expect(silent.map(({ path }) => path)).toEqual([]);
});

/** Those that say nothing of status 6: no state refuses them, and they can be run again. */
test.each([
  'orgs ping',
  'members mark-sso member000002',
  'teams members set writers00001 member000002',
  'sites unpublish intranet0001 --yes',
  'comments resolve comment00002 --space handbook0001',
  'comments reopen comment00002 --space handbook0001',
  'invites accept invite000001',
  'spaces duplicate handbook0001',
])('%s is refused by no state', async (line) => {
  const words = line.split(' ');

  expect(await home.run(words)).toMatchObject({ exitCode: 0 });
  expect(await home.run(words)).toMatchObject({ exitCode: 0 });
  const help = (await home.run([...words.slice(0, words[1] === 'members' ? 3 : 2), '--help'])).stdout;
  expect(help).not.toMatch(/^ {2}6 (the service|the request)/m);
});

test.each([
  ['sites publish', 'sites create --title Empty --jq .id', 'the site has no space'],
  ['cr merge', undefined, 'the request is not open'],
  ['spaces restore', undefined, 'deleted'],
])('%s says what state refuses it', async (path, make, says) => {
  const help = (await home.run([...path.split(' '), '--help'])).stdout;
  expect(help.replace(/\s+/g, ' ')).toMatch(new RegExp(`Exit status:.* 6 [^:]*${says}`));
  if (make === undefined) return;
  const id = (await home.run(make.split(' '))).stdout.trim();
  expect(await home.run([...path.split(' '), id])).toMatchObject({ exitCode: 6 });
});

test('an object that is not found may be one that the token does not see', async () => {
  const unnamed = await home.run(['spaces', 'view', 'nothing00001']);
  expect(unnamed.exitCode).toBe(5);
  expect(unnamed.stderr).toBe(
    'error: Space "nothing00001" not found.\nhint: "docsctl spaces list" lists what your token may see.\n',
  );

  const unknown = await home.run(['api', 'spaces/nothing00001']);
  expect(unknown.exitCode).toBe(5);
  expect(unknown.stderr).toBe(
    'error: Space "nothing00001" not found.\nhint: Check what was named. If it is right, your token may not see it: "docsctl whoami" shows whose it is.\n',
  );

  const help = (await home.run(['spaces', 'view', '--help'])).stdout;
  expect(help).toContain('5  not found, or not visible to your token');
  const all = (await home.run(['help', 'exit-codes'])).stdout;
  expect(all).toMatch(/ 4 {2}not allowed\n +5 {2}not found\n/);
});
