import type { Element, ElementContent } from 'hast';
import { highlightedLines } from '../blocks/code-lines.ts';
import type { Block, Formula } from '../blocks/nodes.ts';
import { namesIn } from '../blocks/tag.ts';
import { updateDate } from '../blocks/update-date.ts';
import { type CodeStyle, drawCode, drawDiagram, styleCode } from './draw-code.ts';
import type { Draw, DrawContext, Drawn } from './draw-context.ts';
import { iconNodes, inParagraphs } from './draw-elements.ts';
import { drawEmbed, drawFile, drawPageLink } from './draw-links.ts';
import { addClass, attribute, classesOf, element, findElement, isBlank, isElement, text, textIn } from './hast.ts';
import type { OpenApiBlock } from './page-source.ts';
import { isRemote, isSafeAddress } from './safe-address.ts';

/** Draws what a `Drawn` placeholder is for. */
export function drawBlock(drawn: Drawn, context: DrawContext, draw: Draw): ElementContent[] {
  const node = context.drawn[drawn.index];
  if (!node) return [];
  if (node.type === 'unknownTag') return [mark(`<${node.name}>`)];
  context.line = node.position?.start.line ?? context.line;
  if (node.type === 'code') return [drawCode(node.value, node.lang ?? '', fenceStyle(node.meta ?? ''), context)];
  if (node.type === 'formula') return [drawFormula(node, context)];
  if (node.included) return drawIncluded(node.included, drawn, context, draw);
  const children = draw(drawn.children).filter((child) => node.inline || !isBlank(child));
  if (node.isStray) return [unknown(node), ...children];
  const handler = Object.hasOwn(blockHandlers, node.name) ? blockHandlers[node.name] : undefined;
  if (handler) return [handler(node, node.inline ? children : inParagraphs(children), context)].flat();
  if (node.name.startsWith('@')) return drawIntegration(node, children, context);
  return [unknown(node), ...children];
}

const mark = (value: string): Element => element('span', { className: ['unknown-block'] }, [text(value)]);

/** The tag as text, without its braces: with them, it would look like a tag that was not parsed. */
function unknown(node: Block): Element {
  return node.inline ? mark(node.tag) : element('p', {}, [mark(node.tag)]);
}

function drawIncluded(
  included: NonNullable<Block['included']>,
  drawn: Drawn,
  context: DrawContext,
  draw: Draw,
): ElementContent[] {
  const { source, problems } = context;
  const { include } = problems;
  context.source = included.source;
  problems.include = included.path;
  const children = draw(drawn.children);
  context.source = source;
  problems.include = include;
  return children;
}

/** The options of a fence: `js title="a.js" lineNumbers {2-4}`. */
function fenceStyle(meta: string): CodeStyle {
  const title = /\b(?:title|filename)=(?:"([^"]*)"|'([^']*)')/.exec(meta);
  const name = title?.[1] ?? title?.[2];
  return {
    ...(name !== undefined && { title: name }),
    hasNumbers: /\b(?:lineNumbers|showLineNumbers)\b/.test(meta),
    highlighted: highlightedLines(meta),
  };
}

function drawFormula({ value, inline }: Formula, context: DrawContext): Element {
  const name = inline ? 'span' : 'div';
  try {
    const content = context.rare.formula?.(value, !inline) ?? [text(value)];
    return element(name, { className: inline ? ['math'] : ['math', 'math-block'] }, content);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    context.report('bad-formula', `$$${value.slice(0, 80)}$$: ${reason.split('\n')[0]}`);
    return element(name, { className: ['math', 'math-error'] }, [element('code', {}, [text(value)])]);
  }
}

type BlockHandler = (
  node: Block,
  children: ElementContent[],
  context: DrawContext,
) => ElementContent | ElementContent[];

const container =
  (name: string): BlockHandler =>
  (_, children) =>
    element('div', { className: [name] }, children);

