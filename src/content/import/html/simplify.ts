import type { Element, ElementContent } from 'hast';
import { words } from '../../../shared/words.ts';
import { attribute, element, findElement, isBlank, isElement, text, textIn } from '../../html/hast.ts';
import { oneLine } from '../../markdown/markdown.ts';
import { all, change, elements, idOf, lower, namesOf, remove } from './html-tree.ts';
import { removeNonContent, removePageFrame } from './non-content.ts';

const admonitionNames =
  /^(?:admonition|admonitionblock|theme-admonition|custom-block|callout|alert|hint|note|tip|warning|caution|danger|important|info)$/;

/** Simplifies the content, so that its Markdown is like that of an author. */
export function simplify(main: Element): void {
  removeNonContent(main);
  removePageFrame(main);
  change(main, (node) => {
    switch (node.tagName) {
      case 'h1':
      case 'h2':
      case 'h3':
      case 'h4':
      case 'h5':
      case 'h6':
        return [plainHeading(node)];
      case 'pre':
        return [codeBlock(node)];
      case 'dl':
        return [definitionList(node)];
      case 'ul':
      case 'ol':
        return [tightList(node)];
      case 'table':
        return tableOrContent(node);
      case 'img':
        return image(node);
      case 'a':
        return anchor(node);
      case 'input':
        return lower(node, 'type') === 'checkbox' ? [node] : [];
      case 'label':
      case 'form':
      case 'header':
      case 'picture':
      case 'figure':
      case 'center':
      case 'font':
      case 'small':
        return isPhrasing(node) ? node.children : [element('div', {}, node.children)];
      case 'div':
      case 'aside':
      case 'section':
      case 'details':
        return namesOf(node).some((name) => admonitionNames.test(name)) ? [admonition(node)] : [node];
      case 'summary':
        return [element('p', {}, [element('strong', {}, node.children)])];
      default:
        return [node];
    }
  });
}

const find = (node: Element, ...names: string[]) => findElement([node], (inner) => isElement(inner, ...names));

function plainHeading(heading: Element): Element {
  const whole = textIn(heading).trim();
  const children = heading.children.flatMap((child): ElementContent[] => {
    if (!isElement(child, 'a')) return [child];
    const words = textIn(child).trim();
    // Links such as "¶" are for copying the address, and so is a link to the heading itself.
    if (!/[\p{L}\p{N}]/u.test(words)) return child.properties['id'] ? [{ ...child, children: [] }] : [];
    return child.properties['dataOwn'] || words === whole ? child.children : [child];
  });
  return { ...heading, children };
}

function codeBlock(pre: Element): Element {
  const inner = find(pre, 'code');
  const language = languageOf(pre) ?? (inner && languageOf(inner));
  const value = textIn(pre)
    .replace(/^\r?\n/, '')
    .replaceAll('\r\n', '\n');
  const properties = language ? { className: [`language-${language}`] } : {};
  return element('pre', idOf(pre), [element('code', properties, [text(value)])]);
}

