// Members that are missing in the types of pdfkit.
declare namespace PDFKit {
  interface PDFDocument {
    /** The current font. */
    readonly _font: EmbeddedFont;
    /** The sheets in order. */
    readonly _root: { data: { Pages: { data: { Kids: unknown[] } } } };
    getStructParentTree(): { _items: Record<number, unknown> };
    addContent(operators: string): this;
    openImage(src: Uint8Array): PDFImage;
  }

  interface PDFPage {
    readonly fonts: Record<string, unknown>;
  }

  interface EmbeddedFont {
    readonly id: string;
    readonly font: import('fontkit').Font;
    /** Thousandths of the size per font unit. */
    readonly scale: number;
    readonly subset: { includeGlyph(glyph: number): number };
    /** By the glyph in the subset. */
    readonly widths: number[];
    readonly unicode: number[][];
    ref(): unknown;
  }

  interface PDFImage {
    readonly width: number;
    readonly height: number;
    readonly orientation?: number;
    /** The unpacked form of a PNG, until it is in the document. */
    readonly image?: unknown;
    /** Starts to write it into the document. */
    embed(document: PDFDocument): void;
  }

  interface PDFKitReference {
    /** The operators of a sheet that is not written, yet. */
    buffer: Uint8Array[];
  }
}

declare namespace PDFKit.Mixins {
  interface AnnotationOption {
    structParent?: PDFStructureElement;
  }

  interface PDFImage {
    image(src: PDFKit.PDFImage, x: number, y: number, options: ImageOption): this;
  }

  interface PDFFont {
    registerFont(name: string, font: import('fontkit').Font): this;
  }
}
