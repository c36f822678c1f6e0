import { expect } from 'vitest';
import { commandSynonyms, flagSynonyms } from '../../src/cli/find/synonyms.ts';
import { test } from '../support/in-process.ts';
import { commandsOfTree } from '../support/tree.ts';

const commands = await commandsOfTree();

test.for([
  ['users list', 'Did you mean "docsctl members list"?'],
  ['groups', 'Did you mean "docsctl teams"?'],
  ['login', 'Did you mean "docsctl auth login"?'],
  ['logout', 'Did you mean "docsctl auth logout"?'],
  ['permissions list', 'Did you mean "docsctl access list"?'],
  ['members add x@y.example', 'Did you mean "docsctl invites send"?'],
  ['cr approve 1', 'Did you mean "docsctl cr merge"?'],
  ['restore x', '"docsctl spaces restore"'],
  ['members lst', 'Did you mean one of list, ls?'],
  ['xyzzy', '"docsctl help --search WORD" searches them.'],
  ['spaces move a --collection b', 'Did you mean --parent?'],
  ['spaces create --name x', 'Did you mean --title?'],
  ['members list --format json', 'Did you mean --output?'],
  ['members list --limt 1', 'Did you mean --limit?'],
  ['rehearse -- users list', 'Did you mean "docsctl members list"?'],
  ['help users', '"docsctl help --search users" searches all commands.'],
] as const)('"%s" names what may be meant', async ([line, hint], { docsctl }) => {
  const run = await docsctl(...line.split(' '));

  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain(`hint: `);
  expect(run.stderr).toContain(hint);
});

test('lists report what may be meant, too', async ({ docsctl }) => {
  const run = await docsctl('alias', 'set', 'people', '--', 'users', 'list');

  expect(run.stderr).toBe('error: Unknown command "users".\nhint: Did you mean "docsctl members list"?\n');
});

test.for([
  ['permissions', 'docsctl access'],
  ['users', 'docsctl members'],
  ['approve', 'docsctl cr merge'],
  ['restoring a deleted space', 'docsctl spaces restore'],
  ['permisions', 'docsctl access'],
  ['who am i', 'docsctl whoami'],
] as const)('"help --search %s" begins with %s', async ([words, first], { docsctl }) => {
  const run = await docsctl('help', '--search', ...words.split(' '), '-o', 'json');

  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.json[0].command).toBe(first);
});

test('a search without results ends with status 5', async ({ docsctl }) => {
  const run = await docsctl('help', '--search', 'qqqqzzz');

  expect(run).toMatchObject({
    exitCode: 5,
    stdout: '',
    stderr: expect.stringContaining('No command is about "qqqqzzz".'),
  });
});

/** Commands of later versions. */
const planned = new Set(['proposals approve', 'members restore', 'access review']);

test('synonyms lead to commands and options that exist', () => {
  const paths = new Set(
    commands.flatMap(({ path }) => path.split(' ').map((_, at, all) => all.slice(0, at + 1).join(' '))),
  );
  const missing = Object.values(commandSynonyms)
    .flat()
    .filter((path) => !paths.has(path) && !planned.has(path));

  expect(missing).toEqual([]);
  expect(Object.keys(commandSynonyms).filter((word) => paths.has(word))).toEqual([]);
  expect(
    Object.values(flagSynonyms)
      .flat()
      .filter((flag) => !/^--[a-z-]+$/.test(flag)),
  ).toEqual([]);
});
