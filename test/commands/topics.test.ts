import { describe, expect, test } from 'vitest';
import { fitted, topics } from '../../src/commands/help/topics.ts';

describe('help topics', () => {
  test.for(Object.entries(topics))('%s has lines of at most 80 characters', ([, topic]) => {
    expect(
      topic()
        .split('\n')
        .filter((line) => line.length > 80),
    ).toEqual([]);
  });

  test('are unchanged on a screen that is wide enough', () => {
    expect(fitted('  TERM      meaning\n', 80)).toBe('  TERM      meaning\n');
  });

  test('on a narrow screen, paragraphs are wrapped and a meaning goes below its term', () => {
    const text =
      'Variables that the\nprogram reads:\n\n  TERM      a long\n            meaning of it\n  CI        a short\n  command here\n';
    expect(fitted(text, 20)).toBe(
      'Variables that the\nprogram reads:\n\n  TERM\n      a long meaning\n      of it\n  CI\n      a short\n  command here\n',
    );
  });
});
