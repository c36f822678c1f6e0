import { expect, test } from 'vitest';
import { compareHtml } from '../../src/content/html/compare-html.ts';
import fc from '../support/property.ts';

/** Without the attributes that changes get for jumping. */
const compared = (before: string, after: string) =>
  compareHtml(before, after).html.replaceAll(/ (?:id="change-\d+"|tabindex="-1")/g, '');

test.each([
  ['a word', '<p>Close valve A.</p>', '<p>Close valve B.</p>', '<p>Close valve <del>A</del><ins>B</ins>.</p>'],
  ['nothing', '<p>Same <b>text</b></p>', '<p>Same <b>text</b></p>', '<p>Same <b>text</b></p>'],
  [
    'words in an element',
    '<p>Read <a href="/x">the old guide</a> now.</p>',
    '<p>Read <a href="/x">the new guide</a> now.</p>',
    '<p>Read <a href="/x">the </a><a href="/x"><del>old</del></a><a href="/x"><ins>new</ins></a><a href="/x"> guide</a> now.</p>',
  ],
  [
    'a paragraph that was added',
    '<h2 id="one">One</h2><p>First.</p>',
    '<h2 id="one">One</h2><p>Wholly different words.</p><p>First.</p>',
    '<h2>One</h2><p class="compare-ins">Wholly different words.</p><p>First.</p>',
  ],
  [
    'a paragraph that was removed',
    '<p>One.</p><p>Two.</p>',
    '<p>Two.</p>',
    '<p class="compare-del">One.</p><p>Two.</p>',
  ],
  [
    'an item of a list',
    '<ul><li>Pump</li><li>Valve</li></ul>',
    '<ul><li>Pump</li><li>Gasket</li><li>Valve</li></ul>',
    '<ul><li>Pump</li><li class="compare-ins">Gasket</li><li>Valve</li></ul>',
  ],
  [
    'a cell of a table',
    '<div class="table"><table><tbody><tr><td>Size</td><td>4</td></tr></tbody></table></div>',
    '<div class="table"><table><tbody><tr><td>Size</td><td>5</td></tr></tbody></table></div>',
    '<div class="table"><table><tbody><tr><td>Size</td><td><del>4</del><ins>5</ins></td></tr></tbody></table></div>',
  ],
  [
    'an image',
    '<p>See <img src="a.png"></p>',
    '<p>See <img src="b.png"></p>',
    '<p>See <del><img src="a.png"></del><ins><img src="b.png"></ins></p>',
  ],
])('%s is marked', (_, before, after, expected) => {
  expect(compared(before, after)).toBe(expected);
});

test('changes in a row count as one, and have IDs to jump to', () => {
  const { html, changes } = compareHtml('<p>One two three four.</p>', '<p>One 2 three 4.</p>');

  expect(changes).toBe(2);
  expect(html).toContain('<del id="change-1" tabindex="-1">two</del><ins>2</ins>');
  expect(html).toContain('<del id="change-2" tabindex="-1">four</del>');
});

test('without the insertions it is the old text, without the deletions the new one', () => {
  const word = fc.constantFrom('pump', 'valve', 'oil', '<b>water</b>', '<a href="/x">see there</a>');
  const paragraph = fc.array(word, { maxLength: 8 }).map((words) => `<p>${words.join(' ')}</p>`);
  const page = fc.array(paragraph, { maxLength: 5 }).map((paragraphs) => paragraphs.join(''));
  const textOf = (html: string) =>
    html
      .replaceAll(/<\/p>/g, ' ')
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim();
  const without = (html: string, mark: string) =>
    html
      .replaceAll(new RegExp(`<p class="compare-${mark}">.*?</p>`, 'g'), '')
      .replaceAll(new RegExp(`<${mark}>.*?</${mark}>`, 'g'), '');
  fc.assert(
    fc.property(page, page, (before, after) => {
      const html = compared(before, after);
      expect(textOf(without(html, 'ins'))).toBe(textOf(before));
      expect(textOf(without(html, 'del'))).toBe(textOf(after));
    }),
  );
});