const languageName = /^(?:language|lang|highlight-source|highlight|brush|sourcecode)[-:]([a-z0-9+#.-]+)$/i;

function languageOf(node: Element): string | undefined {
  const names = [...namesOf(node), `lang-${attribute(node, 'dataLang') || attribute(node, 'dataLanguage')}`];
  return names
    .map((name) => languageName.exec(name)?.[1])
    .find((language) => language && language !== 'default' && language !== 'none' && language !== 'text');
}

/** A list in which each item starts with its term. Terms that share a definition are on one line. */
function definitionList(list: Element): Element {
  const parts = elements(list).flatMap((child) => (child.tagName === 'div' ? elements(child) : [child]));
  const items: Element[] = [];
  let terms: Element | undefined;
  for (const part of parts) {
    if (part.tagName === 'dt') {
      if (terms) terms.children = terms.children.concat(text(', '), term(part));
      else {
        terms = element('p', {}, term(part));
        items.push(element('li', idOf(part), [terms]));
      }
      const { id } = idOf(part);
      if (id) terms.children.push(element('span', { id }));
    } else {
      terms = undefined;
      const last = items.at(-1);
      if (last) last.children = last.children.concat(flowOf(part));
      else items.push(element('li', {}, part.children));
    }
  }
  return element('ul', {}, items);
}

function term(part: Element): ElementContent[] {
  const children = trimmed(part.children);
  return children.length === 0 || find(part, 'code', 'strong', 'b') ? children : [element('strong', {}, children)];
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

/** Removes the blank lines between items of a single paragraph. */
function tightList(list: Element): Element {
  const items = elements(list).filter(({ tagName }) => tagName === 'li');
  const paragraphs = items.map(onlyParagraph);
  if (paragraphs.includes(undefined)) return list;
  for (const [index, item] of items.entries()) item.children = paragraphs[index]?.children ?? [];
  return list;
}

function onlyParagraph(item: Element): Element | undefined {
  const [only, ...others] = item.children.filter((child) => !isBlank(child));
  return isElement(only, 'p') && others.length === 0 ? only : undefined;
}

const titleName =
  /(?:admonition-title|admonition-heading|admonitionHeading|callout-title|alert-heading|custom-block-title)/i;

function admonition(node: Element): Element {
  const [icon, body, ...others] = find(node, 'table') ? all(node, ({ tagName }) => tagName === 'td') : [];
  // AsciiDoc: one cell with a word or image for the kind of note, one with the text.
  if (icon && body && others.length === 0) {
    const picture = find(icon, 'img');
    const label = textIn(icon).trim() || (picture ? attribute(picture, 'alt') : '');
    return element('blockquote', {}, [...labelled(label), ...flowOf(body)]);
  }
  const title = findElement([node], (inner) => namesOf(inner).some((name) => titleName.test(name)));
  if (title) remove(node, (inner) => inner === title);
  return element('blockquote', {}, [...labelled(title ? oneLine(textIn(title)) : ''), ...flowOf(node)]);
}

const flowOf = (node: Element): ElementContent[] =>
  isPhrasing(node) ? [element('p', {}, node.children)] : node.children;

const labelled = (label: string): Element[] =>
  label ? [element('p', {}, [element('strong', {}, [text(label)])])] : [];

function image(img: Element): ElementContent[] {
  // Pages that load images lazily have a placeholder in src.
  const lateSource = ['dataSrc', 'dataOriginal', 'dataLazySrc'].map((name) => attribute(img, name)).find(Boolean);
  const source = attribute(img, 'src');
  const src = lateSource && (!source || /^data:/i.test(source)) ? lateSource : source;
  return src ? [element('img', { src, alt: oneLine(attribute(img, 'alt')) })] : [];
}

function anchor(link: Element): ElementContent[] {
  const href = attribute(link, 'href');
  const id = attribute(link, 'id') || attribute(link, 'name');
  const isEmpty = textIn(link).trim() === '' && !find(link, 'img');
  if (!href || isEmpty || /^javascript:/i.test(href)) {
    const children = isEmpty ? [] : link.children;
    return id ? [element('span', { id }, children)] : children;
  }
  // The tooltip, which is usually the title of the target, is not part of the text.
  const { title: _, ...properties } = link.properties;
  return [{ ...link, properties }];
}

const blocks = new Set(words('p div ul ol pre blockquote table h1 h2 h3 h4 h5 h6 dl section hr li article details'));

const isPhrasing = ({ children }: Element): boolean => !findElement(children, (inner) => blocks.has(inner.tagName));

/**
 * The table, or only its content if it is for layout: code next to line numbers, a note next to its icon, or parts of the
 * page.
 */
function tableOrContent(table: Element): ElementContent[] {
  const rows = all(table, ({ tagName }) => tagName === 'tr').map((row) =>
    elements(row).filter((cell) => isElement(cell, 'td', 'th')),
  );
  const widest = rows.reduce((most, cells) => Math.max(most, cells.length), 0);
  const heads = rows.flat().filter(({ tagName }) => tagName === 'th').length;
  if (rows.length === 0) return [];
  const codes = rows.length === 1 && heads === 0 ? all(table, ({ tagName }) => tagName === 'pre') : [];
  if (codes.length > 0) return codes.slice(-1);
  const layout =
    (widest <= 1 && heads === 0) ||
    lower(table, 'role') === 'presentation' ||
    (rows.length === 1 && heads === 0 && rows.flat().some((cell) => !isPhrasing(cell)));
  if (!layout) return [oneLineCells(table)];
  return rows.flat().map((cell) => element(isPhrasing(cell) ? 'p' : 'div', {}, cell.children));
}

// A cell of a Markdown table is a single line, so line breaks separate its blocks.
function oneLineCells(table: Element): Element {
  const lineBreak = () => element('br', {});
  change(table, (node) => {
    if (node.tagName === 'pre') {
      const lines = textIn(node).trim().split('\n');
      const codes = lines.map((line) => element('code', {}, [text(line)]));
      return codes.flatMap((code, index) => (index > 0 ? [lineBreak(), code] : [code]));
    }
    if (!isElement(node, 'td', 'th')) return [node];
    let isAfterText = false;
    const children = node.children.flatMap((child) => {
      const isBreak = isAfterText && child.type === 'element' && blocks.has(child.tagName);
      isAfterText ||= textIn(child).trim() !== '';
      return isBreak ? [lineBreak(), child] : [child];
    });
    return [{ ...node, children }];
  });
  return table;
}
