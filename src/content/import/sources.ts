import { type FetchLimits, ImportFailure } from './fetcher.ts';
import type { Imported } from './imported.ts';
import type { WebsiteOptions } from './website.ts';

export interface SourceOptions {
  /** Lets the import reach loopback, private and link-local networks. */
  allowPrivate?: FetchLimits['allowPrivate'];
  resolve?: FetchLimits['resolve'];
  signal?: AbortSignal;
  maxBytes?: number;
  timeoutMs?: number;
  /** Of `website`: pages, depth, time and so on. */
  website?: Omit<WebsiteOptions, 'allowPrivate' | 'resolve' | 'signal'>;
}

export const importSources = ['website', 'html', 'markdown', 'docx', 'zip'] as const;

/** What a source brings in. Throws ImportFailure with a message for the user. */
export async function importFrom(source: string, url: string, options: SourceOptions = {}): Promise<Imported> {
  switch (source) {
    case 'website': {
      const { importWebsite } = await import('./website.ts');
      const { website, allowPrivate, resolve, signal } = options;
      return importWebsite(url, { ...website, allowPrivate, resolve, signal });
    }
    case 'html':
      return (await import('./html-page.ts')).importHtml(url, options);
    case 'markdown':
      return (await import('./markdown.ts')).importMarkdown(url, options);
    case 'docx':
      return (await import('./docx.ts')).importDocx(url, options);
    case 'zip':
      return (await import('./zip.ts')).importZip(url, options);
    default:
      throw new ImportFailure(
        'unsupported',
        `Content cannot be imported from ${source}. These sources work: ${importSources.join(', ')}.`,
      );
  }
}

/** Limits of the sources that are one file. */
export function sourceLimits({ allowPrivate, resolve, signal, maxBytes, timeoutMs }: SourceOptions): FetchLimits {
  return {
    maxBytes: maxBytes ?? 50_000_000,
    timeoutMs: timeoutMs ?? 60_000,
    allowPrivate,
    resolve,
    signal,
    data: true,
  };
}
