import { expect, test } from 'vitest';
import { summaryAddresses } from '../../src/content/folder/summary.ts';
import { readContentsFacts, readFacts } from '../../src/links/facts.ts';
import fc from '../support/property.ts';

const lines = [
  '# Contents',
  '## Pumps <a href="#pumps" id="pumps"></a>',
  '## See www.example.com',
  '* [Welcome](README.md)',
  '  * [Fit it](guides/fit%20it.md#first "Fit")',
  '- [Outside](https://example.com/a?b=c)',
  '* [Odd](<a b.md>)',
  '***',
  '',
  'words and [a link](x.md)',
];
const contents = fc
  .tuple(fc.array(fc.constantFrom(...lines), { maxLength: 12 }), fc.constantFrom('\n', '\r\n'))
  .map(([chosen, end]) => chosen.join(end) + end);

test('a table of contents has the same links, whether it is read by lines or as Markdown', () => {
  fc.assert(
    fc.property(contents, (text) => {
      const links = readFacts(text).links.filter(({ tag }) => tag !== 'a');
      expect(readContentsFacts(text).links).toEqual(links);
    }),
  );
});

test('the usual form of a table of contents is read by lines', () => {
  expect(summaryAddresses('# Contents\n\n* [Welcome](README.md)\n  * [Fit it](guides/fit.md)\n')).toEqual([
    { url: 'README.md', line: 3, column: 13 },
    { url: 'guides/fit.md', line: 4, column: 14 },
  ]);
  expect(summaryAddresses('* [Welcome](<a b.md>)\n')).toBeUndefined();
});
