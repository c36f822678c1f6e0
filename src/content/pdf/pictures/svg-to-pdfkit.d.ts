declare module 'svg-to-pdfkit' {
  interface Options {
    width?: number;
    height?: number;
    assumePt?: boolean;
    /** @returns the name of a font that the document has */
    fontCallback?: (family: string, isBold: boolean, isItalic: boolean) => string;
    /** @returns what the document opens: a data address, or the path of a file */
    imageCallback?: (link: string) => string;
    warningCallback?: (message: string) => void;
  }

  export default function drawSvg(
    document: PDFKit.PDFDocument,
    svg: string,
    x: number,
    y: number,
    options?: Options,
  ): void;
}
