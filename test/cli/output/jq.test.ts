import { expect, test } from 'vitest';
import { createListOutput, visible } from '../../../src/cli/output/index.ts';
import { createCollector, listed, memberColumns, members, pipe, screen, printed } from './support.ts';

const items = [
  { id: 'Sp1', n: 1 },
  { id: 'Sp2', n: 2 },
];

test('jq sees the whole list, over all pages', async () => {
  expect(await listed(pipe({ jq: 'map(.n) | add' }), [], [items[0]], [items[1]])).toBe('3\n');
  expect(await listed(pipe({ jq: 'length' }), [])).toBe('0\n');
});

test('strings are printed as they are, other values as JSON', async () => {
  const jq = '.[0].id, .[0], "two\\nlines", null, ""';
  expect(await listed(pipe({ jq }), [], items)).toBe('Sp1\n{"id":"Sp1","n":1}\ntwo\nlines\nnull\n\n');
});

test('with --output json, strings are JSON', async () => {
  expect(await listed(pipe({ jq: '.[].id', format: 'json' }), [], items)).toBe('"Sp1"\n"Sp2"\n');
  expect(await listed(pipe({ jq: '.[]', format: 'jsonl' }), [], items)).toBe(
    '{"id":"Sp1","n":1}\n{"id":"Sp2","n":2}\n',
  );
});

test('in a terminal values are indented and strings cannot act on it', async () => {
  const output = await listed(screen(80, { jq: '.[0], "\\u001b[2J\\nx\\u202e"' }), [], items);
  expect(output).toBe('{\n  "id": "Sp1",\n  "n": 1\n}\n\\u001b[2J\nx\\u202e\n');
  const json = await listed(screen(80, { jq: '"\\u009b"', format: 'json' }), [], items);
  expect(json).toBe('"\\u009b"\n');
});

test('jq works on one object, and on chosen columns', async () => {
  expect(await printed(pipe({ jq: '.user.email' }), members[0])).toBe('mirela@lumen.example\n');
  expect(await listed(pipe({ jq: '.[0]', columns: ['user.email'] }), memberColumns, members)).toBe(
    '{"user":{"email":"mirela@lumen.example"}}\n',
  );
});

test('an expression that begins with a dash is not an option of jq', async () => {
  expect(await listed(pipe({ jq: '-(.[1].n)' }), [], items)).toBe('-2\n');
  expect(await listed(pipe({ jq: '-1' }), [], items)).toBe('-1\n');
});

test.each([
  ['.[', 'syntax error, unexpected end of file (line 1, column 2)'],
  ['nope', 'nope/0 is not defined (line 1, column 1)'],
  ['.a.b', 'Cannot index array with string ("a")'],
  ['.[] | error("no \\u001b[31m")', 'no \\u001b[31m'],
])('%s is wrong usage, and nothing is printed', async (jq, reason) => {
  const sink = createCollector();
  const output = createListOutput(pipe({ jq }), [], sink);
  const error = await output
    .page(items)
    .then(() => output.end())
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ exitCode: 2 });
  expect((error as Error).message).toBe(`--jq "${visible(jq)}": ${reason}.`);
  expect(sink.writes).toEqual([]);
});

test('a failing expression does not change the exit status of the process', async () => {
  const before = process.exitCode;
  await expect(listed(pipe({ jq: 'error' }), [], items)).rejects.toThrow('--jq');
  expect(process.exitCode).toBe(before);
});

test('a format that is not JSON is refused at once', () => {
  expect(() => createListOutput(pipe({ jq: '.', format: 'yaml' }), [], createCollector())).toThrow('--jq prints JSON');
});

test('a list of several megabytes works', async () => {
  const many = Array.from({ length: 20_000 }, (_, n) => ({ n, text: 'é'.repeat(50) }));
  expect(await listed(pipe({ jq: 'map(.n) | add' }), [], many)).toBe('199990000\n');
});
