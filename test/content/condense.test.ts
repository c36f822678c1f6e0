import type { Root } from 'mdast';
import { expect, test } from 'vitest';
import { parseCondensed } from '../../src/content/markdown/condense.ts';
import { outline, readAddresses } from '../../src/content/markdown/markdown.ts';
import { descend, endOf, startOf } from '../../src/content/markdown/nodes.ts';
import { parse } from '../../src/content/markdown/parse.ts';
import fc from '../support/property.ts';

/** What callers use: where nodes are, addresses and headings. */
const structureOf = (root: Root) => ({
  nodes: [...descend(root)].slice(1).map((node) => ({
    type: node.type,
    range: [startOf(node), endOf(node)],
    lines: [node.position?.start.line, node.position?.end.line],
    ...('url' in node && { url: node.url, urlAt: node.data?.urlAt }),
    ...(node.type === 'html' && { html: node.value }),
  })),
  headings: outline(root).headings,
});

const prose = 'the pump moves water from the tank, and a second one stands beside it. Both are checked each year ';

const pieces = [
  prose,
  `2. ${prose}`,
  'a well-known word, 5, 6 ',
  '# ',
  '## Part ',
  '- ',
  '1. ',
  '> ',
  '\n',
  '\n\n',
  '\n===\n',
  '\n---\n',
  '[',
  `](a.md "${prose}")`,
  '](<a b c d e f g h i j k l.md>) ',
  `[${prose}]: x.md\n`,
  `![a b c d\ne f g h ${prose}]`,
  `[a b c d e f g h ${prose}]: y.png\n`,
  '[id]: <x y.md>\n',
  '[id] ',
  '![',
  '`',
  '```\n',
  '    ',
  '**',
  '_',
  '<a href="a b c d e f g h i j.md">',
  '</a>',
  '<!-- ',
  ' -->',
  '<pre>',
  '<div>\n',
  '| a | b |\n| - | - |\n| ',
  ' | ',
  '{% include "a b c d e f g h i j k.md" %}',
  '{% hint title="',
  '%}',
  '"',
  '(',
  ')',
  '\\',
  '&amp; ',
  'www.example.com/a ',
  'https://example.com/b ',
  'é 日本 ',
  '\r\n',
];

const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 25 }).map((parts) => parts.join(''));

test('a condensed text has the same nodes, addresses and headings at the same places', () => {
  fc.assert(
    fc.property(texts, fc.nat(100), (text, offset) => {
      expect(structureOf(parseCondensed(text, offset))).toEqual(structureOf(parse(text, offset)));
    }),
    { numRuns: 1_000 },
  );
});

test('a text with front matter and long runs of words keeps its addresses in order', () => {
  const text = `---\ntitle: Pumps\n---\n\n${prose}[first](a.md) ${prose}\n${prose}[second](b.md).\n`;

  const { addresses } = readAddresses(text);

  expect(addresses.map(({ url, range }) => [url, text.slice(...range)])).toEqual([
    ['a.md', 'a.md'],
    ['b.md', 'b.md'],
  ]);
});

test('only the first and the last of a long run of plain words are parsed', () => {
  const root = parseCondensed(prose.repeat(20));

  const length = [...descend(root)].reduce((sum, node) => sum + (node.type === 'text' ? node.value.length : 0), 0);
  expect(length).toBeLessThan(prose.length);
});
