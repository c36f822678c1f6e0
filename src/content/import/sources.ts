import { ImportFailure } from './failure.ts';
import { fetchBytes } from './fetcher.ts';
import type { Imported, ImportedPage } from './imported.ts';
import { type SourceOptions, sourceLimits } from './options.ts';
import { type ImportWork, workHere } from './tasks.ts';
import { knownWords } from '../../shared/words.ts';

const importSources = knownWords('website html markdown docx zip notion confluence google-docs github-wiki');

/** Imports from a source. @throws ImportFailure with a message for the user */
export async function importFrom(source: string, url: string, options: SourceOptions = {}): Promise<Imported> {
  const { website, allowPrivate, work = workHere, signal } = options;
  switch (source) {
    case 'website': {
      const { importWebsite } = await import('./website/website.ts');
      return importWebsite(url, { ...website, allowPrivate, work, ...(signal && { signal }) });
    }
    case 'html':
      return (await import('./markdown.ts')).importHtml(url, options);
    case 'markdown':
      return (await import('./markdown.ts')).importMarkdown(url, options);
    case 'docx': {
      const { fileTitle } = await import('./markdown.ts');
      const fetched = await fetchBytes(url, sourceLimits(options));
      return work('readDocx', { bytes: fetched.bytes, title: fileTitle(fetched.url) });
    }
    case 'zip':
    case 'notion':
    case 'confluence':
    case 'google-docs':
    case 'github-wiki':
      return importZip((await fetchBytes(url, sourceLimits(options))).bytes, work);
    default:
      throw new ImportFailure(
        'unsupported',
        `Content cannot be imported from ${source}. Supported sources: ${importSources.join(', ')}.`,
      );
  }
}

/** In characters per task. Each text counts some more. */
const partLength = 100_000;
const textOverhead = 500;

async function importZip(bytes: Uint8Array, work: ImportWork): Promise<Imported> {
  const { imported, files, names } = await work('readZip', bytes);
  const linkPages = async (pages: { page: ImportedPage; file: string }[]) => {
    if (pages.length === 0) return;
    const texts = pages.map(({ page, file }) => ({ markdown: page.markdown, file }));
    const linked = await work('linkZipPages', { pages: texts, names });
    for (const [index, { page }] of pages.entries()) page.markdown = linked[index] ?? page.markdown;
  };
  let part: { page: ImportedPage; file: string }[] = [];
  let length = 0;
  for (const [index, page] of imported.pages.entries()) {
    const file = files[index] ?? null;
    if (file !== null) part.push({ page, file });
    length += page.markdown.length + textOverhead;
    if (length < partLength) continue;
    await linkPages(part);
    part = [];
    length = 0;
  }
  await linkPages(part);
  return imported;
}