const blockHandlers: Readonly<Record<string, BlockHandler>> = {
  hint: drawHint,
  tabs: container('tabs'),
  tab: drawTab,
  code: drawCodeBlock,
  stepper: (_, children) => {
    const steps = children.map((child) => (isElement(child, 'li') ? child : drawStep(child)));
    return element('ol', { className: ['steps'] }, steps);
  },
  step: (_, children) => drawStep(...children),
  columns: container('columns'),
  column: drawColumn,
  updates: container('updates'),
  update: drawUpdate,
  prompt: drawPrompt,
  'content-ref': (node, children, context) =>
    drawPageLink(required(node, 'url', context), textIn(children).trim(), context, (name) => iconNodes(name, context)),
  embed: (node, children, context) => drawEmbed(required(node, 'url', context), '', captionOf(children), context),
  file: (node, children, context) => drawFile(required(node, 'src', context), captionOf(children), context),
  openapi: drawOpenApi,
  'openapi-operation': drawOpenApi,
  'openapi-schemas': drawOpenApi,
  'openapi-webhook': drawOpenApi,
  swagger: drawOpenApi,
};

const drawStep = (...children: ElementContent[]) => element('li', { className: ['step'] }, children);

function required(node: Block, name: string, context: DrawContext): string {
  const value = node.attributes[name] ?? node.argument ?? '';
  if (value === '') context.report('missing-argument', `The block "${node.name}" needs ${name}="...".`);
  return value;
}

/** The content of a caption. A single paragraph is unwrapped. */
function captionOf(children: ElementContent[]): ElementContent[] {
  const [only, ...others] = children;
  return isElement(only, 'p') && others.length === 0 ? only.children : children;
}

const hintStyles = new Set(['info', 'success', 'warning', 'danger']);

function drawHint({ attributes }: Block, children: ElementContent[], context: DrawContext): Element {
  const style = attributes['style'] ?? 'info';
  const className = ['hint', `hint-${hintStyles.has(style) ? style : style === 'working' ? 'warning' : 'info'}`];
  const icon = iconNodes(attributes['icon'] ?? '', context);
  const sign = icon.length > 0 ? element('span', { className: ['hint-icon'] }, icon) : undefined;
  return element('div', { className, role: 'note' }, [sign, ...children]);
}

