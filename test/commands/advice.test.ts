import { expect, test } from 'vitest';
import { sharedDemo } from '../support/shell.ts';
import { commandsOfTree, wordsOf } from '../support/tree.ts';

const { demo, home } = await sharedDemo();

const onSite = '--site lumensite001';

test.each([
  [
    'spaces move quickstart01 --before apiguides001',
    '--before: is "apiguides001", which is not under the target parent',
    'Pass --parent',
  ],
  ['spaces move quickstart01 --after quickstart01', '--after: is "quickstart01", which is moved itself', '--parent'],
  ['cr merge 2 --space handbook0001', '#2 is draft', '"docsctl cr open 2" or --open'],
  [
    `sites spaces remove sitespace001 ${onSite} --yes`,
    'the only site space of its section (guides000001)',
    '"docsctl sites sections remove <section>"',
  ],
  ['spaces restore handbook0001', 'is not deleted', '"docsctl spaces list --deleted"'],
  [
    `sites sections move reference001 --before reference001 ${onSite}`,
    '--before: is "reference001", which is moved itself',
    '"docsctl sites structure"',
  ],
])('%s: the refusal names the value, the reason and the command to use', async (line, message, advice) => {
  const { exitCode, stderr } = await home.run(line.split(' '));

  expect(exitCode).toBe(6);
  const [error, hint] = stderr.split('\n');
  expect(error).toContain(message);
  expect(hint).toMatch(/^hint: /);
  expect(hint).toContain(advice);
});

test('a space that is in a site is told with the site, and the commands that remove it from there', async () => {
  const own = await demo.copy();
  const other = (await own.run(['orgs', 'create', '--title', 'Labs', '-o', 'id'])).stdout.trim();

  const { stderr } = await own.run(['spaces', 'transfer', 'handbook0001', '--to', other, '--yes']);

  expect(stderr).toContain('in the site "Lumen documentation" (lumensite001)');
  expect(stderr).toContain('"docsctl sites spaces remove <site-space> --site <site>"');
});

test('the last administrator is told how to make another one', async () => {
  const own = await demo.copy();
  const admins = (await own.run(['members', 'list', '--role', 'admin', '-o', 'id'])).stdout.trim().split('\n');
  const me = (await own.run(['whoami', '-o', 'id'])).stdout.trim();
  for (const id of admins.filter((admin) => admin !== me))
    await own.run(['members', 'edit', id, '--role', 'read', '--yes']);

  const { stderr } = await own.run(['members', 'edit', me, '--role', 'read', '--dry-run']);

  expect(stderr).toContain('"docsctl members edit <user> --role admin"');
});

const advised = (await commandsOfTree()).flatMap(({ path, command: { advice = {} } }) =>
  Object.values(advice).map((text) => ({ path, text })),
);

test.each(advised)('what $path advises are commands that exist', async ({ text }) => {
  const names = new Set((await commandsOfTree()).map(({ path }) => path));
  for (const [, line = ''] of text.matchAll(/"docsctl ([^"]*)"/g)) {
    const words = (wordsOf(line.replaceAll(/[<>]/g, '')) ?? []).filter((word) => !word.startsWith('-'));
    const isCommand = words.some((_, index) => names.has(words.slice(0, index + 1).join(' ')));
    expect({ line, isCommand }).toEqual({ line, isCommand: true });
  }
});
