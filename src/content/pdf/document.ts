import PDFDocument from 'pdfkit';
import { page } from './paper.ts';

/** An empty document without sheets. */
export function createDocument({
  title,
  author,
  language,
  date = new Date(),
}: {
  title: string;
  author?: string;
  language: string;
  date?: Date;
}): PDFKit.PDFDocument {
  const document = new PDFDocument({
    // No font at first: the built-in Helvetica has only Western European letters, and its files would have to be
    // shipped.
    font: '',
    size: 'A4',
    margins: page.margins,
    autoFirstPage: false,
    pdfVersion: '1.7',
    tagged: true,
    lang: language,
    displayTitle: true,
    info: { Title: title, Creator: 'docsctl', Producer: 'docsctl', CreationDate: date },
  });
  const texts = { Title: title, ...(author === undefined ? {} : { Author: author }) };
  for (const [name, text] of Object.entries(texts)) Object.assign(document.info, { [name]: new XmlText(text) });
  return document;
}

/** The library writes these texts into XML as they are. */
class XmlText extends String {
  override toString(): string {
    return this.valueOf().replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  }
}
