import fc from '../support/property.ts';
import { expect, test } from 'vitest';
import { lastNotAbove, Lines } from '../../src/openapi/parse/lines.ts';

test.each([
  ['', 0, { line: 1, column: 1 }],
  ['ab', 2, { line: 1, column: 3 }],
  ['a\nb', 1, { line: 1, column: 2 }],
  ['a\nb', 2, { line: 2, column: 1 }],
  ['\n\n', 2, { line: 3, column: 1 }],
  ['a\r\nb', 3, { line: 2, column: 1 }],
])('%j at %i is %j', (text, offset, position) => {
  expect(new Lines(text).positionOf(offset)).toEqual(position);
});

test('each offset has the line and column that counting gives', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('\n', 'x', 'long line'), { maxLength: 50 }), (parts) => {
      const text = parts.join('');
      const lines = new Lines(text);
      for (let offset = 0; offset <= text.length; offset += 1) {
        const before = text.slice(0, offset).split('\n');
        expect(lines.positionOf(offset)).toEqual({ line: before.length, column: (before.at(-1) ?? '').length + 1 });
      }
    }),
  );
});

test('the last number that is not above a limit is the same as in a search from the end', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 40 })), fc.integer({ min: -1, max: 41 }), (numbers, limit) => {
      const ascending = numbers.toSorted((a, b) => a - b);
      expect(lastNotAbove(ascending, limit)).toBe(ascending.findLastIndex((number) => number <= limit));
    }),
  );
});
