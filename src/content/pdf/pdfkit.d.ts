// Members of a document that the types of pdfkit lack.
declare namespace PDFKit {
  interface PDFDocument {
    /** The current font, with the part of fontkit's fonts that is used here. */
    readonly _font: { font: { hasGlyphForCodePoint(code: number): boolean } };
    /** Contains the sheets in their order. */
    readonly _root: { data: { Pages: { data: { Kids: unknown[] } } } };
  }
}
