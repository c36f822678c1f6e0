import type { Element } from 'hast';
import { all, elementOf, elements, factsOf, find, lineTo, lower, namesOf } from './html-tree.ts';
import { dropAlways, dropChrome } from './non-content.ts';

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
  dropAlways(body);
  const facts = factsOf(body);
  const lettersOf = (element: Element) => facts.get(element)!.letters;
  for (const isKnown of knownContainers) {
    const [first, ...more] = all(body, isKnown);
    if (!first) continue;
    const largest = more.reduce((one, other) => (lettersOf(other) > lettersOf(one) ? other : one), first);
    // A container with a small part of the words is a teaser or a search box, whatever it is called.
    if (lettersOf(largest) > 0 && lettersOf(largest) >= lettersOf(body) * 0.3) return withHeader(body, largest);
  }
  dropChrome(body);
  return densest(body);
}

/** AsciiDoc sets the title, and a manual page's first section, beside the content. */
function withHeader(body: Element, content: Element): Element {
  if (find(content, ({ tagName }) => tagName === 'h1')) return content;
  const headers = all(body, (element) => element.properties['id'] === 'header' || element.tagName === 'header');
  const above = lineTo(body, content);
  const header = headers.find((each) => !above.has(each) && find(each, ({ tagName }) => tagName === 'h1'));
  if (header)
    return elementOf('div', [
      header.properties['id'] === 'header' ? { ...header, properties: {} } : firstHeading(header),
      content,
    ]);
  const heading = all(body, ({ tagName }) => tagName === 'h1');
  return heading.length === 1 ? elementOf('div', [heading[0]!, content]) : content;
}

function firstHeading(header: Element): Element {
  return find(header, ({ tagName }) => tagName === 'h1')!;
}

/** Goes down as long as one child holds nearly all words. */
function densest(body: Element): Element {
  const facts = factsOf(body);
  let block = body;
  for (;;) {
    const { letters } = facts.get(block)!;
    const isNearlyAll = (child: Element) => facts.get(child)!.letters >= letters * 0.85;
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
