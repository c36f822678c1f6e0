export interface TextWidth {
  /** The width in terminal columns. Counting stops above `limit`. */
  widthOf(text: string, limit?: number): number;
  /** The text, cut with … where it is wider than `max`. */
  cut(text: string, max: number): string;
}

const printableAscii = /^[\u0020-\u007e]*$/;

/** Measures and cuts text in terminal columns: wide characters, emoji sequences and combining marks count as drawn. */
export async function loadTextWidth(): Promise<TextWidth> {
  const { default: stringWidth } = await import('string-width');
  const graphemes = new Intl.Segmenter();

  function widthOf(text: string, limit = Number.POSITIVE_INFINITY): number {
    if (printableAscii.test(text)) return text.length;
    let width = 0;
    for (const { segment } of graphemes.segment(text)) {
      width += stringWidth(segment);
      if (width > limit) break;
    }
    return width;
  }

  function cut(text: string, max: number): string {
    if (text.length <= max && printableAscii.test(text)) return text;
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
