import type { Element, ElementContent, Nodes, Properties, Root, RootContent } from 'hast';

/** Creates an element; undefined children are skipped. */
export function element(
  tagName: string,
  properties: Properties,
  children: readonly (ElementContent | undefined)[] = [],
): Element {
  return { type: 'element', tagName, properties, children: children.filter((child) => child !== undefined) };
}

export const text = (value: string): ElementContent => ({ type: 'text', value });

export const isElement = (node: Nodes | undefined, ...names: string[]): node is Element =>
  node?.type === 'element' && (names.length === 0 || names.includes(node.tagName));

export const isBlank = (node: Nodes): boolean => node.type === 'text' && node.value.trim() === '';

export function classesOf({ properties }: Element): string[] {
  const { className } = properties;
  return Array.isArray(className) ? className.map(String) : [];
}

export function addClass(node: Element, ...names: string[]): void {
  node.properties['className'] = [...classesOf(node), ...names];
}

/** The value of an attribute as text; empty if it is missing. */
export function attribute({ properties }: Element, name: string): string {
  const value = properties[name];
  if (Array.isArray(value)) return value.join(' ');
  return value === undefined || value === null || value === false ? '' : String(value);
}

export const hasAttribute = ({ properties }: Element, name: string): boolean =>
  properties[name] !== undefined && properties[name] !== null && properties[name] !== false;

/** The children of a node without the doctype. */
export function childrenOf({ children }: Root | Element): ElementContent[] {
  const all: RootContent[] = children;
  return all.filter((child) => child.type !== 'doctype');
}

/** The text of nodes and everything below them. */
export function textIn(node: Nodes | Nodes[]): string {
  if (Array.isArray(node)) return node.map((each) => textIn(each)).join('');
  if (node.type === 'text') return node.value;
  if (isElement(node, 'br')) return '\n';
  return 'children' in node ? textIn(node.children) : '';
}

/** The first matching element in document order, among these nodes or below them. */
export function findElement(nodes: readonly Nodes[], matches: (node: Element) => boolean): Element | undefined {
  for (const node of nodes) {
    if (node.type === 'element' && matches(node)) return node;
    const match = 'children' in node ? findElement(node.children, matches) : undefined;
    if (match) return match;
  }
  return undefined;
}

// Real pages are not nested deeper. The limit keeps code that walks the tree once for each level linear in the size of
// the page.
const maxDepth = 200;

/** Removes elements that are nested too deeply, and moves their content up. */
export function limitDepth(top: Root): void {
  const waiting: [node: Root | Element, depth: number][] = [[top, 0]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [node, depth] = next;
    if (depth === maxDepth) node.children = leavesOf(node);
    for (const child of node.children) if (child.type === 'element') waiting.push([child, depth + 1]);
  }
}

function leavesOf(top: Root | Element): ElementContent[] {
  const leaves: ElementContent[] = [];
  const waiting = childrenOf(top).toReversed();
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type !== 'element' || node.children.length === 0) leaves.push(node);
    else for (const child of node.children.toReversed()) waiting.push(child);
  }
  return leaves;
}

/** The rows and cells directly in a part of a table. */
export const rowsOf = (part: Element): Element[] => part.children.filter((child) => isElement(child, 'tr'));
export const cellsOf = (row: Element): Element[] => row.children.filter((child) => isElement(child, 'td', 'th'));

export interface Column {
  isHidden: boolean;
  /** What the cells are for in a table that is displayed as cards. */
  role: 'target' | 'cover' | 'cover-dark' | undefined;
  type: string;
}

/** What the cells in the head of a table say about its columns. */
export function columnsOf(table: Element): Column[] {
  const head = table.children.find((child) => isElement(child, 'thead'));
  const [row] = head ? rowsOf(head) : [];
  return (row ? cellsOf(row) : []).map((cell) => ({
    isHidden: hasAttribute(cell, 'dataHidden'),
    role: roles.find(([name]) => hasAttribute(cell, name))?.[1],
    type: attribute(cell, 'dataType'),
  }));
}

const roles = [
  ['dataCardTarget', 'target'],
  ['dataCardCoverDark', 'cover-dark'],
  ['dataCardCover', 'cover'],
] as const;

const plainNames = new Set(
  'id lang dir title colSpan rowSpan scope start reversed type dateTime open width height'.split(' '),
);

/** The attributes that are kept as they are. Alignment becomes a class. */
export function plainProperties({ properties }: Element): Properties {
  const result: Properties = {};
  for (const [name, value] of Object.entries(properties)) if (plainNames.has(name)) result[name] = value;
  const { align } = properties;
  if (typeof align === 'string' && /^(?:left|center|right)$/i.test(align)) {
    result['className'] = [`align-${align.toLowerCase()}`];
  }
  return result;
}
