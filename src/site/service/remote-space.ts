import type { LinkTarget, PageSource, RenderedPage } from '../../content/html/page-source.ts';
import { Contents, type ContentsPage } from '../contents.ts';
import { contentSource, type PageContext } from '../content-source.ts';
import { editAddress, type GitSync } from '../edit-link.ts';
import { textsOf } from '../texts.ts';
import { iconOrPlace } from '../icons.ts';
import type { Look } from '../model.ts';
import { specsIn } from '../../content/blocks/specs.ts';
import { readIncludes } from '../../content/blocks/includes.ts';
import { addressOf } from '../../content/markdown/references.ts';
import type { DocumentPage, Page } from '../../contract/pages.ts';
import { withoutUndefined } from '../../shared/without-undefined.ts';
import { pagesById, type PlacedPage } from '../../change-requests/compare-content.ts';
import type { Side } from '../../change-requests/read-sides.ts';
import type { RemoteContent, RemoteReference } from './remote-content.ts';
import { ownPath } from '../own-files.ts';
import { siteMarkdown, type SiteMarkdown } from '../static/link-markdown.ts';
import { descriptionId } from './remote-specs.ts';

export interface SpaceAddresses {
  /** The part before the paths of its pages, without slashes at its ends; "" at the root. */
  address: string;
  icons?: Look['icons'];
  locale?: string;
  /** The repository of the space. */
  gitSync?: GitSync | undefined;
  /** Whether the address of the first page has its path, too. */
  namesFirst?: boolean;
  /** The address of a file, if the preview does not serve it. */
  fileHref?(id: string, file: { downloadURL: string } | undefined): string | undefined;
  /** The address of something outside the space, such as a page of another space or a user. */
  elsewhere(address: string): string | undefined;
}

/** An entry of the contents of a space of the service. */
export interface RemoteEntry extends ContentsPage {
  page: Page;
}

const noContext: PageContext = { includes: new Map(), evaluate: () => undefined };

