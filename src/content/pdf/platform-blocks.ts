import type { PhrasingContent, RootContent } from 'mdast';
import { highlightedLines } from '../blocks/code-lines.ts';
import type { Block } from '../blocks/nodes.ts';
import { namesIn } from '../blocks/tag.ts';
import { updateDate } from '../blocks/update-date.ts';
import { plainText } from '../markdown/markdown.ts';
import { drawCode } from './code.ts';
import { phrasing } from './html.ts';
import type { Card } from './nodes.ts';
import { colours, type Indent, inset, type Paper, textLine, textSize } from './paper.ts';
import type { DrawFormula } from './math/formulas.ts';
import type { ReadyImage } from './pictures/ready-image.ts';
import { type Cell, drawTable } from './table.ts';
import { lineOf } from './text/lines.ts';
import type { LinkTarget, Run } from './text/run.ts';

/** What blocks need from their page. */
export interface BlockContext {
  page: string;
  /** By address, as written in the page. */
  images: ReadonlyMap<string, ReadyImage>;
  outline: PDFKit.PDFOutline;
  link(url: string): LinkTarget | undefined;
  /** The title of the page at an address. */
  titleOf(url: string): string | undefined;
  formula: DrawFormula;
  /** Reports a block that is shown as text. */
  unknown(name: string): void;
}

export interface BlockTools extends BlockContext {
  sheet: Paper;
  draw(blocks: readonly RootContent[], indent: Indent): void;
  runs(nodes: readonly PhrasingContent[]): Run[];
  /** The text and pictures of blocks in a table cell. */
  cell(blocks: readonly RootContent[]): Cell;
}

type Drawer = (block: Block, indent: Indent, tools: BlockTools) => void;

const drawers: Record<string, Drawer> = {
  hint: drawHint,
  tabs: drawContent,
  tab: drawTab,
  code: drawCodeBlock,
  details: drawDetails,
  stepper: drawStepper,
  step: drawContent,
  columns: drawColumns,
  column: drawContent,
  updates: drawContent,
  update: drawUpdate,
  prompt: drawPrompt,
  include: drawContent,
  branch: drawContent,
  embed: (block, indent, tools) => drawReference(block, indent, tools, '↗'),
  file: (block, indent, tools) => drawReference(block, indent, tools, '↓'),
  'content-ref': (block, indent, tools) => drawReference(block, indent, tools, '→'),
  openapi: drawOpenApi,
  'openapi-operation': drawOpenApi,
  'openapi-schemas': drawOpenApi,
  'openapi-webhook': drawOpenApi,
  swagger: drawOpenApi,
  '@mermaid/diagram': drawDiagram,
};

export function drawPlatformBlock(block: Block, indent: Indent, tools: BlockTools): void {
  const drawer = !block.isStray && Object.hasOwn(drawers, block.name) ? drawers[block.name] : undefined;
  if (drawer) return drawer(block, indent, tools);
  const isIntegration = block.name.startsWith('@') && !block.isStray;
  if (!isIntegration) tools.unknown(block.name);
  drawUnknown(isIntegration ? { ...block, tag: block.name } : block, indent, tools);
}

/** Draws the tag with a mark, then the content. */
function drawUnknown({ tag, children }: Block, indent: Indent, { sheet, draw }: BlockTools): void {
  sheet.paragraph([{ text: `◇ ${tag}`, italic: true, colour: colours.quiet, size: 9 }], { indent });
  if (children.length === 0) return;
  sheet.space(4);
  sheet.behind({ left: indent.left, width: 1.5 }, colours.rule, () => draw(children, inset(indent, 12)));
}

function drawContent({ children }: Block, indent: Indent, { draw }: BlockTools): void {
  draw(children, indent);
}

const info = { sign: 'ℹ', bar: '#346ddb', area: '#eef3fc', name: 'Note' };
const hintStyles: Record<string, typeof info> = {
  info,
  success: { sign: '✓', bar: '#2b8a57', area: '#ebf7f0', name: 'Success' },
  warning: { sign: '⚠', bar: '#b7791f', area: '#fdf6e7', name: 'Warning' },
  danger: { sign: '✕', bar: '#c93a3a', area: '#fceeee', name: 'Danger' },
};

function drawHint({ attributes, children }: Block, indent: Indent, { sheet, draw }: BlockTools): void {
  const name = attributes['style'] ?? '';
  const style = (Object.hasOwn(hintStyles, name) ? hintStyles[name] : undefined) ?? info;
  sheet.need(48);
  sheet.tags.within('Note', { title: style.name }, () =>
    sheet.behind(indent, style.area, () =>
      sheet.behind({ left: indent.left, width: 3 }, style.bar, () => {
        sheet.y += 8;
        const sign = lineOf(sheet.fonts, { text: style.sign, bold: true, colour: style.bar }, 12);
        sheet.tags.within('Lbl', {}, () => sheet.drawLine(sign, indent.left + 12, sheet.y, textSize * textLine));
        draw(children, inset(indent, 32, 12));
        sheet.y += 8;
      }),
    ),
  );
}

