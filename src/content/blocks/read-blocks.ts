import type { Nodes, Root } from 'mdast';
import { parse, parseExtension } from '../markdown/parse.ts';
import { drawAsHints } from './alerts.ts';
import { tabsOfComponents } from './component-tabs.ts';
import { hintsOfContainers } from './containers.ts';
import { kindOf } from './kinds.ts';
import { nestBlocks, shiftLines } from './nest.ts';
import { findOtherMarkdown } from './other-markdown.ts';
import type { PageProblems } from './problems.ts';
import { blockNodes, blockSyntax } from './syntax.ts';

/** Blocks in addition to CommonMark and GFM. */
export const withBlocks = parseExtension(blockSyntax, blockNodes);

/**
 * Parses a text without front matter, with its blocks as nodes (`nodes.ts`). Lines are counted from `firstLine`. Mistakes
 * such as unclosed blocks are added to the problems.
 */
export function readBlocks(markdown: string, problems: PageProblems, firstLine = 1): Root {
  findOtherMarkdown(markdown, problems, firstLine);
  const text = tabsOfComponents(hintsOfContainers(markdown, problems, firstLine));
  const root = parse(text, 0, withBlocks);
  shiftLines(root, firstLine - 1);
  if (text.includes('{%')) {
    nestBlocks(root, {
      parse: (part) => parse(part, 0, withBlocks),
      problems,
      rereadable: 50_000 + 4 * text.length,
    });
    // A reusable text can be the inner part of a block.
    if (problems.include === undefined) reportMisplaced(root, undefined, problems);
  }
  if (/\[!\w+\]/.test(text) || text !== markdown) drawAsHints(root);
  return root;
}

/** Blocks that can be between a block and its parts. */
const transparent = new Set(['if', 'branch']);

/** @param outer the name of the block around the node */
function reportMisplaced(node: Nodes, outer: string | undefined, problems: PageProblems): void {
  let inside = outer;
  if (node.type === 'block' && !transparent.has(node.name)) {
    const { within } = kindOf(node.name);
    if (within !== undefined && within !== outer && !node.isStray) {
      const message = `The block "${node.name}" is not inside a block "${within}": add {% ${within} %} before it and {% end${within} %} after it.`;
      problems.add('misplaced-block', node.position?.start, message);
    }
    inside = node.name;
  }
  if ('children' in node) for (const child of node.children) reportMisplaced(child, inside, problems);
}
