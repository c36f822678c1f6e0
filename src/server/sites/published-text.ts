import { readMarkdown } from '../../content/markdown/markdown.ts';
import { type Leads, renderHtml } from '../../content/markdown/render-html.ts';
import { type LinkedContent, LocalLinks } from '../content/links/local-links.ts';

/** The text of a page of a published site, with what its links can lead to. */
export interface PublishedText {
  markdown: string;
  page: string;
  /** Of the page; it is shown above the text. */
  title: string;
  space: string;
  content: LinkedContent;
  /** Address before the paths of pages. */
  home: string;
  /** Address of the instance, where its files are. */
  base: string;
}

/** HTML of the text, without its first heading if that repeats the title of the page. */
export function renderPublished(text: PublishedText): string {
  const { markdown, title } = text;
  const { title: textTitle, headings } = readMarkdown(markdown);
  const rendered = renderHtml(markdown, leadsOf(text));
  if (headings[0]?.text !== textTitle || textTitle !== title || !rendered.startsWith('<h1 ')) return rendered;
  const end = rendered.indexOf('</h1>');
  return end < 0 ? rendered : rendered.slice(end + '</h1>'.length);
}

export const pathAddress = (home: string, path: string) => home + path.split('/').map(encodeURIComponent).join('/');

/** Links and pictures get no address where readers have no access to what they lead to. */
function leadsOf({ page, space, content, home, base }: PublishedText): Leads {
  const links = new LocalLinks(content);
  const paths = new Map(content.pages.map(({ id, path }) => [id, path]));
  const toPage = (id: string, anchor: string | undefined) => {
    const path = paths.get(id);
    if (path === undefined) return undefined;
    return pathAddress(home, path) + (anchor === undefined ? '' : `#${encodeURIComponent(anchor)}`);
  };
  return (url, kind) => {
    const target = links.resolve(url, page);
    if (target.kind === 'file') return `${base}/files/${target.file}`;
    // Pictures of other services would show them who reads this page.
    if (kind === 'image') return undefined;
    switch (target.kind) {
      case 'external':
        return /^(?:https?|mailto):/i.test(url) ? url : undefined;
      case 'page':
        return toPage(target.page, target.anchor);
      case 'anchor':
        return toPage(page, target.anchor);
      case 'reference': {
        const { reference } = target;
        if (reference.kind !== 'page' && reference.kind !== 'anchor') return undefined;
        if (reference.space !== space || reference.page === undefined) return undefined;
        return toPage(reference.page, reference.kind === 'anchor' ? reference.anchor : undefined);
      }
      case 'missing':
        return undefined;
    }
  };
}
