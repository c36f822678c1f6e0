import GithubSlugger from 'github-slugger';
import type { Definition, Heading, Html, List, ListItem, PhrasingContent, Root, RootContent } from 'mdast';
import { imagesIn } from '../markdown/html-tags.ts';
import { oneLine, plainText } from '../markdown/markdown.ts';
import { colours, type Indent, page, type Paper } from './paper.ts';
import { drawTable } from './table.ts';
import { emptyLine, type Line, type Run } from './text.ts';

declare module 'mdast' {
  interface Data {
    /** Counts for anchors but is not drawn. */
    hidden?: boolean;
  }
}

export interface ReadyImage {
  bytes: Uint8Array;
  width: number;
  height: number;
}

export interface BlockContext {
  page: string;
  images: ReadonlyMap<string, ReadyImage>;
  outline: PDFKit.PDFOutline;
  link: (url: string) => Run['link'];
}

const gap = 8;
const codeSize = 8.5;
const codeLine = 12.5;

/** In points: size of the letters, and space above. */
const headingSizes: Record<Heading['depth'], { size: number; above: number }> = {
  1: { size: 18, above: 14 },
  2: { size: 15, above: 12 },
  3: { size: 12.5, above: 8 },
  4: { size: 11, above: 6 },
  5: { size: 10.5, above: 4 },
  6: { size: 10.5, above: 4 },
};

/** Draws the blocks of a page's Markdown. */
export class Blocks {
  readonly #sheet: Paper;
  readonly #context: BlockContext;
  readonly #slugger = new GithubSlugger();
  readonly #outlines: { depth: number; item: PDFKit.PDFOutline }[] = [];
  #definitions = new Map<string, Definition>();

  constructor(sheet: Paper, context: BlockContext) {
    this.#sheet = sheet;
    this.#context = context;
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
      this.#block(block, indent);
      if (this.#sheet.y !== y || this.#sheet.index !== index) isFirst = false;
    }
  }

  #block(block: RootContent, indent: Indent): void {
    switch (block.type) {
      case 'heading':
        return this.#heading(block, indent);
      case 'paragraph':
        return this.#paragraph(block.children, indent);
      case 'list':
        return this.#list(block, indent);
      case 'code':
        return this.#code(block.value, indent);
      case 'blockquote':
        return this.#sheet.beside(indent.left, () => this.#blocks(block.children, inset(indent, 14)));
      case 'table':
        return drawTable(
          this.#sheet,
          block.children.map((row) => row.children.map((cell) => this.#runs(cell.children))),
          block.align ?? [],
          indent,
        );
      case 'thematicBreak':
        this.#sheet.need(12);
        this.#sheet.rule(indent, this.#sheet.y + 6);
        this.#sheet.y += 12;
        return;
      case 'html':
        return this.#html(block, indent);
      case 'footnoteDefinition':
        this.#text([{ text: `[${block.label ?? block.identifier}]`, size: 8, colour: colours.quiet }], indent);
        return this.#blocks(block.children, inset(indent, 14));
      default: {
        const text = plainText(block).trim();
        if (text !== '') this.#text([{ text }], indent);
      }
    }
  }

  #text(runs: readonly Run[], indent: Indent): void {
    this.#sheet.paragraph(runs, { indent });
  }

