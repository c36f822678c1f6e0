import type { Element, ElementContent } from 'hast';
import { ExpressionError, membersIn, textOf } from '../blocks/expressions.ts';
import {
  addClass,
  attribute,
  classesOf,
  element,
  findElement,
  hasAttribute,
  isBlank,
  isElement,
  text,
  textIn,
} from './content.ts';
import { drawCode } from './draw-code.ts';
import type { DrawContext } from './draw-context.ts';
import { drawImage, drawMedia, drawPicture } from './draw-images.ts';
import { drawTable } from './draw-tables.ts';
import { plainProperties } from './plain-properties.ts';
import { emojiOfCode } from './emoji.ts';
import { isAddressText, resolveLink } from './links.ts';

type Draw = (nodes: ElementContent[]) => ElementContent[];
type Handler = (node: Element, context: DrawContext, draw: Draw) => ElementContent[];

/** How elements that authors write, or that Markdown stands for, are drawn; others stay, with plain attributes. */
export const elementHandlers: Readonly<Record<string, Handler>> = {
  a: drawLink,
  audio: drawMedia,
  button: drawButton,
  center: (node, _, draw) => [element('div', { className: ['align-center'] }, draw(node.children))],
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
  img: (node, context) => drawImage(node, context),
  input: (node) => [checkbox(hasAttribute(node, 'checked'))],
  li: drawListItem,
  mark: drawMark,
  p: drawParagraph,
  picture: (node, context) => drawPicture(node, context),
  pre: drawPreformatted,
  section: drawSection,
  source: () => [],
  span: drawSpan,
  table: drawTable,
  ul: drawList,
  ol: drawList,
  video: drawMedia,
};

function drawLink(node: Element, context: DrawContext, draw: Draw): ElementContent[] {
  const href = attribute(node, 'href');
  const id = attribute(node, 'id');
  if (id !== '') context.anchors.add(id);
  const identity = id === '' ? {} : { id };
  if (context.linkDepth > 0) return draw(node.children);
  if (hasAttribute(node, 'dataFootnoteRef') || hasAttribute(node, 'dataFootnoteBackref')) {
    const { ariaLabel, ariaDescribedBy, dataFootnoteRef } = node.properties;
    const className = [dataFootnoteRef === undefined ? 'footnote-back' : 'footnote-link'];
    return [element('a', { ...identity, href, className, ariaLabel, ariaDescribedBy }, node.children)];
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
    return [element('span', { ...identity, className }, content)];
  }
  const label = labelOf(node, href, content, target.title);
  const className = button ?? (target.isExternal ? ['external'] : undefined);
  return [element('a', { ...identity, href: target.href, ...(className && { className }) }, label)];
}

function labelOf(node: Element, href: string, content: ElementContent[], title?: string): ElementContent[] {
  if (content.some((child) => child.type === 'element' && !isElement(child, 'code', 'em', 'strong'))) return content;
  const written = content.map((child) => textIn(child)).join('');
  if (title && (hasAttribute(node, 'dataMention') || isAddressText(written, href)) && !href.startsWith('#'))
    return [text(title)];
  return written.trim() === '' && content.length === 0 ? [text(href)] : content;
}

function buttonClasses(node: Element): string[] | undefined {
  const classes = classesOf(node);
  if (!classes.includes('button')) return undefined;
  return ['button', classes.includes('secondary') ? 'button-secondary' : 'button-primary'];
}

function drawButton(node: Element, context: DrawContext, draw: Draw): ElementContent[] {
  const action = attribute(node, 'dataAction');
  const content = [...iconNodes(attribute(node, 'dataIcon'), context), ...draw(node.children)];
  const className = buttonClasses(node) ?? ['button', 'button-secondary'];
  if (action !== 'search' && action !== 'ask')
    return [element('span', { className: [...className, 'button-disabled'] }, content)];
  const query = attribute(node, 'dataQuery');
  return [
    element(
      'button',
      { type: 'button', className, dataAction: action, ...(query !== '' && { dataQuery: query }) },
      content,
    ),
  ];
}

/** The drawing of an icon; nothing where no icons are available. */
export function iconNodes(name: string, context: DrawContext): ElementContent[] {
  const plain = name.trim().replace(/^:|:$/g, '').replace(/^fa-/, '');
  if (plain === '') return [];
  const drawing = context.source.icon?.(plain);
  if (drawing) return [drawing];
  if (context.source.icon) context.problems.add('unknown-icon', context.line, `There is no icon "${plain}".`);
  return [element('span', { className: ['icon', 'icon-unknown'], title: plain })];
}

