import GithubSlugger from 'github-slugger';
import type { Element, ElementContent } from 'hast';
import { attribute, element, findElement, isElement, text, textIn } from '../../html/hast.ts';
import { oneLine } from '../../markdown/markdown.ts';
import { all, idOf, remove } from './html-tree.ts';

/** Finds the title, and makes it the heading at the start of the content. */
export function moveTitleFirst(main: Element, fallback: string): string {
  const isHeading = (node: Element) => /^h[1-6]$/.test(node.tagName);
  const heading =
    findElement([main], (node) => isElement(node, 'h1')) ?? findElement([main], (node) => isHeading(node));
  const first = findElement([main], (node) => isHeading(node) || hasContent(node));
  if (heading && heading === first && textIn(heading).trim() !== '') {
    // Manuals use their second level for the titles of pages.
    heading.tagName = 'h1';
    return oneLine(textIn(heading));
  }
  const ownTitle = isElement(heading, 'h1') ? heading : undefined;
  const title = (ownTitle && oneLine(textIn(ownTitle))) || fallback;
  if (ownTitle) remove(main, (node) => node === ownTitle);
  main.children.unshift(element('h1', ownTitle ? idOf(ownTitle) : {}, [text(title)]));
  return title;
}

const hasContent = (node: Element): boolean =>
  isElement(node, 'img') || (isElement(node, 'p', 'pre', 'li', 'td', 'dt', 'dd') && textIn(node).trim() !== '');

/** Removes the name of the site: "Install | Pump docs" becomes "Install". */
export function pageTitle(title: string): string {
  const [page = ''] = title.split(/ (?:[|·•»—–-]|::) /, 1);
  return page.trim() || title;
}

/** The anchor of the heading above each ID; "" before the first heading. */
export function anchorsOf(main: Element): Map<string, string> {
  const slugger = new GithubSlugger();
  const anchors = new Map<string, string>();
  let current = '';
  let waiting: string[] = [];
  const settle = () => {
    for (const id of waiting) if (!anchors.has(id)) anchors.set(id, current);
    waiting = [];
  };
  const walk = (node: ElementContent): void => {
    if (node.type === 'text' && node.value.trim() !== '') settle();
    if (node.type !== 'element') return;
    const id = attribute(node, 'id' in node.properties ? 'id' : 'name');
    if (id) waiting.push(id);
    if (!/^h[1-6]$/.test(node.tagName)) {
      for (const child of node.children) walk(child);
      return;
    }
    current = slugger.slug(oneLine(textIn(node)));
    for (const inner of all(node, () => true)) if (inner.properties['id']) waiting.push(attribute(inner, 'id'));
    settle();
  };
  walk(main);
  settle();
  return anchors;
}
