import { decodeAddress } from '../../shared/decode.ts';
import { type FontFile, installedFonts } from '../fonts/typefaces.ts';
import { readFrontMatter } from '../markdown/front-matter.ts';
import { oneLine, plainText } from '../markdown/markdown.ts';
import { rewriteLinks } from '../markdown/markdown.ts';
import { parse } from '../markdown/parse.ts';
import { Blocks, type ReadyImage } from './blocks.ts';
import { colours, Paper, page as paper } from './paper.ts';
import { Fonts, type Line } from './text.ts';

export interface PdfPage {
  id: string;
  title: string;
  description?: string;
  /** 0 for pages that start a chapter. */
  depth: number;
  markdown: string;
}

export interface PdfOptions {
  /** Printed on the first page, above the table of contents; both are left out for a single page. */
  title: string;
  /** Whether `title` and the contents come first; by default when there is more than one page. */
  contents?: boolean;
  /** The place in this document to which a link of a page leads; undefined for other links. */
  resolve?: (url: string, page: string) => { page: string; anchor?: string } | undefined;
  /** The address to write for a link that leads out of the document; undefined for none. */
  address?: (url: string, page: string) => string | undefined;
  /** An image's bytes. */
  image?: (url: string, page: string) => Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /**
   * Fonts for the characters that the built-in ones lack (they have Latin, Greek, Cyrillic and symbols); the machine's
   * by default.
   */
  fonts?: FontFile[];
  language?: string;
  date?: Date;
}

