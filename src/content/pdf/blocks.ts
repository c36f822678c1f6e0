import GithubSlugger from 'github-slugger';
import type { Definition, Heading, List, ListItem, PhrasingContent, Root, RootContent } from 'mdast';
import { oneLine, plainText } from '../markdown/markdown.ts';
import { highlightedLines } from '../blocks/code-lines.ts';
import { drawCode } from './code.ts';
import { phrasing } from './html.ts';
import { type ImageNode, missingPicture, runsOf } from './inline.ts';
import type { FigureNode } from './nodes.ts';
import { type Indent, type Paper, colours, inset, page, textLine, textSize } from './paper.ts';
import type { ReadyImage } from './pictures/ready-image.ts';
import { type BlockContext, type BlockTools, drawCards, drawMermaid, drawPlatformBlock } from './platform-blocks.ts';
import { type Cell, type CellPicture, drawTable } from './table.ts';
import type { Tag } from './tags.ts';
import { isRtlText } from './text/directions.ts';
import { lineOf } from './text/lines.ts';
import type { Run } from './text/run.ts';

declare module 'mdast' {
  interface Data {
    /** Counts for anchors but is not drawn. */
    hidden?: boolean;
  }
}

const gap = 8;
const formulaSize = 12;

/** In points: the size of the letters, and the space above. */
const headings: Record<Heading['depth'], { size: number; above: number; tag: Tag }> = {
  1: { size: 18, above: 14, tag: 'H2' },
  2: { size: 15, above: 12, tag: 'H2' },
  3: { size: 12.5, above: 8, tag: 'H3' },
  4: { size: 11, above: 6, tag: 'H4' },
  5: { size: 10.5, above: 4, tag: 'H5' },
  6: { size: 10.5, above: 4, tag: 'H6' },
};

/** Draws the blocks of a page's Markdown. */
export class Blocks {
  readonly #sheet: Paper;
  readonly #context: BlockContext;
  readonly #slugger = new GithubSlugger();
  readonly #outlines: { depth: number; item: PDFKit.PDFOutline }[] = [];
  readonly #definitions = new Map<string, Definition>();
  readonly #tools: BlockTools;

