import type { RenderedPage } from '../../content/html/page-source.ts';
import { isMet } from '../../content/blocks/expressions.ts';
import { contentTypeOf } from '../../content/folder/files.ts';
import { addressOf } from '../../content/markdown/references.ts';
import type { DocumentPage } from '../../contract/pages.ts';
import { type Contents, isListed, spacesAt } from '../contents.ts';
import { rankPages } from '../../shared/search/rank-pages.ts';
import { searchedText, TextSource } from '../../shared/search/source.ts';
import { findDiagrams } from '../diagrams.ts';
import { lookOf } from '../look.ts';
import type { Customization, ExportForm, SearchAnswer, Site, SitePage, SiteTab } from '../model.ts';
import { ownFiles } from '../own-files.ts';
import { hasDiagrams, pageDocument } from '../page-document.ts';
import {
  llmsHref,
  type PreviewAnswer,
  type PreviewFile,
  type PreviewOutline,
  type PreviewPage,
  type PreviewSource,
} from '../preview/source.ts';
import { findAsset, siteAround, type SiteSection, type SourceCustomization } from '../site-around.ts';
import { notFoundPage } from '../templates/special-pages.ts';
import type { RemoteChanges } from './remote-changes.ts';
import type { RemoteEntry, RemoteSpace } from './remote-space.ts';
import type { Pictures } from './site-pictures.ts';

export interface PartSection extends Pick<SiteTab, 'title' | 'icon' | 'description'> {
  id: string;
  group?: (Pick<SiteTab, 'title' | 'icon'> & { id: string }) | undefined;
}

/** A space, with its place in the site. */
export interface RemotePart {
  /** The part before the addresses of its pages, without slashes at its ends. */
  address: string;
  title: string;
  section?: PartSection | undefined;
  isDefault: boolean;
  /** Reads the content at the first call. */
  content(): Promise<{ space: RemoteSpace; changes?: RemoteChanges | undefined }>;
}

export interface RemotePreviewOptions {
  title: string;
  customization?: Customization | undefined;
  /** The form of an export, whose pages have no scripts of a preview. */
  form?: ExportForm | undefined;
  /** The pictures of the customization. */
  pictures?: Pictures | undefined;
  /** The bytes of a file of the content. */
  bytesOf(id: string): Promise<PreviewFile | undefined>;
}

/** Addresses below it compare pages of a change request with the main content. */
const comparePath = '~compare';

/** A preview of a space, or of the spaces of a site. */
export class RemotePreview implements PreviewSource {
  readonly parts: readonly RemotePart[];
  readonly #options: RemotePreviewOptions;

  constructor(parts: readonly RemotePart[], options: RemotePreviewOptions) {
    this.parts = parts;
    this.#options = options;
  }

  /** The document of a page for an export. */
  async staticPage(
    part: RemotePart,
    page: DocumentPage,
    rendered: DrawnText,
    more: Partial<SitePage>,
  ): Promise<string> {
    const site = await this.#site(part, page.id);
    return pageDocument(site, { ...pageOf(await part.content(), page, rendered), ...more });
  }

  async notFound(): Promise<string> {
    const [part] = this.parts;
    if (!part) return '';
    const site = await this.#site(part);
    return pageDocument(site, notFoundPage(site));
  }

  async answer(path: string): Promise<PreviewAnswer> {
    const isComparison = path === comparePath || path.startsWith(`${comparePath}/`);
    const address = isComparison ? path.slice(comparePath.length + 1) : path;
    for (const [part, rest] of spacesAt(this.parts, address)) {
      const answer = isComparison ? await this.#comparison(part, rest) : await this.#page(part, rest);
      if (answer) return answer;
    }
    return { kind: 'not-found', html: await this.notFound() };
  }

