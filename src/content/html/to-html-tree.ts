import type { ElementContent } from 'hast';
import { raw } from 'hast-util-raw';
import type { Nodes, Root } from 'mdast';
import { type Handler, toHast } from 'mdast-util-to-hast';
import { VFile } from 'vfile';
import type { DrawContext, Drawn } from './draw-context.ts';

/** The HTML tree of a text, with the HTML of authors parsed, and `Drawn` nodes where blocks, code and formulas are. */
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
  // With a file, nodes keep their places, which problems need.
  const parsed = raw(tree, { passThrough: ['drawn'], file: new VFile() });
  return parsed.type === 'root' ? parsed.children.filter((child) => child.type !== 'doctype') : [];
}
