import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command as Commander } from 'commander';
import { expect } from 'vitest';
import { argumentsOf } from '../../src/cli/command/command.ts';
import { ResultTable } from '../../src/cli/command/batch/result-table.ts';
import { addOptions } from '../../src/cli/program/options.ts';
import type { Home } from '../support/cli.ts';
import { test } from '../support/in-process.ts';
import { commandsOfTree } from '../support/tree.ts';

/** Commands with an argument of several words that have no result for each of them, and why. */
const without: Record<string, string> = {
  'alias set': 'the words are one command',
  'content report': 'it reads folders',
  'fields values set': 'all values of a space are set with one request',
  help: 'the words are one topic',
  'links check': 'it reads folders',
  'openapi check': 'it reads files',
  'openapi validate': 'it reads files',
  'proposals allow': 'one link is for all of them',
  propose: 'the words are one command',
  rehearse: 'the words are one command',
  replace: 'it prints each place, and continues when it is run again',
  'urls check': 'it reads folders',
  'urls snapshot': 'it writes one file about folders',
};

const resultIn = async (home: Pick<Home, 'dir'>) =>
  (await readFile(join(home.dir, 'done.csv'), 'utf8')).trim().split('\n');
const result = ['--result', 'done.csv'];

test('every command that takes several objects has --result', async () => {
  const missing: string[] = [];
  for (const { path, command } of await commandsOfTree()) {
    if (!argumentsOf(command.use).some(({ variadic }) => variadic)) continue;
    const program = new Commander();
    addOptions(program, command, []);
    if (!program.options.some(({ long }) => long === '--result')) missing.push(path);
  }

  expect(missing.toSorted()).toEqual(Object.keys(without).toSorted());
});

test('aliases that exist are removed, and the others are in the result', async ({ demo }) => {
  await demo.docsctl('alias', 'set', 'guests', 'members list --role guest');
  await demo.docsctl('alias', 'set', 'people', 'members list');
  const run = await demo.docsctl('alias', 'remove', 'guests', 'peple', ...result);

  expect(run.exitCode).toBe(8);
  expect(run.stderr).toContain('error: peple: There is no alias "peple".\nhint: Did you mean "people"?');
  expect(await resultIn(demo)).toEqual([
    'name,result,reason',
    'guests,removed,',
    'peple,failed,"There is no alias ""peple"""',
  ]);
  expect((await demo.docsctl('alias', 'list', '-o', 'id')).stdout).toBe('people\n');
});

test('with --fail-fast nothing is removed if one of the aliases does not exist', async ({ demo }) => {
  await demo.docsctl('alias', 'set', 'guests', 'members list --role guest');
  const run = await demo.docsctl('alias', 'remove', 'guests', 'peple', '--fail-fast', ...result);

  expect(run.exitCode).toBe(8);
  expect(await resultIn(demo)).toContain('guests,not tried,');
});

test('profiles are deleted, and the result file is the input of the next run', async ({ demo }) => {
  for (const name of ['a', 'b'])
    await demo.docsctl('profiles', 'create', name, '--url', 'http://127.0.0.1:9', { env: { DOCSCTL_URL: '' } });
  const run = await demo.docsctl('profiles', 'delete', 'a', 'c', '--yes', ...result);
  const corrected = (await resultIn(demo))
    .filter((line) => !line.startsWith('a,'))
    .join('\n')
    .replace(/^c,/m, 'b,');
  const again = await demo.docsctl('profiles', 'delete', '-', '--yes', ...result, { input: corrected, stdin: 'pipe' });

  expect(run.exitCode).toBe(8);
  expect(again.exitCode).toBe(0);
  expect(await resultIn(demo)).toEqual(['name,result,reason', 'b,deleted,']);
});

test('tokens that exist are revoked, and the others are in the result', async ({ demo }) => {
  const { stdout: id } = await demo.docsctl('serve', 'token', 'create', '--jq', '.id');
  const run = await demo.docsctl('serve', 'token', 'revoke', id.trim(), 'notoken00001', ...result);
  const state = await demo.docsctl('serve', 'token', 'list', '--filter', `id=${id.trim()}`, '--jq', '.[].state');

  expect(run.exitCode).toBe(8);
  expect(await resultIn(demo)).toEqual([
    'token-id,result,reason',
    `${id.trim()},revoked,`,
    'notoken00001,failed,There is no token notoken00001',
  ]);
  expect(state.stdout).toBe('revoked\n');
});

test('openapi publish writes the result of each description', async ({ demo }) => {
  const description = (title: string) => JSON.stringify({ openapi: '3.1.0', info: { title, version: '1' }, paths: {} });
  await writeFile(join(demo.dir, 'a.json'), description('A'));
  await writeFile(join(demo.dir, 'b.json'), '{}');
  await writeFile(join(demo.dir, 'c.json'), description('C'));
  const publish = (...more: string[]) =>
    demo.docsctl('openapi', 'publish', 'a.json', 'b.json', 'c.json', '--fail-on', 'none', ...result, ...more);
  const refused = await publish();
  const refusedRows = await resultIn(demo);
  const kept = await publish('--keep-going');

  expect(refused.exitCode).toBe(9);
  expect(refusedRows.slice(1)).toEqual(['a.json,not tried,', 'b.json,not tried,', 'c.json,not tried,']);
  expect(kept.exitCode).toBe(8);
  expect(await resultIn(demo)).toEqual([
    'source,result,reason',
    'a.json,created,',
    'b.json,failed,b.json is not a description that the service can read',
    'c.json,created,',
  ]);
});

test('results of two commands that write to one file at the same time are kept', async ({ home }) => {
  const file = join(home.dir, 'done.csv');
  const [first, second] = [new ResultTable(file), new ResultTable(file)];
  const header = ['user', 'result', 'reason'];
  await first.write([header]);
  first.append('a,started,\n');
  await second.write([header]);
  second.append('b,started,\n');
  await second.write([header, ['b', 'done', '']]);

  await expect(first.write([header, ['a', 'done', '']])).rejects.toMatchObject({
    exitCode: 6,
    hint: `The results of this command are in ${join(home.dir, 'done-2.csv')}.`,
  });
  expect(await resultIn(home)).toEqual(['user,result,reason', 'b,done,']);
  expect(await readFile(join(home.dir, 'done-2.csv'), 'utf8')).toBe('user,result,reason\na,done,\n');
});