/** The pages as one PDF, with an outline, and with page numbers in the contents and at the foot. */
export async function renderPdf(pages: readonly PdfPage[], options: PdfOptions): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit');
  const document = new PDFDocument({
    // No font at first: the built-in Helvetica has only Western European letters, and its files would have to be
    // shipped.
    font: '',
    size: 'A4',
    margins: paper.margins,
    autoFirstPage: false,
    lang: options.language ?? 'en',
    displayTitle: true,
    info: { Title: options.title, Creator: 'docsctl', Producer: 'docsctl', CreationDate: options.date ?? new Date() },
  });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => document.once('end', resolve).once('error', reject));
  const fonts = new Fonts(document, options.fonts ?? installedFonts());
  const sheet = new Paper(document, fonts);
  const hasContents = options.contents ?? pages.length > 1;
  // The table of contents comes first, but can be drawn only when the page numbers are known: its sheets are counted
  // now, drawn last and moved to the front.
  const first = hasContents ? contentsSheets(sheet, pages.length, options.title) : 0;
  sheet.index = first - 1;
  const started: Started[] = [];
  for (const each of pages) {
    started.push(await drawPage(sheet, each, options, started));
    // A long document gives other work a turn on the event loop now and then.
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (pages.length === 0) sheet.newPage();
  sheet.settleDestinations(new Map(started.map((each) => [each.id, each])));
  if (hasContents) drawContents(sheet, options.title, started, first);
  document.end();
  await ended;
  return Buffer.concat(chunks);
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

async function drawPage(
  sheet: Paper,
  each: PdfPage,
  options: PdfOptions,
  before: readonly Started[],
): Promise<Started> {
  const images = await imagesOf(each, options);
  if (each.depth === 0 || before.length === 0 || sheet.room < paper.height / 3) sheet.newPage();
  else sheet.space(28);
  const { y, index: sheetIndex } = sheet;
  const firstSheet = sheet.document.page;
  sheet.destination(each.id);
  const above = before.findLast(({ depth }) => depth < each.depth)?.outline ?? sheet.document.outline;
  const outline = above.addItem(each.title, { expanded: false });
  const size = each.depth === 0 ? 22 : each.depth === 1 ? 18 : 16;
  sheet.paragraph([{ text: each.title, bold: true, size, colour: colours.heading }], { lineHeight: 1.25 });
  if (each.description) {
    sheet.space(4);
    sheet.paragraph([{ text: each.description, colour: colours.quiet, size: 11 }]);
  }
  sheet.space(12);
  const { bodyAt } = readFrontMatter(each.markdown);
  const root = parse(each.markdown.slice(bodyAt), bodyAt);
  const blocks = new Blocks(sheet, {
    page: each.id,
    images,
    outline,
    link: (url) => linkFor(url, each.id, options),
  });
  blocks.draw(withoutTitle(root, each.title));
  return { id: each.id, title: each.title, depth: each.depth, sheetIndex, sheet: firstSheet, y, outline };
}

/** The page's title is already printed above it. */
function withoutTitle(root: ReturnType<typeof parse>, title: string): ReturnType<typeof parse> {
  const first = root.children.findIndex((block) => block.type !== 'html' && block.type !== 'definition');
  const block = root.children[first];
  if (block?.type !== 'heading' || oneLine(plainText(block)) !== oneLine(title)) return root;
  // The heading stays so that anchors are counted correctly, but is not drawn.
  return { ...root, children: root.children.with(first, { ...block, data: { hidden: true } }) };
}

function linkFor(url: string, id: string, options: PdfOptions): { to: string } | { url: string } | undefined {
  const inside = url.startsWith('#') ? { page: id, anchor: decodeAddress(url.slice(1)) } : options.resolve?.(url, id);
  if (inside) return { to: inside.anchor ? `${inside.page}#${inside.anchor}` : inside.page };
  const address = options.address ? options.address(url, id) : url;
  return address !== undefined && /^(?:https?|mailto):/i.test(address) ? { url: address } : undefined;
}

async function imagesOf(each: PdfPage, { image }: PdfOptions): Promise<Map<string, ReadyImage>> {
  const addresses = new Set<string>();
  if (!/!\[|<img\b/i.test(each.markdown)) return new Map();
  rewriteLinks(each.markdown, (url, kind) => {
    if (kind === 'image') addresses.add(url);
    return url;
  });
  const images = new Map<string, ReadyImage>();
  if (!image) return images;
  const { imageSize } = await import('image-size');
  for (const url of addresses) {
    const bytes = await image(url, each.id);
    if (!bytes) continue;
    try {
      const { width, height, type } = imageSize(bytes);
      // Pixels are unpacked in memory; a picture with more is an attack or a poster.
      if ((type === 'png' || type === 'jpg') && width * height <= 40_000_000) images.set(url, { bytes, width, height });
    } catch {
      // This image cannot be drawn: its description is printed instead.
    }
  }
  return images;
}

// ---- table of contents

const lineHeight = 19;
const linesPerSheet = Math.floor(paper.height / lineHeight);

function titleLines(sheet: Paper, title: string): Line[] {
  return sheet.fonts.lines([{ text: title, bold: true, size: 26, colour: colours.heading }], paper.width, 26);
}

const titleLineHeight = 31;
const aboveTitle = 36;
const belowTitle = 24;

function linesOnFirst(sheet: Paper, title: string): number {
  const used = aboveTitle + titleLines(sheet, title).length * titleLineHeight + belowTitle;
  return Math.max(1, Math.floor((paper.height - used) / lineHeight));
}

function contentsSheets(sheet: Paper, lines: number, title: string): number {
  return 1 + Math.max(0, Math.ceil((lines - linesOnFirst(sheet, title)) / linesPerSheet));
}

function drawContents(sheet: Paper, title: string, started: readonly Started[], sheets: number): void {
  const outermost = Math.min(...started.map(({ depth }) => depth));
  sheet.index = -1;
  sheet.newPage();
  sheet.y += aboveTitle;
  for (const line of titleLines(sheet, title)) {
    sheet.drawLine(line, paper.left, sheet.y, titleLineHeight);
    sheet.y += titleLineHeight;
  }
  sheet.y += belowTitle;
  const onFirst = linesOnFirst(sheet, title);
  for (const [index, { id, title: of, depth, sheetIndex }] of started.entries()) {
    if (index >= onFirst && (index - onFirst) % linesPerSheet === 0) sheet.newPage();
    const indent = Math.min(depth - outermost, 6) * 16;
    sheet.contentsLine({ title: of, indent, number: String(sheetIndex + 1), to: id, bold: depth === outermost });
  }
  sheet.moveLastToFront(sheets);
}
