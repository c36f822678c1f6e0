import type { Element, ElementContent } from 'hast';
import type { Block, Formula } from '../blocks/nodes.ts';
import { attribute, classesOf, element, findElement, isBlank, isElement, text, textIn } from './content.ts';
import { drawCode, drawDiagram, styleCode } from './draw-code.ts';
import type { DrawContext, Drawn } from './draw-context.ts';
import { drawPrompt } from './draw-prompt.ts';
import { updateDate } from '../blocks/update-date.ts';
import { iconNodes, inParagraphs } from './draw-elements.ts';
import { drawEmbed, drawFile, drawPageLink } from './draw-links.ts';
import type { OpenApiBlock } from './page-source.ts';

type Draw = (nodes: ElementContent[]) => ElementContent[];

/** What a `Drawn` node stands for. */
export function drawBlock(drawn: Drawn, context: DrawContext, draw: Draw): ElementContent[] {
  const node = context.drawn[drawn.index];
  if (!node) return [];
  if (node.type === 'unknownTag') return [mark(`<${node.name}>`)];
  context.line = node.position?.start.line ?? context.line;
  if (node.type === 'code') return [drawCode(node.value, node.lang ?? '', fenceStyle(node.meta ?? ''), context)];
  if (node.type === 'formula') return [drawFormula(node, context)];
  if (node.included) return drawIncluded(node, drawn, context, draw);
  const children = draw(drawn.children).filter((child) => node.inline || !isBlank(child));
  if (node.isStray) return [unknown(node), ...children];
  const handler = Object.hasOwn(blockHandlers, node.name) ? blockHandlers[node.name] : undefined;
  if (handler) return handler(node, node.inline ? children : inParagraphs(children), context);
  if (node.name.startsWith('@')) return drawIntegration(node, children, context);
  return [unknown(node), ...children];
}

const mark = (value: string): Element => element('span', { className: ['unknown-block'] }, [text(value)]);

/** The tag as text: without its braces, so that nobody takes it for a tag that was not read. */
function unknown(node: Block): Element {
  return node.inline ? mark(node.tag) : element('p', {}, [mark(node.tag)]);
}

function drawIncluded(node: Block, drawn: Drawn, context: DrawContext, draw: Draw): ElementContent[] {
  const { source, problems } = context;
  const { include } = problems;
  if (node.included) {
    context.source = node.included.source;
    problems.include = node.included.path;
  }
  const children = draw(drawn.children);
  context.source = source;
  problems.include = include;
  return children;
}

/** Formats of a fence: `js title="a.js" lines wrap`. */
function fenceStyle(meta: string): { title?: string; hasNumbers?: boolean; isWrapped?: boolean } {
  const title = /\b(?:title|filename)=(?:"([^"]*)"|'([^']*)')/.exec(meta);
  const name = title?.[1] ?? title?.[2];
  return { ...(name !== undefined && { title: name }), hasNumbers: /\b(?:lineNumbers|showLineNumbers)\b/.test(meta) };
}

function drawFormula({ value, inline }: Formula, context: DrawContext): Element {
  const name = inline ? 'span' : 'div';
  try {
    const content = context.rare.formula?.(value, !inline) ?? [text(value)];
    return element(name, { className: inline ? ['math'] : ['math', 'math-block'] }, content);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    context.problems.add('bad-formula', context.line, `$$${value.slice(0, 80)}$$: ${reason.split('\n')[0]}`);
    return element(name, { className: ['math', 'math-error'] }, [element('code', {}, [text(value)])]);
  }
}

type BlockHandler = (node: Block, children: ElementContent[], context: DrawContext) => ElementContent[];

