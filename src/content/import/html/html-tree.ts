import type { Element, ElementContent, Root } from 'hast';
import { attribute, classesOf } from '../../html/hast.ts';

/** Values that are needed for many nested elements, computed once for all of them. */
export interface Facts {
  /** Length of the text, without spaces. */
  letters: number;
  /** Length of the text of the links inside. */
  linked: number;
  hasItem: boolean;
  /** The first list inside, and the first link that is not in a list. */
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

export function all(top: Root | Element, is: (element: Element) => boolean): Element[] {
  const matches: Element[] = [];
  const walk = (node: Root | Element): void => {
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

/** Replaces each element inside `top`, innermost first. */
export function change(top: Element, replace: (element: Element) => ElementContent[]): void {
  top.children = top.children.flatMap((child) => {
    if (child.type !== 'element') return [child];
    change(child, replace);
    return replace(child);
  });
}

/** The elements from `top` down to an element inside it, including both. */
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

export const elements = (element: Element): Element[] => element.children.filter((child) => child.type === 'element');

export function idOf(element: Element): { id?: string } {
  const id = attribute(element, 'id');
  return id ? { id } : {};
}

const maxNameLength = 100;

/** Class names and the ID in lower case, without the hashes of style compilers. Long names are ignored. */
export function namesOf(element: Element): string[] {
  return (
    [...classesOf(element), attribute(element, 'id')]
      .filter((name) => name !== '' && name.length <= maxNameLength)
      // slow-regexp: names are 100 characters at most
      .map((name) => name.replace(/_[\w-]{4,}$/, '').toLowerCase())
  );
}

/** The value of an attribute in lower case. */
export const lower = (element: Element, name: string): string => attribute(element, name).toLowerCase();
