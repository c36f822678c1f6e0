import type { Element, ElementContent, Nodes as HastNodes, Root as HastRoot, RootContent } from 'hast';

// Deeper than browsers and authors go. What is walked once for each element around it stays in proportion to the page.
const maxDepth = 200;

/** Takes the elements out that lie deeper; what they hold moves up. */
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
  const waiting = top.children.toReversed() as ElementContent[];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type !== 'element' || node.children.length === 0) leaves.push(node);
    else for (let at = node.children.length - 1; at >= 0; at -= 1) waiting.push(node.children[at]!);
  }
  return leaves;
}

/** What is asked of many elements that may hold each other, counted once for all of them. */
export interface Facts {
  /** Of its text, without blanks. */
  letters: number;
  /** Of the links below it. */
  linked: number;
  hasItem: boolean;
  /** The first list below it, and the first link that is in none. */
  list: Element | undefined;
  link: Element | undefined;
}

export function factsOf(top: Element): Map<Element, Facts> {
  const facts = new Map<Element, Facts>();
  const count = (element: Element): Facts => {
    const own: Facts = { letters: 0, linked: 0, hasItem: false, list: undefined, link: undefined };
    for (const child of element.children) {
      if (child.type === 'text') own.letters += child.value.replaceAll(/\s+/g, '').length;
      if (child.type !== 'element') continue;
      const inner = count(child);
      const isLink = child.tagName === 'a';
      const isList = child.tagName === 'ul' || child.tagName === 'ol';
      own.letters += inner.letters;
      own.linked += inner.linked + (isLink ? inner.letters : 0);
      own.hasItem ||= inner.hasItem || child.tagName === 'li';
      own.list ??= isList ? child : inner.list;
      if (!isList) own.link ??= isLink ? child : inner.link;
    }
    facts.set(element, own);
    return own;
  };
  count(top);
  return facts;
}

export function find(top: HastNodes, is: (element: Element) => boolean): Element | undefined {
  if (top.type === 'element' && is(top)) return top;
  if ('children' in top) {
    for (const child of top.children) {
      const found = child.type === 'element' ? find(child, is) : undefined;
      if (found) return found;
    }
  }
  return undefined;
}

export function all(top: HastRoot | Element, is: (element: Element) => boolean): Element[] {
  const found: Element[] = [];
  const walk = (node: HastRoot | Element): void => {
    for (const child of node.children as RootContent[]) {
      if (child.type !== 'element') continue;
      if (is(child)) found.push(child);
      walk(child);
    }
  };
  walk(top);
  return found;
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

/** The elements from `top` down to one below it, both among them. */
export function lineTo(top: Element, element: Element): Set<Element> {
  const line = new Set<Element>();
  const walk = (at: Element): boolean => {
    const isOn = at === element || elements(at).some(walk);
    if (isOn) line.add(at);
    return isOn;
  };
  walk(top);
  return line;
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

const maxName = 100;

/** Class names and the id, those that are short, lower case, without the hashes that style compilers add. */
export function namesOf({ properties }: Element): string[] {
  const classes = Array.isArray(properties['className']) ? properties['className'].map(String) : [];
  return (
    [...classes, text(properties['id'])]
      .filter((name) => name !== '' && name.length <= maxName)
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
