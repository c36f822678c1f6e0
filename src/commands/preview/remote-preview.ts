import { contentTypeOf } from '../../content/folder/files.ts';
import type { DocumentPage, Page } from '../../contract/pages.ts';
import type { PageProblem, RenderedPage } from '../../content/html/page-source.ts';
import { assetName, lookAsset, siteAssets } from '../../site/assets.ts';
import { findDiagrams } from '../../site/diagrams.ts';
import { lookOf, standardLook } from '../../site/look.ts';
import type {
  NavigationItem,
  SearchAnswer,
  Site,
  SiteAsset,
  SiteLink,
  SitePage,
  SiteTab,
  SiteVariant,
} from '../../site/model.ts';
import { exportPolicy } from '../../site/static/site-files.ts';
import { searchHref } from '../../site/static/output-names.ts';
import { hasDiagrams, pageDocument } from '../../site/page-document.ts';
import { notFoundPage } from '../../site/templates/special-pages.ts';
import { operationItems } from '../../site/reference/mounted.ts';
import { maxContentsEntries } from '../../site/reference/pages.ts';
import { ownPath } from '../../site/own-path.ts';
import { versionMark } from './preview-server.ts';
import type { RemoteChanges } from './remote-changes.ts';
import type { RemoteSpace } from './remote-space.ts';
import { type Customization, customized } from './site-customization.ts';
import type { Pictures } from './site-pictures.ts';
import type { PreviewAnswer, PreviewFile, PreviewSource } from './source.ts';

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
  readonly #parts: readonly RemotePart[];
  readonly #options: RemotePreviewOptions;

  constructor(parts: readonly RemotePart[], options: RemotePreviewOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  /** A page as it is drawn in files. */
  async staticPage(
    part: RemotePart,
    page: DocumentPage,
    rendered: DrawnText,
    more: Partial<SitePage>,
  ): Promise<string> {
    const { space } = await part.content();
    return pageDocument(await this.#site(part, page.id), { ...pageOf(space, page, rendered), ...more });
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
    const { bytesOf, pictures } = this.#options;
    if (kind === 'files') return bytesOf(name);
    if (kind === 'pictures') {
      const bytes = await pictures?.bytes(Number(name));
      return bytes && { contentType: contentTypeOf(path, bytes), bytes };
    }
    if (kind !== 'assets') return undefined;
    const look = this.#look;
    const asset =
      [...siteAssets(), ...(look ? [look] : [])].find((each) => each.name === name) ??
      findDiagrams()?.file(path.slice('assets/'.length));
    return asset && { ...asset, isImmutable: true };
  }

  /** In titles and descriptions: the texts are on the service. */
  async search(query: string): Promise<SearchAnswer> {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const results: SearchAnswer['results'] = [];
    for (const part of this.#parts) {
      const { space } = await part.content();
      for (const page of space.listed) {
        const text = `${page.title} ${page.description ?? ''}`.toLowerCase();
        if (words.length === 0 || !words.every((word) => text.includes(word))) continue;
        const { title, description, icon, emoji } = page;
        const trail = space.ancestorsOf(page.id).map((above) => above.title);
        results.push({ title, description, icon, emoji, href: space.hrefOf(page), trail, sections: [] });
      }
    }
    return { results: results.slice(0, 20) };
  }

  get #look(): SiteAsset | undefined {
    const { customization } = this.#options;
    return customization && lookAsset(lookOf(customization));
  }

  #fitting(address: string): RemotePart[] {
    return this.#parts
      .filter((part) => part.address === '' || address === part.address || address.startsWith(`${part.address}/`))
      .toSorted((one, other) => other.address.length - one.address.length);
  }

  async #page(part: RemotePart, path: string): Promise<PreviewAnswer | undefined> {
    const { space, changes } = await part.content();
    const page = space.pageAt(path);
    if (page) return this.#document(part, page, await space.render(page), space, changes);
    // A page that the change request deletes can still be looked at.
    const deleted = changes?.deleted.find((each) => each.path === path);
    return deleted && changes && this.#document(part, deleted, await changes.before.render(deleted), space, changes);
  }

  async #document(
    part: RemotePart,
    page: DocumentPage,
    rendered: RenderedPage,
    space: RemoteSpace,
    changes: RemoteChanges | undefined,
  ): Promise<PreviewAnswer> {
    const site = await this.#site(part, page.id);
    const document = pageDocument(site, {
      ...pageOf(space, page, rendered),
      problems: rendered.problems.map(shownProblem),
      banner: changes && bannerOf(changes, page, space.hrefOf(page)),
    });
    return { kind: 'page', html: document, hasFrames: hasDiagrams(site, rendered) };
  }

  async #comparison(part: RemotePart, path: string): Promise<PreviewAnswer | undefined> {
    const { space, changes } = await part.content();
    const page = space.pageAt(path) ?? changes?.deleted.find((each) => each.path === path);
    if (!changes || !page) return undefined;
    const html = pageDocument(await this.#site(part, page.id), {
      ...frameOf(space, page),
      html: await changes.compare(page.id),
      headings: [],
      layout: { outline: false, pagination: false, metadata: false },
      banner: `<p class="hint hint-info"><a href="${space.hrefOf(page)}">Back to the page</a></p>`,
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
    const [part] = this.#parts;
    if (!part) return { kind: 'not-found', html: '' };
    const site = await this.#site(part, '');
    return { kind: 'not-found', html: pageDocument(site, notFoundPage(site)) };
  }

  /** @param pageId the page that is shown */
  async #site(current: RemotePart, pageId: string): Promise<Site> {
    const { space, changes } = await current.content();
    const { title, customization, pictures, isStatic = false } = this.#options;
    const open = new Set(space.ancestorsOf(pageId).map(({ id }) => id));
    const settings =
      customization &&
      customized(
        customization,
        (address) => space.source('').link(address)?.href,
        (url) => pictures?.addressOf(url),
      );
    const look = this.#look;
    const diagrams = findDiagrams();
    return {
      title: customization?.title ?? title,
      locale: 'en',
      direction: 'ltr',
      look: standardLook,
      home: '/',
      headerLinks: [],
      sections: this.#sections(current),
      variants: this.#variants(current),
      languages: [],
      navigation: [
        ...navigationOf(space.side.revision.pages, { space, changes, current: pageId, open }),
        ...(changes?.deleted ?? []).map((page) => itemOf(page, { space, changes, current: pageId, open })),
      ],
      footer: { groups: [] },
      search: isStatic ? { kind: 'index', href: searchHref } : { kind: 'service', href: `${ownPath}search` },
      themes: { default: 'system', isToggleable: true },
      hasPagination: true,
      hasMarkdownActions: true,
      opensExternalLinksInNewTab: false,
      isTrademarkShown: false,
      ...settings,
      assets: {
        folder: `${ownPath}assets/`,
        ...(diagrams ? { diagrams: `${ownPath}assets/${diagrams.script}` } : {}),
        ...(diagrams && isStatic ? { policy: exportPolicy } : {}),
        ...(look ? { look: `${ownPath}assets/${look.name}` } : {}),
        scripts: isStatic ? [] : [`${ownPath}assets/${assetName('live.js')}?version=${versionMark}`],
      },
    };
  }

  #sections(current: RemotePart): SiteTab[] {
    const tabs: SiteTab[] = [];
    const menus = new Map<string, SiteTab>();
    for (const [id, [part]] of Map.groupBy(this.#parts, ({ section }) => section?.id)) {
      if (!part?.section || id === undefined) continue;
      const first = this.#parts.find(({ section, isDefault }) => section?.id === id && isDefault) ?? part;
      const { title, icon, description, group } = part.section;
      const tab: SiteTab = {
        title,
        icon,
        description,
        href: `/${first.address}`,
        isCurrent: id === current.section?.id,
      };
      if (group === undefined) {
        tabs.push(tab);
        continue;
      }
      const menu = menus.get(group.id) ?? { title: group.title, icon: group.icon, isCurrent: false, sections: [] };
      if (!menus.has(group.id)) tabs.push(menu);
      menus.set(group.id, menu);
      menu.sections?.push(tab);
      menu.isCurrent ||= tab.isCurrent;
    }
    return tabs;
  }

  #variants(current: RemotePart): SiteVariant[] {
    return this.#parts
      .filter(({ section }) => section?.id === current.section?.id)
      .map((part) => ({ title: part.title, href: `/${part.address}`, isCurrent: part === current }));
  }
}

