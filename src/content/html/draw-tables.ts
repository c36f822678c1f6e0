import type { Element, ElementContent } from 'hast';
import type { Draw, DrawContext } from './draw-context.ts';
import { drawImage } from './draw-images.ts';
import {
  addClass,
  attribute,
  cellsOf,
  type Column,
  columnsOf,
  element,
  findElement,
  hasAttribute,
  isBlank,
  isElement,
  plainProperties,
  rowsOf,
  text,
  textIn,
} from './hast.ts';
import { resolveLink } from './links.ts';

export function drawTable(node: Element, context: DrawContext, draw: Draw): Element {
  const columns = columnsOf(node);
  if (attribute(node, 'dataView') === 'cards') return drawCards(node, columns, context, draw);
  const isHeadless = hasAttribute(node, 'dataHeaderHidden') && attribute(node, 'dataHeaderHidden') !== 'false';
  const parts = node.children.flatMap((part): ElementContent[] => {
    if (!isElement(part, 'thead', 'tbody', 'tfoot')) return isElement(part, 'caption', 'colgroup') ? draw([part]) : [];
    const rows = rowsOf(part).map((row) => drawRow(row, columns, draw));
    const isHead = part.tagName === 'thead';
    const isEmpty = textIn(rows).trim() === '' && !findElement(rows, (inner) => isElement(inner, 'img'));
    if (isHead && isEmpty) return [];
    return [element(part.tagName, isHead && isHeadless ? { className: ['visually-hidden'] } : {}, rows)];
  });
  const table = element('div', { className: ['table'], tabIndex: 0 }, [element('table', plainProperties(node), parts)]);
  if (attribute(node, 'dataFullWidth') === 'true') addClass(table, 'full-width');
  return table;
}

function drawRow(row: Element, columns: Column[], draw: Draw): Element {
  const cells = cellsOf(row).flatMap((cell, index): Element[] => {
    const column = columns[index];
    if (column?.isHidden) return [];
    const children = draw(cell.children);
    const content = cell.tagName === 'td' ? drawValue(children, column?.type ?? '') : children;
    const properties = plainProperties(cell);
    // Screen readers would announce an empty header with each cell of its column.
    if (cell.tagName === 'th' && content.every(isBlank)) return [element('td', properties)];
    return [element(cell.tagName, cell.tagName === 'th' ? { scope: 'col', ...properties } : properties, content)];
  });
  return element('tr', {}, cells);
}

function drawValue(children: ElementContent[], type: string): ElementContent[] {
  const written = textIn(children).trim();
  if (type === 'rating' && /^\d$/.test(written)) return [text('★'.repeat(Number(written)) || '0')];
  if (type !== 'checkbox') return children;
  const [name, sign] = written === 'true' ? ['check-yes', '✓'] : ['check-no', '✗'];
  return [element('span', { className: ['check', name] }, [text(sign)])];
}

function drawCards(node: Element, columns: Column[], context: DrawContext, draw: Draw): Element {
  const rows = node.children.flatMap((part) => (isElement(part, 'tbody') ? rowsOf(part) : []));
  const className = attribute(node, 'dataCardSize') === 'large' ? ['cards', 'cards-large'] : ['cards'];
  context.cardDepth += 1;
  const cards = rows.map((row) => drawCard(cellsOf(row), columns, context, draw));
  context.cardDepth -= 1;
  return element('ul', { className }, cards);
}

function drawCard(cells: Element[], columns: Column[], context: DrawContext, draw: Draw): Element {
  const { line } = context;
  const covers: ElementContent[] = [];
  const contents: Element[] = [];
  let target: string | undefined;
  for (const [index, cell] of cells.entries()) {
    const { role, isHidden = false } = columns[index] ?? {};
    if (role === 'cover' || role === 'cover-dark') covers.push(...drawCover(cell, role, cells, columns, context));
    else if (role === 'target') target = addressIn(cell);
    else if (!isHidden) {
      const children = draw(cell.children).filter((child, _, all) => all.length > 1 || !isBlank(child));
      if (children.length > 0) contents.push(element('div', { className: ['card-text'] }, children));
    }
  }
  // Covers go to the edges of the card, and only its body has a margin.
  const body =
    covers.length > 0 && contents.length > 0 ? [element('div', { className: ['card-body'] }, contents)] : contents;
  const className = covers.length > 0 ? ['card', 'card-with-cover'] : ['card'];
  const card = element('li', { className }, [...covers, ...body]);
  const resolved = target === undefined ? undefined : resolveLink(target, line, context);
  if (resolved) linkCard(card, contents, resolved.href, resolved.title);
  return card;
}

/** Turns the first text of a card into the link of the whole card, unless the card contains other links. */
function linkCard(card: Element, contents: Element[], href: string, title: string | undefined): void {
  const first = contents.find((content) => textIn(content).trim() !== '');
  const hasLinks = findElement(contents, (inner) => isElement(inner, 'a', 'button'));
  const hasBlocks = findElement(first?.children ?? [], (inner) =>
    isElement(inner, 'div', 'ul', 'ol', 'table', 'figure'),
  );
  if (first && !hasLinks && !hasBlocks) {
    const only = first.children.length === 1 ? first.children[0] : undefined;
    // The link is inside the paragraph, not around it.
    const holder = isElement(only, 'p') ? only : first;
    holder.children = [element('a', { className: ['card-link'], href }, holder.children)];
    return;
  }
  const label = title ?? (first ? textIn(first).trim() : href);
  card.children.push(element('a', { className: ['card-link'], href, ariaLabel: label || href }));
}

function addressIn(cell: Element): string | undefined {
  const link = findElement(cell.children, (inner) => isElement(inner, 'a') && attribute(inner, 'href') !== '');
  return (link ? attribute(link, 'href') : textIn(cell).trim()) || undefined;
}

function drawCover(
  cell: Element,
  role: 'cover' | 'cover-dark',
  cells: Element[],
  columns: Column[],
  context: DrawContext,
): ElementContent[] {
  const image = findElement(cell.children, (inner) => isElement(inner, 'img'));
  const url = image ? attribute(image, 'src') : addressIn(cell);
  if (url === undefined) return [];
  const drawn = drawImage(element('img', { src: url, alt: image ? attribute(image, 'alt') : '' }), context);
  if (!isElement(drawn, 'img')) return [];
  const other = role === 'cover' ? 'cover-dark' : 'cover';
  const hasOther = cells.some((one, index) => columns[index]?.role === other && addressIn(one) !== undefined);
  addClass(drawn, 'card-cover', ...(hasOther ? [role === 'cover' ? 'image-light' : 'image-dark'] : []));
  drawn.properties['loading'] = 'lazy';
  return [drawn];
}
