import { describe, expect, test } from 'vitest';
import type { Command } from '../../../src/cli/command/command.ts';
import { command } from '../../../src/cli/command/define.ts';
import { collections } from '../../../src/contract/collections.ts';
import { orgs } from '../../../src/contract/orgs.ts';
import { teams } from '../../../src/contract/teams.ts';
import { runCommand, scriptedTransport } from './support.ts';

const move = command({ use: 'move <collection>', endpoint: collections.move });
const edit = command({ use: 'edit <collection>', endpoint: collections.edit });
const create = command({ use: 'create', endpoint: teams.create });
const editOrg = command({ use: 'edit [org]', endpoint: orgs.edit });

/** A dry run looks up what the request is about; here there is anything, and all lists are empty. */
const dryRun = (made: Command, words: string[]) =>
  runCommand(
    made,
    [...words, '--dry-run'],
    scriptedTransport(({ pathname }) => ({ body: { id: pathname.split('/').at(-1), items: [] } })).transport,
  );

async function bodyOf(made: Command, words: string[]): Promise<unknown> {
  const { status, out, err } = await dryRun(made, [...words, '-o', 'json']);
  expect({ status, err }).toEqual({ status: 0, err: '' });
  return JSON.parse(out).body;
}

describe('the body of a request', () => {
  test('gets the kind of object from the prefix of --before', async () => {
    expect(await bodyOf(move, ['move', 'co1', '--before', 'space:sp1'])).toEqual({
      position: { before: { type: 'space', space: 'sp1' } },
    });
  });

  test('gets null for the parent from --root', async () => {
    expect(await bodyOf(move, ['move', 'co1', '--root'])).toEqual({ parent: null });
  });

  test('has the fields of --data, and a flag replaces the same field', async () => {
    const words = ['edit', 'co1', '--data', '{"title":"Old","description":"Kept"}', '--title', 'New'];
    expect(await bodyOf(edit, words)).toEqual({ title: 'New', description: 'Kept' });
  });

  test('gets null for the fields of --clear', async () => {
    expect(await bodyOf(editOrg, ['edit', 'or1', '--clear', 'logo'])).toEqual({ logo: null });
  });

  test('gets null for a level of none', async () => {
    expect(await bodyOf(edit, ['edit', 'co1', '--default-level', 'none'])).toEqual({ defaultLevel: null });
  });
});

test('--dry-run prints method and address as they would be sent', async () => {
  const { out } = await dryRun(create, ['create', '--org', 'or1', '--title', 'Pumps']);
  expect(out).toBe('PUT embedded:test.db/v1/orgs/or1/teams\n{\n  "title": "Pumps"\n}\n');
});

test('--dry-run with --jq prints requests on standard error only', async () => {
  const { status, out, err } = await dryRun(move, ['move', 'co1', '--root', '--jq', '.id']);
  expect({ status, out }).toEqual({ status: 0, out: '' });
  expect(err).toMatch(/^POST embedded:test\.db\/v1\/collections\/co1\/move\n/);
});

describe('a request is refused before it is sent', () => {
  test.each([
    [
      'with a flag that sets a member of what is no object in --data',
      editOrg,
      ['edit', 'or1', '--data', '{"defaultContent":"x"}', '--default-content-site', 'si1'],
      '--data: "defaultContent" is not an object, and a flag sets its member "site".',
    ],
    [
      'with a flag for one value that is given twice',
      create,
      ['create', '--org', 'or1', '--title', 'A', '--title=B'],
      '--title was given twice: "A" and "B".',
    ],
    [
      'with its organization given twice',
      create,
      ['create', '--org', 'o', '--title', 'A', '--org', 'p'],
      '--org was given',
    ],
    ['with --data given twice', create, ['create', '--data', '{}', '--data', '{}'], '--data was given twice'],
    ['with a switch and its opposite', editOrg, ['edit', 'or1', '--sso', '--no-sso'], '--sso and --no-sso cannot be'],
    ['without its required field', create, ['create', '--org', 'or1'], '--title is missing.'],
    ['without its argument', move, ['move', '--root'], '<collection> is missing.'],
    ['with an empty argument', move, ['move', ' ', '--root'], '<collection> is empty.'],
    ['without a change', edit, ['edit', 'co1'], 'No change given.'],
    [
      'with an unknown field in --data',
      edit,
      ['edit', 'co1', '--data', '{"titel":"x"}'],
      '--data: unknown field "titel".',
    ],
    ['with --data that is not an object', edit, ['edit', 'co1', '--data', '[]'], '--data must be a JSON object.'],
    [
      'with a field that cannot be cleared',
      editOrg,
      ['edit', 'or1', '--clear', 'title'],
      '--clear: "title" cannot be cleared here.',
    ],
    [
      'with a kind that is not possible',
      move,
      ['move', 'co1', '--before', 'site:x'],
      '--before: "site" is not possible here',
    ],
    ['with a dot segment as id', move, ['move', '..', '--root'], 'cannot be part of an address'],
  ] as const)('%s', async (_, made, words, message) => {
    const { status, out, err } = await runCommand(made, [...words]);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toContain(message);
  });
});

test('the last of several values counts for flags that every command has, because an alias may have set the first', async () => {
  const words = [
    'create',
    '--org',
    'or1',
    '--title',
    'A',
    '--timeout',
    '1',
    '--timeout',
    '2',
    '-o',
    'yaml',
    '-o',
    'json',
  ];
  expect(await bodyOf(create, words)).toEqual({ title: 'A' });
});

test('a switch may be given twice', async () => {
  expect(await bodyOf(editOrg, ['edit', 'or1', '--sso', '--sso'])).toEqual({ sso: true });
});
