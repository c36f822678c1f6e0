import { ImportFailure } from './failure.ts';
import { fetchBytes } from './fetcher.ts';
import type { Imported } from './imported.ts';
import { type SourceOptions, sourceLimits } from './options.ts';
import { type ImportWork, workHere } from './tasks.ts';

export const importSources = ['website', 'html', 'markdown', 'docx', 'zip'] as const;

/** What a source brings in. Throws ImportFailure with a message for the user. */
export async function importFrom(source: string, url: string, options: SourceOptions = {}): Promise<Imported> {
  const { website, allowPrivate, resolve, signal, work = workHere } = options;
  switch (source) {
    case 'website': {
      const { importWebsite } = await import('./website/website.ts');
      return importWebsite(url, { ...website, allowPrivate, resolve, signal, work });
    }
    case 'html':
      return (await import('./html/html-page.ts')).importHtml(url, options);
    case 'markdown':
      return (await import('./markdown.ts')).importMarkdown(url, options);
    case 'docx': {
      const { fileTitle } = await import('./markdown.ts');
      const fetched = await fetchBytes(url, sourceLimits(options));
      return work('readDocx', { bytes: fetched.bytes, title: fileTitle(fetched.url) });
    }
    case 'zip':
      return importZip((await fetchBytes(url, sourceLimits(options))).bytes, work);
    default:
      throw new ImportFailure(
        'unsupported',
        `Content cannot be imported from ${source}. These sources work: ${importSources.join(', ')}.`,
      );
  }
}

/** Characters of texts that are gone through in one go; each text takes some time for itself. */
const partLength = 100_000;
const textOverhead = 500;

async function importZip(bytes: Uint8Array, work: ImportWork): Promise<Imported> {
  const { imported, files, names } = await work('readZip', bytes);
  for (let from = 0; from < files.length;) {
    const part: { page: number; markdown: string; file: string }[] = [];
    for (let length = 0; from < files.length && length < partLength; from += 1) {
      const { markdown } = imported.pages[from]!;
      const file = files[from]!;
      if (file !== null) part.push({ page: from, markdown, file });
      length += markdown.length + textOverhead;
    }
    const pages = part.map(({ markdown, file }) => ({ markdown, file }));
    const linked = await work('linkZipPages', { pages, names });
    for (const [index, { page }] of part.entries()) imported.pages[page]!.markdown = linked[index]!;
  }
  return imported;
}
