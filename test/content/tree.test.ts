import fc from '../support/property.ts';
import { describe, expect, test } from 'vitest';
import { addressOf, referenceOf } from '../../src/content/markdown/references.ts';
import { maxDepth } from '../../src/content/tree/tree.ts';
import { type Block, Tree } from '../../src/contract/pages.ts';
import { fromTree } from '../../src/content/tree/to-markdown.ts';
import { readTree } from '../../src/content/tree/read-tree.ts';
import { toTree } from '../../src/content/tree/from-markdown.ts';
import { runs } from '../support/long-form.ts';

const text = (value: string, ...marks: string[]) => ({
  object: 'text',
  leaves: [{ object: 'leaf', text: value, marks: marks.map((type) => ({ object: 'mark', type })) }],
});

describe('a document tree', () => {
  test('contains the elements of the Markdown', () => {
    const tree = toTree(
      '---\ntitle: T\n---\n# One **two**\n\nSee [it](/pages/Pg4Wq7eRt1Yu#x).\n\n```js\na\n\nb\n```\n\n---\n',
    );
    expect(tree.nodes.map((node) => node.type)).toEqual(['heading-1', 'paragraph', 'code', 'divider']);
    expect(tree.nodes[0]!.nodes).toEqual([
      {
        object: 'text',
        leaves: [
          { object: 'leaf', text: 'One ', marks: [] },
          { object: 'leaf', text: 'two', marks: [{ object: 'mark', type: 'bold' }] },
        ],
      },
    ]);
    expect(tree.nodes[1]!.nodes![1]).toEqual({
      object: 'inline',
      type: 'link',
      data: { ref: { kind: 'anchor', anchor: 'x', page: 'Pg4Wq7eRt1Yu' } },
      nodes: [text('it')],
    });
    expect(tree.nodes[2]).toEqual({
      object: 'block',
      type: 'code',
      data: { syntax: 'js' },
      nodes: ['a', '', 'b'].map((line) => ({ object: 'block', type: 'code-line', data: {}, nodes: [text(line)] })),
    });
    expect(tree.nodes[3]).toEqual({ object: 'block', type: 'divider', isVoid: true, data: {}, nodes: [] });
  });

  test.each([
    '# One\n',
    'A **bold** _italic_ ~~struck~~ `code` [link](https://a.example/) word.\n',
    '- one\n- two\n  1. three\n  2. four\n',
    '> quoted\n>\n> - list\n',
    '```sh\nnpm test\n```\n',
    '**bold _both_**\n',
    '---\n',
  ])('gives the Markdown back: %s', (markdown) => expect(fromTree(toTree(markdown))).toBe(markdown));

  test('keeps the text of elements that it cannot contain', () => {
    expect(fromTree(toTree('| a | b |\n|---|---|\n| 1 | 2 |\n\n![alt](x.png)\n\n<div>raw</div>\n\n#### deep\n'))).toBe(
      'a b\n1 2\n\n[alt](x.png)\n\nraw\n\n### deep\n',
    );
    const unknown = {
      object: 'document',
      data: {},
      nodes: [{ object: 'block', type: 'hint', data: {}, nodes: [text('Mind.')] }],
    };
    expect(readTree(unknown)).toEqual({ tree: unknown });
    expect(fromTree(unknown as Tree)).toBe('Mind.\n');
  });

  test('is stable: its Markdown is read as the same tree', () => {
    const mark = fc.constantFrom('bold', 'italic', 'strikethrough', 'code');
    const word = fc.constantFrom(
      'word',
      'two words',
      'a*b',
      '_x_',
      '# no',
      '1. no',
      '- no',
      '<b>',
      '[x]',
      '`',
      'ü',
      '~',
      '\\',
      '&amp;',
      'http://a.example',
    );
    const leaf = fc.record({
      object: fc.constant('leaf'),
      text: word,
      marks: fc.uniqueArray(mark, { maxLength: 3 }).map((marks) => marks.map((type) => ({ object: 'mark', type }))),
    });
    const line = fc.record({ object: fc.constant('text'), leaves: fc.array(leaf, { minLength: 1, maxLength: 4 }) });
    const { block } = fc.letrec<{ block: unknown }>((tie) => ({
      block: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.record({
          object: fc.constant('block'),
          type: fc.constantFrom('paragraph', 'heading-1', 'heading-3'),
          data: fc.constant({}),
          nodes: fc.array(line, { minLength: 1, maxLength: 2 }),
        }),
        fc.record({
          object: fc.constant('block'),
          type: fc.constant('blockquote'),
          data: fc.constant({}),
          nodes: fc.array(tie('block'), { minLength: 1, maxLength: 3 }),
        }),
        fc.record({
          object: fc.constant('block'),
          type: fc.constantFrom('list-ordered', 'list-unordered'),
          data: fc.constant({}),
          nodes: fc.array(
            fc.record({
              object: fc.constant('block'),
              type: fc.constant('list-item'),
              data: fc.constant({}),
              nodes: fc.array(tie('block'), { minLength: 1, maxLength: 2 }),
            }),
            { minLength: 1, maxLength: 3 },
          ),
        }),
      ),
    }));
    fc.assert(
      fc.property(fc.array(block, { maxLength: 4 }), (nodes) => {
        const tree = { object: 'document', data: {}, nodes } as Tree;
        expect(readTree(tree)).toEqual({ tree });
        const once = toTree(fromTree(tree));
        expect(words(once.nodes)).toBe(words(tree.nodes));
        // Marks on blanks at the edge of a run are dropped, and that may take a second turn.
        const twice = toTree(fromTree(once));
        expect(words(twice.nodes)).toBe(words(tree.nodes));
        expect(toTree(fromTree(twice))).toEqual(twice);
      }),
      { numRuns: runs(40, 500) },
    );
  });

  test('reports the place of each error', () => {
    expect(
      readTree({
        object: 'document',
        nodes: [
          {
            object: 'block',
            type: 'paragraph',
            nodes: [{ object: 'text' }, { object: 'inline', type: 'link', data: { ref: { kind: 'page' } }, nodes: [] }],
          },
          7,
        ],
      }),
    ).toEqual({
      issues: [
        { path: '/nodes/0/nodes/0/leaves', message: 'must be an array' },
        { path: '/nodes/0/nodes/1/data/ref/page', message: 'must be a string' },
        { path: '/nodes/1', message: 'must be an object' },
      ],
    });
    expect(readTree([])).toEqual({ issues: [{ path: '', message: 'must be an object' }] });
    expect(readTree({ object: 'document', nodes: [text('loose')] })).toMatchObject({
      issues: [{ path: '/nodes/0/object' }],
    });
  });

  test('gets the members that were skipped, so that it is a tree of the contract', () => {
    const ref = { kind: 'anchor', anchor: 'first-run', page: 'Pg4Wq7eRt1Yu' };
    const leaves = [{ object: 'leaf', text: 'a', marks: [{ type: 'underline' }, { type: 'bold' }] }];
    const read = readTree({
      object: 'document',
      nodes: [
        { object: 'block', type: 'divider' },
        {
          object: 'block',
          type: 'paragraph',
          nodes: [{ object: 'inline', type: 'link', data: { ref }, nodes: [{ object: 'text', leaves }] }],
        },
      ],
    });
    const tree = Tree().parse('tree' in read ? read.tree : undefined);
    expect(tree.nodes[0]).toEqual({ object: 'block', type: 'divider', data: {}, nodes: [] });
    expect(fromTree(tree)).toBe('---\n\n[**a**](/pages/Pg4Wq7eRt1Yu#first-run)\n');
  });

  test.each(['constructor', '__proto__', 'picture'])('has no link to a reference of the kind %s', (kind) => {
    const link = { object: 'inline', type: 'link', data: { ref: { kind } }, nodes: [] };
    expect(
      readTree({ object: 'document', nodes: [{ object: 'block', type: 'paragraph', nodes: [link] }] }),
    ).toMatchObject({ issues: [{ path: '/nodes/0/nodes/0/data/ref/kind' }] });
  });

  test('nests to a limit', () => {
    const nest = (depth: number): Block =>
      depth === 0
        ? { object: 'block', type: 'paragraph', data: {}, nodes: [] }
        : { object: 'block', type: 'blockquote', data: {}, nodes: [nest(depth - 1)] };
    expect(readTree({ object: 'document', nodes: [nest(maxDepth - 2)] }).issues).toBeUndefined();
    expect(readTree({ object: 'document', nodes: [nest(3000)] })).toMatchObject({
      issues: [{ message: 'must not nest blocks more than 40 deep' }],
    });
    expect(readTree(toTree(`${'>'.repeat(55)} x`)).issues).toBeUndefined();
  });
});

