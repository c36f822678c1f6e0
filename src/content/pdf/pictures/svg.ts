import type { Element, ElementContent } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import drawSvg from 'svg-to-pdfkit';
import { childrenOf, textIn } from '../../html/hast.ts';
import type { Fonts } from '../text/fonts.ts';
import type { ReadyImage } from './ready-image.ts';
import { isSound } from './sound-png.ts';

/** Larger drawings are maps and scans, which take too much time and space. */
const maxCharacters = 2_000_000;
/** Drawn elements. Referenced elements count each time. */
const maxDrawn = 100_000;

interface Size {
  width: number;
  height: number;
}

/**
 * Returns a function that draws an SVG. Undefined if the SVG is too large, or repeats its parts too often.
 *
 * @param size of the drawing, in its own pixels
 */
export function drawingOf(
  svg: string,
  size: Size,
  document: PDFKit.PDFDocument,
  fonts: Fonts,
): ReadyImage['draw'] | undefined {
  if (svg.length > maxCharacters) return undefined;
  const root = fromHtml(svg, { fragment: true, space: 'svg' });
  if (countDrawn(childrenOf(root)) > maxDrawn) return undefined;
  const text = textIn(root);
  const options = {
    ...size,
    assumePt: true,
    fontCallback: (family: string, isBold: boolean, isItalic: boolean) =>
      fonts.nameFor({ text, bold: isBold, italic: isItalic, code: /mono|courier|consolas/i.test(family) }),
    // Only embedded images: other addresses would be files on this machine.
    imageCallback: (link: string) => (isSoundData(link) ? link : ''),
    warningCallback: () => {},
  };
  return (x, y, width, height) => {
    // The library draws the SVG in its own size.
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

/** The number of drawn elements. Parts of a drawing can refer to each other, so that a few lines draw millions. */
function countDrawn(top: readonly ElementContent[]): number {
  const byId = new Map<string, Element>();
  const styleIds: string[] = [];
  const collect = (node: ElementContent) => {
    if (node.type !== 'element') return;
    if (typeof node.properties.id === 'string') byId.set(node.properties.id, node);
    if (node.tagName === 'style') styleIds.push(...idsIn(textIn(node)));
    node.children.forEach(collect);
  };
  top.forEach(collect);
  const counts = new Map<Element, number>();
  const countAll = (nodes: readonly ElementContent[]): number => nodes.reduce((total, node) => total + count(node), 0);
  const count = (node: ElementContent): number => {
    if (node.type !== 'element') return 0;
    const counted = counts.get(node);
    if (counted !== undefined) return counted;
    // An element that refers to itself is drawn once.
    counts.set(node, 0);
    const values = Object.values(node.properties).flatMap((value) => idsIn(String(value)));
    const references = node.properties.className === undefined ? values : [...values, ...styleIds];
    const total = 1 + countAll(node.children) + countAll(references.flatMap((id) => byId.get(id) ?? []));
    counts.set(node, total);
    return total;
  };
  return countAll(top);
}

const idsIn = (text: string): string[] => [...text.matchAll(/#([\w.:-]+)/g)].map(([, id = '']) => id);
