import { nameTitle } from '../folder.ts';
import { readMarkdown, rewriteLinks } from '../markdown.ts';
import { slugify } from '../slug.ts';
import { decodeText, fetchBytes } from './fetcher.ts';
import { fetchImage, fetchImages, usualImageLimits } from './images.ts';
import { type Imported, Refs } from './imported.ts';
import { type SourceOptions, sourceLimits } from './sources.ts';

/** One page from a Markdown file. */
export async function importMarkdown(address: string, options: SourceOptions): Promise<Imported> {
  const limits = sourceLimits(options);
  const { bytes, contentType, url } = await fetchBytes(address, {
    ...limits,
    accept: 'text/markdown,text/plain,*/*;q=0.5',
  });
  return onePage(decodeText(bytes, contentType || 'text/plain'), url, fileTitle(url), options);
}

/** The page of a text that stood at an address: links lead where they led from there, images come in as files. */
export async function onePage(
  text: string,
  url: string,
  usualTitle: string,
  options: SourceOptions,
): Promise<Imported> {
  const absolute = /^https?:/i.test(url)
    ? rewriteLinks(text, (link) => (link.startsWith('#') ? link : (URL.parse(link, url)?.href ?? link)))
    : text;
  const { title = usualTitle, headings, frontMatter } = readMarkdown(absolute);
  const refs = new Refs();
  const ref = refs.page(slugify(title));
  const limits = sourceLimits(options);
  const fetch = (image: string) => fetchImage(image, { ...limits, maxBytes: usualImageLimits.maxImageBytes });
  const images = await fetchImages([absolute], refs, fetch, usualImageLimits);
  const markdown = rewriteLinks(absolute, (link) => (images.refs.has(link) ? `./${images.refs.get(link)}` : link));
  // The first heading is the title wherever it stands.
  const own = frontMatter['title'] === undefined && headings[0] ? headings[0].text || title : title;
  const { description } = frontMatter;
  return {
    pages: [
      {
        ref,
        title: own,
        slug: slugify(own),
        markdown,
        parent: null,
        ...(typeof description === 'string' && { description }),
      },
    ],
    files: images.files,
    found: 1 + images.found,
  };
}

export function fileTitle(url: string): string {
  const name = /^data:/i.test(url) ? '' : (URL.parse(url)?.pathname.split('/').at(-1) ?? '');
  try {
    return nameTitle(decodeURIComponent(name).replace(/\.\w+$/, ''));
  } catch {
    return 'Untitled';
  }
}
