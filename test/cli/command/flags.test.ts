import { expect, test } from 'vitest';
import { collections } from '../../../src/contract/collections.ts';
import { spaces } from '../../../src/contract/spaces.ts';
import { clearable, flagsOf, kebab } from '../../../src/cli/command/flags.ts';

test.each([
  ['defaultLevel', 'default-level'],
  ['ssoURL', 'sso-url'],
  ['site_space', 'site-space'],
])('the field %s has the flag --%s', (field, flag) => {
  expect(kebab(field)).toBe(flag);
});

test('a field that an argument fills has no flag', () => {
  const withArgument = flagsOf(collections.move, { use: 'move <collection> <parent>' }).map(({ long }) => long);
  const withFlag = flagsOf(collections.move, { use: 'move <collection>' }).map(({ long }) => long);

  expect(withFlag).toContain('--parent');
  expect(withArgument).not.toContain('--parent');
});

test('a place beside a neighbour has the flags --before and --after', () => {
  const flags = flagsOf(collections.move, { use: 'move <collection>' }).map(({ long }) => long);

  expect(flags).toEqual(expect.arrayContaining(['--before', '--after']));
});

test('the paging of a list has no flags of fields', () => {
  const flags = flagsOf(spaces.list, { use: 'list' }).map(({ long }) => long);

  expect(flags).not.toContain('--limit');
  expect(flags).not.toContain('--page');
});

test('the parent of what moves is cleared with --root', () => {
  expect(clearable(collections.move, {})).toContainEqual({ name: 'parent', path: ['parent'], switch: '--root' });
});

test('fields that a command sets itself have no flags', () => {
  expect(flagsOf(collections.move, { use: 'move <collection>', input: { without: 'all' } })).toEqual([]);
});
