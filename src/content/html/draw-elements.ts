import type { Element, ElementContent } from 'hast';
import { words } from '../../shared/words.ts';
import { ExpressionError, membersIn, textOf } from '../blocks/expressions.ts';
import { emojiOfCode } from '../markdown/markup.ts';
import { drawCode } from './draw-code.ts';
import type { Draw, DrawContext } from './draw-context.ts';
import { drawImage, drawMedia, drawPicture } from './draw-images.ts';
import { drawTable } from './draw-tables.ts';
import {
  addClass,
  attribute,
  classesOf,
  element,
  findElement,
  hasAttribute,
  isBlank,
  isElement,
  plainProperties,
  text,
  textIn,
} from './hast.ts';
import { isAddressText, resolveLink } from './links.ts';

type Handler = (node: Element, context: DrawContext, draw: Draw) => ElementContent | ElementContent[];

/** How elements from authors or from Markdown are drawn. All others keep only plain attributes. */
export const elementHandlers: Readonly<Record<string, Handler>> = {
  a: drawLink,
  audio: drawMedia,
  button: drawButton,
  center: (node, _, draw) => element('div', { className: ['align-center'] }, draw(node.children)),
  code: drawInlineCode,
  details: drawDetails,
  div: drawDivision,
  embed: drawMedia,
  figure: drawFigure,
  font: (node, _, draw) => draw(node.children),
  h1: drawHeading,
  h2: drawHeading,
  h3: drawHeading,
  h4: drawHeading,
  h5: drawHeading,
  h6: drawHeading,
  i: drawIcon,
  iframe: drawMedia,
  img: drawImage,
  input: (node) =>
    element('input', { type: 'checkbox', disabled: true, ...(hasAttribute(node, 'checked') && { checked: true }) }),
  li: drawListItem,
  mark: drawMark,
  p: drawParagraph,
  picture: drawPicture,
  pre: drawPreformatted,
  section: drawSection,
  source: () => [],
  span: drawSpan,
  table: drawTable,
  ul: drawList,
  ol: drawList,
  video: drawMedia,
};

function drawLink(node: Element, context: DrawContext, draw: Draw): ElementContent | ElementContent[] {
  const href = attribute(node, 'href');
  const id = attribute(node, 'id');
  if (id !== '') context.anchors.add(id);
  const identity = id === '' ? {} : { id };
  if (context.linkDepth > 0) return draw(node.children);
  if (hasAttribute(node, 'dataFootnoteRef') || hasAttribute(node, 'dataFootnoteBackref')) {
    const { ariaLabel, ariaDescribedBy, dataFootnoteRef } = node.properties;
    const className = [dataFootnoteRef === undefined ? 'footnote-back' : 'footnote-link'];
    return element('a', { ...identity, href, className, ariaLabel, ariaDescribedBy }, node.children);
  }
  const { line } = context;
  context.linkDepth += 1;
  const children = draw(node.children);
  context.linkDepth -= 1;
  const button = buttonClasses(node);
  const content = button ? [...iconNodes(attribute(node, 'dataIcon'), context), ...children] : children;
  const target = href === '' ? undefined : resolveLink(href, line, context);
  if (!target) {
    if (href === '' && !button) return [...(id === '' ? [] : [element('a', identity)]), ...children];
    const className = button ? [...button, 'button-disabled'] : ['broken-link'];
    return element('span', { ...identity, className }, content);
  }
  const label = labelOf(node, href, content, target.title);
  const className = button ?? (target.isExternal ? ['external'] : undefined);
  return element('a', { ...identity, href: target.href, ...(className && { className }) }, label);
}

function labelOf(node: Element, href: string, content: ElementContent[], title?: string): ElementContent[] {
  if (content.some((child) => child.type === 'element' && !isElement(child, 'code', 'em', 'strong'))) return content;
  if (title && (hasAttribute(node, 'dataMention') || isAddressText(textIn(content), href)) && !href.startsWith('#'))
    return [text(title)];
  return content.length === 0 ? [text(href)] : content;
}

function buttonClasses(node: Element): string[] | undefined {
  const classes = classesOf(node);
  if (!classes.includes('button')) return undefined;
  return ['button', classes.includes('secondary') ? 'button-secondary' : 'button-primary'];
}

function drawButton(node: Element, context: DrawContext, draw: Draw): Element {
  const action = attribute(node, 'dataAction');
  const content = [...iconNodes(attribute(node, 'dataIcon'), context), ...draw(node.children)];
  const className = buttonClasses(node) ?? ['button', 'button-secondary'];
  if (action !== 'search' && action !== 'ask')
    return element('span', { className: [...className, 'button-disabled'] }, content);
  const query = attribute(node, 'dataQuery');
  const properties = { type: 'button', className, dataAction: action, ...(query !== '' && { dataQuery: query }) };
  return element('button', properties, content);
}

