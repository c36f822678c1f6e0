import { expect, test } from 'vitest';
import { isSmall, mayTakeLonger } from '../../src/threads/size.ts';

const page = '# A\n\n- b\n'.repeat(100);

/** The estimate for these texts. */
function longestMs(...texts: (string | Uint8Array)[]): number {
  let ms = 0;
  for (let step = 2 ** 20; step > 1e-6; step /= 2) if (mayTakeLonger(ms + step, texts)) ms += step;
  return ms;
}

test('the longest time grows with the square of a text, and each text counts by itself', () => {
  expect(longestMs(page)).toBeGreaterThan(10);
  expect(longestMs(...Array.from({ length: 10 }, () => page))).toBeCloseTo(10 * longestMs(page));
  expect(longestMs(page.repeat(10))).toBeGreaterThan(50 * longestMs(page));
  expect(longestMs(Buffer.from(page))).toBe(longestMs(page));
});

test('words take almost no time', () => {
  const words = 'water '.repeat(page.length / 6);
  expect(longestMs(words)).toBeLessThan(longestMs(page) / 10);
  expect([isSmall(words), isSmall(page.repeat(4))]).toEqual([true, false]);
});
