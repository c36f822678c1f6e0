import { expect, test } from 'vitest';
import { readTexts } from '../../src/server/content/changes/documents.ts';
import { idleMsAfter } from '../../src/server/text/pool.ts';

const name = '7f3c2a10-1111-4222-8333-abcdefabcdef';

test.each([
  [`{% hint %}[a](./${name}.md)`, '{% hint %}[a](/pages/P)'],
  ['[a](./7f3c2a10%2D1111-4222-8333-abcdefabcdef.md)', '[a](/pages/P)'],
  ['[a](./7f3c2a10\\-1111-4222-8333-abcdefabcdef.md)', '[a](/pages/P)'],
  ['[a](./7f3c2a10&#45;1111-4222-8333-abcdefabcdef.md)', '[a](/pages/P)'],
  ['[a](./7f3c2a10&#x25;2d1111-4222-8333-abcdefabcde&#102;.md)', '[a](/pages/P)'],
  [`\`./${name}.md\` %`, `\`./${name}.md\` %`],
])('a link by the name of a new page leads to it however it is spelled: %s', (markdown, stored) => {
  const [text] = readTexts({ texts: [{ markdown }], pages: new Map([[name, 'P']]), files: new Map() });

  expect(text).toMatchObject({ markdown: stored });
});

test('a name with a letter that has a named entity is found', () => {
  const texts = [{ markdown: '[a](./&fjlig;ord.md)' }, { markdown: '[b](./a&lowbar;b.md)' }];

  const read = readTexts({
    texts,
    pages: new Map([
      ['fjord', 'P'],
      ['a_b', 'Q'],
    ]),
    files: new Map(),
  });

  expect(read).toMatchObject([{ markdown: '[a](/pages/P)' }, { markdown: '[b](/pages/Q)' }]);
});

test('a thread stays for the next text after a usual one, and ends after one that took much memory', () => {
  const mebibyte = 1024 * 1024;

  expect(idleMsAfter(30 * mebibyte)).toBe(30_000);
  expect(idleMsAfter(90 * mebibyte)).toBe(1_000);
  expect(idleMsAfter(200 * mebibyte)).toBe(0);
});
