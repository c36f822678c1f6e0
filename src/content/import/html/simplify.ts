import type { Element, ElementContent, Text } from 'hast';
import {
  all,
  change,
  elementOf,
  elements,
  find,
  idOf,
  lower,
  namesOf,
  oneLine,
  remove,
  text,
  textOf,
} from './html-tree.ts';
import { removeNonContent, removePageFrame } from './non-content.ts';
import { isPhrasing, tableOrContent } from './simplify-table.ts';

const admonitionNames =
  /^(?:admonition|admonitionblock|theme-admonition|custom-block|callout|alert|hint|note|tip|warning|caution|danger|important|info)$/;

/** Changes the content so that the converter gives the Markdown that an author would write. */
export function simplify(main: Element): void {
  removeNonContent(main);
  removePageFrame(main);
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
    // Links with "¶" and the like are for copying the address, and so is a link to the heading itself.
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

/** A list in which each item begins with its term; terms that share a definition are on one line. */
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
  const paragraphs = items.map(onlyParagraph);
  if (paragraphs.includes(undefined)) return list;
  for (const [index, item] of items.entries()) item.children = paragraphs[index]?.children ?? [];
  return list;
}

function onlyParagraph(item: Element): Element | undefined {
  const [only, ...others] = item.children.filter((child) => child.type !== 'text' || child.value.trim() !== '');
  return only?.type === 'element' && only.tagName === 'p' && others.length === 0 ? only : undefined;
}

function admonition(element: Element): Element {
  const hasTable = find(element, ({ tagName }) => tagName === 'table') !== undefined;
  const [icon, body, ...others] = hasTable ? all(element, ({ tagName }) => tagName === 'td') : [];
  // AsciiDoc: one cell with a word or picture for the kind of note, one with the text.
  if (icon && body && others.length === 0) {
    const label = textOf(icon).trim() || text(find(icon, ({ tagName }) => tagName === 'img')?.properties['alt']);
    return elementOf('blockquote', [...labelled(label), ...flowOf(body)]);
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
  return elementOf('blockquote', [...labelled(label), ...flowOf(element)]);
}

function flowOf(element: Element): ElementContent[] {
  return isPhrasing(element) ? [elementOf('p', element.children)] : element.children;
}

function labelled(label: string): Element[] {
  return label ? [elementOf('p', [elementOf('strong', [{ type: 'text', value: label } satisfies Text])])] : [];
}

function image(img: Element): ElementContent[] {
  const { src, dataSrc, dataOriginal, dataLazySrc, alt } = img.properties;
  // Pages that load pictures when they become visible have a placeholder in src.
  const lateSource = text(dataSrc ?? dataOriginal ?? dataLazySrc);
  const address = lateSource && (!src || /^data:/i.test(text(src))) ? lateSource : text(src);
  if (!address) return [];
  return [{ ...img, properties: { src: address, alt: oneLine(text(alt)) } }];
}

function anchor(link: Element): ElementContent[] {
  const { href, id, name } = link.properties;
  const mark = text(id ?? name);
  const isEmpty = textOf(link).trim() === '' && !find(link, ({ tagName }) => tagName === 'img');
  if (!href || isEmpty || /^javascript:/i.test(text(href))) {
    const children = isEmpty ? [] : link.children;
    return mark ? [{ ...elementOf('span', children), properties: { id: mark } }] : children;
  }
  // Its tooltip, most often the title of the target, is no part of the text.
  const { title: _, ...properties } = link.properties;
  return [{ ...link, properties }];
}
