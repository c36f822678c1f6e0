import type { ElementContent } from 'hast';
import { raw } from 'hast-util-raw';
import type { Nodes, Root } from 'mdast';
import { type Handler, toHast } from 'mdast-util-to-hast';
import { VFile } from 'vfile';
import type { DrawContext, Drawn } from './draw-context.ts';
import { childrenOf } from './hast.ts';

/** Converts Markdown to an HTML tree with parsed HTML from authors, and `Drawn` nodes for blocks, code and formulas. */
export function toHtmlTree(root: Root, context: DrawContext): ElementContent[] {
  const drawn: Handler = (state, node: Nodes) => {
    if (node.type !== 'block' && node.type !== 'code' && node.type !== 'formula') return undefined;
    const index = context.drawn.push(node) - 1;
    const result: Drawn = { type: 'drawn', index, children: 'children' in node ? state.all(node) : [] };
    state.patch(node, result);
    return result;
  };
  const tree = toHast(root, {
    allowDangerousHtml: true,
    clobberPrefix: '',
    handlers: { block: drawn, code: drawn, formula: drawn },
  });
  // With a file, nodes keep their positions, which problems need.
  const parsed = raw(tree, { passThrough: ['drawn'], file: new VFile() });
  return parsed.type === 'root' ? childrenOf(parsed) : [];
}