/** Draws an icon by name. Empty for an empty name. */
export function iconNodes(name: string, context: DrawContext): ElementContent[] {
  const plain = name.trim().replace(/^:|:$/g, '').replace(/^fa-/, '');
  if (plain === '') return [];
  const drawing = context.source.icon?.(plain);
  if (drawing) return [drawing];
  if (context.source.icon) context.report('unknown-icon', `There is no icon "${plain}".`);
  return [element('span', { className: ['icon', 'icon-unknown'], title: plain })];
}

const iconStyle = /^fa-(?:solid|regular|light|thin|duotone|brands|fw|xs|sm|lg)$/;

function drawIcon(node: Element, context: DrawContext, draw: Draw): ElementContent | ElementContent[] {
  const name = classesOf(node).findLast((one) => one.startsWith('fa-') && !iconStyle.test(one));
  return name === undefined ? element('i', plainProperties(node), draw(node.children)) : iconNodes(name, context);
}

function drawInlineCode(node: Element, context: DrawContext): ElementContent {
  const children = node.children.map((child) => text(textIn(child)));
  if (!classesOf(node).includes('expression')) return element('code', plainProperties(node), children);
  const expression = textIn(node).trim();
  for (const member of membersIn(expression)) context.uses.add('variables', member);
  try {
    return text(textOf(context.source.evaluate(expression)));
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    context.report('bad-expression', `${expression}: ${error.message}`);
    return element('span', { className: ['unknown-block'] }, [text(expression)]);
  }
}

function drawDetails(node: Element, _: DrawContext, draw: Draw): Element {
  const children = draw(node.children).filter((child) => !isBlank(child));
  const summary = children.find((child) => isElement(child, 'summary')) ?? element('summary', {}, [text('...')]);
  const content = children.filter((child) => child !== summary);
  const properties = { ...plainProperties(node), className: ['expandable'] };
  return element('details', properties, [summary, ...inParagraphs(content)]);
}

const phrasingNames = new Set(
  words(`
    a abbr b bdi bdo br button cite code data del dfn em i img input ins kbd mark math q s samp small span strong sub
    sup svg time u var wbr
  `),
);

const isPhrasing = (node: ElementContent): boolean =>
  node.type === 'text' || (node.type === 'element' && phrasingNames.has(node.tagName));

/** Wraps text next to blocks in paragraphs. */
export function inParagraphs(nodes: ElementContent[]): ElementContent[] {
  const result: ElementContent[] = [];
  let line: ElementContent[] = [];
  const end = (): void => {
    if (line.some((node) => !isBlank(node))) result.push(element('p', {}, line));
    line = [];
  };
  for (const node of nodes) {
    if (isPhrasing(node)) {
      line.push(node);
      continue;
    }
    end();
    result.push(node);
  }
  end();
  return result;
}

function drawDivision(node: Element, _: DrawContext, draw: Draw): ElementContent {
  const children = draw(node.children);
  const figures = children.filter((child) => isElement(child, 'figure'));
  const align = attribute(node, 'align').toLowerCase();
  const isFramed = attribute(node, 'dataWithFrame') === 'true';
  const isWide = attribute(node, 'dataFullWidth') === 'true';
  for (const figure of figures) {
    if (/^(?:left|center|right)$/.test(align)) addClass(figure, `figure-${align}`);
    if (isFramed) addClass(figure, 'framed');
    if (isWide) addClass(figure, 'full-width');
  }
  const [figure] = figures;
  if (figure && children.every((child) => child === figure || isBlank(child))) return figure;
  const div = element('div', plainProperties(node), children);
  if (isFramed && !figure) addClass(div, 'frame-image');
  if (isWide) addClass(div, 'full-width');
  return div;
}

function drawFigure(node: Element, _: DrawContext, draw: Draw): Element {
  const isEmptyCaption = (child: ElementContent) => isElement(child, 'figcaption') && textIn(child).trim() === '';
  const children = draw(node.children).filter((child) => !isEmptyCaption(child));
  return element('figure', plainProperties(node), children);
}

