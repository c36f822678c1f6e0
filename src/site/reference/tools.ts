import type { Element, ElementContent } from 'hast';
import { element, text } from '../../content/html/hast.ts';
import type { PageHeading, PageSource } from '../../content/html/page-source.ts';
import { renderFragment } from '../../content/html/render-page.ts';
import { decodeAddress } from '../../shared/decode.ts';
import { type Operation, pathAnchor, type Reference } from '../../openapi/reference/index.ts';
import { colorJson } from './color-json.ts';
import { hasOwnPages, type PageLayout } from './pages.ts';
import { h } from './elements.ts';

/** The addresses of the reference on a page. */
export interface ReferenceAddresses extends PageLayout {
  page(path: string, anchor?: string): string | undefined;
  /** The addresses of the description as files, if readers may download it. */
  description?: Record<'json' | 'yaml', string> | undefined;
}

/** Highlights code. It is loaded in advance, because drawing a page is synchronous. */
export type Highlight = (code: string, language: string) => ElementContent[] | undefined;

/** Limits for Markdown, because long or many texts may take too long to parse. */
const maxMarkdownLength = 60_000;
const maxMarkdownOfPage = 400_000;
const maxColouredLength = 20_000;

/** The tools for drawing the parts of a page. */
export class DrawTools {
  readonly reference: Reference;
  readonly addresses: ReferenceAddresses;
  /** Whether operations have a form that sends them. */
  readonly hasTryIt: boolean;
  readonly headings: PageHeading[] = [];
  /** How many more fields the page may show. */
  fieldsLeft = 4000;
  readonly #highlight: Highlight | undefined;
  readonly #anchors = new Set<string>();
  #markdownLeft = maxMarkdownOfPage;

  constructor(
    reference: Reference,
    addresses: ReferenceAddresses,
    { highlight, hasTryIt = false }: { highlight?: Highlight | undefined; hasTryIt?: boolean | undefined } = {},
  ) {
    this.reference = reference;
    this.addresses = addresses;
    this.#highlight = highlight;
    this.hasTryIt = hasTryIt;
  }

  /** The paragraphs of a description. @param hasHeadings whether its headings become those of the page */
  markdown(markdown: string | undefined, hasHeadings = false): ElementContent[] {
    if (markdown === undefined) return [];
    if (!/[*_`[\]<>#&\\|~{]|\n|:\/\/|^\s*(?:[-+=]|\d+[.)])/.test(markdown)) return [h('p', markdown)];
    this.#markdownLeft -= markdown.length;
    if (markdown.length > maxMarkdownLength || this.#markdownLeft < 0) return plainParagraphs(markdown);
    // Links to parts of the reference and the anchors of headings differ between pages.
    const isSameEverywhere = !hasHeadings && !markdown.includes('#') && this.#highlight !== undefined;
    if (!isSameEverywhere) return this.#rendered(markdown, hasHeadings);
    const kept = descriptions.get(this.reference) ?? new Descriptions();
    descriptions.set(this.reference, kept);
    return kept.get(markdown, () => this.#rendered(markdown, false));
  }

  #rendered(markdown: string, hasHeadings: boolean): ElementContent[] {
    const source = new DescriptionSource(this);
    const { children, headings } = renderFragment(markdown, source, {
      ...(this.#highlight && { highlight: this.#highlight }),
    });
    if (markdown.includes('#')) for (const child of children) linkToReference(child, source);
    if (!hasHeadings) return children.map(withoutHeading);
    this.headings.push(...headings);
    return children;
  }

  code(value: string, language: string, title?: string): Element {
    const coloured = value.length > maxColouredLength ? undefined : this.#coloured(value, language);
    const code = element('code', { className: [`language-${language}`] }, coloured ?? [text(value)]);
    const head = title === undefined ? [] : [h('div.code-title', title)];
    return h('div.code', [...head, element('pre', { tabIndex: 0 }, [code])]);
  }

  #coloured(value: string, language: string): ElementContent[] | undefined {
    return this.#highlight && (language === 'json' ? colorJson(value) : this.#highlight(value, language));
  }

  heading(level: number, title: string, id: string, more: ElementContent[] = []): Element {
    this.headings.push({ id, depth: level, text: title });
    return element(`h${level}`, { id }, [
      text(title),
      ...more,
      element(
        'a',
        { className: ['heading-anchor'], href: `#${encodeURIComponent(id)}`, ariaHidden: 'true', tabIndex: -1 },
        [text('#')],
      ),
    ]);
  }

  /** The anchor that the service gives to an operation, unless the page already has it. */
  addressFor(operation: Operation): string | undefined {
    const anchor = pathAnchor(operation);
    if (anchor === operation.anchor || this.#anchors.has(anchor)) return undefined;
    if (this.headings.some(({ id }) => id === anchor)) return undefined;
    this.#anchors.add(anchor);
    return anchor;
  }

  operationHref(operation: Operation): string | undefined {
    return hasOwnPages(operation.group, this.addresses)
      ? this.addresses.page(`${operation.group.slug}/${operation.anchor}`)
      : this.addresses.page(operation.group.slug, operation.anchor);
  }

  schemaHref(name: string): string | undefined {
    const schema = this.reference.schemas.get(name);
    return schema && this.addresses.page(`schemas/${schema.slug}`);
  }
}

