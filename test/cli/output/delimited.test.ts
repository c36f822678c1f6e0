import { parse } from 'csv-parse/sync';
import fc, { anyText } from '../../support/property.ts';
import { expect, test } from 'vitest';
import type { Column } from '../../../src/cli/output/index.ts';
import { listed, memberColumns, members, pipe, screen } from './support.ts';

const columns: Column[] = [{ key: 'a' }, { key: 'b' }];
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\t', '\n', '\r', '\\', '"', ',', ';', "'", '=', '+', '-', '@', '＝', '0', 'n', 't', 'u', '\u202e'),
    anyText({ minLength: 1, maxLength: 1 }),
  ),
});
const rows = fc.array(fc.record({ a: text, b: text }));

test('a list in a pipe is tab-separated, whole, without header and colour', async () => {
  expect(await listed(pipe({ color: true }), memberColumns, members.slice(0, 2))).toBe(
    'Us7Rw2nKq9Df\tMirela Ostrava\tmirela@lumen.example\tadmin\tfalse\t2025-06-12T16:40:21.000Z\t2\n' +
      'Us1Aa2bBc3Cd\t山田 太郎 🫠👨‍👩‍👧 of the documentation department\ttaro@lumen.example\tguest\ttrue\t2025-06-15T16:40:00.000Z\t120\n',
  );
});

test('tabs, newlines, backslashes and control sequences of terminals are escaped', async () => {
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

const csv = async (rows: object[], names = ['a']) =>
  listed(
    pipe({ format: 'csv', header: false }),
    names.map((key) => ({ key })),
    rows,
  );

test('no cell of CSV begins a formula, and numbers stay numbers', async () => {
  const cells = [
    ['=1+1', "'=1+1"],
    ['+x', "'+x"],
    ['-x', "'-x"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t'=1"],
    ['\r=1', "'\r'=1"],
    ['\n=1', "'\n'=1"],
    ['＝1', "'＝1"],
    ['-', "'-"],
    ['a;=1', "a;'=1"],
    ['a;b;-c()', "a;b;'-c()"],
    [';@x', ";'@x"],
    ['a;\t=1', "a;'\t'=1"],
    ['a;\r', "a;'\r"],
    ['a;"=1"', 'a;\'"=1"'],
    ['a\n+x', "a\n'+x"],
    ['a\t=x', "a\t'=x"],
    ['a;-5', "a;'-5"],
    ['-5', '-5'],
    ['+5.25', '+5.25'],
    ['-5,25', '-5,25'],
    ['1e9', '1e9'],
    ['-1e-9', '-1e-9'],
    ['a=b', 'a=b'],
    ['a; b; c', 'a; b; c'],
    ['a\n\nb', 'a\n\nb'],
    ["it's; fine", "it's; fine"],
  ];
  expect(parse(await csv(cells.map(([a]) => ({ a })))).map(([cell]) => cell)).toEqual(cells.map(([, safe]) => safe));
});

/** Rows and cells as a program reads them that separates by semicolons, and knows quotes at the beginning of a cell only. */
function separatedBySemicolons(text: string): string[] {
  const cells: string[] = [];
  let position = 0;
  while (position < text.length) {
    const quoted = /"((?:[^"]|"")*)"/y;
    quoted.lastIndex = position;
    const whole = quoted.exec(text)?.[0] ?? '';
    const rest = /[^;\r\n]*/y;
    rest.lastIndex = position + whole.length;
    const tail = rest.exec(text)![0];
    cells.push(whole.slice(1, -1).replaceAll('""', '"') + tail);
    position += whole.length + tail.length + 1;
  }
  return cells;
}

test('no cell begins a formula where cells are separated by semicolons either', async () => {
  // A number and what stands behind its comma compute nothing.
  const isFormula = (cell: string) =>
    /^\s*[=+\-@＝＋－＠]/.test(cell) && !/^[+-]\d+(?:[.,]\d+)?(?:,[^(|!]*)?"*$/.test(cell);
  const names = ['a', 'b', 'c'];
  for (const hostile of ['x;=cmd()', 'x\n=cmd()', '=cmd()', 'x;"=cmd()"', 'x;\t=cmd()', 'x"\n;+cmd()'])
    for (const name of names)
      expect(
        separatedBySemicolons(await csv([{ a: '1', b: '2', c: '3', [name]: hostile }], names)).filter(isFormula),
      ).toEqual([]);

  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ a: text, b: text })), async (items) => {
      const cells = separatedBySemicolons(await csv(items, ['a', 'b']));
      expect(cells.filter(isFormula)).toEqual([]);
    }),
  );
});

test('a number is not part of a formula that continues in the next cell', async () => {
  const rows = [
    { a: '-5', b: "2+cmd|' /C calc'!A0" },
    { a: '-5', b: 'Handbook (draft)' },
    { a: '-5', b: '-6' },
    { a: '5', b: '+1' },
  ];
  expect(await csv(rows, ['a', 'b'])).toBe("'-5,2+cmd|' /C calc'!A0\n-5,Handbook (draft)\n-5,-6\n5,+1\n");
});

test('CSV can be read back unchanged, except for the apostrophes before a formula', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (items) => {
      const output = await listed(pipe({ format: 'csv', header: false }), columns, items);
      const read = parse(output, { relaxColumnCount: true }) as string[][];
      for (const cell of read.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r\n](?!\d+([.,]\d+)?([eE][+-]?\d+)?$)/);
      const plain = (cell: string) => cell.replaceAll("'", '');
      expect(read.map((cells) => cells.map(plain))).toEqual(items.map(({ a, b }) => [a, b].map(plain)));
    }),
  );
});

test('CSV has no control sequences in a terminal', async () => {
  const output = await listed(screen(80, { format: 'csv' }), [{ key: 'a' }], [{ a: '\u001b[2J\u202e' }]);
  expect(output).toBe('a\n\\u001b[2J\\u202e\n');
});

test('ids are printed one a line, whatever their member is called', async () => {
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

test('--output id without an id is wrong usage', async () => {
  await expect(listed(pipe({ format: 'id' }), [], [{ title: 'x' }])).rejects.toMatchObject({ exitCode: 2 });
  await expect(listed(pipe({ format: 'id', columns: ['a', 'b'] }), columns, [{ a: 1, b: 2 }])).rejects.toMatchObject({
    exitCode: 2,
  });
});
