import { evaluateExpression } from '../../content/blocks/expressions.ts';
import type { FileTarget, LinkTarget, PageSource, RenderedPage } from '../../content/html/page-source.ts';
import { withoutTags } from '../../content/blocks/conditional-text.ts';
import { readMarkdown, rewriteLinks } from '../../content/markdown/markdown.ts';
import { renderPage } from '../../content/html/render-page.ts';
import { readVariables } from '../../content/blocks/variables.ts';
import { mayHideText, visibleText } from '../../content/blocks/visible-text.ts';
import { type SearchedText, searchedText } from '../../shared/search/source.ts';
import { isObject } from '../../shared/is-object.ts';
import { contentSource } from '../../site/content-source.ts';
import { iconElement } from '../../site/icons.ts';
import type { Look } from '../../site/model.ts';
import { textsOf } from '../../site/texts.ts';
import type { PublishedSpec } from './published-openapi.ts';
import { ContentLinks, type LinkedContent } from '../../content/markdown/content-links.ts';

/** What a page contains from files of its space. */
export interface IncludedTexts {
  /** Markdown by the paths in the include blocks. */
  includes: ReadonlyMap<string, string>;
  /** YAML of the space's variables. */
  variables?: string | undefined;
}

/** The text of a page of a published site, with everything that it is rendered from. */
export interface PublishedText {
  markdown: string;
  /** The ID of the page. */
  page: string;
  /** The title of the page, which is shown above the text. */
  title: string;
  space: string;
  content: LinkedContent;
  /** What links show of other pages. */
  pages: { id: string; title: string; description: string | null; icon: string | null; emoji: string | null }[];
  files: (Omit<FileTarget, 'href'> & { id: string })[];
  /** The address before the paths of pages. */
  home: string;
  /** The address of the instance, which serves the files. */
  base: string;
  locale: string;
  icons: Look['icons'];
  /** Specifications that blocks of the text show, by the names used in the blocks. */
  specs: ReadonlyMap<string, PublishedSpec>;
  /** What expressions and conditions can read: `visitor` and `space`. */
  values: Record<string, unknown>;
  included: IncludedTexts;
}

export type PublishedHtml = Pick<RenderedPage, 'html' | 'headings' | 'hasMermaid'>;

export async function renderPublished(text: PublishedText): Promise<PublishedHtml> {
  const { markdown, title, locale } = text;
  const blocks = text.specs.size > 0 ? await import('./published-openapi.ts') : undefined;
  const openapi = await blocks?.blockDrawer(text.specs);
  const { html, headings, hasMermaid } = await renderPage(markdown, sourceOf(text, openapi), {
    title,
    locale,
    diagramNote: textsOf(locale).diagramNote,
  });
  return { html, headings, hasMermaid };
}

/** Links to what readers cannot access have no address. */
function sourceOf(text: PublishedText, openapi: PageSource['openapi']): PageSource {
  const { content, page, home, space, included } = text;
  const paths = new Map(content.pages.map(({ id, path }) => [id, path]));
  const pages = new Map(text.pages.map((each) => [each.id, each]));
  const files = new Map(text.files.map((file) => [file.id, file]));
  // Without the host: only addresses on the page's own host count as part of the site.
  const folder = `${new URL(text.base).pathname.replace(/\/$/, '')}/files`;
  const pageLink = (id: string, anchor: string | undefined): LinkTarget | undefined => {
    const path = paths.get(id);
    if (path === undefined) return undefined;
    const { title, description, icon, emoji } = pages.get(id) ?? {};
    return {
      href: pathAddress(home, path) + (anchor === undefined ? '' : `#${encodeURIComponent(anchor)}`),
      ...(title !== undefined && { title }),
      ...(description && { description }),
      ...(icon && { icon }),
      ...(emoji && { emoji }),
    };
  };
  return contentSource(
    new ContentLinks(content),
    page,
    {
      page: pageLink,
      anchor: (anchor) => pageLink(page, anchor),
      fileHref: (id) => `${folder}/${id}`,
      file: (id) => ({ name: '', ...files.get(id) }),
      external: (url) =>
        /^(?:https?|mailto|tel):/i.test(url) ? { href: url, isExternal: /^https?:/i.test(url) } : undefined,
      reference: (to) =>
        (to.kind === 'page' || to.kind === 'anchor') && to.space === space && to.page !== undefined
          ? pageLink(to.page, to.kind === 'anchor' ? to.anchor : undefined)
          : undefined,
    },
    {
      includes: included.includes,
      evaluate: evaluator(text.markdown, { values: text.values, variables: included.variables }),
      icon: (name) => iconElement(name, text.icons),
      ...(openapi && { openapi }),
    },
  );
}

