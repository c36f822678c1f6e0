import type { Element } from 'hast';
import { all, elementOf, elements, countFacts, find, pathTo, lower, namesOf } from './html-tree.ts';
import { removeNonContent, removePageFrame } from './non-content.ts';

const contentNames = new Set([
  'markdown-section',
  'md-content',
  'theme-doc-markdown',
  'vp-doc',
  'rst-content',
  'markdown-body',
  'main-content',
  'page-content',
  'entry-content',
  'post-content',
  'article-content',
  'doc-content',
  'documentwrapper',
]);

const knownContainers: ((element: Element) => boolean)[] = [
  ({ tagName }) => tagName === 'main',
  (element) => lower(element.properties['role']) === 'main',
  ({ tagName }) => tagName === 'article',
  (element) => namesOf(element).some((name) => contentNames.has(name)),
  (element) => namesOf(element).some((name) => ['content', 'contents', 'main', 'body'].includes(name)),
];

export function mainOf(body: Element): Element {
  removeNonContent(body);
  const facts = countFacts(body);
  const lettersOf = (element: Element) => facts(element).letters;
  for (const isKnown of knownContainers) {
    const [first, ...more] = all(body, isKnown);
    if (!first) continue;
    const largest = more.reduce((one, other) => (lettersOf(other) > lettersOf(one) ? other : one), first);
    // A container with few of the words is a teaser or a search box, whatever its name is.
    if (lettersOf(largest) > 0 && lettersOf(largest) >= lettersOf(body) * 0.3) return withHeader(body, largest);
  }
  removePageFrame(body);
  return densest(body);
}

/** AsciiDoc puts the title, and the first section of a manual page, outside of the content. */
function withHeader(body: Element, content: Element): Element {
  if (find(content, ({ tagName }) => tagName === 'h1')) return content;
  const headers = all(body, (element) => element.properties['id'] === 'header' || element.tagName === 'header');
  const above = pathTo(body, content);
  for (const header of headers) {
    const title = above.has(header) ? undefined : find(header, ({ tagName }) => tagName === 'h1');
    if (!title) continue;
    return elementOf('div', [header.properties['id'] === 'header' ? { ...header, properties: {} } : title, content]);
  }
  const [title, ...others] = all(body, ({ tagName }) => tagName === 'h1');
  return title && others.length === 0 ? elementOf('div', [title, content]) : content;
}

/** The deepest element that contains nearly all words. */
function densest(body: Element): Element {
  const facts = countFacts(body);
  let block = body;
  for (;;) {
    const { letters } = facts(block);
    const isNearlyAll = (child: Element) => facts(child).letters >= letters * 0.85;
    const only = elements(block).find((child) => containers.has(child.tagName) && isNearlyAll(child));
    if (!only || letters === 0) return block;
    block = only;
  }
}

const containers = new Set([
  'div',
  'section',
  'center',
  'article',
  'main',
  'form',
  'table',
  'tbody',
  'tr',
  'td',
  'span',
  'font',
]);
