import type { Element, ElementContent, Text } from 'hast';
import { all, change, elementOf, elements, find, lower, textOf } from './html-tree.ts';

const blocks = new Set([
  'p',
  'div',
  'ul',
  'ol',
  'pre',
  'blockquote',
  'table',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'dl',
  'section',
  'hr',
  'li',
  'article',
  'details',
]);

export function isPhrasing(element: Element): boolean {
  return !find(element, (inner) => inner !== element && blocks.has(inner.tagName));
}

/**
 * The table; or its content where the table only places code next to line numbers, a note next to its icon, or parts of
 * the page.
 */
export function tableOrContent(table: Element): ElementContent[] {
  const rows = all(table, ({ tagName }) => tagName === 'tr').map((row) =>
    elements(row).filter(({ tagName }) => tagName === 'td' || tagName === 'th'),
  );
  const widest = rows.reduce((most, cells) => Math.max(most, cells.length), 0);
  const heads = rows.flat().filter(({ tagName }) => tagName === 'th').length;
  if (rows.length === 0) return [];
  const code = rows.length === 1 && heads === 0 && find(table, ({ tagName }) => tagName === 'pre');
  if (code) return all(table, ({ tagName }) => tagName === 'pre').slice(-1);
  const layout =
    (widest <= 1 && heads === 0) ||
    lower(table.properties['role']) === 'presentation' ||
    (rows.length === 1 && heads === 0 && rows.flat().some((cell) => !isPhrasing(cell)));
  if (!layout) return [oneLineCells(table)];
  return rows.flat().map((cell) => elementOf(isPhrasing(cell) ? 'p' : 'div', cell.children));
}

// A cell of a Markdown table is one line: its blocks are separated by line breaks.
function oneLineCells(table: Element): Element {
  change(table, (element) => {
    if (element.tagName === 'pre') {
      return textOf(element)
        .trim()
        .split('\n')
        .flatMap((line, index) => [
          ...(index > 0 ? [elementOf('br', [])] : []),
          elementOf('code', [{ type: 'text', value: line } satisfies Text]),
        ]);
    }
    if (element.tagName !== 'td' && element.tagName !== 'th') return [element];
    let isAfterText = false;
    const children = element.children.flatMap((child) => {
      const isBlock = child.type === 'element' && blocks.has(child.tagName);
      const before = isBlock && isAfterText;
      isAfterText ||= textOf(child).trim() !== '';
      return before ? [elementOf('br', []), child] : [child];
    });
    return [{ ...element, children }];
  });
  return table;
}
