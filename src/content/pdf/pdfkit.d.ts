// Members of a document that pdfkit does not describe.
declare namespace PDFKit {
  interface PDFDocument {
    /** The font that is set, with the part of fontkit's fonts that is used here. */
    readonly _font: { font: { hasGlyphForCodePoint(code: number): boolean } };
    /** Holds the sheets in their order. */
    readonly _root: { data: { Pages: { data: { Kids: unknown[] } } } };
  }
}