  async asset(path: string): Promise<PreviewFile | undefined> {
    const [kind, name = ''] = path.split('/');
    const { bytesOf, customization, pictures } = this.#options;
    if (kind === 'files') return bytesOf(name);
    if (kind === 'pictures') {
      const bytes = await pictures?.bytes(Number(name));
      return bytes && { contentType: contentTypeOf(path, bytes), bytes };
    }
    if (kind !== 'assets') return undefined;
    const asset = findAsset(path.slice('assets/'.length), { looks: customization ? [lookOf(customization)] : [] });
    return asset && { ...asset, isImmutable: true };
  }

  /** Searches titles and descriptions only, because the texts are on the service. */
  async search(query: string): Promise<SearchAnswer> {
    const results: SearchAnswer['results'] = [];
    for (const part of this.parts) {
      const { space } = await part.content();
      for (const entry of space.contents.listed) {
        const { title, description, icon, emoji } = entry;
        const trail = space.contents.ancestorsOf(entry).map((above) => above.title);
        results.push({ title, description, icon, emoji, href: space.hrefOfEntry(entry), trail, sections: [] });
      }
    }
    const texts = results.map(({ title, description = '' }) =>
      searchedText({ title, headings: '', text: description }),
    );
    const source = new TextSource(new Map(texts.map((text, index) => [`${index}`, text])));
    const { pages, suggestion } = await rankPages(source, query);
    const best = pages.toSorted((a, b) => b.score - a.score || Number(a.page) - Number(b.page)).slice(0, 20);
    return { suggestion, results: best.flatMap(({ page }) => results[Number(page)] ?? []) };
  }

  async outline(): Promise<PreviewOutline> {
    const { title, customization } = this.#options;
    const sections = await Promise.all(
      this.parts.map(async (part) => ({ title: part.title, pages: pagesOf((await part.content()).space) })),
    );
    return { title: customization?.title ?? title, sections };
  }

  async #page(part: RemotePart, path: string): Promise<PreviewAnswer | undefined> {
    const content = await part.content();
    const { space, changes } = content;
    const page = pageIn(content, path);
    if (!page) return undefined;
    // Pages that the change request deletes are also shown.
    const rendered = await (changes && !space.placed.has(page.id) ? changes.before : space).render(page);
    const site = await this.#site(part, page.id);
    const html = pageDocument(site, {
      ...pageOf(content, page, rendered),
      problems: rendered.problems.map(({ line, message }) => ({
        message,
        place: `line ${line}`,
        level: 'error' as const,
      })),
      banner: changes && bannerOf(changes, page, space.hrefOf(page)),
      llmsHref,
    });
    return { kind: 'page', html, hasFrames: hasDiagrams(site, rendered) };
  }

  async #comparison(part: RemotePart, path: string): Promise<PreviewAnswer | undefined> {
    const content = await part.content();
    const page = pageIn(content, path);
    if (!content.changes || !page) return undefined;
    const html = pageDocument(await this.#site(part, page.id), {
      ...frameOf(content, page),
      html: await content.changes.compare(page.id),
      headings: [],
      layout: { outline: false, pagination: false, metadata: false },
      banner: `<p class="hint hint-info"><a href="${content.space.hrefOf(page)}">Back to the page</a></p>`,
    });
    return { kind: 'page', html };
  }

  /** @param pageId the current page, if there is one */
  async #site(current: RemotePart, pageId = ''): Promise<Site> {
    const { space, changes } = await current.content();
    const { title, form } = this.#options;
    const contents = contentsOf({ space, changes });
    const source = {
      title,
      home: '/',
      space: { contents, hrefOf: space.hrefOfEntry },
      sections: this.#sections(current),
      variants: this.parts
        .filter(({ section }) => section?.id === current.section?.id)
        .map((part) => ({ title: part.title, href: `/${part.address}`, isCurrent: part === current })),
      customization: this.#customization(space),
      ...ownFiles(form, findDiagrams()),
    };
    const site = await siteAround(source, contents.find(pageId));
    if (!changes) return site;
    const deleted = changes.deleted.navigationFor(changes.deleted.find(pageId), space.hrefOfEntry);
    return { ...site, navigation: [...site.navigation, ...deleted] };
  }

  /** The customization for readers who are not signed in. */
  #customization(space: RemoteSpace): SourceCustomization | undefined {
    const { customization: settings, pictures } = this.#options;
    return (
      settings && {
        settings,
        pictureOf: (url) => pictures?.addressOf(url),
        addressOf: (target) => space.source('').link(addressOf(target))?.href,
        meets: (condition) => isMet(condition, anonymous),
      }
    );
  }

  #sections(current: RemotePart): SiteSection[] {
    return [...Map.groupBy(this.parts, ({ section }) => section?.id)].flatMap(([id, parts]): SiteSection[] => {
      const first = parts.find(({ isDefault }) => isDefault) ?? parts[0];
      if (!first?.section) return [];
      const { title, icon, description, group } = first.section;
      const isCurrent = id === current.section?.id;
      return [
        { title, icon, description, href: `/${first.address}`, isCurrent, group: group && { ...group, key: group.id } },
      ];
    });
  }
}

