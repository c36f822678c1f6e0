import { contentTypeOf } from '../../content/folder/files.ts';
import type { DocumentPage } from '../../contract/pages.ts';
import type { PageProblem, RenderedPage } from '../../content/html/page-source.ts';
import { isMet } from '../../content/blocks/expressions.ts';
import { addressOf } from '../../content/markdown/references.ts';
import { assetName } from '../assets.ts';
import type { Contents } from '../contents.ts';
import { findDiagrams } from '../diagrams.ts';
import { lookOf } from '../look.ts';
import type { SearchAnswer, Site, SitePage, SiteTab } from '../model.ts';
import {
  type Customization,
  findAsset,
  siteAround,
  type SiteSection,
  type SourceCustomization,
} from '../site-around.ts';
import { exportPolicy } from '../static/site-files.ts';
import { searchHref } from '../static/output-names.ts';
import { hasDiagrams, pageDocument } from '../page-document.ts';
import { notFoundPage } from '../templates/special-pages.ts';
import { ownPath } from '../own-path.ts';
import { versionMark } from '../preview/preview-server.ts';
import type { RemoteChanges } from './remote-changes.ts';
import type { RemoteEntry, RemoteSpace } from './remote-space.ts';
import type { Pictures } from './site-pictures.ts';
import type { PreviewAnswer, PreviewFile, PreviewSource } from '../preview/source.ts';

export interface PartSection extends Pick<SiteTab, 'title' | 'icon' | 'description'> {
  id: string;
  group?: (Pick<SiteTab, 'title' | 'icon'> & { id: string }) | undefined;
}

/** One space of what is shown, with its place in the site. */
export interface RemotePart {
  /** Before the addresses of its pages, without slashes at its ends. */
  address: string;
  title: string;
  section?: PartSection | undefined;
  isDefault: boolean;
  /** Read when it is asked for, and once. */
  content(): Promise<{ space: RemoteSpace; changes?: RemoteChanges | undefined }>;
}

export interface RemotePreviewOptions {
  title: string;
  customization?: Customization | undefined;
  /** For files without a server: nothing of the preview is in the pages. */
  isStatic?: boolean | undefined;
  /** Those of the customization. */
  pictures?: Pictures | undefined;
  /** Bytes of a file of the content. */
  bytesOf(id: string): Promise<PreviewFile | undefined>;
}

/** Addresses below it compare a page of a change request with main content. */
const comparePath = '~compare';

/** A space, or the spaces of a site, as their readers will see them. */
export class RemotePreview implements PreviewSource {
  readonly parts: readonly RemotePart[];
  readonly #options: RemotePreviewOptions;

  constructor(parts: readonly RemotePart[], options: RemotePreviewOptions) {
    this.parts = parts;
    this.#options = options;
  }