type DrawnText = Pick<RenderedPage, 'html' | 'headings' | 'hasMermaid'>;

const pageOf = (space: RemoteSpace, page: DocumentPage, { html, headings, hasMermaid }: DrawnText): SitePage => ({
  ...frameOf(space, page),
  html,
  headings,
  hasMermaid,
  markdownHref: `${space.hrefOf(page) === '/' ? '/index' : space.hrefOf(page)}.md`,
  updatedAt: page.updatedAt,
});

/** What the page says of itself, and what stands around it. */
function frameOf(space: RemoteSpace, page: DocumentPage): Omit<SitePage, 'html' | 'headings'> {
  const { listed } = space;
  const index = listed.findIndex(({ id }) => id === page.id);
  const linkTo = (other: DocumentPage | undefined): SiteLink | undefined =>
    other && { title: other.title, href: space.hrefOf(other) };
  const { title, description, icon, emoji } = page;
  const reference = space.references.get(page.id);
  const cover = space.coverOf(page);
  return {
    title,
    description,
    icon,
    emoji,
    isHidden: space.isMarked(page, 'hidden'),
    noIndex: space.isMarked(page, 'noRobotsIndex'),
    layout: reference ? { outline: reference.page.path === '' } : page.layout,
    cover: cover === undefined ? undefined : { picture: { light: cover }, yPos: page.cover?.yPos },
    breadcrumbs: space.ancestorsOf(page.id).map((above) => ({
      title: above.title,
      ...(above.type === 'document' ? { href: space.hrefOf(above) } : {}),
    })),
    previous: index === -1 ? undefined : linkTo(listed[index - 1]),
    next: index === -1 ? undefined : linkTo(listed[index + 1]),
  };
}

