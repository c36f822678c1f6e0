import { basename } from 'node:path';
import { standardLook } from '../look.ts';
import type {
  NavigationItem,
  PageLayout,
  Site,
  SiteAssets,
  SiteLink,
  SitePage,
  SiteSearch,
  SiteTab,
  SiteVariant,
} from '../model.ts';
import { readFrontMatter } from '../../content/markdown/front-matter.ts';
import { nameTitle } from '../../content/sync/page-tree.ts';
import { isObject } from '../../shared/is-object.ts';
import { maxContentsEntries } from '../reference/pages.ts';
import type { SiteFolder, SiteSpace } from './site-folder.ts';
import type { FolderPage, SpaceFolder } from './space-folder.ts';

/** How addresses are written on one page: absolute, or relative to it. */
export interface FolderAddresses {
  page(page: FolderPage, anchor?: string): string;
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
    direction: isRightToLeft(language) ? 'rtl' : 'ltr',
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
  const documents = page.space.pages.filter((each) => each.type === 'document' && !isHiddenPage(each));
  const index = documents.indexOf(page);
  const around = (step: number) => (index === -1 ? undefined : documents[index + step]);
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
    previous: linkTo(around(-1)),
    next: linkTo(around(1)),
    ...coverOf(folder, page, data, addresses),
    layout: page.reference ? { outline: page.reference.path === '' } : layoutOf(data),
    ...(page.file === null && !page.reference ? {} : { markdownHref: addresses.markdown(page) }),
    isHidden: page.hidden,
    noIndex: page.noIndex ?? page.noRobotsIndex,
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

/** The pages of a space as a tree, with the current one marked. */
function navigationFor(current: FolderPage, addresses: FolderAddresses): NavigationItem[] {
  const open = new Set(ancestorsOf(current));
  const isLarge = current.space.pages.filter(({ reference }) => reference).length > maxContentsEntries;
  const isFar = ({ reference, parent }: FolderPage, { key }: FolderPage) =>
    reference !== undefined &&
    parent !== reference.base &&
    parent !== key &&
    ![...open].some((above) => above.key === parent);
  const items: NavigationItem[] = [];
  const children = new Map<string | null, NavigationItem[]>([[null, items]]);
  for (const page of current.space.pages) {
    const siblings = children.get(page.parent);
    // Pages below a hidden one are hidden too.
    if (!siblings || (page.hidden && page !== current)) continue;
    if (isLarge && isFar(page, current)) continue;
    const item: NavigationItem = {
      kind: page.type === 'document' ? 'page' : page.type,
      title: page.title,
      ...(page.type === 'group' ? {} : { href: page.type === 'link' ? page.href : addresses.page(page) }),
      icon: page.icon,
      emoji: page.emoji,
      isCurrent: page === current,
      isOpen: open.has(page),
      ...(page.type === 'link' ? { isExternal: true } : {}),
      ...(page.badge === undefined ? {} : { badge: page.badge }),
      children: operationsOn(page, addresses),
    };
    siblings.push(item);
    children.set(page.key, item.children);
  }
  return items;
}

/** Operations that are a part of a page of a reference. */
const operationsOn = (page: FolderPage, addresses: FolderAddresses): NavigationItem[] =>
  (page.reference?.operations ?? []).map(({ title, badge, anchor }) => ({
    kind: 'page',
    title,
    badge,
    href: addresses.page(page, anchor),
    isCurrent: false,
    isOpen: false,
    children: [],
  }));

/** The pages above a page, from the outermost. */
export function ancestorsOf(page: FolderPage): FolderPage[] {
  const above: FolderPage[] = [];
  for (let key = page.parent; key !== null;) {
    const parent = page.space.pageOfKey(key);
    if (!parent) break;
    above.unshift(parent);
    key = parent.parent;
  }
  return above;
}

export const isHiddenPage = (page: FolderPage): boolean =>
  page.hidden === true || ancestorsOf(page).some(({ hidden }) => hidden);

const isRightToLeft = (language: string): boolean => /^(?:ar|fa|he|ur|yi|ps|sd|ug|dv|ckb)\b/i.test(language);

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
