import type { Element, ElementContent } from 'hast';
import {
  addClass,
  attribute,
  element,
  findElement,
  hasAttribute,
  isBlank,
  isElement,
  text,
  textIn,
} from './content.ts';
import type { DrawContext } from './draw-context.ts';
import { drawImage } from './draw-images.ts';
import { resolveLink } from './links.ts';
import { plainProperties } from './plain-properties.ts';

type Draw = (nodes: ElementContent[]) => ElementContent[];

interface Column {
  isHidden: boolean;
  role?: 'target' | 'cover' | 'cover-dark';
  type: string;
}

export function drawTable(node: Element, context: DrawContext, draw: Draw): ElementContent[] {
  const columns = columnsOf(node);
  if (attribute(node, 'dataView') === 'cards') return [drawCards(node, columns, context, draw)];
  const isHeadless = hasAttribute(node, 'dataHeaderHidden') && attribute(node, 'dataHeaderHidden') !== 'false';
  const parts = node.children.flatMap((part): ElementContent[] => {
    if (!isElement(part, 'thead', 'tbody', 'tfoot')) return isElement(part, 'caption', 'colgroup') ? draw([part]) : [];
    const rows = rowsOf(part).map((row) => drawRow(row, columns, draw));
    const isEmpty = rows.every(
      (row) => textIn(row).trim() === '' && !findElement([row], (found) => isElement(found, 'img')),
    );
    // A header without a word says nothing to anybody.
    if (part.tagName === 'thead' && isEmpty) return [];
    return [
      element(part.tagName, part.tagName === 'thead' && isHeadless ? { className: ['visually-hidden'] } : {}, rows),
    ];
  });
  const table = element('div', { className: ['table'], tabIndex: 0 }, [element('table', plainProperties(node), parts)]);
  if (attribute(node, 'dataFullWidth') === 'true') addClass(table, 'full-width');
  return [table];
}

const rowsOf = (part: Element): Element[] => part.children.filter((child) => isElement(child, 'tr'));
const cellsOf = (row: Element): Element[] => row.children.filter((child) => isElement(child, 'td', 'th'));

function columnsOf(table: Element): Column[] {
  const head = table.children.find((child) => isElement(child, 'thead'));
  const row = head && rowsOf(head).at(0);
  return (row ? cellsOf(row) : []).map((cell) => ({
    isHidden: hasAttribute(cell, 'dataHidden'),
    type: attribute(cell, 'dataType'),
    ...(hasAttribute(cell, 'dataCardTarget')
      ? { role: 'target' as const }
      : hasAttribute(cell, 'dataCardCoverDark')
        ? { role: 'cover-dark' as const }
        : hasAttribute(cell, 'dataCardCover')
          ? { role: 'cover' as const }
          : {}),
  }));
}

function drawRow(row: Element, columns: Column[], draw: Draw): Element {
  const cells = cellsOf(row).flatMap((cell, index): Element[] => {
    const column = columns[index];
    if (column?.isHidden) return [];
    const children = draw(cell.children);
    const content = cell.tagName === 'td' ? drawValue(children, column?.type ?? '') : children;
    const properties = plainProperties(cell);
    return [element(cell.tagName, cell.tagName === 'th' ? { scope: 'col', ...properties } : properties, content)];
  });
  return element('tr', {}, cells);
}

function drawValue(children: ElementContent[], type: string): ElementContent[] {
  const written = children
    .map((child) => textIn(child))
    .join('')
    .trim();
  if (type === 'checkbox') {
    const isChecked = written === 'true';
    return [
      element('span', { className: ['check', isChecked ? 'check-yes' : 'check-no'] }, [text(isChecked ? '✓' : '✗')]),
    ];
  }
  if (type === 'rating' && /^\d$/.test(written)) return [text('★'.repeat(Number(written)) || '0')];
  return children;
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
  const card = element('li', { className: ['card'] }, [...covers, ...contents]);
  const resolved = target === undefined ? undefined : resolveLink(target, line, context);
  if (resolved) linkCard(card, contents, resolved.href, resolved.title);
  return card;
}

/** Makes the card's first text the link of the whole card, unless it contains links itself. */
function linkCard(card: Element, contents: Element[], href: string, title: string | undefined): void {
  const first = contents.find((content) => textIn(content).trim() !== '');
  const hasLinks = findElement(contents, (found) => isElement(found, 'a', 'button')) !== undefined;
  if (
    first &&
    !hasLinks &&
    !findElement(first.children, (found) => isElement(found, 'div', 'ul', 'ol', 'table', 'figure'))
  ) {
    const only = first.children.length === 1 ? first.children[0] : undefined;
    // The link stands within a heading or paragraph, not around it.
    const holder = isElement(only, 'p') ? only : first;
    holder.children = [element('a', { className: ['card-link'], href }, holder.children)];
    return;
  }
  const label = title ?? (first ? textIn(first).trim() : href);
  card.children.push(element('a', { className: ['card-link'], href, ariaLabel: label || href }));
}

function addressIn(cell: Element): string | undefined {
  const link = findElement(cell.children, (found) => isElement(found, 'a') && attribute(found, 'href') !== '');
  const written = link ? attribute(link, 'href') : textIn(cell).trim();
  return written === '' ? undefined : written;
}

function drawCover(
  cell: Element,
  role: 'cover' | 'cover-dark',
  cells: Element[],
  columns: Column[],
  context: DrawContext,
): ElementContent[] {
  const image = findElement(cell.children, (found) => isElement(found, 'img'));
  const url = image ? attribute(image, 'src') : addressIn(cell);
  if (url === undefined) return [];
  const drawn = drawImage(element('img', { src: url, alt: image ? attribute(image, 'alt') : '' }), context);
  const other = role === 'cover' ? 'cover-dark' : 'cover';
  const hasOther = cells.some((one, index) => columns[index]?.role === other && addressIn(one) !== undefined);
  return drawn.flatMap((one) => {
    if (!isElement(one, 'img')) return [];
    addClass(one, 'card-cover', ...(hasOther ? [role === 'cover' ? 'image-light' : 'image-dark'] : []));
    one.properties['loading'] = 'lazy';
    return [one];
  });
}
