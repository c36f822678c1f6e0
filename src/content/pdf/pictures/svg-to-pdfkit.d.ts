declare module 'svg-to-pdfkit' {
  interface Options {
    width?: number;
    height?: number;
    assumePt?: boolean;
    /** @returns the name of a font in the document */
    fontCallback?: (family: string, isBold: boolean, isItalic: boolean) => string;
    /** @returns what the document opens: a data URL or a path */
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
