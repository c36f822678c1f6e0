import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { expect, test } from 'vitest';
import { parse } from '../../src/content/markdown/parse.ts';
import fc from '../support/property.ts';

const full = (text: string) => fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });

/** Without what only `parse` adds. */
const withoutAddresses = (root: Root) =>
  JSON.parse(
    JSON.stringify(root.children, (key, value: unknown) => (key === 'urlAt' ? undefined : value)),
    (key, value) => (key === 'data' && JSON.stringify(value) === '{}' ? undefined : value),
  );

const pieces = [
  'www.example.com',
  'WWW.a.b',
  'http://a.b',
  'HTTPS://c.d/e?f=g',
  'me@example.com',
  'mailto:me@example.com',
  'xmpp:a@b.c',
  'a | b',
  '| - | :-: |',
  ':-',
  '-:',
  ':-:',
  '---',
  '| c',
  '\n',
  '\n\n',
  '> ',
  '- ',
  '1. ',
  '    ',
  '[ ] ',
  '- [x] done',
  '[^1]',
  '[^1]: note',
  '![^1]',
  '[link](p.md)',
  '[',
  ']',
  '(',
  ')',
  '~~gone~~',
  '**bold**',
  '_w_',
  '`h`',
  '# who',
  '\n\n# what\n\n',
  '\n\n## why\n\n',
  '\n\n| a |\n| - |\n| b |\n\n',
  '\n```\n',
  '\n```js\n',
  '\n````\n',
  '\n~~~\n',
  '<div>\n',
  '<!--',
  '[id]: x.md',
  '[id]',
  '\r\n',
  'how',
  'w',
  '\\',
  '<b>',
  '&amp;',
  ' ',
];

test('parts of GFM are skipped only where a text cannot have them', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 14 }), (chosen) => {
      const text = chosen.join('');
      expect(withoutAddresses(parse(text))).toEqual(withoutAddresses(full(text)));
    }),
    { numRuns: 3_000 },
  );
});