function drawTab({ attributes, children }: Block, indent: Indent, { sheet, draw }: BlockTools): void {
  sheet.need(56);
  sheet.tags.within('Sect', {}, () => {
    const title = attributes['title'] || 'Tab';
    sheet.paragraph([{ text: title, bold: true, colour: colours.heading }], { indent, size: 10 });
    sheet.rule(indent, sheet.y + 1, 1);
    sheet.y += 8;
    sheet.behind({ left: indent.left, width: 1 }, colours.rule, () => draw(children, inset(indent, 12)));
  });
}

function drawCodeBlock({ attributes, children }: Block, indent: Indent, { sheet, draw }: BlockTools): void {
  const { title, lineNumbers } = attributes;
  for (const child of children) {
    if (child.type !== 'code') draw([child], indent);
    else
      drawCode(sheet, child.value, indent, {
        title,
        hasLineNumbers: lineNumbers === 'true',
        highlighted: highlightedLines(child.meta ?? ''),
      });
  }
}

function drawDetails({ attributes, children }: Block, indent: Indent, { sheet, draw }: BlockTools): void {
  sheet.need(44);
  sheet.tags.within('Sect', {}, () => {
    const title = attributes['title'] || 'Details';
    sheet.paragraph([{ text: `▾ ${title}`, bold: true, colour: colours.heading }], { indent });
    sheet.y += 4;
    sheet.behind({ left: indent.left + 3, width: 1 }, colours.rule, () => draw(children, inset(indent, 16)));
  });
}

const partsIn = (children: readonly RootContent[], name: string): Block[] =>
  children.filter((child): child is Block => child.type === 'block' && child.name === name);

function drawStepper({ children }: Block, indent: Indent, { sheet, draw }: BlockTools): void {
  const steps = partsIn(children, 'step');
  if (steps.length === 0) return draw(children, indent);
  sheet.tags.within('L', {}, () => {
    for (const [index, step] of steps.entries()) {
      if (index > 0) sheet.y += 4;
      sheet.need(60);
      sheet.tags.within('LI', {}, () =>
        sheet.behind({ left: indent.left + 9, width: 1 }, colours.rule, () => {
          drawStepNumber(sheet, index + 1, indent);
          sheet.tags.within('LBody', {}, () => draw(step.children, inset(indent, 30)));
          sheet.y += 6;
        }),
      );
    }
  });
}

function drawStepNumber(sheet: Paper, number: number, indent: Indent): void {
  const line = lineOf(sheet.fonts, { text: String(number), bold: true, colour: '#ffffff' }, 9);
  sheet.tags.artifact();
  sheet.document.circle(indent.left + 9.5, sheet.y + 9.5, 9.5).fill(colours.quiet);
  sheet.tags.within('Lbl', {}, () => sheet.drawLine(line, indent.left, sheet.y, 19, 'center', 19));
}

const simpleTypes = new Set(['paragraph', 'heading', 'image', 'figure', 'list']);

/** Draws columns next to each other if they contain only text and pictures, or else one below the other. */
function drawColumns({ children }: Block, indent: Indent, { sheet, draw, cell }: BlockTools): void {
  const columns = partsIn(children, 'column');
  const isSimple = columns.every((column) => column.children.every(({ type }) => simpleTypes.has(type)));
  if (columns.length < 2 || columns.length > 4 || !isSimple) return draw(children, indent);
  const widths = columns.map(({ attributes }) => Number.parseFloat(attributes['width'] ?? ''));
  const total = widths.reduce((sum, width) => sum + width, 0);
  const shares = widths.map((width) => (total > 0 ? width / total : 1 / columns.length));
  const row = columns.map((column) => cell(column.children));
  drawTable(sheet, { rows: [row], head: 0, shares, isPlain: true }, indent);
}

const cardsPerRow = 3;

export function drawCards(
  cards: readonly Card[],
  indent: Indent,
  { sheet, cell, link, images }: Pick<BlockTools, 'sheet' | 'cell' | 'link' | 'images'>,
): void {
  const cells = cards.map(({ children, target, cover }): Cell => {
    const { runs, pictures = [] } = cell(children);
    const place = target === undefined ? undefined : link(target);
    const image = cover === undefined ? undefined : images.get(cover);
    const first = runs.findIndex(({ text }) => text.trim() !== '');
    return {
      runs: runs.map((run, index) => (index === first ? { ...run, bold: true, ...(place && { link: place }) } : run)),
      pictures: image ? [{ ...image, alt: '' }, ...pictures] : pictures,
    };
  });
  const count = Math.min(cardsPerRow, cells.length);
  const rows = Array.from({ length: Math.ceil(cells.length / count) }, (_, row) =>
    cells.slice(row * count, row * count + count),
  );
  const shares = Array.from({ length: count }, () => 1 / count);
  drawTable(sheet, { rows, head: 0, shares, isPlain: true, isBoxed: true }, indent);
}