  constructor(sheet: Paper, context: BlockContext) {
    this.#sheet = sheet;
    this.#context = context;
    this.#tools = {
      ...context,
      sheet,
      draw: (blocks, indent) => this.#blocks(blocks, indent),
      runs: (nodes) => this.#runs(nodes),
      cell: (blocks) => this.#cell(blocks),
    };
  }

  draw(root: Root): void {
    for (const block of root.children) {
      if (block.type === 'definition' && !this.#definitions.has(block.identifier))
        this.#definitions.set(block.identifier, block);
    }
    this.#blocks(root.children, { left: page.left, width: page.width });
  }

  #blocks(blocks: readonly RootContent[], indent: Indent, between = gap): void {
    let isFirst = true;
    for (const block of blocks) {
      if (block.type === 'definition' || block.type === 'yaml') continue;
      if (!isFirst) this.#sheet.space(between);
      const { y, index } = this.#sheet;
      this.#block(block, indent, isFirst);
      if (this.#sheet.y !== y || this.#sheet.index !== index) isFirst = false;
    }
  }

  #block(block: RootContent, indent: Indent, isFirst: boolean): void {
    switch (block.type) {
      case 'heading':
        return this.#heading(block, indent, isFirst);
      case 'paragraph':
        return this.#paragraph(block.children, indent);
      case 'list':
        return this.#list(block, indent);
      case 'code':
        if (block.lang === 'mermaid') return drawMermaid(this.#sheet, block.value, indent);
        return drawCode(this.#sheet, block.value, indent, { highlighted: highlightedLines(block.meta ?? '') });
      case 'blockquote':
        return this.#quote(block.children, indent);
      case 'table': {
        const rows = block.children.map((row) => row.children.map((cell) => this.#cell(cell.children)));
        return drawTable(this.#sheet, { rows, head: 1, aligns: block.align ?? [] }, indent);
      }
      case 'htmlTable': {
        const rows = block.rows.map(({ cells }) =>
          cells.map(({ children, isHeader }) => ({ ...this.#cell(children), isHeader })),
        );
        const head = block.rows.findIndex(({ isHead }) => !isHead);
        return drawTable(this.#sheet, { rows, head: head === -1 ? rows.length : head }, indent);
      }
      case 'cards':
        return drawCards(block.cards, indent, this.#tools);
      case 'figure':
        return this.#figure(block, indent);
      case 'formula':
        return this.#formula(block.value, indent);
      case 'block':
        return drawPlatformBlock(block, indent, this.#tools);
      case 'thematicBreak':
        this.#sheet.need(12);
        this.#sheet.rule(indent, this.#sheet.y + 6);
        this.#sheet.y += 12;
        return;
      case 'html':
        return;
      case 'footnoteDefinition':
        return this.#sheet.tags.within('Note', {}, () => {
          this.#text([{ text: `[${block.label ?? block.identifier}]`, size: 8, colour: colours.quiet }], indent);
          this.#blocks(block.children, inset(indent, 14));
        });
      default: {
        const text = plainText(block).trim();
        if (text !== '') this.#text([{ text }], indent);
      }
    }
  }

  #text(runs: readonly Run[], indent: Indent): void {
    this.#sheet.paragraph(runs, { indent });
  }

  #quote(blocks: readonly RootContent[], indent: Indent): void {
    this.#sheet.tags.within('BlockQuote', {}, () =>
      this.#sheet.behind({ left: indent.left, width: 2.5 }, colours.rule, () =>
        this.#blocks(blocks, inset(indent, 14)),
      ),
    );
  }

  #heading(heading: Heading, indent: Indent, isFirst: boolean): void {
    const title = oneLine(plainText(heading));
    const anchor = `${this.#context.page}#${this.#slugger.slug(title)}`;
    if (heading.data?.hidden || title === '') return this.#sheet.destination(anchor);
    const { size, above, tag } = headings[heading.depth];
    if (!isFirst) this.#sheet.space(above);
    // A heading stays on one sheet with the first lines below it.
    this.#sheet.need(size * 1.3 + 64);
    if (heading.depth <= 3) this.#outline(heading.depth, title);
    this.#sheet.destination(anchor);
    const runs = this.#runs(heading.children).map((run) => ({
      ...run,
      bold: true,
      size: run.code ? size * 0.9 : size,
      colour: run.colour ?? colours.heading,
    }));
    this.#sheet.paragraph(runs, { indent, size, lineHeight: 1.3, tag });
  }

  #outline(depth: number, title: string): void {
    while ((this.#outlines.at(-1)?.depth ?? 0) >= depth) this.#outlines.pop();
    const above = this.#outlines.at(-1)?.item ?? this.#context.outline;
    this.#outlines.push({ depth, item: above.addItem(title, { expanded: false }) });
  }

  /** Pictures are drawn between lines, never inside a line. */
  #paragraph(children: readonly PhrasingContent[], indent: Indent): void {
    let line: PhrasingContent[] = [];
    let drawn = false;
    const add = (draw: () => void) => {
      if (drawn) this.#sheet.space(gap);
      draw();
      drawn = true;
    };
    const flush = () => {
      const runs = this.#runs(line);
      line = [];
      if (runs.some((run) => run.text.trim() !== '')) add(() => this.#text(runs, indent));
    };
    for (const child of children) {
      const image = imageIn(child);
      const picture = image && this.#pictureOf(image);
      if (!picture) {
        line.push(child);
        continue;
      }
      flush();
      add(() => this.#image(picture, indent, image.alt ?? ''));
    }
    flush();
  }

  #pictureOf(node: ImageNode | FigureNode): ReadyImage | undefined {
    const url = node.type === 'imageReference' ? this.#definitions.get(node.identifier)?.url : node.url;
    return url === undefined ? undefined : this.#context.images.get(url);
  }

  #image({ draw, width, height }: ReadyImage, indent: Indent, alt: string): void {
    const scale = Math.min(1, indent.width / width, (page.height * 0.8) / height);
    this.#sheet.need(height * scale);
    this.#sheet.picture(draw, indent.left, width * scale, height * scale, alt);
    this.#sheet.y += height * scale;
  }

  #figure(figure: FigureNode, indent: Indent): void {
    const picture = this.#pictureOf(figure);
    if (picture) this.#image(picture, indent, figure.alt || 'Picture');
    else this.#text([missingPicture(figure.alt)], indent);
    const runs = this.#runs(figure.children).map((run) => ({ ...run, size: 9, colour: run.colour ?? colours.quiet }));
    if (runs.every((run) => run.text.trim() === '')) return;
    this.#sheet.y += 3;
    this.#sheet.paragraph(runs, { indent, size: 9, tag: 'Caption' });
  }

  #formula(value: string, indent: Indent): void {
    const sheet = this.#sheet;
    const tex = value.trim();
    const formula = this.#context.formula(tex, true);
    if (!formula) return this.#text([{ text: tex, code: true }], indent);
    const size = Math.min(formulaSize, indent.width / formula.width);
    const height = (formula.ascent + formula.descent) * size;
    sheet.need(height + 8);
    sheet.y += 4;
    sheet.tags.within('Formula', { alt: tex }, () => {
      sheet.tags.content();
      formula.draw(indent.left + (indent.width - formula.width * size) / 2, sheet.y, size, colours.text);
    });
    sheet.y += height + 4;
  }

  #cell(blocks: readonly RootContent[]): Cell {
    return readCell(blocks, {
      runs: (nodes) => this.#runs(nodes),
      picture: (node) => {
        const picture = this.#pictureOf(node);
        return picture && { ...picture, alt: node.alt ?? '' };
      },
    });
  }

  #list(list: List, indent: Indent): void {
    const start = list.start ?? 1;
    const last = lineOf(this.#sheet.fonts, { text: `${start + list.children.length - 1}.` }, textSize);
    const step = list.ordered ? Math.max(18, last.width + 8) : 16;
    const isLoose = list.spread === true || list.children.some((item) => item.spread);
    this.#sheet.tags.within('L', {}, () => {
      for (const [index, item] of list.children.entries()) {
        if (index > 0) this.#sheet.space(isLoose ? 6 : 3);
        this.#sheet.need(textSize * textLine);
        this.#sheet.tags.within('LI', {}, () => {
          const isRtl = isRtlText(plainText(item));
          this.#marker(item, list.ordered ? `${start + index}.` : '•', indent, { step, isRtl });
          this.#item(item, isRtl ? { ...inset(indent, step), left: indent.left } : inset(indent, step), isLoose);
        });
      }
    });
  }

  #item(item: ListItem, indent: Indent, isLoose: boolean): void {
    const { y, index } = this.#sheet;
    this.#sheet.tags.within('LBody', {}, () => this.#blocks(item.children, indent, isLoose ? 6 : 3));
    if (this.#sheet.y === y && this.#sheet.index === index) this.#sheet.y += textSize * textLine;
  }

  #marker(item: ListItem, usual: string, indent: Indent, { step, isRtl }: { step: number; isRtl: boolean }): void {
    const text = typeof item.checked === 'boolean' ? (item.checked ? '☑' : '☐') : usual;
    const line = lineOf(this.#sheet.fonts, { text, colour: colours.quiet }, textSize);
    const from = usual === '•' ? 3 : step - 8 - line.width;
    const left = isRtl ? indent.left + indent.width - from - line.width : indent.left + from;
    this.#sheet.tags.within('Lbl', {}, () => this.#sheet.drawLine(line, left, this.#sheet.y, textSize * textLine));
  }

  #runs(nodes: readonly PhrasingContent[]): Run[] {
    const { link, formula } = this.#context;
    return runsOf(nodes, { link, formula, definitions: this.#definitions });
  }
}