/** Texts that readers may see in parts. */
export interface ReadableTexts {
  markdowns: string[];
  /** What conditions can read: `visitor` and `space`. */
  values: Record<string, unknown>;
  /** YAML of the space's variables. */
  variables?: string | undefined;
  /** What the IDs in links are replaced by. */
  links?: TextLinks | undefined;
}

/** Where links lead. */
export interface TextLinks {
  content: LinkedContent;
  /** The IDs of the pages whose texts these are; only links with IDs are changed without them. */
  pages?: string[];
  /** The absolute address before the paths of pages. */
  home: string;
  /** The address before the IDs of files. */
  files: string;
}

/** The texts without the parts that the reader may not see, and with absolute addresses. */
export function readableTexts({ markdowns, values, variables, links }: ReadableTexts): string[] {
  const targets = links && new ContentLinks(links.content);
  return markdowns.map((markdown, index) => {
    const text = mayHideText(markdown) ? visibleText(markdown, evaluator(markdown, { values, variables })) : markdown;
    const page = links?.pages?.[index];
    const hasLinks = page === undefined ? namesIds(text) : hasRelativeLinks(text);
    return links && targets && hasLinks ? withAddresses(text, targets, links, page) : text;
  });
}

/** Whether a text may link to pages or files by their IDs. */
export const namesIds = (text: string): boolean => text.includes('/pages/') || text.includes('/files/');

/** Whether a text may have links without a host. */
export const hasRelativeLinks = (text: string): boolean => /\]\(|\]:|(?:href|src)=/.test(text);

function withAddresses(text: string, targets: ContentLinks, links: TextLinks, page: string | undefined): string {
  const { content, home, files } = links;
  const paths = new Map(content.pages.map(({ id, path }) => [id, path]));
  return rewriteLinks(text, (url) => {
    if (page === undefined ? !namesIds(url) : url.startsWith('#')) return url;
    const target = targets.resolve(url, page ?? '');
    if (target.kind === 'file') return files + target.file;
    const path = target.kind === 'page' ? paths.get(target.page) : undefined;
    if (path === undefined || target.kind !== 'page') return url;
    const anchor = target.anchor === undefined ? '' : `#${encodeURIComponent(target.anchor)}`;
    return `${pathAddress(home, path)}.md${anchor}`;
  });
}

export interface SearchedTexts extends ReadableTexts {
  titles: string[];
}

/** A page as the reader can search it. */
export interface VisiblePage extends SearchedText {
  /** JSON of its sections. */
  sections: string;
}

/** The same for search. */
export const visiblePages = ({ titles, ...texts }: SearchedTexts): VisiblePage[] =>
  readableTexts(texts).map((markdown, index) => {
    const sections = readMarkdown(markdown).sections.map((section) => ({
      ...section,
      title: withoutTags(section.title).trim(),
      text: withoutTags(section.text),
    }));
    const page = searchedText({
      title: titles[index] ?? '',
      headings: sections.map(({ title }) => title).join('\n'),
      text: sections.map(({ text }) => text).join('\n'),
    });
    return { ...page, sections: JSON.stringify(sections) };
  });

/** Returns a function that evaluates the expressions and conditions of a text. */
function evaluator(
  markdown: string,
  { values, variables }: Pick<ReadableTexts, 'values' | 'variables'>,
): (expression: string) => unknown {
  let read: { space: unknown; page: unknown } | undefined;
  return (expression) => {
    read ??= readVariables(markdown, variables);
    return evaluateExpression(expression, {
      ...values,
      space: { ...(isObject(values['space']) && values['space']), vars: read.space },
      page: { vars: read.page },
    });
  };
}

export const pathAddress = (home: string, path: string) => home + path.split('/').map(encodeURIComponent).join('/');