/** Caches descriptions that are the same on every page, such as those of parameters and errors. */
class Descriptions {
  readonly #drawn = new Map<string, ElementContent[]>();
  #left = 1_000_000;

  get(markdown: string, draw: () => ElementContent[]): ElementContent[] {
    const kept = this.#drawn.get(markdown);
    if (kept) return kept;
    const drawn = draw();
    this.#left -= markdown.length;
    if (this.#left > 0) this.#drawn.set(markdown, drawn);
    return drawn;
  }
}

const descriptions = new WeakMap<Reference, Descriptions>();

const plainParagraphs = (markdown: string): ElementContent[] =>
  markdown.split(/\n[ \t]*\n/).map((part) => h('p', part.trim()));

/** Replaces headings within an operation, which would break the outline of the page. */
function withoutHeading(node: ElementContent): ElementContent {
  if (node.type !== 'element' || !/^h[1-6]$/.test(node.tagName)) return node;
  const children = node.children.filter(
    (child) => child.type !== 'element' || child.properties['className']?.toString() !== 'heading-anchor',
  );
  return h('p.api-subtitle', [h('strong', children)]);
}

/** Resolves links that start with `#`. Other programs use them for parts of a reference. */
function linkToReference(node: ElementContent, source: DescriptionSource): void {
  if (node.type !== 'element') return;
  const { href } = node.properties;
  if (node.tagName === 'a' && typeof href === 'string' && href.startsWith('#')) {
    node.properties['href'] = source.link(href)?.href ?? href;
  }
  for (const child of node.children) linkToReference(child, source);
}

/** Resolves links in descriptions to other sites, or to parts of the reference in the syntaxes of other programs. */
class DescriptionSource implements PageSource {
  readonly #tools: DrawTools;

  constructor(tools: DrawTools) {
    this.#tools = tools;
  }

  link(url: string) {
    if (/^(?:https?|mailto|tel):/i.test(url)) return { href: url, isExternal: /^https?:/i.test(url) };
    const inReference = this.#inReference(url);
    if (inReference !== undefined) return { href: inReference };
    return url.startsWith('#') ? { href: url } : undefined;
  }

  file(): undefined {
    return undefined;
  }

  include(): undefined {
    return undefined;
  }

  evaluate(): undefined {
    return undefined;
  }

  #inReference(url: string): string | undefined {
    const { reference, addresses } = this.#tools;
    const [, kind = '', name = ''] =
      /^#\/?(operation|tag|components\/schemas|definitions|schema)\/([^/]+)$/i.exec(url) ?? [];
    const wanted = decodeAddress(name);
    if (kind === 'operation') {
      const operation = reference.operations.find(
        ({ node, anchor }) => node.operationId === wanted || anchor === wanted,
      );
      return operation && this.#tools.operationHref(operation);
    }
    if (kind === 'tag') {
      const plain = (value: string | undefined) => value?.toLowerCase().replaceAll(/[\s-]+/g, '-');
      const group = reference.groups.find(({ tag, slug }) => plain(tag) === plain(wanted) || slug === wanted);
      return group && addresses.page(group.slug);
    }
    return kind === '' ? undefined : this.#tools.schemaHref(wanted);
  }
}
