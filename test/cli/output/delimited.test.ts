import { parse } from 'csv-parse/sync';
import fc from '../../support/property.ts';
import { expect, test } from 'vitest';
import type { Column } from '../../../src/cli/output/index.ts';
import { listed, memberColumns, members, pipe, screen } from './support.ts';

const columns: Column[] = [{ key: 'a' }, { key: 'b' }];
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\t', '\n', '\r', '\\', '"', ',', ';', "'", '=', '+', '-', '@', '＝', '0', 'n', 't', 'u', '\u202e'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
});
const rows = fc.array(fc.record({ a: text, b: text }));

test('a list in a pipe is tab-separated, whole, without header and colour', async () => {
  expect(await listed(pipe({ color: true }), memberColumns, members.slice(0, 2))).toBe(
    'Us7Rw2nKq9Df\tMirela Ostrava\tmirela@lumen.example\tadmin\tfalse\t2025-06-12T16:40:21.000Z\t2\n' +
      'Us1Aa2bBc3Cd\t山田 太郎 🫠👨‍👩‍👧 of the documentation department\ttaro@lumen.example\tguest\ttrue\t2025-06-15T16:40:00.000Z\t120\n',
  );
});

test('tabs, newlines, backslashes and what acts on a terminal are escaped', async () => {
  const items = [{ a: 'one\ttwo\nthree\\n\r\u001b[31m\u202e', b: null }];
  expect(await listed(pipe({ format: 'tsv' }), columns, items)).toBe('one\\ttwo\\nthree\\\\n\\r\\u001b[31m\\u202e\t\n');
});

test('every cell can be read back from TSV', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (items) => {
      const lines = (await listed(pipe({ format: 'tsv' }), columns, items)).split('\n').slice(0, -1);
      expect(lines.map((line) => line.split('\t').map(unescaped))).toEqual(items.map(({ a, b }) => [a, b]));
    }),
  );
});

function unescaped(cell: string): string {
  const named: Record<string, string> = { t: '\t', n: '\n', r: '\r', '\\': '\\' };
  return cell.replace(/\\(u([0-9a-f]{4})|.)/g, (_, char: string, code?: string) =>
    code ? String.fromCharCode(Number.parseInt(code, 16)) : named[char]!,
  );
}

test('TSV has a header only on demand, CSV unless it is not wanted', async () => {
  const items = [{ a: 1, b: 2 }];
  expect(await listed(pipe({ format: 'tsv', header: true }), columns, items, items)).toBe('a\tb\n1\t2\n1\t2\n');
  expect(await listed(pipe({ format: 'csv' }), columns, items, items)).toBe('a,b\n1,2\n1,2\n');
  expect(await listed(pipe({ format: 'csv', header: false }), columns, items)).toBe('1,2\n');
});

test('an empty list is its header in CSV and nothing in TSV', async () => {
  expect(await listed(pipe({ format: 'csv' }), columns, [])).toBe('a,b\n');
  expect(await listed(pipe({ format: 'csv' }), [])).toBe('');
  expect(await listed(pipe({ format: 'tsv' }), columns, [])).toBe('');
});

test('lists in a cell are joined, objects are JSON', async () => {
  const items = [
    { a: ['en', 'de'], b: { c: 1 } },
    { a: ['x,y', 'z'], b: [{ c: 1 }] },
  ];
  expect(await listed(pipe(), columns, items)).toBe(
    'en,de\t{"c":1}\n["x,y","z"]\t[{"c":1}]\n'.replaceAll('\\', '\\\\'),
  );
});

test('no cell of CSV begins a formula, and numbers stay numbers', async () => {
  const cells = [
    '=1+1',
    '+x',
    '-x',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '＝1',
    '-5',
    '+5.25',
    '1e9',
    '-1e-9',
    '-',
    'a=b',
  ];
  const output = await listed(
    pipe({ format: 'csv', header: false }),
    [{ key: 'a' }],
    cells.map((a) => ({ a })),
  );
  expect(parse(output).map(([cell]) => cell)).toEqual([
    "'=1+1",
    "'+x",
    "'-x",
    "'@SUM(A1)",
    "'\t=1",
    "'\r=1",
    "'\n=1",
    "'＝1",
    '-5',
    '+5.25',
    '1e9',
    '-1e-9',
    "'-",
    'a=b',
  ]);
});

test('CSV reads back as what was given, but for the apostrophe before a formula', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (items) => {
      const output = await listed(pipe({ format: 'csv', header: false }), columns, items);
      const read = parse(output, { relaxColumnCount: true }) as string[][];
      for (const cell of read.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r\n](?!\d+([.,]\d+)?([eE][+-]?\d+)?$)/);
      expect(read.map((cells) => cells.map((cell) => cell.replace(/^'/, '')))).toEqual(
        items.map(({ a, b }) => [a, b].map((cell) => cell.replace(/^'/, ''))),
      );
    }),
  );
});

test('CSV that goes to a terminal does not act on it', async () => {
  const output = await listed(screen(80, { format: 'csv' }), [{ key: 'a' }], [{ a: '\u001b[2J\u202e' }]);
  expect(output).toBe('a\n\\u001b[2J\\u202e\n');
});

test('ids come one a line, whatever they are called', async () => {
  const ids = (items: unknown[], options = {}, of: Column[] = []) =>
    listed(pipe({ format: 'id', ...options }), of, items);
  expect(await ids([{ id: 'Sp1', slug: 'x' }, { id: 'Sp2' }])).toBe('Sp1\nSp2\n');
  expect(await ids([{ slug: 'pump-control' }, { name: 'audience' }])).toBe('pump-control\naudience\n');
  expect(await ids([{ id: 'Oa3', slug: 'pump-control' }], { idKey: 'slug' })).toBe('pump-control\n');
  expect(await ids([{ organization: { id: 'Us7' }, team: {} }], {}, [{ key: 'organization.id', kind: 'id' }])).toBe(
    'Us7\n',
  );
  expect(await ids([{ id: 'Us7', user: { email: 'a@b' } }], { columns: ['user.email'] })).toBe('a@b\n');
});

test('where there is no id, asking for ids is wrong usage', async () => {
  await expect(listed(pipe({ format: 'id' }), [], [{ title: 'x' }])).rejects.toMatchObject({ exitCode: 2 });
  await expect(listed(pipe({ format: 'id', columns: ['a', 'b'] }), columns, [{ a: 1, b: 2 }])).rejects.toMatchObject({
    exitCode: 2,
  });
});
