import { describe, expect, test } from 'vitest';
import { setFrontMatter } from '../../src/content/markdown/front-matter.ts';
import { readInfo } from '../../src/content/folder/page-info.ts';
import fc from '../support/property.ts';

/** Texts that YAML would read as numbers or truth values, and some that it reads as texts. */
const texts = [
  '1.10',
  '007',
  '1e3',
  '0x10',
  '0o17',
  '+1',
  '-0',
  '.5',
  '1.',
  '12345678901234567890',
  '.inf',
  '.NaN',
  '1E3',
  'true',
  'True',
  'FALSE',
  'yes',
  'No',
  'on',
  'y',
  '2024-01-01',
  '2001-12-14t21:59:43.10-05:00',
  '1_000',
  '0b11',
  '1:30',
  '12e03',
  '=',
  '0x',
];

describe('a front matter text stays as it is written', () => {
  test.each(texts)('%s', (text) => {
    const page = `---\ntitle: ${text}\ndescription: ${text} # a comment\nicon: ${text}\nemoji: ${text}\n---\n\n# Other\n`;

    expect(readInfo(page)).toMatchObject({ title: text, description: text, icon: text, emoji: text });
    expect(readInfo(page.replaceAll('\n', '\r\n'))).toMatchObject({ title: text, description: text });
  });

  test('with a tag of YAML too, and nothing is a title where it is null or empty', () => {
    expect(readInfo('---\ntitle: !!str 1.10\ndescription: !!int 7\n---\n').title).toBe('1.10');
    expect(readInfo('---\ntitle: 1.10\ndescription: !!int 7\n---\n')).toMatchObject({ description: '7' });
    for (const none of ['', '~', 'null'])
      expect(readInfo(`---\ntitle: ${none}\n---\n\n# Heading\n`).title).toBe('Heading');
  });
});

test.each(texts)('%s stays as it is when another member is set', (text) => {
  const page = `---\ntitle: ${text}\n# why\nvars:\n  version: ${text}\n---\n\nText\n`;

  expect(setFrontMatter(page, { hidden: true })).toBe(page.replace('\n---\n\n', '\nhidden: true\n---\n\n'));
});

test('a text that is written is read again as the same text', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.constantFrom(...texts, 'null', '~', 'Null', '# x', 'a: b', '- a', '"', "'", '&a', '!x', '%'),
        fc.string(),
      ),
      fc.boolean(),
      (text, hasOthers) => {
        const before = hasOthers ? '---\nicon: 007\n---\n\nText\n' : 'Text\n';
        const expected = text.replaceAll(/\s+/g, ' ').trim();
        const info = readInfo(setFrontMatter(before, { title: expected === '' ? undefined : expected }));
        expect(info.title).toBe(expected === '' ? undefined : expected);
        expect(info.icon).toBe(hasOthers ? '007' : undefined);
      },
    ),
  );
});
