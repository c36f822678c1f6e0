import fc, { anyText } from '../support/property.ts';
import { expect, test } from 'vitest';
import { parseDescription, ParseFailure, readDescription } from '../../src/openapi/index.ts';
import { runs } from '../support/long-form.ts';

test.each([
  ['{"swagger": "2.0", "info": {"title": "Pets"}}', '2.0', 'Pets'],
  ['openapi: 3.0.3\ninfo:\n  title: Pets', '3.0', 'Pets'],
  ['{openapi: "3.1", info: {title: 5}}', '3.1', ''],
  ['\uFEFFopenapi: 3.2.0', '3.2', ''],
])('%j is a document', (text, version, title) => {
  expect(parseDescription(text)).toMatchObject({ version, title });
});

const bomb = [
  'openapi: 3.0.3',
  'a: &a [x, x, x, x, x, x, x, x, x, x]',
  ...'bcdefghi'.split('').map((name, index) => {
    const last = 'abcdefgh'.charAt(index);
    return `${name}: &${name} [${Array.from({ length: 10 }, () => `*${last}`).join(', ')}]`;
  }),
].join('\n');

const long = 'x'.repeat(30_000);
const twentyThousand = (item: string) => `[${Array.from({ length: 20_000 }, () => item).join(', ')}]`;

test.each([
  ['nothing', '', 'it is empty'],
  ['null', 'null', 'it is empty'],
  ['a word', 'hello', 'expected an object'],
  ['a list', '[{"openapi": "3.0.3"}]', 'expected an object'],
  ['another kind of description', '{"asyncapi": "3.0.0"}', '"asyncapi"'],
  ['a number for a version', 'swagger: 2.0', 'must be a string'],
  ['an unknown version', 'openapi: 4.0.0', 'not supported'],
  ['a version in the prototype', '{"__proto__": {"openapi": "3.0.3"}}', 'neither "openapi" nor "swagger"'],
  ['broken YAML', 'openapi: 3.0.3\n\ttitle', 'line 2, column'],
  ['code in YAML', 'openapi: !!js/function "x"', 'line 1'],
  ['a code point that does not exist', 'openapi: "\\UFFFFFFFF"', 'not supported'],
  ['an alias bomb', bomb, 'expand to a document that is too large'],
  ['an alias bomb of one long value', `openapi: 3.0.3\na: &a ${long}\nb: ${twentyThousand('*a')}`, 'too large'],
  ['an alias bomb of one long key', `openapi: 3.0.3\na: &a { "${long}": 1 }\nb: ${twentyThousand('*a')}`, 'too large'],
  ['an alias bomb of keys', `openapi: 3.0.3\na: &a "${long}"\nb: ${twentyThousand('{*a : 1}')}`, 'too large'],
  ['an alias bomb of merges', `openapi: 3.0.3\na: &a { "${long}": 1 }\nb: ${twentyThousand('{<<: *a}')}`, 'too large'],
  ['an endless alias', 'openapi: 3.0.3\na: &a { b: *a }', 'is inside the value that it refers to'],
  ['deep JSON', `{"openapi": "3.0.3", "x": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'Nested deeper'],
  ['deep lists', `openapi: 3.0.3\nx: ${'['.repeat(100_000)}`, 'exceeded'],
  ['deep items', `openapi: 3.0.3\nx: ${'- '.repeat(100_000)}`, 'line 2'],
  ['deep keys', `openapi: 3.0.3\nx: ${'a: '.repeat(100_000)}`, 'line 2'],
])('%s is refused', (_, text, reason) => {
  expect(() => parseDescription(text)).toThrow(ParseFailure);
  expect(() => parseDescription(text)).toThrow(reason);
});

test('twenty thousand aliases of a short value are read', () => {
  const { document } = parseDescription(`openapi: 3.0.3\na: &a { b: 1 }\nc: ${twentyThousand('*a')}`);

  expect((document as { c: unknown[] }).c).toHaveLength(20_000);
});

test('a value repeated by an alias is read as if it were written twice', () => {
  const { document } = parseDescription('openapi: 3.0.3\na: &a { b: [1] }\nc: *a\nd: { <<: *a }');
  const values = document as Record<string, { b: number[] }>;

  expect(values).toMatchObject({ a: { b: [1] }, c: { b: [1] }, d: { b: [1] } });
  expect(values.a).not.toBe(values.c);
  expect(values.a!.b).not.toBe(values.d!.b);
});

test('any text gives a document or a failure, and nothing else', () => {
  const words = [
    'openapi',
    'swagger',
    'info',
    '3.0.3',
    '__proto__',
    '\ud800',
    'é',
    '\0',
    '---\n',
    '\n',
    '\t',
    '  ',
    '&a ',
    '*a',
    '<<: ',
  ];
  const marks = [': ', '- ', '{', '}', '[', ']', ',', '"', "'", '|', '>', '!', '%', '#', '\\'];
  const piece = fc.constantFrom(...words, ...marks);
  const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
  const anything = fc.oneof(
    text,
    text.map((rest) => `openapi: 3.0.3\n${rest}`),
    anyText(),
  );

  fc.assert(
    fc.property(anything, (input) => {
      try {
        expect(parseDescription(input).version).toMatch(/^\d\.\d$/);
      } catch (error) {
        expect(error).toBeInstanceOf(ParseFailure);
      }
    }),
    { numRuns: runs(300, 3_000), seed: 1 },
  );
});

test('a text is accepted as JSON exactly if JSON.parse accepts it', async () => {
  const json = fc.json({ maxDepth: 4 });
  const spoiled = fc
    .tuple(json, fc.nat(), fc.constantFrom('', ',', '"', '}', ']', '0', 'e', '\\', '\n', '\u0001', ' ', "'"))
    .map(
      ([text, position, piece]) =>
        text.slice(0, position % (text.length + 1)) + piece + text.slice((position % (text.length + 1)) + 1),
    );

  await fc.assert(
    fc.asyncProperty(fc.oneof(json, spoiled), async (inner) => {
      const text = `{"openapi": "3.0.3", "x-value": ${inner}\n}`;
      const { findings, document } = await readDescription({ url: 'https://example.com/a.json', text });
      const faults = findings.filter(({ rule }) => rule === 'syntax');

      if (isJson(text)) expect([faults, document]).toEqual([[], JSON.parse(text)]);
      else expect(faults).toHaveLength(1);
    }),
    { numRuns: runs(100, 1_000), seed: 1 },
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
