import type { Element, Root as HastRoot } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { toMdast } from 'hast-util-to-mdast';
import type { Nodes as MdastNodes } from 'mdast';
import { stringify } from '../../markdown/parse.ts';
import { ImportFailure } from '../failure.ts';
import { absolute, makeAbsolute, baseOf } from './addresses.ts';
import { anchorsOf, pageTitle, moveTitleFirst } from './headings.ts';
import { all, childrenOf, elementOf, find, hasToken, limitDepth, lower, oneLine, text, textOf } from './html-tree.ts';
import { mainOf } from './main-content.ts';
import { type NavigationEntry, navigationsOf } from './navigation.ts';
import { type Relations, relationsOf } from './relations.ts';
import { simplify } from './simplify.ts';

/** An HTML page: its main content as Markdown with absolute addresses, and its links for a crawler. */
export interface HtmlPage {
  title: string;
  description?: string;
  /** Begins with the title as its heading. */
  markdown: string;
  /** The heading's anchor in the Markdown for each id of the source; "" for what stands before the first heading. */
  anchors: Map<string, string>;
  /** Addresses of the whole page's links, absolute, in order. */
  links: string[];
  /** The nested lists of links that look most like the site's menu, flattened depth first. */
  navigation: NavigationEntry[][];
  relations: Relations;
  /** The address in `<link rel="canonical">`. */
  canonical?: string;
  /** `<meta name="robots">` forbids to follow the links of this page. */
  nofollow: boolean;
}

/** `title` is used where the page has neither a heading nor a title of its own. */
export function readHtml(html: string, url: string, title: string): HtmlPage {
  try {
    return read(html, url, title);
  } catch (error) {
    // Deep nesting, made for an attack, overflows the stack of the libraries that walk the tree.
    if (error instanceof RangeError)
      throw new ImportFailure('unreadable', 'The elements of the page are nested too deeply.');
    throw error;
  }
}

/** Markdown of a piece of HTML without navigation, as converters of documents return it. */
export function fragmentToMarkdown(html: string): string {
  const root = fromHtml(html, { fragment: true });
  limitDepth(root);
  const content = elementOf('div', childrenOf(root));
  simplify(content);
  return toMarkdown(content);
}

function read(html: string, url: string, fallback: string): HtmlPage {
  const { main, ...page } = contentOf(fromHtml(html), url, fallback);
  return { ...page, markdown: toMarkdown(main) };
}

/** The content of a parsed page, with its main content in the form that the converter turns into Markdown. */
export function contentOf(
  root: HastRoot,
  url: string,
  fallback: string,
): Omit<HtmlPage, 'markdown'> & { main: Element } {
  limitDepth(root);
  const head = find(root, (element) => element.tagName === 'head');
  const body = find(root, (element) => element.tagName === 'body') ?? elementOf('div', childrenOf(root));
  const base = baseOf(head, url);
  makeAbsolute(body, base);
  const metas = head ? all(head, (element) => element.tagName === 'meta') : [];
  const meta = (name: string) =>
    text(metas.find((each) => lower(each.properties['name']) === name)?.properties['content']) || undefined;
  const canonical =
    head && find(head, (element) => element.tagName === 'link' && hasToken(element, 'rel', 'canonical'));
  const links = all(body, (element) => element.tagName === 'a').flatMap((link) => text(link.properties['href']) || []);
  const navigation = navigationsOf(body);
  const relations = relationsOf(head, body, base);
  const main = mainOf(body);
  simplify(main);
  const headTitle = head && find(head, (element) => element.tagName === 'title');
  const title = moveTitleFirst(main, (headTitle && pageTitle(oneLine(textOf(headTitle)))) || fallback);
  const anchors = anchorsOf(main);
  const description = meta('description');
  return {
    title,
    ...(description && { description }),
    main,
    anchors,
    links,
    navigation,
    relations,
    ...(canonical && { canonical: absolute(text(canonical.properties['href']), base) }),
    nofollow: /nofollow|none/i.test(meta('robots') ?? ''),
  };
}

function toMarkdown(main: Element): string {
  const root = toMdast({ type: 'root', children: [main] });
  if (root.type !== 'root') throw new TypeError(`A root became a ${root.type}.`);
  breakInCells(root, false);
  removeEmptyParagraphs(root);
  return stringify(root);
}

// Line breaks between blocks only make room.
function removeEmptyParagraphs(node: MdastNodes): void {
  if (!('children' in node)) return;
  for (let index = node.children.length - 1; index >= 0; index -= 1) {
    const child = node.children[index];
    if (child?.type === 'paragraph' && child.children.every(isBlank)) node.children.splice(index, 1);
    else if (child) removeEmptyParagraphs(child);
  }
}

const isBlank = (node: MdastNodes) => node.type === 'break' || (node.type === 'text' && node.value.trim() === '');

// A cell is one line of Markdown, so a line break in it is written as a tag.
function breakInCells(node: MdastNodes, inCell: boolean): void {
  if (!('children' in node)) return;
  const inside = inCell || node.type === 'tableCell';
  for (const [index, child] of node.children.entries()) {
    if (inside && child.type === 'break') node.children[index] = { type: 'html', value: '<br>' };
    else breakInCells(child, inside);
  }
}