const blockHandlers: Readonly<Record<string, BlockHandler>> = {
  hint: drawHint,
  tabs: (_, children) => [element('div', { className: ['tabs'] }, children)],
  tab: drawTab,
  code: drawCodeBlock,
  stepper: (_, children) => [
    element(
      'ol',
      { className: ['steps'] },
      children.map((child) => (isElement(child, 'li') ? child : element('li', { className: ['step'] }, [child]))),
    ),
  ],
  step: (_, children) => [element('li', { className: ['step'] }, children)],
  columns: (_, children) => [element('div', { className: ['columns'] }, children)],
  column: drawColumn,
  updates: (_, children) => [element('div', { className: ['updates'] }, children)],
  update: drawUpdate,
  prompt: drawPrompt,
  'content-ref': (node, children, context) => [
    drawPageLink(required(node, 'url', context), textOfAll(children), context, (name) => iconNodes(name, context)),
  ],
  embed: (node, children, context) => [drawEmbed(required(node, 'url', context), '', captionOf(children), context)],
  file: (node, children, context) => [drawFile(required(node, 'src', context), captionOf(children), context)],
  openapi: drawOpenApi,
  'openapi-operation': drawOpenApi,
  'openapi-schemas': drawOpenApi,
  'openapi-webhook': drawOpenApi,
  swagger: drawOpenApi,
};

const textOfAll = (nodes: ElementContent[]): string =>
  nodes
    .map((node) => textIn(node))
    .join('')
    .trim();

function required(node: Block, name: string, context: DrawContext): string {
  const value = node.attributes[name] ?? node.argument ?? '';
  if (value === '')
    context.problems.add('missing-argument', context.line, `The block "${node.name}" needs ${name}="...".`);
  return value;
}

/** The content of a caption: of one paragraph without it. */
function captionOf(children: ElementContent[]): ElementContent[] {
  const [only, ...others] = children;
  return isElement(only, 'p') && others.length === 0 ? only.children : children;
}

const hintStyles = new Set(['info', 'success', 'warning', 'danger']);

function drawHint({ attributes }: Block, children: ElementContent[], context: DrawContext): ElementContent[] {
  const style = attributes['style'] ?? 'info';
  const className = ['hint', `hint-${hintStyles.has(style) ? style : style === 'working' ? 'warning' : 'info'}`];
  const icon = attributes['icon'] ? iconNodes(attributes['icon'], context) : [];
  const sign = icon.length > 0 ? element('span', { className: ['hint-icon'] }, icon) : undefined;
  return [element('div', { className, role: 'note' }, [sign, ...children])];
}

function drawTab({ attributes }: Block, children: ElementContent[], context: DrawContext): ElementContent[] {
  const icon = attributes['icon'] ? iconNodes(attributes['icon'], context) : [];
  const title = attributes['title'] ?? '';
  const slug = context.slugger.slug(title || 'tab');
  context.anchors.add(slug);
  return [
    element('section', { className: ['tab-panel'], id: slug }, [
      element('p', { className: ['tab-title'] }, [...icon, text(title)]),
      ...children,
    ]),
  ];
}

function drawCodeBlock({ attributes }: Block, children: ElementContent[]): ElementContent[] {
  const block = children.find((child) => isElement(child, 'div') && classesOf(child).includes('code'));
  if (!isElement(block)) return children;
  styleCode(block, {
    title: attributes['title'],
    hasNumbers: attributes['lineNumbers'] === 'true',
    isWrapped: attributes['overflow'] === 'wrap',
    isExpandable: attributes['expandable'] === 'true',
  });
  return children;
}

function drawColumn({ attributes }: Block, children: ElementContent[]): ElementContent[] {
  const className = ['column'];
  const percent = /^(\d+(?:\.\d+)?)\s*%?$/.exec(attributes['width'] ?? '')?.[1];
  // A style attribute is not allowed: widths are steps of a twelfth.
  if (percent) className.push(`column-${Math.min(11, Math.max(1, Math.round((Number(percent) / 100) * 12)))}`);
  const align = attributes['valign'] ?? attributes['verticalAlignment'];
  if (align === 'middle' || align === 'bottom') className.push(`column-${align}`);
  return [element('div', { className }, children)];
}