const iconStyles = new Set([
  'fa-solid',
  'fa-regular',
  'fa-light',
  'fa-thin',
  'fa-duotone',
  'fa-brands',
  'fa-fw',
  'fa-xs',
  'fa-sm',
  'fa-lg',
]);

function drawIcon(node: Element, context: DrawContext, draw: Draw): ElementContent[] {
  const name = classesOf(node).findLast((one) => one.startsWith('fa-') && !iconStyles.has(one));
  return name === undefined ? [element('i', plainProperties(node), draw(node.children))] : iconNodes(name, context);
}

function drawInlineCode(node: Element, context: DrawContext): ElementContent[] {
  if (!classesOf(node).includes('expression'))
    return [
      element(
        'code',
        plainProperties(node),
        node.children.map((child) => text(textIn(child))),
      ),
    ];
  const expression = textIn(node).trim();
  for (const member of membersIn(expression)) context.uses.add('variables', member);
  try {
    return [text(textOf(context.source.evaluate(expression)))];
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    context.problems.add('bad-expression', context.line, `${expression}: ${error.message}`);
    return [element('span', { className: ['unknown-block'] }, [text(expression)])];
  }
}

function drawDetails(node: Element, _: DrawContext, draw: Draw): ElementContent[] {
  const children = draw(node.children).filter((child) => !isBlank(child));
  const summary = children.find((child) => isElement(child, 'summary')) ?? element('summary', {}, [text('...')]);
  const content = children.filter((child) => child !== summary);
  const properties = { ...plainProperties(node), className: ['expandable'] };
  return [element('details', properties, [summary, ...inParagraphs(content)])];
}

const phrasing = new Set(
  'a abbr b bdi bdo br button cite code data del dfn em i img input ins kbd mark math q s samp small span strong sub sup svg time u var wbr'.split(
    ' ',
  ),
);

/** Flow content: what stands beside blocks without a paragraph gets one. */
export function inParagraphs(nodes: ElementContent[]): ElementContent[] {
  const result: ElementContent[] = [];
  let line: ElementContent[] = [];
  const end = (): void => {
    if (line.some((node) => !isBlank(node))) result.push(element('p', {}, line));
    line = [];
  };
  for (const node of nodes) {
    if (node.type === 'text' || (node.type === 'element' && phrasing.has(node.tagName))) line.push(node);
    else {
      end();
      result.push(node);
    }
  }
  end();
  return result;
}

function drawDivision(node: Element, _: DrawContext, draw: Draw): ElementContent[] {
  const children = draw(node.children);
  const align = attribute(node, 'align').toLowerCase();
  const isFramed = attribute(node, 'dataWithFrame') === 'true';
  const isWide = attribute(node, 'dataFullWidth') === 'true';
  for (const child of children) {
    if (!isElement(child, 'figure')) continue;
    if (/^(?:left|center|right)$/.test(align)) addClass(child, `figure-${align}`);
    if (isFramed) addClass(child, 'framed');
    if (isWide) addClass(child, 'full-width');
  }
  const properties = plainProperties(node);
  const div = element('div', properties, children);
  if (isFramed && !children.some((child) => isElement(child, 'figure'))) addClass(div, 'frame-image');
  if (isWide) addClass(div, 'full-width');
  const only = children.filter((child) => !isBlank(child));
  return only.length === 1 && isElement(only[0], 'figure') ? only : [div];
}

function drawFigure(node: Element, _: DrawContext, draw: Draw): ElementContent[] {
  const children = draw(node.children).filter(
    (child) => !isElement(child, 'figcaption') || textIn(child).trim() !== '',
  );
  return [element('figure', plainProperties(node), children)];
}

function drawHeading(node: Element, context: DrawContext, draw: Draw): ElementContent[] {
  const own = findElement(
    node.children,
    (found) => isElement(found, 'a') && attribute(found, 'id') !== '' && textIn(found) === '',
  );
  const written = own ? attribute(own, 'id') : attribute(node, 'id');
  const children = draw(node.children.filter((child) => child !== own));
  const title = children
    .map((child) => textIn(child))
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (context.cardDepth > 0) return [element('p', { className: ['card-title'] }, children)];
  if (attribute(node, 'id') === 'footnote-label')
    return [element('h2', { id: 'footnote-label', className: ['footnotes-title'] }, children)];
  const id = anchorOf(written, title, context);
  // The title of the page is the only heading of the first level.
  const depth = Math.max(2, Number(node.tagName.slice(1)));
  if (title !== '') context.headings.push({ id, depth, text: title });
  const link = element('a', { className: ['heading-anchor'], href: `#${id}`, ariaHidden: 'true', tabIndex: -1 }, [
    text('#'),
  ]);
  const { className } = plainProperties(node);
  return [element(`h${depth}`, { id, ...(className && { className }) }, [...children, link])];
}

