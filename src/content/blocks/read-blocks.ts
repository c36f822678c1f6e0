import type { Nodes, Root } from 'mdast';
import { parse, parseExtension } from '../markdown/parse.ts';
import { kindOf } from './kinds.ts';
import { nestBlocks, shiftLines } from './nest.ts';
import type { PageProblems } from './problems.ts';
import { blockNodes, blockSyntax } from './syntax.ts';

/** Blocks beside CommonMark and GFM. */
export const withBlocks = parseExtension(blockSyntax, blockNodes);

/**
 * The tree of a text without front matter, with its blocks as nodes (`nodes.ts`). The lines of positions count from
 * `firstLine`; blocks that are not closed, and the like, are added to the problems.
 */
export function readBlocks(text: string, problems: PageProblems, firstLine = 1): Root {
  const root = parse(text, 0, withBlocks);
  shiftLines(root, firstLine - 1);
  if (text.includes('{%')) {
    nestBlocks(root, {
      parse: (part) => parse(part, 0, withBlocks),
      problems,
      rereadable: 50_000 + 4 * text.length,
    });
    // A reusable text may be the inner part of a block.
    if (problems.include === undefined) reportMisplaced(root, undefined, problems);
  }
  return root;
}

/** Blocks between which and their parts others may stand. */
const transparent = new Set(['if', 'branch']);

/** @param outer name of the block that the node stands in */
function reportMisplaced(node: Nodes, outer: string | undefined, problems: PageProblems): void {
  let inside = outer;
  if (node.type === 'block' && !transparent.has(node.name)) {
    const { within } = kindOf(node.name);
    if (within !== undefined && within !== outer && !node.isStray) {
      const { line, column } = node.position?.start ?? {};
      const message = `The block "${node.name}" stands outside of a block "${within}": put {% ${within} %} before it and {% end${within} %} after it.`;
      problems.add('misplaced-block', line, message, column);
    }
    inside = node.name;
  }
  if ('children' in node) for (const child of node.children) reportMisplaced(child, inside, problems);
}
