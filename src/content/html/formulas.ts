import type { Element, ElementContent } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import temml from 'temml';
import { addClass, childrenOf, classesOf, element, isElement, text } from './hast.ts';

/** Converts a formula in TeX to MathML for the style sheet `math.css`. @throws Error if the formula is invalid */
export function formula(tex: string, isBlock: boolean): ElementContent[] {
  const markup = temml.renderToString(tex, {
    displayMode: isBlock,
    throwOnError: true,
    maxExpand: 500,
    maxSize: [20, 20],
    trust: false,
  });
  return childrenOf(fromHtml(markup, { fragment: true })).map(adapted);
}

/** Pages have no inline styles, and browsers draw lines only where MathML Core has elements for them. */
function adapted(node: ElementContent): ElementContent {
  if (node.type !== 'element') return node;
  const children = node.children.map(adapted);
  const drawn = withoutStyle({ ...node, children });
  if (!isElement(drawn, 'menclose')) return drawn;
  const classes = classesOf(drawn);
  // The style sheet draws the line along the whole base, because not every font has a sign that stretches.
  if (classes.includes('tml-overline')) return lined('mover', 'tml-overline', children, '‾');
  if (classes.includes('tml-underline')) return lined('munder', 'tml-underline', children, '_');
  return drawn;
}

const lined = (tagName: string, className: string, base: ElementContent[], sign: string): Element =>
  element(tagName, { className: ['tml-lined'] }, [
    element('mrow', { className: [className] }, base),
    element('mo', { stretchy: 'true' }, [text(sign)]),
  ]);

/** Widths of the space beside a cell for which the style sheet has classes, in hundredths of the size. */
const spaces = [0, 50, 100, 200];
const pointsOfEm = 11.9552;

/** Turns an inline style into attributes and classes. */
function withoutStyle({ properties: { style, ...properties }, ...node }: Element): Element {
  const result: Element = { ...node, properties };
  for (const declaration of String(style ?? '').split(';')) {
    const [name = '', value = ''] = declaration.split(':').map((part) => part.trim());
    const side = /^padding-(left|right)$/.exec(name)?.[1];
    if (name === 'color' || name === 'background-color') {
      properties[name === 'color' ? 'mathcolor' : 'mathbackground'] = value;
    } else if (name === 'math-depth') {
      addClass(result, 'tml-same-size');
    } else if (name === 'border') {
      addClass(result, 'tml-fbox');
    } else if (side !== undefined) {
      const hundredths = Number.parseFloat(value) * (value.endsWith('pt') ? 100 / pointsOfEm : 100);
      const nearest = spaces.toSorted((a, b) => Math.abs(a - hundredths) - Math.abs(b - hundredths))[0] ?? 0;
      addClass(result, `tml-${side}-${nearest}`);
    }
  }
  return result;
}
