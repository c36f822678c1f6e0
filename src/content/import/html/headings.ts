import GithubSlugger from 'github-slugger';
import type { Element, ElementContent } from 'hast';
import { all, find, idOf, oneLine, remove, text, textOf } from './html-tree.ts';

/** Finds the title, and makes it the heading at the beginning of the content. */
export function moveTitleFirst(main: Element, fallback: string): string {
  const heading =
    find(main, ({ tagName }) => tagName === 'h1') ?? find(main, ({ tagName }) => /^h[2-6]$/.test(tagName));
  const first = find(main, (element) => /^h[1-6]$/.test(element.tagName) || (isLeaf(element) && hasContent(element)));
  if (heading && heading === first && textOf(heading).trim() !== '') {
    // Manuals use their second level for the title of a page.
    heading.tagName = 'h1';
    return oneLine(textOf(heading));
  }
  const title = heading?.tagName === 'h1' ? oneLine(textOf(heading)) || fallback : fallback;
  if (heading?.tagName === 'h1') remove(main, (element) => element === heading);
  const id = heading?.tagName === 'h1' ? idOf(heading) : {};
  main.children.unshift({ type: 'element', tagName: 'h1', properties: id, children: [{ type: 'text', value: title }] });
  return title;
}

function isLeaf(element: Element): boolean {
  return ['p', 'pre', 'img', 'li', 'td', 'dt', 'dd'].includes(element.tagName);
}

function hasContent(element: Element): boolean {
  return element.tagName === 'img' || textOf(element).trim() !== '';
}

/** "Install | Pump docs" becomes "Install": sites add their own name. */
export function pageTitle(title: string): string {
  const [page = ''] = title.split(/ (?:[|·•»—–-]|::) /, 1);
  return page.trim() || title;
}

export function anchorsOf(main: Element): Map<string, string> {
  const slugger = new GithubSlugger();
  const anchors = new Map<string, string>();
  let current = '';
  let waiting: string[] = [];
  const walk = (node: ElementContent): void => {
    if (node.type === 'text') {
      if (node.value.trim() === '') return;
      for (const id of waiting) if (!anchors.has(id)) anchors.set(id, current);
      waiting = [];
      return;
    }
    if (node.type !== 'element') return;
    const id = text(node.properties['id'] ?? node.properties['name']);
    if (id) waiting.push(id);
    if (/^h[1-6]$/.test(node.tagName)) {
      current = slugger.slug(oneLine(textOf(node)));
      for (const inner of all(node, () => true)) if (inner.properties['id']) waiting.push(text(inner.properties['id']));
      for (const each of waiting) if (!anchors.has(each)) anchors.set(each, current);
      waiting = [];
      return;
    }
    for (const child of node.children) walk(child);
  };
  walk(main);
  for (const id of waiting) if (!anchors.has(id)) anchors.set(id, current);
  return anchors;
}