/** A content of a space on the service. It reads texts on demand. */
export class RemoteSpace {
  readonly side: Side;
  readonly placed: Map<string, PlacedPage>;
  readonly references: RemoteContent['references'];
  readonly contents: Contents<RemoteEntry>;
  readonly #content: RemoteContent;
  readonly #addresses: SpaceAddresses;
  readonly #files: ReadonlyMap<string, Side['revision']['files'][number]>;
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
    this.contents = new Contents([...this.placed].flatMap(([key, placed]) => this.#entryOf(key, placed) ?? []));
  }

  get first(): DocumentPage | undefined {
    return this.#first;
  }

  /** @param path below the address of the space */
  pageAt(path: string): DocumentPage | undefined {
    return path === '' ? this.#first : this.#byPath.get(path);
  }

  hrefOf(page: DocumentPage, anchor = ''): string {
    const path = page === this.#first && !this.#addresses.namesFirst ? '' : page.path;
    const whole = [this.#addresses.address, path].filter(Boolean).join('/');
    return `/${whole.split('/').map(encodeURIComponent).join('/')}${anchor === '' ? '' : `#${encodeURIComponent(anchor)}`}`;
  }

  /** The address of an entry that is a document. */
  readonly hrefOfEntry = ({ page }: RemoteEntry, anchor?: string): string =>
    page.type === 'document' ? this.hrefOf(page, anchor) : '';

  /** The cover of a page, if it is a file of the content. Pictures of other hosts are not shown. */
  coverOf({ cover }: DocumentPage): string | undefined {
    return cover?.ref.kind === 'file' ? this.#fileHref(cover.ref.file) : undefined;
  }

  /** Where the source of a page can be edited. */
  editHrefOf({ git }: DocumentPage): string | undefined {
    return editAddress(this.#addresses.gitSync, git?.path);
  }

  /** The rendered page. Each page is rendered once, because revisions never change. */
  render(page: DocumentPage): Promise<RenderedPage> {
    const known = this.#rendered.get(page.id);
    if (known) return known;
    const rendered = this.#render(page);
    this.#rendered.set(page.id, rendered);
    // A failed request may succeed the next time.
    rendered.catch(() => this.#rendered.delete(page.id));
    return rendered;
  }

  /** Drops the cached text and rendering of a page. */
  forget(page: DocumentPage): void {
    this.#texts.delete(page.id);
    this.#rendered.delete(page.id);
  }

  /** The Markdown of a page. Pages of references have no title in it. */
  textOf(page: DocumentPage): Promise<string> {
    const reference = this.references.get(page.id);
    if (reference) return markdownOf(reference);
    if (page.documentId === undefined) return Promise.resolve('');
    const text = this.#texts.get(page.id) ?? this.side.textOf(page.id);
    this.#texts.set(page.id, text);
    text.catch(() => this.#texts.delete(page.id));
    return text;
  }

  /** A page as Markdown, with its title and the addresses of the site. */
  async markdownOf(page: DocumentPage): Promise<SiteMarkdown> {
    const source = this.references.has(page.id) ? undefined : this.source(page.id);
    return siteMarkdown(page, await this.textOf(page), source);
  }

  source(pageId: string, context = noContext): PageSource {
    const { specs, links } = this.#content;
    const icons = this.#addresses.icons ?? 'regular';
    return contentSource(
      links,
      pageId,
      {
        page: (id, anchor) => this.#pageLink(id, anchor),
        anchor: (anchor) => ({ href: `#${encodeURIComponent(anchor)}` }),
        fileHref: (id) => this.#fileHref(id),
        file: (id) => this.#files.get(id),
        external: (href) => ({ href, isExternal: true }),
        reference: (reference) => {
          const href = this.#addresses.elsewhere(addressOf(reference));
          return href === undefined ? undefined : { href, ...(href.startsWith('/') ? {} : { isExternal: true }) };
        },
      },
      { ...context, openapi: (block) => specs.draw(block), icon: (name) => iconOrPlace(name, icons) },
    );
  }

  #entryOf(key: string, { page, parent: above }: PlacedPage): RemoteEntry | undefined {
    if (page.type === 'computed') return undefined;
    const { type, title, icon, emoji } = page;
    const parent = above ?? null;
    const entry = { key, parent, page, type, title, icon, emoji, ...flagsOf(page) };
    if (page.type === 'link')
      return { ...entry, href: page.href ?? this.source('').link(addressOf(page.target))?.href };
    const reference = this.references.get(key)?.page;
    const description = page.type === 'document' ? page.description : undefined;
    return { ...entry, description, reference, badge: reference?.badge };
  }

  async #render(page: DocumentPage): Promise<RenderedPage> {
    const reference = this.references.get(page.id);
    if (reference) return this.#renderReference(reference);
    const { renderPage } = await import('../../content/html/render-page.ts');
    const markdown = await this.textOf(page);
    const context = await this.#contextOf(page, markdown);
    await this.#content.specs.load([markdown, ...context.includes.values()].flatMap(specsIn));
    const { locale = 'en' } = this.#addresses;
    const { diagramNote } = textsOf(locale);
    return renderPage(markdown, this.source(page.id, context), { title: page.title, locale, diagramNote });
  }

  async #renderReference({ reference, request, page: { path }, ids }: RemoteReference): Promise<RenderedPage> {
    const { renderMountedPage } = await import('../reference/rendered.ts');
    return renderMountedPage(
      reference,
      { request, path },
      {
        description: request.hasDownload && !this.#addresses.fileHref ? descriptionHrefs(request.spec) : undefined,
        page: (at, anchor) => {
          const target = this.placed.get(ids.get(at) ?? '')?.page;
          return target?.type === 'document' ? this.hrefOf(target, anchor) : undefined;
        },
      },
    );
  }

  /** Reads what the page includes, and the variables for its expressions. */
  async #contextOf({ id, title, path }: DocumentPage, markdown: string): Promise<PageContext> {
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

  #pageLink(id: string, anchor: string | undefined): LinkTarget | undefined {
    const page = this.placed.get(id)?.page;
    if (page?.type !== 'document') return undefined;
    const { title, description, icon, emoji } = page;
    return { href: this.hrefOf(page, anchor), title, ...withoutUndefined({ description, icon, emoji }) };
  }

  /** Ends with the name, which determines the content type. */
  #fileHref(id: string): string {
    const file = this.#files.get(id);
    const own = this.#addresses.fileHref?.(id, file);
    return own ?? `${ownPath}files/${encodeURIComponent(id)}/${encodeURIComponent(file?.name ?? id)}`;
  }
}

/** The addresses of a description that `RemoteFiles.addDescription` added. */
function descriptionHrefs(spec: string): Record<'json' | 'yaml', string> {
  const href = (format: 'json' | 'yaml') =>
    `${ownPath}files/${encodeURIComponent(descriptionId(spec, format))}/${encodeURIComponent(spec)}.${format}`;
  return { json: href('json'), yaml: href('yaml') };
}

async function markdownOf({ reference, request, page }: RemoteReference): Promise<string> {
  const { referenceMarkdown } = await import('../reference/mounted.ts');
  return referenceMarkdown(reference, page.path, request);
}

function firstOf(pages: readonly Page[]): DocumentPage | undefined {
  for (const page of pages) {
    if (page.type === 'document') return page;
    const below = 'pages' in page ? firstOf(page.pages) : undefined;
    if (below) return below;
  }
  return undefined;
}

const flagsOf = (page: Page): Pick<ContentsPage, 'hidden' | 'noIndex' | 'noRobotsIndex'> => ({
  hidden: 'hidden' in page && page.hidden === true,
  noIndex: 'noIndex' in page && page.noIndex === true,
  noRobotsIndex: 'noRobotsIndex' in page && page.noRobotsIndex === true,
});
