import type { Element, ElementContent, Root } from 'hast';
import { attribute, classesOf, element, findElement, isElement, textIn } from '../../html/hast.ts';
import { all, change, remove } from '../html/html-tree.ts';

/** Prepares a document of Google Docs, which has its formats in a style sheet. Other pages stay as they are. */
export function prepareGoogleDocs(root: Root): void {
  const body = findElement([root], (node) => isElement(node, 'body'));
  const style = all(root, (node) => isElement(node, 'style'))
    .map((node) => textIn(node))
    .join('\n');
  const isGoogle = style.includes('themes.googleusercontent.com');
  if (!body || (!isGoogle && !classesOf(body).includes('doc-content'))) return;
  const formats = formatsOf(style);
  remove(body, (node) => node.tagName === 'a' && /^(?:cmnt|cmnt_ref)\d+$/.test(attribute(node, 'id')));
  change(body, (node) => {
    if (node.tagName === 'a') return [withoutRedirect(node)];
    if (node.tagName === 'p' && classesOf(node).includes('title')) return [element('h1', {}, node.children)];
    if (node.tagName !== 'span') return [node];
    const names = classesOf(node).flatMap((name) => [...(formats.get(name) ?? [])]);
    return names.reduce((inner: ElementContent[], name) => [element(name, {}, inner)], node.children);
  });
}

/** The elements that the classes of a style sheet become. */
function formatsOf(style: string): Map<string, Set<string>> {
  const formats = new Map<string, Set<string>>();
  for (const [, name = '', rules = ''] of style.matchAll(/\.(c\d+)\{([^{}]{0,2000})\}/g)) {
    const found = new Set<string>();
    if (/font-weight:\s*(?:700|bold)/.test(rules)) found.add('strong');
    if (/font-style:\s*italic/.test(rules)) found.add('em');
    if (/font-family:\s*"?(?:Courier New|Roboto Mono|Consolas)/.test(rules)) found.add('code');
    if (/text-decoration:\s*line-through/.test(rules)) found.add('del');
    if (found.size > 0) formats.set(name, found);
  }
  return formats;
}

/** Links lead over a page of Google. */
function withoutRedirect(link: Element): Element {
  const url = URL.parse(attribute(link, 'href'));
  const target =
    url && /(?:^|\.)google\.com$/.test(url.hostname) && url.pathname === '/url' ? url.searchParams.get('q') : null;
  return target === null ? link : { ...link, properties: { ...link.properties, href: target } };
}
