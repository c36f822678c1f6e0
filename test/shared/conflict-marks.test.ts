import { describe, expect, test } from 'vitest';
import { conflictLine } from '../../src/shared/conflict-marks.ts';
import fc from '../support/property.ts';

const conflict = ['<<<<<<< HEAD', 'one', '=======', 'two', '>>>>>>> other'];
const diff3 = ['<<<<<<< HEAD', 'one', '||||||| base', 'none', '=======', 'two', '>>>>>>> other'];
const fenced = (lines: string[], fence = '```') => [`${fence}diff`, ...lines, fence];
const inMarkdown = (lines: string[], end = '\n') => conflictLine(lines.join(end), { isMarkdown: true });

describe('a conflict', () => {
  test.each([
    ['alone', conflict, 1],
    ['of diff3', ['# Title', ...diff3], 2],
    ['without labels', ['a', '<<<<<<<', '=======', '>>>>>>>'], 2],
    [
      'that has a whole code block on each side',
      ['<<<<<<< HEAD', ...fenced(['a']), '=======', ...fenced(['b']), '>>>>>>> x'],
      1,
    ],
    [
      'that begins in a code block and ends after it',
      ['```', '<<<<<<< HEAD', 'a', '```', '=======', 'b', '```', '>>>>>>> x'],
      2,
    ],
    ['around an example', ['<<<<<<< HEAD', ...fenced(conflict), '=======', 'b', '>>>>>>> x'], 1],
    ['after an example', [...fenced(conflict), ...conflict], 8],
    ['after a code block that is closed', ['~~~', '```', '~~~~', ...conflict], 4],
  ])('%s is found', (_, lines, line) => {
    expect(inMarkdown(lines)).toBe(line);
    expect(inMarkdown(lines, '\r\n')).toBe(line);
  });

  test.each([
    ['an example in a code block', fenced(conflict)],
    ['an example of diff3 in a code block of tildes', fenced(diff3, '~~~~')],
    ['an example in a code block that is not closed', ['```', ...conflict]],
    ['marks that are indented', conflict.map((line) => `    ${line}`)],
    ['marks in another order', conflict.toReversed()],
    ['a heading and a nested quote', ['Title', '=======', '>>>>>>> deep']],
    ['the first mark alone', ['<<<<<<< HEAD', 'text']],
    ['longer marks', ['<<<<<<<< HEAD', '========', '>>>>>>>> other']],
  ])('%s is none', (_, lines) => {
    expect(inMarkdown(lines)).toBeUndefined();
  });

  test('in a file that is not Markdown is found in code blocks too', () => {
    expect(conflictLine(fenced(conflict).join('\n'))).toBe(2);
  });
});

test('a conflict that git writes is found in whatever text', () => {
  const words = fc.constantFrom(
    'text',
    '',
    '```',
    '~~~',
    '~~~~ x',
    '- item',
    '> quote',
    '=======',
    '# Title',
    '  ```js',
  );
  const side = fc.array(words, { maxLength: 6 });
  fc.assert(
    fc.property(side, side, side, (before, one, other) => {
      // A code block that is open where the conflict begins may be an example.
      if (before.some((line) => /^ *(?:```|~~~)/.test(line))) return;
      const lines = [...before, '<<<<<<< HEAD', ...one, '=======', ...other, '>>>>>>> other'];
      expect(inMarkdown(lines)).toBe(before.length + 1);
    }),
  );
});
