import type { Element } from 'hast';
import { words } from '../../../shared/words.ts';
import { attribute, element, findElement, isElement } from '../../html/hast.ts';
import { all, countFacts, elements, lower, namesOf, pathTo } from './html-tree.ts';
import { removeNonContent, removePageFrame } from './non-content.ts';

const contentNames = new Set(
  words(`
    markdown-section md-content theme-doc-markdown vp-doc rst-content markdown-body main-content page-content
    entry-content post-content article-content doc-content documentwrapper
  `),
);

const knownContainers: ((node: Element) => boolean)[] = [
  (node) => isElement(node, 'main'),
  (node) => lower(node, 'role') === 'main',
  (node) => isElement(node, 'article'),
  (node) => namesOf(node).some((name) => contentNames.has(name)),
  (node) => namesOf(node).some((name) => ['content', 'contents', 'main', 'body'].includes(name)),
];

export function mainOf(body: Element): Element {
  removeNonContent(body);
  const facts = countFacts(body);
  const lettersOf = (element: Element) => facts(element).letters;
  for (const isKnown of knownContainers) {
    const [first, ...more] = all(body, isKnown);
    if (!first) continue;
    const largest = more.reduce((one, other) => (lettersOf(other) > lettersOf(one) ? other : one), first);
    // A container with few of the words is a teaser or a search box.
    if (lettersOf(largest) > 0 && lettersOf(largest) >= lettersOf(body) * 0.3) return withHeader(body, largest);
  }
  removePageFrame(body);
  return densest(body);
}

/** AsciiDoc puts the title, and the first section of a manual page, outside of the content. */
function withHeader(body: Element, content: Element): Element {
  const isTitle = (node: Element) => isElement(node, 'h1');
  if (findElement([content], isTitle)) return content;
  const isHeader = (node: Element) => attribute(node, 'id') === 'header';
  const above = pathTo(body, content);
  for (const header of all(body, (node) => isHeader(node) || isElement(node, 'header'))) {
    const title = above.has(header) ? undefined : findElement([header], isTitle);
    if (title) return element('div', {}, [isHeader(header) ? { ...header, properties: {} } : title, content]);
  }
  const [title, ...others] = all(body, isTitle);
  return title && others.length === 0 ? element('div', {}, [title, content]) : content;
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

const containers = new Set(words('div section center article main form table tbody tr td span font'));
