import { loadJq } from 'jq-wasm';
import { beforeAll, describe, expect, test } from 'vitest';
import { pathFilter } from '../../../src/cli/output/jq/paths.ts';
import { createListOutput } from '../../../src/cli/output/index.ts';
import { createCollector, listed, pipe, printed, screen } from './support.ts';

const values: unknown[] = [
  [],
  [{ id: 'a', n: 1, tags: ['x', 'y'], user: { email: 'é🫠@x' }, role: null, on: true }],
  [{ id: 'a' }, { id: 'b', role: 'admin', on: false, user: null }, { id: 'c', role: 'guest', tags: [], n: 0.5 }],
  [{ id: 'a' }, ['b'], 'c', 4, null],
  [['a', 'b'], [], [null]],
  { id: 'a', tags: ['x'], user: { email: 'e' }, on: false, n: -3, '2': 'two', '1': 'one' },
  { length: 4, role: 'admin', map: { select: 'x' }, __proto__: null, constructor: 'own' },
  null,
  'text 🫠',
  -7,
  true,
];

const known = [
  '.',
  ' .id ',
  '.user.email',
  '.[]',
  '.[].id',
  '.[] | .id',
  '.[]|.tags[]',
  '.tags[0]',
  '.[0]',
  '.[-1].id',
  '.[ 5 ]',
  'length',
  '.[] | length',
  '.tags | length',
  'map(.id)',
  'map(.user.email) | length',
  'map(select(.role == "admin")) | length',
  '[.[] | select(.on) | .id]',
  '[.[].id]',
  '.[] | select(.role != "admin") | .id',
  '.[] | select(.role == null) | .id',
  '.[] | select(.n == 1)',
  '.[] | select(.n == -3)',
  '.[] | select(.on == false) | .id',
  '.[] | select(.tags[] == "x") | .id',
  '.[] | .id, .role',
  '.[] | [.id, .user.email]',
  '.id, .n | .',
  'map(map(length))',
  'map(.[])',
  '.map.select',
  '.length',
  '.constructor',
  '.toString',
  '[]',
];

const unknownExpressions = [
  '',
  '..',
  '.a.[0]',
  '.["id"]',
  '.id?',
  '.[1:]',
  'keys',
  '.[] | select(.n > 1)',
  '.[] | select(.a == "x" and .b)',
  '.[] | .id + "x"',
  '.role //= "guest"',
  '{id}',
  '"text"',
  '.id # comment',
  'select("x\\u0041")',
  'map(.id',
  '.[0',
  '.id)',
  '| .id',
  'lengths',
  'maps(.id)',
  '.id |= 1',
  'select(.id == 1000000000000000000)',
  '.é',
  '@tsv',
  '-1',
];

describe('an expression of paths', () => {
  let jq: Awaited<ReturnType<typeof loadJq>>;
  beforeAll(async () => {
    jq = await loadJq();
  });

  test.each(known.filter((expression) => expression !== '[]'))('%s has the results of jq', (expression) => {
    const filter = pathFilter(expression)!;
    let compared = 0;
    for (const value of values) {
      const results = filter(value);
      const { stdout, exitCode } = jq.raw(JSON.stringify(value), expression, ['-c', '--']);
      // What jq refuses is left to it; it may leave more to it than that.
      if (results === undefined) continue;
      compared++;
      expect({ value, exitCode, stdout }).toEqual({
        value,
        exitCode: 0,
        stdout: results.map((result) => JSON.stringify(result)).join('\n'),
      });
    }
    expect(compared).toBeGreaterThan(0);
  });

  test.each(unknownExpressions)('%s is left to jq', (expression) => {
    expect(pathFilter(expression)).toBeUndefined();
  });
});

test('an error is that of jq', async () => {
  const failure = listed(pipe({ jq: '.[].id.name' }), [], [{ id: 'x' }]);
  await expect(failure).rejects.toThrow('--jq ".[].id.name": Cannot index string with');
});

test('numbers and characters that jq writes differently are written by jq', async () => {
  expect(await printed(pipe({ jq: '.n' }), { n: 1e21 })).toBe('1E+21\n');
  expect(await printed(pipe({ jq: '[.t]' }), { t: 'a\u007f\ud800' })).toBe('["a\\u007f\ufffd"]\n');
  expect(await printed(screen(80, { jq: '.' }), { a: [], b: {}, c: [1] })).toBe(
    '{\n  "a": [],\n  "b": {},\n  "c": [\n    1\n  ]\n}\n',
  );
});

describe('an expression that treats items one by one', () => {
  const pages = [[{ id: 1 }, { id: 2 }], [{ id: 3 }]];

  test.each(['.[].id', '.[] | .id', '.[]|select(.id)|.id'])('%s runs over each page', async (jq) => {
    const sink = createCollector();
    const output = createListOutput(pipe({ jq }), [], sink);
    await output.page(pages[0]!);
    expect(sink.text()).toBe('1\n2\n');
    await output.page(pages[1]!);
    await output.end();
    expect(sink.text()).toBe('1\n2\n3\n');
  });

  test.each(['.[]|.id*1', '.[].id? | select(. > 0)', '.[] | [.id] | add'])(
    '%s, which jq itself has to run, runs before the end of a long list',
    async (jq) => {
      const sink = createCollector();
      const output = createListOutput(pipe({ jq }), [], sink);
      await output.page(Array.from({ length: 2000 }, () => ({ id: 1 })));
      expect(sink.text()).toBe('1\n'.repeat(2000));
      await output.page(pages[1]!);
      await output.end();
      expect(sink.text()).toBe(`${'1\n'.repeat(2000)}3\n`);
    },
  );

  test.each([
    ['.[].id |= . + 1', '[{"id":2},{"id":3},{"id":4}]\n'],
    ['.[].id, length', '1\n2\n3\n3\n'],
    ['.[].id // 9', '1\n2\n3\n'],
    ['.[].no // 9', '9\n'],
    ['.[] as $x | $x.id', '1\n2\n3\n'],
    ['.[] | if .id == 2 then halt else .id end', '1\n'],
    ['[.[].id]', '[1,2,3]\n'],
  ])('%s does not', async (jq, text) => {
    expect(await listed(pipe({ jq }), [], ...pages)).toBe(text);
  });
});
