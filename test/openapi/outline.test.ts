import { expect, test } from 'vitest';
import { Outline } from '../../src/openapi/parse/outline.ts';
import { readTokens } from '../../src/openapi/parse/syntax.ts';

const outlineOf = (lines: string[]) => {
  const text = lines.join('\n');
  return new Outline(text, readTokens(text, 'yaml'));
};

test('a path leads to the position of its value or of its key', () => {
  const outline = outlineOf(['a:', '  - b: 1', '  - c: 2']);

  expect(outline.find(['a', '1', 'c'], false)).toEqual({ line: 3, column: 8 });
  expect(outline.find(['a', '1', 'c'], true)).toEqual({ line: 3, column: 5 });
});

test('a path that does not exist leads to the nearest value above', () => {
  const outline = outlineOf(['a:', '  b: 1']);

  expect(outline.find(['a', 'x', 'y'], false)).toEqual(outline.find(['a'], false));
});

test('an alias refers to the last anchor of its name before it', () => {
  const outline = outlineOf(['a: &x { k: 1 }', 'b: *x', 'c: &x { k: 2 }', 'd: *x', 'e: &x { k: 3 }']);

  expect(outline.find(['b', 'k'], false)).toEqual({ line: 1, column: 12 });
  expect(outline.find(['d', 'k'], false)).toEqual({ line: 3, column: 12 });
});

test('a merge key leads to where the value was merged from', () => {
  const outline = outlineOf(['a: &x { k: 1 }', 'b: &y { m: 2 }', 'c: { <<: [*x, *y] }']);

  expect(outline.find(['c', 'm'], false)).toEqual({ line: 2, column: 12 });
});

test('repeated keys of a mapping are found', () => {
  const outline = outlineOf(['a: 1', 'b: 2', 'a: 3']);

  expect(outline.duplicates()).toEqual([{ key: 'a', position: { line: 3, column: 1 } }]);
});
