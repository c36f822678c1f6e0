import fc from 'fast-check';
import type { ElementContent } from 'hast';
import { toHtml } from 'hast-util-to-html';
import { expect, test } from 'vitest';
import { element, text } from '../../src/content/html/hast.ts';
import { writeHtml } from '../../src/content/html/write-html.ts';

const value = fc.string({ unit: fc.constantFrom(...'ab &<>"\'`=\u{1F600}\n') });
const properties = fc.record(
  {
    className: fc.array(fc.constantFrom('api-field', 'x'), { minLength: 1 }),
    title: value,
    href: value,
    htmlFor: fc.array(fc.constantFrom('a', 'b')),
    tabIndex: fc.integer({ min: -1, max: 3 }),
    hidden: fc.constant(true),
    dataInName: value,
    ariaLabelledBy: fc.array(fc.constantFrom('a', 'b')),
    srcSet: fc.constant('a.png 1x, b.png 2x'),
  },
  { requiredKeys: [] },
);
const tree = fc.letrec<{ node: ElementContent }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    value.filter((words) => words !== '').map(text),
    fc
      .tuple(fc.constantFrom('span', 'b', 'code'), properties, fc.array(tie('node'), { maxLength: 3 }))
      .map(([name, given, children]) => element(name, given, children)),
    properties.map((given) => element('img', given)),
  ),
})).node;

test('a tree is written as the library writes it', () => {
  fc.assert(
    fc.property(fc.array(tree, { maxLength: 4 }), (children) => {
      expect(writeHtml({ children })).toBe(toHtml({ type: 'root', children }));
    }),
    { numRuns: 300 },
  );
});

test('pictures keep the attributes of their language', () => {
  const svg = element('svg', { viewBox: '0 0 1 1', ariaHidden: 'true' }, [
    element('path', { strokeWidth: '2', d: 'M0 0' }),
  ]);
  expect(writeHtml({ children: [svg] })).toBe(
    '<svg viewBox="0 0 1 1" aria-hidden="true"><path stroke-width="2" d="M0 0"></path></svg>',
  );
});
