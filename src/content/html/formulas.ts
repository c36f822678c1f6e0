import type { ElementContent } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import temml from 'temml';

/** MathML of a formula in TeX; throws an error that says what is wrong with it. */
export function formula(tex: string, isBlock: boolean): ElementContent[] {
  const markup = temml.renderToString(tex, {
    displayMode: isBlock,
    throwOnError: true,
    maxExpand: 500,
    maxSize: [20, 20],
    trust: false,
  });
  return fromHtml(markup, { fragment: true }).children.filter((child) => child.type !== 'doctype');
}