  /** A page as it is drawn in files. */
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
    const answer = await this.#notFound();
    return answer.kind === 'not-found' ? answer.html : '';
  }

  async answer(path: string): Promise<PreviewAnswer> {
    const isComparison = path === comparePath || path.startsWith(`${comparePath}/`);
    const address = isComparison ? path.slice(comparePath.length + 1) : path;
    for (const part of this.#fitting(address)) {
      const rest = address.slice(part.address.length).replace(/^\//, '');
      const answer = isComparison ? await this.#comparison(part, rest) : await this.#page(part, rest);
      if (answer) return answer;
    }
    return (await this.#markdown(path)) ?? this.#notFound();
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

  /** In titles and descriptions: the texts are on the service. */
  async search(query: string): Promise<SearchAnswer> {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const results: SearchAnswer['results'] = [];
    for (const part of this.parts) {
      const { space } = await part.content();
      for (const entry of space.contents.listed) {
        const { title, description, icon, emoji } = entry;
        const text = `${title} ${description ?? ''}`.toLowerCase();
        if (words.length === 0 || !words.every((word) => text.includes(word))) continue;
        const trail = space.contents.ancestorsOf(entry).map((above) => above.title);
        results.push({ title, description, icon, emoji, href: space.hrefOfEntry(entry), trail, sections: [] });
      }
    }
    return { results: results.slice(0, 20) };
  }

  #fitting(address: string): RemotePart[] {
    return this.parts
      .filter((part) => part.address === '' || address === part.address || address.startsWith(`${part.address}/`))
      .toSorted((one, other) => other.address.length - one.address.length);
  }

  async #page(part: RemotePart, path: string): Promise<PreviewAnswer | undefined> {
    const content = await part.content();
    const { space, changes } = content;
    const page = pageIn(content, path);
    if (!page) return undefined;
    // A page that the change request deletes can still be looked at.
    const rendered = await (changes && !space.placed.has(page.id) ? changes.before : space).render(page);
    const site = await this.#site(part, page.id);
    const html = pageDocument(site, {
      ...pageOf(content, page, rendered),
      problems: rendered.problems.map(shownProblem),
      banner: changes && bannerOf(changes, page, space.hrefOf(page)),
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

  async #markdown(path: string): Promise<PreviewAnswer | undefined> {
    if (!path.endsWith('.md')) return undefined;
    const address = path === 'index.md' ? '' : path.slice(0, -'.md'.length);
    for (const part of this.#fitting(address)) {
      const { space } = await part.content();
      const page = space.pageAt(address.slice(part.address.length).replace(/^\//, ''));
      if (!page) continue;
      const bytes = Buffer.from(await space.textOf(page));
      return { kind: 'file', contentType: 'text/markdown; charset=utf-8', bytes };
    }
    return undefined;
  }

  async #notFound(): Promise<PreviewAnswer> {
    const [part] = this.parts;
    if (!part) return { kind: 'not-found', html: '' };
    const site = await this.#site(part, '');
    return { kind: 'not-found', html: pageDocument(site, notFoundPage(site)) };
  }

  /** @param pageId the page that is shown */
  async #site(current: RemotePart, pageId: string): Promise<Site> {
    const { space, changes } = await current.content();
    const { title, isStatic = false } = this.#options;
    const diagrams = findDiagrams();
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
      assets: {
        folder: `${ownPath}assets/`,
        diagrams,
        ...(diagrams && isStatic ? { policy: exportPolicy } : {}),
        scripts: isStatic ? [] : [`${ownPath}assets/${assetName('live.js')}?version=${versionMark}`],
      },
      search: isStatic
        ? { kind: 'index' as const, href: searchHref }
        : { kind: 'service' as const, href: `${ownPath}search` },
    };
    const site = await siteAround(source, contents.find(pageId));
    if (!changes) return site;
    const deleted = changes.deleted.navigationFor(changes.deleted.find(pageId), space.hrefOfEntry);
    return { ...site, navigation: [...site.navigation, ...deleted] };
  }

  /** As readers see it who are not signed in. */
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

/** The page at a path below the address of its space, though a change request deletes it. */
function pageIn({ space, changes }: Content, path: string): DocumentPage | undefined {
  const deleted = () => changes?.deleted.pages.map(({ page }) => page).filter((page) => page.type === 'document');
  return space.pageAt(path) ?? deleted()?.find((page) => page.path === path);
}

const pageOf = (content: Content, page: DocumentPage, { html, headings, hasMermaid }: DrawnText): SitePage => {
  const href = content.space.hrefOf(page);
  return {
    ...frameOf(content, page),
    html,
    headings,
    hasMermaid,
    markdownHref: `${href === '/' ? '/index' : href}.md`,
    updatedAt: page.updatedAt,
  };
};

/** What the page says of itself, and what stands around it. */
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

const shownProblem = ({ line, message }: PageProblem) => ({ message, place: `line ${line}`, level: 'error' }) as const;

/** What conditions read of a reader who is not signed in. */
const anonymous = { visitor: { claims: { unsigned: {} } } };
