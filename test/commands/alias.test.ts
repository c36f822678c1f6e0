import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { test } from '../support/in-process.ts';

test('an alias stands for a command, and takes further words', async ({ docsctl }) => {
  await docsctl('alias', 'set', 'mk', '--', 'spaces', 'create', '--title');
  await docsctl('alias', 'set', 'named', 'docsctl spaces list --filter "title=$1" --columns title');
  const made = await docsctl('mk', 'A b', '-o', 'json');
  const named = await docsctl('named', 'A b', '--no-header');

  expect(made.json.title).toBe('A b');
  expect(named.stdout).toBe('A b\n');
  expect((await docsctl('alias', 'list')).stdout).toBe(
    "mk\tdocsctl spaces create --title\nnamed\tdocsctl spaces list --filter 'title=$1' --columns title\n",
  );
  expect((await docsctl('named')).stderr).toContain('error: The alias "named" needs a word after it.');
});

test('an alias cannot replace a command, and is one command that exists', async ({ docsctl }) => {
  for (const [words, message] of [
    [['members', '--', 'teams', 'list'], '"members" is a command.'],
    [['organizations', '--', 'teams', 'list'], '"organizations" is a command.'],
    [['-x', 'teams list'], 'unknown option'],
    [['a b', 'teams list'], '"a b" cannot be an alias.'],
    [['x', '--', 'teams', 'list', '--colour'], 'Unknown option "--colour".'],
    [['x', 'teams list\nspaces list'], 'An alias is one command.'],
    [['x', 'teams list | wc'], 'this is not a shell'],
  ] as const) {
    const run = await docsctl('alias', 'set', ...words);
    expect(run.stderr.toLowerCase()).toContain(message.toLowerCase());
    expect(run.exitCode).toBe(2);
  }
  expect((await docsctl('alias', 'list')).stdout).toBe('');
});

test('--dry-run keeps the aliases, and remove needs their names', async ({ docsctl }) => {
  await docsctl('alias', 'set', 'one', 'teams list', '--dry-run');
  await docsctl('alias', 'set', 'second', 'teams list');
  await docsctl('alias', 'remove', 'second', '--dry-run');
  const unknown = await docsctl('alias', 'remove', 'secnd');

  expect((await docsctl('alias', 'list', '-o', 'id')).stdout).toBe('second\n');
  expect(unknown).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('Did you mean "second"?') });
  expect((await docsctl('alias', 'delete', 'second')).exitCode).toBe(0);
  expect((await docsctl('second')).exitCode).toBe(2);
});

test('lists of commands do not use aliases', async ({ home, docsctl }) => {
  await docsctl('alias', 'set', 'second', 'teams list');
  await writeFile(join(home.dir, 'list.txt'), 'second\n');

  expect((await docsctl('run', 'list.txt')).stderr).toContain('list.txt:1: Unknown command "second".');
});

test('aliases are completed with the words of their command', async ({ docsctl }) => {
  await docsctl('alias', 'set', 'second', 'teams list');

  expect((await docsctl('__complete', '--begun', 'sec')).stdout).toContain('second\tteams list\n');
  expect((await docsctl('__complete', 'second', '--begun=--filt')).stdout).toContain('--filter\t');
});

test('words that every object has as members are no commands, but can be aliases', async ({ docsctl }) => {
  for (const word of ['constructor', 'toString', '__proto__']) {
    expect((await docsctl(word)).stderr).toContain(`Unknown command "${word}".`);
    expect((await docsctl('__complete', '--begun=', '--', word)).exitCode).toBe(0);
  }
  await docsctl('alias', 'set', '__proto__', 'alias list');
  expect((await docsctl('__proto__', '-o', 'id')).stdout).toBe('__proto__\n');
});
