import { lookAsset } from '../../site/assets.ts';
import { findDiagrams } from '../../site/diagrams.ts';
import { lookOf, themesOf } from '../../site/look.ts';
import type { HeaderLink, NavigationItem, Picture, Site, SiteLink, SiteTab, SiteVariant } from '../../site/model.ts';
import { operationItems } from '../../site/reference/mounted.ts';
import { maxContentsEntries } from '../../site/reference/pages.ts';
import { directionOf } from '../../site/texts.ts';
import { getFrom } from '../../shared/get-from.ts';
import type { PageRow } from '../../store/content.ts';
import type { SectionRow } from '../../store/site-sections.ts';
import type { SiteSpaceRow } from '../../store/site-spaces.ts';
import { spacesById } from '../../store/spaces.ts';
import type { Reference } from '../content/links/visible-references.ts';
import type { Outline } from '../content/pages/outline.ts';
import { extraOf } from '../content/pages/page-extra.ts';
import { type PublishedOutline, publishedOutline } from './published-outline.ts';
import { pathAddress } from './published-text.ts';
import { addressOf, publishedContent, sectionAddress, settingsOf, type SiteVisit } from './published-visit.ts';
import type { Customization } from './site-customization.ts';
import { sectionsIn, siteSpacesIn } from './site-parts.ts';
import { meets } from './visitors.ts';

/** Folder of the files of all sites, in the address of each site: no page has such a path. */
export const assetFolder = '~site/';
export const searchPath = '~search';

/** What of a site is shown around one page of it. */
export interface PageInSite {
  siteSpace: SiteSpaceRow;
  section: SectionRow | undefined;
  outline: PublishedOutline;
  page: PageRow | undefined;
}

/** What a site shows to those who may not read it, too. */
export function siteShell(visit: Pick<SiteVisit, 'site' | 'root' | 'instance'>, settings: Customization): Site {
  const { root, instance } = visit;
  const picture = (pictures: { light: string; dark: string } | undefined): Picture | undefined =>
    pictures && isOwn(instance.base, pictures.light)
      ? { light: pictures.light, dark: isOwn(instance.base, pictures.dark) ? pictures.dark : undefined }
      : undefined;
  const { title = visit.site.title, favicon, themes, internationalization, announcement } = settings;
  const look = lookOf(settings);
  const icon = picture(favicon.icon);
  const diagrams = findDiagrams();
  return {
    title,
    locale: internationalization.locale,
    direction: directionOf(internationalization.locale),
    look,
    home: root,
    logo: picture(settings.header.logo),
    favicon: icon ? { picture: icon } : favicon.emoji === undefined ? undefined : { emoji: favicon.emoji },
    headerLinks: [],
    announcement: announcement?.enabled ? { message: announcement.message, style: announcement.style } : undefined,
    sections: [],
    variants: [],
    languages: [],
    navigation: [],
    footer: { logo: picture(settings.footer.logo), groups: [], copyright: settings.footer.copyright },
    assets: {
      folder: root + assetFolder,
      look: root + assetFolder + lookAsset(look).name,
      ...(diagrams ? { diagrams: root + assetFolder + diagrams.script } : {}),
    },
    themes: themesOf(themes),
    hasPagination: settings.pagination.enabled,
    hasMarkdownActions: settings.pageActions.markdown,
    opensExternalLinksInNewTab: settings.externalLinks.target === 'blank',
    privacyPolicy: settings.privacyPolicy.url,
    socialPreview: settings.socialPreview.url,
    isTrademarkShown: false,
  };
}

/** Pictures of other hosts would show them who reads the site. */
const isOwn = (base: string, address: string) => address.startsWith('data:') || address.startsWith(`${base}/`);

/** The site around a page. */
export async function siteAround(visit: SiteVisit, place: PageInSite): Promise<Site> {
  const { root, parts } = visit;
  const settings = settingsOf(visit, place.siteSpace);
  const shell = siteShell(visit, settings);
  const home = root + addressOf(parts, place.siteSpace);
  const links = new SiteLinks(visit, place);
  const footerGroups = [];
  for (const { title, links: items } of settings.footer.groups)
    footerGroups.push({ title, links: await links.all(items) });
  const { announcement } = settings;
  return {
    ...shell,
    headerLinks: await headerLinks(visit, settings, links),
    announcement: shell.announcement && {
      ...shell.announcement,
      link: announcement?.link && (await links.one(announcement.link)),
    },
    sections: sectionTabs(visit, place.section),
    variants: await variantsOf(visit, place.siteSpace),
    navigation: navigationOf(place, home),
    footer: { ...shell.footer, groups: footerGroups },
    search: { kind: 'service', href: root + searchPath, action: root + searchPath },
  };
}

async function headerLinks({ visitor }: SiteVisit, { header }: Customization, links: SiteLinks): Promise<HeaderLink[]> {
  const shown: HeaderLink[] = [];
  for (const item of header.links) {
    if (!meets(visitor, item.condition)) continue;
    shown.push({ ...(await links.one(item)), style: item.style, links: await links.all(item.links) });
  }
  return shown;
}

function sectionTabs({ parts, root }: SiteVisit, current: SectionRow | undefined): SiteTab[] {
  const { groups, sections } = parts;
  const tabOf = (row: SectionRow): SiteTab => ({
    title: row.title,
    href: root + sectionAddress(parts, row),
    description: row.description ?? undefined,
    icon: row.icon ?? undefined,
    isCurrent: row.id === current?.id,
  });
  const tabs = [
    ...groups.map((row) => {
      const inGroup = sectionsIn(parts, row.id).map(tabOf);
      const isCurrent = inGroup.some((tab) => tab.isCurrent);
      const tab = { title: row.title, icon: row.icon ?? undefined, isCurrent, sections: inGroup };
      return { position: row.position, tab };
    }),
    ...sections.filter((row) => row.section_group === null).map((row) => ({ position: row.position, tab: tabOf(row) })),
  ];
  return tabs
    .filter(({ tab }) => !('sections' in tab) || tab.sections?.length !== 0)
    .toSorted((a, b) => a.position - b.position)
    .map(({ tab }) => tab);
}

