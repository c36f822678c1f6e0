import type { Element, ElementContent, Nodes, Properties } from 'hast';

/** An element; children that are undefined are left out. */
export function element(
  tagName: string,
  properties: Properties,
  children: (ElementContent | undefined)[] = [],
): Element {
  return { type: 'element', tagName, properties, children: children.filter((child) => child !== undefined) };
}

export const text = (value: string): ElementContent => ({ type: 'text', value });

export const isElement = (node: Nodes | undefined, ...names: string[]): node is Element =>
  node?.type === 'element' && (names.length === 0 || names.includes(node.tagName));

export const isBlank = (node: Nodes): boolean => node.type === 'text' && node.value.trim() === '';

/** Classes of an element. */
export function classesOf({ properties }: Element): string[] {
  const { className } = properties;
  return Array.isArray(className) ? className.map(String) : [];
}

/** An attribute's value as a text; empty where it is absent. */
export function attribute({ properties }: Element, name: string): string {
  const value = properties[name];
  if (Array.isArray(value)) return value.join(' ');
  return value === undefined || value === null || value === false ? '' : value === true ? 'true' : String(value);
}

export const hasAttribute = ({ properties }: Element, name: string): boolean =>
  properties[name] !== undefined && properties[name] !== null && properties[name] !== false;

/** The text in a node. */
export function textIn(node: Nodes): string {
  if (node.type === 'text') return node.value;
  if (isElement(node, 'br')) return '\n';
  return 'children' in node ? node.children.map((child) => textIn(child)).join('') : '';
}

/** The first element below, in the order of the text. */
export function findElement(nodes: ElementContent[], matches: (found: Element) => boolean): Element | undefined {
  for (const node of nodes) {
    if (node.type !== 'element') continue;
    const found = matches(node) ? node : findElement(node.children, matches);
    if (found) return found;
  }
  return undefined;
}

export function addClass(node: Element, ...names: string[]): void {
  node.properties['className'] = [...classesOf(node), ...names];
}
