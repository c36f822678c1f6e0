import { expect, test } from 'vitest';
import { isSmall, longestMs } from '../../src/threads/size.ts';

const page = '# A\n\n- b\n'.repeat(100);

test('the longest time grows with the square of a text, and each text counts by itself', () => {
  expect(longestMs(Array.from({ length: 10 }, () => page))).toBeCloseTo(10 * longestMs([page]));
  expect(longestMs([page.repeat(10)])).toBeGreaterThan(50 * longestMs([page]));
  expect(longestMs([Buffer.from(page)])).toBe(longestMs([page]));
});

test('words take almost no time', () => {
  const words = 'water '.repeat(page.length / 6);
  expect(longestMs([words])).toBeLessThan(longestMs([page]) / 10);
  expect([isSmall(words), isSmall(page.repeat(4))]).toEqual([true, false]);
});
