import type { ElementContent } from 'hast';
import { PageProblems } from '../blocks/problems.ts';
import { readBlocks } from '../blocks/read-blocks.ts';
import { resolveBlocks, UsedByPage } from '../blocks/resolve-blocks.ts';
import { element, text } from './content.ts';
import { drawNodes } from './draw.ts';
import { DrawContext, type RareModules } from './draw-context.ts';
import type { PageHeading, PageSource } from './page-source.ts';
import { guard } from './safe-html.ts';
import { toHtmlTree } from './to-html-tree.ts';

/** A text that is a part of a page, such as the description of an operation. Sanitized as pages are. */
export function renderFragment(
  markdown: string,
  source: PageSource,
  rare: RareModules,
): { children: ElementContent[]; headings: PageHeading[] } {
  const problems = new PageProblems();
  const uses = new UsedByPage();
  try {
    const root = readBlocks(markdown, problems, 1);
    resolveBlocks(root, { source, problems, uses });
    const context = new DrawContext({ source, problems, uses, rare, locale: 'en' });
    const tree = { type: 'root' as const, children: drawNodes(toHtmlTree(root, context), context) };
    guard(tree);
    return { children: tree.children, headings: context.headings };
  } catch (error) {
    // Thousands of elements in each other take more stack than there is.
    if (!(error instanceof RangeError)) throw error;
    return { children: [element('p', {}, [text(markdown)])], headings: [] };
  }
}
