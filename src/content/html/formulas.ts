import type { ElementContent } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import temml from 'temml';
import { childrenOf } from './hast.ts';

/** Converts a formula in TeX to MathML. @throws Error if the formula is invalid */
export function formula(tex: string, isBlock: boolean): ElementContent[] {
  const markup = temml.renderToString(tex, {
    displayMode: isBlock,
    throwOnError: true,
    maxExpand: 500,
    maxSize: [20, 20],
    trust: false,
  });
  return childrenOf(fromHtml(markup, { fragment: true }));
}
