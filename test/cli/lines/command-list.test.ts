import { execa } from 'execa';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellCommand } from '../../../src/shared/shell-quote.ts';
import { resolved } from '../../../src/cli/lines/captures.ts';
import { readCommandList } from '../../../src/cli/lines/command-list.ts';

const wordsIn = (text: string) => readCommandList(text).commands.map(({ words }) => words);

test.for([
  ['spaces list', [['spaces', 'list']]],
  ['docsctl spaces list\n  docsctl whoami  ', [['spaces', 'list'], ['whoami']]],
  ['docsctl', []],
  ['', []],
  ['\n\n# a comment\n\t\n  # another\n', []],
  ['spaces list # all of them', [['spaces', 'list']]],
  ['a b#c "#d"', [['a', 'b#c', '#d']]],
  [`a 'it "is"' "it's" it\\'s`, [['a', 'it "is"', "it's", "it's"]]],
  [`a '' ""`, [['a', '', '']]],
  [`a --b='c d'"e"f`, [['a', '--b=c def']]],
  ['a "\\"\\\\\\$\\`\\n"', [['a', '"\\$`\\n']]],
  ["a 'C:\\x' C:\\\\x x\\ y", [['a', 'C:\\x', 'C:\\x', 'x y']]],
  ['a \\\n  b\\\nc \\\n# no', [['a', 'bc']]],
  ['a "b\nc" d\ne', [['a', 'b\nc', 'd'], ['e']]],
  ['a --b="c\nd"', [['a', '--b=c\nd']]],
  ['a "b\\\nc"', [['a', 'bc']]],
  [
    'a $HOME ${HOME} `id` $(id) ~ * ? {b,c} b;c x>y "$(id)" "`id`"',
    [['a', '$HOME', '${HOME}', '`id`', '$(id)', '~', '*', '?', '{b,c}', 'b;c', 'x>y', '$(id)', '`id`']],
  ],
  ['a \';\' \\| ">"', [['a', ';', '|', '>']]],
  [
    '\uFEFFa b\r\nc d\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['a ünï 日本 🙂 "ä\u00a0b" c\u00a0d', [['a', 'ünï', '日本', '🙂', 'ä\u00a0b', 'c\u00a0d']]],
] as const)('%j', ([text, expected]) => {
  expect(readCommandList(text)).toMatchObject({ mistakes: [] });
  expect(wordsIn(text)).toEqual(expected);
});

test('a command has the line on which it begins', () => {
  const { commands } = readCommandList('\n# x\na \\\n b\n\n  "c\nd" e\nf');

  expect(commands.map(({ line, words }) => [line, words[0]])).toEqual([
    [3, 'a'],
    [6, 'c\nd'],
    [8, 'f'],
  ]);
});

test.for([
  ["a\nspaces create --title Don't\nspaces list\nspaces create --title Can't", [2, 4], "' in column 26 is not closed"],
  ['a 5" b\nc', [1], '" in column 4 is not closed'],
  ['a\n\nb "c\nd\n', [3], '" in column 3 is not closed'],
  ['a "b\nc\\"', [1], '" in column 3 is not closed'],
  ['a \\', [1], 'Nothing follows the backslash'],
  ['a > b', [1], '">" is not supported'],
  ['a\nb && c | d', [2, 2], '"&&" is not supported'],
] as const)('%j is a mistake', ([text, lines, message]) => {
  const { mistakes } = readCommandList(text);

  expect(mistakes.map(({ line }) => line)).toEqual(lines);
  expect(mistakes[0]?.message).toContain(message);
  expect(mistakes[0]?.hint).toMatch(/\.$/);
});

test('words that are quoted for a shell are read as they were', () => {
  const word = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\r'));
  fc.assert(
    fc.property(fc.array(fc.array(word, { minLength: 1 })), (lines) => {
      const text = lines.map((words) => shellCommand(['docsctl', ...words])).join('\n');
      expect(wordsIn(text)).toEqual(lines);
    }),
  );
});

test('a command without expansions is read as a shell reads it', async () => {
  const part = fc.constantFrom('a', 'b', ' ', '\t', '\\', "'", '"', '#', '=', '\\\n', '\\"', "'x y'", '"x\ny"');
  const lines = fc
    .sample(fc.string({ unit: part, maxLength: 14 }), { numRuns: 600, seed: 7 })
    .map((text) => `show ${text}`)
    .filter((text) => readCommandList(text).mistakes.length === 0);

  const { stdout } = await execa('sh', ['-c', ['show() { printf \'<%s>\' "$@"; echo .; }', ...lines].join('\n')]);

  expect(lines.length).toBeGreaterThan(100);
  const expected = lines.map(
    (text) =>
      wordsIn(text)[0]!
        .slice(1)
        .map((word) => `<${word}>`)
        .join('') || '<>',
  );
  expect(stdout).toBe(expected.map((words) => `${words}.`).join('\n'));
});

test('the result of a line is used in later ones, but not in single quotes', () => {
  const list = readCommandList(
    'a=$(x --y "z)" $a)\nb $a "${a}b" \'$a\' \\$a "\\$a" $ab $b\nc=$( docsctl whoami )\nd $c',
  );
  const values = new Map([
    ['a', '1 2'],
    ['c', '3'],
  ]);

  expect(list.mistakes).toEqual([]);
  expect(list.commands.map(({ words }) => resolved(words, values))).toEqual([
    ['x', '--y', 'z)', '$a'],
    ['b', '1 2', '1 2b', '$a', '$a', '$a', '$ab', '$b'],
    ['whoami'],
    ['d', '3'],
  ]);
  expect(list.commands.map(({ captures }) => captures)).toEqual(['a', undefined, 'c', undefined]);
});

test.for(['a=$(x', 'a=$(x "y)"', 'a=$(x) y'])('%j is not closed', (text) => {
  expect(readCommandList(text).mistakes[0]?.message).toBe('The parenthesis after "=$" is not closed.');
});