  #heading(heading: Heading, indent: Indent): void {
    const title = oneLine(plainText(heading));
    const anchor = this.#slugger.slug(title);
    if (!heading.data?.hidden && title !== '') {
      const { size, above } = headingSizes[heading.depth];
      this.#sheet.space(above);
      // A heading stays on one sheet with the first lines below it.
      this.#sheet.need(size * 1.3 + 64);
      if (heading.depth <= 3) this.#outline(heading.depth, title);
      this.#sheet.destination(`${this.#context.page}#${anchor}`);
      const runs = this.#runs(heading.children).map((run) => ({
        ...run,
        bold: true,
        size: run.code ? size * 0.9 : size,
        colour: run.colour ?? colours.heading,
      }));
      this.#sheet.paragraph(runs, { indent, size, lineHeight: 1.3 });
    } else this.#sheet.destination(`${this.#context.page}#${anchor}`);
  }

  #outline(depth: number, title: string): void {
    while ((this.#outlines.at(-1)?.depth ?? 0) >= depth) this.#outlines.pop();
    const above = this.#outlines.at(-1)?.item ?? this.#context.outline;
    this.#outlines.push({ depth, item: above.addItem(title, { expanded: false }) });
  }

  /** Pictures are drawn between lines, never in a line. */
  #paragraph(children: readonly PhrasingContent[], indent: Indent): void {
    let line: PhrasingContent[] = [];
    let drawn = false;
    const flush = () => {
      const runs = this.#runs(line);
      line = [];
      if (runs.every((run) => run.text.trim() === '')) return;
      if (drawn) this.#sheet.space(gap);
      this.#text(runs, indent);
      drawn = true;
    };
    for (const child of children) {
      const image = imageIn(child);
      const url = image && this.#urlOf(image);
      const picture = url === undefined ? undefined : this.#context.images.get(url);
      if (!picture) {
        line.push(child);
        continue;
      }
      flush();
      if (drawn) this.#sheet.space(gap);
      this.#image(picture, indent);
      drawn = true;
    }
    flush();
  }

  #urlOf(node: PhrasingContent): string | undefined {
    if (node.type === 'image') return node.url;
    if (node.type === 'imageReference') return this.#definitions.get(node.identifier)?.url;
    return undefined;
  }

  #image({ bytes, width, height }: ReadyImage, indent: Indent): void {
    // A pixel of a screen is three quarters of a point.
    const scale = Math.min(0.75, indent.width / width, (page.height * 0.8) / height);
    const [w, h] = [width * scale, height * scale];
    this.#sheet.need(h);
    const { document } = this.#sheet;
    try {
      document.image(Buffer.from(bytes), indent.left, this.#sheet.y, { width: w, height: h });
    } catch {
      this.#text([{ text: '[image that cannot be read]', italic: true, colour: colours.quiet }], indent);
      return;
    }
    this.#sheet.y += h;
  }

  #html(block: Html, indent: Indent): void {
    if (block.value.startsWith('<!--')) return;
    for (const source of imagesIn(block.value)) {
      const image = this.#context.images.get(source);
      if (!image) continue;
      this.#image(image, indent);
      this.#sheet.space(gap);
    }
    const text = plainText(block).trim();
    if (text !== '') this.#text([{ text: oneLine(text) }], indent);
  }

  #list(list: List, indent: Indent): void {
    const start = list.start ?? 1;
    const size = 10.5;
    const widest = this.#sheet.fonts.line({ text: `${start + list.children.length - 1}.` }, size).width;
    const step = list.ordered ? Math.max(18, widest + 8) : 16;
    const isLoose = list.spread || list.children.some((item) => item.spread);
    for (const [index, item] of list.children.entries()) {
      if (index > 0) this.#sheet.space(isLoose ? 6 : 3);
      this.#sheet.need(size * 1.5);
      this.#marker(item, list.ordered ? `${start + index}.` : '•', indent, step);
      const inner = inset(indent, step);
      const { y, index: sheet } = this.#sheet;
      this.#blocks(item.children, inner, isLoose ? 6 : 3);
      if (this.#sheet.y === y && this.#sheet.index === sheet) this.#sheet.y += size * 1.5;
    }
  }

  #marker(item: ListItem, usual: string, indent: Indent, step: number): void {
    const text = typeof item.checked === 'boolean' ? (item.checked ? '☑' : '☐') : usual;
    const line = this.#sheet.fonts.line({ text, colour: colours.quiet }, 10.5);
    const left = usual === '•' ? indent.left + 3 : indent.left + step - 8 - line.width;
    this.#sheet.drawLine(line, left, this.#sheet.y, 10.5 * 1.5);
  }

  #code(value: string, indent: Indent): void {
    const inner = inset(inset(indent, 10), 0, 10);
    const lines = value
      .replaceAll('\t', '    ')
      .split('\n')
      .flatMap((text) => this.#codeLines(text, inner.width));
    const padding = 7;
    this.#sheet.need(Math.min(lines.length, 3) * codeLine + padding * 2);
    for (let from = 0; from < lines.length;) {
      const fitting = Math.max(1, Math.floor((this.#sheet.room - padding * 2) / codeLine));
      const part = lines.slice(from, from + fitting);
      const height = part.length * codeLine + padding * 2;
      this.#sheet.panel(indent.left, this.#sheet.y, indent.width, height);
      for (const [index, line] of part.entries()) {
        this.#sheet.drawLine(line, inner.left, this.#sheet.y + padding + index * codeLine, codeLine);
      }
      this.#sheet.y += height;
      from += part.length;
      if (from < lines.length) this.#sheet.newPage();
    }
  }

  // Code keeps its blanks: lines are cut where they are full, not between words.
  #codeLines(text: string, width: number): Line[] {
    const pieces = this.#sheet.fonts.pieces({ text, code: true }, codeSize);
    const plain = pieces.map((piece) => ({ ...piece, run: { text: piece.text, colour: colours.text } }));
    let line = emptyLine(codeSize);
    const lines = [line];
    for (const piece of plain) {
      for (const character of piece.text) {
        const wide = this.#sheet.fonts.width(character, piece.font, codeSize);
        if (line.width + wide > width) {
          line = emptyLine(codeSize);
          lines.push(line);
        }
        const last = line.pieces.at(-1);
        if (last?.font === piece.font) {
          last.text += character;
          last.width += wide;
        } else line.pieces.push({ ...piece, text: character, width: wide });
        line.width += wide;
      }
    }
    return lines;
  }

  #runs(nodes: readonly PhrasingContent[], style: Omit<Run, 'text'> = {}): Run[] {
    return nodes.flatMap((node): Run[] => {
      switch (node.type) {
        case 'text':
          return [{ ...style, text: node.value.replaceAll(/\s+/g, ' ') }];
        case 'inlineCode':
          return [{ ...style, text: node.value, code: true, size: (style.size ?? 10.5) * 0.9 }];
        case 'break':
          return [{ ...style, text: '\n' }];
        case 'strong':
          return this.#runs(node.children, { ...style, bold: true });
        case 'emphasis':
          return this.#runs(node.children, { ...style, italic: true });
        case 'delete':
          return this.#runs(node.children, { ...style, strike: true });
        case 'link':
          return this.#runs(node.children, { ...style, link: this.#context.link(node.url) });
        case 'linkReference': {
          const url = this.#definitions.get(node.identifier)?.url;
          return this.#runs(node.children, { ...style, link: url === undefined ? undefined : this.#context.link(url) });
        }
        case 'image':
        case 'imageReference':
          return [{ ...style, text: `[${node.alt || 'image'}]`, italic: true, colour: colours.quiet }];
        case 'footnoteReference':
          return [{ ...style, text: `[${node.label ?? node.identifier}]`, size: 8 }];
        case 'html':
          return /^<br\s*\/?>$/i.test(node.value) ? [{ ...style, text: '\n' }] : [];
        default:
          return [];
      }
    });
  }
}

function imageIn(node: PhrasingContent): PhrasingContent | undefined {
  if (node.type === 'image' || node.type === 'imageReference') return node;
  // A picture that is a link.
  if (node.type !== 'link') return undefined;
  const [only, ...others] = node.children;
  return only && others.length === 0 ? imageIn(only) : undefined;
}

function inset({ left, width }: Indent, by: number, right = 0): Indent {
  // A minimum width, however deeply lists are nested.
  const step = Math.max(0, Math.min(by, width - right - 120));
  return { left: left + step, width: width - step - right };
}
