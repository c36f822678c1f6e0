import type { Element } from 'hast';
import { elements, type FactsOf, countFacts, find, lower, namesOf, oneLine, text, textOf } from './html-tree.ts';

export interface NavigationEntry {
  /** Absent for a label over other entries. */
  url?: string;
  title: string;
  /** Index of the entry above it, or -1. */
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
    ['nav', 'aside'].includes(element.tagName) ||
    lower(element.properties['role']) === 'navigation' ||
    namesOf(element).some((name) => menuNames.test(name))
  );
}

function entriesOf(menu: Element, facts: FactsOf): NavigationEntry[] {
  const entries: NavigationEntry[] = [];
  const visit = (element: Element, parent: number): void => {
    let label = parent;
    for (const child of elements(element)) {
      if (child.tagName === 'li') {
        const { link, list } = facts(child);
        const title = oneLine(link ? textOf(link) : textBefore(child, list, facts));
        if (!link && (title === '' || !list)) visit(child, label);
        else {
          // A link to `#` opens a submenu: it is a label, not a page.
          const url = link && !link.properties['dataOwn'] && text(link.properties['href']);
          entries.push({ ...(url && { url }), title, parent: label });
          visit(child, entries.length - 1);
        }
      } else if (child.tagName === 'dt') {
        const { link } = facts(child);
        const url = link && !link.properties['dataOwn'] && text(link.properties['href']);
        entries.push({ ...(url && { url }), title: oneLine(textOf(child)), parent });
        label = entries.length - 1;
      } else if (child.tagName === 'dd') {
        visit(child, label);
      } else if (child.tagName === 'a' && !facts(element).hasItem && element.tagName !== 'li') {
        const url = text(child.properties['href']);
        if (url) entries.push({ url, title: oneLine(textOf(child)), parent });
      } else if (isCaption(child)) {
        entries.push({ title: oneLine(textOf(child)), parent });
        label = entries.length - 1;
      } else visit(child, label);
    }
  };
  visit(menu, -1);
  return entries;
}

/** Sphinx and others put a caption before each part of their menu. */
function isCaption(element: Element): boolean {
  const isOne = /^h[2-6]$/.test(element.tagName) || namesOf(element).includes('caption');
  const label = oneLine(textOf(element));
  return isOne && label !== '' && !generalLabels.test(label) && !find(element, ({ tagName }) => tagName === 'a');
}

const generalLabels =
  /^(?:on this page|(?:table of )?contents|navigation|menu|related.*|this page|page contents|in this (?:article|section))$/i;

function textBefore(item: Element, list: Element | undefined, facts: FactsOf): string {
  const parts: string[] = [];
  for (const child of item.children) {
    if (list && child.type === 'element' && (child === list || facts(child).list === list)) break;
    parts.push(textOf(child));
  }
  return parts.join('');
}
