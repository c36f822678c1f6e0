import type { Root } from 'mdast';
import { parse, parseExtension } from '../markdown/parse.ts';
import { nestBlocks, shiftLines } from './nest.ts';
import type { PageProblems } from './problems.ts';
import { blockNodes, blockSyntax } from './syntax.ts';

const extension = parseExtension(blockSyntax, blockNodes);

/**
 * The tree of a text without front matter, with its blocks as nodes (`nodes.ts`). The lines of positions count from
 * `firstLine`; blocks that are not closed, and the like, are added to the problems.
 */
export function readBlocks(text: string, problems: PageProblems, firstLine = 1): Root {
  const root = parse(text, 0, extension);
  shiftLines(root, firstLine - 1);
  if (text.includes('{%')) {
    nestBlocks(root, {
      parse: (part) => parse(part, 0, extension),
      problems,
      rereadable: 50_000 + 4 * text.length,
    });
  }
  return root;
}
