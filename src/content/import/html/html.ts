import GithubSlugger from 'github-slugger';
import type { Element, ElementContent, Root as HastRoot, Text } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { toMdast } from 'hast-util-to-mdast';
import type { Nodes as MdastNodes, Root } from 'mdast';
import { stringify } from '../../markdown/parse.ts';
import { ImportFailure } from '../failure.ts';
import {
  all,
  change,
  elementOf,
  elements,
  type Facts,
  factsOf,
  find,
  hasToken,
  idOf,
  limitDepth,
  lineTo,
  lower,
  namesOf,
  oneLine,
  remove,
  text,
  textOf,
} from './html-tree.ts';

/** A page of HTML, read: its main content as Markdown with absolute addresses, and what a crawler wants to know. */
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
  /** What `<link rel="canonical">` says. */
  canonical?: string;
  /** `<meta name="robots">` forbids to follow this page's links. */
  nofollow: boolean;
}

export interface NavigationEntry {
  /** Absent for a label over other entries. */
  url?: string;
  title: string;
  /** Index of the entry above it, or -1. */
  parent: number;
}

/** `title` is used where the page has neither a heading nor a title of its own. */
export function readHtml(html: string, url: string, title: string): HtmlPage {
  try {
    return read(html, url, title);
  } catch (error) {
    // Hostile nesting overflows the stack of the libraries that walk the tree.
    if (error instanceof RangeError) throw new ImportFailure('unreadable', 'The page is nested too deep to be read.');
    throw error;
  }
}

/** Markdown of a piece of HTML that is all content, as converters of documents give it. */
export function fragmentToMarkdown(html: string): string {
  const root = fromHtml(html, { fragment: true });
  limitDepth(root);
  const content: Element = {
    type: 'element',
    tagName: 'div',
    properties: {},
    children: root.children as ElementContent[],
  };
  tidy(content);
  return toMarkdown(content);
}

function read(html: string, url: string, fallback: string): HtmlPage {
  const { main, ...page } = contentOf(fromHtml(html), url, fallback);
  return { ...page, markdown: toMarkdown(main) };
}

/** What a page that is parsed says, its main content in the form that the converter makes Markdown of. */
export function contentOf(
  root: HastRoot,
  url: string,
  fallback: string,
): Omit<HtmlPage, 'markdown'> & { main: Element } {
  limitDepth(root);
  const head = find(root, (element) => element.tagName === 'head');
  const body =
    find(root, (element) => element.tagName === 'body') ?? elementOf('div', root.children as ElementContent[]);
  const base = baseOf(head, url);
  absolutise(body, base);
  const metas = head ? all(head, (element) => element.tagName === 'meta') : [];
  const meta = (name: string) =>
    text(metas.find((each) => lower(each.properties['name']) === name)?.properties['content']) || undefined;
  const canonical =
    head && find(head, (element) => element.tagName === 'link' && hasToken(element, 'rel', 'canonical'));
  const links = all(body, (element) => element.tagName === 'a').flatMap((link) => text(link.properties['href']) || []);
  const navigation = navigationsOf(body);
  const main = mainOf(body);
  tidy(main);
  const headTitle = head && find(head, (element) => element.tagName === 'title');
  const title = titled(main, (headTitle && pageTitle(oneLine(textOf(headTitle)))) || fallback);
  const anchors = anchorsOf(main);
  const description = meta('description');
  return {
    title,
    ...(description && { description }),
    main,
    anchors,
    links,
    navigation,
    ...(canonical && { canonical: absolute(text(canonical.properties['href']), base) }),
    nofollow: /nofollow|none/i.test(meta('robots') ?? ''),
  };
}

function toMarkdown(main: Element): string {
  const root = toMdast({ type: 'root', children: [main] }) as Root;
  breakInCells(root, false);
  return stringify(root);
}

// A cell is one line of Markdown, so a break inside needs its tag.
function breakInCells(node: MdastNodes, inCell: boolean): void {
  if (!('children' in node)) return;
  const inside = inCell || node.type === 'tableCell';
  for (const [index, child] of node.children.entries()) {
    if (inside && child.type === 'break') node.children[index] = { type: 'html', value: '<br>' };
    else breakInCells(child, inside);
  }
}