function anchorOf(written: string, title: string, context: DrawContext): string {
  const id = written === '' ? context.slugger.slug(title) : written;
  if (!context.anchors.has(id)) {
    context.anchors.add(id);
    return id;
  }
  if (written !== '')
    context.problems.add('duplicate-anchor', context.line, `Another heading has the anchor "${id}" too.`);
  const free = context.slugger.slug(id);
  context.anchors.add(free);
  return free;
}

const checkbox = (isChecked: boolean): Element =>
  element('input', { type: 'checkbox', disabled: true, ...(isChecked && { checked: true }) });

function drawListItem(node: Element, _: DrawContext, draw: Draw): ElementContent[] {
  const children = draw(node.children);
  if (!classesOf(node).includes('task-list-item')) return [element('li', plainProperties(node), children)];
  labelTask(children.find((child) => isElement(child, 'p')) ?? undefined, children);
  return [element('li', { className: ['task-list-item'] }, children)];
}

/** Puts the box of a task and its text into a label: it names the box. */
function labelTask(paragraph: Element | undefined, items: ElementContent[]): void {
  const nodes = paragraph ? paragraph.children : items;
  const start = nodes.findIndex((child) => isElement(child, 'input'));
  if (start === -1) return;
  let end = start + 1;
  while (end < nodes.length) {
    const child = nodes[end];
    if (child?.type !== 'text' && !(child?.type === 'element' && phrasing.has(child.tagName))) break;
    end += 1;
  }
  nodes.splice(start, end - start, element('label', {}, nodes.slice(start, end)));
}

function drawList(node: Element, _: DrawContext, draw: Draw): ElementContent[] {
  const properties = plainProperties(node);
  if (classesOf(node).includes('contains-task-list')) properties['className'] = ['contains-task-list'];
  return [element(node.tagName, properties, draw(node.children))];
}

const colors = new Set([
  'red',
  'orange',
  'yellow',
  'green',
  'teal',
  'blue',
  'purple',
  'pink',
  'gray',
  'grey',
  'brown',
  'primary',
]);

/** `style="color:red;background-color:yellow"` as classes. */
function colorClasses(style: string): string[] {
  return style.split(';').flatMap((rule) => {
    const [name, value = ''] = rule.split(':').map((part) => part.trim().toLowerCase().replace(/^\$/, ''));
    if (!colors.has(value)) return [];
    if (name === 'color') return [`color-${value}`];
    return name === 'background-color' || name === 'background' ? [`background-${value}`] : [];
  });
}

function drawMark(node: Element, _: DrawContext, draw: Draw): ElementContent[] {
  const className = colorClasses(attribute(node, 'style'));
  return [element('mark', className.length > 0 ? { className } : {}, draw(node.children))];
}

function drawSpan(node: Element, _: DrawContext, draw: Draw): ElementContent[] {
  const code = attribute(node, 'dataTag') === 'emoji' ? emojiOfCode(attribute(node, 'dataCode')) : undefined;
  if (code !== undefined) return [text(code)];
  const className = hasAttribute(node, 'dataOption') ? ['tag'] : colorClasses(attribute(node, 'style'));
  return [
    element('span', { ...plainProperties(node), ...(className.length > 0 && { className }) }, draw(node.children)),
  ];
}

function drawParagraph(node: Element, _: DrawContext, draw: Draw): ElementContent[] {
  const children = draw(node.children);
  if (children.every((child) => isBlank(child)) && node.children.length > 0) return [];
  const blocks = children.filter((child) => child.type === 'element' && !phrasing.has(child.tagName));
  // A paragraph cannot contain blocks: browsers would end it before them.
  if (blocks.length > 0) return inParagraphs(children);
  return [element('p', plainProperties(node), children)];
}

function drawPreformatted(node: Element, context: DrawContext): ElementContent[] {
  const code = findElement(node.children, (found) => isElement(found, 'code'));
  const named = [...(code ? classesOf(code) : []), ...classesOf(node)].find((name) => /^lang(?:uage)?-/.test(name));
  const style = {
    title: attribute(node, 'dataTitle'),
    hasNumbers: hasAttribute(node, 'dataLineNumbers'),
    isWrapped: attribute(node, 'dataOverflow') === 'wrap',
  };
  return [drawCode(textIn(node).replace(/\n$/, ''), named?.replace(/^lang(?:uage)?-/, '') ?? '', style, context)];
}

function drawSection(node: Element, _: DrawContext, draw: Draw): ElementContent[] {
  const properties = classesOf(node).includes('footnotes') ? { className: ['footnotes'] } : plainProperties(node);
  return [element('section', properties, draw(node.children))];
}
