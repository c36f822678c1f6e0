import { evaluateExpression } from '../../content/blocks/expressions.ts';
import type { Element } from 'hast';
import type {
  FileTarget,
  IncludedText,
  LinkTarget,
  OpenApiBlock,
  PageSource,
  RenderedPage,
} from '../../content/html/page-source.ts';
import { withoutTags } from '../../content/blocks/conditional-text.ts';
import { readMarkdown } from '../../content/markdown/markdown.ts';
import { renderPage } from '../../content/html/render-page.ts';
import { readVariables } from '../../content/blocks/variables.ts';
import { visibleText } from '../../content/blocks/visible-text.ts';
import { type SearchablePage, searchablePage } from '../../store/search-words.ts';
import { isObject } from '../../shared/is-object.ts';
import { iconElement } from '../../site/icons.ts';
import type { Look } from '../../site/model.ts';
import { textsOf } from '../../site/texts.ts';
import type { DrawBlock, PublishedSpec } from './published-specs.ts';
import { type LinkedContent, ContentLinks, type ContentTarget } from '../../content/markdown/content-links.ts';
import type { IncludedTexts } from './included-texts.ts';

/** What links of a page show of another one. */
export interface LinkedPage {
  id: string;
  title: string;
  description: string | null;
  icon: string | null;
  emoji: string | null;
}

export interface LinkedFile extends Omit<FileTarget, 'href'> {
  id: string;
}

/** The text of a page of a published site, with what its links can lead to. */
export interface PublishedText {
  markdown: string;
  page: string;
  /** Of the page; it is shown above the text. */
  title: string;
  space: string;
  content: LinkedContent;
  pages: LinkedPage[];
  files: LinkedFile[];
  /** Address before the paths of pages. */
  home: string;
  /** Address of the instance, where its files are. */
  base: string;
  locale: string;
  icons: Look['icons'];
  /** Specifications of the organization that blocks of the text show, by the names that these give. */
  specs: ReadonlyMap<string, PublishedSpec>;
  /** What expressions and conditions read: `visitor` and `space`. */
  values: Record<string, unknown>;
  included: IncludedTexts;
}

/** The text as a page of the site shows it. */
export type PublishedHtml = Pick<RenderedPage, 'html' | 'headings' | 'hasMermaid'>;

export async function renderPublished(text: PublishedText): Promise<PublishedHtml> {
  const { markdown, title, locale } = text;
  const blocks = text.specs.size > 0 ? await import('./published-specs.ts') : undefined;
  const drawBlock = await blocks?.blockDrawer(text.specs);
  const source = new PublishedSource(text, drawBlock);
  const { html, headings, hasMermaid } = await renderPage(markdown, source, {
    title,
    locale,
    diagramNote: textsOf(locale).diagramNote,
  });
  return { html, headings, hasMermaid };
}

/** What of a text readers may see, and of what its search shows. */
export interface ReadableTexts {
  markdowns: string[];
  /** What conditions read: `visitor` and `space`. */
  values: Record<string, unknown>;
  /** YAML of the space's variables. */
  variables?: string | undefined;
}

/** The texts with only what the reader may see. */
export const readableTexts = ({ markdowns, values, variables }: ReadableTexts): string[] =>
  markdowns.map((markdown) => visibleText(markdown, evaluator(markdown, { values, variables })));

export interface SearchedTexts extends ReadableTexts {
  titles: string[];
}

/** A page as its reader may search it. */
export interface VisiblePage extends SearchablePage {
  /** JSON of its sections. */
  sections: string;
}

/** The same for the search. */
export const visiblePages = ({ titles, ...texts }: SearchedTexts): VisiblePage[] =>
  readableTexts(texts).map((markdown, index) => {
    const sections = readMarkdown(markdown).sections.map((section) => ({
      ...section,
      title: withoutTags(section.title).trim(),
      text: withoutTags(section.text),
    }));
    const page = searchablePage({
      title: titles[index] ?? '',
      headings: sections.map(({ title }) => title).join('\n'),
      text: sections.map(({ text }) => text).join('\n'),
    });
    return { ...page, sections: JSON.stringify(sections) };
  });

/** Evaluates the expressions and conditions of a text. */
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

/** Links and pictures get no address where readers have no access to what they lead to. */
class PublishedSource implements PageSource {
  readonly #text: PublishedText;
  readonly #links: ContentLinks;
  readonly #paths: Map<string, string>;
  readonly #evaluate: (expression: string) => unknown;
  readonly #drawBlock: DrawBlock | undefined;

  constructor(text: PublishedText, drawBlock: DrawBlock | undefined) {
    this.#text = text;
    this.#drawBlock = drawBlock;
    this.#links = new ContentLinks(text.content);
    this.#paths = new Map(text.content.pages.map(({ id, path }) => [id, path]));
    this.#evaluate = evaluator(text.markdown, { values: text.values, variables: text.included.variables });
  }

  link(url: string): LinkTarget | undefined {
    const { page } = this.#text;
    const target = this.#links.resolve(url, page);
    switch (target.kind) {
      case 'file':
        return { href: this.#fileAddress(target.file) };
      case 'external':
        return /^(?:https?|mailto|tel):/i.test(url) ? { href: url, isExternal: /^https?:/i.test(url) } : undefined;
      case 'page':
        return this.#toPage(target.page, target.anchor);
      case 'anchor':
        return this.#toPage(page, target.anchor);
      case 'reference':
        return this.#toReference(target);
      case 'missing':
        return undefined;
    }
  }

  #toReference({ reference }: Extract<ContentTarget, { kind: 'reference' }>): LinkTarget | undefined {
    if (reference.kind !== 'page' && reference.kind !== 'anchor') return undefined;
    if (reference.space !== this.#text.space || reference.page === undefined) return undefined;
    return this.#toPage(reference.page, reference.kind === 'anchor' ? reference.anchor : undefined);
  }

  #toPage(id: string, anchor: string | undefined): LinkTarget | undefined {
    const path = this.#paths.get(id);
    if (path === undefined) return undefined;
    const href = pathAddress(this.#text.home, path) + (anchor === undefined ? '' : `#${encodeURIComponent(anchor)}`);
    const page = this.#text.pages.find((candidate) => candidate.id === id);
    const { title, description, icon, emoji } = page ?? {};
    return {
      href,
      ...(title !== undefined && { title }),
      ...(description && { description }),
      ...(icon && { icon }),
      ...(emoji && { emoji }),
    };
  }

  file(url: string): FileTarget | undefined {
    const target = this.#links.resolve(url, this.#text.page);
    if (target.kind !== 'file') return undefined;
    const file = this.#text.files.find(({ id }) => id === target.file);
    return { name: '', ...file, href: this.#fileAddress(target.file) };
  }

  /** Without its host: only what is on the page's own host counts as the site's, here and in the browser. */
  #fileAddress(id: string): string {
    return `${new URL(this.#text.base).pathname.replace(/\/$/, '')}/files/${id}`;
  }

  /** Addresses of a reusable text are those of the page: files are found by their names. */
  include(path: string): IncludedText | undefined {
    const markdown = this.#text.included.includes.get(path);
    return markdown === undefined ? undefined : { markdown, source: this };
  }

  evaluate(expression: string): unknown {
    return this.#evaluate(expression);
  }

  openapi(block: OpenApiBlock): Element | undefined {
    return this.#drawBlock?.(block);
  }

  icon(name: string) {
    return iconElement(name, this.#text.icons);
  }
}
