import type { Element, Root as HastRoot } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { toMdast } from 'hast-util-to-mdast';
import type { Nodes as MdastNodes } from 'mdast';
import { attribute, childrenOf, element, findElement, isElement, limitDepth, textIn } from '../../html/hast.ts';
import { oneLine } from '../../markdown/markdown.ts';
import { stringify } from '../../markdown/parse.ts';
import { ImportFailure } from '../failure.ts';
import { anchorsOf, moveTitleFirst, pageTitle } from './headings.ts';
import { all, lower } from './html-tree.ts';
import { mainOf } from './main-content.ts';
import { type NavigationEntry, navigationsOf } from './navigation.ts';
import { absolute, hasRel, type Relations, relationsOf } from './relations.ts';
import { simplify } from './simplify.ts';

/** An HTML page: the main content as Markdown with absolute addresses, and the links for a crawler. */
export interface HtmlPage {
  title: string;
  description?: string;
  /** Starts with the title as a heading. */
  markdown: string;
  /** The anchor of the heading in the Markdown for each ID of the source; "" before the first heading. */
  anchors: Map<string, string>;
  /** The absolute addresses of all links on the page, in order. */
  links: string[];
  /** The nested lists of links that look like the menu of the site, flattened depth first. */
  navigation: NavigationEntry[][];
  relations: Relations;
  /** The address in `<link rel="canonical">`. */
  canonical?: string;
  /** Whether `<meta name="robots">` forbids following the links of the page. */
  nofollow: boolean;
}

/** @param title used if the page has neither a heading nor a title */
export function readHtml(html: string, url: string, title: string): HtmlPage {
  try {
    return read(html, url, title);
  } catch (error) {
    // An attack: deep nesting overflows the stack of the libraries that walk the tree.
    if (error instanceof RangeError)
      throw new ImportFailure('unreadable', 'The elements of the page are nested too deeply.');
    throw error;
  }
}

/** Converts a piece of HTML without navigation, such as from a document converter, to Markdown. */
export function fragmentToMarkdown(html: string): string {
  const root = fromHtml(html, { fragment: true });
  limitDepth(root);
  const content = element('div', {}, childrenOf(root));
  simplify(content);
  return toMarkdown(content);
}

function read(html: string, url: string, fallback: string): HtmlPage {
  const { main, ...page } = contentOf(fromHtml(html), url, fallback);
  return { ...page, markdown: toMarkdown(main) };
}

/** Reads a parsed page. Its main content is in a form that can be converted to Markdown. */
export function contentOf(
  root: HastRoot,
  url: string,
  fallback: string,
): Omit<HtmlPage, 'markdown'> & { main: Element } {
  limitDepth(root);
  const first = (tagName: string) => findElement([root], (node) => isElement(node, tagName));
  const head = first('head');
  const body = first('body') ?? element('div', {}, childrenOf(root));
  const headElements = head ? all(head, () => true) : [];
  const inHead = (tagName: string) => headElements.filter((node) => isElement(node, tagName));
  const [baseElement] = inHead('base');
  const base = (baseElement && absolute(attribute(baseElement, 'href'), url)) || url;
  makeAbsolute(body, base);
  const meta = (name: string) => {
    const named = inHead('meta').find((node) => lower(node, 'name') === name);
    return named && attribute(named, 'content');
  };
  const canonical = inHead('link').find((node) => hasRel(node, 'canonical'));
  const links = all(body, ({ tagName }) => tagName === 'a').flatMap((link) => attribute(link, 'href') || []);
  const navigation = navigationsOf(body);
  const relations = relationsOf(inHead('link'), body, base);
  const main = mainOf(body);
  simplify(main);
  const [headTitle] = inHead('title');
  const title = moveTitleFirst(main, (headTitle && pageTitle(oneLine(textIn(headTitle)))) || fallback);
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
    ...(canonical && { canonical: absolute(attribute(canonical, 'href'), base) }),
    nofollow: /nofollow|none/i.test(meta('robots') ?? ''),
  };
}

function makeAbsolute(body: Element, base: string): void {
  for (const node of all(body, () => true)) {
    for (const name of ['href', 'src', 'dataSrc', 'dataOriginal', 'dataLazySrc']) {
      const value = attribute(node, name);
      if (value) node.properties[name] = absolute(value, base) ?? value;
      if (name === 'href' && value.startsWith('#')) node.properties['dataOwn'] = true;
    }
  }
}

function toMarkdown(main: Element): string {
  const root = toMdast({ type: 'root', children: [main] });
  if (root.type !== 'root') throw new TypeError(`A root became a ${root.type}.`);
  breakInCells(root, false);
  removeEmptyParagraphs(root);
  return stringify(root);
}

// Line breaks between blocks are only for spacing.
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
