export interface TextWidth {
  /** The width in terminal columns. Counting stops above `limit`. */
  widthOf(text: string, limit?: number): number;
  /** The text, cut with … if it is wider than `max`. */
  cut(text: string, max: number): string;
}

const printableAscii = /^[\u0020-\u007e]*$/;

// Of Latin, Greek and Cyrillic letters, dashes, quotes and the lines of trees, each is one column; of Japanese, Chinese and
// Korean ones two. None of them joins with others. The segmenter takes memory for each text that is freed late: 400 MB for
// a tree of 100,000 rows.
const separate =
  /^[\u0020-\u007e\u00c0-\u024f\u0391-\u03ff\u0400-\u0481\u2010-\u2027\u2500-\u257f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$/;
const wideCharacters = /[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]/g;

const widthOfSeparate = (text: string) => text.length + (text.match(wideCharacters)?.length ?? 0);

/** Measures and cuts text in terminal columns: wide characters, emoji sequences and combining marks count as drawn. */
export async function loadTextWidth(): Promise<TextWidth> {
  const { default: stringWidth } = await import('string-width');
  const graphemes = new Intl.Segmenter();

  function widthOf(text: string, limit = Number.POSITIVE_INFINITY): number {
    if (printableAscii.test(text)) return text.length;
    if (separate.test(text)) return widthOfSeparate(text);
    let width = 0;
    for (const { segment } of graphemes.segment(text)) {
      width += stringWidth(segment);
      if (width > limit) break;
    }
    return width;
  }

  function cut(text: string, max: number): string {
    if (text.length <= max && printableAscii.test(text)) return text;
    if (separate.test(text) && widthOfSeparate(text) <= max) return text;
    let width = 0;
    let end = 0;
    for (const { segment, index } of graphemes.segment(text)) {
      width += stringWidth(segment);
      if (width > max) return max > 0 ? `${text.slice(0, end)}…` : '';
      if (width <= max - 1) end = index + segment.length;
    }
    return text;
  }

  return { widthOf, cut };
}
