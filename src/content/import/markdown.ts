import { tryDecode } from '../../shared/decode.ts';
import { slugify } from '../markdown/slug.ts';
import { nameTitle } from '../folder/page-tree.ts';
import { fetchBytes } from './fetcher.ts';
import { fetchImage, fetchImages, usualImageLimits } from './images.ts';
import { type Imported, Refs } from './imported.ts';
import { type SourceOptions, sourceLimits } from './options.ts';
import { type Address, changeKey, type OpenText } from './page-text.ts';
import { workHere } from './tasks.ts';

/** Imports one page from a Markdown file. */
export async function importMarkdown(address: string, options: SourceOptions): Promise<Imported> {
  const page = await openPage('openMarkdown', address, 'text/markdown,text/plain,*/*;q=0.5', options);
  return onePage(page, page.firstTitle, options);
}

/** Imports one page from an HTML page. */
export async function importHtml(address: string, options: SourceOptions): Promise<Imported> {
  const page = await openPage('openHtml', address, 'text/html,*/*;q=0.5', options);
  return onePage(page, page.title, options);
}

async function openPage(
  task: 'openMarkdown' | 'openHtml',
  address: string,
  accept: string,
  options: SourceOptions,
): Promise<OpenText> {
  const { work = workHere } = options;
  const fetched = await fetchBytes(address, { ...sourceLimits(options), accept });
  return work(task, { ...fetched, title: fileTitle(fetched.url) });
}

/** Turns a text into a page. Its images are imported as files. */
async function onePage(page: OpenText, title: string, options: SourceOptions): Promise<Imported> {
  const { work = workHere } = options;
  const refs = new Refs();
  const ref = refs.page(slugify(page.title));
  const limits = sourceLimits(options);
  const fetch = (image: string) => fetchImage(image, { ...limits, maxBytes: usualImageLimits.maxImageBytes });
  const absolute = (address: string) => (page.url && URL.parse(address, page.url)?.href) || address;
  const addresses = page.addresses.map(([address, kind]): Address => [absolute(address), kind]);
  const images = await fetchImages(addresses, refs, fetch, usualImageLimits);
  const changes = new Map(
    page.addresses.flatMap(([url, kind]): [string, string][] => {
      const file = images.refs.get(absolute(url));
      return file === undefined ? [] : [[changeKey(url, kind), `./${file}`]];
    }),
  );
  const markdown = changes.size === 0 ? page.markdown : await work('changeLinks', { text: page.markdown, changes });
  return {
    pages: [
      {
        ref,
        title,
        slug: slugify(page.firstTitle),
        markdown,
        parent: null,
        ...(page.description !== undefined && { description: page.description }),
      },
    ],
    files: images.files,
    total: 1 + images.total,
  };
}

export function fileTitle(url: string): string {
  const name = /^data:/i.test(url) ? '' : (URL.parse(url)?.pathname.split('/').at(-1) ?? '');
  return nameTitle((tryDecode(name) ?? '').replace(/\.\w+$/, ''));
}
