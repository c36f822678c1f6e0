import PDFDocument from 'pdfkit';
import type { Root } from 'mdast';
import { decodeAddress } from '../../shared/decode.ts';
import { readIncludes } from '../blocks/includes.ts';
import { oneLine, plainText } from '../markdown/markdown.ts';
import { Blocks } from './blocks.ts';
import { Findings, type PdfFinding } from './findings.ts';
import type { Formulas } from './math/formulas.ts';
import { Paper, colours, page as paper } from './paper.ts';
import { Pictures } from './pictures/pictures.ts';
import type { ReadyImage } from './pictures/ready-image.ts';
import { type DescribeBlock, picturesIn, readPage } from './read-page.ts';
import { type FontSources, Fonts } from './text/fonts.ts';
import { lineOf, linesOf } from './text/lines.ts';
import type { Line, LinkTarget } from './text/run.ts';

/** A page. Its text is read when the page is drawn. */
export interface PdfPage {
  id: string;
  title: string;
  description?: string;
  /** 0 for a page that starts a chapter. */
  depth: number;
}

export interface PdfOptions {
  /** Printed on the first sheet, above the table of contents. Both are skipped for a single page. */
  title: string;
  author?: string;
  /** Whether there is a table of contents; by default, if there is more than one page. */
  contents?: boolean;
  /** The Markdown of a page. */
  text: (page: string) => string | Promise<string>;
  /** Resolves a link to a place in this document. Undefined for other links. */
  resolve?: (url: string, page: string) => { page: string; anchor?: string } | undefined;
  /** The address of a link that leads out of the document. Undefined for none. */
  address?: (url: string, page: string) => string | undefined;
  /** The name of the image at an address. Images with the same name are read and written once. */
  imageName?: (url: string, page: string) => string | undefined;
  /** The bytes of an image by its name. */
  image?: (name: string) => Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /** A reusable text by its path, as written in the page. */
  include?: (path: string, page: string) => string | undefined | Promise<string | undefined>;
  /** Returns a function that describes the specification blocks of a text. Undefined if it has none. */
  openapi?: (markdown: string, page: string) => Promise<DescribeBlock | undefined>;
  /** The values for expressions, such as `space.vars`. */
  values?: () => Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>;
  /** Fonts for characters that the built-in fonts lack. */
  fonts?: FontSources;
  language?: string;
  date?: Date;
  /** Called before each page. */
  onPage?: (page: PdfPage) => void;
}

/**
 * Writes the pages as one PDF, with an outline, a table of contents and page numbers.
 *
 * @param write receives the file in pieces
 * @returns what could not be drawn as intended
 */
