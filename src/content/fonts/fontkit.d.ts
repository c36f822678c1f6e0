// Members of fonts that the types of fontkit lack.
import 'fontkit';

declare module 'fontkit' {
  interface Font {
    directory: { tables: Record<string, { offset: number; length: number }> };
  }
  interface Glyph {
    /** Of a font with the pictures of Apple. */
    getImageForSize?(size: number): { type: string; data: Uint8Array } | null;
  }
}