interface NavigationContext {
  space: RemoteSpace;
  changes: RemoteChanges | undefined;
  current: string;
  open: ReadonlySet<string>;
}

function navigationOf(pages: readonly Page[], context: NavigationContext): NavigationItem[] {
  return pages.flatMap((page) => {
    const isHidden = 'hidden' in page && page.hidden === true && page.id !== context.current;
    return page.type === 'computed' || isHidden || isFar(page, context) ? [] : [itemOf(page, context)];
  });
}

/** Of a large reference, a page is listed where it is at the top, or near to the current one. */
function isFar({ id }: Page, { space: { references, placed }, current, open }: NavigationContext): boolean {
  if (references.size <= maxContentsEntries || references.get(id)?.page.parent === undefined) return false;
  const parent = placed.get(id)?.parent ?? '';
  return parent !== current && !open.has(parent);
}

function itemOf(page: Exclude<Page, { type: 'computed' }>, context: NavigationContext): NavigationItem {
  const { space, changes, current, open } = context;
  const href = page.type === 'document' ? space.hrefOf(page) : page.type === 'link' ? space.linkOf(page) : undefined;
  const change = changes?.differenceOf(page.id)?.change;
  const reference = space.references.get(page.id);
  const badge = change ?? reference?.page.badge;
  return {
    kind: page.type === 'document' ? 'page' : page.type,
    title: page.title,
    ...(href === undefined ? {} : { href }),
    icon: page.icon,
    emoji: page.emoji,
    isCurrent: page.id === current,
    isOpen: open.has(page.id),
    ...(page.type === 'link' && href?.startsWith('/') === false ? { isExternal: true } : {}),
    ...(badge === undefined ? {} : { badge }),
    children: [
      ...operationItems(reference?.page.operations ?? [], href ?? ''),
      // What is below a deleted page stands beside it.
      ...('pages' in page && change !== 'deleted' ? navigationOf(page.pages, context) : []),
    ],
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
