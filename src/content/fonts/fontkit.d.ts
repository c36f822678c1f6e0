// Members that are missing in the types of fontkit.
import 'fontkit';

declare module 'fontkit' {
  interface Font {
    directory: { tables: Record<string, { offset: number; length: number }> };
  }
  interface Glyph {
    /** In Apple's fonts with images. */
    getImageForSize?(size: number): { type: string; data: Uint8Array } | null;
  }
}
