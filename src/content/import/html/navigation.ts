import type { Element } from 'hast';
import { attribute, findElement, isElement, textIn } from '../../html/hast.ts';
import { oneLine } from '../../markdown/markdown.ts';
import { countFacts, elements, type FactsOf, lower, namesOf } from './html-tree.ts';

export interface NavigationEntry {
  /** Missing for a label above other entries. */
  url?: string;
  title: string;
  /** The index of the entry above it, or -1. */
  parent: number;
}

const menuNames = /(?:^|[-_])(?:nav|navigation|sidebar|sphinxsidebar|sidenav|menu|toc|toctree|summary)(?:$|[-_])/i;

// Menus nested deeper than this repeat the entries of the outer ones.
const maxMenusAbove = 3;

export function navigationsOf(body: Element): NavigationEntry[][] {
  const facts = countFacts(body);
  const menus: Element[] = [];
  const walk = (top: Element, menusAbove: number): void => {
    for (const element of elements(top)) {
      const isOne = isMenu(element);
      if (isOne && menusAbove <= maxMenusAbove) menus.push(element);
      walk(element, menusAbove + Number(isOne));
    }
  };
  walk(body, 0);
  return menus
    .filter((menu) => facts(menu).linked >= facts(menu).letters * 0.5)
    .map((menu) => entriesOf(menu, facts))
    .filter((entries) => entries.length > 1);
}

function isMenu(element: Element): boolean {
  return (
    isElement(element, 'nav', 'aside') ||
    lower(element, 'role') === 'navigation' ||
    namesOf(element).some((name) => menuNames.test(name))
  );
}

function entriesOf(menu: Element, facts: FactsOf): NavigationEntry[] {
  const entries: NavigationEntry[] = [];
  // A link to `#` opens a submenu: it is a label, not a page.
  const urlOf = (link: Element | undefined) => (link && !link.properties['dataOwn'] ? attribute(link, 'href') : '');
  const add = (title: string, parent: number, url = ''): number =>
    entries.push({ ...(url && { url }), title: oneLine(title), parent }) - 1;
  const visit = (element: Element, parent: number): void => {
    let label = parent;
    for (const child of elements(element)) {
      const { link, list } = facts(child);
      if (child.tagName === 'li') {
        const title = link ? textIn(link) : textBefore(child, list, facts);
        const isGroup = !link && (title.trim() === '' || !list);
        visit(child, isGroup ? label : add(title, label, urlOf(link)));
      } else if (child.tagName === 'dt') label = add(textIn(child), parent, urlOf(link));
      else if (child.tagName === 'dd') visit(child, label);
      else if (child.tagName === 'a' && !facts(element).hasItem && element.tagName !== 'li') {
        const url = attribute(child, 'href');
        if (url) add(textIn(child), parent, url);
      } else if (isCaption(child)) label = add(textIn(child), parent);
      else visit(child, label);
    }
  };
  visit(menu, -1);
  return entries;
}

/** Sphinx and others put a caption above each part of a menu. */
function isCaption(element: Element): boolean {
  const isOne = /^h[2-6]$/.test(element.tagName) || namesOf(element).includes('caption');
  const label = oneLine(textIn(element));
  const isLink = findElement([element], (node) => isElement(node, 'a')) !== undefined;
  return isOne && label !== '' && !generalLabels.test(label) && !isLink;
}

const generalLabels =
  /^(?:on this page|(?:table of )?contents|navigation|menu|related.*|this page|page contents|in this (?:article|section))$/i;

function textBefore(item: Element, list: Element | undefined, facts: FactsOf): string {
  const parts: string[] = [];
  for (const child of item.children) {
    if (list && child.type === 'element' && (child === list || facts(child).list === list)) break;
    parts.push(textIn(child));
  }
  return parts.join('');
}