function drawHeading(node: Element, context: DrawContext, draw: Draw): Element {
  const own = findElement(
    node.children,
    (inner) => isElement(inner, 'a') && attribute(inner, 'id') !== '' && textIn(inner) === '',
  );
  const children = draw(node.children.filter((child) => child !== own));
  if (context.cardDepth > 0) return element('p', { className: ['card-title'] }, children);
  if (attribute(node, 'id') === 'footnote-label')
    return element('h2', { id: 'footnote-label', className: ['footnotes-title'] }, children);
  const title = textIn(children).replaceAll(/\s+/g, ' ').trim();
  const id = anchorOf(attribute(own ?? node, 'id'), title, context);
  // The title of the page is the only heading of the first level.
  const depth = Math.max(2, Number(node.tagName.slice(1)));
  if (title !== '') context.headings.push({ id, depth, text: title });
  const properties = { className: ['heading-anchor'], href: `#${id}`, ariaHidden: 'true', tabIndex: -1 };
  const { className } = plainProperties(node);
  return element(`h${depth}`, { id, ...(className && { className }) }, [
    ...children,
    element('a', properties, [text('#')]),
  ]);
}

function anchorOf(written: string, title: string, context: DrawContext): string {
  let id = written === '' ? context.slugger.slug(title) : written;
  if (context.anchors.has(id)) {
    if (written !== '') context.report('duplicate-anchor', `Another heading already has the anchor "${id}".`);
    id = context.slugger.slug(id);
  }
  context.anchors.add(id);
  return id;
}

function drawListItem(node: Element, _: DrawContext, draw: Draw): Element {
  const children = draw(node.children);
  if (!classesOf(node).includes('task-list-item')) return element('li', plainProperties(node), children);
  labelTask(children.find((child) => isElement(child, 'p'))?.children ?? children);
  return element('li', { className: ['task-list-item'] }, children);
}

/** Wraps the checkbox of a task and its text in a label. */
function labelTask(nodes: ElementContent[]): void {
  const start = nodes.findIndex((child) => isElement(child, 'input'));
  if (start === -1) return;
  const length = nodes.slice(start).findIndex((child) => !isPhrasing(child));
  const line = nodes.slice(start, length === -1 ? undefined : start + length);
  nodes.splice(start, line.length, element('label', {}, line));
}

function drawList(node: Element, _: DrawContext, draw: Draw): Element {
  const properties = plainProperties(node);
  if (classesOf(node).includes('contains-task-list')) properties['className'] = ['contains-task-list'];
  return element(node.tagName, properties, draw(node.children));
}

const color = /^(?:red|orange|yellow|green|teal|blue|purple|pink|gray|grey|brown|primary)$/;

/** The classes for `style="color:red;background-color:yellow"`. */
function colorClasses(style: string): string[] {
  return style.split(';').flatMap((rule) => {
    const [name, value = ''] = rule.split(':').map((part) => part.trim().toLowerCase().replace(/^\$/, ''));
    if (!color.test(value)) return [];
    if (name === 'color') return [`color-${value}`];
    return name === 'background-color' || name === 'background' ? [`background-${value}`] : [];
  });
}

function drawMark(node: Element, _: DrawContext, draw: Draw): Element {
  const className = colorClasses(attribute(node, 'style'));
  return element('mark', className.length > 0 ? { className } : {}, draw(node.children));
}

function drawSpan(node: Element, _: DrawContext, draw: Draw): ElementContent {
  const emoji = attribute(node, 'dataTag') === 'emoji' ? emojiOfCode(attribute(node, 'dataCode')) : undefined;
  if (emoji !== undefined) return text(emoji);
  const className = hasAttribute(node, 'dataOption') ? ['tag'] : colorClasses(attribute(node, 'style'));
  const properties = { ...plainProperties(node), ...(className.length > 0 && { className }) };
  return element('span', properties, draw(node.children));
}

function drawParagraph(node: Element, _: DrawContext, draw: Draw): ElementContent | ElementContent[] {
  const children = draw(node.children);
  if (children.every((child) => isBlank(child)) && node.children.length > 0) return [];
  // A paragraph cannot contain blocks: browsers would end it before them.
  if (children.some((child) => child.type === 'element' && !isPhrasing(child))) return inParagraphs(children);
  return element('p', plainProperties(node), children);
}

function drawPreformatted(node: Element, context: DrawContext): Element {
  const code = findElement(node.children, (inner) => isElement(inner, 'code'));
  const classes = [...(code ? classesOf(code) : []), ...classesOf(node)];
  const language = classes.find((name) => /^lang(?:uage)?-/.test(name))?.replace(/^lang(?:uage)?-/, '') ?? '';
  const style = {
    title: attribute(node, 'dataTitle'),
    hasNumbers: hasAttribute(node, 'dataLineNumbers'),
    isWrapped: attribute(node, 'dataOverflow') === 'wrap',
  };
  return drawCode(textIn(node).replace(/\n$/, ''), language, style, context);
}

function drawSection(node: Element, _: DrawContext, draw: Draw): Element {
  const properties = classesOf(node).includes('footnotes') ? { className: ['footnotes'] } : plainProperties(node);
  return element('section', properties, draw(node.children));
}
