import type { Element, ElementContent, Nodes as HastNodes, Root as HastRoot, RootContent } from 'hast';

// Real pages are not nested deeper. The limit keeps code that walks the tree once for each level linear in the size of
// the page.
const maxDepth = 200;

/** Removes the elements that are nested deeper than the limit; their content moves up. */
export function limitDepth(top: HastRoot): void {
  const waiting: [node: HastRoot | Element, depth: number][] = [[top, 0]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [node, depth] = next;
    if (depth === maxDepth) node.children = leavesOf(node);
    for (const child of node.children) if (child.type === 'element') waiting.push([child, depth + 1]);
  }
}

function leavesOf(top: HastRoot | Element): ElementContent[] {
  const leaves: ElementContent[] = [];
  const waiting = childrenOf(top).toReversed();
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type !== 'element' || node.children.length === 0) leaves.push(node);
    else for (const child of node.children.toReversed()) waiting.push(child);
  }
  return leaves;
}

/** The children of a node, without the doctype. */
export function childrenOf(node: HastRoot | Element): ElementContent[] {
  const children: RootContent[] = node.children;
  return children.filter((child) => child.type !== 'doctype');
}

/** Values that are needed for many nested elements, computed once for all of them. */
export interface Facts {
  /** Length of its text, without blanks. */
  letters: number;
  /** Length of the text of the links below it. */
  linked: number;
  hasItem: boolean;
  /** The first list below it, and the first link that is not in a list. */
  list: Element | undefined;
  link: Element | undefined;
}

export type FactsOf = (element: Element) => Facts;

export function countFacts(top: Element): FactsOf {
  const facts = new Map<Element, Facts>();
  const count = (element: Element): Facts => {
    const total: Facts = { letters: 0, linked: 0, hasItem: false, list: undefined, link: undefined };
    for (const child of element.children) {
      if (child.type === 'text') total.letters += child.value.replaceAll(/\s+/g, '').length;
      if (child.type !== 'element') continue;
      const inner = count(child);
      const isLink = child.tagName === 'a';
      const isList = child.tagName === 'ul' || child.tagName === 'ol';
      total.letters += inner.letters;
      total.linked += inner.linked + (isLink ? inner.letters : 0);
      total.hasItem ||= inner.hasItem || child.tagName === 'li';
      total.list ??= isList ? child : inner.list;
      if (!isList) total.link ??= isLink ? child : inner.link;
    }
    facts.set(element, total);
    return total;
  };
  count(top);
  return (element) => facts.get(element) ?? count(element);
}

export function find(top: HastNodes, is: (element: Element) => boolean): Element | undefined {
  if (top.type === 'element' && is(top)) return top;
  if ('children' in top) {
    for (const child of top.children) {
      const match = child.type === 'element' ? find(child, is) : undefined;
      if (match) return match;
    }
  }
  return undefined;
}

export function all(top: HastRoot | Element, is: (element: Element) => boolean): Element[] {
  const matches: Element[] = [];
  const walk = (node: HastRoot | Element): void => {
    for (const child of node.children) {
      if (child.type !== 'element') continue;
      if (is(child)) matches.push(child);
      walk(child);
    }
  };
  walk(top);
  return matches;
}

export function remove(top: Element, is: (element: Element) => boolean): void {
  top.children = top.children.filter((child) => child.type !== 'element' || !is(child));
  for (const child of elements(top)) remove(child, is);
}

/** Replaces each element below `top`, innermost first. */
export function change(top: Element, replace: (element: Element) => ElementContent[]): void {
  top.children = top.children.flatMap((child) => {
    if (child.type !== 'element') return [child];
    change(child, replace);
    return replace(child);
  });
}

/** The elements from `top` down to one below it, including both. */
export function pathTo(top: Element, element: Element): Set<Element> {
  const path = new Set<Element>();
  const walk = (node: Element): boolean => {
    const isOnPath = node === element || elements(node).some(walk);
    if (isOnPath) path.add(node);
    return isOnPath;
  };
  walk(top);
  return path;
}

export function elements(element: Element): Element[] {
  return element.children.filter((child) => child.type === 'element');
}

export function elementOf(tagName: string, children: ElementContent[]): Element {
  return { type: 'element', tagName, properties: {}, children };
}

export function idOf(element: Element): { id?: string } {
  const id = text(element.properties['id']);
  return id ? { id } : {};
}

export function textOf(node: HastNodes): string {
  if (node.type === 'text') return node.value;
  if (node.type === 'element' && node.tagName === 'br') return '\n';
  return 'children' in node ? node.children.map(textOf).join('') : '';
}

const maxNameLength = 100;

/** Class names and the id in lower case, without the hashes that style compilers add; long names are left out. */
export function namesOf({ properties }: Element): string[] {
  const classes = Array.isArray(properties['className']) ? properties['className'].map(String) : [];
  return (
    [...classes, text(properties['id'])]
      .filter((name) => name !== '' && name.length <= maxNameLength)
      // slow-regexp: names are 100 characters at most
      .map((name) => name.replace(/_[\w-]{4,}$/, '').toLowerCase())
  );
}

export function hasToken({ properties }: Element, property: string, token: string): boolean {
  const value = properties[property];
  return Array.isArray(value) ? value.some((each) => lower(each) === token) : lower(value) === token;
}

export function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number'
    ? String(value)
    : Array.isArray(value)
      ? value.join(' ')
      : '';
}

export function lower(value: unknown): string {
  return text(value).toLowerCase();
}

export function oneLine(value: string): string {
  return value.replaceAll(/\s+/g, ' ').trim();
}
