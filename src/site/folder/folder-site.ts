import { basename } from 'node:path';
import type { PageLayout, Site, SitePage, SiteSearch, SiteVariant } from '../model.ts';
import { type AssetPlace, siteAround, type SiteSection } from '../site-around.ts';
import { readFrontMatter } from '../../content/markdown/front-matter.ts';
import { nameTitle } from '../../content/folder/page-tree.ts';
import { isObject } from '../../shared/is-object.ts';
import type { SiteFolder, SiteSpace } from './site-folder.ts';
import type { FolderPage, SpaceFolder } from './space-folder.ts';

/** How addresses are written: absolute, or relative to a page. */
export interface FolderAddresses {
  page: (page: FolderPage, anchor?: string) => string;
  /** A file by its path from the whole folder. */
  file: (path: string) => string;
  /** The Markdown of a page. */
  markdown: (page: FolderPage) => string;
}

export interface SiteParts {
  /** What the site is called where no file says so. */
  name: string;
  assets: AssetPlace;
  search?: SiteSearch | undefined;
}

/** The site around a page of a folder. */
export function folderSiteAround(
  folder: SiteFolder,
  page: FolderPage,
  addresses: FolderAddresses,
  { name, assets, search }: SiteParts,
): Promise<Site> {
  const space = folder.siteSpaceOfFolder(page.space);
  const source = {
    title: folder.title ?? name,
    locale: space?.entry.language,
    home: homeOf(folder, folder.spaces[0], addresses) ?? addresses.page(page),
    space: { contents: page.space.contents, hrefOf: addresses.page },
    sections: space ? sectionsOf(folder, space, addresses) : [],
    variants: space ? variantsOf(folder, space, addresses) : [],
    assets,
    search,
  };
  return siteAround(source, page);
}

/** The page of a folder around its rendered text, from its front matter and its place among the others. */
export function pageOf(
  folder: SiteFolder,
  page: FolderPage,
  addresses: FolderAddresses,
): Omit<SitePage, 'html' | 'headings'> {
  const text = page.file === null ? undefined : folder.disk.text(page.file);
  const { data } = readFrontMatter(text ?? '');
  return {
    layout: layoutOf(data),
    ...page.space.contents.around(page, addresses.page),
    ...coverOf(folder, page, data, addresses),
    ...(page.file === null && !page.reference ? {} : { markdownHref: addresses.markdown(page) }),
  };
}

/** The first page of a space. */
function homeOf(folder: SiteFolder, space: SiteSpace | undefined, addresses: FolderAddresses): string | undefined {
  const first = space && folder.folderOf(space).pages.find(({ type }) => type === 'document');
  return first && addresses.page(first);
}

function sectionsOf(folder: SiteFolder, current: SiteSpace, addresses: FolderAddresses): SiteSection[] {
  const sections = [...new Set(folder.spaces.map(({ section }) => section))];
  if (sections.length < 2) return [];
  return sections.flatMap((section): SiteSection[] => {
    const isCurrent = section === current.section;
    if (section.isHidden && !isCurrent) return [];
    const { title, icon, description } = section;
    const space = folder.spaces.find((each) => each.section === section);
    // Menus have one level: the outermost group.
    const [group] = section.groups;
    return [
      {
        title,
        icon,
        description,
        href: homeOf(folder, space, addresses),
        isCurrent,
        group: group && { ...group, key: group.title },
      },
    ];
  });
}

function variantsOf(folder: SiteFolder, current: SiteSpace, addresses: FolderAddresses): SiteVariant[] {
  const spaces = folder.spaces.filter(({ section }) => section === current.section);
  return spaces.flatMap((space): SiteVariant[] => {
    const { title, language } = space.entry;
    const href = homeOf(folder, space, addresses);
    return href === undefined ? [] : [{ title, href, isCurrent: space === current, ...(language ? { language } : {}) }];
  });
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
