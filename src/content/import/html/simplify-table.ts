import type { Element, ElementContent } from 'hast';
import { words } from '../../../shared/words.ts';
import { element, findElement, isElement, text, textIn } from '../../html/hast.ts';
import { all, change, elements, lower } from './html-tree.ts';

const blocks = new Set(words('p div ul ol pre blockquote table h1 h2 h3 h4 h5 h6 dl section hr li article details'));

export const isPhrasing = ({ children }: Element): boolean =>
  !findElement(children, (inner) => blocks.has(inner.tagName));

/**
 * The table, or only its content if it is for layout: code next to line numbers, a note next to its icon, or parts of the
 * page.
 */
export function tableOrContent(table: Element): ElementContent[] {
  const rows = all(table, ({ tagName }) => tagName === 'tr').map((row) =>
    elements(row).filter((cell) => isElement(cell, 'td', 'th')),
  );
  const widest = rows.reduce((most, cells) => Math.max(most, cells.length), 0);
  const heads = rows.flat().filter(({ tagName }) => tagName === 'th').length;
  if (rows.length === 0) return [];
  const codes = rows.length === 1 && heads === 0 ? all(table, ({ tagName }) => tagName === 'pre') : [];
  if (codes.length > 0) return codes.slice(-1);
  const layout =
    (widest <= 1 && heads === 0) ||
    lower(table, 'role') === 'presentation' ||
    (rows.length === 1 && heads === 0 && rows.flat().some((cell) => !isPhrasing(cell)));
  if (!layout) return [oneLineCells(table)];
  return rows.flat().map((cell) => element(isPhrasing(cell) ? 'p' : 'div', {}, cell.children));
}

// A cell of a Markdown table is a single line, so line breaks separate its blocks.
function oneLineCells(table: Element): Element {
  const lineBreak = () => element('br', {});
  change(table, (node) => {
    if (node.tagName === 'pre') {
      const lines = textIn(node).trim().split('\n');
      const codes = lines.map((line) => element('code', {}, [text(line)]));
      return codes.flatMap((code, index) => (index > 0 ? [lineBreak(), code] : [code]));
    }
    if (!isElement(node, 'td', 'th')) return [node];
    let isAfterText = false;
    const children = node.children.flatMap((child) => {
      const isBreak = isAfterText && child.type === 'element' && blocks.has(child.tagName);
      isAfterText ||= textIn(child).trim() !== '';
      return isBreak ? [lineBreak(), child] : [child];
    });
    return [{ ...node, children }];
  });
  return table;
}
