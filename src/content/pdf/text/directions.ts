import bidiFactory from 'bidi-js';

/** The writing directions in a paragraph. */
export interface Directions {
  /** Whether the paragraph starts on the right. */
  isRtl: boolean;
  /** Divides a part of the text where the direction changes. Brackets in text from right to left are mirrored. */
  parts(at: number, text: string): { text: string; level: number }[];
}

const rtl = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFE\u200F\u202B\u202E\u2067\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

export const needsBidi = (text: string) => rtl.test(text);

let bidi: ReturnType<typeof bidiFactory> | undefined;

export function directionsOf(text: string): Directions {
  bidi ??= bidiFactory();
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text);
  const mirrored = bidi.getMirroredCharactersMap(text, levels);
  return {
    isRtl: (paragraphs[0]?.level ?? 0) % 2 === 1,
    parts(at, part) {
      const parts: { text: string; level: number }[] = [];
      for (let from = at, index = at; index < at + part.length; index += 1) {
        if (index + 1 < at + part.length && levels[index + 1] === levels[from]) continue;
        let drawn = '';
        for (let each = from; each <= index; each += 1) drawn += mirrored.get(each) ?? text[each];
        parts.push({ text: drawn, level: levels[from] ?? 0 });
        from = index + 1;
      }
      return parts;
    },
  };
}

/** Whether a text starts on the right. */
export const isRtlText = (text: string): boolean => needsBidi(text) && directionsOf(text).isRtl;
