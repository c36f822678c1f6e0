import { fetchBytes } from '../fetcher.ts';
import type { Imported } from '../imported.ts';
import { fileTitle, onePage } from '../markdown.ts';
import { type SourceOptions, sourceLimits } from '../options.ts';
import { workHere } from '../tasks.ts';

/** One page from one HTML page. */
export async function importHtml(address: string, options: SourceOptions): Promise<Imported> {
  const { work = workHere } = options;
  const fetched = await fetchBytes(address, { ...sourceLimits(options), accept: 'text/html,*/*;q=0.5' });
  const page = await work('openHtml', { ...fetched, title: fileTitle(fetched.url) });
  return onePage(page, page.title, options);
}
