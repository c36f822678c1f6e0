import type { Element, ElementContent, Root } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import drawSvg from 'svg-to-pdfkit';
import type { ReadyImage } from './ready-image.ts';
import { isSound } from './sound-png.ts';
import type { Fonts } from '../text/fonts.ts';

/** Larger drawings are maps and scans, which take a PDF's time and room. */
const maxCharacters = 2_000_000;
/** Elements that are drawn, those that others refer to counted each time. */
const maxDrawn = 100_000;

interface Size {
  width: number;
  height: number;
}

/**
 * @param size of the drawing, in its own pixels
 * @returns what draws an SVG; undefined for one that is too large, or that draws its parts too often
 */
export function drawingOf(
  svg: string,
  size: Size,
  document: PDFKit.PDFDocument,
  fonts: Fonts,
): ReadyImage['draw'] | undefined {
  if (svg.length > maxCharacters) return undefined;
  const root = fromHtml(svg, { fragment: true, space: 'svg' });
  if (countDrawn(root) > maxDrawn) return undefined;
  const text = textOf(root);
  const options = {
    ...size,
    assumePt: true,
    fontCallback: (family: string, isBold: boolean, isItalic: boolean) =>
      fonts.nameFor({ text, bold: isBold, italic: isItalic, code: /mono|courier|consolas/i.test(family) }),
    // Only what is in the drawing itself: other addresses would be files of this machine.
    imageCallback: (link: string) => (isSoundData(link) ? link : ''),
    warningCallback: () => {},
  };
  return (x, y, width, height) => {
    // The library draws it in the size that it states itself.
    document.save().rect(x, y, width, height).clip();
    document.translate(x, y).scale(width / size.width, height / size.height);
    drawSvg(document, svg, 0, 0, options);
    document.restore();
  };
}

function isSoundData(link: string): boolean {
  const [, data] = /^data:image\/(?:png|jpeg);base64,(.*)$/s.exec(link) ?? [];
  return data !== undefined && isSound(Buffer.from(data, 'base64'));
}

/**
 * How many elements are drawn. A drawing may refer to its own parts, and these to others, so that a few lines draw
 * millions.
 */
function countDrawn(root: Root): number {
  const byId = new Map<string, Element>();
  const styleIds: string[] = [];
  const collect = (node: Root | ElementContent) => {
    if (node.type !== 'element' && node.type !== 'root') return;
    if (node.type === 'element') {
      if (typeof node.properties.id === 'string') byId.set(node.properties.id, node);
      if (node.tagName === 'style') styleIds.push(...idsIn(textOf(node)));
    }
    for (const child of node.children) if (child.type !== 'doctype') collect(child);
  };
  collect(root);
  const counts = new Map<Element, number>();
  const count = (node: Root | ElementContent): number => {
    if (node.type === 'root') return sum(node.children.map((child) => (child.type === 'doctype' ? 0 : count(child))));
    if (node.type !== 'element') return 0;
    const known = counts.get(node);
    if (known !== undefined) return known;
    // What refers to itself is drawn once.
    counts.set(node, 0);
    const values = Object.values(node.properties).flatMap((value) => idsIn(String(value)));
    const references = node.properties.className === undefined ? values : [...values, ...styleIds];
    const targets = references.flatMap((id) => byId.get(id) ?? []);
    const total = 1 + sum(node.children.map(count)) + sum(targets.map(count));
    counts.set(node, total);
    return total;
  };
  return count(root);
}

const idsIn = (text: string): string[] => [...text.matchAll(/#([\w.:-]+)/g)].map(([, id = '']) => id);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

function textOf(node: Root | ElementContent): string {
  if (node.type === 'text') return node.value;
  if (node.type !== 'element' && node.type !== 'root') return '';
  return node.children.map((child) => (child.type === 'doctype' ? '' : textOf(child))).join('');
}
