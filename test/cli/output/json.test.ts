import { runs } from '../../support/long-form.ts';
import fc from '../../support/property.ts';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { createListOutput } from '../../../src/cli/output/index.ts';
import { createCollector, listed, memberColumns, members, pipe, screen, printed } from './support.ts';

const pages = fc.array(fc.array(fc.jsonValue()));

test('pages become the JSON of the whole list', async () => {
  await fc.assert(
    fc.asyncProperty(pages, async (items) => {
      expect(await listed(pipe({ format: 'json' }), [], ...items)).toBe(`${JSON.stringify(items.flat())}\n`);
      const indented = await listed(screen(80, { format: 'json' }), [], ...items);
      expect(JSON.stringify(JSON.parse(indented))).toBe(JSON.stringify(items.flat()));
    }),
  );
});

test('JSON in a terminal is indented and cannot act on it', async () => {
  const output = await listed(screen(80, { format: 'json' }), [], [{ title: '\u009b2J\u202e\u001b' }], [1]);
  expect(output).toBe('[\n  {\n    "title": "\\u009b2J\\u202e\\u001b"\n  },\n  1\n]\n');
});

test('each page is written when it arrives', async () => {
  const sink = createCollector();
  const output = createListOutput(pipe({ format: 'json' }), [], sink);
  await output.page([]);
  expect(sink.writes).toEqual([]);
  await output.page([1, 2]);
  expect(sink.writes).toEqual(['[1,2']);
  await output.page([3]);
  expect(sink.writes).toEqual(['[1,2', ',3']);
});

test('an aborted list is closed when it was begun and not begun otherwise', async () => {
  const sink = createCollector();
  const begun = createListOutput(pipe({ format: 'json' }), [], sink);
  await begun.page([1]);
  await begun.abort();
  expect(sink.text()).toBe('[1]\n');

  const nothing = createCollector();
  const fresh = createListOutput(pipe({ format: 'json' }), [], nothing);
  await fresh.page([]);
  await fresh.abort();
  expect(nothing.writes).toEqual([]);
});

test('JSON lines are one item a line, in a terminal too', async () => {
  const lines = '{"a":[1,2]}\n"x"\n';
  expect(await listed(pipe({ format: 'jsonl' }), [], [{ a: [1, 2] }], ['x'])).toBe(lines);
  expect(await listed(screen(80, { format: 'jsonl' }), [], [{ a: [1, 2] }], ['x'])).toBe(lines);
  expect(await listed(pipe({ format: 'jsonl' }), [], [])).toBe('');
});

test('YAML pages make one list that reads back as it was', async () => {
  const value = fc.jsonValue({ stringUnit: 'grapheme' });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(value)), async (items) => {
      const documents = parseAllDocuments(await listed(pipe({ format: 'yaml' }), [], ...items));
      expect(JSON.stringify(documents.map((document) => document.toJS()))).toBe(JSON.stringify([items.flat()]));
    }),
    { numRuns: runs(30, 300) },
  );
});

test('YAML escapes control sequences of terminals, and keeps its meaning', async () => {
  const item = { 'ke\u009by': '\u001b[31m', plain: 'x\u202ey', lines: 'a\nb\n', no: 'no' };
  const output = await listed(pipe({ format: 'yaml' }), [], [item]);
  expect(output).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(output).toContain('lines: |\n');
  expect(output).toContain('"no": "no"');
  expect(parse(output)).toEqual([item]);
});

test('chosen columns reduce the items and keep their place', async () => {
  const columns = ['id', 'user.email', 'role'];
  const expected = { id: 'Us1Aa2bBc3Cd', user: { email: 'taro@lumen.example' }, role: null };
  const output = await listed(pipe({ format: 'json', columns }), memberColumns, [members[1]]);
  expect(JSON.parse(output)).toEqual([expected]);
  expect(parse(await listed(pipe({ format: 'yaml', columns }), memberColumns, [members[1]]))).toEqual([expected]);
  expect(JSON.parse(await printed(pipe({ format: 'json', columns }), members[1], memberColumns))).toEqual(expected);
});

test('array places can be chosen, and members named like those of every object', async () => {
  const item = JSON.parse('{"a":[{"b":1},{"b":2}],"__proto__":{"x":1},"c.d":3}') as object;
  const pick = (...columns: string[]) => listed(pipe({ format: 'json', columns }), [], [item]);
  expect(await pick('a.1.b')).toBe('[{"a":[null,{"b":2}]}]\n');
  expect(await pick('__proto__.x')).toBe('[{"__proto__":{"x":1}}]\n');
  expect(await pick('c.d')).toBe('[{"c.d":3}]\n');
  await expect(pick('constructor.name')).rejects.toThrow('no result has "constructor.name"');
});

test('one object is one value in each format', async () => {
  const object = { id: 'Sp1', a: { b: [1] } };
  expect(await printed(pipe({ format: 'json' }), object)).toBe('{"id":"Sp1","a":{"b":[1]}}\n');
  expect(await printed(pipe({ format: 'jsonl' }), object)).toBe('{"id":"Sp1","a":{"b":[1]}}\n');
  expect(await printed(screen(80, { format: 'json' }), { a: 1 })).toBe('{\n  "a": 1\n}\n');
  expect(await printed(pipe({ format: 'yaml' }), object)).toBe('id: Sp1\na:\n  b:\n    - 1\n');
  expect(await printed(pipe({ format: 'id' }), object)).toBe('Sp1\n');
  expect(await printed(pipe({ format: 'csv' }), object)).toBe('id,a.b\nSp1,1\n');
  expect(await printed(pipe({ format: 'tsv' }), object)).toBe('Sp1\t1\n');
  expect(await printed(pipe({ format: 'json' }), [object])).toBe('[{"id":"Sp1","a":{"b":[1]}}]\n');
});
