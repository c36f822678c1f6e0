import { directionOf } from '../texts.ts';
import { basename } from 'node:path';
import { standardLook } from '../look.ts';
import type { PageLayout, Site, SiteAssets, SiteLink, SitePage, SiteSearch, SiteTab, SiteVariant } from '../model.ts';
import { readFrontMatter } from '../../content/markdown/front-matter.ts';
import { nameTitle } from '../../content/folder/page-tree.ts';
import { isObject } from '../../shared/is-object.ts';
import {
  ancestorsOf,
  isHiddenPage,
  isMarkedPage,
  navigationFor,
  neighboursOf,
  type PageAddresses,
} from './folder-navigation.ts';
import type { SiteFolder, SiteSpace } from './site-folder.ts';
import type { FolderPage, SpaceFolder } from './space-folder.ts';

export interface FolderAddresses extends PageAddresses {
  /** A file by its path from the whole folder. */
  file(path: string): string;
  /** The Markdown of a page. */
  markdown(page: FolderPage): string;
}

export interface SiteParts {
  /** What the site is called where no file says so. */
  name: string;
  assets: SiteAssets;
  search?: SiteSearch | undefined;
}

/** The site around a page of a folder. */
export function siteAround(folder: SiteFolder, page: FolderPage, addresses: FolderAddresses, parts: SiteParts): Site {
  const space = folder.siteSpaceOfFolder(page.space);
  const language = space?.entry.language ?? 'en';
  return {
    title: folder.title ?? parts.name,
    locale: language,
    direction: directionOf(language),
    look: standardLook,
    home: homeOf(folder, folder.spaces[0], addresses) ?? addresses.page(page),
    headerLinks: [],
    sections: space ? sectionsAround(folder, space, addresses) : [],
    ...(space ? variantsAround(folder, space, addresses) : { variants: [], languages: [] }),
    navigation: navigationFor(page, addresses),
    footer: { groups: [] },
    search: parts.search,
    assets: parts.assets,
    themes: { default: 'system', isToggleable: true },
    hasPagination: true,
    hasMarkdownActions: true,
    opensExternalLinksInNewTab: false,
    isTrademarkShown: false,
  };
}

/** The page of a folder around its rendered text, from its front matter and its place among the others. */
export function pageOf(
  folder: SiteFolder,
  page: FolderPage,
  addresses: FolderAddresses,
): Omit<SitePage, 'html' | 'headings'> {
  const text = page.file === null ? undefined : folder.disk.text(page.file);
  const { data } = readFrontMatter(text ?? '');
  const { previous, next } = neighboursOf(page);
  const linkTo = (other: FolderPage | undefined): SiteLink | undefined =>
    other && { title: other.title, href: addresses.page(other) };
  return {
    title: page.title,
    description: page.description,
    icon: page.icon,
    emoji: page.emoji,
    breadcrumbs: ancestorsOf(page).map((above) => ({
      title: above.title,
      ...(above.type === 'document' ? { href: addresses.page(above) } : {}),
    })),
    previous: linkTo(previous),
    next: linkTo(next),
    ...coverOf(folder, page, data, addresses),
    layout: page.reference ? { outline: page.reference.path === '' } : layoutOf(data),
    ...(page.file === null && !page.reference ? {} : { markdownHref: addresses.markdown(page) }),
    isHidden: isHiddenPage(page),
    noIndex: isMarkedPage(page, 'noIndex') || isMarkedPage(page, 'noRobotsIndex'),
  };
}

/** The first page of a space. */
function homeOf(folder: SiteFolder, space: SiteSpace | undefined, addresses: FolderAddresses): string | undefined {
  const first = space && folder.folderOf(space).pages.find(({ type }) => type === 'document');
  return first && addresses.page(first);
}

function sectionsAround(folder: SiteFolder, current: SiteSpace, addresses: FolderAddresses): SiteTab[] {
  const sections = [...new Set(folder.spaces.map(({ section }) => section))];
  if (sections.length < 2) return [];
  const tabs: SiteTab[] = [];
  const groups = new Map<string, SiteTab>();
  for (const section of sections) {
    const isCurrent = section === current.section;
    if (section.isHidden && !isCurrent) continue;
    const { title, icon, description } = section;
    const space = folder.spaces.find((each) => each.section === section);
    const tab: SiteTab = { title, icon, description, href: homeOf(folder, space, addresses), isCurrent };
    // Menus have one level: the outermost group.
    const [group] = section.groups;
    if (!group) {
      tabs.push(tab);
      continue;
    }
    let menu = groups.get(group.title);
    if (!menu) {
      menu = { title: group.title, icon: group.icon, isCurrent: false, sections: [] };
      groups.set(group.title, menu);
      tabs.push(menu);
    }
    menu.sections?.push(tab);
    if (isCurrent) menu.isCurrent = true;
  }
  return tabs;
}

function variantsAround(
  folder: SiteFolder,
  current: SiteSpace,
  addresses: FolderAddresses,
): Pick<Site, 'variants' | 'languages'> {
  const spaces = folder.spaces.filter(({ section }) => section === current.section);
  const variants = spaces.flatMap((space): SiteVariant[] => {
    const { title, language } = space.entry;
    const href = homeOf(folder, space, addresses);
    return href === undefined ? [] : [{ title, href, isCurrent: space === current, ...(language ? { language } : {}) }];
  });
  const codes = new Set(variants.map(({ language }) => language));
  const areTranslations = codes.size === variants.length && !codes.has(undefined);
  return areTranslations ? { variants: [], languages: variants } : { variants, languages: [] };
}

function coverOf(
  folder: SiteFolder,
  page: FolderPage,
  { cover, coverDark, coverY }: Record<string, unknown>,
  addresses: FolderAddresses,
): Pick<SitePage, 'cover'> {
  const light = pictureOf(folder, page, cover, addresses);
  if (light === undefined) return {};
  const dark = pictureOf(folder, page, coverDark, addresses);
  const yPos = typeof coverY === 'number' ? { yPos: coverY } : {};
  return { cover: { picture: { light, dark }, ...yPos } };
}

/** The address of a picture of the folder. Those of other hosts are not shown. */
function pictureOf(
  { links }: SiteFolder,
  page: FolderPage,
  url: unknown,
  addresses: FolderAddresses,
): string | undefined {
  if (typeof url !== 'string' || page.file === null) return undefined;
  const target = links.file(url, { file: page.file, space: page.space, page });
  return target.kind === 'file' ? addresses.file(target.file) : undefined;
}

function layoutOf({ layout }: Record<string, unknown>): Partial<PageLayout> {
  if (!isObject(layout)) return {};
  const shown: Partial<PageLayout> = {};
  for (const part of [
    'cover',
    'title',
    'description',
    'tableOfContents',
    'outline',
    'pagination',
    'metadata',
  ] as const) {
    const setting = layout[part];
    if (isObject(setting) && typeof setting.visible === 'boolean') shown[part] = setting.visible;
  }
  if (isObject(layout.cover) && (layout.cover.size === 'full' || layout.cover.size === 'hero')) {
    shown.coverSize = layout.cover.size;
  }
  return shown;
}

/** What a site of a folder is called: by its first page, else by the folder. */
export function nameOfFolder(space: SpaceFolder | undefined, path: string): string {
  const first = space?.pages.find(({ type }) => type === 'document');
  return first?.title ?? nameTitle(basename(path) || 'Documentation');
}