/** An image, or the image in a link without any other content. */
function imageIn(node: PhrasingContent): ImageNode | undefined {
  if (node.type === 'image' || node.type === 'imageReference') return node;
  if (node.type !== 'link') return undefined;
  const [only, ...others] = node.children;
  return only && others.length === 0 ? imageIn(only) : undefined;
}

interface CellTools {
  runs(nodes: readonly PhrasingContent[]): Run[];
  picture(node: ImageNode | FigureNode): CellPicture | undefined;
}

/** Converts blocks to the text and pictures of a table cell. */
function readCell(blocks: readonly RootContent[], tools: CellTools): Cell {
  const runs: Run[] = [];
  const pictures: CellPicture[] = [];
  const endLine = () => {
    if (runs.length > 0 && runs.at(-1)?.text !== '\n') runs.push({ text: '\n' });
  };
  const addPicture = (node: ImageNode | FigureNode): boolean => {
    const picture = tools.picture(node);
    if (picture) pictures.push(picture);
    return picture !== undefined;
  };
  const addInline = (nodes: readonly PhrasingContent[]) => {
    const isPicture = (node: PhrasingContent) =>
      (node.type === 'image' || node.type === 'imageReference') && addPicture(node);
    runs.push(...tools.runs(nodes.filter((node) => !isPicture(node))));
  };
  const addLine = (nodes: readonly PhrasingContent[]) => {
    addInline(nodes);
    endLine();
  };
  const add = (block: RootContent, indent: string): void => {
    switch (block.type) {
      case 'paragraph':
        return addLine(block.children);
      case 'heading':
        return addLine([{ type: 'strong', children: block.children }]);
      case 'list':
        endLine();
        for (const [index, item] of block.children.entries()) {
          runs.push({ text: `${indent}${block.ordered ? `${(block.start ?? 1) + index}.` : '•'} ` });
          for (const child of item.children) add(child, `${indent}   `);
          endLine();
        }
        return;
      case 'code':
        endLine();
        runs.push({ text: block.value, code: true }, { text: '\n' });
        return;
      case 'figure':
        addPicture(block);
        return addLine(block.children);
      case 'blockquote':
      case 'block':
        endLine();
        for (const child of block.children) add(child, indent);
        return;
      case 'html':
        return;
      default:
        addInline(phrasing([block]));
    }
  };
  for (const block of blocks) add(block, '');
  while (runs.at(-1)?.text === '\n') runs.pop();
  return { runs, pictures };
}
