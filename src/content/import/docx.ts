import { contentTypeOf, extensionOf } from '../files.ts';
import { readMarkdown } from '../markdown.ts';
import { slugify } from '../slug.ts';
import { unzip } from './archive.ts';
import { fetchBytes, ImportFailure } from './fetcher.ts';
import { fragmentToMarkdown } from './html.ts';
import { type Imported, type ImportedFile, Refs } from './imported.ts';
import { fileTitle } from './markdown.ts';
import { type SourceOptions, sourceLimits } from './sources.ts';

/** One page from a Word document, its pictures as files. */
export async function importDocx(address: string, options: SourceOptions): Promise<Imported> {
  const { bytes, url } = await fetchBytes(address, sourceLimits(options));
  return readDocx(bytes, fileTitle(url));
}

export async function readDocx(bytes: Buffer, usualTitle: string): Promise<Imported> {
  // The converter unpacks without limits; what it would unpack is judged first.
  await unzip(bytes);
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
    ({ value: html } = await mammoth.convertToHtml(
      { buffer: bytes },
      { convertImage, styleMap, externalFileAccess: false },
    ));
  } catch {
    throw new ImportFailure('unreadable', 'The file is no Word document (.docx) that can be read.');
  }
  const text = fragmentToMarkdown(html);
  const { title: leading, headings } = readMarkdown(text);
  const title = leading ?? (headings[0]?.text || usualTitle);
  const markdown = leading === undefined ? `# ${title}\n\n${text}` : text;
  return {
    pages: [{ ref: refs.page(slugify(title)), title, slug: slugify(title), markdown, parent: null }],
    files,
    found: 1 + files.length,
  };
}
