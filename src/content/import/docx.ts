import { readMarkdown } from '../markdown/markdown.ts';
import { slugify } from '../markdown/slug.ts';
import { contentTypeOf, extensionOf } from '../folder/files.ts';
import { unzip } from './archive.ts';
import { ImportFailure } from './failure.ts';
import { fragmentToMarkdown } from './html/html.ts';
import { type Imported, type ImportedFile, Refs } from './imported.ts';

export interface WordDocument {
  bytes: Uint8Array;
  /** The title of the page if the document has none. */
  title: string;
}

/** Converts a Word document to a page. Its images become files. */
export async function readDocx({ bytes, title: usualTitle }: WordDocument): Promise<Imported> {
  const parts = await unzip(bytes);
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
  try {
    const styleMap = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"];
    const options = { convertImage, styleMap, externalFileAccess: false };
    ({ value: html } = await mammoth.convertToHtml(unpacked(parts), options));
  } catch (error) {
    // The caller reports stack overflows and invalid string lengths.
    if (error instanceof RangeError) throw error;
    throw new ImportFailure('unreadable', 'The file cannot be read as a Word document (.docx).');
  }
  const text = fragmentToMarkdown(html);
  const { title: leading, headings } = readMarkdown(text);
  const title = leading ?? (headings[0]?.text || usualTitle);
  const markdown = leading === undefined ? `# ${title}\n\n${text}` : text;
  return {
    pages: [{ ref: refs.page(slugify(title)), title, slug: slugify(title), markdown, parent: null }],
    files,
    total: 1 + files.length,
  };
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