export async function writePdf(
  pages: readonly PdfPage[],
  options: PdfOptions,
  write: (bytes: Uint8Array) => void,
): Promise<PdfFinding[]> {
  const { title, language = 'en' } = options;
  const document = createDocument(options, language);
  document.on('data', write);
  const ended = new Promise<void>((resolve, reject) => document.once('end', resolve).once('error', reject));
  const findings = new Findings();
  const fonts = new Fonts(document, { language, ...options.fonts }, (cluster) => findings.missing(cluster));
  const sheet = new Paper(document, fonts);
  sheet.footer = title;
  sheet.tags.begin('Document');
  const hasContents = options.contents ?? pages.length > 1;
  const contents = hasContents ? sheet.tags.reserve('Sect') : undefined;
  fonts.adaptTo(pages.map((each) => each.title).join(' '));
  // The table of contents comes first, but the page numbers are only known at the end. Therefore, its sheets are counted
  // now, drawn last and moved to the front.
  const first = hasContents ? contentsSheets(sheet, pages.length, title) : 0;
  sheet.index = first - 1;
  const drawer = new PageDrawer(sheet, pages, options, findings);
  for (const each of pages) {
    options.onPage?.(each);
    await drawer.draw(each);
    // Lets this thread write its output and receive messages.
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (pages.length === 0) sheet.newPage();
  sheet.settleDestinations(new Map(drawer.started.map((each) => [each.id, each])));
  if (contents) {
    findings.page = undefined;
    sheet.tags.resume(contents, 'Sect');
    drawContents(sheet, title, drawer.started, first);
    sheet.tags.end();
  }
  sheet.tags.end();
  sheet.tags.settle();
  document.end();
  await ended;
  return findings.list();
}

interface Started {
  id: string;
  title: string;
  depth: number;
  sheetIndex: number;
  sheet: PDFKit.PDFPage;
  y: number;
  outline: PDFKit.PDFOutline;
}

/** Draws one page after the other. */
class PageDrawer {
  readonly started: Started[] = [];
  readonly #sheet: Paper;
  readonly #options: PdfOptions;
  readonly #findings: Findings;
  readonly #pictures: Pictures;
  readonly #titles: ReadonlyMap<string, string>;
  readonly #includes = new Map<string, string>();
  readonly #values: Promise<Readonly<Record<string, unknown>>>;
  #formulas: Formulas | undefined;

  constructor(sheet: Paper, pages: readonly PdfPage[], options: PdfOptions, findings: Findings) {
    this.#sheet = sheet;
    this.#options = options;
    this.#findings = findings;
    this.#titles = new Map(pages.map(({ id, title }) => [id, title]));
    this.#values = Promise.resolve(options.values?.() ?? {});
    this.#pictures = new Pictures(sheet.document, sheet.fonts, options.image ?? (() => undefined), findings);
  }

  async draw(each: PdfPage): Promise<void> {
    const sheet = this.#sheet;
    this.#findings.page = each.title;
    const markdown = await this.#options.text(each.id);
    sheet.fonts.adaptTo(`${each.title} ${markdown}`);
    const root = readPage(markdown, {
      includes: await readIncludes(markdown, (path) => this.#options.include?.(path, each.id), this.#includes),
      values: await this.#values,
      openapi: await this.#options.openapi?.(markdown, each.id),
    });
    const images = await this.#imagesOf(each, root);
    if (/\$|\{%\s*include/.test(markdown)) await this.#loadFormulas();
    if (each.depth === 0 || this.started.length === 0 || sheet.room < paper.height / 3) sheet.newPage();
    else sheet.space(28);
    sheet.tags.begin('Sect', { title: each.title });
    const { y, index: sheetIndex } = sheet;
    const above = this.started.findLast(({ depth }) => depth < each.depth)?.outline ?? sheet.document.outline;
    const outline = above.addItem(each.title, { expanded: false });
    this.started.push({ ...each, sheetIndex, sheet: sheet.document.page, y, outline });
    sheet.destination(each.id);
    this.#drawTitle(each);
    const blocks = new Blocks(sheet, {
      page: each.id,
      images,
      outline,
      link: (url) => linkFor(url, each.id, this.#options),
      titleOf: (url) => this.#titles.get(this.#options.resolve?.(url, each.id)?.page ?? ''),
      formula: (tex, isBlock) => this.#formulas?.get(tex, isBlock),
      unknown: (name) => this.#findings.block(name),
    });
    blocks.draw(withoutTitle(root, each.title));
    sheet.tags.end();
  }

  /** Few documents have formulas, and MathJax takes a while to load. */
  async #loadFormulas(): Promise<void> {
    if (this.#formulas) return;
    const [{ Formulas }, { svgOf }] = await Promise.all([import('./math/formulas.ts'), import('./math/mathjax.ts')]);
    this.#formulas = new Formulas(this.#sheet.document, this.#sheet.fonts, svgOf, this.#findings);
  }

  #drawTitle({ title, description, depth }: PdfPage): void {
    const sheet = this.#sheet;
    const size = depth === 0 ? 22 : depth === 1 ? 18 : 16;
    sheet.paragraph([{ text: title, bold: true, size, colour: colours.heading }], { lineHeight: 1.25, tag: 'H1' });
    if (description) {
      sheet.space(4);
      sheet.paragraph([{ text: description, colour: colours.quiet, size: 11 }]);
    }
    sheet.space(12);
  }

  async #imagesOf({ id }: PdfPage, root: Root): Promise<Map<string, ReadyImage>> {
    const images = new Map<string, ReadyImage>();
    for (const url of picturesIn(root)) {
      const name = this.#options.imageName?.(url, id);
      const image = name === undefined ? undefined : await this.#pictures.get(name);
      if (image) images.set(url, image);
    }
    return images;
  }
}

/** An empty document without sheets. */
function createDocument({ title, author, date = new Date() }: PdfOptions, language: string): PDFKit.PDFDocument {
  const document = new PDFDocument({
    // No default font: the built-in Helvetica has only Western European letters, and its files would have to be shipped.
    font: '',
    size: 'A4',
    margins: paper.margins,
    autoFirstPage: false,
    pdfVersion: '1.7',
    tagged: true,
    lang: language,
    displayTitle: true,
    info: { Title: title, Creator: 'docsctl', Producer: 'docsctl', CreationDate: date },
  });
  const texts = { Title: title, ...(author === undefined ? {} : { Author: author }) };
  for (const [name, text] of Object.entries(texts)) Object.assign(document.info, { [name]: new XmlText(text) });
  return document;
}

/** The library does not escape these texts when it writes them as XML. */
class XmlText extends String {
  override toString(): string {
    return this.valueOf().replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  }
}

/** Hides a first heading that repeats the title, which is printed above the page. */
function withoutTitle(root: Root, title: string): Root {
  const first = root.children.findIndex((block) => block.type !== 'html' && block.type !== 'definition');
  const block = root.children[first];
  if (block?.type !== 'heading' || oneLine(plainText(block)) !== oneLine(title)) return root;
  // The heading is kept so that anchors are numbered correctly.
  return { ...root, children: root.children.with(first, { ...block, data: { hidden: true } }) };
}

function linkFor(url: string, id: string, options: PdfOptions): LinkTarget | undefined {
  const inside = url.startsWith('#') ? { page: id, anchor: decodeAddress(url.slice(1)) } : options.resolve?.(url, id);
  if (inside) return { to: inside.anchor ? `${inside.page}#${inside.anchor}` : inside.page };
  const address = options.address ? options.address(url, id) : url;
  return address !== undefined && /^(?:https?|mailto):/i.test(address) ? { url: address } : undefined;
}

/** A page in the table of contents. */
interface ContentsEntry {
  id: string;
  title: string;
  depth: number;
  /** The index of its first sheet, from 0. */
  sheetIndex: number;
}

const size = 10.5;
const lineHeight = 19;
const linesPerSheet = Math.floor(paper.height / lineHeight);

function titleLines(sheet: Paper, title: string): Line[] {
  return linesOf(sheet.fonts, [{ text: title, bold: true, size: 26, colour: colours.heading }], paper.width, 26);
}

const titleLineHeight = 31;
const aboveTitle = 36;
const belowTitle = 24;

function linesOnFirst(sheet: Paper, title: string): number {
  const used = aboveTitle + titleLines(sheet, title).length * titleLineHeight + belowTitle;
  return Math.max(1, Math.floor((paper.height - used) / lineHeight));
}

/** The number of sheets that a table of contents with this many lines needs. */
function contentsSheets(sheet: Paper, lines: number, title: string): number {
  return 1 + Math.max(0, Math.ceil((lines - linesOnFirst(sheet, title)) / linesPerSheet));
}

/** Draws the title and table of contents on separate sheets at the start of the document. */
function drawContents(sheet: Paper, title: string, entries: readonly ContentsEntry[], sheets: number): void {
  const outermost = entries.reduce((least, { depth }) => Math.min(least, depth), Infinity);
  sheet.index = -1;
  sheet.newPage();
  sheet.y += aboveTitle;
  sheet.tags.within('H1', {}, () => {
    for (const line of titleLines(sheet, title)) {
      sheet.drawLine(line, paper.left, sheet.y, titleLineHeight, undefined, paper.width);
      sheet.y += titleLineHeight;
    }
  });
  sheet.y += belowTitle;
  const onFirst = linesOnFirst(sheet, title);
  sheet.tags.within('TOC', {}, () => {
    for (const [index, entry] of entries.entries()) {
      if (index >= onFirst && (index - onFirst) % linesPerSheet === 0) sheet.newPage();
      drawEntry(sheet, entry, Math.min(entry.depth - outermost, 6) * 16, entry.depth === outermost);
    }
  });
  sheet.moveLastToFront(sheets);
}

function drawEntry(sheet: Paper, { id, title, sheetIndex }: ContentsEntry, indent: number, bold: boolean): void {
  const { y } = sheet;
  const number = lineOf(sheet.fonts, { text: String(sheetIndex + 1), colour: colours.quiet }, size);
  const room = paper.width - indent - number.width - 24;
  const line = sheet.shortened({ text: title, bold, colour: colours.text }, room, size);
  const left = paper.left + indent;
  sheet.tags.within('TOCI', {}, () =>
    sheet.tags.within('Link', {}, (element) => {
      sheet.drawLine(line, left, y, lineHeight, 'left');
      sheet.drawLine(number, paper.left, y, lineHeight, 'right', paper.width);
      sheet.linkArea({ to: id }, { x: left, y, width: paper.width - indent, height: lineHeight }, element);
    }),
  );
  drawDots(sheet, left + line.width + 8, paper.left + paper.width - number.width - 8, y + lineHeight / 2 + 3.5);
  sheet.y += lineHeight;
}

function drawDots({ document, tags }: Paper, from: number, to: number, y: number): void {
  if (to <= from) return;
  tags.artifact();
  document.moveTo(from, y).lineTo(to, y).lineWidth(0.5).dash(1, { space: 3 }).stroke(colours.rule).undash();
}
