import GithubSlugger from 'github-slugger';
import type { Element, ElementContent, Root as HastRoot } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { toMdast } from 'hast-util-to-mdast';
import type { Nodes as MdastNodes } from 'mdast';
import { words } from '../../../shared/words.ts';
import { attribute, childrenOf, element, findElement, isElement, limitDepth, text, textIn } from '../../html/hast.ts';
import { oneLine } from '../../markdown/markdown.ts';
import { stringify } from '../../markdown/parse.ts';
import { ImportFailure } from '../failure.ts';
import { type FactsOf, all, countFacts, elements, idOf, lower, namesOf, pathTo, remove } from './html-tree.ts';
import { removeNonContent, removePageFrame } from './non-content.ts';
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

/**
 * @param title used if the page has neither a heading nor a title
 * @param prepare changes the parsed page before it is read
 */
export function readHtml(html: string, url: string, title: string, prepare?: (root: HastRoot) => void): HtmlPage {
  try {
    return read(html, url, title, prepare);
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

function read(html: string, url: string, fallback: string, prepare?: (root: HastRoot) => void): HtmlPage {
  const root = fromHtml(html);
  if (prepare) {
    limitDepth(root);
    prepare(root);
  }
  const { main, ...page } = contentOf(root, url, fallback);
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

/** What a page itself says about its position in the site. Addresses are absolute. */
interface Relations {
  /** The page above it. */
  up?: string;
  /** The page after it in reading order. */
  next?: string;
  /** The pages above it, from the top. Can end with the page itself. */
  breadcrumbs: string[];
}

type Relation = 'up' | 'next';

/** Values of `rel` in manuals, in `<link>` and `<a>`. */
const tokens: Record<Relation, readonly string[]> = { up: ['up', 'parent'], next: ['next'] };
/** The access keys of navigation links in DocBook and Texinfo. */
const keys: Record<Relation, string> = { up: 'u', next: 'n' };
const relationWords: Record<Relation, RegExp> = { up: /^up$/i, next: /^next$/i };

/**
 * Reads the relations of a page, before its navigation is removed. The addresses in `body` are absolute.
 *
 * @param heads the links in the head
 */
function relationsOf(heads: readonly Element[], body: Element, base: string): Relations {
  const links = all(body, ({ tagName }) => tagName === 'a');
  const related = (relation: Relation): string | undefined => {
    const isRelated = (element: Element) => tokens[relation].some((token) => hasRel(element, token));
    const stated = heads.find(isRelated);
    if (stated) return absolute(attribute(stated, 'href'), base);
    const link =
      links.find(isRelated) ??
      links.find(
        (each) => lower(each, 'accessKey') === keys[relation] && relationWords[relation].test(oneLine(textIn(each))),
      );
    return (link && attribute(link, 'href')) || undefined;
  };
  const [up, next] = [related('up'), related('next')];
  return { ...(up && { up }), ...(next && { next }), breadcrumbs: breadcrumbsOf(body) };
}

const isTrail = (element: Element) =>
  namesOf(element).some((name) => /(?:^|[-_])breadcrumbs?(?:$|[-_])/.test(name)) ||
  /breadcrumb/i.test(attribute(element, 'ariaLabel')) ||
  attribute(element, 'itemType').endsWith('BreadcrumbList');

function breadcrumbsOf(body: Element): string[] {
  const [trail] = all(body, isTrail);
  if (!trail) return [];
  return all(trail, ({ tagName }) => tagName === 'a').flatMap((link) => attribute(link, 'href') || []);
}

/** Whether `rel` contains a token. */
const hasRel = (element: Element, token: string): boolean => lower(element, 'rel').split(' ').includes(token);

function absolute(address: string, base: string): string | undefined {
  return URL.parse(address.trim(), base)?.href;
}

/** Finds the title, and makes it the heading at the start of the content. */
function moveTitleFirst(main: Element, fallback: string): string {
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
function pageTitle(title: string): string {
  const [page = ''] = title.split(/ (?:[|·•»—–-]|::) /, 1);
  return page.trim() || title;
}

/** The anchor of the heading above each ID; "" before the first heading. */
function anchorsOf(main: Element): Map<string, string> {
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

function mainOf(body: Element): Element {
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

interface NavigationEntry {
  /** Missing for a label above other entries. */
  url?: string;
  title: string;
  /** The index of the entry above it, or -1. */
  parent: number;
}

const menuNames = /(?:^|[-_])(?:nav|navigation|sidebar|sphinxsidebar|sidenav|menu|toc|toctree|summary)(?:$|[-_])/i;

// Menus nested deeper than this repeat the entries of the outer ones.
const maxMenusAbove = 3;

function navigationsOf(body: Element): NavigationEntry[][] {
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