function drawUpdate({ attributes, children }: Block, indent: Indent, { sheet, draw }: BlockTools): void {
  const { shown } = updateDate(attributes['date'] ?? '', { format: attributes['format'], locale: 'en' });
  const runs: Run[] = [{ text: shown, bold: true, colour: colours.quiet, size: 9.5 }];
  for (const tag of namesIn(attributes['tags'])) runs.push({ text: `  · ${tag}`, colour: colours.quiet, size: 9 });
  sheet.need(70);
  sheet.tags.within('Sect', {}, () => {
    sheet.paragraph(runs, { indent });
    sheet.rule(indent, sheet.y + 1, 0.5);
    sheet.y += 8;
    draw(children, indent);
    sheet.y += 8;
  });
}

function drawPrompt({ attributes, children }: Block, indent: Indent, { sheet, draw }: BlockTools): void {
  const inner = inset(indent, 12, 12);
  const text = attributes['description'] || 'Prompt';
  sheet.need(48);
  sheet.behind(indent, colours.panel, () => {
    sheet.y += 8;
    sheet.paragraph([{ text, bold: true, colour: colours.quiet, size: 9.5 }], { indent: inner });
    sheet.y += 4;
    draw(children, inner);
    sheet.y += 8;
  });
}

/** Draws a link in a panel, with the content of the block as its caption. */
function drawReference({ name, attributes, children }: Block, indent: Indent, tools: BlockTools, sign: string): void {
  const { sheet, link, runs } = tools;
  const url = attributes['url'] ?? attributes['src'] ?? '';
  const content = phrasing(children);
  const written = content
    .map((node) => plainText(node))
    .join('')
    .trim();
  const title =
    name === 'content-ref' ? tools.titleOf(url) || written : name === 'file' ? nameIn(url) : attributes['title'];
  const caption = name === 'content-ref' || written === '' ? [] : runs(content);
  const text = title || nameIn(url) || url;
  const lines: Run[][] = [
    [
      { text: `${sign}  `, colour: colours.quiet },
      { text, bold: true, link: link(url) },
    ],
    caption.map((run) => ({ ...run, size: 9 })),
    name === 'embed' && text !== url ? [{ text: url, size: 8.5, colour: colours.quiet }] : [],
  ];
  sheet.need(40);
  sheet.behind(indent, colours.panel, () => {
    sheet.y += 7;
    for (const line of lines) if (line.length > 0) sheet.paragraph(line, { indent: inset(indent, 12, 12) });
    sheet.y += 7;
  });
}

/** The last part of the address of a file, or the whole address on another host. */
const nameIn = (url: string): string => (/^[a-z]+:\/\//i.test(url) ? url : url.slice(url.lastIndexOf('/') + 1));

function drawOpenApi({ name, attributes, children }: Block, indent: Indent, { sheet, draw, link }: BlockTools): void {
  const { path, method, spec, src, schemas, webhook } = attributes;
  // The short form starts with the method and path.
  if (attributes['described'] === 'true') return draw(children, indent);
  const rows: [string, Run][] = [];
  const code = (text: string): Run => ({ text, code: true });
  if (path && method)
    rows.push([name === 'openapi-webhook' ? 'Webhook' : 'Operation', code(`${method.toUpperCase()} ${path}`)]);
  if (webhook) rows.push(['Webhook', code(webhook)]);
  if (schemas) rows.push(['Schemas', { text: schemas }]);
  if (spec) rows.push(['Specification', { text: spec }]);
  if (src) rows.push(['Specification', { text: src, link: link(src) }]);
  if (rows.length > 0) {
    const cells = rows.map(([title, run]) => [{ runs: [{ text: title }], isHeader: true }, { runs: [run] }]);
    drawTable(sheet, { rows: cells, head: 0, shares: [0.25, 0.75] }, indent);
  }
  // Older pages repeat the address of the specification between the tags.
  const rest = children.filter((child) => plainText(child).trim() !== (src ?? ''));
  if (rest.length === 0) return;
  sheet.space(6);
  draw(rest, indent);
}

export function drawMermaid(sheet: Paper, source: string, indent: Indent): void {
  drawCode(sheet, source, indent, { title: 'Diagram (Mermaid)' });
}

function drawDiagram({ attributes, children }: Block, indent: Indent, { sheet, draw }: BlockTools): void {
  const source = attributes['content'] ?? attributes['code'];
  if (source) drawMermaid(sheet, source, indent);
  for (const child of children) {
    if (child.type === 'code') drawMermaid(sheet, child.value, indent);
    else draw([child], indent);
  }
}
