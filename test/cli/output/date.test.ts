import { expect, test } from 'vitest';
import { formatDate } from '../../../src/cli/output/index.ts';
import { now } from './support.ts';

test.each([
  ['2025-06-15T16:40:20.000Z', 'just now'],
  ['2025-06-15T16:40:50.000Z', 'just now'],
  ['2025-06-15T16:39:21.000Z', '1 minute ago'],
  ['2025-06-15T15:00:00.000Z', '1 hour ago'],
  ['2025-06-12T16:40:21.000Z', '3 days ago'],
  ['2025-05-16T16:40:22.000Z', '29 days ago'],
  ['2025-05-16T16:40:21.000Z', '1 month ago'],
  ['2024-06-15T16:40:21.000Z', '1 year ago'],
  ['2015-06-15T16:40:21.000Z', '10 years ago'],
  ['2025-06-17T17:00:00.000Z', 'in 2 days'],
  ['tomorrow', 'tomorrow'],
])('%s is %s', (iso, words) => {
  expect(formatDate(iso, now)).toBe(words);
});