// ---- finding the main content

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

function mainOf(body: Element): Element {
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

const neverContent = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'nav',
  'footer',
  'button',
  'select',
  'textarea',
  'svg',
  'canvas',
  'dialog',
  'object',
  'embed',
  'link',
  'meta',
  'head',
  'title',
  'menu',
]);

function dropAlways(top: Element): void {
  remove(top, (element) => neverContent.has(element.tagName) || isHidden(element));
}

function isHidden({ properties }: Element): boolean {
  return (
    properties['hidden'] === true ||
    properties['ariaHidden'] === 'true' ||
    /display\s*:\s*none/i.test(text(properties['style']))
  );
}

const chromeRoles = new Set([
  'navigation',
  'banner',
  'contentinfo',
  'search',
  'complementary',
  'menu',
  'menubar',
  'toolbar',
]);
const chromeNames = new Set([
  'sphinxsidebar',
  'sphinxsidebarwrapper',
  'wy-nav-side',
  'wy-nav-top',
  'wy-breadcrumbs',
  'rst-footer-buttons',
  'rst-versions',
  'breadcrumb',
  'breadcrumbs',
  'pagination',
  'pagination-nav',
  'pager',
  'prev-next',
  'prevnext',
  'nav-chapters',
  'footer',
  'site-footer',
  'page-footer',
  'site-header',
  'site-nav',
  'navbar',
  'topbar',
  'skip-link',
  'skip-to-content',
  'skiplink',
  'edit-this-page',
  'edit-page',
  'edit-link',
  'theme-edit-this-page',
  'theme-last-updated',
  'last-updated',
  'last-modified',
  'cookie',
  'cookies',
  'cookie-banner',
  'share',
  'social',
  'search',
  'searchbox',
  'feedback',
  'page-feedback',
  'related',
  'headerlink',
  'header-anchor',
  'anchor-link',
  'anchorjs-link',
  'hash-link',
  'anchor-hash',
  'copybtn',
  'copy-button',
  'sr-only',
  'visually-hidden',
  'screen-reader-text',
  'visuallyhidden',
  'linenos',
  'lineno',
  'linenodiv',
  'gutter',
  'footer-text',
  'page-nav',
  'post-nav',
  'mobile-nav',
  'side-nav',
  'sidenav',
  'doc-toc',
  'table-of-contents',
  'toctitle',
  'footnotes-sep',
]);
// These names also stand for content; only with little but links inside they are menus.
const doubtfulNames = new Set([
  'toc',
  'menu',
  'sidebar',
  'nav',
  'navigation',
  'header',
  'banner',
  'aside',
  'contents-list',
  'page-toc',
  'local-toc',
  'index',
]);

function isChrome(element: Element, factsOfThis: () => Facts): boolean {
  if (chromeRoles.has(lower(element.properties['role']))) return true;
  const names = namesOf(element);
  if (names.some((name) => chromeNames.has(name))) return true;
  if (element.tagName !== 'aside' && !names.some((name) => doubtfulNames.has(name))) return false;
  const { letters, linked } = factsOfThis();
  return letters === 0 || linked > letters * 0.6;
}

function dropChrome(top: Element): void {
  let facts: Map<Element, Facts> | undefined;
  remove(top, (element) => isChrome(element, () => (facts ??= factsOf(top)).get(element)!));
}

// ---- making the content plain

const admonitionNames =
  /^(?:admonition|admonitionblock|theme-admonition|custom-block|callout|alert|hint|note|tip|warning|caution|danger|important|info)$/;

/** Changes the content so that the converter gives the Markdown an author would write. */
function tidy(main: Element): void {
  dropAlways(main);
  dropChrome(main);
  change(main, (element) => {
    switch (element.tagName) {
      case 'h1':
      case 'h2':
      case 'h3':
      case 'h4':
      case 'h5':
      case 'h6':
        return [plainHeading(element)];
      case 'pre':
        return [codeBlock(element)];
      case 'dl':
        return [definitionList(element)];
      case 'ul':
      case 'ol':
        return [tightList(element)];
      case 'table':
        return tableOrContent(element);
      case 'img':
        return image(element);
      case 'a':
        return anchor(element);
      case 'input':
        return lower(element.properties['type']) === 'checkbox' ? [element] : [];
      case 'label':
      case 'form':
      case 'header':
      case 'picture':
      case 'figure':
      case 'center':
      case 'font':
      case 'small':
        return isPhrasing(element) ? element.children : [elementOf('div', element.children)];
      case 'div':
      case 'aside':
      case 'section':
      case 'details':
        return namesOf(element).some((name) => admonitionNames.test(name)) ? [admonition(element)] : [element];
      case 'summary':
        return [elementOf('p', [elementOf('strong', element.children)])];
      default:
        return [element];
    }
  });
}