function drawUpdate({ attributes }: Block, children: ElementContent[], context: DrawContext): ElementContent[] {
  const date = attributes['date'] ?? '';
  const tags = (attributes['tags'] ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);
  const { day, shown } = updateDate(date, { format: attributes['format'], locale: context.locale });
  if (day === undefined) {
    context.problems.add('bad-date', context.line, `date="${date}" is not a date such as 2026-01-31.`);
  }
  const header = element('header', { className: ['update-date'] }, [
    element('time', day === undefined ? {} : { dateTime: day }, [text(shown)]),
    ...tags.map((tag) => drawTag(tag, context)),
  ]);
  return [
    element('article', { className: ['update'] }, [
      header,
      element('div', { className: ['update-content', 'flow'] }, children),
    ]),
  ];
}

function drawTag(name: string, context: DrawContext): Element {
  const { label = name, icon } = context.source.tag?.(name) ?? {};
  return element('span', { className: ['tag'] }, [...(icon ? iconNodes(icon, context) : []), text(label)]);
}

/** What links may lead to in a part that another module drew. */
function addAnchors({ properties, children }: Element, context: DrawContext): void {
  if (typeof properties['id'] === 'string') context.anchors.add(properties['id']);
  for (const child of children) if (child.type === 'element') addAnchors(child, context);
}

function drawOpenApi(node: Block, children: ElementContent[], context: DrawContext): ElementContent[] {
  const { attributes } = node;
  const block: OpenApiBlock = {
    kind: node.name === 'openapi-schemas' ? 'schemas' : node.name === 'openapi-webhook' ? 'webhook' : 'operation',
    schemas: (attributes['schemas'] ?? attributes['schema'] ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
    attributes,
    ...(attributes['spec'] !== undefined && { spec: attributes['spec'] }),
    ...(attributes['src'] !== undefined && { src: attributes['src'] }),
    ...(attributes['path'] !== undefined && { path: attributes['path'] }),
    ...(attributes['method'] !== undefined && { method: attributes['method'] }),
  };
  const spec = block.spec ?? block.src ?? '';
  if (spec === '') context.problems.add('missing-argument', context.line, `The block "${node.name}" needs spec="...".`);
  else context.uses.add('specs', spec);
  const drawn = spec === '' ? undefined : context.source.openapi?.(block);
  if (drawn) {
    addAnchors(drawn, context);
    return [drawn];
  }
  const subject =
    block.path === undefined ? block.schemas.join(', ') : `${block.method?.toUpperCase() ?? ''} ${block.path}`;
  if (spec !== '' && context.source.openapi) {
    context.problems.add(
      'missing-spec',
      context.line,
      `${[spec, subject.trim()].filter(Boolean).join(': ')} does not exist.`,
    );
  }
  const link = findElement(children, (found) => isElement(found, 'a'));
  const href = link ? attribute(link, 'href') : undefined;
  const label = [element('code', {}, [text(subject.trim() || node.tag)]), text(spec === '' ? '' : ` ${spec}`)];
  return [
    element('div', { className: ['openapi-missing'] }, [
      element('p', {}, [
        element('span', { className: ['unknown-block'] }, label),
        ...(href ? [text(' '), element('a', { href }, [text(href)])] : []),
      ]),
    ]),
  ];
}

/** A block of another program: a diagram, or a link to what it shows. */
function drawIntegration(node: Block, children: ElementContent[], context: DrawContext): ElementContent[] {
  const { attributes, name } = node;
  if (name.startsWith('@mermaid/') && attributes['content'] !== undefined) {
    return [drawDiagram(attributes['content'].replaceAll('\\n', '\n'), context)];
  }
  const url = attributes['url'] ?? attributes['src'];
  if (url !== undefined) return [drawEmbed(url, '', captionOf(children), context)];
  context.problems.add('unknown-block', context.line, `"${name}" is a block of another program: it is shown as text.`);
  return [unknown(node), ...children];
}
