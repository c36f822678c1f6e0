import type { Root } from 'mdast';
import PDFDocument from 'pdfkit';
import { decodeAddress } from '../../shared/decode.ts';
import { readIncludes } from '../blocks/includes.ts';
import { oneLine, plainText } from '../markdown/markdown.ts';
import { Blocks } from './blocks.ts';
import type { ReadyImage } from './pictures/ready-image.ts';
import { contentsSheets, drawContents } from './contents.ts';
import { colours, Paper, page as paper } from './paper.ts';
import { Findings, type PdfFinding } from './findings.ts';
import { Pictures } from './pictures/pictures.ts';
import { type DescribeBlock, picturesIn, readPage } from './read-page.ts';
import { Fonts, type FontSources } from './text/fonts.ts';
import type { LinkTarget } from './text/run.ts';

/** A page. Its text is read when the page is drawn. */
export interface PdfPage {
  id: string;
  title: string;
  description?: string;
  /** 0 for a page that starts a chapter. */
  depth: number;
}

export interface PdfOptions {
  /** Printed on the first sheet, above the table of contents. Both are left out for a single page. */
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
      unknown: (name) => this.#findings.block(name),
    });
    blocks.draw(withoutTitle(root, each.title));
    sheet.tags.end();
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
