// Members of fonts that the types of fontkit lack.
import 'fontkit';

declare module 'fontkit' {
  interface Font {
    directory: { tables: Record<string, { offset: number; length: number }> };
    /** Where the pictures of a font with bitmaps are. */
    CBLC?: {
      sizes: {
        ppemX: number;
        indexSubTableArray: {
          firstGlyphIndex: number;
          lastGlyphIndex: number;
          subtable: { imageFormat: number; imageDataOffset: number; offsetArray?: number[] };
        }[];
      }[];
    };
  }
  interface Glyph {
    /** Of a font with the pictures of Apple. */
    getImageForSize?(size: number): { type: string; data: Uint8Array } | null;
  }
}
