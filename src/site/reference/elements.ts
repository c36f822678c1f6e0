import type { Element, ElementContent } from 'hast';
import { element, text } from '../../content/html/hast.ts';

/** Creates an element from a selector such as `p.api-fact`. Strings become texts. */
export function h(selector: string, ...children: (ElementContent | ElementContent[] | string)[]): Element {
  const [tagName = '', ...className] = selector.split('.');
  const nodes = children.flat().map((child) => (typeof child === 'string' ? text(child) : child));
  return element(tagName, className.length > 0 ? { className } : {}, nodes);
}