function plainHeading(heading: Element): Element {
  const whole = textOf(heading).trim();
  const children = heading.children.flatMap((child): ElementContent[] => {
    if (child.type !== 'element' || child.tagName !== 'a') return [child];
    const words = textOf(child).trim();
    // "¶" and the like are handles for copying the address, as is a link to the heading itself.
    if (!/[\p{L}\p{N}]/u.test(words)) return child.properties['id'] ? [{ ...child, children: [] }] : [];
    return child.properties['dataOwn'] || words === whole ? child.children : [child];
  });
  return { ...heading, children };
}

function codeBlock(pre: Element): Element {
  const inner = find(pre, ({ tagName }) => tagName === 'code');
  const language = languageOf(pre) ?? (inner && languageOf(inner));
  const value = textOf(pre)
    .replace(/^\r?\n/, '')
    .replaceAll('\r\n', '\n');
  const properties = language ? { className: [`language-${language}`] } : {};
  const code: Element = { type: 'element', tagName: 'code', properties, children: [{ type: 'text', value }] };
  return { type: 'element', tagName: 'pre', properties: idOf(pre), children: [code] };
}

function languageOf(element: Element): string | undefined {
  for (const name of [
    ...namesOf(element),
    `lang-${text(element.properties['dataLang'] ?? element.properties['dataLanguage'])}`,
  ]) {
    const language = /^(?:language|lang|highlight-source|highlight|brush|sourcecode)[-:]([a-z0-9+#.-]+)$/i.exec(
      name,
    )?.[1];
    if (language && language !== 'default' && language !== 'none' && language !== 'text') return language;
  }
  return undefined;
}

/** A list of which each item begins with its term; terms that share a definition stand on one line. */
function definitionList(list: Element): Element {
  const parts = elements(list).flatMap((child) => (child.tagName === 'div' ? elements(child) : [child]));
  const items: Element[] = [];
  let terms: Element | undefined;
  for (const part of parts) {
    if (part.tagName === 'dt') {
      if (terms) terms.children = terms.children.concat({ type: 'text', value: ', ' }, term(part));
      else {
        terms = elementOf('p', term(part));
        items.push({ ...elementOf('li', [terms]), properties: idOf(part) });
      }
      const id = text(part.properties['id']);
      if (id) terms.children.push({ ...elementOf('span', []), properties: { id } });
    } else {
      terms = undefined;
      const last = items.at(-1);
      if (last) last.children = last.children.concat(isPhrasing(part) ? elementOf('p', part.children) : part.children);
      else items.push(elementOf('li', part.children));
    }
  }
  return elementOf('ul', items);
}

function term(part: Element): ElementContent[] {
  const children = trimmed(part.children);
  if (
    children.length === 0 ||
    find(part, ({ tagName }) => tagName === 'code' || tagName === 'strong' || tagName === 'b')
  )
    return children;
  return [elementOf('strong', children)];
}

function trimmed(children: ElementContent[]): ElementContent[] {
  const [first, last] = [children[0], children.at(-1)];
  return children
    .map((child): ElementContent => {
      if (child.type !== 'text') return child;
      const start = child === first ? child.value.trimStart() : child.value;
      return { ...child, value: child === last ? start.trimEnd() : start };
    })
    .filter((child) => child.type !== 'text' || child.value !== '');
}

/** Items of one paragraph each need no blank lines between them. */
function tightList(list: Element): Element {
  const items = elements(list).filter(({ tagName }) => tagName === 'li');
  const single = items.map((item) =>
    item.children.filter((child) => child.type !== 'text' || child.value.trim() !== ''),
  );
  if (!single.every(([only, ...more]) => only?.type === 'element' && only.tagName === 'p' && more.length === 0))
    return list;
  for (const [index, item] of items.entries()) item.children = (single[index]![0] as Element).children;
  return list;
}

const blocks = new Set([
  'p',
  'div',
  'ul',
  'ol',
  'pre',
  'blockquote',
  'table',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'dl',
  'section',
  'hr',
  'li',
  'article',
  'details',
]);

function isPhrasing(element: Element): boolean {
  return !find(element, (inner) => inner !== element && blocks.has(inner.tagName));
}

/** Tables that hold code with its line numbers, a note with its icon, or the page's layout are none. */
function tableOrContent(table: Element): ElementContent[] {
  const rows = all(table, ({ tagName }) => tagName === 'tr').map((row) =>
    elements(row).filter(({ tagName }) => tagName === 'td' || tagName === 'th'),
  );
  const widest = rows.reduce((most, cells) => Math.max(most, cells.length), 0);
  const heads = rows.flat().filter(({ tagName }) => tagName === 'th').length;
  if (rows.length === 0) return [];
  const code = rows.length === 1 && heads === 0 && find(table, ({ tagName }) => tagName === 'pre');
  if (code) return all(table, ({ tagName }) => tagName === 'pre').slice(-1);
  const layout =
    (widest <= 1 && heads === 0) ||
    lower(table.properties['role']) === 'presentation' ||
    (rows.length === 1 && heads === 0 && rows[0]!.some((cell) => !isPhrasing(cell)));
  if (!layout) return [oneLineCells(table)];
  return rows.flat().map((cell) => elementOf(isPhrasing(cell) ? 'p' : 'div', cell.children));
}

// A cell of a Markdown table is one line: its blocks are set apart by line breaks.
function oneLineCells(table: Element): Element {
  change(table, (element) => {
    if (element.tagName === 'pre') {
      return textOf(element)
        .trim()
        .split('\n')
        .flatMap((line, index) => [
          ...(index > 0 ? [elementOf('br', [])] : []),
          elementOf('code', [{ type: 'text', value: line } satisfies Text]),
        ]);
    }
    if (element.tagName !== 'td' && element.tagName !== 'th') return [element];
    let isAfterText = false;
    const children = element.children.flatMap((child) => {
      const isBlock = child.type === 'element' && blocks.has(child.tagName);
      const before = isBlock && isAfterText;
      isAfterText ||= textOf(child).trim() !== '';
      return before ? [elementOf('br', []), child] : [child];
    });
    return [{ ...element, children }];
  });
  return table;
}

function admonition(element: Element): Element {
  const rows = find(element, ({ tagName }) => tagName === 'table')
    ? all(element, ({ tagName }) => tagName === 'td')
    : [];
  // AsciiDoc: one cell for the icon's word, one for the text.
  if (rows.length === 2) {
    const label =
      textOf(rows[0]!).trim() || text(find(rows[0]!, ({ tagName }) => tagName === 'img')?.properties['alt']);
    const content = isPhrasing(rows[1]!) ? [elementOf('p', rows[1]!.children)] : rows[1]!.children;
    return elementOf('blockquote', [...labelled(label), ...content]);
  }
  const title = find(element, (inner) =>
    namesOf(inner).some((name) =>
      /(?:admonition-title|admonition-heading|admonitionHeading|callout-title|alert-heading|custom-block-title)/i.test(
        name,
      ),
    ),
  );
  const label = title ? oneLine(textOf(title)) : '';
  if (title) remove(element, (inner) => inner === title);
  const content = isPhrasing(element) ? [elementOf('p', element.children)] : element.children;
  return elementOf('blockquote', [...labelled(label), ...content]);
}

function labelled(label: string): Element[] {
  return label ? [elementOf('p', [elementOf('strong', [{ type: 'text', value: label } satisfies Text])])] : [];
}

function image(img: Element): ElementContent[] {
  const { src, dataSrc, dataOriginal, dataLazySrc, alt } = img.properties;
  // Pages that load pictures late put a placeholder into src.
  const late = text(dataSrc ?? dataOriginal ?? dataLazySrc);
  const address = late && (!src || /^data:/i.test(text(src))) ? late : text(src);
  if (!address) return [];
  return [{ ...img, properties: { src: address, alt: oneLine(text(alt)) } }];
}

function anchor(link: Element): ElementContent[] {
  const { href, id, name } = link.properties;
  const mark = text(id ?? name);
  const isEmpty = textOf(link).trim() === '' && !find(link, ({ tagName }) => tagName === 'img');
  if (!href || isEmpty || /^javascript:/i.test(text(href))) {
    const kept = isEmpty ? [] : link.children;
    return mark ? [{ ...elementOf('span', kept), properties: { id: mark } }] : kept;
  }
  return [link];
}

// ---- titles and anchors

/** The first heading, which afterwards begins the content. */
function titled(main: Element, fallback: string): string {
  const heading =
    find(main, ({ tagName }) => tagName === 'h1') ?? find(main, ({ tagName }) => /^h[2-6]$/.test(tagName));
  const first = find(main, (element) => /^h[1-6]$/.test(element.tagName) || (isLeaf(element) && hasContent(element)));
  if (heading && heading === first && textOf(heading).trim() !== '') return oneLine(textOf(heading));
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

/** "Install | Pump docs" is "Install": sites put their own name behind. */
function pageTitle(title: string): string {
  return title.split(/ (?:[|·•»—–-]|::) /, 1)[0]!.trim() || title;
}

function anchorsOf(main: Element): Map<string, string> {
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

// ---- navigation

const menuNames = /(?:^|[-_])(?:nav|navigation|sidebar|sphinxsidebar|sidenav|menu|toc|toctree|summary)(?:$|[-_])/i;

// A menu within more menus than this says nothing that they do not say.
const maxMenusAbove = 3;

function navigationsOf(body: Element): NavigationEntry[][] {
  const facts = factsOf(body);
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
    .filter((menu) => facts.get(menu)!.linked >= facts.get(menu)!.letters * 0.5)
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

function entriesOf(menu: Element, facts: ReadonlyMap<Element, Facts>): NavigationEntry[] {
  const entries: NavigationEntry[] = [];
  const visit = (element: Element, parent: number): void => {
    let label = parent;
    for (const child of elements(element)) {
      if (child.tagName === 'li') {
        const { link, list } = facts.get(child)!;
        const title = oneLine(link ? textOf(link) : textBefore(child, list, facts));
        if (!link && (title === '' || !list)) visit(child, label);
        else {
          // `#` opens a submenu: its link is no page but a label.
          const url = link && !link.properties['dataOwn'] && text(link.properties['href']);
          entries.push({ ...(url && { url }), title, parent: label });
          visit(child, entries.length - 1);
        }
      } else if (child.tagName === 'a' && !facts.get(element)!.hasItem && element.tagName !== 'li') {
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

/** Sphinx and others set a caption before each part of their menu. */
function isCaption(element: Element): boolean {
  const isOne = /^h[2-6]$/.test(element.tagName) || namesOf(element).includes('caption');
  const label = oneLine(textOf(element));
  return isOne && label !== '' && !generalLabels.test(label) && !find(element, ({ tagName }) => tagName === 'a');
}

const generalLabels =
  /^(?:on this page|(?:table of )?contents|navigation|menu|related.*|this page|page contents|in this (?:article|section))$/i;

function textBefore(item: Element, list: Element | undefined, facts: ReadonlyMap<Element, Facts>): string {
  const parts: string[] = [];
  for (const child of item.children) {
    if (list && child.type === 'element' && (child === list || facts.get(child)!.list === list)) break;
    parts.push(textOf(child));
  }
  return parts.join('');
}

// ---- addresses

function baseOf(head: Element | undefined, url: string): string {
  const base = head && find(head, ({ tagName }) => tagName === 'base');
  return (base && absolute(text(base.properties['href']), url)) || url;
}

function absolutise(body: Element, base: string): void {
  for (const element of all(body, () => true)) {
    for (const name of ['href', 'src', 'dataSrc', 'dataOriginal', 'dataLazySrc']) {
      const value = text(element.properties[name]);
      if (value) element.properties[name] = absolute(value, base) ?? value;
      if (name === 'href' && value.startsWith('#')) element.properties['dataOwn'] = true;
    }
  }
}

function absolute(address: string, base: string): string | undefined {
  return URL.parse(address.trim(), base)?.href;
}
