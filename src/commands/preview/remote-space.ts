import type { FileTarget, IncludedText, LinkTarget, PageSource, RenderedPage } from '../../content/html/page-source.ts';
import { textsOf } from '../../site/texts.ts';
import { iconOrPlace } from '../../site/icons.ts';
import type { Look } from '../../site/model.ts';
import { specsIn } from '../../content/blocks/specs.ts';
import { readIncludes } from '../../content/blocks/includes.ts';
import { addressOf } from '../../content/markdown/references.ts';
import type { DocumentPage, Page } from '../../contract/pages.ts';
import { withoutUndefined } from '../../shared/without-undefined.ts';
import { pagesById, type PlacedPage } from '../../change-requests/compare-content.ts';
import type { Side } from '../../change-requests/read-sides.ts';
import type { RemoteContent, RemoteReference } from './remote-content.ts';
import { ownPath } from '../../site/own-path.ts';
import { descriptionId } from './remote-specs.ts';

export interface SpaceAddresses {
  /** Before the paths of its pages, without slashes at its ends; "" at the root. */
  address: string;
  icons?: Look['icons'];
  locale?: string;
  /** Where a page of another space, a user and so on can be seen. */
  elsewhere(address: string): string | undefined;
}

/** What a page takes from files of its content. */
interface PageText {
  includes: ReadonlyMap<string, string>;
  evaluate(expression: string): unknown;
}

const noText: PageText = { includes: new Map(), evaluate: () => undefined };

/** One content of a space, as it was read from the service: texts are read when they are asked for. */
export class RemoteSpace {
  readonly side: Side;
  readonly placed: Map<string, PlacedPage>;
  readonly references: RemoteContent['references'];
  readonly #content: RemoteContent;
  readonly #addresses: SpaceAddresses;
  readonly #files: ReadonlyMap<string, { name: string; contentType: string; size: number }>;
  readonly #byPath = new Map<string, DocumentPage>();
  readonly #first: DocumentPage | undefined;
  readonly #rendered = new Map<string, Promise<RenderedPage>>();
  readonly #texts = new Map<string, Promise<string>>();

  constructor(content: RemoteContent, addresses: SpaceAddresses) {
    const { side, references } = content;
    this.side = side;
    this.references = references;
    this.#content = content;
    this.#addresses = addresses;
    this.placed = pagesById(side.revision.pages);
    for (const { page } of this.placed.values()) if (page.type === 'document') this.#byPath.set(page.path, page);
    this.#first = firstOf(side.revision.pages);
    this.#files = new Map(side.revision.files.map((file) => [file.id, file]));
  }

  get first(): DocumentPage | undefined {
    return this.#first;
  }

  /** @param path below the address of the space */
  pageAt(path: string): DocumentPage | undefined {
    return path === '' ? this.#first : this.#byPath.get(path);
  }