function drawTab({ attributes }: Block, children: ElementContent[], context: DrawContext): Element {
  const title = attributes['title'] ?? '';
  const slug = context.slugger.slug(title || 'tab');
  context.anchors.add(slug);
  return element('section', { className: ['tab-panel'], id: slug }, [
    element('p', { className: ['tab-title'] }, [...iconNodes(attributes['icon'] ?? '', context), text(title)]),
    ...children,
  ]);
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

function drawColumn({ attributes }: Block, children: ElementContent[]): Element {
  const className = ['column'];
  const percent = /^(\d+(?:\.\d+)?)\s*%?$/.exec(attributes['width'] ?? '')?.[1];
  // Style attributes are not allowed, so widths are rounded to twelfths.
  if (percent) className.push(`column-${Math.min(11, Math.max(1, Math.round((Number(percent) / 100) * 12)))}`);
  const align = attributes['valign'] ?? attributes['verticalAlignment'];
  if (align === 'middle' || align === 'bottom') className.push(`column-${align}`);
  return element('div', { className }, children);
}

function drawUpdate({ attributes }: Block, children: ElementContent[], context: DrawContext): Element {
  const date = attributes['date'] ?? '';
  const { day, shown } = updateDate(date, { format: attributes['format'], locale: context.locale });
  if (day === undefined) context.report('bad-date', `date="${date}" is not a date such as 2026-01-31.`);
  return element('article', { className: ['update'] }, [
    element('header', { className: ['update-date'] }, [
      element('time', day === undefined ? {} : { dateTime: day }, [text(shown)]),
      ...namesIn(attributes['tags']).map((tag) => drawTag(tag, context)),
    ]),
    element('div', { className: ['update-content', 'flow'] }, children),
  ]);
}

function drawTag(name: string, context: DrawContext): Element {
  const { label = name, icon = '' } = context.source.tag?.(name) ?? {};
  return element('span', { className: ['tag'] }, [...iconNodes(icon, context), text(label)]);
}

/** Registers the anchors in HTML from another module, so that links can lead to them. */
function addAnchors({ properties, children }: Element, context: DrawContext): void {
  if (typeof properties['id'] === 'string') context.anchors.add(properties['id']);
  for (const child of children) if (child.type === 'element') addAnchors(child, context);
}

function drawOpenApi({ name, attributes, tag }: Block, children: ElementContent[], context: DrawContext): Element {
  const { spec, src, path, method } = attributes;
  const block: OpenApiBlock = {
    kind: name === 'openapi-schemas' ? 'schemas' : name === 'openapi-webhook' ? 'webhook' : 'operation',
    schemas: namesIn(attributes['schemas'] ?? attributes['schema']),
    attributes,
    ...(spec !== undefined && { spec }),
    ...(src !== undefined && { src }),
    ...(path !== undefined && { path }),
    ...(method !== undefined && { method }),
  };
  const source = spec ?? src ?? '';
  const subject = (path === undefined ? block.schemas.join(', ') : `${method?.toUpperCase() ?? ''} ${path}`).trim();
  if (source === '') context.report('missing-argument', `The block "${name}" needs spec="...".`);
  else {
    context.uses.add('specs', source);
    const drawn = context.source.openapi?.(block);
    if (drawn) {
      addAnchors(drawn, context);
      return drawn;
    }
    if (context.source.openapi) {
      context.report('missing-spec', `${[source, subject].filter(Boolean).join(': ')} does not exist.`);
    }
  }
  const link = findElement(children, (node) => isElement(node, 'a'));
  const href = link ? attribute(link, 'href') : '';
  const label = [element('code', {}, [text(subject || tag)]), text(source && ` ${source}`)];
  return element('div', { className: ['openapi-missing'] }, [
    element('p', {}, [
      element('span', { className: ['unknown-block'] }, label),
      ...(href ? [text(' '), element('a', { href }, [text(href)])] : []),
    ]),
  ]);
}

/** Draws the block of an integration: a diagram, a link to its content, or a placeholder with its name. */
function drawIntegration(node: Block, children: ElementContent[], context: DrawContext): ElementContent[] {
  const { attributes, name } = node;
  if (name.startsWith('@mermaid/') && attributes['content'] !== undefined) {
    return [drawDiagram(attributes['content'].replaceAll('\\n', '\n'), context)];
  }
  const url = [attributes['url'], attributes['src']].find((each) => each && isRemote(each) && isSafeAddress(each));
  const shown = url === undefined ? 'Only its name is shown.' : 'Only a link to its content is shown.';
  context.report('integration-block', `The block "${name}" belongs to an integration. ${shown}`);
  if (url !== undefined) return [drawEmbed(url, '', captionOf(children), context)];
  const className = ['integration-block'];
  const label = element(node.inline ? 'span' : 'p', { className: ['integration-name'] }, [text(name)]);
  return [element(node.inline ? 'span' : 'div', { className }, [label, ...children])];
}

/** Services that accept a prompt in their address. Nothing is sent to them before a reader opens the link. */
const providers = [
  { title: 'ChatGPT', address: 'https://chatgpt.com/?q=' },
  { title: 'Claude', address: 'https://claude.ai/new?q=' },
];

/** Servers reject longer addresses. */
const maxAddressLength = 8000;

/** A text that readers can copy or open in another program. */
function drawPrompt(node: Block, children: ElementContent[], context: DrawContext): Element {
  const { icon = '', description = 'Prompt', defaultExpanded, openInAIProviders } = node.attributes;
  const isPartial = defaultExpanded === 'partial';
  const isOpen = defaultExpanded === 'full' || isPartial;
  const block = children.find((child): child is Element => isElement(child) && classesOf(child).includes('code'));
  if (block && isPartial) styleCode(block, { isExpandable: true });
  if (block) addClass(block, 'code-wrap');
  const links = openInAIProviders === 'true' ? linksFor(node, children) : [];
  return element('details', { className: ['prompt', 'expandable'], ...(isOpen && { open: true }) }, [
    element('summary', { className: ['prompt-description'] }, [...iconNodes(icon, context), text(description)]),
    ...children,
    links.length > 0 ? element('p', { className: ['prompt-providers'] }, links) : undefined,
  ]);
}

function linksFor({ children }: Block, drawn: ElementContent[]): ElementContent[] {
  const code = children.find((child) => child.type === 'code');
  const prompt = (code?.type === 'code' ? code.value : textIn(drawn)).trim();
  const query = encodeURIComponent(prompt);
  if (prompt === '' || query.length > maxAddressLength) return [];
  return providers.flatMap(({ title, address }, index) => {
    const properties = {
      className: ['button', 'button-secondary'],
      href: address + query,
      rel: ['nofollow', 'noopener'],
    };
    return [...(index > 0 ? [text(' ')] : []), element('a', properties, [text(`${title} ↗`)])];
  });
}
