import type { Element } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { type State, toMdast } from 'hast-util-to-mdast';
import type { PhrasingContent, RootContent } from 'mdast';
import { childrenOf, limitDepth, textOf } from '../import/html/html-tree.ts';
import type { Card, HtmlCell, HtmlRow } from './nodes.ts';

/** The blocks of a piece of HTML. */
export function blocksOfHtml(html: string): RootContent[] {
  const root = fromHtml(html, { fragment: true });
  limitDepth(root);
  const tree = toMdast(root, {
    handlers: {
      table: (state: State, node: Element) => tableOf(state, node),
      figure: (state: State, node: Element) => figureOf(state, node),
      details: (state: State, node: Element) => detailsOf(state, node),
      picture: (state: State, node: Element) => state.all(node).filter(({ type }) => type === 'image'),
      button: (state: State, node: Element) => ({ type: 'strong', children: phrasing(state.all(node)) }),
      i: (state: State, node: Element) =>
        isIcon(node) ? { type: 'text', value: '' } : { type: 'emphasis', children: phrasing(state.all(node)) },
    },
  });
  return tree.type === 'root' ? tree.children : [];
}

/** An icon of Font Awesome, such as `<i class="fa-rocket">:rocket:</i>`. */
function isIcon({ properties }: Element): boolean {
  const names = properties['className'];
  return Array.isArray(names) && names.some((name) => String(name).startsWith('fa-'));
}

const inlineTypes = new Set(
  'text strong emphasis delete link linkReference inlineCode break image imageReference html formula expression footnoteReference'.split(
    ' ',
  ),
);

/** What may stand in a line; paragraphs are taken apart. */
export function phrasing(nodes: readonly RootContent[]): PhrasingContent[] {
  return nodes.flatMap((node): PhrasingContent[] => {
    if (isPhrasing(node)) return [node];
    return 'children' in node ? phrasing(node.children) : 'value' in node ? [{ type: 'text', value: node.value }] : [];
  });
}

const isPhrasing = (node: RootContent): node is PhrasingContent => inlineTypes.has(node.type);

function find(node: Element, name: string): Element | undefined {
  for (const child of childrenOf(node)) {
    if (child.type !== 'element') continue;
    const found = child.tagName === name ? child : find(child, name);
    if (found) return found;
  }
  return undefined;
}

const property = (node: Element | undefined, name: string): string => {
  const value = node?.properties[name];
  return typeof value === 'string' ? value : '';
};

function figureOf(state: State, node: Element): RootContent[] {
  const image = find(node, 'img');
  if (!image) return state.all(node);
  const caption = find(node, 'figcaption');
  return [
    {
      type: 'figure',
      url: property(image, 'src'),
      alt: property(image, 'alt') || (caption ? textOf(caption).trim() : ''),
      children: caption ? phrasing(state.all(caption)) : [],
    },
  ];
}

function detailsOf(state: State, node: Element): RootContent {
  const summary = find(node, 'summary');
  const rest = { ...node, children: node.children.filter((child) => child !== summary) };
  return {
    type: 'block',
    name: 'details',
    attributes: { title: summary ? textOf(summary).trim() : '' },
    inline: false,
    tag: 'details',
    children: state.all(rest),
  };
}

interface Column {
  isHidden: boolean;
  isTarget: boolean;
  isCover: boolean;
}

function tableOf(state: State, node: Element): RootContent {
  const rows = rowsIn(node, false);
  if (property(node, 'dataView') === 'cards') return cardsOf(state, rows);
  const columns = columnsOf(rows);
  return {
    type: 'htmlTable',
    value: '',
    rows: rows.map(({ row, isHead }): HtmlRow => ({
      isHead,
      cells: cellsIn(row).flatMap((cell, index): HtmlCell[] => {
        const shown: HtmlCell = { children: state.all(cell), isHeader: cell.tagName === 'th' };
        const span = Math.min(Number(cell.properties['colSpan'] ?? 1) || 1, 50);
        const empty: HtmlCell = { children: [], isHeader: shown.isHeader };
        return columns[index]?.isHidden ? [] : [shown, ...Array.from({ length: span - 1 }, () => empty)];
      }),
    })),
  };
}

function rowsIn(node: Element, isHead: boolean): { row: Element; isHead: boolean }[] {
  return childrenOf(node).flatMap((child) => {
    if (child.type !== 'element') return [];
    if (child.tagName === 'tr') return [{ row: child, isHead }];
    return /^t(?:head|body|foot)$/.test(child.tagName) ? rowsIn(child, child.tagName === 'thead') : [];
  });
}

const cellsIn = (row: Element): Element[] =>
  childrenOf(row).filter(
    (child): child is Element => child.type === 'element' && (child.tagName === 'td' || child.tagName === 'th'),
  );

function columnsOf(rows: readonly { row: Element; isHead: boolean }[]): Column[] {
  const head = rows.find(({ isHead }) => isHead);
  return (head ? cellsIn(head.row) : []).map(({ properties }) => ({
    isHidden: 'dataHidden' in properties,
    isTarget: 'dataCardTarget' in properties,
    isCover: 'dataCardCover' in properties,
  }));
}

function cardsOf(state: State, rows: readonly { row: Element; isHead: boolean }[]): RootContent {
  const columns = columnsOf(rows);
  const cards = rows
    .filter(({ isHead }) => !isHead)
    .map(({ row }): Card => {
      const card: Card = { children: [] };
      for (const [index, cell] of cellsIn(row).entries()) {
        const { isHidden = false, isTarget = false, isCover = false } = columns[index] ?? {};
        const address = property(find(cell, 'a'), 'href') || property(find(cell, 'img'), 'src');
        if (isTarget && address) card.target = address;
        else if (isCover && address) card.cover = address;
        else if (!isHidden) card.children.push({ type: 'paragraph', children: phrasing(state.all(cell)) });
      }
      return card;
    });
  return { type: 'cards', value: '', cards };
}
