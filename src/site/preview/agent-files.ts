import { tryDecode } from '../../shared/decode.ts';
import { llmsText, withIndexNote } from '../machine-files.ts';
import { hashIn } from '../static/link-documents.ts';
import { linkMarkdown } from '../static/link-markdown.ts';
import { llmsHref, type PreviewFile, type PreviewOutline, type PreviewPage } from './source.ts';

/**
 * The files of a preview for language models, as those of exports: the lists of pages, and each page as Markdown.
 *
 * @param path decoded, without slashes at its ends
 * @param base the address of the preview, without a slash at its end
 */
export async function agentFile(path: string, outline: PreviewOutline, base: string): Promise<PreviewFile | undefined> {
  const name = `/${path}`;
  if (name === llmsHref) return fileOf('text/plain', llmsText(outline.title, listedSections(outline, base)));
  const pages = outline.sections.flatMap((section) => section.pages);
  const textOf = markdownWriter(pages, base);
  if (name !== '/llms-full.txt') {
    const page = pages.find(({ markdownHref }) => tryDecode(markdownHref) === name);
    return page && fileOf('text/markdown', withIndexNote(await textOf(page), base + llmsHref));
  }
  const texts: string[] = [];
  for (const page of pages.filter(({ isListed }) => isListed)) {
    texts.push(`${(await textOf(page)).trimEnd()}\n\nSource: ${base}${page.href}\n`);
  }
  return fileOf('text/plain', texts.join('\n---\n\n'));
}

const listedSections = ({ sections }: PreviewOutline, base: string) =>
  sections.map(({ title, pages }) => ({
    title,
    pages: pages
      .filter(({ isListed }) => isListed)
      .map((page) => ({ ...page, href: base + page.href, markdownHref: base + page.markdownHref })),
  }));

/** Writes pages with absolute links to the Markdown of other pages. */
function markdownWriter(pages: readonly PreviewPage[], base: string): (page: PreviewPage) => Promise<string> {
  const markdownHrefs = new Map(pages.map(({ href, markdownHref }) => [href, markdownHref]));
  const absolute = async (address: string): Promise<string> => {
    const hash = hashIn(address);
    const target = address.slice(0, address.length - hash.length);
    return base + (markdownHrefs.get(target) ?? target) + hash;
  };
  return async (page) => linkMarkdown(await page.markdown(), absolute);
}

const fileOf = (type: string, text: string): PreviewFile => ({
  contentType: `${type}; charset=utf-8`,
  bytes: Buffer.from(text),
});