describe('references', () => {
  test.each([
    ['/pages/Pg4Wq7eRt1Yu', { kind: 'page', page: 'Pg4Wq7eRt1Yu' }],
    [
      '/spaces/Sp5Gh8jLm2Qw/pages/Pg4Wq7eRt1Yu#a',
      { kind: 'anchor', anchor: 'a', page: 'Pg4Wq7eRt1Yu', space: 'Sp5Gh8jLm2Qw' },
    ],
    ['#first-run', { kind: 'anchor', anchor: 'first-run' }],
    ['/files/Fi6Hj9kLa3Sd', { kind: 'file', file: 'Fi6Hj9kLa3Sd' }],
    ['/spaces/Sp5Gh8jLm2Qw', { kind: 'space', space: 'Sp5Gh8jLm2Qw' }],
    ['/openapi/pump-control', { kind: 'openapi', spec: 'pump-control' }],
    ['../a.md', { kind: 'url', url: '../a.md' }],
    ['/pages/guides/install', { kind: 'url', url: '/pages/guides/install' }],
  ])('%s', (url, reference) => {
    expect(referenceOf(url)).toEqual(reference);
    expect(addressOf(referenceOf(url))).toBe(url);
  });
});

function words(nodes: unknown[]): string {
  const all: string[] = [];
  JSON.stringify(nodes, (key, value) => {
    if (key === 'text' && typeof value === 'string') all.push(value);
    return value;
  });
  return all.join('').replaceAll(/\s/g, '');
}
