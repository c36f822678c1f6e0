import type { Element } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { type Handle, type State, toMdast } from 'hast-util-to-mdast';
import type { PhrasingContent, RootContent } from 'mdast';
import { words } from '../../shared/words.ts';
import { blockOf } from '../blocks/nodes.ts';
import {
  attribute,
  cellsOf,
  classesOf,
  columnsOf,
  findElement,
  isElement,
  limitDepth,
  rowsOf,
  textIn,
} from '../html/hast.ts';
import type { Card, HtmlCell, HtmlRow } from './nodes.ts';

/** Converts HTML to blocks. */
export function blocksOfHtml(html: string): RootContent[] {
  const root = fromHtml(html, { fragment: true });
  limitDepth(root);
  const tree = toMdast(root, { handlers });
  return tree.type === 'root' ? tree.children : [];
}

const handlers: Record<string, Handle> = {
  table: tableOf,
  figure: figureOf,
  details: detailsOf,
  picture: (state, node: Element) => state.all(node).filter(({ type }) => type === 'image'),
  button: (state, node: Element) => ({ type: 'strong', children: phrasing(state.all(node)) }),
  i: (state, node: Element) =>
    isIcon(node) ? { type: 'text', value: '' } : { type: 'emphasis', children: phrasing(state.all(node)) },
};

/** An icon of Font Awesome, such as `<i class="fa-rocket">:rocket:</i>`. */
const isIcon = (node: Element): boolean => classesOf(node).some((name) => name.startsWith('fa-'));

const inlineTypes = new Set(
  words(`
    text strong emphasis delete link linkReference inlineCode break image imageReference html formula expression
    footnoteReference
  `),
);

const isPhrasing = (node: RootContent): node is PhrasingContent => inlineTypes.has(node.type);

/** The inline content of nodes. Paragraphs are unwrapped. */
export function phrasing(nodes: readonly RootContent[]): PhrasingContent[] {
  return nodes.flatMap((node): PhrasingContent[] => {
    if (isPhrasing(node)) return [node];
    return 'children' in node ? phrasing(node.children) : 'value' in node ? [{ type: 'text', value: node.value }] : [];
  });
}

const find = ({ children }: Element, name: string) => findElement(children, (inner) => isElement(inner, name));

const attributeIn = (node: Element, tagName: string, name: string): string => {
  const inner = find(node, tagName);
  return inner ? attribute(inner, name) : '';
};

function figureOf(state: State, node: Element): RootContent[] {
  const image = find(node, 'img');
  if (!image) return state.all(node);
  const caption = find(node, 'figcaption');
  return [
    {
      type: 'figure',
      url: attribute(image, 'src'),
      alt: attribute(image, 'alt') || (caption ? textIn(caption).trim() : ''),
      children: caption ? phrasing(state.all(caption)) : [],
    },
  ];
}

function detailsOf(state: State, node: Element): RootContent {
  const summary = find(node, 'summary');
  const rest = { ...node, children: node.children.filter((child) => child !== summary) };
  const attributes = { title: summary ? textIn(summary).trim() : '' };
  return blockOf({ name: 'details', attributes, inline: false, tag: 'details', children: state.all(rest) });
}

function tableOf(state: State, node: Element): RootContent {
  const parts = node.children.filter((part) => isElement(part, 'thead', 'tbody', 'tfoot'));
  const rows = parts.flatMap((part) => rowsOf(part).map((row) => ({ row, isHead: part.tagName === 'thead' })));
  const columns = columnsOf(node);
  if (attribute(node, 'dataView') !== 'cards') {
    const htmlRows = rows.map(({ row, isHead }): HtmlRow => {
      const cells = cellsOf(row).flatMap((cell, index) => (columns[index]?.isHidden ? [] : spannedCells(state, cell)));
      return { isHead, cells };
    });
    return { type: 'htmlTable', value: '', rows: htmlRows };
  }
  const cards = rows.flatMap(({ row, isHead }) => {
    if (isHead) return [];
    const card: Card = { children: [] };
    for (const [index, cell] of cellsOf(row).entries()) {
      const { isHidden = false, role } = columns[index] ?? {};
      const address = attributeIn(cell, 'a', 'href') || attributeIn(cell, 'img', 'src');
      if (role === 'target' && address) card.target = address;
      else if (role === 'cover' && address) card.cover = address;
      else if (!isHidden) card.children.push({ type: 'paragraph', children: phrasing(state.all(cell)) });
    }
    return [card];
  });
  return { type: 'cards', value: '', cards };
}

/** A cell, and empty ones for the other columns it spans. */
function spannedCells(state: State, cell: Element): HtmlCell[] {
  const isHeader = cell.tagName === 'th';
  const span = Math.min(Number(cell.properties['colSpan'] ?? 1) || 1, 50);
  return Array.from({ length: span }, (_, index) => ({ children: index === 0 ? state.all(cell) : [], isHeader }));
}