  hrefOf(page: DocumentPage, anchor = ''): string {
    const path = page === this.#first ? '' : page.path;
    const whole = [this.#addresses.address, path].filter(Boolean).join('/');
    return `/${whole.split('/').map(encodeURIComponent).join('/')}${anchor === '' ? '' : `#${encodeURIComponent(anchor)}`}`;
  }

  /** Where an entry of the table of contents leads that is a link. */
  linkOf(page: Extract<Page, { type: 'link' }>): string | undefined {
    return page.href ?? this.source('').link(addressOf(page.target))?.href;
  }

  /** The pages above a page, from the outermost. */
  ancestorsOf(id: string): Page[] {
    const above: Page[] = [];
    for (let parent = this.placed.get(id)?.parent; parent !== undefined; parent = this.placed.get(parent)?.parent) {
      const page = this.placed.get(parent)?.page;
      if (page) above.unshift(page);
    }
    return above;
  }

  /** Whether a page is kept out of lists, by itself or by what it is in. */
  isMarked(page: DocumentPage, flag: 'hidden' | 'noIndex' | 'noRobotsIndex'): boolean {
    return [page, ...this.ancestorsOf(page.id)].some(
      (each) => flag in each && Object.entries(each).some(([name, value]) => name === flag && value === true),
    );
  }

  /** The picture above a page, where it is a file of its content: those of other hosts are not shown. */
  coverOf({ cover }: DocumentPage): string | undefined {
    return cover?.ref.kind === 'file' ? this.#fileHref(cover.ref.file) : undefined;
  }

  /** Documents that the table of contents has, in its order. */
  get listed(): DocumentPage[] {
    return [...this.placed.values()].flatMap(({ page }) =>
      page.type === 'document' && !page.hidden && !this.ancestorsOf(page.id).some(isHidden) ? [page] : [],
    );
  }

  /** The text of a page; a revision never changes, so each is rendered once. */
  render(page: DocumentPage): Promise<RenderedPage> {
    const known = this.#rendered.get(page.id);
    if (known) return known;
    const rendered = this.#render(page);
    this.#rendered.set(page.id, rendered);
    // What failed may work the next time.
    rendered.catch(() => this.#rendered.delete(page.id));
    return rendered;
  }

  /** Drops what was read and rendered of a page. */
  forget(page: DocumentPage): void {
    this.#texts.delete(page.id);
    this.#rendered.delete(page.id);
  }

  /** Markdown of a page, without its title where it is one of a reference. */
  textOf(page: DocumentPage): Promise<string> {
    const reference = this.references.get(page.id);
    if (reference) return markdownOf(reference);
    if (page.documentId === undefined) return Promise.resolve('');
    const text = this.#texts.get(page.id) ?? this.side.textOf(page.id);
    this.#texts.set(page.id, text);
    text.catch(() => this.#texts.delete(page.id));
    return text;
  }

  /** @param text of the page, with what it includes */
  source(pageId: string, text: PageText = noText): PageSource {
    const source: PageSource = {
      link: (url) => this.#link(url, pageId),
      file: (url) => this.#file(url, pageId),
      include(path): IncludedText | undefined {
        const markdown = text.includes.get(path);
        return markdown === undefined ? undefined : { markdown, source };
      },
      evaluate: (expression) => text.evaluate(expression),
      openapi: (block) => this.#content.specs.draw(block),
      icon: (name) => iconOrPlace(name, this.#addresses.icons ?? 'regular'),
    };
    return source;
  }

  async #render(page: DocumentPage): Promise<RenderedPage> {
    const reference = this.references.get(page.id);
    if (reference) return this.#renderReference(reference);
    const { renderPage } = await import('../../content/html/render-page.ts');
    const markdown = await this.textOf(page);
    const text = await this.#read(page, markdown);
    await this.#content.specs.load([markdown, ...text.includes.values()].flatMap(specsIn));
    const { locale = 'en' } = this.#addresses;
    const { diagramNote } = textsOf(locale);
    return renderPage(markdown, this.source(page.id, text), { title: page.title, locale, diagramNote });
  }

  async #renderReference({ reference, request, page, ids }: RemoteReference): Promise<RenderedPage> {
    const { drawReferencePage, findReferencePage } = await import('../../site/reference/index.ts');
    const { renderedReference } = await import('../../site/reference/rendered.ts');
    const wanted = findReferencePage(reference, page.path, request);
    if (!wanted) throw new Error(`The specification ${request.spec} has no page ${page.path}.`);
    const drawn = await drawReferencePage(reference, wanted, {
      hasPagePerOperation: request.hasPagePerOperation,
      description: request.hasDownload ? descriptionHref(request.spec) : undefined,
      page: (path, anchor) => {
        const target = this.placed.get(ids.get(path) ?? '')?.page;
        return target?.type === 'document' ? this.hrefOf(target, anchor) : undefined;
      },
    });
    return renderedReference(drawn, request.spec);
  }

  /** What a page takes from files of its content, and what expressions in it read. */
  async #read({ id, title, path }: DocumentPage, markdown: string): Promise<PageText> {
    const { evaluateExpression } = await import('../../content/blocks/expressions.ts');
    const { readVariables } = await import('../../content/blocks/variables.ts');
    const { links, fileText, variables } = this.#content;
    const includes = await readIncludes(markdown, async (address) => {
      const target = links.resolve(address, id);
      return target.kind === 'file' ? fileText(target.file) : undefined;
    });
    const { space, page } = readVariables(markdown, variables);
    const values = {
      space: { vars: space },
      page: { title, path, vars: page },
      visitor: { claims: { unsigned: {} } },
    };
    return { includes, evaluate: (expression) => evaluateExpression(expression, values) };
  }

  #link(url: string, from: string): LinkTarget | undefined {
    const target = this.#content.links.resolve(url, from);
    switch (target.kind) {
      case 'external':
        return { href: target.url, isExternal: true };
      case 'anchor':
        return { href: `#${encodeURIComponent(target.anchor)}` };
      case 'page': {
        const page = this.placed.get(target.page)?.page;
        if (page?.type !== 'document') return undefined;
        const { title, description, icon, emoji } = page;
        return { href: this.hrefOf(page, target.anchor), title, ...withoutUndefined({ description, icon, emoji }) };
      }
      case 'file':
        return { href: this.#fileHref(target.file) };
      case 'reference': {
        const href = this.#addresses.elsewhere(addressOf(target.reference));
        return href === undefined ? undefined : { href, ...(href.startsWith('/') ? {} : { isExternal: true }) };
      }
      case 'missing':
        return undefined;
    }
  }

  /** With the name at its end: it says of what kind the file is. */
  #fileHref(id: string): string {
    return `${ownPath}files/${encodeURIComponent(id)}/${encodeURIComponent(this.#files.get(id)?.name ?? id)}`;
  }

  #file(url: string, from: string): FileTarget | undefined {
    const target = this.#content.links.resolve(url, from);
    const file = target.kind === 'file' ? this.#files.get(target.file) : undefined;
    if (target.kind !== 'file' || !file) return undefined;
    const { name, contentType, size } = file;
    return { href: this.#fileHref(target.file), name, contentType, size };
  }
}

/** Where the bytes of `RemoteFiles` are that `addDescription` made. */
const descriptionHref = (spec: string) =>
  `${ownPath}files/${encodeURIComponent(descriptionId(spec))}/${encodeURIComponent(spec)}.json`;

async function markdownOf({ reference, request, page }: RemoteReference): Promise<string> {
  const { referenceMarkdown } = await import('../../site/reference/mounted.ts');
  return referenceMarkdown(reference, page.path, request);
}

const isHidden = (page: Page): boolean => 'hidden' in page && page.hidden === true;

function firstOf(pages: readonly Page[]): DocumentPage | undefined {
  for (const page of pages) {
    if (page.type === 'document') return page;
    const below = 'pages' in page ? firstOf(page.pages) : undefined;
    if (below) return below;
  }
  return undefined;
}