type DrawnText = Pick<RenderedPage, 'html' | 'headings' | 'hasMermaid'>;
type Content = Awaited<ReturnType<RemotePart['content']>>;

const contentsOf = ({ space, changes }: Content): Contents<RemoteEntry> => changes?.contents ?? space.contents;

/** The page at a path below the address of its space, even if a change request deletes it. */
function pageIn({ space, changes }: Content, path: string): DocumentPage | undefined {
  const deleted = () => changes?.deleted.pages.map(({ page }) => page).filter((page) => page.type === 'document');
  return space.pageAt(path) ?? deleted()?.find((page) => page.path === path);
}

const pageOf = (content: Content, page: DocumentPage, { html, headings, hasMermaid }: DrawnText): SitePage => {
  return {
    ...frameOf(content, page),
    html,
    headings,
    hasMermaid,
    markdownHref: markdownHrefOf(content.space.hrefOf(page)),
    updatedAt: page.updatedAt,
    editHref: content.space.editHrefOf(page),
  };
};

const markdownHrefOf = (href: string): string => `${href === '/' ? '/index' : href}.md`;

const pagesOf = (space: RemoteSpace): PreviewPage[] =>
  space.contents.pages.flatMap((entry): PreviewPage[] => {
    const { page, title, description } = entry;
    if (page.type !== 'document') return [];
    const href = space.hrefOf(page);
    return [
      {
        title,
        description,
        href,
        markdownHref: markdownHrefOf(href),
        isListed: isListed(space.contents, entry),
        markdown: () => space.markdownOf(page),
      },
    ];
  });

/** Everything on a page except its text. */
function frameOf(content: Content, page: DocumentPage): Omit<SitePage, 'html' | 'headings'> {
  const { space, changes } = content;
  const isDeleted = !space.placed.has(page.id);
  const contents = isDeleted ? changes?.deleted : contentsOf(content);
  const entry = contents?.find(page.id);
  if (!contents || !entry) throw new Error(`The space has no page ${page.id}.`);
  const cover = space.coverOf(page);
  return {
    layout: page.layout,
    ...contents.around(entry, space.hrefOfEntry),
    ...(isDeleted ? { previous: undefined, next: undefined } : {}),
    cover: cover === undefined ? undefined : { picture: { light: cover }, yPos: page.cover?.yPos },
  };
}

const wordsOf = { added: 'adds', changed: 'changes', deleted: 'deletes', moved: 'moves' } as const;

function bannerOf(changes: RemoteChanges, { id }: DocumentPage, href: string): string | undefined {
  const difference = changes.differenceOf(id);
  if (!difference) return undefined;
  const compare =
    difference.change === 'added' ? '' : ` <a href="/${comparePath}${href}">Compare with main content</a>`;
  return `<p class="hint hint-info">Change request #${changes.number} ${wordsOf[difference.change]} this page.${compare}</p>`;
}

/** What conditions can read for readers who are not signed in. */
const anonymous = { visitor: { claims: { unsigned: {} } } };
