import fc, { anyText } from '../../support/property.ts';
import { expect, test } from 'vitest';
import { visible, visibleLines } from '../../../src/cli/output/index.ts';

const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\u001b', '\u009b', '\r', '\n', '\t', '\u202e', '\u2066', '\u0000', '\u007f', '\u2028', 'a'),
    anyText({ minLength: 1, maxLength: 1 }),
  ),
});

test('escape sequences, carriage returns and overrides are shown instead of obeyed', () => {
  expect(visible('a\u001b[31mb\u009bc\r\u202ed\u2066\te\nf\u007f')).toBe(
    'a\\u001b[31mb\\u009bc\\r\\u202ed\\u2066\\te↵f\\u007f',
  );
});

test('ordinary text of any script is not changed', () => {
  const text = 'Grüße, 山田 太郎, שלום, 👨‍👩‍👧, C:\\temp\\new';
  expect(visible(text)).toBe(text);
  expect(visibleLines(`${text}\n\t${text}`)).toBe(`${text}\n\t${text}`);
});

test('no text can contain a character that controls the terminal', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(visible(text)).not.toMatch(acting);
      expect(visible(text)).not.toMatch(/[\t\n]/);
      expect(visibleLines(text)).not.toMatch(acting);
    }),
  );
});
