import { readMarkdown } from '../markdown/markdown.ts';
import { slugify } from '../markdown/slug.ts';
import { contentTypeOf, extensionOf } from '../folder/files.ts';
import { unzip } from './archive.ts';
import { ImportFailure } from './failure.ts';
import { fragmentToMarkdown } from './html/html.ts';
import { type Imported, type ImportedFile, Refs } from './imported.ts';
import { formulaMarks, markFormulas } from './omml.ts';

export interface WordDocument {
  bytes: Uint8Array;
  /** The title of the page if the document has none. */
  title: string;
}

/** Converts a Word document to a page. Its images become files. */
export async function readDocx({ bytes, title }: WordDocument): Promise<Imported> {
  return readParts(await unzip(bytes), title);
}

/** Like `readDocx`, for an unpacked document. */
export async function readParts(unzipped: ReadonlyMap<string, Uint8Array>, usualTitle: string): Promise<Imported> {
  const parts = new Map(unzipped);
  const { default: mammoth } = await import('mammoth');
  const refs = new Refs();
  const files: ImportedFile[] = [];
  const convertImage = mammoth.images.imgElement(async (image) => {
    const content = await image.readAsBuffer();
    const contentType = contentTypeOf('', content);
    const ref = refs.file(`image${extensionOf(contentType)}`);
    files.push({ ref, name: ref, contentType, bytes: content });
    return { src: `./${ref}` };
  });
  let html: string;
  let formulas: string[];
  try {
    formulas = takeFormulas(parts);
    const options = { convertImage, styleMap, externalFileAccess: false };
    ({ value: html } = await mammoth.convertToHtml(unpacked(parts), options));
  } catch (error) {
    // The caller reports stack overflows and invalid string lengths.
    if (error instanceof RangeError) throw error;
    throw new ImportFailure('unreadable', 'The file cannot be read as a Word document (.docx).');
  }
  // Formulas are put in afterwards, because their signs would be escaped.
  const text = fragmentToMarkdown(html).replaceAll(
    formulaMarks,
    (_, index: string) => `$$${formulas[Number(index)] ?? ''}$$`,
  );
  const { title: leading, headings } = readMarkdown(text);
  const title = leading ?? (headings[0]?.text || usualTitle);
  const markdown = leading === undefined ? `# ${title}\n\n${text}` : text;
  return {
    pages: [{ ref: refs.page(slugify(title)), title, slug: slugify(title), markdown, parent: null }],
    files,
    total: 1 + files.length,
  };
}

/** The styles of Word, and of programs that write its files, for what Markdown has. */
const styleMap = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  ...['Code', 'Code Block', 'Source Code', 'HTML Preformatted', 'Preformatted Text', 'macro'].map(
    (name) => `p[style-name='${name}'] => pre:separator('\n')`,
  ),
  ...['HTML Code', 'Verbatim Char', 'Source Text', 'Code Char', 'Inline Code', 'HTML Sample'].map(
    (name) => `r[style-name='${name}'] => code`,
  ),
  ...['Quote', 'Intense Quote', 'Block Text', 'Quotations'].map(
    (name) => `p[style-name='${name}'] => blockquote > p:fresh`,
  ),
  ...['caption', 'Caption', 'Image Caption', 'Table Caption', 'Figure'].map(
    (name) => `p[style-name='${name}'] => p:fresh > em`,
  ),
];

const mainPart = 'word/document.xml';

/** Replaces the formulas of the text by marks. */
function takeFormulas(parts: Map<string, Uint8Array>): string[] {
  const bytes = parts.get(mainPart);
  if (!bytes) return [];
  const { xml, formulas } = markFormulas(Buffer.from(bytes).toString());
  if (formulas.length > 0) parts.set(mainPart, Buffer.from(xml));
  return formulas;
}

/**
 * Passes the unpacked parts to the converter. Its own archive reader has no limits, and can find other parts in a
 * malicious archive.
 */
function unpacked(parts: ReadonlyMap<string, Uint8Array>) {
  const file = {
    exists: (name: string) => parts.has(name),
    async read(name: string, encoding?: string) {
      const bytes = Buffer.from(parts.get(name) ?? '');
      if (encoding === undefined) return bytes;
      return encoding === 'base64' ? bytes.toString('base64') : new TextDecoder(encoding).decode(bytes);
    },
  };
  // This input is undocumented, but the converter turns all others into it.
  return { file } as unknown as { buffer: Buffer };
}
