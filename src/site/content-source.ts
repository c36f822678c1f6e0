import type { FileTarget, LinkTarget, PageSource } from '../content/html/page-source.ts';
import type { ContentLinks, ContentTarget } from '../content/markdown/content-links.ts';

type Target<Kind extends ContentTarget['kind']> = Extract<ContentTarget, { kind: Kind }>;

/** The addresses on one page of a space. */
export interface ContentAddresses {
  page(id: string, anchor: string | undefined): LinkTarget | undefined;
  /** A place on the page itself. */
  anchor(anchor: string): LinkTarget | undefined;
  fileHref(id: string): string;
  file(id: string): Omit<FileTarget, 'href'> | undefined;
  external(url: string): LinkTarget | undefined;
  /** Something outside the space. */
  reference(reference: Target<'reference'>['reference']): LinkTarget | undefined;
}

/** What a page uses besides its own text. */
export interface PageContext extends Pick<PageSource, 'evaluate' | 'openapi' | 'icon'> {
  /** Markdown by the paths in the include blocks. */
  includes: ReadonlyMap<string, string>;
}

/** The source of a page whose links lead to the pages and files of its space. @param page the ID of the page */
export function contentSource(
  links: ContentLinks,
  page: string,
  addresses: ContentAddresses,
  { includes, ...context }: PageContext,
): PageSource {
  const source: PageSource = {
    ...context,
    link(url) {
      const target = links.resolve(url, page);
      switch (target.kind) {
        case 'page':
          return addresses.page(target.page, target.anchor);
        case 'anchor':
          return addresses.anchor(target.anchor);
        case 'file':
          return { href: addresses.fileHref(target.file) };
        case 'external':
          return addresses.external(target.url);
        case 'reference':
          return addresses.reference(target.reference);
        case 'missing':
          return undefined;
      }
    },
    file(url) {
      const target = links.resolve(url, page);
      const file = target.kind === 'file' ? addresses.file(target.file) : undefined;
      return target.kind === 'file' && file ? { ...file, href: addresses.fileHref(target.file) } : undefined;
    },
    // Links in included texts are relative to the page, because files are found by their names.
    include(path) {
      const markdown = includes.get(path);
      return markdown === undefined ? undefined : { markdown, source };
    },
  };
  return source;
}