async function variantsOf({ db, parts, root }: SiteVisit, current: SiteSpaceRow): Promise<SiteVariant[]> {
  const variants = siteSpacesIn(parts, current.section);
  if (variants.length < 2) return [];
  const spaces = await spacesById(
    db,
    variants.map((row) => row.space),
  );
  const titles = new Map(spaces.map((space) => [space.id, space.title]));
  return variants.map((row) => ({
    title: getFrom(titles, row.space),
    href: root + addressOf(parts, row),
    isCurrent: row.id === current.id,
  }));
}

/** The table of contents: pages that are not hidden. */
function navigationOf({ outline, page }: Pick<PageInSite, 'outline' | 'page'>, home: string): NavigationItem[] {
  const open = new Set(page ? ancestorsOf(outline, page).map((row) => row.page) : []);
  const isLarge = outline.references.size > maxContentsEntries;
  const isFar = (row: PageRow) =>
    outline.references.get(row.page)?.page.parent !== undefined &&
    row.parent !== page?.page &&
    !open.has(row.parent ?? '');
  const itemOf = (row: PageRow): NavigationItem => ({
    title: row.title,
    icon: row.icon ?? undefined,
    emoji: row.emoji ?? undefined,
    isCurrent: row.page === page?.page,
    isOpen: open.has(row.page),
    children: [
      ...operationItems(
        outline.references.get(row.page)?.page.operations ?? [],
        pathAddress(home, outline.pathOf(row.page)),
      ),
      ...itemsUnder(row.page),
    ],
    ...badgeOf(row, outline),
    ...(row.type === 'document'
      ? { kind: 'page', href: pathAddress(home, outline.pathOf(row.page)) }
      : row.type === 'group'
        ? { kind: 'group' }
        : { kind: 'link', ...linkOf(row, outline, home) }),
  });
  const itemsUnder = (parent: string | null): NavigationItem[] =>
    outline
      .children(parent)
      .filter((row) => row.hidden === 0 && row.type !== 'computed' && !(isLarge && isFar(row)))
      .map(itemOf);
  return itemsUnder(null);
}

const badgeOf = ({ page }: PageRow, { references }: PublishedOutline): Pick<NavigationItem, 'badge'> => {
  const badge = references.get(page)?.page.badge;
  return badge === undefined ? {} : { badge };
};

function linkOf(row: PageRow, outline: Outline, home: string): Pick<SiteLink, 'href' | 'isExternal'> {
  const { href, target } = extraOf(row);
  const url = target?.kind === 'url' ? target.url : href;
  if (target?.kind === 'page' && target.space === undefined && outline.find(target.page)) {
    return { href: pathAddress(home, outline.pathOf(target.page)) };
  }
  return url !== undefined && /^(?:https?|mailto|tel):/i.test(url) ? { href: url, isExternal: true } : {};
}

/** What a page stands in, outermost first. */
export function ancestorsOf(outline: Outline, page: PageRow): PageRow[] {
  const rows: PageRow[] = [];
  for (let row = page.parent === null ? undefined : outline.find(page.parent); row;) {
    rows.unshift(row);
    row = row.parent === null ? undefined : outline.find(row.parent);
  }
  return rows;
}

/** Links of the settings, which name what they lead to. */
class SiteLinks {
  readonly #visit: SiteVisit;
  readonly #place: PageInSite;

  constructor(visit: SiteVisit, place: PageInSite) {
    this.#visit = visit;
    this.#place = place;
  }

  async all(links: { title: string; to: Reference | null }[]): Promise<SiteLink[]> {
    const shown = [];
    for (const item of links) shown.push(await this.one(item));
    return shown;
  }

  async one({ title, to }: { title: string; to: Reference | null }): Promise<SiteLink> {
    if (to === null) return { title };
    if (to.kind === 'url') {
      const isExternal = /^https?:/i.test(to.url);
      return isExternal || /^mailto:/i.test(to.url) ? { title, href: to.url, isExternal } : { title };
    }
    return { title, href: await this.#address(to) };
  }

  async #address(to: Reference): Promise<string | undefined> {
    const { instance } = this.#visit;
    if (to.kind === 'file') return `${instance.base}/files/${to.file}`;
    if (to.kind !== 'space' && to.kind !== 'page' && to.kind !== 'anchor') return undefined;
    const { parts, root } = this.#visit;
    const current = this.#place.siteSpace;
    const space = to.space ?? current.space;
    const row = space === current.space ? current : parts.siteSpaces.find((candidate) => candidate.space === space);
    if (!row) return undefined;
    const home = root + addressOf(parts, row);
    if (to.kind === 'space') return home;
    const anchor = to.kind === 'anchor' ? `#${encodeURIComponent(to.anchor)}` : '';
    if (to.page === undefined) return home + anchor;
    const outline = row === current ? this.#place.outline : await this.#outlineOf(row);
    return outline.find(to.page) ? pathAddress(home, outline.pathOf(to.page)) + anchor : undefined;
  }

  async #outlineOf(row: SiteSpaceRow): Promise<Outline> {
    const { snapshot } = await publishedContent(this.#visit, row);
    return publishedOutline(this.#visit, snapshot);
  }
}
